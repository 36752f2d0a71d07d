"""One person's own cards, which nobody else is shown."""

from __future__ import annotations

from bot.boards.board import Board, HandPicture, Text
from bot.pictures.palette import GREEN, GREY
from bot.words import cards_text, count
from engine.state import Match
from engine.view import view


def hand_board(match: Match, player: int, link: str | None = None) -> Board:
    """A player's own cards, for a direct message or an ephemeral answer."""
    own = view(match, match.seat_of(player)).round
    if own is None or own.hole is None:
        return Board(GREY, (Text("You hold no cards in this round."),))
    name = f"[{match.ruleset.title}]({link})" if link else match.ruleset.title
    head = f"**{name} · Round {own.number}**\n-# your {count(len(own.hole), 'card')}"
    text = cards_text(own.hole)
    return Board(GREEN, (Text(head), HandPicture(own.hole, text), Text(text)))
