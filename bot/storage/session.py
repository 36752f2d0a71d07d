"""A process's own connection to PostgreSQL, which holds locks and receives notifications.

A shard belongs to a process while its session holds the shard's advisory lock. PostgreSQL releases
the lock when the session ends, for whatever reason. A lost session is replaced: the locks are taken
again, and listeners learn that they may have missed something.

During an update a second process with the same shards stands by. It holds two locks. The first
keeps out a third process. The second tells the leaving process that its successor receives every
interaction.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import socket
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

import structlog
from sqlalchemy import text
from sqlalchemy.engine import URL

from bot.retry import RetryPolicy
from bot.settings.shards import NO_GUILD, Heard, Last, Processes, Returned, Shards
from bot.storage import NotAnswering, NotReached, ShardsTaken, StorageError
from bot.storage.addresses import storage_error
from bot.storage.database import Database

if TYPE_CHECKING:
    import asyncpg

log = structlog.get_logger(__name__)

CHANNEL: Final = "bluffhouse_news"  # for notifications of changes between processes
TAKE_WITHIN: Final = 60.0  # seconds; a killed process's session lingers for a while
LOOK_SECONDS: Final = 0.2  # seconds between two tries for a lock: a statement that waits could hang
BEAT_SECONDS: Final = 5.0  # seconds between two checks of the session
RETRY: Final = RetryPolicy(first=0.25, longest=5.0)
PATIENCE: Final = 5.0  # seconds for one statement, and for a connection
ASKED_WITHIN: Final = 0.5  # seconds for one statement of a leaving process, while people wait
PROCEED_SECONDS: Final = 30.0  # seconds without a session, before going on without its lock
# the first half of an advisory lock's key; the second half is a number
_SHARDS: Final = 0x626C7501  # "blu", 1
_CLASSES: Final = {"identify": 0x626C7502, "commands": 0x626C7503}
_MEETING: Final = 0x626C7504
_STANDS_BY, _HEARS = 0x626C7506, 0x626C7507
_LAST, _FREE = "last", "free"  # messages to the process that stands by
_OUTLASTING: Final = {"identify": 0x626C7505}  # held for a while, even if the process ends
_COUNT_BITS: Final = 16
HERE: Final = "(SELECT oid FROM pg_database WHERE datname = current_database())"
_HELD: Final = text(
    "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND classid = :kind"
    f" AND objid = :number AND objsubid = 2 AND database = {HERE}"
)
_HELD_BY_ANY: Final = (
    "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND classid = $1::int4::oid"
    f" AND objid = $2::int4::oid AND objsubid = 2 AND database = {HERE}"
)
# query: the processes that serve shards on this database, by lock number and session name
SHARD_LOCKS: Final = (
    "SELECT objid::int8 AS number, application_name AS name, pid FROM pg_locks"
    " LEFT JOIN pg_stat_activity USING (pid) WHERE locktype = 'advisory' AND granted"
    f" AND classid = {_SHARDS} AND objsubid = 2 AND pid <> pg_backend_pid()"
    f" AND pg_locks.database = {HERE}"
)
# so that the server notices within half a minute when a machine has vanished
_KEEPALIVES: Final = {
    "tcp_keepalives_idle": "15",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
}


def payload(sender: str, kind: str, number: int, guild_id: int = NO_GUILD) -> str:
    """Return the text of a notification for other processes.

    `number`: the id of the changed table or person, as `kind` says. For `kind` "last", it is a
    shard's last interaction. In notifications about shards, `guild_id` is the number of a shard's
    lock.
    """
    return f"{sender} {kind} {number} {guild_id}"


class Session(Processes):
    """Coordination with other processes by PostgreSQL's session locks and notifications.

    `url` must lead to PostgreSQL itself: a pooler would give each transaction another session.
    `within`: seconds for which to try to take shards.
    """

    def __init__(self, url: URL, within: float = TAKE_WITHIN) -> None:
        super().__init__()  # the session's locks do not exclude its own process
        self.me = secrets.token_hex(4)  # identifies this process's notifications and sessions
        # two containers may have one host name and one process id
        self._name = f"bluffhouse {socket.gethostname()[:32]} {os.getpid()} {self.me}"
        self._url = url
        self._within = within
        self._connection: asyncpg.Connection | None = None
        self._speaking = asyncio.Lock()  # only one statement at a time
        self._shards: Shards | None = None
        self._awaited: Shards | None = None  # the shards that this process stands by for
        self._stands_on: asyncpg.Connection | None = None  # holds the locks for standing by
        self._hears = False  # whether it holds the second of them
        self._notified = asyncio.Event()
        # the last interactions of leaving processes, by their `me`
        self._last: dict[str, dict[int, int]] = defaultdict(dict)
        self._holder = ""  # `me` of the process last seen with a wanted shard
        self._succeeded = False  # set if another process took over while there was no session
        self._heard: Heard | None = None
        self._returned: Returned | None = None
        self._lost = asyncio.Event()
        self._certain = asyncio.Event()  # set while this connection holds the shards' locks
        self._hearing: set[asyncio.Task[None]] = set()
        self._outlasting: set[asyncpg.Connection] = set()
        self._closed = False

    # -- the connection ----------------------------------------------------------------------------

    async def _ensure_connected(self) -> asyncpg.Connection:
        """Return the session's connection, opening one if there is none. Raises `NotAnswering`."""
        connection = self._connection
        if connection is not None and not connection.is_closed():
            return connection
        if self._closed:
            raise NotAnswering("the session is closed")
        try:
            return await self._connect()
        except NotReached as error:  # it worked at the start, so it may again
            raise NotAnswering(f"no session on the database: {error}") from error

    async def _connect(self) -> asyncpg.Connection:
        """Open the session's connection. Raises `StorageError`."""
        connection = await self._open_connection()
        self._lost.clear()
        connection.add_termination_listener(self._on_terminated)
        self._connection = connection
        return connection

    def _on_terminated(self, _: object) -> None:
        self._lost.set()
        self._certain.clear()

    async def _open_connection(self) -> asyncpg.Connection:
        """Open a connection. Raises `StorageError`."""
        import asyncpg

        _, options = self._url.get_dialect()().create_connect_args(self._url)
        try:
            return await asyncpg.connect(
                **options,
                timeout=PATIENCE,
                command_timeout=PATIENCE,
                server_settings={"application_name": self._name, **_KEEPALIVES},
            )
        except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            where = self._url.render_as_string(hide_password=True)
            raise storage_error(where, error, server=True) from error

    @asynccontextmanager
    async def hold_probe_lock(self) -> AsyncIterator[dict[str, int]]:
        """Connect, and hold a random lock that no other process knows. Raises `StorageError`.

        Yields the lock's `kind` and `number`, which the query `_HELD` takes as parameters.
        """
        await self._connect()
        lock = {"kind": _MEETING, "number": secrets.randbits(31)}
        await self._try(**lock)
        try:
            yield lock
        finally:
            await self._let_go(**lock)

    async def _fetch(self, query: str, *values: object) -> list[Any]:
        """Return the rows of a query. Raises `NotAnswering` if the session is lost."""
        async with self._exclusive_connection() as connection:
            return list(await connection.fetch(query, *values))

    @asynccontextmanager
    async def _exclusive_connection(self) -> AsyncIterator[asyncpg.Connection]:
        """Yield the connection to one task at a time. Raises `NotAnswering` if it breaks."""
        import asyncpg

        async with self._speaking:
            connection = await self._ensure_connected()
            try:
                yield connection
            except (
                *(OSError, TimeoutError, asyncpg.InterfaceError),
                asyncpg.InternalClientError,  # closed during a query
            ) as error:
                # otherwise a late answer would be taken for the next query's
                connection.terminate()
                raise NotAnswering(f"the session was lost: {_error_text(error)}") from error
            except asyncpg.PostgresError as error:
                if connection.is_closed():
                    raise NotAnswering(f"the session was lost: {_error_text(error)}") from error
                raise

    # -- shards ------------------------------------------------------------------------------------

    async def take(self, shards: Shards) -> None:
        """Take the lock of each shard, trying for some time.

        Raises `ShardsTaken` if another process keeps one, and `NotAnswering` if PostgreSQL doesn't
        answer.
        """
        self._shards = shards
        await self._take(shards)
        self._certain.set()

    async def take_or_stand_by(self, shards: Shards) -> bool:
        """Take the shards, or stand by to succeed the process that has them; return whether taken.

        Raises `ShardsTaken` if both fail for some time, and `NotAnswering` if PostgreSQL doesn't
        answer.
        """
        if await self._take(shards, or_stand_by=True):
            self._shards = shards
            self._certain.set()
            return True
        self._awaited, self._stands_on = shards, self._connection
        return False

    async def _take(
        self, shards: Shards, *, or_stand_by: bool = False, again: bool = False
    ) -> bool:
        """Take the shards, trying for some time. Return False if this process stands by instead.

        `again`: the shards were this process's before, and its lost session may still hold them.
        Raises `ShardsTaken`, `NotAnswering`.
        """
        loop = asyncio.get_running_loop()
        last, is_logged = loop.time() + self._within, False
        while True:
            try:
                taken = await self._try_to_take(shards)
                if taken is None:
                    return True
                if or_stand_by and await self._may_stand_by(shards):
                    return False
                self._succeeded = again and await self._has_lost_shards(shards)
            except NotAnswering:
                if loop.time() >= last:
                    raise
                await asyncio.sleep(LOOK_SECONDS)
                continue
            if self._succeeded or loop.time() >= last:
                raise ShardsTaken(
                    f"another process with this database, {taken}: stop that one first, or give"
                    " this one other shards (shards.ids) of the same shards.count"
                )
            if not is_logged:
                is_logged = True
                log.warning("shards: not free, waiting", found=taken, seconds=self._within)
            await asyncio.sleep(LOOK_SECONDS)

    async def _try_to_take(self, shards: Shards) -> str | None:
        """Take all of the shards or none. Return None on success, else a text that says why not."""
        why: str | None = None
        held: list[int] = []
        by: set[object] = set()  # a session lost meanwhile has also lost its locks
        for shard in shards.ids:
            if not await self._try(_SHARDS, _lock_number(shards, shard)):
                break
            held.append(shard)
            by.add(self._connection)
        for row in await self._fetch(SHARD_LOCKS):
            count, locked = divmod(row["number"], 1 << _COUNT_BITS)
            if count != shards.count or locked in shards.ids:
                if locked in shards.ids and row["name"] is not None:
                    self._holder = row["name"].rpartition(" ")[2]
                why = f"{row['name']} serves shard {locked} of {count}"
                break
        by.add(self._connection)
        if why is None and len(held) == len(shards.ids) and len(by) == 1:
            return None
        for shard in held:
            await self._let_go(_SHARDS, _lock_number(shards, shard))
        return why or "another process has just let go of a shard"

    # -- one process after another -----------------------------------------------------------------

    async def _may_stand_by(self, shards: Shards) -> bool:
        """Take the lock for standing by, if exactly one other process has exactly these shards.

        Return whether the lock was taken: a third process may have it.
        """
        rows = await self._fetch(SHARD_LOCKS)
        ours = {_lock_number(shards, shard) for shard in shards.ids}
        holders = {row["pid"] for row in rows if row["number"] in ours}
        theirs = {row["number"] for row in rows if row["pid"] in holders}
        return len(holders) == 1 and ours == theirs and await self._try(_STANDS_BY, _first(shards))

    async def _has_lost_shards(self, shards: Shards) -> bool:
        """Return whether a known process other than this one has one of the shards."""
        ours = {_lock_number(shards, shard) for shard in shards.ids}
        rows = await self._fetch(SHARD_LOCKS)
        return any(row["number"] in ours and row["name"] not in (None, self._name) for row in rows)

    @property
    def stands_by(self) -> bool:
        """Whether the process that has the shards may hand them over to this one."""
        if self._awaited is None or self._connection is None or self._connection.is_closed():
            return False
        return self._hears and self._stands_on is self._connection

    async def take_over(self, hears: Callable[[], bool]) -> Last:
        """Wait until this process has the awaited shards; return the last interactions by shard.

        The previous process answers interactions up to these. This process answers all later ones.
        The result is empty if the previous process vanished. A vanished process may go on for a
        while, cut off from the database. `hears()` returns whether this process now receives every
        interaction. Raises `NotAnswering` once the session is closed.
        """
        shards = self._awaited
        assert shards is not None
        while True:
            self._notified.clear()
            try:
                await self._stand_by(shards, hears())
                if await self._try_to_take(shards) is None:
                    break
            except NotAnswering:
                pass
            except Exception:  # the leaving process relies on this one, so keep trying
                log.exception("shards: could not be looked at, trying again")
            if self._closed:
                raise NotAnswering("the session is closed")
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_SECONDS):
                    await self._notified.wait()
        self._shards, self._awaited = shards, None
        self._certain.set()
        with contextlib.suppress(NotAnswering):  # a lost session has lost its locks already
            await self._let_go(_STANDS_BY, _first(shards))
            if self._hears:
                await self._let_go(_HEARS, _first(shards))
        return self._last.get(self._holder, {})

    async def _stand_by(self, shards: Shards, hears: bool) -> None:
        """Listen to the leaving process, and tell it whether this process `hears` interactions."""
        await self._tune_in()
        if self._stands_on is not self._connection:  # the session was lost, and its locks with it
            await self._try(_STANDS_BY, _first(shards))
            self._stands_on, self._hears = self._connection, False
        if hears and not self._hears:
            self._hears = await self._try(_HEARS, _first(shards))
            if self._hears:
                log.info("bot: stands by")
        elif self._hears and not hears:
            await self._let_go(_HEARS, _first(shards))
            self._hears = False

    @property
    def in_doubt(self) -> bool:
        """Whether the session was lost, so that another process may have taken the shards."""
        return self._shards is not None and (self._succeeded or not self._certain.is_set())

    async def out_of_doubt(self) -> bool:
        """Wait until it is certain who has the shards; return whether this process still does."""
        await self._certain.wait()
        return not self._succeeded

    async def has_successor(self) -> bool:
        """Return whether another process took over, or stands by and receives every interaction.

        Return False if PostgreSQL doesn't answer.
        """
        if self._succeeded or self._shards is None:
            return self._succeeded
        lock = _HEARS, _first(self._shards)
        try:
            async with asyncio.timeout(ASKED_WITHIN):
                return bool(await self._fetch(_HELD_BY_ANY, *lock))
        except (NotAnswering, TimeoutError):
            return False

    async def leave(self, last: Last) -> None:
        """Tell the standby process the last interaction that this process answers, for each shard.

        Do nothing if this process has no shards, or if PostgreSQL doesn't answer.
        """
        shards = self._shards
        if shards is None:
            return
        messages = [
            payload(self.me, _LAST, last.get(shard, 0), _lock_number(shards, shard))
            for shard in shards.ids
        ]
        with contextlib.suppress(NotAnswering):
            await self._fetch(
                "SELECT pg_notify($1, n) FROM unnest($2::text[]) AS n", CHANNEL, messages
            )

    async def release(self, last: Last) -> None:
        """Tell the standby process the `last` interactions, as `leave` does; release the shards.

        Do nothing if this process has no shards. If PostgreSQL doesn't answer, the standby process
        isn't told, and the locks end with the session.
        """
        shards = self._shards
        if shards is None:
            return
        await self.leave(last)
        numbers = [_lock_number(shards, shard) for shard in shards.ids]
        with contextlib.suppress(NotAnswering):  # a lost session has lost its locks already
            await self._fetch(
                "SELECT pg_advisory_unlock($1::int4, n) FROM unnest($2::int4[]) AS n",
                _SHARDS,
                numbers,
            )
        message = payload(self.me, _FREE, 0, _first(shards))
        with contextlib.suppress(NotAnswering):
            await self._fetch("SELECT pg_notify($1, $2)", CHANNEL, message)
        self._shards = None

    async def _try(self, kind: int, number: int) -> bool:
        (row,) = await self._fetch("SELECT pg_try_advisory_lock($1::int4, $2::int4)", kind, number)
        return bool(row[0])

    async def _let_go(self, kind: int, number: int) -> None:
        await self._fetch("SELECT pg_advisory_unlock($1::int4, $2::int4)", kind, number)

    # -- other locks -------------------------------------------------------------------------------

    async def lock(self, name: str, number: int = 0) -> None:
        """Wait until no other task or process holds this lock, then hold it.

        After `PROCEED_SECONDS` without a session, hold it only against this process's other tasks.
        """
        await super().lock(name, number)
        loop = asyncio.get_running_loop()
        since: float | None = None
        try:
            while True:
                try:
                    if await self._try_lock(name, number):
                        return
                    since = None
                except NotAnswering:
                    since = since if since is not None else loop.time()
                    if loop.time() >= since + PROCEED_SECONDS:
                        log.warning("database: no session, going on without its lock", lock=name)
                        return
                await asyncio.sleep(LOOK_SECONDS)
        except BaseException:
            await super().unlock(name, number)
            raise

    async def _try_lock(self, name: str, number: int) -> bool:
        """Take the lock. Return False if another process has it or keeps it with `outlast`."""
        if not await self._try(_CLASSES[name], number):
            return False
        outlasts = _OUTLASTING.get(name)
        if outlasts is None:
            return True
        free = await self._try(outlasts, number)
        await self._let_go(outlasts if free else _CLASSES[name], number)
        return free

    async def outlast(self, name: str, number: int, seconds: float) -> None:
        """Keep other processes from taking this lock for `seconds`, even if this process ends.

        A separate session holds the lock during a `pg_sleep`. If this process ends, PostgreSQL
        notices only after the sleep, and then releases the lock. If the separate session cannot be
        opened, the lock ends with this process.
        """
        import asyncpg

        try:
            connection = await self._open_connection()
            await connection.execute(f"SELECT pg_advisory_lock({_OUTLASTING[name]}, {number})")
        except (StorageError, OSError, TimeoutError, asyncpg.PostgresError) as error:
            log.warning("database: a lock cannot be outlasted", lock=name, error=_error_text(error))
            return

        async def sleep() -> None:
            with contextlib.suppress(Exception):
                await connection.execute(f"SELECT pg_sleep({seconds})", timeout=seconds + PATIENCE)
            connection.terminate()
            self._outlasting.discard(connection)

        self._outlasting.add(connection)
        self._begin(sleep)

    async def unlock(self, name: str, number: int = 0) -> None:
        """Release the lock: in the database, unless the session was lost, and in this process."""
        try:
            with contextlib.suppress(NotAnswering):
                if self._connection is not None and not self._connection.is_closed():
                    await self._let_go(_CLASSES[name], number)
        finally:
            await super().unlock(name, number)

    # -- news --------------------------------------------------------------------------------------

    async def listen(self, heard: Heard, returned: Returned) -> None:
        """Call `heard` for changes by other processes from now on.

        Call `returned` once a lost session is replaced, as some changes may have been missed.
        """
        self._heard, self._returned = heard, returned
        try:
            await self._tune_in()
        except NotAnswering:
            self._lost.set()  # `watch` reconnects

    async def _tune_in(self) -> None:
        async with self._exclusive_connection() as connection:
            await connection.add_listener(CHANNEL, self._on_notification)

    def _on_notification(
        self, _connection: object, _pid: int, _channel: str, message: object
    ) -> None:
        try:  # any client of the database may send anything here
            sender, kind, number, guild_id = str(message).split()
            about = int(number), int(guild_id)
        except ValueError:
            return
        if kind in (_LAST, _FREE):
            count, shard = divmod(about[1], 1 << _COUNT_BITS)
            awaited = self._awaited
            if awaited is not None and count == awaited.count and shard in awaited.ids:
                if kind == _LAST:
                    self._last[sender][shard] = max(self._last[sender].get(shard, 0), about[0])
                self._notified.set()
        elif self._heard is not None and sender != self.me:
            self._begin(self._heard, kind, *about)

    def _begin(self, work: Callable[..., Awaitable[None]], *values: object) -> None:
        async def run() -> None:
            try:
                await work(*values)
            except Exception:
                log.exception("shards: news could not be followed")

        task = asyncio.create_task(run(), name="news")
        self._hearing.add(task)
        task.add_done_callback(self._hearing.discard)

    async def watch(self) -> None:
        """Keep the session until cancelled: check it, and reconnect whenever it is lost.

        Raises `ShardsTaken` if another process has taken the shards meanwhile.
        """
        while True:
            try:
                async with asyncio.timeout(BEAT_SECONDS):
                    await self._lost.wait()
            except TimeoutError:
                with contextlib.suppress(NotAnswering):
                    await self._fetch("SELECT 1")
                    if not self.in_doubt:  # otherwise another query has already reconnected
                        continue
            await self._come_back()

    async def _come_back(self) -> None:
        log.warning("database: the session was lost, making it anew")
        for pause in RETRY.pauses():
            try:
                async with self._exclusive_connection():
                    pass  # reconnected
                if self._shards is not None:
                    try:
                        await self._take(self._shards, again=True)
                    except ShardsTaken:
                        self._certain.set()
                        raise
                    self._certain.set()
                if self._heard is not None:
                    await self._tune_in()
            except NotAnswering:
                await asyncio.sleep(pause)
                continue
            log.info("database: the session is there again")
            if self._returned is not None:
                self._begin(self._returned)
            return

    async def close(self) -> None:
        """End the session and its locks, except those that `outlast` keeps."""
        self._closed = True
        for connection in list(self._outlasting):
            connection.terminate()  # before cancelling its task, which would wake the server
        for task in list(self._hearing):
            task.cancel()
        connection, self._connection = self._connection, None
        if connection is None or connection.is_closed():
            return
        try:
            async with asyncio.timeout(1.0):
                await connection.close()
        except Exception:
            connection.terminate()


def _lock_number(shards: Shards, shard: int) -> int:
    return (shards.count << _COUNT_BITS) | shard


def _first(shards: Shards) -> int:
    return _lock_number(shards, shards.ids[0])


def _error_text(error: Exception) -> str:
    return str(error) or type(error).__name__


async def check_same_database(database: Database, session: Session) -> None:
    """Check that locks work, and that both addresses lead to the same database.

    The names prove nothing, as a pooler may rename a database. So the session takes a lock, and the
    other connection checks for it. Raises `StorageError`, and what the driver raises.
    """
    async with session.hold_probe_lock() as lock:
        row = await database.read(lambda c: c.execute(_HELD, lock).first())
        if row is None:
            raise NotReached(
                "database.url and database.direct_url lead to different databases; both must lead"
                " to the same one"
            )
