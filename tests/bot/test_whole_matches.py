"""Whole matches of both games with the real client over real sockets, played from the screen."""

from __future__ import annotations

import random

import pytest

from bot.sandbox.driver import Person
from bot.sandbox.screen import SeenMessage
from tests import openapi
from tests.bot.conftest import Seat
from tests.bot.harness import (
    Table,
    bid_by_form,
    cut_with,
    open_replay,
    private_reply,
    send_cards_directly,
)
from tests.people import press_in_command

MOST_MOVES = 2000
DESCRIPTION = openapi.load()


async def play_to_the_end(table: Table, game: str, seed: int) -> int:
    """Play a whole match from the screen; return the number of moves, deals included."""
    chance = random.Random(seed)
    await table.start(game)
    for move in range(MOST_MOVES):
        message = table.message()
        if "wins the match" in message.text:
            return move
        if "Next round" in message.buttons:
            await chance.choice(table.people).click(message, "Next round")
            await table.settle()
            continue
        table.assert_no_leak()
        person = table.turn()
        doubt = {"Challenge"} & set(message.buttons)
        top = "nothing is higher" in message.text
        if doubt and (top or chance.random() < 0.4):
            await table.challenge(person)
        else:
            await table.call(person, option=chance.randrange(12))
    raise AssertionError("the match did not end")


@pytest.mark.long
@pytest.mark.parametrize(("players", "game"), [(2, "Thai Poker"), (6, "Liars' Poker")])
async def test_a_whole_match_is_played_from_the_screen(
    table: Seat, game: str, players: int
) -> None:
    at = await table(players)
    moves = await play_to_the_end(at, game, seed=players)
    assert moves > players
    assert "Play again" in at.message().buttons
    assert_all_taken(at)
    assert_nobody_is_called(at)


def assert_all_taken(at: Table) -> None:
    """Assert that the local Discord refused no request, and that all fit Discord's description."""
    assert not at.world.state.unknown_requests
    requests = list(at.world.state.requests)
    assert [request for request in requests if request.status >= 400] == []
    assert len(requests) > 10
    assert [fault for request in requests for fault in DESCRIPTION.faults(request)] == []


def assert_nobody_is_called(at: Table) -> None:
    """Assert that the table's messages, edited or not, name the players but ping none of them."""
    for viewer in at.people:
        named = [message for message in at.public(viewer) if f"<@{viewer.id}>" in message.text]
        assert named
        assert [message.text for message in named if message.payload["mentions"]] == []


async def test_requests_besides_moves_fit_discords_description_too(table: Seat) -> None:
    """Send forms, commands, refused bids, and a request to end the match that both agree on."""
    at = await table(2)
    await at.open("Liars' Poker")
    form = await at.option(at.host, "House rules…")
    await at.host.submit(form.modal, {"Middle hand": ["One hand, face down"]})
    await at.press("Start")
    form = await at.turn().click(at.message(), "Type…")
    await private_reply(at.turn().submit(form.modal, {"text": "nonsense"}))
    await at.turn().autocomplete(at.channel, "bid", "hand", "pair")
    await private_reply(at.turn().slash(at.channel, "bid", hand="33"))
    await at.settle()
    await private_reply(at.host.click(at.message(), "My seat"))
    await private_reply(press_in_command(at.host, at.channel, "help", "Rules"))
    await at.host.slash(at.channel, "table")
    await at.wait_for_note()
    await private_reply(at.turn().slash(at.channel, "challenge"))
    await at.settle()
    for person in reversed(at.people):  # who plays asks, and another has to agree
        await (await person.slash(at.channel, "leave", what="end")).settle()
    await at.settle()
    assert "ended" in at.message().text
    assert_all_taken(at)
    assert_nobody_is_called(at)


async def test_no_request_of_a_whole_session_is_refused(table: Seat) -> None:
    """Show every board in every message, with seats open, and check that no request is refused.

    A refused request costs a second request, and ten thousand refusals of some kinds block an
    address.
    """
    at = await table(3)
    ann, bob, cleo = at.people
    await send_cards_directly(at, "Thai Poker")
    await at.open("Thai Poker")
    await page_through(ann, at.message(), "How to play", "Next")
    await cut_with(at, bob, "the seventh of nine")
    await at.press("Start", ann)
    for person in at.people:
        await (await person.click(at.message(), "My seat")).settle()
    for round_ in range(2):
        await in_a_seat(at, at.turn())
        await at.call(at.turn(), option=3)
        await bid_by_form(at, at.turn(), text="royal flush spades")
        await at.settle()
        await at.challenge(at.turn())
        if round_ == 0:
            await at.press("Next round", ann)
    await (await cleo.click(at.message(), "Fair deal ✓")).settle()
    await ann.slash(at.channel, "table")  # the showdown further down
    await at.wait_for_note()
    await at.press("Next round", ann)
    for person in (bob, cleo):
        await at.forfeit(person)
    assert "wins the match" in at.message().text
    await at.press("Play again", bob)
    for person in (ann, cleo):
        await person.click(at.message(), "I'm in")
    await at.settle()
    assert "Round 1" in at.message().text
    for command, options in LOOKING_BACK:
        await (await ann.slash(at.channel, command, **options)).settle()
    replay = (await open_replay(ann, at.channel)).message
    assert replay is not None
    await page_through(ann, replay, "Next ›", "Next ›")
    await at.settle()
    assert_all_taken(at)
    edits = [
        request
        for request in at.world.state.requests
        if request.method == "PATCH"
        or (request.route.endswith("/callback") and request.body["type"] == 7)
    ]
    named = [
        request.body if request.method == "PATCH" else request.body["data"] for request in edits
    ]
    assert len(named) > 30
    assert all("attachments" in body for body in named), "or it might lose its pictures"


LOOKING_BACK: tuple[tuple[str, dict[str, object]], ...] = (
    ("matches", {}),
    ("stats", {}),
    ("stats", {"what": "leaderboard"}),
    ("stats", {"what": "seasons"}),
    ("help", {}),
    ("help", {"game": "Thai Poker"}),
    ("preferences", {}),
    ("odds liars", {"in_play": 12}),
    ("settings", {"game": "Thai Poker"}),
)


async def page_through(person: Person, message: SeenMessage, opening: str, onward: str) -> None:
    """Press `opening`, then the first button that begins with `onward`, until there is none."""
    out = await (await person.click(message, opening)).settle()
    screen = out.message or await person.current(message)
    for _ in range(12):
        labels = [label for label in screen.buttons if label.startswith(onward)]
        if not labels:
            return
        await (await person.click(screen, labels[0])).settle()
        screen = await person.current(screen)


async def in_a_seat(at: Table, person: Person) -> None:
    """Choose a pair of aces on the seat's pad, and bid it."""
    for beginning in ("Pair", "A", 'Bid "'):
        seat = at.seat(person)
        await person.click(
            seat, next(label for label in seat.buttons if label.startswith(beginning))
        )
        await at.settle()
