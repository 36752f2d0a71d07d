"""Send a board, with less in it if Discord refuses a part: the one way to draw a message.

Now and then Discord calls an emoji invalid, or refuses a file, in a body that it accepts a moment
later. So try the same body once more. If that fails, send this one message with its cards in text,
or with its pictures described in words. An archived thread is reopened.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Final, TypeVar

import discord
import structlog

from bot.boards.board import Board
from bot.discord import emoji
from bot.discord.layout import Component, Rendered, render
from bot.discord.outcomes import ARCHIVED, RequestOutcome, outcome_of

log = structlog.get_logger(__name__)
T = TypeVar("T")

# refusals whose cause is not the content of the message
_ABOUT_ELSE: Final = frozenset(
    {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND}
)


async def draw(
    board: Board,
    send: Callable[[Rendered], Awaitable[T]],
    shelf: Component | None = None,
    reopen: Callable[[], Awaitable[bool]] | None = None,
) -> tuple[Rendered, T]:
    """Render a board and `send` it; return (what was sent, the result of `send`).

    `shelf`: as in `render`. `reopen` reopens an archived thread, and returns whether it could.
    Raises whatever `send` raises at the last try.
    """
    emoji_refusals = file_refusals = 0
    while True:
        with emoji.cards_as_text(emoji_refusals > 1):
            ready = await render(board, shelf, pictures=file_refusals < 2)
        try:
            result = await send(ready)
        except discord.HTTPException as error:
            if error.code == ARCHIVED and reopen is not None and await reopen():
                reopen = None
            elif emoji.is_invalid(error) and emoji_refusals < 2:
                emoji_refusals += 1
            elif ready.files and _is_about_content(error) and file_refusals < 2:
                file_refusals += 1
            else:
                raise
            log.info("drawing: once more", code=error.code, status=error.status)
        else:
            emoji.note_refusals(emoji_refusals)
            return ready, result


def _is_about_content(error: discord.HTTPException) -> bool:
    refused = outcome_of(error) is RequestOutcome.REFUSED
    return refused and error.status not in _ABOUT_ELSE and error.code != ARCHIVED
