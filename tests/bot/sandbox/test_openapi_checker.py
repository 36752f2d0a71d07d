"""The checker itself: it must find what is wrong, else it proves nothing."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from bot.sandbox.discord_state import RecordedRequest
from tests import openapi
from tests.openapi.cut import cut, text_of

DESCRIPTION = openapi.load()
MESSAGES = "/channels/{channel_id}/messages"


def faults(method: str, route: str, body: Any) -> list[str]:
    return DESCRIPTION.faults(RecordedRequest(method, route, route, {}, body, (), 200))


@pytest.mark.parametrize(
    ("method", "route", "body"),
    [
        ("POST", MESSAGES, {"content": 7}),
        ("POST", MESSAGES, {"components": [{"type": 99}]}),
        ("POST", "/channels/{channel_id}/nothing", {}),
        ("GET", MESSAGES, {"content": "x"}),
        ("PUT", "/applications/{application_id}/commands", [{"description": "no name"}]),
        ("POST", "/users/@me/channels", {"recipient_id": "abc"}),
        ("POST", "/interactions/{interaction_id}/{interaction_token}/callback", {"type": 99}),
        ("POST", "/interactions/{interaction_id}/{interaction_token}/callback", None),
    ],
)
def test_request_that_discord_does_not_describe_is_found(
    method: str, route: str, body: Any
) -> None:
    assert faults(method, route, body)


@pytest.mark.parametrize("recipient", ["123", 123])
def test_snowflake_may_be_text_or_a_whole_number(recipient: object) -> None:
    assert faults("POST", "/users/@me/channels", {"recipient_id": recipient}) == []


def test_valid_message_has_no_faults() -> None:
    body = {"flags": 1 << 15, "components": [{"type": 10, "content": "x"}]}
    assert faults("POST", MESSAGES, body) == []


def test_the_description_is_what_the_local_discord_serves_and_no_more() -> None:
    """Else `python -m tests.openapi.cut` makes it anew."""
    kept = openapi.DESCRIPTION.read_text("utf-8")
    assert text_of(cut(json.loads(kept))) == kept


def test_a_description_that_was_changed_by_hand_is_not_used(tmp_path: Path) -> None:
    for path in (openapi.DESCRIPTION, openapi.checksum_of(openapi.DESCRIPTION)):
        shutil.copy(path, tmp_path)
    copied = tmp_path / openapi.DESCRIPTION.name
    assert openapi.load(copied).document == DESCRIPTION.document
    copied.write_text(copied.read_text("utf-8").replace('"maxLength": 2000', '"maxLength": 9000'))
    with pytest.raises(ValueError, match="was changed: make it anew"):
        openapi.load(copied)
