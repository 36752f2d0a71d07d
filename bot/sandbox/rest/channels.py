"""Channels, direct ones and threads among them, and the messages in them."""

from bot.sandbox.clock import seconds_of
from bot.sandbox.discord_state import (
    COMPONENTS_V2,
    DM_CHANNEL,
    FORUM,
    GROUP_DM,
    Channel,
    Json,
    Message,
)
from bot.sandbox.errors import invalid_field, refusal
from bot.sandbox.limits import OLD
from bot.sandbox.messages import check_open
from bot.sandbox.payloads import channel_payload
from bot.sandbox.permissions import (
    ATTACH_FILES,
    READ_MESSAGE_HISTORY,
    SEND_MESSAGES,
    SEND_MESSAGES_IN_THREADS,
    bot_permissions,
    bot_sees,
)
from bot.sandbox.rest.call import Call, Route
from bot.sandbox.rules.bodies import DIRECT_MESSAGES, EDIT, LIST_MESSAGES, MESSAGE, THREAD_EDIT


def _channel(call: Call, *needs: int) -> Channel:
    """The channel named in the path, if the bot may do there what it `needs`."""
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
    found = call.world.state.message(channel.id, call.params["message_id"])
    if found is None or found.visible_to is not None:  # ephemerals are only reached by token
        raise refusal("Unknown Message")
    return found


async def get_channel(call: Call) -> Json:
    """`GET`: one channel, thread or direct message. 10003 if unknown, 50001 if denied."""
    return channel_payload(call.world.state, _channel(call))


async def create_message(call: Call) -> Json:
    """`POST`: a message of the bot, checked by Discord's limits; 50007 into closed DMs."""
    world = call.world
    channel = _channel(call, SEND_MESSAGES, *([ATTACH_FILES] if call.uploads else []))
    if channel.type == FORUM:
        raise refusal("Cannot send messages in a non-text channel")
    if channel.type == DM_CHANNEL and not world.state.users[channel.recipient_id or ""].dms_open:
        raise refusal("Cannot send messages to this user")
    body = call.body
    if (body.get("flags") or 0) & ~COMPONENTS_V2:
        raise invalid_field(("flags",), "BITFIELD_TYPE_INVALID")
    repeated = world.messages.repeated(channel, world.state.bot, body)
    if repeated is not None:
        return repeated.payload
    message = await world.messages.create(channel, world.state.bot, body, call.uploads)
    return message.payload


async def list_messages(call: Call) -> list[Json]:
    """`GET`: up to `limit` (1 to 100, else 50) messages, newest first, no ephemerals."""
    channel = _channel(call)
    guild_id = channel.guild_id
    if guild_id and not bot_permissions(call.world.state, channel) & READ_MESSAGE_HISTORY:
        return []
    shared = [m for m in call.world.state.messages.get(channel.id, {}).values() if not m.visible_to]
    limit = int(call.query.get("limit", "50"))
    if "before" in call.query:
        shared = [m for m in shared if int(m.id) < int(call.query["before"])]
    return [m.payload for m in reversed(shared[-limit:])]


async def get_message(call: Call) -> Json:
    """`GET`: one message. 10008 for an unknown or ephemeral one."""
    return _message(call, _channel(call, READ_MESSAGE_HISTORY)).payload


async def edit_message(call: Call) -> Json:
    """`PATCH`: the bot's own message. 50005 for anybody else's."""
    message = _message(call, _channel(call))
    if message.payload["author"]["id"] != call.world.state.bot.id:
        raise refusal("Cannot edit a message authored by another user")
    now = call.world.clock.now()
    if now - seconds_of(message.id) > OLD:
        found = call.world.limits.ask_for_old(message.channel_id, now)
        if found is not None and found.refused_for:  # with no word of when it would be taken
            raise refusal(
                "Maximum number of edits to messages older than 1 hour reached. Try again later"
            )
    return call.world.messages.edit(message, call.body, call.uploads).payload


async def delete_message(call: Call) -> None:
    """`DELETE`: the bot's own message. 50013 or 50003 for anybody else's."""
    channel = _channel(call)
    message = _message(call, channel)
    if message.payload["author"]["id"] != call.world.state.bot.id:
        there = (
            "Missing Permissions" if channel.guild_id else "Cannot execute action on a DM channel"
        )
        raise refusal(there)
    check_open(channel)
    call.world.messages.delete(message)


async def change_channel(call: Call) -> Json:
    """`PATCH`: whether a thread is archived; whoever may send messages may open one again, unless
    it is locked. 50083 for one that is."""
    channel = _channel(call, SEND_MESSAGES)
    if not channel.is_thread:
        raise refusal("Missing Permissions")
    if channel.locked:
        raise refusal("Thread is archived")
    await call.world.messages.set_archived(channel, archived=call.body["archived"])
    return channel_payload(call.world.state, channel)


async def open_dm(call: Call) -> Json:
    """`POST`: the direct-message channel with a person. 50033 for the bot itself."""
    recipient = call.world.state.users.get(str(call.body.get("recipient_id")))
    if recipient is None or recipient.bot:
        raise refusal("Invalid Recipient(s)")
    return channel_payload(call.world.state, call.world.places.dm_channel(recipient))


ROUTES = (
    Route("POST", "/users/@me/channels", open_dm, body=DIRECT_MESSAGES, needs_body=True),
    Route("GET", "/channels/{channel_id}", get_channel),
    Route("PATCH", "/channels/{channel_id}", change_channel, body=THREAD_EDIT, needs_body=True),
    Route("POST", "/channels/{channel_id}/messages", create_message, body=MESSAGE),
    Route("GET", "/channels/{channel_id}/messages", list_messages, query=LIST_MESSAGES),
    Route("GET", "/channels/{channel_id}/messages/{message_id}", get_message),
    Route("PATCH", "/channels/{channel_id}/messages/{message_id}", edit_message, body=EDIT),
    Route("DELETE", "/channels/{channel_id}/messages/{message_id}", delete_message),
)
