"""Matches: read back with their logs; their secret seeds; the deliveries of hole cards."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import bindparam, func, select, update
from sqlalchemy.engine import Row
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage import schema
from bot.storage.database import Database
from bot.storage.tables import table_from
from bot.tables.records import (
    Delivery,
    HoleCards,
    MatchStatus,
    Snapshot,
    StoredAction,
    StoredMatch,
)

_A: Final = schema.actions.c
_D: Final = schema.deliveries.c
_LATER: Final = schema.deliveries.alias("later")

_TABLE: Final = select(schema.tables).where(schema.tables.c.id == bindparam("table"))
_MATCH: Final = select(schema.matches).where(schema.matches.c.id == bindparam("match"))
_LOG: Final = (
    select(_A.seq, _A.body, _A.at, _A.interaction_id)
    .where(_A.match_id == bindparam("match"))
    .order_by(_A.seq)
)
_SEEDS: Final = (
    select(schema.round_seeds.c.round, schema.round_seeds.c.seed)
    .where(schema.round_seeds.c.match_id == bindparam("match"))
    .order_by(schema.round_seeds.c.round)
)
_IDS: Final = select(schema.matches.c.id).order_by(schema.matches.c.id)
_IDS_BY_STATUS: Final = _IDS.where(schema.matches.c.status == bindparam("status"))
_ROUND: Final = (
    select(schema.deliveries)
    .where(_D.match_id == bindparam("match"), _D.round == bindparam("number"))
    .order_by(_D.seat)
)
_PENDING: Final = (
    select(schema.deliveries)
    .join(schema.matches, schema.matches.c.id == _D.match_id)
    .where(
        # in full, not bound: only so is the index of pending deliveries used
        schema.PENDING,
        schema.matches.c.status == MatchStatus.PLAYING.value,
        _D.round
        == select(func.max(_LATER.c.round))
        .where(_LATER.c.match_id == _D.match_id)
        .scalar_subquery(),
    )
    .order_by(_D.match_id, _D.seat)
)
_NOTE_DELIVERY: Final = (
    update(schema.deliveries)
    .where(
        _D.match_id == bindparam("match"),
        _D.round == bindparam("number"),
        _D.seat == bindparam("place"),
    )
    .values(state=bindparam("became"), message_id=bindparam("message"))
)


class Matches:
    """The part of the store that is about matches."""

    _database: Database

    async def snapshot(self, table_id: int) -> Snapshot | None:
        """A table with its match, log and seeds, all of one moment."""
        async with self._database.reading() as connection:
            row = (await connection.execute(_TABLE, {"table": table_id})).one_or_none()
            if row is None:
                return None
            table = table_from(row)
            if table.match_id is None:
                return Snapshot(table)
            match = await _match(connection, table.match_id)
            return Snapshot(table, match, await _seeds(connection, table.match_id))

    async def match(self, match_id: int) -> StoredMatch | None:
        """A match with its log."""
        async with self._database.reading() as connection:
            return await _match(connection, match_id)

    async def matches(self, status: MatchStatus | None = None) -> list[int]:
        """The ids of all matches, or of those with this status, oldest first."""
        async with self._database.reading() as connection:
            if status is None:
                found = await connection.execute(_IDS)
            else:
                found = await connection.execute(_IDS_BY_STATUS, {"status": status.value})
            return list(found.scalars())

    async def seeds(self, match_id: int) -> dict[int, bytes]:
        """The secret seed of each round of a match."""
        async with self._database.reading() as connection:
            return await _seeds(connection, match_id)

    async def deliveries(self, match_id: int, round_number: int) -> list[HoleCards]:
        """The delivery rows of a round, by seat."""
        async with self._database.reading() as connection:
            rows = await connection.execute(_ROUND, {"match": match_id, "number": round_number})
            return [_hole_cards(row) for row in rows]

    async def pending_deliveries(self) -> list[HoleCards]:
        """Undelivered hole cards of the current round of every match being played."""
        async with self._database.reading() as connection:
            return [_hole_cards(row) for row in await connection.execute(_PENDING)]

    async def note_delivery(
        self, cards: HoleCards, state: Delivery, message_id: int | None
    ) -> None:
        """Remember what became of a delivery."""
        which = {"match": cards.match_id, "number": cards.round, "place": cards.seat}
        async with self._database.writing() as connection:
            await connection.execute(
                _NOTE_DELIVERY, {**which, "became": state.value, "message": message_id}
            )


async def _match(connection: AsyncConnection, match_id: int) -> StoredMatch | None:
    row = (await connection.execute(_MATCH, {"match": match_id})).one_or_none()
    if row is None:
        return None
    log = await connection.execute(_LOG, {"match": match_id})
    values = dict(row._mapping)
    values["players"] = tuple(values["players"])
    values["status"] = MatchStatus(values["status"])
    return StoredMatch(**values, actions=tuple(StoredAction(*line) for line in log))


async def _seeds(connection: AsyncConnection, match_id: int) -> dict[int, bytes]:
    rows = await connection.execute(_SEEDS, {"match": match_id})
    return {row.round: row.seed for row in rows}


def _hole_cards(row: Row[Any]) -> HoleCards:
    values = dict(row._mapping)
    values["state"] = Delivery(values["state"])
    return HoleCards(**values)
