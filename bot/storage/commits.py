"""A move stored: a table opened, and a change of a table with what it adds to its match."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    bindparam,
    case,
    exists,
    func,
    insert,
    not_,
    or_,
    select,
    update,
)
from sqlalchemy.engine import Connection

from bot.storage import schema
from bot.storage.daily import note_daily
from bot.storage.part import Part, writes
from bot.storage.rows import COLUMNS, row_values
from bot.storage.stats import record_match
from bot.tables.errors import Damaged, Repeated, Stale
from bot.tables.model import Change, Delivery, Ending, MatchStatus, Status, StoredAction, Table

_T: Final = schema.tables.c
_A: Final = schema.actions.c
# Noted by `note_message` and `note_nudge` without a new version: perhaps since the table was read.
# What shows the table stays while it keeps its match, what reminds of it always does.
_MESSAGE: Final = ("message_id", "announced_seq")
_NUDGE: Final = ("nudge_id", "nudged", "letter_id", "letter_to")

_INTERACTION: Final = bindparam("interaction", type_=_A.interaction_id.type)
_DONE: Final = or_(
    exists().where(_A.interaction_id == _INTERACTION),
    exists().where(schema.interactions.c.id == _INTERACTION),
)
_MATCH: Final = bindparam("match_id", type_=_T.match_id.type)
_JUDGED_ON: Final = bindparam("judged_on", type_=_T.match_id.type)


def _message(name: str) -> ColumnElement[Any]:
    same_match = _T.match_id.is_not_distinct_from(_MATCH)
    return case((same_match, _T[name]), else_=bindparam(name, type_=_T[name].type))


# A row comes back if the table is at the version that the change was judged on, so that its log is
# too. PostgreSQL looks again once it has the row.
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
        | {"match_id": _MATCH}
    )
    .returning(
        *(_T[name] for name in (*_MESSAGE, *_NUDGE)),
        select(func.coalesce(func.max(_A.seq), 0))
        .where(_A.match_id == _MATCH)
        .scalar_subquery()
        .label("length"),
    )
)
_WHY_NOT: Final = select(_T.version, _DONE.label("done")).where(_T.id == bindparam("table"))
_CLOSE_FINISHED: Final = (
    update(schema.tables)
    .where(_T.channel_id == bindparam("channel"), _T.status == Status.FINISHED.value)
    .values(
        status=Status.CLOSED.value,
        version=_T.version + 1,
        updated_at=bindparam("now"),
        deadline=None,
        deadline_kind=None,
    )
)
_OPEN: Final = insert(schema.tables).returning(_T.id)
_BEGIN_MATCH: Final = insert(schema.matches).returning(schema.matches.c.id)
_END_MATCH: Final = update(schema.matches).where(schema.matches.c.id == bindparam("match"))
_ACTIONS: Final = insert(schema.actions)
_SEEDS: Final = insert(schema.round_seeds)
_DELIVERIES: Final = insert(schema.deliveries)
_SEEN: Final = insert(schema.interactions)


class Commits(Part):
    """The part of the store that stores changes."""

    @writes
    def open(self, c: Connection, table: Table, interaction_id: int | None) -> Table:
        """Store a new table and return it with its id and version 1."""
        table = replace(table, version=1)
        if c.execute(select(_DONE), {"interaction": interaction_id}).scalar_one():
            raise Repeated(f"interaction {interaction_id} opened a table before")
        c.execute(_CLOSE_FINISHED, {"channel": table.channel_id, "now": table.created_at})
        table = replace(table, id=c.execute(_OPEN, row_values(table)).scalar_one())
        if interaction_id is not None:
            _note_seen(c, interaction_id, table)
        return table

    @writes
    def commit(self, c: Connection, change: Change) -> Table:
        """Store a change whole."""
        table = change.table
        if change.new_match is not None:
            table = replace(table, match_id=_begin_match(c, change))
        asked = {
            "table": table.id,
            "before": table.version - 1,
            "judged_on": change.table.match_id,
            "interaction": change.interaction_id,
            **{name: one for name, one in row_values(table).items() if name not in _NUDGE},
        }
        found = c.execute(_MOVE_ON, asked).mappings().one_or_none()
        if found is None:
            raise _why_not(c, change)
        kept = dict(found)
        length = kept.pop("length")
        if type(length) is not int:
            raise Damaged("a number of its log cannot be read", table=table.id)
        table = replace(table, **kept)
        _append(c, change, table, length)
        if change.ending is not None:
            _end_match(c, change.ending, table)
        self._tell_of_table(c, table.id, table.guild_id)
        return table


def _why_not(c: Connection, change: Change) -> Exception:
    """Why a change does not follow what is stored."""
    asked = {"table": change.table.id, "interaction": change.interaction_id}
    found = c.execute(_WHY_NOT, asked).one_or_none()
    if found is None:
        return Stale(f"there is no table {change.table.id}")
    if found.done:
        return Repeated(f"interaction {change.interaction_id} was stored before")
    if found.version != change.table.version - 1:
        return Stale(f"table {change.table.id} is at version {found.version}")
    return ValueError("a table takes up a match only when that is made")


def _begin_match(c: Connection, change: Change) -> int:
    """Store a match of the change's table, begun now, and return its id."""
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
    return int(c.execute(_BEGIN_MATCH, stored).scalar_one())


def _append(c: Connection, change: Change, table: Table, length: int) -> None:
    """Append the change's actions to a log of `length`, with its seeds, deliveries and interaction.

    Raises ValueError if the log would have a gap, or one interaction two actions.
    """
    match_id = table.match_id
    if match_id is None and (change.actions or change.seeds or change.deliveries or change.ending):
        raise ValueError("actions, seeds, deliveries and an ending need a match")
    _check_log(change.actions, length)
    if change.actions:
        c.execute(_ACTIONS, [_action(match_id, action) for action in change.actions])
    if change.seeds:
        seeds = [{"match_id": match_id, "round": one, "seed": seed} for one, seed in change.seeds]
        c.execute(_SEEDS, seeds)
    if change.deliveries:
        of = {"match_id": match_id, "state": Delivery.PENDING.value}
        names = ("round", "seat", "player")
        rows = [of | dict(zip(names, one, strict=True)) for one in change.deliveries]
        c.execute(_DELIVERIES, rows)
    carried = {action.interaction_id for action in change.actions}
    if change.interaction_id is not None and change.interaction_id not in carried:
        _note_seen(c, change.interaction_id, table)


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
    """Note how the match of `table` ended just now, for its players' records too."""
    match_id, now = table.match_id, table.updated_at
    c.execute(_END_MATCH, {"match": match_id, "status": ending.status.value, "ended_at": now})
    if ending.results:
        c.execute(
            insert(schema.results),
            [
                {
                    "match_id": match_id,
                    "player": result.player,
                    "place": result.place,
                    "rounds": result.rounds,
                }
                for result in ending.results
            ],
        )
    if ending.daily is not None:
        note_daily(c, replace(ending.daily, match_id=match_id or 0))
    if ending.record is not None:
        record_match(c, table.guild_id, ending.record, now)


def _note_seen(c: Connection, interaction_id: int, table: Table) -> None:
    c.execute(_SEEN, {"id": interaction_id, "table_id": table.id, "at": table.updated_at})
