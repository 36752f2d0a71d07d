"""Tables: opening one, storing a move whole, and finding those with something to do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, fields, replace
from typing import Any, Final

from sqlalchemy import (
    Text,
    bindparam,
    case,
    exists,
    func,
    insert,
    or_,
    select,
    type_coerce,
    update,
)
from sqlalchemy.engine import Row, RowMapping
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage import schema
from bot.storage.database import Database
from bot.storage.moves import add_to_match, new_match
from bot.storage.soundness import check_row
from bot.storage.tending import Tending
from bot.tables.damage import SetAside
from bot.tables.ports import AlreadyDone, Damaged, Stale
from bot.tables.records import Change, DeadlineKind, PlayerCut, Status, Table

_TABLE: Final = schema.tables.c
_KINDS: Final = frozenset(kind.value for kind in DeadlineKind)
# in the very words of the partial indexes: a bound status would keep them from being used
_LIVE: Final = schema.LIVE
# Noted by `note_message` and `note_nudge` without a new version: perhaps since the table was read.
_MESSAGE: Final = frozenset({"message_id", "announced_seq"})
_NUDGE: Final = frozenset({"nudge_id", "nudged", "letter_id", "letter_to"})

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
_NOTE: Final = (
    update(schema.tables)
    .where(_TABLE.id == bindparam("table"))
    .values(
        message_id=bindparam("message"),
        announced_seq=case(
            (_TABLE.announced_seq > bindparam("seq"), _TABLE.announced_seq),
            else_=bindparam("seq"),
        ),
    )
)
_NOTE_NUDGE: Final = (
    update(schema.tables)
    .where(_TABLE.id == bindparam("table"))
    .values(
        nudge_id=bindparam("message"),
        nudged=bindparam("which"),
        letter_id=bindparam("letter"),
        letter_to=bindparam("reader"),
    )
)
_IN_CHANNEL: Final = (
    select(schema.tables)
    .where(_TABLE.channel_id == bindparam("channel"), _TABLE.status != Status.CLOSED.value)
    .order_by(_TABLE.id.desc())
    .limit(1)
)
_VERSION: Final = select(_TABLE.version).where(_TABLE.id == bindparam("table"))
# `players` is JSON as text: what holds the digits is looked at again when it is read
_SEATS: Final = (
    select(_TABLE.id, _TABLE.version, _TABLE.players)
    .where(_LIVE, type_coerce(_TABLE.players, Text).like(bindparam("like")))
    .order_by(_TABLE.channel_id)
)
_UNTOLD: Final = select(schema.tables).where(
    _TABLE.status == Status.FINISHED.value,
    _TABLE.updated_at >= bindparam("since"),
    or_(
        _TABLE.nudge_id.is_not(None),
        _TABLE.announced_seq
        < select(func.max(schema.actions.c.seq))
        .where(schema.actions.c.match_id == _TABLE.match_id)
        .scalar_subquery(),
    ),
)
_LIVE_IN_GUILD: Final = (
    select(func.count())
    .select_from(schema.tables)
    .where(_LIVE, _TABLE.guild_id == bindparam("guild"))
)
# a range of the channels, or the index of live tables would not be used; a practice has none
_LIVE_HOSTED_BY: Final = (
    select(func.count())
    .select_from(schema.tables)
    .where(_LIVE, _TABLE.channel_id > 0, _TABLE.host_id == bindparam("host"))
)
_NAMES: Final = tuple(one.name for one in fields(Table) if one.name != "id")


def table_from(row: Row[Any]) -> Table:
    """A row of `tables` as the record. Raises `Damaged`."""
    return record_of(dict(row._mapping))


def record_of(values: dict[str, Any]) -> Table:
    """The same from the row's values by column."""
    check_row(values)
    values["status"] = Status(values["status"])
    values["players"] = tuple(values["players"])
    kind = values["deadline_kind"]
    # a kind that this code does not know is none: the table's state says what is to come
    values["deadline_kind"] = DeadlineKind(kind) if kind in _KINDS else None
    # JSON's keys are text and its sequences lists
    values["absent"] = {int(player): misses for player, misses in values["absent"].items()}
    values["votes"] = {int(player): tuple(by) for player, by in values["votes"].items()}
    for people in ("invited", "waiting"):
        values[people] = tuple(values[people])
    values["cuts"] = tuple(PlayerCut(**one) for one in values["cuts"])
    return Table(id=values["id"], **{name: values[name] for name in _NAMES})


def row_values(table: Table) -> dict[str, Any]:
    """A record as its row's values by column, without the id."""
    values = {name: getattr(table, name) for name in _NAMES}
    values["status"] = table.status.value
    values["players"] = list(table.players)
    values["cuts"] = [asdict(one) for one in table.cuts]
    return values


class Tables(Tending):
    """The part of the store that is about tables."""

    _database: Database
    _set_aside: SetAside

    def _readable(self, rows: Iterable[Row[Any]]) -> list[Table]:
        """The rows as records, those aside that cannot be read."""
        found = []
        for row in rows:
            try:
                found.append(table_from(row))
            except Damaged as damaged:
                self._set_aside.name(damaged)
        return found

    @property
    def shared(self) -> bool:
        """Whether other processes may write: on PostgreSQL. An SQLite file is locked for one."""
        return self._database.file is None

    async def version_of(self, table_id: int) -> int | None:
        """The version of a table as it is stored; None if there is no such table."""
        async with self._database.reading() as connection:
            found = await connection.execute(_VERSION, {"table": table_id})
            version = found.scalar_one_or_none()
        return version if isinstance(version, int) else None

    async def seats_of(self, player: int) -> list[tuple[int, int]]:
        """The live tables at which somebody sits: id and version."""
        async with self._database.reading() as connection:
            found = await connection.execute(_SEATS, {"like": f"%{player}%"})
            rows = found.all()
        return [
            (row.id, row.version)
            for row in rows
            if isinstance(row.players, list) and player in row.players
        ]

    async def open_table(self, table: Table, interaction_id: int | None) -> Table:
        """Store a new table and return it with its id and version 1."""
        table = replace(table, version=1)
        async with self._database.writing() as connection:
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
            await add_to_match(connection, change, table, length)
            if change.interaction_id is not None and all(
                action.interaction_id != change.interaction_id for action in change.actions
            ):
                await _note_seen(connection, change.interaction_id, table)
            await connection.execute(_UPDATE, {"table": table.id, **row_values(table)})
            await self._tell(connection, table.id, table.guild_id)
        return table

    async def note_message(self, table_id: int, message_id: int, announced_seq: int) -> None:
        """Remember which message shows the table; the version stays."""
        noted = {"message": message_id, "seq": announced_seq}
        async with self._database.writing() as connection:
            await connection.execute(_NOTE, {"table": table_id, **noted})

    async def note_nudge(
        self,
        table_id: int,
        message_id: int | None,
        nudged: str | None,
        letter: tuple[int, int] | None = None,
    ) -> None:
        """Remember which messages remind whoever is to act; the version stays."""
        letter_id, reader = letter or (None, None)
        noted = {"table": table_id, "message": message_id, "which": nudged}
        noted |= {"letter": letter_id, "reader": reader}
        async with self._database.writing() as connection:
            await connection.execute(_NOTE_NUDGE, noted)

    async def table_in(self, channel_id: int) -> Table | None:
        """The newest table of a channel that is not CLOSED."""
        async with self._database.reading() as connection:
            row = (await connection.execute(_IN_CHANNEL, {"channel": channel_id})).one_or_none()
        if row is None:
            return None
        try:
            return table_from(row)
        except Damaged as damaged:
            self._set_aside.name(damaged)
            raise

    async def untold(self, since: int) -> list[Table]:
        """Tables whose match ended at or after `since` (ms) and whose channel may not know it yet.

        Of this process's shards. Asked once a start: it reads every table there is.
        """
        asked = _UNTOLD.where(self._own())
        async with self._database.reading() as connection:
            return self._readable(await connection.execute(asked, {"since": since}))

    async def live_in_guild(self, guild_id: int) -> int:
        """How many live tables a guild has."""
        async with self._database.reading() as connection:
            found = await connection.execute(_LIVE_IN_GUILD, {"guild": guild_id})
            return int(found.scalar_one())

    async def live_hosted_by(self, player: int) -> int:
        """How many live tables somebody hosts, in every server; a practice is none."""
        async with self._database.reading() as connection:
            found = await connection.execute(_LIVE_HOSTED_BY, {"host": player})
            return int(found.scalar_one())


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
    return stored


async def _was_done(connection: AsyncConnection, interaction_id: int | None) -> bool:
    if interaction_id is None:
        return False
    return bool((await connection.execute(_IS_DONE, {"interaction": interaction_id})).scalar_one())


async def _note_seen(connection: AsyncConnection, interaction_id: int, table: Table) -> None:
    seen = {"id": interaction_id, "table_id": table.id, "at": table.updated_at}
    await connection.execute(_SEEN, seen)
