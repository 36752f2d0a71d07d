"""A picture that is shown again is not drawn again; a seat that only looks on can wait."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

import pytest

from bot.boards.board import ShowdownPicture
from bot.discord import picture_job, redraw_queue
from bot.discord.layout import file_name, rendered
from bot.pictures.cards import ShowdownRow
from bot.sandbox.driver import Person
from bot.sandbox.screen import SeenMessage
from bot.tables.live import LiveTable
from engine.cards import Cards
from tests.bot.conftest import Seat
from tests.bot.house import Table
from tests.people import PATIENCE, until

THAI = "Thai Poker"


async def shown_down(at: Table) -> SeenMessage:
    """A match whose first round has been shown, by this message."""
    await at.start(THAI)
    await at.call(at.turn())
    await at.challenge(at.turn())
    await at.settle()
    return at.shown()


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The showdowns that are drawn."""
    found: list[Any] = []
    draw = picture_job.png_of

    def counted(picture: Any) -> bytes:
        if isinstance(picture, ShowdownPicture):
            found.append(picture)
        return draw(picture)

    monkeypatch.setattr(picture_job, "png_of", counted)
    return found


def content(at: Table, shown: SeenMessage) -> bytes:
    """The picture that a message shows."""
    (file,) = shown.attachments
    return at.world.state.attachments[file["id"]].content


async def test_the_record_of_a_round_shows_the_picture_of_its_showdown(
    table: Seat, drawn: list[Any]
) -> None:
    at = await table(2)
    showdown = await shown_down(at)
    assert showdown.payload["attachments"] == [], "Discord does not list what components show"
    before = content(at, showdown)
    assert len(drawn) == 1
    await at.host.click(showdown, "Next round")
    await at.settle()
    record = await at.host.current(showdown)
    assert "Next round" not in record.buttons
    assert content(at, record) == before
    assert len(drawn) == 1, "it is kept for a while"


async def test_a_showdown_that_was_redrawn_since_it_was_pressed_is_no_reason_for_a_refusal(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(2)
    showdown = await shown_down(at)
    fold = at.bot.publisher.messages.fold
    redrawn: list[str] = []

    async def late(live: LiveTable) -> None:
        """Another drawing of the showdown comes first, with its picture in a file of its own."""
        message = at.bot.publisher.messages.of(live)
        assert message is not None
        ready = await rendered(await at.bot.publisher.boards.record(live))
        await message.edit(view=ready.view, attachments=ready.files)
        redrawn.append((await at.host.current(showdown)).attachments[0]["id"])
        await fold(live)

    monkeypatch.setattr(at.bot.publisher.messages, "fold", late)
    await at.host.click(showdown, "Next round")
    await at.settle()
    record = await at.host.current(showdown)
    assert "Next round" not in record.buttons
    assert redrawn != [showdown.attachments[0]["id"]]
    assert content(at, record)
    assert [one for one in at.world.state.requests if one.status >= 400] == []


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
