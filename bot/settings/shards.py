"""Which servers this process serves, and what it asks of the others that share its database.

Discord deals servers out to shards by their ids; what belongs to none (direct messages, a practice)
is shard 0's. Source: https://discord.com/developers/docs/events/gateway#sharding
"""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

NO_GUILD: Final = 0
MOST: Final = 16_384  # Discord itself gives its largest bots some hundreds
_RANGE: Final = re.compile(r"(\d{1,5})(?:\s*-\s*(\d{1,5}))?")
_ORDINAL: Final = re.compile(r"-(\d{1,5})$")
EXAMPLE: Final = "0-3"


class ShardError(ValueError):
    """Settings of shards that do not fit together; the text is one sentence."""


@dataclass(frozen=True, slots=True)
class Shards:
    """The shards of one process. `count` 0: as many as Discord advises, all of them here."""

    count: int = 1
    ids: tuple[int, ...] = (0,)

    @property
    def whole(self) -> bool:
        """Whether no other process has any."""
        return len(self.ids) >= self.count

    def of(self, guild_id: int) -> int:
        """The shard of a server; 0 for what is in none."""
        return (guild_id >> 22) % max(self.count, 1)

    def serves(self, guild_id: int) -> bool:
        """Whether a server's events come to this process."""
        return self.whole or self.of(guild_id) in self.ids


ONE: Final = Shards()


def read_ids(written: object) -> tuple[int, ...]:
    """Shards as a setting names them: `0-3`, `0, 2, 5` or a list. Raises ValueError."""
    if isinstance(written, (list, tuple)):
        written = ",".join(map(str, written))
    found: set[int] = set()
    for part in filter(None, (one.strip() for one in str(written).strip("[] ").split(","))):
        named = _RANGE.fullmatch(part)
        first, last = (int(named[1]), int(named[2] or named[1])) if named else (1, 0)
        if last < first or last >= MOST:
            raise ValueError(f"should name shards by their numbers, from 0 to {MOST - 1:,}")
        found.update(range(first, last + 1))
    return tuple(sorted(found))


def written_ids(written: object) -> str:
    """Shards as one text, in the form in which a setting is shown. Raises ValueError."""
    return ", ".join(map(str, read_ids(written)))


def chosen(count: int, ids: tuple[int, ...], from_ordinal: int, host: str) -> Shards:
    """The shards of this process, from the settings. Raises `ShardError`.

    `from_ordinal`: so many for each process, whose number `host` ends with, such as bluffhouse-2.
    """
    if ids and from_ordinal:
        raise ShardError("shards.ids and shards.from_ordinal can't both be set: leave one out")
    if count == 0:
        if ids or from_ordinal:
            raise ShardError(
                "set shards.count when several processes share the shards, for example"
                " shards.count = 4"
            )
        return Shards(0, ())
    if from_ordinal:
        numbered = _ORDINAL.search(host)
        if numbered is None:
            raise ShardError(
                "shards.from_ordinal needs a host name that ends with the process's number,"
                f" for example bluffhouse-0; it is {host!r}"
            )
        first = int(numbered[1]) * from_ordinal
        if first >= count:
            raise ShardError(
                f"{host} would have shard {first}, but shards.count is {count}: with"
                f" shards.from_ordinal = {from_ordinal} there are {-(-count // from_ordinal)}"
                " processes"
            )
        ids = tuple(range(first, min(first + from_ordinal, count)))
    wrong = [one for one in ids if one >= count]
    if wrong:
        raise ShardError(
            f"shards.ids names shard {wrong[0]}, but with shards.count = {count} the last is"
            f" {count - 1}: raise shards.count, for all processes alike, or name others"
        )
    return Shards(count, ids or tuple(range(count)))


TABLE, PERSON = "table", "person"
# told by another process: of a table that was moved on, with its server; of what is stored of
# somebody, with 0
Heard = Callable[[str, int, int], Awaitable[None]]
Returned = Callable[[], Awaitable[None]]  # told that something may have been missed
Last = Mapping[int, int]  # the newest interaction by shard, 0 where there was none


class Processes:
    """The other processes of the same bot, as far as they are to be known of.

    By itself there are none: an SQLite file is one process's. `bot.storage.session` knows those
    that share a PostgreSQL.
    """

    def __init__(self) -> None:
        self._locks: dict[tuple[str, int], asyncio.Lock] = defaultdict(asyncio.Lock)

    async def take(self, shards: Shards) -> None:
        """Be the only process of these shards from now on; raises if another stays."""

    async def take_or_stand_by(self, shards: Shards) -> bool:
        """Take them, or be the one process that stands by for whoever has them: whether taken.

        Raises if neither can be.
        """
        return True

    @property
    def stands_by(self) -> bool:
        """Whether the process that has the shards may leave them to this one."""
        return False

    async def take_over(self, hears: Callable[[], bool]) -> Last:
        """Stand by until the shards are this process's; the last interactions of the one before,
        of no shard if it went without a word.

        `hears` says whether it is told of all that is pressed just now.
        """
        return {}

    @property
    def in_doubt(self) -> bool:
        """Whether another process may have taken the shards without this one's knowing."""
        return False

    async def out_of_doubt(self) -> bool:
        """Wait until that is known; whether they are this process's."""
        return True

    async def has_successor(self) -> bool:
        """Whether another process stands by and hears all that is pressed, or has taken over."""
        return False

    async def leave(self, last: Last) -> None:
        """Tell the process that stands by which interactions are the last that this one answers."""

    async def let_go(self, last: Last) -> None:
        """Have the shards no more, as `leave`; nothing happens if it has none."""

    async def lock(self, what: str, number: int = 0) -> None:
        """Wait until nobody else, of this process or another, holds this lock, and hold it."""
        await self._locks[what, number].acquire()

    async def unlock(self, what: str, number: int = 0) -> None:
        """Let go of it; nothing happens if it was lost with the connection."""
        lock = self._locks[what, number]
        if lock.locked():
            lock.release()

    async def outlast(self, what: str, number: int, seconds: float) -> None:
        """Keep other processes from this lock, which is held, for so long from now.

        Also if this process ends meanwhile, and however it does.
        """

    async def listen(self, heard: Heard, returned: Returned) -> None:
        """Have these called from now on."""

    async def watch(self) -> None:
        """See that the shards stay this process's; raises when another has them."""
        await asyncio.Event().wait()

    async def close(self) -> None:
        """Let go of everything."""


@asynccontextmanager
async def one_at_a_time(processes: Processes, what: str, number: int = 0) -> AsyncIterator[None]:
    """Hold a lock while the block runs."""
    await processes.lock(what, number)
    try:
        yield
    finally:
        await processes.unlock(what, number)
