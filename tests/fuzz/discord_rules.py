"""Judge a board, in the form in which it would be sent, by the local Discord's rules."""

from __future__ import annotations

from typing import Any

from bot.boards.board import Board
from bot.discord.layout import board_view, file_name
from bot.sandbox.discord_state import COMPONENTS_V2
from bot.sandbox.rules.components import check_message


def check_board(board: Board) -> list[dict[str, Any]]:
    """Return the board's components. Raises `ApiError` if Discord would refuse them."""
    components = board_view(board).to_components()
    files = [file_name(picture) for picture in board.pictures]
    check_message({"flags": COMPONENTS_V2, "components": components}, files)
    return components


def texts(components: Any) -> list[str]:
    """Return the components' texts that Discord reads as markdown."""
    if isinstance(components, list):
        return [text for part in components for text in texts(part)]
    if not isinstance(components, dict):
        return []
    content = [components["content"]] if "content" in components else []
    return content + [
        text for key, part in components.items() if key != "content" for text in texts(part)
    ]
