"""The bot itself, its gateway, other users, guilds and their members, direct messages."""

from typing import Any

from bot.sandbox.errors import ApiError, missing_access, unknown
from bot.sandbox.payloads import (
    application_payload,
    channel_payload,
    guild_payload,
    member_payload,
    roles_payload,
    user_payload,
)
from bot.sandbox.permissions import EVERYONE
from bot.sandbox.rest.call import Call, Route
from bot.sandbox.rules.bodies import DIRECT_MESSAGES
from bot.sandbox.state import Guild, Json


async def me(call: Call) -> Json:
    """`GET`: the bot as a user."""
    return user_payload(call.world.state.bot)


async def application(call: Call) -> Json:
    """`GET`: the bot's application, which the client library reads at login."""
    return application_payload(call.world.state)


async def gateway(call: Call) -> Json:
    """`GET`: where the websocket is."""
    return {"url": call.world.core.gateway_url}


async def gateway_bot(call: Call) -> Json:
    """`GET`: the same, with how many shards are advised, and how they may identify."""
    advice = call.world.gateway.admission.advice(call.world.clock.now())
    return {"url": call.world.core.gateway_url, **advice}


async def user(call: Call) -> Json:
    """`GET`: a person or the bot. 10013 if unknown."""
    found = call.world.state.users.get(call.params["user_id"])
    if found is None:
        raise unknown("User")
    return user_payload(found)


async def open_dm(call: Call) -> Json:
    """`POST`: the direct-message channel with a person. 50033 for the bot itself."""
    recipient = call.world.state.users.get(str(call.body.get("recipient_id")))
    if recipient is None or recipient.bot:
        raise ApiError(400, 50033, "Invalid Recipient(s)")
    channel = call.world.places.dm_channel(recipient)
    return channel_payload(call.world.state, channel)


async def my_guilds(call: Call) -> list[Json]:
    """`GET`: the guilds the bot is in, which is all of them."""
    return [
        {
            "id": guild.id,
            "name": guild.name,
            "icon": None,
            "banner": None,
            "owner": False,
            "permissions": str(EVERYONE),
            "features": [],
        }
        for guild in call.world.state.guilds.values()
    ]


def _guild(call: Call) -> Guild:
    found = call.world.state.guilds.get(call.params["guild_id"])
    if found is None:
        raise missing_access()
    return found


async def guild(call: Call) -> Json:
    """`GET`: a guild without what only the gateway tells. 50001 if unknown."""
    whole = guild_payload(call.world.state, _guild(call))
    for only_in_gateway in ("members", "channels", "threads", "voice_states", "presences"):
        del whole[only_in_gateway]
    return whole


async def guild_channels(call: Call) -> Any:
    """`GET`: a guild's channels without its threads."""
    return guild_payload(call.world.state, _guild(call))["channels"]


async def member(call: Call) -> Json:
    """`GET`: somebody in a guild. 10007 if they are not in it."""
    here = _guild(call)
    found = call.world.state.users.get(call.params["user_id"])
    if found is None or (found.id not in here.members and not found.bot):
        raise unknown("Member")
    return member_payload(here, found)


async def roles(call: Call) -> list[Json]:
    """`GET`: a guild's roles."""
    return roles_payload(_guild(call))


ROUTES = (
    Route("GET", "/users/@me", me),
    Route("GET", "/oauth2/applications/@me", application),
    Route("GET", "/applications/@me", application),
    Route("GET", "/gateway", gateway, needs_token=False),
    Route("GET", "/gateway/bot", gateway_bot),
    Route("POST", "/users/@me/channels", open_dm, body=DIRECT_MESSAGES, needs_body=True),
    Route("GET", "/users/@me/guilds", my_guilds),
    Route("GET", "/users/{user_id}", user),
    Route("GET", "/guilds/{guild_id}", guild),
    Route("GET", "/guilds/{guild_id}/channels", guild_channels),
    Route("GET", "/guilds/{guild_id}/roles", roles),
    Route("GET", "/guilds/{guild_id}/members/{user_id}", member),
)
