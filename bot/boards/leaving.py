"""The question before somebody leaves a match for good, and what came of it; only they see it."""

from __future__ import annotations

from bot.boards.board import Address, Board, Button, Text
from bot.languages import tr
from bot.pictures.palette import GREY, RED
from bot.tables.house import ABSENCE, TURN_CLOCK, chosen
from bot.tables.live import LiveTable
from bot.words import mention


def asking_board(live: LiveTable, player: int) -> Board:
    """Asks `player` whether they mean it; the buttons are for this match."""
    seq = live.match.seq if live.match is not None else 0
    text = tr(
        "**Leave this match for good?**\nYour cards stay in play until the round ends, and you"
        " cannot come back."
    )
    other = _last_other(live, player)
    if other is not None:
        text = tr(
            "**Leave this match for good?**\nOnly two of you are left: that ends it, and {who}"
            " wins.",
            who=mention(other),
        )
    if chosen(live.table, TURN_CLOCK) and chosen(live.table, ABSENCE) == "house":
        text += " " + tr("If you are only away for a while, stay: the house plays for you.")
    buttons = (Button("leave", tr("Yes, leave"), "danger"), Button("stay", tr("Stay")))
    return Board(
        RED, (Text(text),), (buttons,), Address(live.table.id, live.table.match_id or 0, seq)
    )


def _last_other(live: LiveTable, player: int) -> int | None:
    """Whom the match is left to if `player` leaves it; None while several others play on."""
    if live.match is None:
        return None
    others = [seat.player for seat in live.match.seats if seat.live and seat.player != player]
    return others[0] if len(others) == 1 else None


def told_board(text: str) -> Board:
    """One sentence, and nothing left to press."""
    return Board(GREY, (Text(text),))
