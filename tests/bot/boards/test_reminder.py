"""The line that reminds somebody of their turn."""

from __future__ import annotations

from dataclasses import replace

from bot.boards.turns import reminder_letter, reminder_line
from tests.bot.boards.rounds import ANN, BOB, NAMES, bid, dealt, live


def test_it_says_whether_the_standing_bid_was_made_by_the_house() -> None:
    own = live(bid(dealt(), "nine high"))
    assert reminder_line(own, NAMES, None) == (BOB, f"<@{BOB}>, Ann said **nine high**")
    made = own.match
    assert made is not None
    by_house = replace(own, by_house=frozenset({made.seq}))
    told = reminder_line(by_house, NAMES, None)
    assert told == (BOB, f"<@{BOB}>, Ann (by the house) said **nine high**")
    assert "Ann (by the house) said" in (reminder_letter(by_house, NAMES) or "")


def test_who_opens_a_round_is_told_so() -> None:
    told = reminder_line(live(dealt()), NAMES, "https://x.test/1")
    assert told is not None
    assert told[0] == ANN
    assert "you open round 1 of Liars' Poker · [to the table](https://x.test/1)" in told[1]
