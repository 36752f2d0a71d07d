"""The routes that the bot uses, with their handlers.

Sources: https://discord.com/developers/docs, the resources of applications, channels, emoji
(uploaded as `data:` in base64), guild scheduled events, and interactions.
"""

import base64
import binascii
import re
from datetime import datetime

from bot.sandbox.clock import seconds_of
from bot.sandbox.discord_state import (
    ANNOUNCEMENT_CHANNEL,
    COMPONENTS_V2,
    DM_CHANNEL,
    EPHEMERAL,
    FORUM,
    GROUP_DM,
    LOADING,
    TEXT_CHANNEL,
    Channel,
    Guild,
    Interaction,
    Json,
    Message,
    copy_json,
)
from bot.sandbox.errors import ApiError, invalid_field, refusal
from bot.sandbox.interactions import MESSAGE, UPDATE
from bot.sandbox.limits import OLD
from bot.sandbox.messages import check_open
from bot.sandbox.payloads import (
    application_payload,
    channel_payload,
    joined_thread_payload,
    own_user_payload,
    user_payload,
)
from bot.sandbox.permissions import (
    ATTACH_FILES,
    CREATE_PUBLIC_THREADS,
    READ_MESSAGE_HISTORY,
    SEND_MESSAGES,
    SEND_MESSAGES_IN_THREADS,
    bot_permissions,
    bot_sees,
)
from bot.sandbox.rest.call import Call, Created, Route
from bot.sandbox.rules import bodies
from bot.sandbox.rules.bodies import CHAT_INPUT
from bot.sandbox.rules.commands import check_commands, check_installs

# -- the application: its user, its way to the gateway, its commands, its emoji --------------------

LARGEST = 256 * 1024  # bytes of an emoji
_NAME = re.compile(r"\w{2,32}", re.ASCII)
_IMAGE = re.compile(r"data:image/(?:png|jpe?g|gif|webp|avif);base64,([A-Za-z0-9+/=]+)")


async def me(call: Call) -> Json:
    """Return the bot's own user object."""
    return own_user_payload(call.world.state.bot)


async def application(call: Call) -> Json:
    """Return the bot's application, which client libraries read at login."""
    return application_payload(call.world.state)


async def gateway(call: Call) -> Json:
    """Return the websocket's address."""
    return {"url": call.world.gateway_url}


async def gateway_bot(call: Call) -> Json:
    """Return the websocket's address, the recommended shards, and the limits on sessions."""
    advice = call.world.gateway.admission.advice(call.world.clock.now())
    return {"url": call.world.gateway_url, **advice}


def _check_own(call: Call) -> None:
    if call.params["application_id"] != call.world.state.bot.id:
        raise refusal("401: Unauthorized")


async def list_commands(call: Call) -> list[Json]:
    """Return all commands of the application."""
    _check_own(call)
    return call.world.state.commands


async def overwrite_commands(call: Call) -> list[Json]:
    """Replace all commands, and return them.

    A command keeps its id if an old command had the same name and type.
    """
    _check_new(call, call.content)
    return _store(call, [_stored_command(call, command) for command in call.content])


async def add_command(call: Call) -> Json | Created:
    """Add a command, or replace the one of the same name and type, and return it."""
    _check_new(call, [call.body])
    command, known = _stored_command(call, call.body), call.world.state.commands
    others = [existing for existing in known if existing["id"] != command["id"]]
    _store(call, [*others, command])
    return command if len(others) < len(known) else Created(command)


async def delete_command(call: Call) -> None:
    """Delete a command. Raises ApiError 10063 if it is unknown."""
    _check_own(call)
    known = call.world.state.commands
    left = [command for command in known if command["id"] != call.params["command_id"]]
    if len(left) == len(known):
        raise refusal("Unknown Application Command")
    _store(call, left)


def _check_new(call: Call, commands: list[Json]) -> None:
    _check_own(call)
    check_commands(commands)
    check_installs(commands, call.world.state.installs)


def _stored_command(call: Call, body: Json) -> Json:
    """Return the command as Discord stores it: with defaults, and an id.

    A command with the name and type of a stored one gets that one's id.
    """
    state, snowflakes = call.world.state, call.world.snowflakes
    named = body.get("type", CHAT_INPUT), body["name"]
    ids = [known["id"] for known in state.commands if (known["type"], known["name"]) == named]
    command: Json = {
        "type": CHAT_INPUT,
        "name_localizations": None,
        "description": "",
        "description_localizations": None,
        "default_member_permissions": None,
        "integration_types": state.installs,
        "contexts": None,
        "nsfw": False,
        "options": [],
    } | copy_json({key: value for key, value in body.items() if value is not None})
    return command | {
        "id": ids[0] if ids else snowflakes.next(),
        "application_id": state.bot.id,
        "version": snowflakes.next(),
    }


def _store(call: Call, commands: list[Json]) -> list[Json]:
    check_commands(commands)
    call.world.state.commands = commands
    call.world.save_soon()
    call.world.stream.publish({"type": "commands"})
    return commands


async def list_emojis(call: Call) -> Json:
    """Return all emoji of the application."""
    _check_own(call)
    return {"items": call.world.state.emojis}


async def add_emoji(call: Call) -> Created:
    """Add an emoji to the application, and return it.

    Raises ApiError 50035 for a bad name, a taken name or a bad image, and 30008 for too many emoji.
    """
    _check_own(call)
    emojis, name = call.world.state.emojis, call.body["name"]
    if not _NAME.fullmatch(name) or any(emoji["name"] == name for emoji in emojis):
        raise invalid_field(("name",), "BASE_TYPE_CHOICES", "letters, digits and _, and not taken")
    written = _IMAGE.fullmatch(call.body["image"])
    try:
        content = base64.b64decode(written[1], validate=True) if written else b""
    except binascii.Error:
        content = b""
    if not content or len(content) > LARGEST:
        raise invalid_field(("image",), "BASE_TYPE_CHOICES", "images of at most 256 KiB")
    if len(emojis) >= call.world.emoji_room:
        raise ApiError(400, 30008, f"Maximum number of emojis reached ({call.world.emoji_room})")
    added: Json = {
        "id": call.world.snowflakes.next(),
        "name": name,
        "roles": [],
        "user": user_payload(call.world.state.bot),
        "require_colons": True,
        "managed": False,
        "animated": False,
        "available": True,
    }
    emojis.append(added)
    call.world.state.pictures[added["id"]] = content
    call.world.save_soon()
    return Created(added)


async def delete_emoji(call: Call) -> None:
    """Delete an emoji. Raises ApiError 10014 if it is unknown."""
    _check_own(call)
    emojis = call.world.state.emojis
    for emoji in emojis:
        if emoji["id"] == call.params["emoji_id"]:
            emojis.remove(emoji)
            call.world.state.pictures.pop(emoji["id"], None)
            call.world.save_soon()
            return
    raise refusal("Unknown Emoji")


# -- channels, direct ones and threads among them, and the messages in them ------------------------


def _channel(call: Call, *needs: int) -> Channel:
    """Return the path's channel.

    Raises ApiError if the channel is unknown, or if the bot can't see it or lacks a permission in
    `needs`.
    """
    state = call.world.state
    channel = state.channels.get(call.params["channel_id"])
    if channel is None:
        raise refusal("Unknown Channel")
    if channel.type == DM_CHANNEL:
        return channel
    if channel.type == GROUP_DM or not bot_sees(state, channel):
        raise refusal("Missing Access")
    allowed = bot_permissions(state, channel)
    for need in needs:
        in_thread = channel.is_thread and need == SEND_MESSAGES
        if not allowed & (SEND_MESSAGES_IN_THREADS if in_thread else need):
            raise refusal("Missing Permissions")
    return channel


def _message(call: Call, channel: Channel) -> Message:
    message = call.world.state.message(channel.id, call.params["message_id"])
    if message is None or message.visible_to is not None:  # ephemerals can only be reached by token
        raise refusal("Unknown Message")
    return message


async def get_channel(call: Call) -> Json:
    """Return a channel, thread or direct message.

    Raises ApiError 10003 if it is unknown, and 50001 if the bot can't see it.
    """
    return channel_payload(call.world.state, _channel(call))


async def create_message(call: Call) -> Json:
    """Add a message of the bot, and return it. Raises ApiError if Discord would refuse it.

    If the body enforces a nonce that was used already, return the message sent with the nonce.
    """
    world = call.world
    channel = _channel(call, SEND_MESSAGES, *([ATTACH_FILES] if call.uploads else []))
    if channel.type == FORUM:
        raise refusal("Cannot send messages in a non-text channel")
    if channel.type == DM_CHANNEL and not world.state.users[channel.recipient_id or ""].dms_open:
        raise refusal("Cannot send messages to this user")
    body = call.body
    if (body.get("flags") or 0) & ~COMPONENTS_V2:
        raise invalid_field(("flags",), "BITFIELD_TYPE_INVALID")
    repeated = world.messages.find_repeat(channel, world.state.bot, body)
    if repeated is not None:
        return repeated.payload
    message = await world.messages.create(channel, world.state.bot, body, call.uploads)
    return message.payload


async def list_messages(call: Call) -> list[Json]:
    """Return up to `limit` messages (1 to 100; default 50), newest first. Leave out ephemeral ones.

    With `before`, these are the newest messages older than that id; with `after`, the oldest
    messages newer than that id. The list is empty if the bot may not read the message history.
    """
    channel = _channel(call)
    guild_id = channel.guild_id
    if guild_id and not bot_permissions(call.world.state, channel) & READ_MESSAGE_HISTORY:
        return []
    shared = [m for m in call.world.state.messages.get(channel.id, {}).values() if not m.visible_to]
    limit = int(call.query.get("limit", "50"))
    if "before" in call.query:
        shared = [m for m in shared if int(m.id) < int(call.query["before"])]
    if "after" in call.query:
        shared = [m for m in shared if int(m.id) > int(call.query["after"])][:limit]
    return [m.payload for m in reversed(shared[-limit:])]


async def get_message(call: Call) -> Json:
    """Return a message. Raises ApiError 10008 for an unknown or ephemeral one."""
    return _message(call, _channel(call, READ_MESSAGE_HISTORY)).payload


async def edit_message(call: Call) -> Json:
    """Change a message of the bot, and return it.

    Raises ApiError 50005 for another author's message, and 30046 for too many edits of old messages
    in the channel.
    """
    message = _message(call, _channel(call))
    if message.payload["author"]["id"] != call.world.state.bot.id:
        raise refusal("Cannot edit a message authored by another user")
    now = call.world.clock.now()
    if now - seconds_of(message.id) > OLD:
        allowance = call.world.limits.ask_for_old(message.channel_id, now)
        if allowance is not None and allowance.refused_for:  # without saying when to retry
            raise refusal(
                "Maximum number of edits to messages older than 1 hour reached. Try again later"
            )
    return call.world.messages.edit(message, call.body, call.uploads).payload


async def delete_message(call: Call) -> None:
    """Delete a message of the bot.

    For another author's message, raises ApiError 50013 in a server, and 50003 in direct messages.
    """
    channel = _channel(call)
    message = _message(call, channel)
    if message.payload["author"]["id"] != call.world.state.bot.id:
        reason = (
            "Missing Permissions" if channel.guild_id else "Cannot execute action on a DM channel"
        )
        raise refusal(reason)
    check_open(channel)
    call.world.messages.delete(message)


async def open_thread(call: Call) -> Created:
    """Open a public thread from a message. The thread gets the message's id.

    Raises ApiError 160004 if the message has a thread already.
    """
    channel = _channel(call, CREATE_PUBLIC_THREADS)
    if channel.type not in (TEXT_CHANNEL, ANNOUNCEMENT_CHANNEL):
        raise refusal("Cannot execute action on this channel type")
    message, state = _message(call, channel), call.world.state
    if message.id in state.channels:
        raise refusal("A thread has already been created for this message")
    name = call.body["name"]
    thread = call.world.places.add_thread(channel, name, state.bot, message_id=message.id)
    call.world.save_soon()
    return Created(joined_thread_payload(state, thread))


async def change_channel(call: Call) -> Json:
    """Archive a thread or reopen it. Raises ApiError 50083 for a locked thread.

    Everybody who may send messages may reopen a thread that isn't locked.
    """
    channel = _channel(call, SEND_MESSAGES)
    if not channel.is_thread:
        raise refusal("Missing Permissions")
    if channel.locked:
        raise refusal("Thread is archived")
    await call.world.messages.set_archived(channel, archived=call.body["archived"])
    return channel_payload(call.world.state, channel)


async def open_dm(call: Call) -> Json:
    """Open direct messages with a person. Raises ApiError 50033 for the bot or an unknown id."""
    recipient = call.world.state.users.get(str(call.body.get("recipient_id")))
    if recipient is None or recipient.bot:
        raise refusal("Invalid Recipient(s)")
    return channel_payload(call.world.state, call.world.places.dm_channel(recipient))


# -- scheduled events of a server: in another place, weekly or once --------------------------------

SCHEDULED = 1
_NO_EVENT: Json = dict.fromkeys(("description", "recurrence_rule", "image", "entity_id"))
_NO_RULE: Json = dict.fromkeys(
    ("end", "by_n_weekday", "by_month", "by_month_day", "by_year_day", "count")
)


def _guild(call: Call) -> Guild:
    """Return the path's server. Raises ApiError if the bot isn't there or may not make events."""
    guild = call.world.state.guilds.get(call.params["guild_id"])
    if guild is None or not guild.has_bot:
        raise refusal("Missing Access")
    if not guild.bot_makes_events:
        raise refusal("Missing Permissions")
    return guild


def _check(call: Call, event: Json) -> None:
    """Check the fields of an event that depend on each other. Raises ApiError."""
    starts = datetime.fromisoformat(event["scheduled_start_time"])
    if starts.timestamp() <= call.world.clock.now():
        raise invalid_field(("scheduled_start_time",), "GUILD_SCHEDULED_EVENT_SCHEDULE_PAST")
    ends = event.get("scheduled_end_time")
    if ends is None:  # an event outside Discord needs an end
        raise invalid_field(("scheduled_end_time",), "BASE_TYPE_REQUIRED")
    if datetime.fromisoformat(ends) <= starts:
        raise invalid_field(("scheduled_end_time",), "GUILD_SCHEDULED_EVENT_END_BEFORE_START")
    rule = event.get("recurrence_rule")
    if rule is not None and (
        datetime.fromisoformat(rule["start"]) != starts or rule["by_weekday"] != [starts.weekday()]
    ):
        raise invalid_field(("recurrence_rule",), "GUILD_SCHEDULED_EVENT_INVALID_RECURRENCE_RULE")


async def create_event(call: Call) -> Json:
    """Add an event to a server. Raises ApiError 50013 if the bot may not create events."""
    guild, state = _guild(call), call.world.state
    _check(call, call.body)
    event: Json = {
        **_NO_EVENT,
        **copy_json(call.body),
        "id": call.world.snowflakes.next(),
        "guild_id": guild.id,
        "channel_id": None,
        "creator_id": state.bot.id,
        "status": SCHEDULED,
        "guild_scheduled_event_exceptions": [],
    }
    _fill_rule(event)
    state.events[event["id"]] = event
    call.world.save_soon()
    return event


def _fill_rule(event: Json) -> None:
    """Fill in missing fields of the event's recurrence rule."""
    rule = event["recurrence_rule"]
    if rule is not None:
        event["recurrence_rule"] = _NO_RULE | rule


def _event(call: Call) -> Json:
    guild = _guild(call)
    event = call.world.state.events.get(call.params["guild_scheduled_event_id"])
    if event is None or event["guild_id"] != guild.id:
        raise refusal("Unknown Guild Scheduled Event")
    return event


async def edit_event(call: Call) -> Json:
    """Change an event. Raises ApiError 10070 for an unknown or deleted one."""
    event = _event(call)
    changed = event | copy_json(call.body)
    _check(call, changed)
    _fill_rule(changed)
    event.update(changed)
    call.world.save_soon()
    return event


async def delete_event(call: Call) -> None:
    """Delete an event. Raises ApiError 10070 for an unknown or deleted one."""
    del call.world.state.events[_event(call)["id"]]
    call.world.save_soon()


# -- answers to interactions: the first, and what the token allows for 15 minutes ------------------


async def callback(call: Call) -> Json | None:
    """Accept an interaction's first answer.

    Return a description of the answer if the query has `with_response`, else None.
    """
    params = call.params
    interaction, message = await call.world.interactions.callback(
        params["interaction_id"], params["interaction_token"], call.body, call.uploads
    )
    if call.query.get("with_response", "").lower() not in ("1", "true"):
        return None
    answer: Json = {"id": interaction.id, "type": interaction.type}
    reply: Json = {"interaction": answer}
    if message is not None:
        answer |= {
            "response_message_id": message.id,
            "response_message_loading": bool(message.flags & LOADING),
            "response_message_ephemeral": bool(message.flags & EPHEMERAL),
        }
        if interaction.callback in (MESSAGE, UPDATE):
            reply["resource"] = {"type": interaction.callback, "message": message.payload}
    return reply


def _interaction(call: Call) -> Interaction:
    return call.world.interactions.by_token(call.params["webhook_id"], call.params["webhook_token"])


def _answer(call: Call, interaction: Interaction) -> Message:
    message_id = call.params.get("message_id", "@original")
    return call.world.interactions.message_of(interaction, message_id)


async def follow_up(call: Call) -> Json:
    """Send a further message. Raises ApiError 50035 while a deferred answer is pending."""
    message = await call.world.interactions.follow_up(_interaction(call), call.body, call.uploads)
    return message.payload


async def get_answer(call: Call) -> Json:
    """Return the first answer to an interaction, found by its token."""
    return _answer(call, _interaction(call)).payload


async def edit_answer(call: Call) -> Json:
    """Change the first answer or a follow-up. Raises ApiError 50027 after 15 minutes."""
    interaction = _interaction(call)
    message = _answer(call, interaction)
    return call.world.interactions.edit(interaction, message, call.body, call.uploads).payload


async def delete_answer(call: Call) -> None:
    """Delete the first answer or a follow-up. Raises ApiError 50027 after 15 minutes."""
    interaction = _interaction(call)
    call.world.interactions.delete(interaction, _answer(call, interaction))


# -- the table of routes ---------------------------------------------------------------------------

_COMMANDS = "/applications/{application_id}/commands"
_EMOJIS = "/applications/{application_id}/emojis"
_EVENTS = "/guilds/{guild_id}/scheduled-events"
_BASE = "/webhooks/{webhook_id}/{webhook_token}"

ROUTES: tuple[Route, ...] = (
    Route("GET", "/users/@me", me),
    Route("GET", "/oauth2/applications/@me", application),
    Route("GET", "/gateway", gateway, needs_token=False),
    Route("GET", "/gateway/bot", gateway_bot),
    Route("GET", _COMMANDS, list_commands),
    Route("PUT", _COMMANDS, overwrite_commands, body=bodies.COMMANDS, needs_body=True),
    Route("POST", _COMMANDS, add_command, body=bodies.COMMAND, needs_body=True),
    Route("DELETE", _COMMANDS + "/{command_id}", delete_command),
    Route("GET", _EMOJIS, list_emojis),
    Route("POST", _EMOJIS, add_emoji, body=bodies.EMOJI, needs_body=True),
    Route("DELETE", _EMOJIS + "/{emoji_id}", delete_emoji),
    Route("POST", "/users/@me/channels", open_dm, body=bodies.DIRECT_MESSAGES, needs_body=True),
    Route("GET", "/channels/{channel_id}", get_channel),
    Route(
        "PATCH", "/channels/{channel_id}", change_channel, body=bodies.THREAD_EDIT, needs_body=True
    ),
    Route("POST", "/channels/{channel_id}/messages", create_message, body=bodies.MESSAGE),
    Route("GET", "/channels/{channel_id}/messages", list_messages, query=bodies.LIST_MESSAGES),
    Route("GET", "/channels/{channel_id}/messages/{message_id}", get_message),
    Route("PATCH", "/channels/{channel_id}/messages/{message_id}", edit_message, body=bodies.EDIT),
    Route("DELETE", "/channels/{channel_id}/messages/{message_id}", delete_message),
    Route(
        "POST",
        "/channels/{channel_id}/messages/{message_id}/threads",
        open_thread,
        body=bodies.THREAD,
        needs_body=True,
    ),
    Route("POST", _EVENTS, create_event, body=bodies.EVENT, needs_body=True),
    Route(
        "PATCH",
        _EVENTS + "/{guild_scheduled_event_id}",
        edit_event,
        body=bodies.EVENT_EDIT,
        needs_body=True,
    ),
    Route("DELETE", _EVENTS + "/{guild_scheduled_event_id}", delete_event),
    Route(
        "POST",
        "/interactions/{interaction_id}/{interaction_token}/callback",
        callback,
        needs_token=False,
        body=bodies.CALLBACK,
        needs_body=True,
        states_limits=False,
    ),
    Route("POST", _BASE, follow_up, needs_token=False, body=bodies.ANSWER),
    Route("GET", _BASE + "/messages/@original", get_answer, needs_token=False),
    *(
        route
        for path in (f"{_BASE}/messages/@original", f"{_BASE}/messages/{{message_id}}")
        for route in (
            Route("PATCH", path, edit_answer, needs_token=False, body=bodies.EDIT),
            Route("DELETE", path, delete_answer, needs_token=False),
        )
    ),
)
