"""The application: its user, its way to the gateway, its commands, its emoji.

Emoji are uploaded as `data:` of base64.
Source: https://discord.com/developers/docs/resources/emoji
"""

import base64
import binascii
import re

from bot.sandbox.discord_state import Json, copied
from bot.sandbox.errors import ApiError, invalid_field, refusal
from bot.sandbox.payloads import application_payload, user_payload
from bot.sandbox.rest.call import Call, Route
from bot.sandbox.rules.bodies import COMMAND, COMMANDS, EMOJI
from bot.sandbox.rules.commands import check_commands, check_installs

LARGEST = 256 * 1024  # bytes of an emoji
_NAME = re.compile(r"\w{2,32}", re.ASCII)
_IMAGE = re.compile(r"data:image/(?:png|jpeg|gif|webp|avif);base64,([A-Za-z0-9+/=]+)")


async def me(call: Call) -> Json:
    """`GET`: the bot as a user."""
    return user_payload(call.world.state.bot)


async def application(call: Call) -> Json:
    """`GET`: the bot's application, which the client library reads at login."""
    return application_payload(call.world.state)


async def gateway(call: Call) -> Json:
    """`GET`: where the websocket is."""
    return {"url": call.world.gateway_url}


async def gateway_bot(call: Call) -> Json:
    """`GET`: the same, with how many shards are advised, and how they may identify."""
    advice = call.world.gateway.admission.advice(call.world.clock.now())
    return {"url": call.world.gateway_url, **advice}


def _check_own(call: Call) -> None:
    if call.params["application_id"] != call.world.state.bot.id:
        raise refusal("401: Unauthorized")


async def list_commands(call: Call) -> list[Json]:
    """`GET`: every command."""
    _check_own(call)
    return call.world.state.commands


async def overwrite_commands(call: Call) -> list[Json]:
    """`PUT`: replace all commands; one of the same name keeps its id."""
    _check_new(call, call.content)
    return _store(call, [_completed(call, command) for command in call.content])


async def add_command(call: Call) -> Json:
    """`POST`: add one command, or replace that of the same name."""
    _check_new(call, [call.body])
    command = _completed(call, call.body)
    others = [known for known in call.world.state.commands if known["id"] != command["id"]]
    _store(call, [*others, command])
    return command


async def delete_command(call: Call) -> None:
    """`DELETE`: remove one command. 10063 if unknown."""
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


def _completed(call: Call, wanted: Json) -> Json:
    """The command as Discord stores it: an id that stays with its name, defaults filled in."""
    state, snowflakes = call.world.state, call.world.snowflakes
    ids = [known["id"] for known in state.commands if known["name"] == wanted["name"]]
    command: Json = {
        "type": 1,
        "name_localizations": None,
        "description_localizations": None,
        "default_member_permissions": None,
        "integration_types": state.installs,
        "contexts": None,
        "nsfw": False,
        "options": [],
    } | copied({key: value for key, value in wanted.items() if value is not None})
    return command | {
        "id": ids[0] if ids else snowflakes.next(),
        "application_id": state.bot.id,
        "version": snowflakes.next(),
    }


def _store(call: Call, commands: list[Json]) -> list[Json]:
    check_commands(commands)
    call.world.state.commands = commands
    call.world.changed()
    call.world.stream.publish({"type": "commands"})
    return commands


async def list_emojis(call: Call) -> Json:
    """`GET`: all emoji."""
    _check_own(call)
    return {"items": call.world.state.emojis}


async def add_emoji(call: Call) -> Json:
    """`POST`: one more. 50035 for a bad name or image, 30008 for too many."""
    _check_own(call)
    emojis, name = call.world.state.emojis, call.body["name"]
    if not _NAME.fullmatch(name) or any(one["name"] == name for one in emojis):
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
    made: Json = {
        "id": call.world.snowflakes.next(),
        "name": name,
        "roles": [],
        "user": user_payload(call.world.state.bot),
        "require_colons": True,
        "managed": False,
        "animated": False,
        "available": True,
    }
    emojis.append(made)
    call.world.state.pictures[made["id"]] = content
    call.world.changed()
    return made


async def delete_emoji(call: Call) -> None:
    """`DELETE`: one less. 10014 if there is none such."""
    _check_own(call)
    emojis = call.world.state.emojis
    for one in emojis:
        if one["id"] == call.params["emoji_id"]:
            emojis.remove(one)
            call.world.state.pictures.pop(one["id"], None)
            call.world.changed()
            return
    raise refusal("Unknown Emoji")


_COMMANDS = "/applications/{application_id}/commands"
_EMOJIS = "/applications/{application_id}/emojis"
ROUTES = (
    Route("GET", "/users/@me", me),
    Route("GET", "/oauth2/applications/@me", application),
    Route("GET", "/gateway", gateway, needs_token=False),
    Route("GET", "/gateway/bot", gateway_bot),
    Route("GET", _COMMANDS, list_commands),
    Route("PUT", _COMMANDS, overwrite_commands, body=COMMANDS, needs_body=True),
    Route("POST", _COMMANDS, add_command, body=COMMAND, needs_body=True),
    Route("DELETE", _COMMANDS + "/{command_id}", delete_command),
    Route("GET", _EMOJIS, list_emojis),
    Route("POST", _EMOJIS, add_emoji, body=EMOJI, needs_body=True),
    Route("DELETE", _EMOJIS + "/{emoji_id}", delete_emoji),
)
