"""Questions about showdowns: counted off the event loop, one at a time a person, cancellable.

The button for the hands made carries the whole question in its custom id, so it works for ever;
a question too long for one is answered with the hands at once.
"""

from __future__ import annotations

import asyncio
import re
import threading
from collections import OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Self

import discord
import structlog
from discord import ui

from bot.discord import answers
from bot.discord.answers import Interaction
from bot.discord.failures import sentence
from bot.discord.layout import board_files, board_view
from bot.render.board import Board

if TYPE_CHECKING:
    from engine.odds import Scenario, Showdown

log = structlog.get_logger(__name__)

SOON: Final = 1.0  # seconds after which a person is told that it takes longer
LONGEST: Final = 60.0  # seconds after which a question is given up
ANSWERS_KEPT: Final = 64
_MOST_ID: Final = 100
_ITEM_ID: Final = re.compile(r"bho:(?P<verb>ranks|cancel):(?P<rest>.*)")
_SPACE: Final = re.compile(r"\s+")


class OddsItem(ui.DynamicItem[ui.Item[Any]], template=_ITEM_ID):
    """A button under an answer about a showdown; the client hears its presses itself."""

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Called by discord.py for a custom id that fits the template."""
        return cls(item)


def odds_pressed(submitted: dict[str, Any]) -> tuple[str, str] | None:
    """The verb and the rest of a pressed button's custom id, None if it is not one of these."""
    match = _ITEM_ID.fullmatch(str(submitted.get("custom_id", "")))
    return (match["verb"], match["rest"]) if match is not None else None


class OddsDesk:
    """Answers about showdowns, one at a time for each person."""

    def __init__(self) -> None:
        self._running: dict[int, threading.Event] = {}  # set: the person wants no answer any more
        self._answers: OrderedDict[str, Showdown] = OrderedDict()

    async def ask(self, interaction: Interaction, scenario: Scenario) -> None:
        """Answer a question; a long one says so first and can be cancelled."""
        person = interaction.user.id
        if person in self._running:
            await answers.whisper(
                interaction, "Your last question is still being worked out: wait, or cancel it."
            )
            return
        cancelled = self._running[person] = threading.Event()
        try:
            await self._answer(interaction, scenario, cancelled)
        finally:
            del self._running[person]

    async def _answer(
        self, interaction: Interaction, scenario: Scenario, cancelled: threading.Event
    ) -> None:
        from bot.render.showdown_boards import ranks_board, showdown_board, working_board

        work = asyncio.create_task(self._count(scenario, cancelled))
        done, _ = await asyncio.wait({work}, timeout=SOON)
        waiting = not done
        if waiting:
            view = board_view(working_board(scenario))
            view.add_item(_row("Cancel", f"bho:cancel:{interaction.user.id}"))
            await interaction.response.send_message(view=view)
            done, _ = await asyncio.wait({work}, timeout=LONGEST)
            if not done:
                cancelled.set()
        try:
            answer = await work
        except Exception as error:
            await _finish(interaction, _failed(error), waiting)
            return
        board = showdown_board(answer)
        packed = _packed(scenario)
        if packed is None:
            board = replace(board, blocks=(*board.blocks, *ranks_board(answer).blocks))
        await _finish(interaction, board, waiting, packed)

    async def press(self, interaction: Interaction, verb: str, rest: str) -> None:
        """A button under an answer: the hands made, or cancel."""
        from bot.render.showdown_boards import ranks_board

        if verb == "cancel":
            running = self._running.get(interaction.user.id)
            if rest != str(interaction.user.id) or running is None:
                await answers.whisper(interaction, "Only who asked can cancel, while it is asked.")
                return
            running.set()
            await interaction.response.defer()
            return
        try:
            scenario = _unpacked(rest)
            work = self._count(scenario, threading.Event())
            answer = await answers.in_time(interaction, work, ephemeral=True)
        except Exception as error:
            await answers.whisper(interaction, sentence(error))
            return
        await answers.show(interaction, ranks_board(answer), ephemeral=True)

    async def _count(self, scenario: Scenario, cancelled: threading.Event) -> Showdown:
        from engine.odds import showdown_odds

        key = _packed(scenario) or ""
        kept = self._answers.get(key) if key else None
        if kept is not None:
            return kept
        answer = await asyncio.to_thread(showdown_odds, scenario, cancelled=cancelled.is_set)
        if key:
            self._answers[key] = answer
            if len(self._answers) > ANSWERS_KEPT:
                self._answers.popitem(last=False)
        return answer


async def _finish(
    interaction: Interaction, board: Board, waiting: bool, packed: str | None = None
) -> None:
    view, files = board_view(board), await board_files(board)
    if packed is not None:
        view.add_item(_row("Which hands?", f"bho:ranks:{packed}"))
    try:
        if waiting:
            await interaction.edit_original_response(view=view, attachments=files)
        else:
            await interaction.response.send_message(view=view, files=files)
    except discord.HTTPException as error:
        log.warning("odds: answer not taken", code=error.code)


def _failed(error: Exception) -> Board:
    from bot.render.board import Text
    from bot.render.lobby import GREY
    from engine.odds import ShowdownCancelled

    if isinstance(error, ShowdownCancelled):
        return Board(GREY, (Text("Cancelled, or it took too long: ask for fewer unknown cards."),))
    log.error("odds: unforeseen", exc_info=error)
    return Board(GREY, (Text(sentence(error)),))


def _row(label: str, custom_id: str) -> ui.ActionRow[Any]:
    row: ui.ActionRow[Any] = ui.ActionRow()
    button: ui.Button[Any] = ui.Button(label=label, custom_id=custom_id)
    row.add_item(OddsItem(button))
    return row


def _packed(scenario: Scenario) -> str | None:
    """The whole question as a short text, or None if it does not fit a custom id."""
    from engine.odds import PRESETS

    game = next((key for key, rules in PRESETS.items() if rules == scenario.rules), None)
    if game is None:
        return None
    hands = "/".join(_SPACE.sub("", str(held)) for held in scenario.players)
    board, dead = (_SPACE.sub("", str(cards)) for cards in (scenario.board, scenario.dead))
    packed = f"{game};{hands};{board};{dead}"
    return packed if len(packed) + len("bho:ranks:") <= _MOST_ID else None


def _unpacked(packed: str) -> Scenario:
    """The question in a custom id. Raises `TextError` for a forged one."""
    from engine.errors import TextError
    from engine.odds import PRESETS, parse_scenario

    parts = packed.split(";")
    if len(parts) != 4 or parts[0] not in PRESETS:
        raise TextError(packed[:40], "this button is not one of ours", "/odds showdown")
    game, hands, board, dead = parts
    return parse_scenario(hands.split("/"), board, dead, PRESETS[game])
