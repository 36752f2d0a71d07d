"""Pictures of tables are drawn by the computing process while it is at hand, else by a thread."""

from __future__ import annotations

import asyncio
import os
import signal
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from bot.boards.board import Picture, ShowdownPicture
from bot.computing.process import Computing
from bot.discord import picture_job
from bot.discord.picture_job import png_of
from bot.pictures.cards import ShowdownRow
from engine.cards import Cards
from tests.people import PATIENCE


def showdown(cards: Cards) -> ShowdownPicture:
    return ShowdownPicture((ShowdownRow("Ann", cards),), Cards(), Cards(), "hers")


CARDS = Cards.parse("As Kd 7c")
SHOWN = showdown(CARDS)
EXPECTED = png_of(SHOWN)


@asynccontextmanager
async def drawn_by(computing: Computing, *, running: bool = True) -> AsyncIterator[Computing]:
    """Pictures are drawn by this process for a while, if that is `running`."""
    picture_job.forget()
    picture_job.drawn_by(computing)
    try:
        if running:
            computing.start()
            async with asyncio.timeout(PATIENCE):
                while not computing.at_hand:  # noqa: ASYNC110 - it can only be looked at
                    await asyncio.sleep(0.01)
        yield computing
    finally:
        picture_job.give_up()
        picture_job.forget()
        await computing.close()


async def picture() -> bytes:
    """The picture, however long it takes."""
    async with asyncio.timeout(PATIENCE):
        return await asyncio.wrap_future(picture_job._ordered(SHOWN))


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> list[Picture]:
    """What was drawn in this process."""
    found, draw = list[Picture](), picture_job.png_of

    def noted(asked: Picture) -> bytes:
        found.append(asked)
        return draw(asked)

    monkeypatch.setattr(picture_job, "png_of", noted)
    return found


async def test_the_process_draws_the_same_picture(here: list[Picture]) -> None:
    async with drawn_by(Computing()):
        assert await picture() == EXPECTED
        assert await picture_job.in_time([SHOWN]) == {SHOWN: EXPECTED}, "and it is kept"
    assert not here


async def test_what_answers_a_question_is_drawn_here(here: list[Picture]) -> None:
    async def question() -> bytes:
        picture_job.beside_tables()
        return await picture()

    async with drawn_by(Computing()):
        assert await asyncio.create_task(question()) == EXPECTED
    assert here == [SHOWN]


async def test_nothing_is_started_or_waited_for_to_draw(here: list[Picture]) -> None:
    async with drawn_by(Computing(), running=False) as computing:
        assert await picture() == EXPECTED
        assert computing.pid is None
    assert here == [SHOWN]


def killed(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)


def nothing(pid: int) -> None:
    """It stands still and does not come back."""


@pytest.mark.parametrize("befalls", [killed, nothing])
async def test_a_process_that_dies_or_stands_still_is_not_waited_for(
    here: list[Picture], monkeypatch: pytest.MonkeyPatch, befalls: Callable[[int], None]
) -> None:
    if befalls is nothing:
        monkeypatch.setattr(picture_job, "LONGEST_AWAY", 0.2)
    async with drawn_by(Computing(pauses=(PATIENCE,))) as computing:
        assert computing.pid is not None
        os.kill(computing.pid, signal.SIGSTOP)
        asked = asyncio.create_task(picture())
        await asyncio.sleep(0)  # it is on its way
        befalls(computing.pid)
        assert await asked == EXPECTED
    assert here == [SHOWN]


async def test_who_stops_waiting_takes_the_picture_from_nobody(here: list[Picture]) -> None:
    async with drawn_by(Computing()):
        impatient, patient = asyncio.create_task(picture()), asyncio.create_task(picture())
        await asyncio.sleep(0)
        impatient.cancel()
        assert await patient == EXPECTED
    assert not here


async def test_of_many_pictures_none_is_asked_for_again_while_it_is_drawn(
    here: list[Picture], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(picture_job, "KEPT", 2)
    monkeypatch.setattr(picture_job, "LONGEST_WAIT", 0.0)
    several = [showdown(Cards.of([card])) for card in CARDS]
    asked = Counter[Picture]()
    async with drawn_by(Computing()) as computing:
        assert computing.pid is not None
        os.kill(computing.pid, signal.SIGSTOP)
        ask = computing.ask

        async def counted(question: Any, limit: float | None = None) -> Any:
            asked[question.picture] += 1
            return await ask(question, limit)

        monkeypatch.setattr(computing, "ask", counted)
        for _ in range(3):  # messages without it, and what follows it
            await picture_job.in_time(several)
        assert len(picture_job._kept) == len(several) > picture_job.KEPT
        os.kill(computing.pid, signal.SIGCONT)
        for one in several:
            await asyncio.wrap_future(picture_job._ordered(one))
        await asyncio.wrap_future(picture_job._ordered(SHOWN))
        assert len(picture_job._kept) == picture_job.KEPT
    assert asked == Counter([*several, SHOWN])
    assert not here
