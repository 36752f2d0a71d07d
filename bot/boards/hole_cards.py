"""One person's own cards, which nobody else is shown."""

from __future__ import annotations

from bot.boards.board import Board, Hand, Text
from bot.languages import tr, trn
from bot.pictures.palette import GREEN, GREY
from engine.state import Match
from engine.view import view


def hand_board(match: Match, player: int, link: str | None = None) -> Board:
    """A player's own cards, for a direct message or an ephemeral answer."""
    own = view(match, match.seat_of(player)).round
    if own is None or own.hole is None:
        return Board(GREY, (Text(tr("You hold no cards in this round.")),))
    title = tr(match.ruleset.title)
    name = f"[{title}]({link})" if link else title
    heading = tr("{title} · Round {number}", title=name, number=own.number)
    yours = trn("-# your {number} card", "-# your {number} cards", len(own.hole))
    head = f"**{heading}**\n{yours}"
    return Board(GREEN, (Text(head), Hand(own.hole)))
