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
from bot.storage.commits import Commits
from bot.storage.matches import match_of, seeds_of
from bot.storage.part import reads, writes
from bot.storage.rows import table_from
from bot.storage.soundness import sound
from bot.tables.errors import Damaged
from bot.tables.model import Snapshot, Status, Table

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
# people are JSON as text: what holds the digits is looked at again when it is read
_SEATS: Final = (
    select(_TABLE.id, _TABLE.version, _TABLE.players, _TABLE.invited)
    .where(
        _LIVE,
        or_(
            type_coerce(_TABLE.players, Text).like(bindparam("like")),
            type_coerce(_TABLE.invited, Text).like(bindparam("like")),
        ),
    )
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


class Tables(Commits, Tending):
    """The part of the store that is about tables."""

    async def tell(self, table_id: int, guild_id: int) -> None:
        """Have other processes read a table anew, which was changed by no move."""
        if not self._shards.whole:
            await self._database.write(self._tell_of_table, table_id, guild_id)

    @reads
    def version_of(self, c: Connection, table_id: int) -> int | None:
        """The version of a table as it is stored; None if there is no such table."""
        found = c.execute(_VERSION, {"table": table_id})
        version = found.scalar_one_or_none()
        return version if isinstance(version, int) else None

    @reads
    def snapshot(self, c: Connection, table_id: int) -> Snapshot | None:
        """A table with its match, log and seeds, all of one moment."""
        row = c.execute(select(schema.tables).where(_TABLE.id == table_id)).one_or_none()
        if row is None:
            return None
        try:
            table = table_from(row)
            if table.match_id is None:
                return Snapshot(table)
            match = match_of(c, table.match_id)
        except Damaged as damaged:
            self._set_aside.name(damaged)
            raise
        return Snapshot(table, match, seeds_of(c, table.match_id, self._set_aside))

    @reads
    def seats_of(self, c: Connection, player: int) -> list[tuple[int, int]]:
        """The live tables at which somebody sits, or is asked to sit again: id and version."""
        found = c.execute(_SEATS, {"like": f"%{player}%"})
        rows = sound(found, self._set_aside, schema.tables)
        return [
            (row.id, row.version) for row in rows if player in row.players or player in row.invited
        ]

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
    def in_channel(self, c: Connection, channel_id: int) -> Table | None:
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
