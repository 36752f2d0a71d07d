"""Interactions that are not as Discord documents them are given that form before they are read."""

from __future__ import annotations

from typing import Any

import pytest

from bot.discord.payload_checks import as_documented, completes, guard
from tests.bot.conftest import Seat
from tests.bot.house import Table

COMMAND, COMPONENT, AUTOCOMPLETE = 2, 3, 4
TEXT, NUMBER, TRUTH, GROUP, PERSON = 3, 4, 5, 1, 6


def typed(kind: int, *options: Any) -> Any:
    """What is read of a command that was typed with these options."""
    event = {"type": kind, "locale": "pl", "guild_locale": "pl", "data": {"options": [*options]}}
    return as_documented(event)["data"]["options"]


@pytest.mark.parametrize(
    ("kind", "value", "kept"),
    [
        (NUMBER, 3, True),
        (NUMBER, -(1 << 53), True),
        (NUMBER, 10**30, False),
        (NUMBER, [], False),
        (NUMBER, True, False),
        (NUMBER, "3", False),
        (TEXT, "pair", True),
        (TEXT, None, False),
        (TRUTH, False, True),
        (TRUTH, 0, False),
        (PERSON, "12", True),
    ],
)
def test_a_value_of_another_type_is_as_good_as_none(kind: int, value: object, kept: bool) -> None:
    option = {"name": "one", "type": kind, "value": value}
    inside = {"name": "liars", "type": GROUP, "options": [option]}
    assert typed(COMMAND, option) == ([option] if kept else [])
    assert typed(COMMAND, inside)[0]["options"] == ([option] if kept else [])
    being_typed = {**option, "focused": True}
    assert typed(AUTOCOMPLETE, being_typed) == [being_typed]


@pytest.mark.parametrize("flags", [None, "64", 1.5, [], True])
def test_flags_that_are_no_number_are_none(flags: object) -> None:
    event = {"type": COMPONENT, "message": {"id": "1", "flags": flags}}
    assert as_documented(event)["message"] == {"id": "1", "flags": 0}


@pytest.mark.parametrize(
    ("told", "channel"),
    [
        ({"guild_id": "1", "channel_id": "7"}, {"id": "7"}),
        ({"channel_id": "7"}, {"id": "7", "type": 1}),  # by direct message
        ({"guild_id": "1", "channel_id": "7", "channel": None}, {"id": "7"}),
        ({"guild_id": "1", "channel_id": "7", "channel": {}}, {"id": "7"}),
        ({"guild_id": "1", "channel_id": "x"}, {}),
        ({"guild_id": "1", "channel_id": 7}, {}),
        ({"guild_id": "1"}, {}),
        ({"channel": {"id": "8"}, "channel_id": "7"}, {"id": "8"}),
    ],
)
def test_a_channel_is_known_by_its_id_alone(told: Any, channel: Any) -> None:
    assert as_documented({"type": COMMAND, **told})["channel"] == channel


def test_flags_of_a_message_stay() -> None:
    event = {"type": COMPONENT, "message": {"id": "1", "flags": 64}}
    assert as_documented(event)["message"]["flags"] == 64


async def keystroke(at: Table, name: str, option: str) -> list[Any]:
    return await at.host.autocomplete(at.channel, name, option, "a")


async def test_a_keystroke_where_nothing_is_suggested_is_answered(table: Seat) -> None:
    """By the bot itself: the library would log an error and answer nothing."""
    at = await table(2)
    tree = at.bot.client.tree
    options = [{"name": "player", "type": PERSON, "value": "a", "focused": True}]
    assert not completes(tree, {"name": "stats", "options": options})
    inside = [{"name": "cards", "type": TEXT, "value": "a", "focused": True}]
    group = {"name": "liars", "type": GROUP, "options": inside}
    assert completes(tree, {"name": "odds", "options": [group]})
    assert completes(tree, {"name": "nothing", "options": options})  # unknown: the library says so
    assert await keystroke(at, "odds liars", "cards")


def test_of_channels_nothing_is_kept_that_nobody_asks_for() -> None:
    read: list[Any] = []
    parsers: dict[str, Any] = {"GUILD_CREATE": read.append, "CHANNEL_UPDATE": read.append}
    guard(parsers)
    channel = {"id": "7", "topic": "cards", "permission_overwrites": [{"id": "1"}], "name": "snug"}
    slim: dict[str, Any] = {"id": "7", "topic": None, "permission_overwrites": [], "name": "snug"}
    parsers["GUILD_CREATE"]({"id": "1", "name": "The Inn", "channels": [channel, {"id": "8"}]})
    parsers["CHANNEL_UPDATE"](channel)
    parsers["GUILD_CREATE"]("no server")
    assert read == [
        {"id": "1", "name": "The Inn", "channels": [slim, {"id": "8"}]},
        slim,
        "no server",
    ]
