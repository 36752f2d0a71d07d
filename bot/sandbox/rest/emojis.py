"""The application's own emoji: listed, uploaded, deleted. Uploaded as `data:` of base64.

Source: https://discord.com/developers/docs/resources/emoji
"""

import base64
import binascii
import re

from bot.sandbox.errors import ApiError, unauthorized, unknown
from bot.sandbox.payloads import user_payload
from bot.sandbox.rest.call import Call, Route
from bot.sandbox.rules.bodies import EMOJI
from bot.sandbox.state import Json

LARGEST = 256 * 1024  # bytes
_NAME = re.compile(r"\w{2,32}", re.ASCII)
_IMAGE = re.compile(r"data:image/(?:png|jpeg|gif|webp|avif);base64,([A-Za-z0-9+/=]+)")


def _refused(field: str, why: str) -> ApiError:
    errors = {field: {"_errors": [{"code": "BASE_TYPE_CHOICES", "message": why}]}}
    return ApiError(400, 50035, "Invalid Form Body", errors)


def _all(call: Call) -> list[Json]:
    if call.params["application_id"] != call.world.state.bot.id:
        raise unauthorized()
    return call.world.state.emojis


async def list_all(call: Call) -> Json:
    """`GET`: all of them."""
    return {"items": _all(call)}


async def create(call: Call) -> Json:
    """`POST`: one more. 50035 for a bad name or image, 30008 for too many."""
    emojis, name = _all(call), call.body["name"]
    if not _NAME.fullmatch(name) or any(one["name"] == name for one in emojis):
        raise _refused("name", "Expected letters, digits and _, and a name that is not taken.")
    written = _IMAGE.fullmatch(call.body["image"])
    try:
        content = base64.b64decode(written[1], validate=True) if written else b""
    except binascii.Error:
        content = b""
    if not content or len(content) > LARGEST:
        raise _refused("image", "Expected an image of at most 256 KiB.")
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
    call.world.core.changed()
    return made


async def delete(call: Call) -> None:
    """`DELETE`: one less. 10014 if there is none such."""
    emojis = _all(call)
    for one in emojis:
        if one["id"] == call.params["emoji_id"]:
            emojis.remove(one)
            call.world.state.pictures.pop(one["id"], None)
            call.world.core.changed()
            return
    raise unknown("Emoji")


_BASE = "/applications/{application_id}/emojis"
ROUTES = (
    Route("GET", _BASE, list_all),
    Route("POST", _BASE, create, body=EMOJI, needs_body=True),
    Route("DELETE", _BASE + "/{emoji_id}", delete),
)
