"""Upload the cards once as the bot's own emoji, and find them again by their names.

The process that has shard 0 uploads them one after the other, at the lowest priority. Until a card
is uploaded, it is shown in text; so are all cards of a bot that may not have any emoji. Names end
with a digest of the drawings: if the drawings change, the bot uploads new emoji and deletes its
earlier ones.

Source: https://discord.com/developers/docs/resources/emoji
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from http import HTTPStatus
from typing import Final
from weakref import WeakKeyDictionary

import aiohttp
import discord
import structlog

from bot.boards.board import Deck
from bot.discord import picture_job
from bot.discord.pacing import Urgency, urgency
from bot.pictures.emoji import DRAWN, TILES, Tile, emoji_png
from bot.retry import RetryPolicy
from engine.cards import Card, Rank

log = structlog.get_logger(__name__)

RETRY: Final = RetryPolicy(first=60.0, longest=3600.0)
# seconds to keep outdated emoji: during an update, the old process may still show them
OLD_STAY: Final = 3600.0
_OURS: Final = re.compile("(?:" + "|".join(sorted({tile.name for tile in TILES})) + ")_[0-9a-f]{6}")
# by event loop, the emoji ids of its running bot
_uploaded: WeakKeyDictionary[asyncio.AbstractEventLoop, Mapping[str, int]] = WeakKeyDictionary()
# messages in a row whose emoji were refused twice, by event loop
_in_text: WeakKeyDictionary[asyncio.AbstractEventLoop, int] = WeakKeyDictionary()
_as_text: Final[ContextVar[bool]] = ContextVar("emoji_as_text", default=False)
DELETED_AFTER: Final = 3


def emoji_of(card: Card | Rank, deck: Deck) -> discord.PartialEmoji | None:
    """Return the emoji of a card or rank; None if it isn't uploaded or cards are shown as text."""
    ids, name = _ids(deck), _name_of(card, deck != "two")
    return discord.PartialEmoji(name=name, id=ids[name]) if name in ids else None


def rank_emoji(deck: Deck) -> dict[Rank | None, dict[str, str]]:
    """Return the id and name of each rank's emoji, by rank, as buttons and menus need them.

    Leave out ranks that aren't uploaded, and all ranks if cards are in text now.
    """
    ids = _ids(deck)
    return {
        rank: {"id": str(ids[name]), "name": name}
        for rank, name in _RANK_NAMES.items()
        if name in ids
    }


def _ids(deck: Deck) -> Mapping[str, int]:
    """Return the ids of the emoji that may be shown now, by name; none if cards are in text."""
    if deck == "words" or _as_text.get():
        return {}
    try:
        return _uploaded.get(asyncio.get_running_loop(), {})
    except RuntimeError:  # on no event loop, there is no bot
        return {}


@cache  # making a tile is slow
def _name_of(card: Card | Rank, four_colours: bool) -> str:
    return _name(Tile(card, four_colours))


def _name(tile: Tile) -> str:
    return f"{tile.name}_{DRAWN}"


_RANK_NAMES: Final = {rank: _name(Tile(rank)) for rank in Rank}


def is_invalid(error: discord.HTTPException) -> bool:
    """Return whether Discord refused a control because of an emoji.

    Discord takes any emoji in a text, and shows the name of a deleted one.
    """
    return "Invalid emoji" in error.text


@contextmanager
def cards_as_text(when: bool) -> Iterator[None]:
    """Render cards as text instead of emoji inside the block, if `when` is true."""
    token = _as_text.set(when or _as_text.get())
    try:
        yield
    finally:
        _as_text.reset(token)


def note_refusals(times: int) -> None:
    """Count a message that was accepted after an emoji was refused `times` times.

    Once `DELETED_AFTER` messages could only be sent with cards as text, assume that an emoji was
    deleted: show cards as text until the next start, as each message would cost three requests. A
    message that was accepted at the second try sets the count back to 0.
    """
    loop = asyncio.get_running_loop()
    if times == 1:  # the same emoji was accepted at the second try
        _in_text.pop(loop, None)
    elif times > 1:
        _in_text[loop] = _in_text.get(loop, 0) + 1
        if _in_text[loop] >= DELETED_AFTER and loop in _uploaded:
            del _uploaded[loop]
            log.warning("emoji: one was deleted; cards are shown in text until the next start")


class CardEmoji:
    """Uploads the cards as emoji, or waits until another process has uploaded them."""

    def __init__(
        self,
        client: discord.Client,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._client = client
        self._sleep = sleep
        self._tiles = {_name(tile): tile for tile in TILES}
        self._task: asyncio.Task[None] | None = None

    def start(self, *, uploads: bool) -> None:
        """Start a task that uploads the cards or, without `uploads`, waits for their upload."""
        self._task = asyncio.create_task(self._try_until_done(uploads=uploads), name="card emoji")

    def stop(self) -> None:
        """Stop uploading or waiting, and show cards as text; the next start continues."""
        if self._task is not None:
            self._task.cancel()
        _uploaded.pop(asyncio.get_running_loop(), None)

    async def _try_until_done(self, *, uploads: bool) -> None:
        for pause in RETRY.pauses():
            retry_after = 0.0
            try:
                with urgency(Urgency.CATCHING_UP):
                    if await self._update(uploads=uploads):
                        return
            except discord.RateLimited as error:
                retry_after = error.retry_after
            except discord.HTTPException as error:
                if 400 <= error.status < 500 and error.status != HTTPStatus.TOO_MANY_REQUESTS:
                    why = f"Discord says {error.status}: {error.text} ({error.code})"
                    log.warning("emoji: cards are shown in text", why=why)
                    return
            except (aiohttp.ClientError, OSError) as error:  # includes time-outs
                log.info("emoji: trying again", error=type(error).__name__)
            except Exception:  # whatever the error, cards are shown in text
                log.exception("emoji: cards are shown in text")
                return
            await self._sleep(max(pause, retry_after))

    async def _update(self, *, uploads: bool) -> bool:
        """Find the cards' emoji; return whether every card has one now.

        If `uploads`, upload missing emoji, then wait for `OLD_STAY` seconds and delete old ones.
        """
        existing = await self._client.fetch_application_emojis()
        ids = {emoji.name: emoji.id for emoji in existing if emoji.name in self._tiles}
        _uploaded[asyncio.get_running_loop()] = ids
        missing = [name for name in self._tiles if name not in ids]
        if not uploads:
            return not missing
        for name in missing:
            png = await picture_job.draw_uncached(emoji_png, self._tiles[name])
            uploaded = await self._client.create_application_emoji(name=name, image=png)
            ids[name] = uploaded.id
        old = [
            emoji for emoji in existing if emoji.name not in self._tiles and self._is_ours(emoji)
        ]
        if missing:
            log.info("emoji: cards uploaded", new=len(missing))
        if old:
            await self._sleep(OLD_STAY)
            for emoji in old:
                await emoji.delete()
            log.info("emoji: old ones deleted", gone=len(old))
        return True

    def _is_ours(self, emoji: discord.Emoji) -> bool:
        """Return whether the bot uploaded this emoji as a card."""
        bot = self._client.user
        by_us = bot is not None and emoji.user is not None and emoji.user.id == bot.id
        return by_us and _OURS.fullmatch(emoji.name) is not None
