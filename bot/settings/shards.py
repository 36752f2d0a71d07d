"""Which servers this process serves, and the interface for coordination with other processes.

Discord assigns servers to shards by their ids. Everything outside a server (direct messages,
practices) belongs to shard 0. Source: https://discord.com/developers/docs/events/gateway#sharding
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
MOST: Final = 16_384  # Discord's largest bots have some hundreds
_RANGE: Final = re.compile(r"(\d{1,5})(?:\s*-\s*(\d{1,5}))?")
_ORDINAL: Final = re.compile(r"-(\d{1,5})$")
EXAMPLE: Final = "0-3"


class ShardError(ValueError):
    """Inconsistent shard settings. The text is one sentence."""


@dataclass(frozen=True, slots=True)
class Shards:
    """The shards of one process.

    If `count` is 0, Discord recommends the number, and this process has all shards.
    """

    count: int = 1
    ids: tuple[int, ...] = (0,)

    @property
    def whole(self) -> bool:
        """Whether this process has all shards."""
        return len(self.ids) >= self.count

    def shard_of(self, guild_id: int) -> int:
        """Return the shard of a server; 0 for anything outside a server."""
        return (guild_id >> 22) % max(self.count, 1)

    def serves(self, guild_id: int) -> bool:
        """Return whether a server's events come to this process."""
        return self.whole or self.shard_of(guild_id) in self.ids


ONE: Final = Shards()


def parse_ids(written: object) -> tuple[int, ...]:
    """Parse the shards of a setting: `0-3`, `0, 2, 5` or a list. Raises ValueError."""
    if isinstance(written, (list, tuple)):
        written = ",".join(map(str, written))
    ids: set[int] = set()
    for part in filter(None, (item.strip() for item in str(written).strip("[] ").split(","))):
        named = _RANGE.fullmatch(part)
        first, last = (int(named[1]), int(named[2] or named[1])) if named else (1, 0)
        if last < first or last >= MOST:
            raise ValueError(f"should name shards by their numbers, from 0 to {MOST - 1:,}")
        ids.update(range(first, last + 1))
    return tuple(sorted(ids))


def format_ids(written: object) -> str:
    """Return a setting's shards as text, such as `0, 2, 5`. Raises ValueError like `parse_ids`."""
    return ", ".join(map(str, parse_ids(written)))


def choose_shards(count: int, ids: tuple[int, ...], from_ordinal: int, host: str) -> Shards:
    """Return the shards of this process from the settings. Raises `ShardError`.

    `count`: the number of all shards; 0: Discord's recommendation. `ids`: this process's shards;
    empty: all, unless `from_ordinal` is set. `from_ordinal`: shards per process; the number at the
    end of `host`, as in bluffhouse-2, says which ones; 0: not used.
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
    wrong = [number for number in ids if number >= count]
    if wrong:
        raise ShardError(
            f"shards.ids names shard {wrong[0]}, but with shards.count = {count} the last is"
            f" {count - 1}: raise shards.count, for all processes alike, or name others"
        )
    return Shards(count, ids or tuple(range(count)))


TABLE, PERSON = "table", "person"
# called when another process changed something, with TABLE, the table's id and its server's, or
# with PERSON, the person's id and 0
Heard = Callable[[str, int, int], Awaitable[None]]
Returned = Callable[[], Awaitable[None]]  # called when notifications may have been lost
Last = Mapping[int, int]  # by shard, the id of the last interaction, or 0


class Processes:
    """Coordination with the bot's other processes. This base class is for a bot without any.

    An SQLite file belongs to one process. `bot.storage.session` coordinates those that share a
    PostgreSQL.
    """

    def __init__(self) -> None:
        self._locks: dict[tuple[str, int], asyncio.Lock] = defaultdict(asyncio.Lock)

    async def take(self, shards: Shards) -> None:
        """Claim these shards for this process alone.

        An override raises `ShardsTaken` if another process keeps one of them.
        """

    async def take_or_stand_by(self, shards: Shards) -> bool:
        """Claim the shards, or stand by if another process has them; return whether claimed.

        An override raises `ShardsTaken` if this process can't stand by.
        """
        return True

    @property
    def stands_by(self) -> bool:
        """Whether the process that has the shards may hand them over to this one."""
        return False

    async def take_over(self, hears: Callable[[], bool]) -> Last:
        """Wait until this process has the shards for which it stands by.

        Return each shard's last interaction that the previous process answers. Return an empty dict
        if that process vanished. `hears()` returns whether this process receives every interaction
        now.
        """
        return {}

    @property
    def in_doubt(self) -> bool:
        """Whether another process may have taken the shards without this process noticing."""
        return False

    async def out_of_doubt(self) -> bool:
        """Wait until it is certain who has the shards; return whether this process has them."""
        return True

    async def has_successor(self) -> bool:
        """Return whether another process took over or stands by (and receives all interactions)."""
        return False

    async def leave(self, last: Last) -> None:
        """Tell the standby process each shard's last interaction that this process answers."""

    async def release(self, last: Last) -> None:
        """Tell the standby process the `last` interactions, as in `leave`, then release the shards.

        Does nothing if this process has no shards.
        """

    async def lock(self, name: str, number: int = 0) -> None:
        """Wait until no task or process holds this lock, then hold it."""
        await self._locks[name, number].acquire()

    async def unlock(self, name: str, number: int = 0) -> None:
        """Release the lock; do nothing if it isn't held."""
        lock = self._locks[name, number]
        if lock.locked():
            lock.release()

    async def outlast(self, name: str, number: int, seconds: float) -> None:
        """Keep other processes from taking this lock for `seconds`, even if this process ends."""

    async def listen(self, heard: Heard, returned: Returned) -> None:
        """Register functions to call for other processes' changes and after lost notifications."""

    async def watch(self) -> None:
        """Wait for ever. An override raises `ShardsTaken` once another process has the shards."""
        await asyncio.Event().wait()

    async def close(self) -> None:
        """Release everything."""


@asynccontextmanager
async def one_at_a_time(processes: Processes, name: str, number: int = 0) -> AsyncIterator[None]:
    """Hold a lock during the block."""
    await processes.lock(name, number)
    try:
        yield
    finally:
        await processes.unlock(name, number)
