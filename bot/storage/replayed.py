"""A table read and replayed from its rows: whether anybody can play on at it."""

from __future__ import annotations

from sqlalchemy import bindparam, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage import schema
from bot.storage.matches import match_of
from bot.storage.rows import table_from
from bot.tables.live import LiveTable, chosen_ruleset, revive
from bot.tables.ports import Damaged
from bot.tables.records import Snapshot, Status

_ROW = select(schema.tables).where(schema.tables.c.id == bindparam("table"))


async def replayed(connection: AsyncConnection, table_id: int) -> LiveTable | None:
    """The table with its match; None if there is none. Raises `Damaged`."""
    row = (await connection.execute(_ROW, {"table": table_id})).one_or_none()
    if row is None:
        return None
    table = table_from(row)
    match = None if table.match_id is None else await match_of(connection, table.match_id)
    try:
        live = revive(Snapshot(table, match))
        if table.status is Status.LOBBY:
            chosen_ruleset(table)
    except Exception as error:  # a log that is none may raise whatever it likes
        reason = f"its log cannot be replayed ({type(error).__name__})"
        raise Damaged(reason, table=table_id) from error
    if live.match is None and table.status is Status.PLAYING:
        raise Damaged("it is in play, and has no match", table=table_id)
    return live
