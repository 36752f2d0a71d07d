"""The checker itself: it must find what is wrong, else it proves nothing."""

from typing import Any

import pytest

from bot.sandbox.state import RecordedRequest
from tests import openapi

DESCRIPTION = openapi.load()
MESSAGES = "/channels/{channel_id}/messages"

pytestmark = pytest.mark.skipif(
    DESCRIPTION is None, reason="Discord's OpenAPI description is not beside the repository"
)


def faults(method: str, route: str, body: Any) -> list[str]:
    assert DESCRIPTION is not None
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
