"""Opening a table, and storing a change whole."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from sqlalchemy import Integer, bindparam, exists, func, insert, not_, or_, select, update
from sqlalchemy.engine import RowMapping
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage import schema
from bot.storage.database import Database
from bot.storage.moves import add_to_match, end_match, new_match
from bot.storage.prepared import Writer
from bot.storage.rows import row_values
from bot.storage.telling import Telling
from bot.tables.ports import AlreadyDone, Damaged, Stale
from bot.tables.records import Change, Status, Table

_TABLE: Final = schema.tables.c
# Noted by `note_message` and `note_nudge` without a new version: perhaps since the table was read.
_MESSAGE: Final = frozenset({"message_id", "announced_seq"})
_NUDGE: Final = frozenset({"nudge_id", "nudged", "letter_id", "letter_to"})
_NOTED: Final = _MESSAGE | _NUDGE

_DONE: Final = or_(
    exists().where(schema.actions.c.interaction_id == bindparam("interaction")),
    exists().where(schema.interactions.c.id == bindparam("interaction")),
)
_IS_DONE: Final = select(_DONE)
# The row is locked until the end of the transaction (SQLite: the whole database is). What else is
# asked may be older than the lock, but not if the version is the expected one.
_LOCKED: Final = (
    select(
        _TABLE.version,
        _TABLE.match_id,
        _TABLE.message_id,
        _TABLE.announced_seq,
        _TABLE.nudge_id,
        _TABLE.nudged,
        _TABLE.letter_id,
        _TABLE.letter_to,
        select(func.coalesce(func.max(schema.actions.c.seq), 0))
        .where(schema.actions.c.match_id == _TABLE.match_id)
        .scalar_subquery()
        .label("length"),
        _DONE.label("done"),
    )
    .where(_TABLE.id == bindparam("table"))
    .with_for_update(of=schema.tables)
)
_INSERT: Final = insert(schema.tables).returning(_TABLE.id)
_UPDATE: Final = update(schema.tables).where(_TABLE.id == bindparam("table"))
# The same in one statement, for a change that need not learn more than what was noted: a row comes
# back if the table is as the change was judged on. PostgreSQL looks again once it has the row.
_MOVE_ON: Final = (
    update(schema.tables)
    .where(
        _TABLE.id == bindparam("table"),
        _TABLE.version == bindparam("before"),
        _TABLE.match_id.is_not_distinct_from(bindparam("of_match")),
        not_(_DONE),
        or_(
            bindparam("length", type_=Integer).is_(None),
            select(func.coalesce(func.max(schema.actions.c.seq), 0))
            .where(schema.actions.c.match_id == bindparam("of_match"))
            .scalar_subquery()
            == bindparam("length", type_=Integer),
        ),
    )
    .returning(*(_TABLE[name] for name in sorted(_NOTED)))
)
_SEEN: Final = insert(schema.interactions)
_CLOSE_FINISHED: Final = (
    update(schema.tables)
    .where(_TABLE.channel_id == bindparam("channel"), _TABLE.status == Status.FINISHED.value)
    .values(
        status=Status.CLOSED.value,
        version=_TABLE.version + 1,
        updated_at=bindparam("now"),
        deadline=None,
        deadline_kind=None,
    )
)


class Commits(Telling):
    """The part of the store that stores changes."""

    _database: Database

    async def open_table(self, table: Table, interaction_id: int | None) -> Table:
        """Store a new table and return it with its id and version 1."""
        table = replace(table, version=1)
        async with self._database.writing(gathers=True) as connection:
            if await _was_done(connection, interaction_id):
                raise AlreadyDone(f"interaction {interaction_id} opened a table before")
            await connection.execute(
                _CLOSE_FINISHED, {"channel": table.channel_id, "now": table.created_at}
            )
            table_id = (await connection.execute(_INSERT, row_values(table))).scalar_one()
            table = replace(table, id=table_id)
            if interaction_id is not None:
                await _note_seen(connection, interaction_id, table)
        return table

    async def commit(self, change: Change) -> Table:
        """Store a change whole."""
        if change.new_match is None and change.ending is None:
            stored = await self._commit_at_once(change)
            if stored is not None:
                return stored
        return await self._commit_step_by_step(change)

    async def _commit_at_once(self, change: Change) -> Table | None:
        """Store a change that begins no match and ends none, if all is as it was judged on.

        None if it is not, or another is storing the same: then nothing is stored, and a look at
        what is there tells why.
        """
        table = change.table
        length = change.actions[0].seq - 1 if change.actions else None
        asked = {
            "table": table.id,
            "before": table.version - 1,
            "of_match": table.match_id,
            "interaction": change.interaction_id,
            "length": length,
            **{name: one for name, one in row_values(table).items() if name not in _NOTED},
        }

        async def add(writer: Writer) -> None:
            await self._add(writer, change, table, length or 0)

        try:
            found = await self._database.write_if(_MOVE_ON, asked, add)
        except (Stale, AlreadyDone):
            return None
        return None if found is None else replace(table, **found)

    async def _commit_step_by_step(self, change: Change) -> Table:
        """Lock the table's row, look whether the change may follow, store it."""
        async with self._database.writing(gathers=True) as connection:
            stored = await _lock(connection, change)
            table, length = change.table, stored["length"]
            table = replace(table, **{name: stored[name] for name in _NUDGE})
            if change.new_match is not None:
                match_id = await new_match(connection, change.new_match, table)
                table, length = replace(table, match_id=match_id), 0
            elif table.match_id == stored["match_id"]:
                table = replace(table, **{name: stored[name] for name in _MESSAGE})
            elif table.match_id is not None:
                raise ValueError("a table takes up a match only when that is made")
            await self._add(connection, change, table, length)
            if change.ending is not None:
                await end_match(connection, change.ending, table)
            await connection.execute(_UPDATE, {"table": table.id, **row_values(table)})
        return table

    async def _add(self, writer: Writer, change: Change, table: Table, length: int) -> None:
        """Write what a change adds to a log of `length`; the table's own row is not touched."""
        await add_to_match(writer, change, table, length)
        if change.interaction_id is not None and all(
            action.interaction_id != change.interaction_id for action in change.actions
        ):
            await _note_seen(writer, change.interaction_id, table)
        await self._tell(writer, table.id, table.guild_id)


async def _lock(connection: AsyncConnection, change: Change) -> RowMapping:
    """Lock the table's row and check that the change may follow what is stored."""
    table, interaction = change.table, change.interaction_id
    asked = {"table": table.id, "interaction": interaction}
    stored = (await connection.execute(_LOCKED, asked)).mappings().one_or_none()
    if stored is None:
        raise Stale(f"there is no table {table.id}")
    if stored["done"]:
        raise AlreadyDone(f"interaction {interaction} was stored before")
    if stored["version"] != table.version - 1:
        # another may have stored this very interaction while we waited for the row
        if await _was_done(connection, interaction):
            raise AlreadyDone(f"interaction {interaction} was stored just now")
        raise Stale(f"table {table.id} is at version {stored['version']}")
    if type(stored["length"]) is not int:
        raise Damaged("a number of its log cannot be read", table=table.id)
    return stored


async def _was_done(connection: AsyncConnection, interaction_id: int | None) -> bool:
    if interaction_id is None:
        return False
    return bool((await connection.execute(_IS_DONE, {"interaction": interaction_id})).scalar_one())


async def _note_seen(writer: Writer, interaction_id: int, table: Table) -> None:
    seen = {"id": interaction_id, "table_id": table.id, "at": table.updated_at}
    await writer.execute(_SEEN, seen)
