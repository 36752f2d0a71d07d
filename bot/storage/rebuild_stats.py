"""Records made anew from the logs: the same rows to the last digit, in one transaction a server.

Matches are read first, a thread's work that nobody waits for; then the server's book is locked,
what ended meanwhile is read too, and everything is folded and written at once. So it is safe beside
other processes on PostgreSQL; on SQLite there are none, as the database has one owner.

The order of the matches recorded so far stays. One that was never recorded (from before there were
records, or when it could not be read) takes its place by the time it ended, in the season of then.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import structlog
from sqlalchemy import delete, select, update
from sqlalchemy.engine import Connection, Result
from sqlalchemy.exc import OperationalError

from bot.stats import VERSION
from bot.stats.folding import Book
from bot.stats.match_record import MatchRecord
from bot.storage import schema
from bot.storage.matches import match_of
from bot.storage.part import Part, reads
from bot.storage.retention import parts
from bot.storage.rows import sound
from bot.storage.stats import lock_book, pair_values, person_values, write_all
from bot.tables.errors import Damaged, StoreUnavailable
from bot.tables.model import MatchStatus
from bot.tables.recording import record_of

log = structlog.get_logger(__name__)

_B: Final = schema.record_books.c
_M: Final = schema.matches.c
_R: Final = schema.recorded_matches.c
_S: Final = schema.seasons.c
_T: Final = schema.tables.c


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What was done: servers, matches that were won, how many count, and which are damaged."""

    servers: int
    won: int
    counted: int
    damaged: tuple[int, ...]  # by number


@dataclass(frozen=True, slots=True)
class _Won:
    """A match that was won, with its place in the book if it is there."""

    id: int
    ended_at: int
    number: int | None
    season: int | None


class SqlRebuilding(Part):
    """The part of the store that makes records from logs."""

    @reads
    def outdated(self, c: Connection) -> list[int]:
        """The servers whose records another version of the reading made, or nobody yet."""
        asked = select(_B.guild_id).where(_B.version != VERSION).order_by(_B.guild_id)
        return _whole(c.execute(asked))

    @reads
    def servers_with_matches(self, c: Connection) -> list[int]:
        """Every server in which a match was won."""
        asked = (
            select(_T.guild_id)
            .distinct()
            .join(schema.matches, _M.table_id == _T.id)
            .where(_M.status == MatchStatus.WON.value, _T.guild_id != 0)
            .union(select(_B.guild_id))
            .order_by("guild_id")
        )
        return _whole(c.execute(asked))

    async def rebuild(
        self, guilds: Iterable[int], told: Callable[[int], None] = lambda _: None
    ) -> Rebuilt:
        """Make the records of these servers anew. `told` hears how many matches have been read."""
        servers = won = counted = read = 0
        damaged: set[int] = set()
        for guild_id in guilds:
            known: dict[int, MatchRecord | None] = {}
            for match in await self._database.read(_won, guild_id):
                known[match.id] = await self._read(match.id, damaged)
                read += 1
                told(read)
            here = await self._database.write(self._rebuild, guild_id, known, damaged)
            servers, won, counted = servers + 1, won + here[0], counted + here[1]
        return Rebuilt(servers, won, counted, tuple(sorted(damaged)))

    async def _read(self, match_id: int, damaged: set[int]) -> MatchRecord | None:
        """What a match says; None if it does not count, or cannot be read."""
        with _naming(match_id, damaged):
            match = await self._database.read(match_of, match_id)
            return None if match is None else await asyncio.to_thread(record_of, match)
        return None

    def _rebuild(
        self,
        c: Connection,
        guild_id: int,
        known: dict[int, MatchRecord | None],
        damaged: set[int],
    ) -> tuple[int, int]:
        """Write a server's records anew; how many matches were won there, and how many count."""
        first = min((match.ended_at for match in _won(c, guild_id)), default=0)
        _, season = lock_book(c, guild_id, first)
        found = _won(c, guild_id)
        for match in found:
            if match.id not in known:  # it ended meanwhile
                with _naming(match.id, damaged):
                    stored = match_of(c, match.id)
                    known[match.id] = None if stored is None else record_of(stored)
        asked = select(_S.guild_id, _S.number, _S.started_at).where(_S.guild_id == guild_id)
        begun = sound(c.execute(asked), self._set_aside, schema.seasons)
        kept = [
            (record, number)
            for match_id, number in _in_order(found, begun)
            if (record := known.get(match_id)) is not None
        ]
        _write(c, guild_id, season, kept, Book.of(kept))
        return len(found), len(kept)


@contextmanager
def _naming(match_id: int, damaged: set[int]) -> Iterator[None]:
    """Name a match that cannot be read: one that is none must not hide everybody else's records."""
    try:
        yield
    except (StoreUnavailable, OperationalError):  # the database, not the match
        raise
    except Exception as error:
        damaged.add(match_id)
        why = error.reason if isinstance(error, Damaged) else type(error).__name__
        log.error("records: a match cannot be read", match=match_id, error=why)


def _won(c: Connection, guild_id: int) -> list[_Won]:
    """The matches that were won, by number; one that says no more is the earliest."""
    asked = (
        select(_M.id, _M.ended_at, _R.number, _R.season)
        .join(schema.tables, _T.id == _M.table_id)
        .outerjoin(schema.recorded_matches, _R.match_id == _M.id)
        .where(_T.guild_id == guild_id, _M.status == MatchStatus.WON.value)
    )
    return [
        _Won(
            row.id,
            row.ended_at if type(row.ended_at) is int else 0,
            row.number if type(row.number) is int else None,
            row.season if type(row.season) is int else None,
        )
        for row in c.execute(asked)
    ]


def _whole(found: Result[Any]) -> list[int]:
    """The servers, without what a damaged row has in place of one."""
    return [guild for guild in found.scalars() if type(guild) is int]


def _in_order(found: list[_Won], begun: list[Any]) -> list[tuple[int, int]]:
    """The matches with their seasons, in the order in which they are folded.

    A match that was never recorded is of the season that was on when it ended.
    """

    def placed(match: _Won) -> tuple[int, int]:
        on = [season.number for season in begun if season.started_at <= match.ended_at]
        return match.id, max(on, default=1)

    new = sorted(
        (match for match in found if match.number is None),
        key=lambda match: (match.ended_at, match.id),
    )
    recorded = sorted((match.number, match) for match in found if match.number is not None)
    ordered: list[tuple[int, int]] = []
    for _, match in recorded:
        while new and new[0].ended_at < match.ended_at:
            ordered.append(placed(new.pop(0)))
        ordered.append((match.id, match.season or 1))
    return ordered + [placed(match) for match in new]


def _write(
    c: Connection,
    guild_id: int,
    season: int,
    kept: list[tuple[MatchRecord, int]],
    book: Book,
) -> None:
    for table in (schema.recorded_matches, schema.person_records, schema.pair_records):
        c.execute(delete(table).where(table.c.guild_id == guild_id))
    order = [
        {"guild_id": guild_id, "number": number, "match_id": record.match_id, "season": of}
        for number, (record, of) in enumerate(kept, start=1)
    ]
    # the row of a damaged guild may hold one of them still
    for some in parts([record.match_id for record, _ in kept]):
        c.execute(delete(schema.recorded_matches).where(_R.match_id.in_(some)))
    people = (
        person_values(guild_id, scope, row)
        for scope, rows in book.people.items()
        for row in rows.values()
    )
    pairs = (
        pair_values(guild_id, scope, row)
        for scope, rows in book.pairs.items()
        for row in rows.values()
    )
    write_all(c, schema.recorded_matches, order)
    write_all(c, schema.person_records, people)
    write_all(c, schema.pair_records, pairs)
    done = {"season": season, "recorded": len(kept), "version": VERSION}
    c.execute(update(schema.record_books).where(_B.guild_id == guild_id).values(**done))
    for number in range(1, season + 1):
        matches = sum(1 for _, of in kept if of == number)
        c.execute(
            update(schema.seasons)
            .where(_S.guild_id == guild_id, _S.number == number)
            .values(matches=matches)
        )
