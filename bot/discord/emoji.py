"""The cards as the bot's own emoji: uploaded once, found again by their names.

They are uploaded one after the other, by the process that has shard 0, behind all that anybody
waits for. A card that is not there yet is shown in text, and so are all of them for a bot that may
not have any. Names end with a digest of the drawings: with other drawings the bot has other emoji,
and the ones that it made before go.

Source: https://discord.com/developers/docs/resources/emoji
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
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
from engine.cards import Card, Rank

log = structlog.get_logger(__name__)

AGAIN: Final = 60.0  # seconds until Discord is asked again, twice as long after each
AGAIN_AT_MOST: Final = 3600.0
OLD_STAY: Final = 3600.0  # seconds; in an update another process may still show them
_OURS: Final = re.compile("(?:" + "|".join(sorted({tile.name for tile in TILES})) + ")_[0-9a-f]{6}")
# of running bots, by their event loops
_there: WeakKeyDictionary[asyncio.AbstractEventLoop, Mapping[str, int]] = WeakKeyDictionary()


def emoji_of(card: Card | Rank, deck: Deck) -> discord.PartialEmoji | None:
    """The emoji of a card, or of a rank alone; None while there is none, or for who wants words."""
    try:
        there = _there.get(asyncio.get_running_loop(), {})
    except RuntimeError:  # on no event loop, there is no bot
        return None
    name = _name(Tile(card, deck != "two"))
    if deck == "words" or name not in there:
        return None
    return discord.PartialEmoji(name=name, id=there[name])


def _name(tile: Tile) -> str:
    return f"{tile.name}_{DRAWN}"


def is_gone(error: Exception) -> bool:
    """Whether Discord refused a control for an emoji: somebody has deleted it. Cards are text then.

    It takes any emoji in a text, and shows the name of one that is not there.
    """
    gone = isinstance(error, discord.HTTPException) and "Invalid emoji" in error.text
    loop = asyncio.get_running_loop()
    if gone and loop in _there:
        del _there[loop]
        log.warning("emoji: one is gone; cards are shown in text until the next start")
    return gone


class CardEmoji:
    """Has the cards uploaded where `uploads`, else waits until another process has done it."""

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
        """Begin, in the background."""
        self._task = asyncio.create_task(self._until_there(uploads=uploads), name="card emoji")

    def stop(self) -> None:
        """Go on with the next start."""
        if self._task is not None:
            self._task.cancel()
        _there.pop(asyncio.get_running_loop(), None)

    async def _until_there(self, *, uploads: bool) -> None:
        pause = AGAIN
        while True:
            asked = 0.0
            try:
                with urgency(Urgency.CATCHING_UP):
                    if await self._brought_up_to_date(uploads=uploads):
                        return
            except discord.RateLimited as error:
                asked = error.retry_after
            except discord.HTTPException as error:
                if 400 <= error.status < 500 and error.status != HTTPStatus.TOO_MANY_REQUESTS:
                    why = f"Discord says {error.status}: {error.text} ({error.code})"
                    log.warning("emoji: cards are shown in text", why=why)
                    return
            except (aiohttp.ClientError, OSError) as error:  # time-outs too
                log.info("emoji: trying again", error=type(error).__name__)
            except Exception:  # whatever it is, cards are shown in text
                log.exception("emoji: cards are shown in text")
                return
            await self._sleep(max(pause, asked))
            pause = min(2 * pause, AGAIN_AT_MOST)

    async def _brought_up_to_date(self, *, uploads: bool) -> bool:
        """Whether all cards are there now, as far as it can be known."""
        found = await self._client.fetch_application_emojis()
        there = {one.name: one.id for one in found if one.name in self._tiles}
        _there[asyncio.get_running_loop()] = there
        missing = [name for name in self._tiles if name not in there]
        if not uploads:
            return not missing
        for name in missing:
            png = await picture_job.beside(emoji_png, self._tiles[name])
            made = await self._client.create_application_emoji(name=name, image=png)
            there[name] = made.id
        old = [one for one in found if one.name not in self._tiles and self._is_ours(one)]
        if missing:
            log.info("emoji: cards uploaded", new=len(missing))
        if old:
            await self._sleep(OLD_STAY)
            for one in old:
                await one.delete()
            log.info("emoji: old ones deleted", gone=len(old))
        return True

    def _is_ours(self, one: discord.Emoji) -> bool:
        """Whether this bot has made it: a host may have emoji of their own, of whatever name."""
        bot = self._client.user
        by_us = bot is not None and one.user is not None and one.user.id == bot.id
        return by_us and _OURS.fullmatch(one.name) is not None
