"""Whole matches of both games by wire: the real client, real sockets, what is on the screen."""

from __future__ import annotations

import random

import pytest

from tests.bot.conftest import Seat
from tests.bot.house import Table

GAMES = ("Liars' Poker", "Thai Poker")
MOST_MOVES = 2000


async def play_to_the_end(table: Table, game: str, seed: int) -> int:
    """Play a whole match from the screen; returns how many moves were made."""
    chance = random.Random(seed)
    await table.start(game)
    for move in range(MOST_MOVES):
        message = table.shown()
        if "wins the match" in message.text:
            return move
        if "Next round" in message.buttons:
            await chance.choice(table.people).click(message, "Next round")
            await table.settle()
            continue
        table.assert_no_leak()
        person = table.turn()
        doubt = {"Challenge", "Check"} & set(message.buttons)
        top = "nothing is higher" in message.text
        if doubt and (top or chance.random() < 0.4):
            await table.challenge(person)
        else:
            await table.call(person, option=chance.randrange(12))
    raise AssertionError("the match did not end")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("players", [2, 6])
async def test_a_whole_match_is_played_from_the_screen(
    table: Seat, game: str, players: int
) -> None:
    at = await table(players)
    moves = await play_to_the_end(at, game, seed=players)
    assert moves > players
    assert not at.world.state.unknown_requests
    assert "Play again" in at.shown().buttons
