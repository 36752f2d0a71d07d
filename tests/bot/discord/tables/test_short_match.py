"""A short match by wire: chosen in the lobby, played to its end from the screen."""

from __future__ import annotations

import re

import pytest

from tests.bot.conftest import Seat
from tests.bot.house import Table, choose

THAI = "Thai Poker"
FORM = "Time and messages…"


async def lose(at: Table) -> None:
    """A round that its opener loses, and the next deal if there is one."""
    form = await at.turn().click(at.shown(), "Bid…")
    await at.turn().submit(form.modal, {"text": "royal flush spades"})
    await at.challenge(at.turn())
    if "Next round" in at.shown().buttons:
        await at.host.click(at.shown(), "Next round")
        await at.settle()


async def test_the_first_out_ends_the_match_and_a_tie_is_played_off(table: Seat) -> None:
    at = await table(3, seeds="none has the royal flush")
    await at.open(THAI)
    await choose(at, FORM, Length_of_the_match="Shortest, the first out ends it")
    assert "-# Length of the match: shortest, the first out ends it" in at.shown().text
    assert "The first out ends it: the fewest cards win." in at.shown().text
    await at.host.click(at.shown(), "Start")
    await at.settle()
    first = at.turn()
    while "play-off" not in at.shown().text:
        assert at.turn() is first  # who loses opens, up to six cards of three players
        await lose(at)
    assert "Round 6" in at.shown().text
    assert f"-# <@{first.id}> is out" in at.shown().text
    second = at.turn()
    await lose(at)
    text = at.shown().text
    assert "wins the match\n-# with 2 cards" in text
    winner = re.search(r"<@(\d+)> wins", text)
    assert winner is not None
    assert winner[1] not in (first.id, second.id)
    assert "Play again" in at.shown().buttons


@pytest.mark.parametrize(("players", "cards"), [(2, 4), (5, 2)])
async def test_each_starts_with_one_card_more(table: Seat, players: int, cards: int) -> None:
    at = await table(players)
    await at.open(THAI)
    await choose(at, FORM, Length_of_the_match="Shorter, with one card more at the start")
    await at.host.click(at.shown(), "Start")
    await at.settle()
    assert f"{players * cards} cards in play" in at.shown().text
    for person in at.people:
        assert len(at.own_cards(person)) == cards
