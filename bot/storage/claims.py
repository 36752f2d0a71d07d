"""The part of the store that is about what a process looks after: clocks, and what is shown.

Of several processes each has the tables of its own shards; a practice is anybody's, as its person
presses wherever they are. A clock that is due is claimed, so that only one process serves it, and
stays claimed until the table moves on or the claim is over: its process may have ended.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.metadata import version
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    and_,
    bindparam,
    case,
    cast,
    func,
    literal_column,
    or_,
    select,
    true,
    update,
)
from sqlalchemy.engine import Connection, Row

from bot.settings.shards import NO_GUILD
from bot.storage import schema
from bot.storage.part import Part, reads, writes
from bot.storage.rows import table_from
from bot.storage.soundness import sound
from bot.tables.errors import Damaged
from bot.tables.model import DeadlineKind, Table

CLAIM_MS: Final = 15_000  # how long a claim holds: longer than serving a clock takes
_TABLE: Final = schema.tables.c
# in the very words of the partial indexes, as in `tables`
_LIVE: Final = schema.LIVE
_SHOWN_CLOCKS: Final = (DeadlineKind.NEXT_ROUND, DeadlineKind.REMATCH)
# as a literal: PostgreSQL shifts by integers, and a bound number would be a bigint
_STAMP: Final = literal_column("(tables.guild_id >> 22)", BigInteger)
_RELEASE: Final = version("bluffhouse")
# whether people see no difference: a clock in a message is that of the turn, or of what follows
_SEEN_THE_SAME: Final = and_(
    _TABLE.turn_ends.is_not_distinct_from(bindparam("to_ends")),
    or_(
        _TABLE.deadline.is_not_distinct_from(bindparam("to_deadline")),
        and_(*(_TABLE.deadline_kind != one.value for one in _SHOWN_CLOCKS)),
    ),
)
_POSTPONE: Final = (
    update(schema.tables)
    .where(_TABLE.id == bindparam("table"), _TABLE.version == bindparam("before"))
    .values(
        version=bindparam("to_version"),
        deadline=bindparam("to_deadline"),
        turn_since=bindparam("to_since"),
        turn_ends=bindparam("to_ends"),
        updated_at=bindparam("now"),
        shown=case(
            (and_(_TABLE.shown == bindparam("was"), _SEEN_THE_SAME), bindparam("then")),
            else_=_TABLE.shown,
        ),
    )
)
_NOTE_SHOWN: Final = (
    update(schema.tables)
    .where(_TABLE.id == bindparam("table"), _TABLE.version == bindparam("at"))
    .values(shown=bindparam("words"))
)
_FREE: Final = or_(
    _TABLE.claimed_until.is_(None),
    _TABLE.claimed_until <= bindparam("now"),
    _TABLE.claimed_version != _TABLE.version,
    _TABLE.claimed_by == bindparam("me"),
)
_OVERDUE: Final = and_(_LIVE, _TABLE.deadline <= bindparam("now"))
_DUE: Final = select(schema.tables).where(_OVERDUE).order_by(_TABLE.deadline, _TABLE.id)
# a damaged one may be a text, infinite or a fraction on SQLite: none of them equals a whole number
_NEXT_DEADLINE: Final = select(func.min(_TABLE.deadline)).where(
    _LIVE,
    _TABLE.deadline > bindparam("after"),
    _TABLE.deadline == cast(_TABLE.deadline, _TABLE.deadline.type),
)


def _shown(at_version: int) -> str:
    """What is noted of a table that is shown as it stands: another release may draw otherwise."""
    return f"{at_version} {_RELEASE}"


class Tending(Part):
    """What a process looks after."""

    def _readable(self, rows: Iterable[Row[Any]]) -> list[Table]:
        """The rows as records, those aside that cannot be read."""
        found = []
        for row in rows:
            try:
                found.append(table_from(row))
            except Damaged as damaged:
                self._set_aside.name(damaged)
        return found

    def _own(self) -> ColumnElement[bool]:
        """The tables of this process's shards."""
        if self._shards.whole:
            return true()
        return (_STAMP % self._shards.count).in_(self._shards.ids)

    @reads
    def live(self, c: Connection) -> list[Table]:
        """Every LOBBY and PLAYING table of this process's shards, oldest first."""
        # ordered as an index of live tables is, or every table there ever was would be read
        asked = select(schema.tables).where(_LIVE, self._own()).order_by(_TABLE.channel_id)
        found: list[Table] = self._readable(c.execute(asked))
        return sorted(found, key=lambda table: table.id)

    @writes
    def postpone(self, c: Connection, tables: Sequence[Table]) -> None:
        """Store the clocks of tables that are still at the version before."""
        if not tables:
            return
        rows = [
            {
                "table": table.id,
                "before": table.version - 1,
                "to_version": table.version,
                "to_deadline": table.deadline,
                "to_since": table.turn_since,
                "to_ends": table.turn_ends,
                "now": table.updated_at,
                "was": _shown(table.version - 1),
                "then": _shown(table.version),
            }
            for table in tables
        ]
        c.execute(_POSTPONE, rows)

    # -- clocks ------------------------------------------------------------------------------------

    async def due(self, now: int) -> list[Table]:
        """Live tables whose deadline is at or before `now`, the earliest first.

        Of several processes only one is given a table: others that ask meanwhile pass over it.
        """
        if self._shards.whole:
            return await self._database.read(self._due, now)
        return await self._database.write(self._claim, now)

    def _due(self, c: Connection, now: int) -> list[Table]:
        return self._readable(c.execute(_DUE, {"now": now}))

    def _claim(self, c: Connection, now: int) -> list[Table]:
        """Take the tables that are due, so that no other process does."""
        mine = or_(self._own(), _TABLE.guild_id == NO_GUILD)
        free = (
            select(_TABLE.id)
            .where(_OVERDUE, mine, _FREE)
            .order_by(_TABLE.deadline, _TABLE.id)
            .with_for_update(skip_locked=True)
        )
        claim = (
            update(schema.tables)
            .where(_TABLE.id.in_(free))
            .values(
                claimed_by=bindparam("me"),
                claimed_version=_TABLE.version,
                claimed_until=bindparam("until"),
            )
            .returning(*schema.tables.c)
        )
        given = {"now": now, "me": self._me, "until": now + CLAIM_MS}
        claimed = self._readable(c.execute(claim, given))
        return sorted(claimed, key=lambda table: (table.deadline or 0, table.id))

    @reads
    def next_deadline(self, c: Connection, after: int) -> int | None:
        """The earliest deadline of a live table of this process later than `after`."""
        asked = _NEXT_DEADLINE
        if not self._shards.whole:
            asked = asked.where(or_(self._own(), _TABLE.guild_id == NO_GUILD))
        found = c.execute(asked, {"after": after})
        deadline: int | None = found.scalar_one_or_none()
        return deadline

    # -- what is shown -----------------------------------------------------------------------------

    @writes
    def note_shown(self, c: Connection, versions: Sequence[tuple[int, int]]) -> None:
        """Remember of tables, by id and version, that they are shown as they stand."""
        if not versions:
            return
        rows = [
            {"table": table_id, "at": at, "words": _shown(at)} for table_id, at in sorted(versions)
        ]
        c.execute(_NOTE_SHOWN, rows)

    @reads
    def shown(self, c: Connection) -> set[int]:
        """The live tables of this process's shards that are known to be shown as they stand."""
        asked = select(_TABLE.id, _TABLE.version, _TABLE.shown).where(_LIVE, self._own())
        rows = c.execute(asked).all()
        return {row.id for row in rows if row.shown == _shown(row.version)}

    @reads
    def versions(self, c: Connection) -> list[tuple[int, int]]:
        """The live tables of this process's shards: id and version."""
        asked = select(_TABLE.id, _TABLE.version).where(_LIVE, self._own())
        rows = sound(c.execute(asked), self._set_aside, schema.tables)
        return [(row.id, row.version) for row in rows]
