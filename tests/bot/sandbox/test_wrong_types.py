"""Wrong types in every body that the bot sends: refused with 400 and the path to the field.

Each value is replaced by a value of every other type. So a mistake of this kind in the bot fails
in tests too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import structlog

from bot.sandbox.discord_state import RecordedRequest
from bot.sandbox.emulator import Emulator
from tests.bot.sandbox.raw import Raw
from tests.people import Snug
from tests.sessions import setup
from tests.sessions.run import play

pytestmark = pytest.mark.long

SESSIONS = range(1, 4)
ROUTES = {  # all that the bot sends bodies to
    ("PATCH", "/channels/{channel_id}/messages/{message_id}"),
    ("PATCH", "/webhooks/{webhook_id}/{webhook_token}/messages/@original"),
    ("PATCH", "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}"),
    ("POST", "/applications/{application_id}/emojis"),
    ("POST", "/channels/{channel_id}/messages"),
    ("POST", "/interactions/{interaction_id}/{interaction_token}/callback"),
    ("POST", "/users/@me/channels"),
    ("POST", "/webhooks/{webhook_id}/{webhook_token}"),
    ("PUT", "/applications/{application_id}/commands"),
}
OTHERS = ("a", 7, 7.5, True, ["a"], {"a": "b"}, None)
IDS = {"id", "message_id", "recipient_id", "users", "nonce", "default_member_permissions"}
NEVER_NULL = {  # by the type of what they belong to
    (2, "style"),
    (3, "options"),
    (10, "content"),
    (12, "items"),
    (18, "label"),
    (18, "component"),
    (1, "components"),
    (8, "data"),
    (None, "choices"),
    (None, "url"),
    (None, "recipient_id"),
    (None, "media"),
}
Step = str | int
Place = tuple[Step, ...]


def values(body: Any, place: Place = (), form: tuple[object, ...] = ()) -> Iterator[Any]:
    """Yield (place, form, value) for every value in a body.

    A form is a place with "*" for each index, and with the `type` of each object on the way. So it
    is the same for similar places.
    """
    yield place, form, body
    if isinstance(body, dict):
        form = (*form, body.get("type"))
        for key, value in body.items():
            yield from values(value, (*place, key), (*form, key))
    elif isinstance(body, list):
        for n, value in enumerate(body):
            yield from values(value, (*place, n), (*form, "*"))


def replace_at(body: Any, place: Place, value: object) -> Any:
    """Return a copy of the body with `value` at `place`."""
    if not place:
        return value
    copy = dict(body) if isinstance(body, dict) else list(body)
    copy[place[0]] = replace_at(body[place[0]], place[1:], value)  # type: ignore[index]
    return copy


def taken(form: tuple[object, ...], wrong_value: object) -> bool:
    """Return whether Discord accepts this value of a wrong type at places of this form."""
    named = [step for step in form if isinstance(step, str) and step != "*"]
    if wrong_value is None and form[-1:] != ("*",):  # as if it were left out
        return form[-2:] not in NEVER_NULL
    if named[-1:] == ["value"] and named[0] == "data":
        return isinstance(wrong_value, int | float)  # what is suggested, which its option decides
    return type(wrong_value) is int and named[-1:] in [[name] for name in IDS]


def names_place(errors: Any, place: Place) -> bool:
    """Return whether there are errors for the place, or for anything in it."""
    for step in place:
        errors = errors.get(str(step), {})
    return bool(errors)


@pytest.fixture(scope="module")
def sent() -> list[RecordedRequest]:
    """Return every request with a body that the bot sends in whole sessions."""
    worlds: list[Emulator] = []

    class Watched(Emulator):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            worlds.append(self)

    before = structlog.get_config()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(setup, "Emulator", Watched)
        structlog.configure(logger_factory=structlog.ReturnLoggerFactory())
        for seed in SESSIONS:
            assert play(seed).failure is None
    structlog.configure(**before)
    return [
        request for world in worlds for request in world.state.requests if request.body is not None
    ]


async def test_a_value_of_another_type_is_refused_with_the_path_to_it(
    snug: Snug, sent: list[RecordedRequest]
) -> None:
    assert {(request.method, request.route) for request in sent} == ROUTES
    answered: set[object] = set()
    kindly: list[str] = []
    async with Raw(snug.world) as raw:
        for request in sent:
            for place, form, value in values(request.body):
                like = (request.method, request.route, form, type(value))
                if value is None or like in answered:
                    continue
                answered.add(like)
                for wrong_value in OTHERS:
                    if type(wrong_value) is type(value) or taken(form, wrong_value):
                        continue
                    body = replace_at(request.body, place, wrong_value)
                    status, answer = await raw.api(request.method, request.path, body)
                    if place and (status, answer.get("code")) == (400, 50035):
                        if names_place(answer["errors"], place):
                            continue
                    elif not place and status == 400:
                        continue
                    kindly.append(
                        f"{request.method} {request.route} {place} {wrong_value}: {status}"
                    )
    assert not kindly, "\n".join(kindly)
    assert len(answered) > 100
