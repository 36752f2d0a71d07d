"""No message waits for a picture: it goes out in words, and the picture comes when it is drawn."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from benchmarks.reading import CARD, HAND
from bot.boards.board import Picture, ShowdownPicture
from bot.discord import answers, picture_job
from bot.pictures.cards import ShowdownRow
from bot.sandbox.driver import Person
from bot.sandbox.screen import SeenMessage
from engine.cards import Cards
from tests.bot.conftest import Seat
from tests.bot.house import Table, letters_too
from tests.people import PATIENCE

THAI = "Thai Poker"


class Easel:
    """Where pictures are drawn: not before `go`, while it is held."""

    def __init__(self) -> None:
        self.drawn: list[Picture] = []
        self.begun = threading.Event()
        self._may = threading.Event()
        self._may.set()
        self._draw = picture_job.png_of

    def hold(self) -> None:
        picture_job.forget()  # what is drawn already comes at once
        self._may.clear()

    def go(self) -> None:
        self._may.set()

    def __call__(self, picture: Picture) -> bytes:
        self.begun.set()
        assert self._may.wait(PATIENCE)
        self.drawn.append(picture)
        return self._draw(picture)


@pytest.fixture
def easel(monkeypatch: pytest.MonkeyPatch) -> Iterator[Easel]:
    found = Easel()
    picture_job.forget()
    monkeypatch.setattr(picture_job, "png_of", found)
    yield found
    found.go()  # a thread that waits for ever keeps the process alive


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch, unhurried: object) -> Callable[[], None]:
    """From its call on, nothing waits for a picture at all."""
    return lambda: monkeypatch.setattr(picture_job, "LONGEST_WAIT", 0.0)


async def until(look: Callable[[], Any]) -> Any:
    """Wait until something can be seen. Raises TimeoutError."""
    async with asyncio.timeout(PATIENCE):
        while not (seen := look()):  # noqa: ASYNC110 - edits signal nobody
            await asyncio.sleep(0.002)
    return seen


def private(at: Table, person: Person) -> SeenMessage:
    return [one for one in person.visible(at.channel) if one.ephemeral][-1]


async def playing(seat: Seat) -> Table:
    at = await seat(2)
    await at.start(THAI)
    return at


async def test_a_showdown_is_posted_in_words_and_gets_its_picture(
    table: Seat, easel: Easel, hurried: Callable[[], None]
) -> None:
    at = await playing(table)
    await at.call(at.turn())
    easel.hold()
    hurried()
    await at.challenge(at.turn())
    posted = at.shown()
    assert "Next round" in posted.buttons
    assert not posted.attachments
    assert CARD.findall(posted.text), posted.text  # its words say what it shows
    easel.go()
    await until(lambda: at.shown().attachments)
    assert at.shown().id == posted.id


async def test_a_picture_that_comes_late_does_not_bring_back_what_was(
    table: Seat, easel: Easel, hurried: Callable[[], None]
) -> None:
    at = await playing(table)
    await at.call(at.turn())
    easel.hold()
    hurried()
    await at.challenge(at.turn())
    showdown = at.shown()
    await at.host.click(showdown, "Next round")
    await at.settle()
    assert "Round 2" in at.shown().text
    easel.go()

    def record() -> SeenMessage:
        return next(one for one in at.public() if one.id == showdown.id)

    await until(lambda: record().attachments)
    await at.settle()
    assert "Next round" not in record().buttons
    assert "Round 2" in at.shown().text
    assert "My seat" in at.shown().buttons


async def test_no_hand_waits_for_a_drawing(
    table: Seat, easel: Easel, hurried: Callable[[], None]
) -> None:
    at = await table(2)
    await letters_too(at, THAI)
    await at.open(THAI)
    await at.settle()
    easel.hold()
    await at.host.click(at.shown(), "Start")
    await at.settle()
    for person in at.people:
        letter, seat = person.dm_messages()[-1], at.seat(person)
        assert at.own_cards(person)
        assert HAND.search(letter.text)
        assert not letter.attachments
        assert not seat.attachments
    assert not easel.begun.is_set()


async def test_an_answer_gets_its_picture_unless_it_shows_something_else_by_then(
    table: Seat, easel: Easel, hurried: Callable[[], None]
) -> None:
    at = await table(2)
    await at.host.slash(at.channel, "play", game=THAI)
    await at.settle()
    easel.hold()
    hurried()
    await at.host.click(at.shown(), "How to play")
    for label in ("Next", "Check bid", "Show the cards"):
        await at.host.click(private(at, at.host), label)
    showdown = private(at, at.host)
    assert not showdown.attachments
    await at.host.click(showdown, "Once more")
    begun = private(at, at.host)
    easel.go()
    await until(lambda: easel.drawn and not answers._awaiting)
    await at.settle()
    assert private(at, at.host).text == begun.text
    assert not private(at, at.host).attachments


async def test_a_picture_that_cannot_be_drawn_is_said_in_words(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(picture: Picture) -> bytes:
        raise ValueError("no such typeface")

    at = await playing(table)
    picture_job.forget()
    monkeypatch.setattr(picture_job, "png_of", broken)
    await at.call(at.turn())
    await at.challenge(at.turn())
    assert "Next round" in at.shown().buttons
    assert not at.shown().attachments


async def test_the_same_picture_is_drawn_once(table: Seat, easel: Easel) -> None:
    at = await playing(table)
    await at.call(at.turn())
    await at.challenge(at.turn())
    await at.host.click(at.shown(), "Next round")  # its record shows the picture again
    await at.settle()
    kinds = [type(one).__name__ for one in easel.drawn]
    assert kinds.count("ShowdownPicture") == 1
    assert len(easel.drawn) == len(set(easel.drawn))


async def test_a_picture_that_is_late_is_followed_no_more_when_discord_is_left(
    easel: Easel,
) -> None:
    easel.hold()
    shown: list[str] = []

    async def show() -> None:
        shown.append("the picture")

    picture = ShowdownPicture((ShowdownRow("Ann", Cards.parse("Ah Kd")),), Cards(), Cards(), "hers")
    picture_job.afterwards([picture], show)
    (following,) = picture_job._following
    await until(easel.begun.is_set)  # what no thread has taken up yet would never be drawn
    picture_job.give_up()
    easel.go()
    await asyncio.wait({following}, timeout=PATIENCE)
    assert following.cancelled()
    await until(lambda: easel.drawn)
    assert shown == []
    assert not picture_job._following


async def test_of_a_picture_that_cannot_be_drawn_nothing_is_remembered(
    table: Seat, hurried: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(1)
    tried = asyncio.Event()
    loop = asyncio.get_running_loop()

    def broken(_: Picture) -> bytes:
        loop.call_soon_threadsafe(tried.set)
        raise OSError("no paint")

    monkeypatch.setattr(picture_job, "png_of", broken)
    picture_job.forget()
    hurried()
    for cards in (8, 9, 10):
        out = await at.host.slash(at.channel, "odds thai", in_play=cards)
        assert out.message is not None
    await tried.wait()
    await until(lambda: not picture_job._following)
    assert not answers._awaiting
