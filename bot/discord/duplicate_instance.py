"""Detect another process that answers with the same token.

Discord hands every interaction to all sessions of a shard, and takes the first answer; the second
gets error 40060. That alone proves nothing: if the receipt of our own answer is lost, the retry
gets 40060 too. But if a *first* answer gets it, another process answered before; unless the
interaction is older than this process: then the process before may have answered it, and Discord
has delivered it again. The younger process should stop, and neither knows the other's age. So the
longer a process has run, the more such errors it tolerates, and once the other has stopped there
are no more.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections import deque
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

import discord
import structlog

from bot.recent import Recent

log = structlog.get_logger(__name__)

ALREADY_ANSWERED: Final = 40060
WITHIN: Final = 60.0  # seconds in which so many must be beaten to it
FEWEST: Final = 5
BEARS_MORE: Final = 60.0  # seconds of age for one more
MOST: Final = 200
REMEMBERED: Final = 512
_ANSWER: Final = re.compile(r"/interactions/(\d+)/")


class AnotherAnswers(Exception):
    """Another process answers with this token; `str()` is one sentence for the host."""


class DuplicateInstances:
    """Counts first answers that came after another process's."""

    def __init__(
        self, now: Callable[[], float] = time.monotonic, wall: Callable[[], float] = time.time
    ) -> None:
        self._now, self._wall = now, wall
        self.begin()
        self._tries = Recent[int, int](REMEMBERED)
        self._beaten: deque[float] = deque(maxlen=MOST)
        self._said = False
        self._too_many = asyncio.Event()

    def begin(self) -> None:
        """Start answering: ids issued before now may be another process's."""
        self._since = self._now()
        self._first = discord.utils.time_snowflake(datetime.fromtimestamp(self._wall(), UTC))

    @property
    def bears(self) -> int:
        """Return how many errors within a minute this process tolerates before it stops."""
        return min(FEWEST + int((self._now() - self._since) / BEARS_MORE), MOST)

    def note_request(self, path: str) -> None:
        """Note that a request to Discord has ended, successfully or not."""
        answer = _ANSWER.search(path)
        if answer is None:
            return
        interaction = int(answer[1])
        self._tries[interaction] = self._tries.get(interaction, 0) + 1

    def note_refusal(self, error: Exception) -> None:
        """Note that Discord did not take an answer."""
        if not isinstance(error, discord.HTTPException) or error.code != ALREADY_ANSWERED:
            return
        answer = _ANSWER.search(str(getattr(error.response, "url", "")))
        if answer is None or self._tries.get(int(answer[1])) != 1:
            return  # our own first answer may have been taken without our hearing of it
        if int(answer[1]) < self._first:
            return
        now = self._now()
        self._beaten.append(now)
        recent = sum(then > now - WITHIN for then in self._beaten)
        if recent >= FEWEST and not self._said:
            self._said = True
            log.error(
                "discord: another process answers with this token; stop one of the two",
                beaten=recent,
            )
        if recent >= self.bears:
            self._too_many.set()

    async def watch(self) -> None:
        """Wait until a duplicate is certain and this process must stop. Raises `AnotherAnswers`."""
        await self._too_many.wait()
        raise AnotherAnswers(
            "another process answers with this token, and it has run for longer: one bot is one"
            " process, so stop that one first, or give this one a token of its own"
        )
