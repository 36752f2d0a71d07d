"""A person's own cards as that person likes them: two or four colours, or in words only."""

from __future__ import annotations

from dataclasses import replace

from bot.boards.board import Block, Board, HandPicture
from bot.tables.personal import CARDS, DECK, personal
from bot.tables.records import Player


def as_liked(board: Board, player: Player) -> Board:
    """A private board, its picture as `player` likes it; the words are there in any case."""
    if personal(player, CARDS) == "text":
        kept = tuple(block for block in board.blocks if not isinstance(block, HandPicture))
        return replace(board, blocks=kept)
    four = personal(player, DECK) == "four"
    blocks: tuple[Block, ...] = tuple(
        replace(block, four_colours=four) if isinstance(block, HandPicture) else block
        for block in board.blocks
    )
    return replace(board, blocks=blocks)
