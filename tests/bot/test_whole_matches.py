"""Whole matches of both games by wire: the real client, real sockets, what is on the screen."""

from __future__ import annotations

import random

import pytest

from tests import openapi
from tests.bot.conftest import Seat
from tests.bot.house import Table, whispered

pytestmark = pytest.mark.usefixtures("unhurried")
GAMES = ("Liars' Poker", "Thai Poker")
MOST_MOVES = 2000
DESCRIPTION = openapi.load()


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


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("players", [2, 6])
async def test_a_whole_match_is_played_from_the_screen(
    table: Seat, game: str, players: int
) -> None:
    at = await table(players)
    moves = await play_to_the_end(at, game, seed=players)
    assert moves > players
    assert "Play again" in at.shown().buttons
    assert_all_taken(at)
    assert_nobody_is_called(at)


def assert_all_taken(at: Table) -> None:
    """The emulator's rules refused nothing, and Discord's own description agrees."""
    assert not at.world.state.unknown_requests
    requests = list(at.world.state.requests)
    assert [one for one in requests if one.status >= 400] == []
    assert len(requests) > 10
    assert [fault for one in requests for fault in DESCRIPTION.faults(one)] == []


def assert_nobody_is_called(at: Table) -> None:
    """A table names its players and highlights itself for none of them, edited or not."""
    for viewer in at.people:
        named = [one for one in at.public(viewer) if f"<@{viewer.id}>" in one.text]
        assert named
        assert [one.text for one in named if one.payload["mentions"]] == []


async def test_what_the_bot_asks_besides_moves_is_described_by_discord_too(table: Seat) -> None:
    """Forms, commands, refusals, closed direct messages' answers, an end that two agree on."""
    at = await table(2)
    await at.open("Liars' Poker")
    form = await at.host.click(at.shown(), "House rules…")
    await at.host.submit(form.modal, {"Middle hand": ["One hand face down to nobody"]})
    await at.host.click(at.shown(), "Start")
    await at.settle()
    form = await at.turn().click(at.shown(), "Call…")
    await whispered(at.turn().submit(form.modal, {"text": "nonsense"}))
    await at.turn().autocomplete(at.channel, "bid", "hand", "pair")
    await whispered(at.turn().slash(at.channel, "bid", hand="33"))
    await at.settle()
    for name in ("cards", "rules"):
        await whispered(at.host.slash(at.channel, name))
    await at.host.slash(at.channel, "table")
    await at.noted()
    await whispered(at.turn().slash(at.channel, "challenge"))
    await at.settle()
    for person in reversed(at.people):  # who plays asks, and another has to agree
        await (await person.slash(at.channel, "end")).settled()
    await at.settle()
    assert "ended" in at.shown().text
    assert_all_taken(at)
    assert_nobody_is_called(at)
