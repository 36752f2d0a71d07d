"""The question before somebody leaves a match for good, and what came of it; only they see it."""

from __future__ import annotations

from bot.boards.board import Address, Board, Button, Text
from bot.languages import tr
from bot.pictures.palette import GREY, RED
from bot.tables.house import ABSENCE, TURN_CLOCK, chosen
from bot.tables.live import LiveTable


def asking_board(live: LiveTable) -> Board:
    """Asks whether the person means it; the buttons are for this match."""
    seq = live.match.seq if live.match is not None else 0
    text = tr(
        "**Leave this match for good?**\nYour cards stay in play until the round ends, and you"
        " cannot come back."
    )
    if chosen(live.table, TURN_CLOCK) and chosen(live.table, ABSENCE) == "house":
        text += " " + tr("If you are only away for a while, stay: the house plays for you.")
    buttons = (Button("leave", tr("Yes, leave"), "danger"), Button("stay", tr("Stay")))
    return Board(
        RED, (Text(text),), (buttons,), Address(live.table.id, live.table.match_id or 0, seq)
    )


def told_board(text: str) -> Board:
    """One sentence, and nothing left to press."""
    return Board(GREY, (Text(text),))
