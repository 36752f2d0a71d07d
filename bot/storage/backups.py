"""Copies of the database that are made by themselves, checked, and rotated.

A copy is named by its time (UTC), so its age is read off its name: a bot that is started again
makes none before it is due.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import structlog

from bot.storage import StorageError
from bot.storage.dump import copy_of, ending

log = structlog.get_logger(__name__)

LOOK_SECONDS: Final = 600.0  # the longest time between two looks whether a copy is due
_NAME: Final = re.compile(r"bluffhouse-(\d{8}T\d{6})\.(db|dump)(\.partial)?")
_TIME: Final = "%Y%m%dT%H%M%S"


@dataclass(frozen=True, slots=True)
class Plan:
    """Where copies go, how often one is made, and how many are kept."""

    folder: Path
    every: timedelta
    keep: int


def _now() -> datetime:
    return datetime.now(UTC)


class Backups:
    """Makes copies of the database at `address` until cancelled.

    `made` is told when the newest was made, `ended` "made" or "failed" of each that was begun.
    """

    def __init__(
        self,
        address: str,
        plan: Plan,
        made: Callable[[datetime], None] = lambda _: None,
        now: Callable[[], datetime] = _now,
        ended: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._address = address
        self._plan = plan
        self._made = made
        self._now = now
        self._ended = ended

    async def run(self) -> None:
        """Look again and again; what fails is said in the log, and tried again."""
        newest = self._newest()
        if newest is not None:
            self._made(newest)
        while True:
            wait = LOOK_SECONDS
            if self.due():
                try:
                    await asyncio.to_thread(self.make)
                    self._ended("made")
                except (StorageError, OSError) as error:
                    self._ended("failed")
                    log.error("backup: not made, trying again later", reason=str(error))
            else:
                wait = min(wait, self._plan.every.total_seconds())
            await asyncio.sleep(wait)

    def due(self) -> bool:
        """Whether it is time for one."""
        newest = self._newest()
        return newest is None or self._now() - newest >= self._plan.every

    def make(self) -> Path:
        """Make one, then delete what is more than is to be kept. Raises `StorageError`."""
        at = self._now()
        target = self._plan.folder / f"bluffhouse-{at.strftime(_TIME)}.{ending(self._address)}"
        for left in self._copies(partial=True):  # of a process that was killed
            left.unlink(missing_ok=True)
        copy_of(self._address, target)
        old = self._copies()[: -self._plan.keep]
        for one in old:
            one.unlink(missing_ok=True)
        log.info("backup: made", file=str(target), size=target.stat().st_size, deleted=len(old))
        self._made(at)
        return target

    def _copies(self, *, partial: bool = False) -> list[Path]:
        """Our copies, the oldest first; no other file of the folder is ever touched."""
        if not self._plan.folder.is_dir():
            return []
        named = ((one, _NAME.fullmatch(one.name)) for one in self._plan.folder.iterdir())
        return sorted(one for one, found in named if found and bool(found[3]) is partial)

    def _newest(self) -> datetime | None:
        for one in reversed(self._copies()):
            found = _NAME.fullmatch(one.name)
            assert found is not None
            try:
                return datetime.strptime(found[1], _TIME).replace(tzinfo=UTC)
            except ValueError:  # such as a thirteenth month: not ours
                continue
        return None
