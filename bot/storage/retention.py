"""Deletion: old matches, all data of a server, and the traces that deleting leaves.

Matches are deleted a few at a time in short transactions, so that moves can be stored in between.
All rows that refer to a match or table are deleted with it; the schema's foreign keys tell which.

`secure_delete` overwrites deleted data. But when a row moves to another page, a copy may stay in
the unused part of its old page, and the write-ahead log keeps old pages. VACUUM rewrites every
page, and a truncating checkpoint empties the log. Moves must wait meanwhile, so a large file is
rewritten when it is next opened, before anybody plays. PostgreSQL does all this itself, in its own
time (docs/privacy.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from sqlalchemy import Column, Select, and_, delete, exists, insert, or_, select
from sqlalchemy.engine import Connection

from bot.privacy.results import Purged
from bot.roster import nameless_number, people
from bot.storage import schema
from bot.storage.part import Part, reads, upsert, writes
from bot.storage.personal_data import NAMING, ids_in
from bot.storage.rows import sound
from bot.tables.model import Status

REWRITE: Final = "rewrite"
_C: Final = schema.chores.c
_COMERS: Final = schema.night_comers.c
_DAILY: Final = schema.daily_results.c
_DIGESTS: Final = schema.digests.c
_G: Final = schema.departed_guilds.c
_L: Final = schema.listeners.c
_M: Final = schema.matches.c
_P: Final = schema.players.c
_PERSONS: Final = schema.person_records.c
_R: Final = schema.results.c
_T: Final = schema.tables.c


def referring_columns(to: Column[Any]) -> list[Column[Any]]:
    """Return every column of the schema with a foreign key to the column `to`."""
    return [
        column
        for table in schema.metadata.sorted_tables
        for column in table.c
        if any(key.column is to for key in column.foreign_keys)
    ]


OF_A_MATCH: Final = referring_columns(_M.id)
OF_A_TABLE: Final = [
    column for column in referring_columns(_T.id) if column.table is not schema.matches
]
# a server's own rows; its tables are deleted first, with their matches
OF_A_GUILD: Final = [
    table.c.guild_id
    for table in schema.metadata.sorted_tables
    if "guild_id" in table.c and table is not schema.tables
]


class SqlRetention(Part):
    """Deletes old data."""

    @writes
    def purge_old(self, c: Connection, before: int, most: int) -> Purged:
        """Delete up to `most` matches that ended before `before` (ms).

        A table's latest match stays if the table is live or has changed at or after `before`. If
        there is no match to delete, delete up to `most` tables that have no match, are not live,
        and last changed before `before`.
        """
        live = _T.status.in_((Status.LOBBY.value, Status.PLAYING.value))
        over = and_(~live, _T.updated_at < before)
        matches = (
            select(_M.id, _M.players)
            .join(schema.tables, _T.id == _M.table_id)
            .where(_M.ended_at < before, or_(_T.match_id.is_(None), _T.match_id != _M.id, over))
            .order_by(_M.id)
        )
        unplayed = ~exists().where(_M.table_id == _T.id)
        tables = select(schema.tables).where(over, unplayed).order_by(_T.id)
        return _purge(c, matches.limit(most), tables.limit(most))

    @writes
    def purge_guild(self, c: Connection, guild_id: int, most: int) -> Purged:
        """Delete up to `most` matches of a server; if there are none, up to `most` tables.

        If there are no tables either, delete the server's other data.
        """
        matches = select(_M.id, _M.players).join(schema.tables, _T.id == _M.table_id)
        purged = _purge(
            c,
            matches.where(_T.guild_id == guild_id).limit(most),
            select(schema.tables).where(_T.guild_id == guild_id).limit(most),
        )
        if purged.rows:
            return purged
        listened = select(_L.player_id).where(_L.guild_id == guild_id)
        recorded = select(_PERSONS.player).where(_PERSONS.guild_id == guild_id)
        daily = select(_DAILY.player).where(_DAILY.guild_id == guild_id)
        named = {
            person for ids in (listened, recorded, daily) for person in c.execute(ids).scalars()
        }
        nights = select(schema.nights.c.id).where(schema.nights.c.guild_id == guild_id)
        comers = schema.night_comers
        c.execute(delete(comers).where(comers.c.night_id.in_(nights)))
        for of_guild in OF_A_GUILD:
            c.execute(delete(of_guild.table).where(of_guild == guild_id))
        return Purged(0, _forget_unmet(c, named))

    @reads
    def live_tables_of(self, c: Connection, guild_id: int) -> list[int]:
        """Return the ids of a server's live tables."""
        tables = c.execute(select(_T.id).where(schema.LIVE, _T.guild_id == guild_id))
        return list(tables.scalars())

    @reads
    def stored_guilds(self, c: Connection) -> set[int]:
        """Return the ids of all servers with stored data."""
        known = [_T.guild_id, *(column for column in OF_A_GUILD if column is not _G.guild_id)]
        guilds: set[int] = set()
        for of_guild in known:
            some = c.execute(select(of_guild).distinct())
            guilds |= {guild for guild in some.scalars() if type(guild) is int and guild}
        return guilds

    @reads
    def departed_guilds(self, c: Connection) -> dict[int, int]:
        """Return when (ms) the bot noticed its removal, by the id of the server that removed it."""
        return self._departed_guilds(c)

    def _departed_guilds(self, c: Connection) -> dict[int, int]:
        query = select(_G.guild_id, _G.noticed_at).order_by(_G.noticed_at)
        sure = sound(c.execute(query), self._set_aside, schema.departed_guilds)
        return {row.guild_id: row.noticed_at for row in sure}

    @writes
    def note_departed(self, c: Connection, guilds: Iterable[int], now: int) -> None:
        """Store `now` (ms) as the time when the bot noticed its removal from `guilds`.

        Servers that are already stored keep their earlier time.
        """
        known = self._departed_guilds(c)
        new = [{"guild_id": guild, "noticed_at": now} for guild in set(guilds) - known.keys()]
        upsert(c, schema.departed_guilds, new)

    @writes
    def note_returned(self, c: Connection, guilds: Sequence[int]) -> None:
        """Delete the records that these servers removed the bot."""
        c.execute(delete(schema.departed_guilds).where(_G.guild_id.in_(list(guilds))))

    async def rewrite_if_due(self, largest: int | None = None) -> bool:
        """Rewrite the database's file if somebody was forgotten since the last rewrite.

        Return False if the file must still be rewritten, as when it is larger than `largest` bytes.
        """
        if not await self._database.read(_is_due):
            return True
        file = self._database.file
        if file is not None:
            if largest is not None and file.stat().st_size > largest:
                return False
            await self._database.autocommit("VACUUM")
        await self._database.write(_note_done)
        if file is None:
            return True
        ((busy, *_),) = await self._database.autocommit("PRAGMA wal_checkpoint(TRUNCATE)")
        if busy:  # another connection, such as a backup, is reading the log
            await self._database.write(note_rewrite)
        return not busy


def note_rewrite(c: Connection) -> None:
    """Schedule a rewrite of the database's file."""
    _note_done(c)
    c.execute(insert(schema.chores).values(name=REWRITE))


def _is_due(c: Connection) -> bool:
    return bool(c.execute(select(exists().where(_C.name == REWRITE))).scalar_one())


def _note_done(c: Connection) -> None:
    c.execute(delete(schema.chores).where(_C.name == REWRITE))


def _purge(c: Connection, matches: Select[Any], tables: Select[Any]) -> Purged:
    """Delete the matches that one query selects; if it selects none, delete the selected tables."""
    ended = c.execute(matches).all()
    if ended:
        delete_matches(c, [row.id for row in ended])
        return Purged(len(ended), _forget_unmet_in(c, "matches", ended))
    rows = c.execute(tables).all()
    delete_tables(c, [row.id for row in rows])
    return Purged(len(rows), _forget_unmet_in(c, "tables", rows))


def parts(numbers: Sequence[int]) -> list[list[int]]:
    """Split ids into lists of at most 500, short enough for one SQL condition."""
    return [list(numbers[at : at + 500]) for at in range(0, len(numbers), 500)]


def delete_matches(c: Connection, matches: Sequence[int]) -> None:
    """Delete matches with their logs and all other rows that refer to them."""
    for some in parts(matches):
        for refers in OF_A_MATCH:
            c.execute(delete(refers.table).where(refers.in_(some)))
        c.execute(delete(schema.matches).where(_M.id.in_(some)))


def delete_tables(c: Connection, tables: Sequence[int]) -> None:
    """Delete tables whose matches are deleted already, and all rows that refer to the tables."""
    for some in parts(tables):
        for refers in OF_A_TABLE:
            c.execute(delete(refers.table).where(refers.in_(some)))
        c.execute(delete(schema.tables).where(_T.id.in_(some)))


def _forget_unmet_in(c: Connection, table: str, rows: Iterable[Any]) -> tuple[int, ...]:
    """Delete the names and choices of people in deleted rows who appear nowhere else.

    `rows`: the deleted rows of `table`. Return the people's ids.
    """
    named: set[int] = set()
    for row in rows:
        for name, form in NAMING[table].items():
            if row._mapping[name] is not None:
                named.update(form.named(row._mapping[name]))
    return _forget_unmet(c, named)


def _forget_unmet(c: Connection, named: Iterable[int]) -> tuple[int, ...]:
    # a damaged row may name nobody, or hold something that isn't an id
    ids = {person for person in named if type(person) is int}
    some = [person for person in people(ids) if nameless_number(person) is None]
    if not some:
        return ()
    live = c.execute(select(_T.players, _T.invited, _T.waiting).where(schema.LIVE)).all()
    seated = {person for row in live for value in row for person in ids_in(value)}
    known = select(_P.id).where(
        _P.id.in_(some),
        ~exists().where(_R.player == _P.id),
        ~exists().where(_L.player_id == _P.id),
        # records outlive old matches, and so does the wish to be hidden from leaderboards
        ~exists().where(_PERSONS.player == _P.id),
        ~exists().where(_DAILY.player == _P.id),
        ~exists().where(_DIGESTS.player == _P.id),  # the digest uses their language
        ~exists().where(_COMERS.player == _P.id),
    )
    unmet = [person for person in c.execute(known).scalars() if person not in seated]
    if unmet:
        c.execute(delete(schema.players).where(_P.id.in_(unmet)))
    return tuple(unmet)
