"""Rebuild records from the logs, as if each match had been recorded when it ended.

Each server has its own transaction. First, matches are read in a thread, without blocking
anything. Then the server's records are locked, matches that ended meanwhile are read too,
and everything is computed and written at once. So this is safe while other processes use
PostgreSQL; an SQLite database has only one process.

Matches that are recorded already keep their order. A match that was never recorded (from
before records existed, or unreadable at the time) is inserted by the time it ended, in the
season of that time.
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
    """Counts of servers, won matches and counted matches, and the ids of damaged matches."""

    servers: int
    won: int
    counted: int
    damaged: tuple[int, ...]  # their ids


@dataclass(frozen=True, slots=True)
class _Won:
    """A won match, with its number and season in the records if it is recorded."""

    id: int
    ended_at: int
    number: int | None
    season: int | None


class SqlRebuilding(Part):
    """Rebuilds records from logs."""

    @reads
    def outdated_guilds(self, c: Connection) -> list[int]:
        """Return the ids of servers whose records are not of the current `VERSION`."""
        query = select(_B.guild_id).where(_B.version != VERSION).order_by(_B.guild_id)
        return _sound_guilds(c.execute(query))

    @reads
    def servers_with_matches(self, c: Connection) -> list[int]:
        """Return the ids of all servers in which a match was won, or that have records."""
        query = (
            select(_T.guild_id)
            .distinct()
            .join(schema.matches, _M.table_id == _T.id)
            .where(_M.status == MatchStatus.WON.value, _T.guild_id != 0)
            .union(select(_B.guild_id))
            .order_by("guild_id")
        )
        return _sound_guilds(c.execute(query))

    async def rebuild(
        self, guilds: Iterable[int], progress: Callable[[int], None] = lambda _: None
    ) -> Rebuilt:
        """Rebuild these servers' records.

        `progress` is called with the number of matches read so far.
        """
        servers = won = counted = read = 0
        damaged: set[int] = set()
        for guild_id in guilds:
            known: dict[int, MatchRecord | None] = {}
            for match in await self._database.read(_won, guild_id):
                known[match.id] = await self._read(match.id, damaged)
                read += 1
                progress(read)
            matches = await self._database.write(self._rebuild, guild_id, known, damaged)
            servers, won, counted = servers + 1, won + matches[0], counted + matches[1]
        return Rebuilt(servers, won, counted, tuple(sorted(damaged)))

    async def _read(self, match_id: int, damaged: set[int]) -> MatchRecord | None:
        """Return a match's record; None if the match is gone, doesn't count or can't be read.

        If the match can't be read, add its id to `damaged`.
        """
        with _reporting(match_id, damaged):
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
        """Rewrite a server's records; return how many matches were won, and how many count.

        `known`: the matches read so far, by id; None for one that doesn't count or is damaged.
        Matches that ended since are read here and added to `known`; the ids of unreadable ones are
        added to `damaged`.
        """
        first = min((match.ended_at for match in _won(c, guild_id)), default=0)
        _, season = lock_book(c, guild_id, first)
        won = _won(c, guild_id)
        for match in won:
            if match.id not in known:  # it ended meanwhile
                with _reporting(match.id, damaged):
                    stored = match_of(c, match.id)
                    known[match.id] = None if stored is None else record_of(stored)
        query = select(_S.guild_id, _S.number, _S.started_at).where(_S.guild_id == guild_id)
        begun = sound(c.execute(query), self._set_aside, schema.seasons)
        counted = [
            (record, number)
            for match_id, number in _in_order(won, begun)
            if (record := known.get(match_id)) is not None
        ]
        _write(c, guild_id, season, counted, Book.from_matches(counted))
        return len(won), len(counted)


@contextmanager
def _reporting(match_id: int, damaged: set[int]) -> Iterator[None]:
    """Log a match that cannot be read and add it to `damaged`, instead of raising the error.

    Errors of the database are raised.
    """
    try:
        yield
    except (StoreUnavailable, OperationalError):  # the database failed, not the match
        raise
    except Exception as error:
        damaged.add(match_id)
        why = error.reason if isinstance(error, Damaged) else type(error).__name__
        log.error("records: a match cannot be read", match=match_id, error=why)


def _won(c: Connection, guild_id: int) -> list[_Won]:
    """Return a server's won matches. An unreadable time counts as the earliest."""
    query = (
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
        for row in c.execute(query)
    ]


def _sound_guilds(result: Result[Any]) -> list[int]:
    return [guild for guild in result.scalars() if type(guild) is int]


def _in_order(won: list[_Won], begun: list[Any]) -> list[tuple[int, int]]:
    """Return the matches as (id, season), in the order to record them.

    `begun`: the server's seasons. A match that was never recorded belongs to the season in which it
    ended.
    """

    def with_season(match: _Won) -> tuple[int, int]:
        on = [season.number for season in begun if season.started_at <= match.ended_at]
        return match.id, max(on, default=1)

    new = sorted(
        (match for match in won if match.number is None),
        key=lambda match: (match.ended_at, match.id),
    )
    recorded = sorted((match.number, match) for match in won if match.number is not None)
    ordered: list[tuple[int, int]] = []
    for _, match in recorded:
        while new and new[0].ended_at < match.ended_at:
            ordered.append(with_season(new.pop(0)))
        ordered.append((match.id, match.season or 1))
    return ordered + [with_season(match) for match in new]


def _write(
    c: Connection,
    guild_id: int,
    season: int,
    records: list[tuple[MatchRecord, int]],
    book: Book,
) -> None:
    for table in (schema.recorded_matches, schema.person_records, schema.pair_records):
        c.execute(delete(table).where(table.c.guild_id == guild_id))
    order = [
        {"guild_id": guild_id, "number": number, "match_id": record.match_id, "season": of}
        for number, (record, of) in enumerate(records, start=1)
    ]
    # a damaged guild id may still use one of these match ids
    for some in parts([record.match_id for record, _ in records]):
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
    book_values = {"season": season, "recorded": len(records), "version": VERSION}
    c.execute(update(schema.record_books).where(_B.guild_id == guild_id).values(**book_values))
    for number in range(1, season + 1):
        matches = sum(1 for _, of in records if of == number)
        c.execute(
            update(schema.seasons)
            .where(_S.guild_id == guild_id, _S.number == number)
            .values(matches=matches)
        )
