"""Scheduled events of a server, as far as the bot uses them: in another place, weekly or once.

Source: https://discord.com/developers/docs/resources/guild-scheduled-event
"""

from datetime import datetime

from bot.sandbox.discord_state import Guild, Json, copied
from bot.sandbox.errors import invalid_field, refusal
from bot.sandbox.rest.call import Call, Route
from bot.sandbox.rules.bodies import EVENT, EVENT_EDIT

SCHEDULED = 1


def _guild(call: Call) -> Guild:
    """The server named in the path, if the bot may make events there."""
    guild = call.world.state.guilds.get(call.params["guild_id"])
    if guild is None or not guild.has_bot:
        raise refusal("Missing Access")
    if not guild.bot_makes_events:
        raise refusal("Missing Permissions")
    return guild


def _check(call: Call, event: Json) -> None:
    """What one field does not tell. Raises ApiError."""
    starts = datetime.fromisoformat(event["scheduled_start_time"])
    if starts.timestamp() <= call.world.clock.now():
        raise invalid_field(("scheduled_start_time",), "GUILD_SCHEDULED_EVENT_SCHEDULE_PAST")
    ends = event.get("scheduled_end_time")
    if ends is None:  # one in another place has an end
        raise invalid_field(("scheduled_end_time",), "BASE_TYPE_REQUIRED")
    if datetime.fromisoformat(ends) <= starts:
        raise invalid_field(("scheduled_end_time",), "GUILD_SCHEDULED_EVENT_END_BEFORE_START")
    rule = event.get("recurrence_rule")
    if rule is not None and (
        datetime.fromisoformat(rule["start"]) != starts or rule["by_weekday"] != [starts.weekday()]
    ):
        raise invalid_field(("recurrence_rule",), "GUILD_SCHEDULED_EVENT_INVALID_RECURRENCE_RULE")


async def create_event(call: Call) -> Json:
    """`POST`: an event of the bot's. 50013 where it may make none."""
    guild, state = _guild(call), call.world.state
    _check(call, call.body)
    made = copied(call.body) | {
        "id": call.world.snowflakes.next(),
        "guild_id": guild.id,
        "channel_id": None,
        "creator_id": state.bot.id,
        "status": SCHEDULED,
        "entity_id": None,
        "image": None,
    }
    state.events[made["id"]] = made
    call.world.changed()
    return made


def _event(call: Call) -> Json:
    guild = _guild(call)
    found = call.world.state.events.get(call.params["guild_scheduled_event_id"])
    if found is None or found["guild_id"] != guild.id:
        raise refusal("Unknown Guild Scheduled Event")
    return found


async def edit_event(call: Call) -> Json:
    """`PATCH`: another hour, say. 10070 for one that was deleted."""
    event = _event(call)
    changed = event | copied(call.body)
    _check(call, changed)
    event.update(changed)
    call.world.changed()
    return event


async def delete_event(call: Call) -> None:
    """`DELETE`: one less. 10070 for one that was deleted."""
    del call.world.state.events[_event(call)["id"]]
    call.world.changed()


_EVENTS = "/guilds/{guild_id}/scheduled-events"
ROUTES = (
    Route("POST", _EVENTS, create_event, body=EVENT, needs_body=True),
    Route(
        "PATCH",
        _EVENTS + "/{guild_scheduled_event_id}",
        edit_event,
        body=EVENT_EDIT,
        needs_body=True,
    ),
    Route("DELETE", _EVENTS + "/{guild_scheduled_event_id}", delete_event),
)
