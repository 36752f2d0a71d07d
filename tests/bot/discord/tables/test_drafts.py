"""What was typed and refused stands in the form when it is opened again, in the seat or not."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.reading import NATURAL
from bot.discord.tables import seat_handlers
from bot.sandbox.driver import Person
from bot.sandbox.screen import SeenModal
from tests.bot.conftest import Seat
from tests.bot.house import Table, bid_by_form, open_form, whispered

THAI = "Thai Poker"
NONSENSE = "three of those"


async def opened(at: Table, person: Person, where: str) -> SeenModal:
    """The form at the table, or the one in the person's seat."""
    if where == "table":
        return await open_form(at, person)
    out = await person.click(at.seat(person), "Type…")
    assert out.modal is not None
    return out.modal


def field(form: SeenModal) -> dict[str, Any]:
    (found,) = [one for one in form.fields.values() if one["custom_id"] == "text"]
    return found


def filled_in(form: SeenModal) -> str:
    return str(field(form).get("value") or "")


def another(at: Table, person: Person) -> Person:
    return next(one for one in at.people if one is not person)


@pytest.mark.parametrize("typed_in", ["table", "seat"])
@pytest.mark.parametrize("opened_in", ["table", "seat"])
async def test_a_refused_text_stands_in_the_form_wherever_it_is_opened_again(
    table: Seat, typed_in: str, opened_in: str
) -> None:
    at = await table(2)
    await at.start(THAI)
    person = at.turn()
    form = await opened(at, person, typed_in)
    assert filled_in(form) == ""
    await (await person.submit(form, {"text": NONSENSE})).settled()
    await at.settle()
    assert filled_in(await opened(at, person, opened_in)) == NONSENSE


async def test_a_text_refused_by_the_command_stands_in_the_form_too(table: Seat) -> None:
    at = await table(2)
    await at.start(THAI)
    person = at.turn()
    await whispered(person.slash(at.channel, "bid", hand=NONSENSE))
    assert filled_in(await open_form(at, person)) == NONSENSE


async def test_it_is_gone_once_its_writer_has_moved(table: Seat) -> None:
    at = await table(2)
    await at.start(THAI)
    first = at.turn()
    await bid_by_form(at, first, text=NONSENSE)
    await at.call(first)  # by the list: nothing was typed
    second = at.turn()
    assert filled_in(await open_form(at, second)) == ""  # it is nobody else's
    await at.call(second)
    await at.settle()
    for where in ("table", "seat"):
        assert filled_in(await opened(at, first, where)) == ""


async def test_it_stays_while_others_move_and_is_gone_with_the_round(table: Seat) -> None:
    at = await table(2)
    await at.start(THAI)
    first = at.turn()
    await at.call(first)
    second = at.turn()
    await bid_by_form(at, second, text="nine high")  # too low
    assert filled_in(await open_form(at, second)) == "nine high"
    await at.challenge(second)
    await at.host.click(at.shown(), "Next round")
    await at.settle()
    if at.turn() is not second:
        await at.call(at.turn())
    assert filled_in(await open_form(at, second)) == ""


async def test_another_table_has_another_draft(table: Seat) -> None:
    at = await table(2)
    there = at.elsewhere(at.world.server("The Snug").add_text_channel("high-stakes"))
    for one in (at, there):
        await one.start(THAI)
    while there.turn() is not at.turn():
        await there.call(there.turn())
    person = at.turn()
    await bid_by_form(at, person, text=NONSENSE)
    assert filled_in(await open_form(there, person)) == ""
    assert filled_in(await open_form(at, person)) == NONSENSE


async def test_what_was_played_is_no_draft(table: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seat_handlers, "REMEMBERED", 1)
    at = await table(2)
    await at.start(THAI)
    first = at.turn()
    await bid_by_form(at, first, text="ace high")
    second = at.turn()
    await bid_by_form(at, second, text=NONSENSE)
    assert filled_in(await open_form(at, second)) == NONSENSE
    await bid_by_form(at, second, text="pair of nines")
    assert filled_in(await open_form(at, first)) == ""


@pytest.mark.parametrize("where", ["table", "seat"])
async def test_the_form_shows_what_is_to_beat_and_ones_own_cards_alone(
    table: Seat, where: str
) -> None:
    at = await table(2)
    await at.start(THAI)
    first = at.turn()
    form = await opened(at, first, where)
    assert "Open the round. You hold " in str(form.payload)
    assert set(NATURAL.findall(str(form.payload))) == at.own_cards(first)
    await bid_by_form(at, first, text="pair of nines")
    await at.settle()
    second = at.turn()
    form = await opened(at, second, where)
    assert "Higher than pair of nines. You hold " in str(form.payload)
    assert set(NATURAL.findall(str(form.payload))) == at.own_cards(second)
