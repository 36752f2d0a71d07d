"""A row of `tables` as the record, and back."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import Any, Final

from sqlalchemy.engine import Row

from bot.storage.soundness import check_row
from bot.tables.model import DeadlineKind, PlayerCut, Status, Table

_KINDS: Final = frozenset(kind.value for kind in DeadlineKind)
COLUMNS: Final = tuple(one.name for one in fields(Table) if one.name != "id")


def table_from(row: Row[Any]) -> Table:
    """A row of `tables` as the record. Raises `Damaged`."""
    return record_of(dict(row._mapping))


def record_of(values: dict[str, Any]) -> Table:
    """The record of a table from its row's values by column. Raises `Damaged`."""
    check_row(values)
    values["status"] = Status(values["status"])
    values["players"] = tuple(values["players"])
    kind = values["deadline_kind"]
    # a kind that this code does not know is none: the table's state says what is to come
    values["deadline_kind"] = DeadlineKind(kind) if kind in _KINDS else None
    # JSON's keys are text and its sequences lists
    values["absent"] = {int(player): misses for player, misses in values["absent"].items()}
    values["votes"] = {int(player): tuple(by) for player, by in values["votes"].items()}
    for people in ("invited", "waiting"):
        values[people] = tuple(values[people])
    values["cuts"] = tuple(PlayerCut(**one) for one in values["cuts"])
    return Table(id=values["id"], **{name: values[name] for name in COLUMNS})


def row_values(table: Table) -> dict[str, Any]:
    """A record as its row's values by column, without the id."""
    values = {name: getattr(table, name) for name in COLUMNS}
    values["status"] = table.status.value
    values["players"] = list(table.players)
    values["cuts"] = [asdict(one) for one in table.cuts]
    return values
