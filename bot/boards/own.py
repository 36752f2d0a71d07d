"""A person's own cards as that person likes them: two or four colours, or in words only."""

from __future__ import annotations

from dataclasses import replace

from bot.boards.board import Board
from bot.tables.personal import CARDS, DECK, personal
from bot.tables.records import Player


def as_liked(board: Board, player: Player) -> Board:
    """A private board, its cards as `player` likes them."""
    if personal(player, CARDS) == "text":
        return replace(board, deck="words")
    return replace(board, deck="four" if personal(player, DECK) == "four" else "two")
