"""Whom a message calls: mentions in its text, as far as `allowed_mentions` goes."""

from typing import Any

import pytest

from bot.sandbox.errors import ApiError
from bot.sandbox.messages import mentioned
from bot.sandbox.rules.components import check_allowed_mentions

Json = dict[str, Any]


def said(content: str = "", *texts: str) -> Json:
    """A message's payload, with `texts` as text displays in a container."""
    inside = [{"type": 10, "content": text} for text in texts]
    return {"content": content, "components": [{"type": 17, "components": inside}]}


def test_everybody_named_in_text_is_mentioned_once_in_order() -> None:
    assert mentioned(said("<@2> and <@!1>, <@2>", "then <@3>"), None) == ["2", "1", "3"]


@pytest.mark.parametrize("text", ["`<@1>`", "``a <@1>``", "```\n<@1>\n```", "<#1> <@&1> @1"])
def test_code_and_other_kinds_of_mention_call_nobody(text: str) -> None:
    assert mentioned(said(text), None) == []


def test_a_button_calls_nobody() -> None:
    button = {"type": 2, "label": "<@1>", "custom_id": "b"}
    assert mentioned({"content": "", "components": [button]}, None) == []


@pytest.mark.parametrize(
    ("allowed", "called"),
    [
        ({"parse": []}, []),
        ({}, []),
        ({"parse": ["users"]}, ["1", "2"]),
        ({"parse": ["everyone", "roles"]}, []),
        ({"users": ["2", "9"]}, ["2"]),
        ({"parse": [], "users": [1]}, ["1"]),
    ],
)
def test_allowed_mentions_say_who_is_called(allowed: Json, called: list[str]) -> None:
    assert mentioned(said("<@1> <@2>"), allowed) == called


@pytest.mark.parametrize(
    ("allowed", "code"),
    [
        ([], "MODEL_TYPE_CONVERT"),
        ({"parse": ["people"]}, "BASE_TYPE_CHOICES"),
        ({"parse": ["users"], "users": ["1"]}, "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE"),
        ({"users": [str(n) for n in range(101)]}, "BASE_TYPE_MAX_LENGTH"),
    ],
)
def test_allowed_mentions_that_discord_refuses(allowed: Any, code: str) -> None:
    with pytest.raises(ApiError) as refused:
        check_allowed_mentions(allowed)
    assert refused.value.code == 50035
    assert code in str(refused.value.errors)


@pytest.mark.parametrize(
    "allowed", [None, {}, {"parse": ["users"], "users": []}, {"users": ["1"] * 100}]
)
def test_allowed_mentions_that_discord_takes(allowed: Any) -> None:
    check_allowed_mentions(allowed)
