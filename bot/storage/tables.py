"""Tables: open, change and find them, and choose which process serves which.

A change is one transaction. It applies only if the table's row still has the version that the
change was computed from, and adds the new actions to the match's log.

Each process serves the tables of its own shards. Any process may serve a practice, as its player
may press a button anywhere. A process claims a deadline that is due, so that only one serves it;
the claim holds until the table changes, or until it expires because that process has ended.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from functools import cache
from importlib.metadata import version
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Select,
    Text,
    and_,
    bindparam,
    case,
    cast,
    exists,
    func,
    insert,
    literal,
    literal_column,
    not_,
    or_,
    select,
    true,
    type_coerce,
    union_all,
    update,
)
from sqlalchemy import Table as SqlTable
from sqlalchemy.engine import Connection, Row

from bot.settings.shards import NO_GUILD, Shards
from bot.storage import schema
from bot.storage.daily import note_daily
from bot.storage.matches import TABLE, match_of, seeds_of
from bot.storage.part import Part, reads, reads_one, writes, writes_one
from bot.storage.rows import COLUMNS, row_values, sound, table_from
from bot.storage.stats import record_match
from bot.tables.errors import Damaged, Repeated, Stale
from bot.tables.model import (
    Change,
    DeadlineKind,
    Delivery,
    Ending,
    MatchStatus,
    Snapshot,
    Status,
    StoredAction,
    Table,
)

CLAIM_MS: Final = 15_000  # how long a claim holds: longer than it takes to serve a deadline
_T: Final = schema.tables.c
_A: Final = schema.actions.c
# a literal: PostgreSQL shifts by integers, and a bound parameter would be a bigint
_STAMP: Final = literal_column("(tables.guild_id >> 22)", BigInteger)
_RELEASE: Final = version("bluffhouse")
_SHOWN_CLOCKS: Final = (DeadlineKind.NEXT_ROUND, DeadlineKind.REMATCH)
# `note_message` and `note_nudge` write these columns without a new version, maybe after the table
# was read. So a change of the same match and channel keeps the message's columns, and any change
# keeps the reminder's.
_MESSAGE: Final = ("message_id", "announced_seq")
_NUDGE: Final = ("nudge_id", "nudged", "letter_id", "letter_to")

_INTERACTION: Final = bindparam("interaction", type_=_A.interaction_id.type)
_DONE: Final = or_(
    exists().where(_A.interaction_id == _INTERACTION),
    exists().where(schema.interactions.c.id == _INTERACTION),
)
# built once, as they run most often: SQLAlchemy takes longer to build a statement than to run it
_MATCH_BEGINS: Final = insert(schema.matches).returning(schema.matches.c.id)
_INSERTS: Final = {
    table: insert(table)
    for table in (schema.actions, schema.round_seeds, schema.deliveries, schema.interactions)
}
_MATCH_ENDS: Final = update(schema.matches).where(schema.matches.c.id == bindparam("match"))
_VERSION_OF: Final = select(_T.version).where(_T.id == bindparam("table"))
_IN_CHANNEL: Final = (
    select(schema.tables)
    .where(_T.channel_id == bindparam("channel"), _T.status != Status.CLOSED.value)
    .order_by(_T.id.desc())
    .limit(1)
)
_SEQ: Final = bindparam("seq", type_=_A.seq.type)
_NOTE_MESSAGE: Final = (
    update(schema.tables)
    .where(_T.id == bindparam("table"))
    .values(
        message_id=bindparam("message"),
        announced_seq=case((_T.announced_seq > _SEQ, _T.announced_seq), else_=_SEQ),
    )
)
_NOTE_NUDGE: Final = (
    update(schema.tables)
    .where(_T.id == bindparam("table"))
    .values({name: bindparam(name) for name in _NUDGE})
)
_LIVE_IN_GUILD: Final = (
    select(func.count())
    .select_from(schema.tables)
    .where(schema.LIVE, _T.guild_id == bindparam("guild"))
)
# without a range of channels the index of live tables would not be used
_LIVE_HOSTED_BY: Final = (
    select(func.count())
    .select_from(schema.tables)
    .where(schema.LIVE, _T.channel_id > 0, _T.host_id == bindparam("player"))
)
_MATCH: Final = bindparam("match_id", type_=_T.match_id.type)
_CHANNEL: Final = bindparam("channel_id", type_=_T.channel_id.type)
_JUDGED_ON: Final = bindparam("judged_on", type_=_T.match_id.type)
_LENGTH: Final = (
    select(func.coalesce(func.max(_A.seq), 0)).where(_A.match_id == _MATCH).scalar_subquery()
)


def _message(name: str) -> ColumnElement[Any]:
    same = and_(_T.match_id.is_not_distinct_from(_MATCH), _T.channel_id == _CHANNEL)
    return case((same, _T[name]), else_=bindparam(name, type_=_T[name].type))


# Returns a row if the table still has the version that the change was computed from; then its log
# is unchanged too. PostgreSQL checks again once it has locked the row.
_MOVE_ON: Final = (
    update(schema.tables)
    .where(
        _T.id == bindparam("table"),
        _T.version == bindparam("before"),
        or_(_JUDGED_ON.is_(None), _T.match_id == _JUDGED_ON),
        not_(_DONE),
    )
    .values(
        {name: bindparam(name) for name in COLUMNS if name not in _NUDGE}
        | {name: _message(name) for name in _MESSAGE}
        | {"match_id": _MATCH, "channel_id": _CHANNEL}
    )
    .returning(*(_T[name] for name in (*_MESSAGE, *_NUDGE)), _LENGTH.label("length"))
)


@cache
def _move_on_with(counts: tuple[tuple[SqlTable, int], ...], *, logs: bool) -> Select[Any]:
    """Return one PostgreSQL statement that executes `_MOVE_ON` and inserts rows into other tables.

    `counts`: the tables, and how many rows to insert into each. The statement stores everything and
    returns a row, or stores nothing and returns no row. `logs`: store only if the match's log has
    as many actions as the parameter `length` says.
    """
    length = bindparam("length", type_=_A.seq.type)
    move_on = _MOVE_ON.where(length == _LENGTH) if logs else _MOVE_ON
    moved = move_on.cte("moved")
    whole = select(*(moved.c[name] for name in (*_MESSAGE, *_NUDGE)))
    for table, count in counts:
        rows = [
            select(
                *(
                    bindparam(_row_parameter(number, column), type_=column.type)
                    for column in table.c
                )
            )
            for number in range(count)
        ]
        added = insert(table).from_select(
            [column.name for column in table.c],
            union_all(*(row.select_from(moved) for row in rows)),
        )
        whole = whole.add_cte(added.cte(f"new_{table.name}"))
    return whole


@cache
def _row_parameter(row: int, column: Column[Any]) -> str:
    return f"{column.table.name}_{column.name}_{row}"


class SqlTables(Part):
    """Opens, changes and finds tables."""

    # -- changes -----------------------------------------------------------------------------------

    @writes
    def open(self, c: Connection, table: Table, interaction_id: int | None) -> Table:
        """Store a new table (its `id` is ignored) and return it with its id and version 1.

        Closes a FINISHED table of the same channel. Raises `ChannelHasTable`, `Repeated`.
        """
        table = replace(table, version=1)
        if c.execute(select(_DONE), {"interaction": interaction_id}).scalar_one():
            raise Repeated(f"interaction {interaction_id} opened a table before")
        c.execute(
            update(schema.tables)
            .where(_T.channel_id == table.channel_id, _T.status == Status.FINISHED.value)
            .values(
                status=Status.CLOSED.value,
                version=_T.version + 1,
                updated_at=table.created_at,
                deadline=None,
                deadline_kind=None,
            )
        )
        opened = c.execute(insert(schema.tables).returning(_T.id), row_values(table))
        table = replace(table, id=opened.scalar_one())
        if interaction_id is not None:
            c.execute(insert(schema.interactions), _interaction_row(interaction_id, table))
        return table

    async def commit(self, change: Change) -> Table:
        """Store a change as a whole; return the table (with `match_id` if a match was created).

        `note_message` and `note_nudge` store without a new version, so the change may not know
        their latest values. The columns they store don't change, except that a table with a new
        match or channel gets `message_id` and `announced_seq` from the change. Raises `Repeated`
        (checked first), `Stale`, `ChannelHasTable`, `Damaged`, `StoreUnavailable`, `MaybeStored`.
        """
        stepwise = change.new_match or change.ending or self._needs_notice(change.table.guild_id)
        if self._database.file is None and not stepwise:
            stored = await self._database.write_one(lambda c: _commit_at_once(c, change))
            if stored is not None:
                return stored
            # nothing was stored: the separate statements find out why
        return await self._database.write(self._commit, change)

    def _commit(self, c: Connection, change: Change) -> Table:
        """Store a change in several statements."""
        table = change.table
        if change.new_match is not None:
            table = replace(table, match_id=_begin_match(c, change))
        row = c.execute(_MOVE_ON, _move_on_values(change, table)).mappings().one_or_none()
        if row is None:
            raise _why_refused(c, change)
        noted = dict(row)
        length = noted.pop("length")
        if type(length) is not int:
            raise Damaged("a number of its log cannot be read", table=table.id)
        table = replace(table, **noted)
        rows = _rows(change, table)
        _check_log(change.actions, length)
        for of, new in rows.items():
            c.execute(_INSERTS[of], new)
        if change.ending is not None:
            _end_match(c, change.ending, table)
        self._notify_of_table(c, table.id, table.guild_id)
        return table

    @writes
    def postpone(self, c: Connection, tables: Sequence[Table]) -> None:
        """Store the tables' new clocks and versions in one transaction.

        Skip a table whose stored version isn't exactly one lower: it has changed meanwhile.
        """
        if not tables:
            return
        # whether the table's message stays correct: it shows the end of the turn, or of one of
        # `_SHOWN_CLOCKS`
        seen_the_same = and_(
            _T.turn_ends.is_not_distinct_from(bindparam("to_ends")),
            or_(
                _T.deadline.is_not_distinct_from(bindparam("to_deadline")),
                and_(*(_T.deadline_kind != kind.value for kind in _SHOWN_CLOCKS)),
            ),
        )
        postponing = (
            update(schema.tables)
            .where(_T.id == bindparam("table"), _T.version == bindparam("before"))
            .values(
                version=bindparam("to_version"),
                deadline=bindparam("to_deadline"),
                turn_since=bindparam("to_since"),
                turn_ends=bindparam("to_ends"),
                updated_at=bindparam("now"),
                shown=case(
                    (and_(_T.shown == bindparam("was"), seen_the_same), bindparam("then")),
                    else_=_T.shown,
                ),
            )
        )
        rows = [
            {
                "table": table.id,
                "before": table.version - 1,
                "to_version": table.version,
                "to_deadline": table.deadline,
                "to_since": table.turn_since,
                "to_ends": table.turn_ends,
                "now": table.updated_at,
                "was": _shown_mark(table.version - 1),
                "then": _shown_mark(table.version),
            }
            for table in tables
        ]
        c.execute(postponing, rows)

    # -- notes that are no moves -------------------------------------------------------------------

    @writes_one
    def note_message(
        self, c: Connection, table_id: int, message_id: int, announced_seq: int
    ) -> None:
        """Store which message shows the table, and the last action that it shows (`announced_seq`).

        The stored action number never decreases. The table's version stays.
        """
        c.execute(_NOTE_MESSAGE, {"table": table_id, "message": message_id, "seq": announced_seq})

    @writes_one
    def note_nudge(
        self,
        c: Connection,
        table_id: int,
        message_id: int | None,
        nudged: str | None,
        direct_message: tuple[int, int] | None = None,
    ) -> None:
        """Store which message reminds the player in turn, and which reminder it is (`nudged`).

        `direct_message`: the id and recipient of a reminder by direct message. If a message is
        None, it no longer exists. The table's version stays.
        """
        noted = zip(_NUDGE, (message_id, nudged, *(direct_message or (None, None))), strict=True)
        c.execute(_NOTE_NUDGE, {"table": table_id, **dict(noted)})

    @writes
    def note_shown(self, c: Connection, versions: Sequence[tuple[int, int]]) -> None:
        """Store that tables' messages show these versions: (table id, version) each.

        Skip a table that now has another version.
        """
        if not versions:
            return
        noting = update(schema.tables).values(shown=bindparam("words"))
        noting = noting.where(_T.id == bindparam("table"), _T.version == bindparam("at"))
        rows = [
            {"table": table, "at": at, "words": _shown_mark(at)} for table, at in sorted(versions)
        ]
        c.execute(noting, rows)

    async def notify(self, table_id: int, guild_id: int) -> None:
        """Notify other processes to reload a table that changed without a move."""
        if not self._shards.whole:
            await self._database.write(self._notify_of_table, table_id, guild_id)

    # -- one table ---------------------------------------------------------------------------------

    @reads
    def snapshot(self, c: Connection, table_id: int) -> Snapshot | None:
        """Return a table with its match, log and seeds, as of one moment; None for an unknown id.

        Raises `Damaged`.
        """
        row = c.execute(TABLE, {"table": table_id}).one_or_none()
        if row is None:
            return None
        try:
            table = table_from(row._mapping)
            if table.match_id is None:
                return Snapshot(table)
            match = match_of(c, table.match_id)
        except Damaged as damaged:
            self._set_aside.name(damaged)
            raise
        return Snapshot(table, match, seeds_of(c, table.match_id, self._set_aside))

    @reads_one
    def version_of(self, c: Connection, table_id: int) -> int | None:
        """Return a table's stored version; None if there is no such table, or it is unreadable."""
        version = c.execute(_VERSION_OF, {"table": table_id}).scalar_one_or_none()
        return version if isinstance(version, int) else None

    @reads_one
    def in_channel(self, c: Connection, channel_id: int) -> Table | None:
        """Return a channel's newest table that is not CLOSED, or None. Raises `Damaged`."""
        row = c.execute(_IN_CHANNEL, {"channel": channel_id}).one_or_none()
        if row is None:
            return None
        try:
            return table_from(row._mapping)
        except Damaged as damaged:
            self._set_aside.name(damaged)
            raise

    # -- several tables ----------------------------------------------------------------------------

    @reads
    def seats_of(self, c: Connection, player: int) -> list[tuple[int, int]]:
        """Return id and version of each live table where a person has a seat or an invitation."""
        # people are stored as JSON text: rows that contain the digits are checked again once
        # decoded
        named = [type_coerce(ids, Text).contains(str(player)) for ids in (_T.players, _T.invited)]
        rows = c.execute(
            select(_T.id, _T.version, _T.players, _T.invited)
            .where(schema.LIVE, or_(*named))
            .order_by(_T.channel_id)
        )
        readable = sound(rows, self._set_aside, schema.tables)
        return [
            (row.id, row.version)
            for row in readable
            if player in row.players or player in row.invited
        ]

    @reads
    def live(self, c: Connection) -> list[Table]:
        """Return every LOBBY and PLAYING table of this process's shards that can be read."""
        # ordered as an index of live tables: otherwise every table ever stored would be read
        query = select(schema.tables).where(schema.LIVE, self._own()).order_by(_T.channel_id)
        return sorted(self._readable(c.execute(query)), key=lambda table: table.id)

    @reads
    def versions(self, c: Connection) -> list[tuple[int, int]]:
        """Return the id and version of each live table of this process."""
        query = select(_T.id, _T.version).where(schema.LIVE, self._own())
        rows = sound(c.execute(query), self._set_aside, schema.tables)
        return [(row.id, row.version) for row in rows]

    @reads
    def up_to_date(self, c: Connection) -> set[int]:
        """Return the ids of this process's live tables whose messages are surely up to date."""
        query = select(_T.id, _T.version, _T.shown).where(schema.LIVE, self._own())
        rows = c.execute(query).all()
        return {row.id for row in rows if row.shown == _shown_mark(row.version)}

    @reads
    def to_announce(self, c: Connection, since: int) -> list[Table]:
        """Return tables whose match ended at or after `since` (ms) but may not have been announced.

        Also return finished and closed tables whose reminder is still shown, if they changed since
        then. Only tables of this process's shards. Use it only at a start: it reads every stored
        table.
        """
        over = _T.status.in_((Status.FINISHED.value, Status.CLOSED.value))
        length = select(func.max(_A.seq)).where(_A.match_id == _T.match_id).scalar_subquery()
        behind = and_(_T.status == Status.FINISHED.value, _T.announced_seq < length)
        still = or_(and_(over, _T.nudge_id.is_not(None)), behind)
        query = select(schema.tables).where(_T.updated_at >= since, still, self._own())
        return self._readable(c.execute(query))

    @reads_one
    def live_in_guild(self, c: Connection, guild_id: int) -> int:
        """Return how many live tables a guild has."""
        return int(c.execute(_LIVE_IN_GUILD, {"guild": guild_id}).scalar_one())

    @reads_one
    def live_hosted_by(self, c: Connection, player: int) -> int:
        """Return how many live tables a person hosts, in all servers; practices don't count."""
        return int(c.execute(_LIVE_HOSTED_BY, {"player": player}).scalar_one())

    # -- clocks ------------------------------------------------------------------------------------

    async def due(self, now: int) -> list[Table]:
        """Return readable live tables whose deadline is at or before `now` (ms), earliest first.

        If there are several processes, claim the tables: other processes skip them until they
        change or the claim expires.
        """
        if self._shards.whole:
            return await self._database.read(self._due, now)
        return await self._database.write(self._claim, now)

    def _due(self, c: Connection, now: int) -> list[Table]:
        query = select(schema.tables).where(schema.LIVE, _T.deadline <= now)
        return self._readable(c.execute(query.order_by(_T.deadline, _T.id)))

    def _claim(self, c: Connection, now: int) -> list[Table]:
        """Claim the due tables, so that no other process serves them, and return them."""
        mine = or_(self._own(), _T.guild_id == NO_GUILD)
        free_of_claims = or_(
            _T.claimed_until.is_(None),
            _T.claimed_until <= now,
            _T.claimed_version != _T.version,
            _T.claimed_by == self._me,
        )
        free = (
            select(_T.id)
            .where(schema.LIVE, _T.deadline <= now, mine, free_of_claims)
            .order_by(_T.deadline, _T.id)
            .with_for_update(skip_locked=True)
        )
        claim = (
            update(schema.tables)
            .where(_T.id.in_(free))
            .values(
                claimed_by=self._me,
                claimed_version=_T.version,
                claimed_until=now + CLAIM_MS,
            )
            .returning(*schema.tables.c)
        )
        claimed = self._readable(c.execute(claim))
        return sorted(claimed, key=lambda table: (table.deadline or 0, table.id))

    @reads_one
    def next_deadline(self, c: Connection, after: int) -> int | None:
        """Return the first deadline (ms) past `after` among this process's live tables, or None."""
        result = c.execute(_next_deadline(self._shards), {"after": after})
        deadline: int | None = result.scalar_one_or_none()
        return deadline

    def _own(self) -> ColumnElement[bool]:
        return _own(self._shards)

    def _readable(self, rows: Iterable[Row[Any]]) -> list[Table]:
        """Return the rows as records. Rows that cannot be read are reported and skipped."""
        tables = []
        for row in rows:
            try:
                tables.append(table_from(row._mapping))
            except Damaged as damaged:
                self._set_aside.name(damaged)
        return tables


def _own(shards: Shards) -> ColumnElement[bool]:
    if shards.whole:
        return true()
    return (_STAMP % shards.count).in_([literal(shard) for shard in shards.ids])


@cache
def _next_deadline(shards: Shards) -> Select[Any]:
    query = select(func.min(_T.deadline)).where(
        schema.LIVE,
        _T.deadline > bindparam("after"),
        # on SQLite a damaged value may be text, infinite or a fraction; none equals an integer
        _T.deadline == cast(_T.deadline, _T.deadline.type),
    )
    return query if shards.whole else query.where(or_(_own(shards), _T.guild_id == NO_GUILD))


def _shown_mark(at_version: int) -> str:
    """Return the text to store for a shown version of a table.

    It includes the bot's release, since another release may draw the same version differently.
    """
    return f"{at_version} {_RELEASE}"


def _move_on_values(change: Change, table: Table) -> dict[str, Any]:
    """Return the parameters of `_MOVE_ON`."""
    return {
        "table": table.id,
        "before": table.version - 1,
        "judged_on": change.table.match_id,
        "interaction": change.interaction_id,
        **{name: value for name, value in row_values(table).items() if name not in _NUDGE},
    }


def _commit_at_once(c: Connection, change: Change) -> Table | None:
    """Store a change in one statement. Return None if the change was refused and not stored."""
    table = change.table
    rows = _rows(change, table)
    parameters = _move_on_values(change, table)
    if change.actions:
        parameters["length"] = change.actions[0].seq - 1
        _check_log(change.actions, parameters["length"])
    for of, values in rows.items():
        for number, new in enumerate(values):
            parameters |= {_row_parameter(number, column): new[column.name] for column in of.c}
    counts = tuple((of, len(values)) for of, values in rows.items())
    statement = _move_on_with(counts, logs=bool(change.actions))
    row = c.execute(statement, parameters).mappings().one_or_none()
    return None if row is None else replace(table, **row)


def _why_refused(c: Connection, change: Change) -> Exception:
    """Return the error that says why a change was not stored."""
    query = select(_T.version, _DONE.label("done")).where(_T.id == change.table.id)
    row = c.execute(query, {"interaction": change.interaction_id}).one_or_none()
    if row is None:
        return Stale(f"there is no table {change.table.id}")
    if row.done:
        return Repeated(f"interaction {change.interaction_id} was stored before")
    if row.version != change.table.version - 1:
        return Stale(f"table {change.table.id} is at version {row.version}")
    return ValueError("a table takes up a match only when that is made")


def _begin_match(c: Connection, change: Change) -> int:
    """Store a match of the change's table, beginning now, and return its id."""
    match, table = change.new_match, change.table
    assert match is not None
    stored = {
        "table_id": table.id,
        "variant": match.variant,
        "variant_version": match.variant_version,
        "options": match.options,
        "players": list(match.players),
        "opener": match.opener,
        "status": MatchStatus.PLAYING.value,
        "started_at": table.updated_at,
    }
    return int(c.execute(_MATCH_BEGINS, stored).scalar_one())


def _rows(change: Change, table: Table) -> dict[SqlTable, list[dict[str, Any]]]:
    """Return the new rows of a change: its actions, seeds, deliveries and interaction.

    Raises ValueError if there is no match for them.
    """
    match_id = table.match_id
    if match_id is None and (change.actions or change.seeds or change.deliveries or change.ending):
        raise ValueError("actions, seeds, deliveries and an ending need a match")
    of = {"match_id": match_id, "state": Delivery.PENDING.value}
    names = ("round", "seat", "player")
    carried = {action.interaction_id for action in change.actions}
    is_separate = change.interaction_id is not None and change.interaction_id not in carried
    rows: dict[SqlTable, list[dict[str, Any]]] = {
        schema.actions: [_action(match_id, action) for action in change.actions],
        schema.round_seeds: [
            {"match_id": match_id, "round": number, "seed": seed} for number, seed in change.seeds
        ],
        schema.deliveries: [
            of | dict(zip(names, dealt, strict=True)) for dealt in change.deliveries
        ],
        schema.interactions: [_interaction_row(change.interaction_id, table)]
        if is_separate
        else [],
    }
    return {of: new for of, new in rows.items() if new}


def _check_log(actions: tuple[StoredAction, ...], length: int) -> None:
    if [action.seq for action in actions] != list(range(length + 1, length + 1 + len(actions))):
        raise ValueError(f"the log has {length} actions; the next must follow without a gap")
    carried = [action.interaction_id for action in actions if action.interaction_id is not None]
    if len(carried) != len(set(carried)):
        raise ValueError("of the actions of one interaction only one may carry its id")


def _action(match_id: int | None, action: StoredAction) -> dict[str, Any]:
    return {
        "match_id": match_id,
        "seq": action.seq,
        "schema": action.body["v"],
        "body": action.body,
        "at": action.at,
        "interaction_id": action.interaction_id,
        "by_house": action.by_house,
    }


def _end_match(c: Connection, ending: Ending, table: Table) -> None:
    """Store how the match of `table` ended just now, and update its players' records."""
    match_id, now = table.match_id, table.updated_at
    ended = {"match": match_id, "status": ending.status.value, "ended_at": now}
    c.execute(_MATCH_ENDS, ended)
    if ending.results:
        rows = [{"match_id": match_id, **asdict(result)} for result in ending.results]
        c.execute(insert(schema.results), rows)
    if ending.daily is not None:
        note_daily(c, replace(ending.daily, match_id=match_id or 0))
    if ending.record is not None:
        record_match(c, table.guild_id, ending.record, now)


def _interaction_row(interaction_id: int | None, table: Table) -> dict[str, Any]:
    return {"id": interaction_id, "table_id": table.id, "at": table.updated_at}
