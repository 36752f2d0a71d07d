"""Detect another process that answers with the same token.

Discord sends every interaction to all sessions of a shard, and takes the first answer; the second
gets error 40060. That alone proves nothing: if the receipt of our own answer is lost, the retry
gets 40060 too. But if our *first* answer gets that error, another process answered before: this
process has lost a race. An interaction older than this process doesn't count: the previous process
may have answered, and Discord has delivered the interaction again.

The newcomer should stop, but neither process knows which one it is. So a process tolerates a few
lost races a day, and one more for each answer it gave while it had lost none, up to `MOST`: a
newcomer has given hardly any. One of the two loses at each interaction, so one of them stops soon.
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
WITHIN: Final = 86_400.0  # seconds for which a lost race counts
FEWEST: Final = 5  # lost races that every process tolerates
MOST: Final = 200
REMEMBERED: Final = 512
_ANSWER: Final = re.compile(r"/interactions/(\d+)/")


class AnotherAnswers(Exception):
    """Another process answers with this token; `str()` is one sentence for the host."""


class DuplicateInstances:
    """Counts first answers that came after another process's: lost races."""

    def __init__(
        self, now: Callable[[], float] = time.monotonic, wall: Callable[[], float] = time.time
    ) -> None:
        self._now, self._wall = now, wall
        self.begin()
        self._tries = Recent[int, int](REMEMBERED)
        self._lost: deque[float] = deque(maxlen=MOST)  # times of lost races
        self._undisputed = 0  # answers given while no race was lost
        self._too_many = asyncio.Event()

    def begin(self) -> None:
        """Count lost races only for interactions made from now on."""
        self._first = discord.utils.time_snowflake(datetime.fromtimestamp(self._wall(), UTC))

    @property
    def is_certain(self) -> bool:
        """Return whether another process certainly answers, so that this one must stop."""
        return self._too_many.is_set()

    @property
    def _tolerance(self) -> int:
        return min(FEWEST + self._undisputed, MOST)

    def note_request(self, path: str, *, taken: bool) -> None:
        """Count a request that tried to answer an interaction; ignore other requests.

        `path`: the path of the request's address. `taken`: Discord took the request.
        """
        answer = _ANSWER.search(path)
        if answer is None:
            return
        interaction = int(answer[1])
        tries = self._tries[interaction] = self._tries.get(interaction, 0) + 1
        if taken and tries == 1 and not self._lost_lately():
            self._undisputed += 1

    def _lost_lately(self) -> int:
        """Return how many races were lost within the last `WITHIN` seconds."""
        while self._lost and self._lost[0] <= self._now() - WITHIN:
            self._lost.popleft()
        return len(self._lost)

    def note_refusal(self, error: Exception) -> None:
        """Count a refused answer if the error shows that another process answered first."""
        if not isinstance(error, discord.HTTPException) or error.code != ALREADY_ANSWERED:
            return
        answer = _ANSWER.search(str(getattr(error.response, "url", "")))
        if answer is None or self._tries.get(int(answer[1])) != 1:
            return  # Discord may have taken our own first answer, and its receipt was lost
        if int(answer[1]) < self._first:
            return
        self._lost.append(self._now())
        lost = self._lost_lately()
        if lost == FEWEST:
            log.error(
                "discord: another process answers with this token; stop one of the two", lost=lost
            )
        if lost >= self._tolerance:
            self._too_many.set()

    async def watch(self) -> None:
        """Wait until a duplicate is certain, then raise `AnotherAnswers`; never return."""
        await self._too_many.wait()
        raise AnotherAnswers(
            "another process answers with this token, and answered before this one did:"
            " stop that one first, or give this one a token of its own"
        )
