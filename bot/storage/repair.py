"""Repair: find damaged rows and tables by reading and replaying everything, and rebuild tables.

A table's row repeats data of its match, and the match's log shows how far the match got. So a table
is rebuilt from its match and the log. If the log can't be replayed, or a lobby doesn't say who is
in it, the table is closed without a winner. Nothing is ever deleted.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final

from sqlalchemy import Column, MetaData, Text, select, tuple_, update
from sqlalchemy import Table as SqlTable
from sqlalchemy.engine import Connection
from sqlalchemy.engine.default import DefaultDialect

from bot.roster import people
from bot.storage import schema
from bot.storage.database import Database, Transactor
from bot.storage.matches import replay_table
from bot.storage.rows import row_values, table_from, unsound
from bot.tables import plans
from bot.tables.errors import Damaged
from bot.tables.live import LiveTable
from bot.tables.model import MatchStatus, Status, Table
from bot.tables.requests import Limits
from bot.tables.table_options import defaults, game_options
from engine.variants import VARIANTS, ruleset

AT_ONCE: Final = 500  # rows read or written per statement
_JSON: Final = schema.Json()
_ANY: Final = DefaultDialect()


@cache
def plain(table: SqlTable) -> SqlTable:
    """Return the table with JSON columns as text, so that values are copied unchanged."""
    columns = [
        Column(column.name, Text() if isinstance(column.type, schema.Json) else column.type)
        for column in table.c
    ]
    return SqlTable(table.name, MetaData(), *columns)


async def pages(ask: Transactor, table: SqlTable) -> AsyncIterator[list[dict[str, Any]]]:
    """Yield a table's rows in pages, by primary key. Text keys are in byte order.

    `ask` runs the query for each page. JSON stays text.
    """
    last: list[Any] | None = None
    behind = 0  # rows read after `last`
    while rows := await ask(_page, table, last, behind):
        yield rows
        for row in rows:
            key = [row[column.name] for column in table.primary_key]
            # invalid UTF-8 changes when read, so count the rows after the key instead
            if any(isinstance(part, str) and "\ufffd" in part for part in key):
                behind += 1
            else:
                last, behind = key, 0


def _page(
    c: Connection, table: SqlTable, last: list[Any] | None, behind: int
) -> list[dict[str, Any]]:
    """Return at most `AT_ONCE` rows after the key `last`, in key order; skip the first `behind`.

    If `last` is None, begin at the first row.
    """
    as_text = plain(table)
    keys = [
        as_text.c[column.name].collate("C" if is_postgres(c) else "BINARY")
        if isinstance(column.type, Text)
        else as_text.c[column.name]
        for column in table.primary_key
    ]
    query = select(as_text).order_by(*keys).limit(AT_ONCE).offset(behind)
    if last is not None:
        query = query.where(tuple_(*keys) > tuple_(*last))
    return [dict(row) for row in c.execute(query).mappings()]


def is_postgres(c: Connection) -> bool:
    """Return whether a connection is to PostgreSQL."""
    return c.dialect.name == "postgresql"


def as_stored(table: SqlTable, row: dict[str, Any]) -> dict[str, Any]:
    """Return a row of `pages` with its JSON decoded."""
    return {
        name: _JSON.process_result_value(value, _ANY)
        if isinstance(table.c[name].type, schema.Json)
        else value
        for name, value in row.items()
    }


_T: Final = schema.tables.c
_M: Final = schema.matches.c
# new value of a damaged column that neither the match nor the log determines
_BLANK: Final[dict[str, Callable[[], Any]]] = {
    "invited": list,
    "waiting": list,
    "cuts": list,
    "absent": dict,
    "votes": dict,
    **dict.fromkeys(("guild_id", "channel_id", "daily_guild", "version"), int),
    **dict.fromkeys(("announced_seq", "nudges"), int),
}
_TABLE_OF_MATCH: Final[dict[str, Status]] = {
    MatchStatus.PLAYING.value: Status.PLAYING,
    MatchStatus.WON.value: Status.FINISHED,
    MatchStatus.ABANDONED.value: Status.CLOSED,
}


@dataclass(frozen=True, slots=True)
class TableCheck:
    """The result of examining every table that is not closed; `tables` is their number."""

    tables: int
    damaged: tuple[tuple[int, Damaged], ...]  # table number, what is wrong


async def find_damaged(database: Database) -> TableCheck:
    """Read and replay every table that is not closed, and return which are damaged.

    Raises `StoreUnavailable`.
    """
    query = select(_T.id).where(_T.status != Status.CLOSED.value).order_by(_T.id)
    numbers = await database.read(lambda c: [int(row.id) for row in c.execute(query)])
    damaged = []
    for number in numbers:
        try:
            # an old match may have been deleted already, and its table is deleted later
            await database.read(replay_table, number)
        except Damaged as found:
            damaged.append((number, found))
    return TableCheck(len(numbers), tuple(damaged))


async def repair(database: Database, table_id: int, limits: Limits) -> str:
    """Rebuild a damaged table, or close it. Return a sentence that tells the host what was done.

    Raises `StoreUnavailable`.
    """
    return await database.write(_repair, table_id, limits, time.time_ns() // 1_000_000)


def _repair(c: Connection, table_id: int, limits: Limits, now: int) -> str:
    row = c.execute(select(schema.tables).where(_T.id == table_id)).one()
    matches = select(schema.matches).where(_M.table_id == table_id)
    latest = c.execute(matches.order_by(_M.id.desc()).limit(1)).one_or_none()
    match = dict(latest._mapping) if latest is not None else None
    table = _repaired_table(dict(row._mapping), match, now)
    if match is not None and table.match_id == match["id"]:
        _repair_match(c, match, table)
    _write(c, table)
    try:
        live = replay_table(c, table_id)
    except Damaged as damaged:
        _close(c, table, now)
        return f"table {table_id} was closed, without a winner: {damaged.reason}"
    if live is None or live.table.status is Status.CLOSED:
        return f"table {table_id} was closed: nothing says who sat at it"
    _write(c, plans.set_clocks(LiveTable(table), live, limits, now))
    if live.match is None:
        return f"table {table_id} was rebuilt; its match hadn't started"
    return f"table {table_id} was rebuilt; its match is at action {live.match.seq}"


def _repaired_table(row: dict[str, Any], match: dict[str, Any] | None, now: int) -> Table:
    """Return the row's table, with damaged columns restored from its latest match, or blanked."""
    damaged = set(unsound(row))
    if row["status"] == Status.LOBBY:
        match = None  # that match is over, so the table has none
    theirs = match or {}
    players, options = theirs.get("players"), theirs.get("options")
    if "variant" in damaged or row["variant"] not in VARIANTS:
        row["variant"] = theirs.get("variant", next(iter(VARIANTS)))
    if "options" in damaged:
        row["options"] = defaults(row["variant"]) | (options if type(options) is dict else {})
    if "players" in damaged:
        row["players"] = players if type(players) is list else []
    if "status" in damaged:
        row["status"] = _TABLE_OF_MATCH.get(theirs.get("status", ""), Status.CLOSED).value
    if not row["players"]:
        row["status"] = Status.CLOSED.value
    if "match_id" in damaged:
        row["match_id"] = theirs.get("id")
    if "host_id" in damaged:
        row["host_id"] = next(iter(people(row["players"])), 0)
    for name in damaged & {"created_at", "updated_at"}:
        row[name] = now
    for name in unsound(row):
        row[name] = _BLANK[name]() if name in _BLANK else None
    return table_from({**row, "turn_since": None, "version": row["version"] + 1})


def _repair_match(c: Connection, match: dict[str, Any], table: Table) -> None:
    """Restore damaged columns of the match's row from the table."""
    changed: dict[str, Any] = {}
    if type(match["players"]) is not list:
        changed["players"] = list(table.players)
    if type(match["options"]) is not dict:
        changed["options"] = dict(ruleset(table.variant, game_options(table.options)).options)
    if match["status"] not in tuple(MatchStatus):
        playing = table.status is Status.PLAYING
        changed["status"] = (MatchStatus.PLAYING if playing else MatchStatus.ABANDONED).value
    if changed:
        c.execute(update(schema.matches).where(_M.id == match["id"]).values(**changed))


def _close(c: Connection, table: Table, now: int) -> None:
    """Close a table that can't be played on. Its match, if under way, ends without a winner."""
    closed = replace(
        table,
        status=Status.CLOSED,
        version=table.version + 1,
        updated_at=now,
        deadline=None,
        deadline_kind=None,
    )
    _write(c, closed)
    if table.match_id is not None:
        under_way = _M.id == table.match_id, _M.ended_at.is_(None)
        ended = {"status": MatchStatus.ABANDONED.value, "ended_at": now}
        c.execute(update(schema.matches).where(*under_way).values(**ended))


def _write(c: Connection, table: Table) -> None:
    c.execute(update(schema.tables).where(_T.id == table.id).values(**row_values(table)))


@dataclass(frozen=True, slots=True)
class UnsoundRow:
    """A damaged row: its table, primary key and unreadable columns."""

    table: str
    key: tuple[object, ...]
    columns: tuple[str, ...]

    def __str__(self) -> str:
        key = ", ".join(f"{part!r:.40}" for part in self.key)
        return f"{self.table} {key} ({', '.join(self.columns)})"


async def unsound_rows(database: Database) -> list[UnsoundRow]:
    """Return the rows that cannot be read. Raises `StoreUnavailable`."""
    unsound_ones = []
    for table in schema.metadata.sorted_tables:
        keys = [column.name for column in table.primary_key]
        async for rows in pages(database.read, table):
            for row in rows:
                bad = unsound(as_stored(table, row), table)
                if bad:
                    key = tuple(row[name] for name in keys)
                    unsound_ones.append(UnsoundRow(table.name, key, bad))
    return unsound_ones
