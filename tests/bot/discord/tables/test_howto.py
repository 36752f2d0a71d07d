"""How to play by wire: a private example that is played by pressing, one request a press."""

from __future__ import annotations

import pytest

from benchmarks.reading import HAND
from bot.sandbox.screen import SeenMessage
from tests.bot.conftest import Seat
from tests.bot.discord.tables.test_costs import Costs
from tests.bot.house import Table

LIARS, THAI = "Liars' Poker", "Thai Poker"
ANSWER = "POST /interactions/{interaction_id}/{interaction_token}/callback"


def private(at: Table, who: int) -> list[SeenMessage]:
    person = at.people[who]
    return [one for one in person.visible(at.channel) if one.ephemeral]


@pytest.mark.parametrize(("game", "way"), [(LIARS, "Challenge"), (THAI, "Higher: pair of aces")])
async def test_a_stranger_plays_the_example_in_four_presses_of_one_request_each(
    table: Seat, game: str, way: str
) -> None:
    at = await table(2)
    stranger = at.people.pop()
    await at.open(game)
    before = at.shown().text
    at.people.append(stranger)
    await at.settle()
    costs = Costs(at)
    out = await stranger.click(at.shown(), "How to play")
    assert out.message is not None
    assert out.message.ephemeral
    for pressed in ("Next", way, "Show the cards"):
        assert HAND.search((await stranger.current(out.message)).text)
        await stranger.click(out.message, pressed)
    assert await costs.since() == {ANSWER: 4}
    shown = await stranger.current(out.message)
    assert "It holds" in shown.text
    assert "4 of 4" in shown.text
    assert private(at, 0) == [one for one in private(at, 0) if "How to play" not in one.text]
    assert at.shown().text == before
    await stranger.click(out.message, "Once more")
    assert "1 of 4" in (await stranger.current(out.message)).text


async def test_the_example_goes_on_after_the_match_began(table: Seat) -> None:
    at = await table(2)
    await at.open(THAI)
    bob = at.people[1]
    out = await bob.click(at.shown(), "How to play")
    assert out.message is not None
    await at.host.click(at.shown(), "Start")
    await at.settle()
    await bob.click(out.message, "Next")
    assert "2 of 4" in (await bob.current(out.message)).text


async def test_house_rules_are_explained_in_the_form_where_they_are_chosen(table: Seat) -> None:
    at = await table(2)
    await at.open(LIARS)
    for label, explained in (
        ("House rules…", "A joker stands for any card"),
        ("Time and messages…", "How long one may think."),
    ):
        form = await at.option(at.host, label)
        assert form.modal is not None
        assert explained in form.modal.text
