"""Tables: finding them, and what is noted of them."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    Text,
    and_,
    bindparam,
    case,
    func,
    or_,
    select,
    type_coerce,
    update,
)
from sqlalchemy.engine import Connection

from bot.storage import schema
from bot.storage.claims import Tending
from bot.storage.database import Database, reads, writes
from bot.storage.rows import table_from
from bot.storage.soundness import sound
from bot.tables.errors import Damaged
from bot.tables.model import Status, Table
from bot.tables.quarantine import Quarantine

_TABLE: Final = schema.tables.c
# in the very words of the partial indexes: a bound status would keep them from being used
_LIVE: Final = schema.LIVE
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
    _TABLE.updated_at >= bindparam("since"),
    or_(
        and_(
            _TABLE.status.in_((Status.FINISHED.value, Status.CLOSED.value)),
            _TABLE.nudge_id.is_not(None),
        ),
        and_(
            _TABLE.status == Status.FINISHED.value,
            _TABLE.announced_seq
            < select(func.max(schema.actions.c.seq))
            .where(schema.actions.c.match_id == _TABLE.match_id)
            .scalar_subquery(),
        ),
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


class Tables(Tending):
    """The part of the store that is about tables."""

    _database: Database
    _set_aside: Quarantine

    @property
    def shared(self) -> bool:
        """Whether other processes may write: on PostgreSQL. An SQLite file is locked for one."""
        return self._database.file is None

    @reads
    def version_of(self, c: Connection, table_id: int) -> int | None:
        """The version of a table as it is stored; None if there is no such table."""
        found = c.execute(_VERSION, {"table": table_id})
        version = found.scalar_one_or_none()
        return version if isinstance(version, int) else None

    @reads
    def seats_of(self, c: Connection, player: int) -> list[tuple[int, int]]:
        """The live tables at which somebody sits: id and version."""
        found = c.execute(_SEATS, {"like": f"%{player}%"})
        rows = sound(found, self._set_aside, schema.tables)
        return [(row.id, row.version) for row in rows if player in row.players]

    @writes
    def note_message(
        self, c: Connection, table_id: int, message_id: int, announced_seq: int
    ) -> None:
        """Remember which message shows the table; the version stays."""
        noted = {"message": message_id, "seq": announced_seq}
        c.execute(_NOTE, {"table": table_id, **noted})

    @writes
    def note_nudge(
        self,
        c: Connection,
        table_id: int,
        message_id: int | None,
        nudged: str | None,
        letter: tuple[int, int] | None = None,
    ) -> None:
        """Remember which messages remind whoever is to act; the version stays."""
        letter_id, reader = letter or (None, None)
        noted = {"table": table_id, "message": message_id, "which": nudged}
        noted |= {"letter": letter_id, "reader": reader}
        c.execute(_NOTE_NUDGE, noted)

    @reads
    def table_in(self, c: Connection, channel_id: int) -> Table | None:
        """The newest table of a channel that is not CLOSED."""
        row = c.execute(_IN_CHANNEL, {"channel": channel_id}).one_or_none()
        if row is None:
            return None
        try:
            return table_from(row)
        except Damaged as damaged:
            self._set_aside.name(damaged)
            raise

    @reads
    def untold(self, c: Connection, since: int) -> list[Table]:
        """Tables whose match ended at or after `since` (ms) and whose channel may not know it yet.

        Of those that are closed, as another was opened since, the ones whose reminder still stands.
        Of this process's shards. Asked once a start: it reads every table there is.
        """
        asked = _UNTOLD.where(self._own())
        return self._readable(c.execute(asked, {"since": since}))

    @reads
    def live_in_guild(self, c: Connection, guild_id: int) -> int:
        """How many live tables a guild has."""
        found = c.execute(_LIVE_IN_GUILD, {"guild": guild_id})
        return int(found.scalar_one())

    @reads
    def live_hosted_by(self, c: Connection, player: int) -> int:
        """How many live tables somebody hosts, in every server; a practice is none."""
        found = c.execute(_LIVE_HOSTED_BY, {"host": player})
        return int(found.scalar_one())
