"""A message that shows a picture already keeps its file: it is neither drawn nor sent again."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

import pytest

from bot.boards.board import ShowdownPicture
from bot.discord import picture_job, redraw_queue
from bot.discord.layout import file_name
from bot.pictures.cards import ShowdownRow
from bot.sandbox.driver import Person
from bot.sandbox.screen import SeenMessage
from engine.cards import Cards
from tests.bot.conftest import Seat
from tests.bot.house import Table
from tests.people import PATIENCE, until

THAI = "Thai Poker"


async def shown_down(at: Table) -> SeenMessage:
    """A match whose first round has been shown, by this message; its picture is forgotten."""
    await at.start(THAI)
    await at.call(at.turn())
    await at.challenge(at.turn())
    await at.settle()
    picture_job.forget()  # as after very many others
    return at.shown()


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The showdowns that are drawn."""
    found: list[Any] = []
    draw = picture_job._draw

    def counted(picture: Any) -> bytes:
        if isinstance(picture, ShowdownPicture):
            found.append(picture)
        return draw(picture)

    monkeypatch.setattr(picture_job, "_draw", counted)
    return found


async def test_the_record_of_a_round_keeps_the_picture_of_its_showdown(
    table: Seat, drawn: list[Any]
) -> None:
    at = await table(2)
    showdown = await shown_down(at)
    (file,) = showdown.attachments
    assert showdown.payload["attachments"] == [], "Discord does not list what components show"
    drawn.clear()
    await at.host.click(showdown, "Next round")
    await at.settle()
    record = await at.host.current(showdown)
    assert "Next round" not in record.buttons
    assert record.attachments == [file]
    assert drawn == []


async def test_a_picture_that_the_message_lost_meanwhile_is_sent_again(
    table: Seat, drawn: list[Any]
) -> None:
    at = await table(2)
    showdown = await shown_down(at)
    stored = at.world.state.message(at.channel.id, showdown.id)
    assert stored is not None
    stored.files = []  # another edit, under way when it was pressed
    drawn.clear()
    await at.host.click(showdown, "Next round")
    await at.settle()
    record = await at.host.current(showdown)
    (file,) = record.attachments
    assert file["id"] != showdown.attachments[0]["id"]
    assert len(drawn) == 1


def test_a_file_is_named_by_what_its_picture_shows() -> None:
    def named(cards: str, *, four_colours: bool = True) -> str:
        row = ShowdownRow("Ann", Cards.parse(cards))
        shown = ShowdownPicture((row,), Cards(), Cards(), "hers", four_colours=four_colours)
        return file_name(shown)

    one = named("As Kd")
    assert one == named("As Kd")
    assert len({one, named("As Kh"), named("As Kd", four_colours=False)}) == 3
    assert one.startswith("showdown-")


# -- seats of those who look on -------------------------------------------------------------------


async def open_seats(at: Table) -> dict[str, SeenMessage]:
    """Everybody's seat, opened, by who has it."""
    found = {}
    for person in at.people:
        out = await (await person.click(at.shown(), "My seat")).settled()
        assert out.message is not None
        found[person.id] = out.message
    await at.settle()
    return found


async def test_at_a_busy_time_a_seat_whose_player_looks_on_is_brought_up_to_date_later(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(3)
    await at.start(THAI)
    own = await open_seats(at)
    between = (redraw_queue.PRESSING + redraw_queue.LOOKING_ON) / 2
    monkeypatch.setattr(redraw_queue._Load, "of_late", lambda *_: between)
    monkeypatch.setattr(redraw_queue, "LONGEST", 3600.0)
    monkeypatch.setattr(redraw_queue, "PATIENCE", 3600.0)

    def says(person: Person) -> str:
        stored = at.world.state.message(at.channel.id, own[person.id].id)
        assert stored is not None
        return SeenMessage(stored.payload).text

    def to_act(person: Person) -> bool:
        return "Your turn" in says(person)

    def changed(person: Person) -> bool:
        return says(person) != before[person.id]

    before = {person.id: says(person) for person in at.people}
    first = at.turn()
    await at.call(first)
    second = at.turn()
    await until(partial(to_act, second))
    (looking_on,) = (one for one in at.people if one not in (first, second))
    await at.bot.seats._queue.turn("others")  # it would have had its turn before, were it pressing
    (waiting,) = (
        seat for (_, player), seat in at.bot.seats._open.items() if player == int(looking_on.id)
    )
    assert waiting.dirty
    assert not changed(looking_on)
    await at.call(second)
    third = at.turn()
    await until(partial(to_act, third))
    await at.challenge(third)  # the cards are open: nobody's seat is behind
    for person in at.people:
        await until(partial(changed, person))
    await at.settle()


async def test_a_stop_waits_for_no_seat_that_only_looks_on(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(2)
    await at.start(THAI)
    await open_seats(at)
    between = (redraw_queue.PRESSING + redraw_queue.LOOKING_ON) / 2
    monkeypatch.setattr(redraw_queue._Load, "of_late", lambda *_: between)
    monkeypatch.setattr(redraw_queue, "LONGEST", 3600.0)
    monkeypatch.setattr(redraw_queue, "PATIENCE", 3600.0)
    for key, seat in at.bot.seats._open.items():
        at.bot.seats._follow(key, seat, pressing=False)
    async with asyncio.timeout(PATIENCE):
        await at.bot.seats.settled()  # they are not in line yet
    assert not any(seat.dirty for seat in at.bot.seats._open.values())
