"""Questions about showdowns: counted off the event loop, one at a time a person, cancellable.

The button for the hands made carries the whole question in its custom id, so it works for ever;
a question too long for one is answered with the hands at once.
"""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeVar

import discord
import structlog
from discord import ui

from bot.boards.board import Board, Text
from bot.discord import answers, ids
from bot.discord.answers import Interaction
from bot.discord.failures import sentence
from bot.discord.layout import Control, board_files, board_view
from bot.discord.odds import packing
from bot.pictures.palette import GREY
from bot.warming import compile_apart, load_kernels
from engine.errors import EngineError

if TYPE_CHECKING:
    from engine.odds import Scenario, Showdown

log = structlog.get_logger(__name__)
T = TypeVar("T")

SOON: Final = 1.0  # seconds after which a person is told that it takes longer
LONGEST: Final = 30.0  # seconds after which a question is given up
ANSWERS_KEPT: Final = 64
WORKERS: Final = 2  # a heavy question must not hold up everybody's small ones
BUSY: Final = "Your last question is still being worked out: wait for it, or cancel it."
NOT_YOURS: Final = "Only the person who asked can cancel this question."
TOO_LATE: Final = "That question is not being worked out any more: there is nothing to cancel."
GIVEN_UP: Final = "Cancelled. Ask again with fewer unknown cards if it took too long."


class Busy(Exception):
    """The person's last question is still being worked out."""


@dataclass(eq=False, slots=True)
class _Asked:
    """A question that is being worked out; `cancelled` is set when nobody wants the answer."""

    id: int
    cancelled: threading.Event = field(default_factory=threading.Event)


class OddsDesk:
    """Answers about showdowns, one at a time for each person."""

    def __init__(self) -> None:
        self._running: dict[int, _Asked] = {}
        self._answers: OrderedDict[str, Showdown] = OrderedDict()
        # workers of its own: pictures and moves never wait behind somebody's arithmetic
        self._workers = ThreadPoolExecutor(WORKERS, thread_name_prefix="odds")
        self._warming: asyncio.Task[None] | None = None

    def warm(self) -> None:
        """Load the kernels in the background, so that nobody's first question waits for them."""
        self._warming = asyncio.create_task(self._warm(), name="warming")

    async def _warm(self) -> None:
        try:
            if await compile_apart():
                await asyncio.get_running_loop().run_in_executor(self._workers, load_kernels)
        except Exception:
            log.exception("odds: kernels not warmed")

    def close(self) -> None:
        """Give up what is being worked out, so that the process can end."""
        if self._warming is not None:
            self._warming.cancel()
        for asked in self._running.values():
            asked.cancelled.set()
        self._workers.shutdown(wait=False, cancel_futures=True)

    async def ask(self, interaction: Interaction, question: Callable[[], Scenario]) -> None:
        """Answer what `question` reads; a long one says so first and can be cancelled.

        Raises what `question` raises, off the event loop: a clever text may take a while.
        """
        try:
            async with self._turn(interaction) as asked:
                scenario = await self._off_the_loop(question)
                await self._answer(interaction, scenario, asked)
        except Busy:
            await answers.whisper(interaction, BUSY)

    async def press(self, interaction: Interaction, verb: str, rest: str) -> None:
        """A button under an answer: the hands made, or cancel."""
        try:
            if verb == ids.STOP:
                await self._cancel(interaction, rest)
            else:
                await self._hands_made(interaction, rest)
        except Exception as error:
            await answers.whisper(interaction, _words(error))

    @asynccontextmanager
    async def _turn(self, interaction: Interaction) -> AsyncIterator[_Asked]:
        """The person's one running question. Raises `Busy`."""
        person = interaction.user.id
        if person in self._running:
            raise Busy
        asked = self._running[person] = _Asked(interaction.id)
        try:
            yield asked
        finally:
            asked.cancelled.set()  # whatever still runs for it is unwanted now
            del self._running[person]

    async def _answer(self, interaction: Interaction, scenario: Scenario, asked: _Asked) -> None:
        work = asyncio.create_task(self._count(scenario, asked))
        done, _ = await asyncio.wait({work}, timeout=SOON)
        waiting = not done
        if waiting:
            told = await _say_working(interaction, scenario, asked)
            done, _ = await asyncio.wait({work}, timeout=LONGEST if told else 0)
            if not done:
                asked.cancelled.set()
        try:
            answer = await work
        except Exception as error:
            await _refuse(interaction, error, waiting)
            return
        await _finish(interaction, answer, waiting)

    async def _cancel(self, interaction: Interaction, rest: str) -> None:
        person, _, question = rest.partition(":")
        running = self._running.get(interaction.user.id)
        if person != str(interaction.user.id):
            await answers.whisper(interaction, NOT_YOURS)
        elif running is None or str(running.id) != question:
            await answers.whisper(interaction, TOO_LATE)
        else:
            running.cancelled.set()
            await interaction.response.defer()

    async def _hands_made(self, interaction: Interaction, rest: str) -> None:
        from bot.boards.showdown_odds import ranks_board

        answer = self._answers.get(rest)
        if answer is None:  # forgotten, or from before a restart: worked out anew
            try:
                async with self._turn(interaction) as asked:
                    scenario = await self._off_the_loop(lambda: packing.unpacked(rest))
                    work = asyncio.wait_for(self._count(scenario, asked), LONGEST)
                    answer = await answers.in_time(interaction, work, ephemeral=True)
            except Busy:
                await answers.whisper(interaction, BUSY)
                return
        await answers.show(interaction, ranks_board(answer), ephemeral=True)

    async def _count(self, scenario: Scenario, asked: _Asked) -> Showdown:
        from engine.odds import ShowdownCancelled, showdown_odds

        key = packing.packed(scenario)
        kept = self._answers.get(key) if key else None
        if kept is not None:
            return kept

        def work() -> Showdown:
            if asked.cancelled.is_set():  # while it waited for a worker
                raise ShowdownCancelled("the computation was cancelled")
            # bounded: a count is foreseen to take a second, a sample ends at a standard error of
            # 0.05 % of the pot, which no showdown needs more than about a million deals for
            return showdown_odds(scenario, cancelled=asked.cancelled.is_set)

        answer = await self._off_the_loop(work)
        if key:
            self._answers[key] = answer
            if len(self._answers) > ANSWERS_KEPT:
                self._answers.popitem(last=False)
        return answer

    async def _off_the_loop(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._workers, work)


async def _say_working(interaction: Interaction, scenario: Scenario, asked: _Asked) -> bool:
    """Tell that it takes longer, with a way to cancel. False if Discord did not take it."""
    from bot.boards.showdown_odds import working_board

    view = board_view(working_board(scenario))
    view.add_item(_row("Cancel", ids.of_odds(ids.STOP, f"{interaction.user.id}:{asked.id}")))
    try:
        await interaction.response.send_message(view=view)
    except discord.HTTPException as error:
        log.warning("odds: not told that it takes longer", code=error.code)
        return False
    return True


async def _finish(interaction: Interaction, answer: Showdown, waiting: bool) -> None:
    from bot.boards.showdown_odds import showdown_board

    packed = packing.packed(answer.scenario)
    board = showdown_board(answer, hands_too=packed is None)
    view = board_view(board)
    if packed is not None:
        view.add_item(_row("Which hands?", ids.of_odds(ids.RANKS, packed)))
    await _show(interaction, view, await board_files(board), waiting)


async def _refuse(interaction: Interaction, error: Exception, waiting: bool) -> None:
    if waiting:
        view = board_view(Board(GREY, (Text(_words(error)),)))
        await _show(interaction, view, [], waiting)
    else:
        await answers.whisper(interaction, _words(error))


async def _show(
    interaction: Interaction, view: ui.LayoutView, files: list[discord.File], waiting: bool
) -> None:
    try:
        if waiting:
            await interaction.edit_original_response(view=view, attachments=files)
        else:
            await interaction.response.send_message(view=view, files=files)
    except discord.HTTPException as error:
        log.warning("odds: answer not taken", code=error.code)


def _words(error: Exception) -> str:
    from engine.odds import ShowdownCancelled

    if isinstance(error, ShowdownCancelled | TimeoutError):
        return GIVEN_UP
    if not isinstance(error, EngineError):
        log.error("odds: unforeseen", exc_info=error)
    return sentence(error)


def _row(label: str, custom_id: str | None) -> ui.ActionRow[Any]:
    row: ui.ActionRow[Any] = ui.ActionRow()
    button: ui.Button[Any] = ui.Button(label=label, custom_id=custom_id)
    row.add_item(Control(button))
    return row
