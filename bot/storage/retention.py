"""What is not kept: old matches, everything of a server, and the traces that deleting leaves.

Matches are deleted some at a time, each time in a short transaction, so that moves come in between.
What refers to a match or a table goes with it, whichever tables of the database that are: they are
found by their keys.

`secure_delete` overwrites what is deleted, but a row that moved between pages may leave a copy in
the unused part of one, and the write-ahead log keeps pages as they were. VACUUM writes every page
anew, and a truncating checkpoint empties the log. While that goes on, moves wait: so a large file
is rewritten when it is next opened, before anybody plays. PostgreSQL does such things itself, in
its own time (docs/privacy.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from sqlalchemy import Column, Select, and_, delete, exists, insert, or_, select
from sqlalchemy.engine import Connection

from bot.privacy.ports import Purged
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


def referring(to: Column[Any]) -> list[Column[Any]]:
    """Every column of the schema that refers to a column by a foreign key."""
    return [
        one
        for table in schema.metadata.sorted_tables
        for one in table.c
        if any(key.column is to for key in one.foreign_keys)
    ]


OF_A_MATCH: Final = referring(_M.id)
OF_A_TABLE: Final = [one for one in referring(_T.id) if one.table is not schema.matches]
# what is a server's own; its tables go before, with their matches
OF_A_GUILD: Final = [
    table.c.guild_id
    for table in schema.metadata.sorted_tables
    if "guild_id" in table.c and table is not schema.tables
]


class SqlRetention(Part):
    """The part of the store that deletes: `bot.privacy.ports.RetentionStore`."""

    @writes
    def purge_old(self, c: Connection, before: int, most: int) -> Purged:
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
        matches = select(_M.id, _M.players).join(schema.tables, _T.id == _M.table_id)
        done = _purge(
            c,
            matches.where(_T.guild_id == guild_id).limit(most),
            select(schema.tables).where(_T.guild_id == guild_id).limit(most),
        )
        if done.rows:
            return done
        listened = select(_L.player_id).where(_L.guild_id == guild_id)
        recorded = select(_PERSONS.player).where(_PERSONS.guild_id == guild_id)
        daily = select(_DAILY.player).where(_DAILY.guild_id == guild_id)
        named = {one for asked in (listened, recorded, daily) for one in c.execute(asked).scalars()}
        nights = select(schema.nights.c.id).where(schema.nights.c.guild_id == guild_id)
        comers = schema.night_comers
        c.execute(delete(comers).where(comers.c.night_id.in_(nights)))
        for of_guild in OF_A_GUILD:
            c.execute(delete(of_guild.table).where(of_guild == guild_id))
        return Purged(0, _drop(c, named))

    @reads
    def live_tables_of(self, c: Connection, guild_id: int) -> list[int]:
        found = c.execute(select(_T.id).where(schema.LIVE, _T.guild_id == guild_id))
        return list(found.scalars())

    @reads
    def stored_guilds(self, c: Connection) -> set[int]:
        known = [_T.guild_id, *(one for one in OF_A_GUILD if one is not _G.guild_id)]
        found: set[int] = set()
        for of_guild in known:
            some = c.execute(select(of_guild).distinct())
            found |= {one for one in some.scalars() if type(one) is int and one}
        return found

    @reads
    def departed(self, c: Connection) -> dict[int, int]:
        return self._departed(c)

    def _departed(self, c: Connection) -> dict[int, int]:
        asked = select(_G.guild_id, _G.noticed_at).order_by(_G.noticed_at)
        sure = sound(c.execute(asked), self._set_aside, schema.departed_guilds)
        return {row.guild_id: row.noticed_at for row in sure}

    @writes
    def note_departed(self, c: Connection, guilds: Iterable[int], now: int) -> None:
        known = self._departed(c)
        new = [{"guild_id": one, "noticed_at": now} for one in set(guilds) - known.keys()]
        upsert(c, schema.departed_guilds, new)

    @writes
    def note_returned(self, c: Connection, guilds: Sequence[int]) -> None:
        c.execute(delete(schema.departed_guilds).where(_G.guild_id.in_(list(guilds))))

    async def rewrite_if_due(self, largest: int | None = None) -> bool:
        if not await self._database.read(_is_due):
            return True
        file = self._database.file
        if file is not None:
            if largest is not None and file.stat().st_size > largest:
                return False
            await self._database.alone("VACUUM")
        await self._database.write(_note_done)
        if file is None:
            return True
        ((busy, *_),) = await self._database.alone("PRAGMA wal_checkpoint(TRUNCATE)")
        if busy:  # somebody reads from the log, such as a backup
            await self._database.write(note_rewrite)
        return not busy


def note_rewrite(c: Connection) -> None:
    """Have the file rewritten some time after this transaction."""
    _note_done(c)
    c.execute(insert(schema.chores).values(name=REWRITE))


def _is_due(c: Connection) -> bool:
    return bool(c.execute(select(exists().where(_C.name == REWRITE))).scalar_one())


def _note_done(c: Connection) -> None:
    c.execute(delete(schema.chores).where(_C.name == REWRITE))


def _purge(c: Connection, matches: Select[Any], tables: Select[Any]) -> Purged:
    """Delete the matches that are found, else the tables."""
    found = c.execute(matches).all()
    if found:
        delete_matches(c, [row.id for row in found])
        return Purged(len(found), _drop_unmet(c, "matches", found))
    rows = c.execute(tables).all()
    delete_tables(c, [row.id for row in rows])
    return Purged(len(rows), _drop_unmet(c, "tables", rows))


def parts(numbers: Sequence[int]) -> list[list[int]]:
    """The numbers, as many at a time as one condition may hold."""
    return [list(numbers[at : at + 500]) for at in range(0, len(numbers), 500)]


def delete_matches(c: Connection, matches: Sequence[int]) -> None:
    """Delete matches with their logs and all that refers to them."""
    for some in parts(matches):
        for refers in OF_A_MATCH:
            c.execute(delete(refers.table).where(refers.in_(some)))
        c.execute(delete(schema.matches).where(_M.id.in_(some)))


def delete_tables(c: Connection, tables: Sequence[int]) -> None:
    """Delete tables without matches, and all that refers to them."""
    for some in parts(tables):
        for refers in OF_A_TABLE:
            c.execute(delete(refers.table).where(refers.in_(some)))
        c.execute(delete(schema.tables).where(_T.id.in_(some)))


def _drop_unmet(c: Connection, table: str, rows: Iterable[Any]) -> tuple[int, ...]:
    """Forget the names and choices of who was named in deleted rows and is met nowhere else."""
    named: set[int] = set()
    for row in rows:
        for name, form in NAMING[table].items():
            if row._mapping[name] is not None:
                named.update(form.named(row._mapping[name]))
    return _drop(c, named)


def _drop(c: Connection, named: Iterable[int]) -> tuple[int, ...]:
    # a damaged row may name nobody, or have another thing in place of somebody
    ids = {one for one in named if type(one) is int}
    some = [one for one in people(ids) if nameless_number(one) is None]
    if not some:
        return ()
    live = c.execute(select(_T.players, _T.invited, _T.waiting).where(schema.LIVE)).all()
    seated = {one for row in live for those in row for one in ids_in(those)}
    known = select(_P.id).where(
        _P.id.in_(some),
        ~exists().where(_R.player == _P.id),
        ~exists().where(_L.player_id == _P.id),
        # records outlive old matches, and so does the wish to be hidden from leaderboards
        ~exists().where(_PERSONS.player == _P.id),
        ~exists().where(_DAILY.player == _P.id),
        ~exists().where(_DIGESTS.player == _P.id),  # their language is that of their digest
        ~exists().where(_COMERS.player == _P.id),
    )
    unmet = [one for one in c.execute(known).scalars() if one not in seated]
    if unmet:
        c.execute(delete(schema.players).where(_P.id.in_(unmet)))
    return tuple(unmet)
