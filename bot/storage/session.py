"""One connection of a process straight to PostgreSQL: it holds locks, and hears of tables.

A shard is one process's as long as its session holds the shard's advisory lock, which PostgreSQL
lets go of when the session ends, however that came. A session that was lost is made anew: the locks
are taken again, and whoever listens is told that something may have been missed.

In an update a second process of the same shards stands by. It holds two locks: by the first it is
the only one, by the second the process that leaves knows that somebody hears what is pressed.
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

from bot.settings.shards import NO_GUILD, Heard, Last, Processes, Returned, Shards
from bot.storage import NotAnswering, NotReached, ShardsTaken, StorageError
from bot.storage.addresses import reason
from bot.storage.database import Database

if TYPE_CHECKING:
    import asyncpg

log = structlog.get_logger(__name__)

CHANNEL: Final = "bluffhouse_news"  # on which processes tell each other what has changed
TAKE_WITHIN: Final = 60.0  # seconds; a process that was killed leaves its session for a while
LOOK_SECONDS: Final = 0.2  # between two tries for a lock: a statement that waits could hang
BEAT_SECONDS: Final = 5.0  # between two looks whether the session is still there
FIRST_PAUSE, LONGEST_PAUSE = 0.25, 5.0  # between two tries to connect
PATIENCE: Final = 5.0  # for one statement, and for a connection
ASKED_WITHIN: Final = 0.5  # by a process that leaves, while people wait
PROCEED_SECONDS: Final = 30.0  # without a session, until something is done without its lock
# the first half of an advisory lock's key; the second is a number, for shards with their count
_SHARDS: Final = 0x626C7501  # "blu", 1
_CLASSES: Final = {"identify": 0x626C7502, "commands": 0x626C7503}
_MEETING: Final = 0x626C7504
_STANDS_BY, _HEARS = 0x626C7506, 0x626C7507
_LAST, _FREE = "last", "free"  # told to who stands by: a shard's last interaction; it may take
_OUTLASTING: Final = {"identify": 0x626C7505}  # held for a while, whatever becomes of the process
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
# who serves shards on this database: the lock's number and the session's name
SHARD_LOCKS: Final = (
    "SELECT objid::int8 AS number, application_name AS name, pid FROM pg_locks"
    " LEFT JOIN pg_stat_activity USING (pid) WHERE locktype = 'advisory' AND granted"
    f" AND classid = {_SHARDS} AND objsubid = 2 AND pid <> pg_backend_pid()"
    f" AND pg_locks.database = {HERE}"
)
# the server is to notice within half a minute that a machine has gone without a word
_KEEPALIVES: Final = {
    "tcp_keepalives_idle": "15",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
}


def payload(sender: str, kind: str, number: int, guild_id: int = NO_GUILD) -> str:
    """What is sent on `CHANNEL` of a table that was moved on, or of a person."""
    return f"{sender} {kind} {number} {guild_id}"


class Session(Processes):
    """The others by PostgreSQL's session locks and notifications.

    `url` leads to PostgreSQL itself: a pooler would give each transaction another session.
    """

    def __init__(self, url: URL, within: float = TAKE_WITHIN) -> None:
        super().__init__()  # the session's locks do not keep its own process out
        self.me = secrets.token_hex(4)  # tells this process's words and sessions from others'
        # two containers may have one host name and one process id
        self._name = f"bluffhouse {socket.gethostname()[:32]} {os.getpid()} {self.me}"
        self._url = url
        self._within = within
        self._connection: asyncpg.Connection | None = None
        self._speaking = asyncio.Lock()  # one statement at a time
        self._shards: Shards | None = None
        self._awaited: Shards | None = None  # while it stands by for them
        self._stands_on: asyncpg.Connection | None = None  # which holds the locks of who stands by
        self._hears = False  # whether it holds the second of them
        self._told = asyncio.Event()
        # the last interactions of processes that leave these shards, by the `me` of each
        self._last: dict[str, dict[int, int]] = defaultdict(dict)
        self._holder = ""  # the `me` of who had a shard that this process wants, when last seen
        self._succeeded = False  # another has taken over while there was no session
        self._heard: Heard | None = None
        self._returned: Returned | None = None
        self._lost = asyncio.Event()
        self._certain = asyncio.Event()  # this connection holds the shards' locks
        self._hearing: set[asyncio.Task[None]] = set()
        self._outlasting: set[asyncpg.Connection] = set()
        self._closed = False

    # -- the connection ----------------------------------------------------------------------------

    async def _connected(self) -> asyncpg.Connection:
        """The session's connection, made if there is none. Raises `NotAnswering`."""
        found = self._connection
        if found is not None and not found.is_closed():
            return found
        if self._closed:
            raise NotAnswering("the session is closed")
        try:
            return await self._connect()
        except NotReached as error:  # what was right at the start may be so again
            raise NotAnswering(f"no session on the database: {error}") from error

    async def _connect(self) -> asyncpg.Connection:
        """A new connection for the session. Raises `StorageError`."""
        made = await self._another()
        self._lost.clear()
        made.add_termination_listener(self._terminated)
        self._connection = made
        return made

    def _terminated(self, _: object) -> None:
        self._lost.set()
        self._certain.clear()

    async def _another(self) -> asyncpg.Connection:
        """A new connection. Raises `StorageError`."""
        import asyncpg

        _, given = self._url.get_dialect()().create_connect_args(self._url)
        try:
            return await asyncpg.connect(
                **given,
                timeout=PATIENCE,
                command_timeout=PATIENCE,
                server_settings={"application_name": self._name, **_KEEPALIVES},
            )
        except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            where = self._url.render_as_string(hide_password=True)
            raise reason(where, error, server=True) from error

    @asynccontextmanager
    async def meeting(self) -> AsyncIterator[dict[str, int]]:
        """A session, with a lock that nobody else knows of. Raises `StorageError`."""
        await self._connect()
        lock = {"kind": _MEETING, "number": secrets.randbits(31)}
        await self._try(**lock)
        try:
            yield lock
        finally:
            await self._let_go(**lock)

    async def _ask(self, query: str, *given: object) -> list[Any]:
        """The rows of a query. Raises `NotAnswering` where there is no session any more."""
        async with self._talking() as connection:
            return list(await connection.fetch(query, *given))

    @asynccontextmanager
    async def _talking(self) -> AsyncIterator[asyncpg.Connection]:
        """The connection, to this task alone. Raises `NotAnswering` if it is lost meanwhile."""
        import asyncpg

        async with self._speaking:
            connection = await self._connected()
            try:
                yield connection
            except (
                *(OSError, TimeoutError, asyncpg.InterfaceError),
                asyncpg.InternalClientError,  # when it is closed while somebody still asks
            ) as error:
                connection.terminate()  # it may answer no more, or to the question before
                raise NotAnswering(f"the session was lost: {_error_text(error)}") from error
            except asyncpg.PostgresError as error:
                if connection.is_closed():
                    raise NotAnswering(f"the session was lost: {_error_text(error)}") from error
                raise

    # -- shards ------------------------------------------------------------------------------------

    async def take(self, shards: Shards) -> None:
        """Hold the lock of each shard. Raises `ShardsTaken` if another has one for so long."""
        self._shards = shards
        await self._take(shards)
        self._certain.set()

    async def take_or_stand_by(self, shards: Shards) -> bool:
        """Take the shards, or stand by for the one process that has them: whether they are taken.

        Raises `ShardsTaken` if for so long another process stands by already, or has some of them
        or more.
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
        """Whether they are taken. `again`: their session was lost, and may linger for a while."""
        loop = asyncio.get_running_loop()
        last, said = loop.time() + self._within, False
        while True:
            try:
                taken = await self._try_to_take(shards)
                if taken is None:
                    return True
                if or_stand_by and await self._may_stand_by(shards):
                    return False
                self._succeeded = again and await self._are_taken_over(shards)
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
            if not said:
                said = True
                log.warning("shards: not free, waiting", found=taken, seconds=self._within)
            await asyncio.sleep(LOOK_SECONDS)

    async def _try_to_take(self, shards: Shards) -> str | None:
        """None if all of them are this process's now, else who has what; then none of them is."""
        why: str | None = None
        held: list[int] = []
        by: set[object] = set()  # sessions: locks of one that was lost meanwhile are gone
        for one in shards.ids:
            if not await self._try(_SHARDS, _numbered(shards, one)):
                break
            held.append(one)
            by.add(self._connection)
        for row in await self._ask(SHARD_LOCKS):
            count, shard = divmod(row["number"], 1 << _COUNT_BITS)
            if count != shards.count or shard in shards.ids:
                if shard in shards.ids and row["name"] is not None:
                    self._holder = row["name"].rpartition(" ")[2]
                why = f"{row['name']} serves shard {shard} of {count}"
                break
        by.add(self._connection)
        if why is None and len(held) == len(shards.ids) and len(by) == 1:
            return None
        for one in held:
            await self._let_go(_SHARDS, _numbered(shards, one))
        return why or "another process has just let go of a shard"

    # -- one process after another -----------------------------------------------------------------

    async def _may_stand_by(self, shards: Shards) -> bool:
        """Whether one other process has just these shards, and nobody else stands by for them."""
        rows = await self._ask(SHARD_LOCKS)
        ours = {_numbered(shards, one) for one in shards.ids}
        holders = {row["pid"] for row in rows if row["number"] in ours}
        theirs = {row["number"] for row in rows if row["pid"] in holders}
        return len(holders) == 1 and ours == theirs and await self._try(_STANDS_BY, _first(shards))

    async def _are_taken_over(self, shards: Shards) -> bool:
        """Whether another process has one of these shards, not a session of this one's."""
        ours = {_numbered(shards, one) for one in shards.ids}
        rows = await self._ask(SHARD_LOCKS)
        return any(row["number"] in ours and row["name"] not in (None, self._name) for row in rows)

    @property
    def stands_by(self) -> bool:
        """Whether the process that has the shards may leave them to this one."""
        if self._awaited is None or self._connection is None or self._connection.is_closed():
            return False
        return self._hears and self._stands_on is self._connection

    async def succeed(self, hears: Callable[[], bool]) -> Last:
        """Wait until the shards that this process stands by for are its own.

        The last interactions that the process before answers; of no shard if it went without a
        word, and then it may go on for a while, cut off from the database.
        `hears` says whether this one is told of all that is pressed just now. Raises `NotAnswering`
        when it is closed.
        """
        shards = self._awaited
        assert shards is not None
        while True:
            self._told.clear()
            try:
                await self._stand_by(shards, hears())
                if await self._try_to_take(shards) is None:
                    break
            except NotAnswering:
                pass
            except Exception:  # whoever leaves counts on this one: it goes on, whatever it was
                log.exception("shards: could not be looked at, trying again")
            if self._closed:
                raise NotAnswering("the session is closed")
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_SECONDS):
                    await self._told.wait()
        self._shards, self._awaited = shards, None
        self._certain.set()
        with contextlib.suppress(NotAnswering):  # they went with the session
            await self._let_go(_STANDS_BY, _first(shards))
            if self._hears:
                await self._let_go(_HEARS, _first(shards))
        return self._last.get(self._holder, {})

    async def _stand_by(self, shards: Shards, hears: bool) -> None:
        """Hear the process that leaves; have it know whether this one `hears` what is pressed."""
        await self._tune_in()
        if self._stands_on is not self._connection:  # the locks went with the session
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
        """Whether another process may have taken the shards, as the session was lost."""
        return self._shards is not None and (self._succeeded or not self._certain.is_set())

    async def out_of_doubt(self) -> bool:
        """Wait until that is known; whether they are this process's."""
        await self._certain.wait()
        return not self._succeeded

    async def is_succeeded(self) -> bool:
        """Whether a process stands by and hears what is pressed, or has taken over."""
        if self._succeeded or self._shards is None:
            return self._succeeded
        given = _HEARS, _first(self._shards)
        try:
            async with asyncio.timeout(ASKED_WITHIN):
                return bool(await self._ask(_HELD_BY_ANY, *given))
        except (NotAnswering, TimeoutError):
            return False

    async def leave(self, last: Last) -> None:
        """Tell who stands by which interactions are the last that this process answers."""
        shards = self._shards
        if shards is None:
            return
        told = [
            payload(self.me, _LAST, last.get(one, 0), _numbered(shards, one)) for one in shards.ids
        ]
        with contextlib.suppress(NotAnswering):
            await self._ask("SELECT pg_notify($1, n) FROM unnest($2::text[]) AS n", CHANNEL, told)

    async def let_go(self, last: Last) -> None:
        """Have no shard any more, and tell who stands by; first of all of the `last`."""
        shards = self._shards
        if shards is None:
            return
        await self.leave(last)
        numbers = [_numbered(shards, one) for one in shards.ids]
        with contextlib.suppress(NotAnswering):  # then they went with the session
            await self._ask(
                "SELECT pg_advisory_unlock($1::int4, n) FROM unnest($2::int4[]) AS n",
                _SHARDS,
                numbers,
            )
        told = payload(self.me, _FREE, 0, _first(shards))
        with contextlib.suppress(NotAnswering):
            await self._ask("SELECT pg_notify($1, $2)", CHANNEL, told)
        self._shards = None

    async def _try(self, kind: int, number: int) -> bool:
        (row,) = await self._ask("SELECT pg_try_advisory_lock($1::int4, $2::int4)", kind, number)
        return bool(row[0])

    async def _let_go(self, kind: int, number: int) -> None:
        await self._ask("SELECT pg_advisory_unlock($1::int4, $2::int4)", kind, number)

    # -- other locks -------------------------------------------------------------------------------

    async def lock(self, what: str, number: int = 0) -> None:
        """Wait until no other process holds this lock, and hold it.

        Without a session for `PROCEED_SECONDS` this process's own order has to do.
        """
        await super().lock(what, number)
        loop = asyncio.get_running_loop()
        since: float | None = None
        try:
            while True:
                try:
                    if await self._try_lock(what, number):
                        return
                    since = None
                except NotAnswering:
                    since = since if since is not None else loop.time()
                    if loop.time() >= since + PROCEED_SECONDS:
                        log.warning("database: no session, going on without its lock", lock=what)
                        return
                await asyncio.sleep(LOOK_SECONDS)
        except BaseException:
            await super().unlock(what, number)
            raise

    async def _try_lock(self, what: str, number: int) -> bool:
        """Take the lock, unless another process has it or has ended too short a while ago."""
        if not await self._try(_CLASSES[what], number):
            return False
        outlasts = _OUTLASTING.get(what)
        if outlasts is None:
            return True
        free = await self._try(outlasts, number)
        await self._let_go(outlasts if free else _CLASSES[what], number)
        return free

    async def outlast(self, what: str, number: int, seconds: float) -> None:
        """Keep other processes from this lock for so long from now.

        By another session, which the server has sleep: it notices that nobody is there any more
        only when it wakes. Where none can be made, this process's end lets go of the lock.
        """
        import asyncpg

        try:
            other = await self._another()
            await other.execute(f"SELECT pg_advisory_lock({_OUTLASTING[what]}, {number})")
        except (StorageError, OSError, TimeoutError, asyncpg.PostgresError) as error:
            log.warning("database: a lock cannot be outlasted", lock=what, error=_error_text(error))
            return

        async def sleep() -> None:
            with contextlib.suppress(Exception):
                await other.execute(f"SELECT pg_sleep({seconds})", timeout=seconds + PATIENCE)
            other.terminate()
            self._outlasting.discard(other)

        self._outlasting.add(other)
        self._begin(sleep)

    async def unlock(self, what: str, number: int = 0) -> None:
        """Let go of it; nothing happens if it was lost with the session."""
        try:
            with contextlib.suppress(NotAnswering):
                if self._connection is not None and not self._connection.is_closed():
                    await self._let_go(_CLASSES[what], number)
        finally:
            await super().unlock(what, number)

    # -- news --------------------------------------------------------------------------------------

    async def listen(self, heard: Heard, returned: Returned) -> None:
        """Have `heard` called with what others say, `returned` when it may have been missed."""
        self._heard, self._returned = heard, returned
        try:
            await self._tune_in()
        except NotAnswering:
            self._lost.set()  # whoever watches makes it anew

    async def _tune_in(self) -> None:
        async with self._talking() as connection:
            await connection.add_listener(CHANNEL, self._arrived)

    def _arrived(self, _connection: object, _pid: int, _channel: str, said: object) -> None:
        try:  # anybody who may connect may say anything here
            sender, kind, number, guild_id = str(said).split()
            about = int(number), int(guild_id)
        except ValueError:
            return
        if kind in (_LAST, _FREE):
            count, shard = divmod(about[1], 1 << _COUNT_BITS)
            awaited = self._awaited
            if awaited is not None and count == awaited.count and shard in awaited.ids:
                if kind == _LAST:
                    self._last[sender][shard] = max(self._last[sender].get(shard, 0), about[0])
                self._told.set()
        elif self._heard is not None and sender != self.me:
            self._begin(self._heard, kind, *about)

    def _begin(self, work: Callable[..., Awaitable[None]], *given: object) -> None:
        async def run() -> None:
            try:
                await work(*given)
            except Exception:
                log.exception("shards: news could not be followed")

        task = asyncio.create_task(run(), name="news")
        self._hearing.add(task)
        task.add_done_callback(self._hearing.discard)

    async def watch(self) -> None:
        """Keep the session, and make it anew when it is lost. Raises `ShardsTaken`."""
        while True:
            try:
                async with asyncio.timeout(BEAT_SECONDS):
                    await self._lost.wait()
            except TimeoutError:
                with contextlib.suppress(NotAnswering):
                    await self._ask("SELECT 1")
                    if not self.in_doubt:  # else somebody else's question has made a session anew
                        continue
            await self._come_back()

    async def _come_back(self) -> None:
        pause = FIRST_PAUSE
        log.warning("database: the session was lost, making it anew")
        while True:
            try:
                async with self._talking():
                    pass  # there is one now
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
                pause = min(2 * pause, LONGEST_PAUSE)
                continue
            log.info("database: the session is there again")
            if self._returned is not None:
                self._begin(self._returned)
            return

    async def close(self) -> None:
        """End the session; its locks go with it."""
        self._closed = True
        for other in list(self._outlasting):
            other.terminate()  # first: a task that is cancelled would have the server wake it
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


def _numbered(shards: Shards, shard: int) -> int:
    return (shards.count << _COUNT_BITS) | shard


def _first(shards: Shards) -> int:
    return _numbered(shards, shards.ids[0])


def _error_text(error: Exception) -> str:
    return str(error) or type(error).__name__


async def meet(database: Database, session: Session) -> None:
    """See that locks and news can be had, and that they are this database's.

    Names would not tell, as a pooler may give a database another one. So the session takes a lock,
    and the other way to PostgreSQL is asked whether it is there.

    A bot would find it out a minute later, or, with another database's, never. Raises
    `StorageError`, and what the driver raises.
    """
    async with session.meeting() as lock:
        found = await database.read(lambda c: c.execute(_HELD, lock).first())
        if found is None:
            raise NotReached(
                "database.url and database.direct_url lead to different databases; both must lead"
                " to the same one"
            )
