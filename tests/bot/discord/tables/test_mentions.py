"""Whom messages may ping: the one who is meant, and in every message that is said.

A whole match with reminders, an invitation to play again and a word to who asked for it; then
everything that the bot sent is looked at.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from bot.sandbox.discord_state import RecordedRequest
from tests.bot.conftest import Seat
from tests.bot.house import choose, letters_too

THAI = "Thai Poker"
MENTION = re.compile(r"<@(\d+)>")
SAID = 4  # types of an interaction's answer: a message, and an edit of the one that was pressed
REDRAWN = 7


def messages(requests: list[RecordedRequest]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Everything that puts words on a screen: the route and the message."""
    for one in requests:
        body = one.body if isinstance(one.body, dict) else {}
        if one.route.endswith("/callback"):
            if body.get("type") in (SAID, REDRAWN):
                yield one.route, body.get("data") or {}
        elif one.method in ("POST", "PATCH") and (
            "messages" in one.route or "webhooks" in one.route
        ):
            yield f"{one.method} {one.route}", body


def words(message: dict[str, Any]) -> str:
    return str(message.get("content") or "") + str(message.get("components") or "")


async def test_only_who_is_meant_may_be_pinged_in_every_message_of_a_whole_match(
    table: Seat,
) -> None:
    at = await table(4)
    listener = at.people.pop()
    await letters_too(at, THAI)
    await at.open(THAI)
    await at.option(listener, "Tell me when a table opens")
    await choose(at, "Time and messages…", Reminders="On every turn")
    await at.host.click(at.shown(), "Start")
    await at.settle()
    turns = []
    while "wins the match" not in at.shown().text:
        for act in (at.call, at.challenge):
            turns.append(at.turn().id)
            await act(at.turn())
            await at.settle()
        if "Next round" in at.shown().buttons:
            await at.host.click(at.shown(), "Next round")
            await at.settle()
    await at.host.click(at.shown(), "Play again")
    await at.settle()
    await at.option(at.host, "Cancel")
    await at.open(THAI)
    await at.settle()

    kinds: Counter[str] = Counter()
    pinged: list[str] = []
    for route, message in messages(list(at.world.state.requests)):
        allowed = message.get("allowed_mentions")
        assert allowed is not None, (route, words(message)[:200])
        for others in ("parse", "roles", "replied_user"):
            assert not allowed.get(others), (route, others)
        users = [str(user) for user in allowed.get("users") or ()]
        named = MENTION.findall(words(message))
        if not users:
            kinds["nobody"] += 1
        elif message.get("content"):  # a reminder names nobody but whom it pings
            assert users == named, message
            pinged += users
            kinds["reminder"] += 1
        elif "tap **I'm in**" in words(message):
            assert sorted(users) == sorted(one.id for one in at.people[1:])
            kinds["invitation"] += 1
        else:
            assert users == [listener.id]
            assert listener.id in named
            kinds["word of a table"] += 1
    assert pinged == turns  # each turn pinged its player, once
    assert kinds["invitation"] == kinds["word of a table"] == 1
    assert kinds["nobody"] > len(turns)


async def test_nobody_else_is_told_who_is_reminded(table: Seat) -> None:
    """What people see: the ping reaches one of them."""
    at = await table(3)
    await at.open(THAI)
    await choose(at, "Time and messages…", Reminders="On every turn")
    await at.host.click(at.shown(), "Start")
    await at.settle()
    first, others = at.turn(), [one for one in at.people if one is not at.turn()]
    (line,) = at.reminders()
    assert MENTION.findall(line.content) == [first.id]
    assert [user["id"] for user in line.payload["mentions"]] == [first.id]
    everything = [one for one in others[0].visible(at.channel) if one.id != line.id]
    assert everything
    assert all(one.payload["mentions"] == [] for one in everything)
