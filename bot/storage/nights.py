"""Game nights, and who has signed up for them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any, Final

from sqlalchemy import Select, cast, delete, insert, select, update
from sqlalchemy.engine import Connection

from bot.storage import schema
from bot.storage.part import Part, reads, writes
from bot.storage.rows import sound
from bot.tables.nights import Night, Stage

_N: Final = schema.nights.c
_C: Final = schema.night_comers.c


class SqlNights(Part):
    """Stores game nights."""

    @writes
    def add(self, c: Connection, night: Night) -> Night:
        """Store a new night (its `id` is ignored) and return it with its id."""
        insertion = insert(schema.nights).returning(_N.id).values(_row(night))
        number = int(c.execute(insertion).scalar_one())
        return next(iter(self._nights(c, _by_number(number))), night)

    @reads
    def of_guild(self, c: Connection, guild_id: int) -> list[Night]:
        """Return the nights of a server."""
        return self._nights(c, select(schema.nights).where(_N.guild_id == guild_id).order_by(_N.id))

    @reads
    def due(self, c: Connection, now: int) -> list[Night]:
        """Return nights due at or before `now` (ms) in this process's servers, earliest first."""
        nights = self._nights(c, select(schema.nights).where(_N.due_at <= now).order_by(_N.due_at))
        return [night for night in nights if self._shards.serves(night.guild_id)]

    @reads
    def next_deadline(self, c: Connection, after: int) -> int | None:
        """Return the first due time (ms) after `after` among this process's nights, or None."""
        whole = _N.due_at == cast(_N.due_at, _N.due_at.type)  # false if the value is damaged
        later = select(_N.due_at, _N.guild_id).where(_N.due_at > after, whole)
        rows = c.execute(later.order_by(_N.due_at))
        return next((row.due_at for row in rows if self._shards.serves(row.guild_id)), None)

    @writes
    def change(
        self, c: Connection, number: int, change: Callable[[Night], Night | None]
    ) -> Night | None:
        """Store what `change` returns for the night `number`; if that is None, delete the night.

        Return the stored night, or None if there is none. Raises what `change` raises.
        """
        before = next(iter(self._nights(c, _by_number(number).with_for_update())), None)
        now = None if before is None else change(before)
        if before is None or now == before:
            return now
        c.execute(delete(schema.night_comers).where(_C.night_id == number))
        if now is None:
            c.execute(delete(schema.nights).where(_N.id == number))
            return None
        c.execute(update(schema.nights).where(_N.id == number).values(_row(now)))
        rows = [
            {"night_id": number, "player": player, "place": at}
            for at, player in enumerate(now.comers)
        ]
        if rows:
            c.execute(insert(schema.night_comers), rows)
        return now

    def _nights(self, c: Connection, query: Select[Any]) -> list[Night]:
        nights = []
        for row in sound(c.execute(query), self._set_aside, schema.nights):
            coming = c.execute(
                select(schema.night_comers).where(_C.night_id == row.id).order_by(_C.place)
            )
            rows = sound(coming, self._set_aside, schema.night_comers)
            comers = tuple(comer.player for comer in rows)
            nights.append(Night(**{**row._mapping, "stage": Stage(row.stage), "comers": comers}))
        return nights


def _by_number(number: int) -> Select[Any]:
    return select(schema.nights).where(_N.id == number)


def _row(night: Night) -> dict[str, Any]:
    values = asdict(night)
    del values["id"], values["comers"]
    return values | {"stage": night.stage.value}
