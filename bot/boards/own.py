"""A person's own cards as that person likes them: two or four colours, or in words only."""

from __future__ import annotations

from dataclasses import replace

from bot.boards.board import Board
from bot.tables.model import Player
from bot.tables.preferences import CARDS, DECK, preference


def as_liked(board: Board, player: Player) -> Board:
    """A private board, its cards as `player` likes them."""
    if preference(player, CARDS) == "text":
        return replace(board, deck="words")
    return replace(board, deck="four" if preference(player, DECK) == "four" else "two")
