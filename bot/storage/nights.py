"""Game nights, and who comes to them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any, Final

from sqlalchemy import Select, bindparam, cast, delete, insert, select, update
from sqlalchemy.engine import Connection

from bot.storage import schema
from bot.storage.part import Part, reads, writes
from bot.storage.rows import sound
from bot.tables.nights import Night, Stage

_N: Final = schema.nights.c
_C: Final = schema.night_comers.c
_ONE: Final = select(schema.nights).where(_N.id == bindparam("night"))
_OF_GUILD: Final = select(schema.nights).where(_N.guild_id == bindparam("guild")).order_by(_N.id)
_DUE: Final = select(schema.nights).where(_N.due_at <= bindparam("now")).order_by(_N.due_at)
_LATER: Final = (
    select(_N.due_at, _N.guild_id)
    .where(_N.due_at > bindparam("after"), _N.due_at == cast(_N.due_at, _N.due_at.type))
    .order_by(_N.due_at)
)
_COMERS: Final = select(schema.night_comers).where(_C.night_id == bindparam("night"))


class SqlNights(Part):
    """Game nights: `bot.tables.ports.NightStore`."""

    @writes
    def add(self, c: Connection, night: Night) -> Night:
        made = insert(schema.nights).returning(_N.id)
        number = int(c.execute(made.values(_row(night))).scalar_one())
        return _read(c, number, self) or night

    @reads
    def of_guild(self, c: Connection, guild_id: int) -> list[Night]:
        return self._nights(c, _OF_GUILD, guild=guild_id)

    @reads
    def due(self, c: Connection, now: int) -> list[Night]:
        return [one for one in self._nights(c, _DUE, now=now) if self._shards.serves(one.guild_id)]

    @reads
    def next_deadline(self, c: Connection, after: int) -> int | None:
        later = c.execute(_LATER, {"after": after})
        return next((one.due_at for one in later if self._shards.serves(one.guild_id)), None)

    @writes
    def change(
        self, c: Connection, number: int, change: Callable[[Night], Night | None]
    ) -> Night | None:
        before = _read(c, number, self, lock=True)
        now = None if before is None else change(before)
        if before is None or now == before:
            return now
        c.execute(delete(schema.night_comers).where(_C.night_id == number))
        if now is None:
            c.execute(delete(schema.nights).where(_N.id == number))
            return None
        c.execute(update(schema.nights).where(_N.id == number).values(_row(now)))
        if now.comers:
            rows = [
                {"night_id": number, "player": one, "place": at}
                for at, one in enumerate(now.comers)
            ]
            c.execute(insert(schema.night_comers), rows)
        return now

    def _nights(self, c: Connection, asked: Select[Any], **given: int) -> list[Night]:
        rows = sound(c.execute(asked, given), self._set_aside, schema.nights)
        return [_night(c, row._mapping, self) for row in rows]


def _read(c: Connection, number: int, part: SqlNights, *, lock: bool = False) -> Night | None:
    asked = _ONE.with_for_update() if lock else _ONE
    rows = sound(c.execute(asked, {"night": number}), part._set_aside, schema.nights)
    return _night(c, rows[0]._mapping, part) if rows else None


def _night(c: Connection, row: Any, part: SqlNights) -> Night:
    found = sound(c.execute(_COMERS, {"night": row["id"]}), part._set_aside, schema.night_comers)
    comers = tuple(one.player for one in sorted(found, key=lambda one: one.place))
    return Night(**{**row, "stage": Stage(row["stage"]), "comers": comers})


def _row(night: Night) -> dict[str, Any]:
    values = asdict(night)
    del values["id"], values["comers"]
    return values | {"stage": night.stage.value}
