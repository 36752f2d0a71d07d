"""What people are told is stored about them, and their export, leave out nothing that is stored."""

from __future__ import annotations

from dataclasses import asdict, fields, replace
from typing import Any

import pytest
from sqlalchemy import Column, insert, select

from bot.boards.board import Text
from bot.boards.privacy import privacy_board
from bot.privacy.export import person_json
from bot.privacy.results import Dossier
from bot.services.privacy import Privacy
from bot.storage import schema
from bot.storage.personal_data import NAMING
from bot.storage.store import SqlStore
from bot.tables.model import Player
from bot.tables.nights import Stage
from bot.tables.preferences import SEEN
from tests.bot.storage.asking import transaction
from tests.bot.storage.moves import ANN, BOB, CLEO, playing
from tests.bot.tables.conftest import store as store

# tables about a person's matches: the columns that `match_json` exports, and why not the others
IN_MATCHES: dict[str, tuple[set[str], dict[str, str]]] = {
    "matches": (
        {"id", "table_id", "variant", "options", "players", "status", "started_at", "ended_at"},
        {"variant_version": "of the rules", "opener": "the log says who bid first"},
    ),
    "results": ({"match_id", "player", "place", "rounds"}, {}),
    "deliveries": (
        {"match_id", "player", "seat"},
        {"round": "as the match's cards", "state": "whether their cards were sent"},
    ),
}
# columns that an export leaves out, and why
LEFT_OUT = {
    "pair_records.other": "somebody else's id",
    "listeners.guild_id": "the server of a channel that is there; to delete the row with it",
}
# columns of `tables` that name nobody: the table's own, which its export has, and what tells no
# more of one person than of another
OF_TABLES = {
    *("id", "guild_id", "variant", "status", "created_at"),
    *("options", "version", "updated_at", "match_id", "message_id", "announced_seq"),
    *("deadline", "deadline_kind", "turn_since", "turn_ends", "nudges", "nudge_id", "nudged"),
    *("letter_id", "chain_root", "daily_day", "daily_guild"),
    *("shown", "claimed_by", "claimed_version", "claimed_until"),
}
LEFT_OUT_OF_TABLES = {"tables.letter_to": "whose direct message is to be changed; the row is there"}
NOTHING, ID_ALONE = "nothing", "your Discord id"


class OneDossier:
    """A store of one dossier."""

    def __init__(self, dossier: Dossier) -> None:
        self._dossier = dossier

    async def dossier(self, _: int) -> Dossier:
        return self._dossier


async def stored_line(dossier: Dossier) -> str:
    """Return what **My data…** says is stored about a person."""
    parts: Any = OneDossier(dossier), None, None
    summary = await Privacy(*parts).summary(ANN)
    blocks = privacy_board(summary, None, None).blocks
    text = "\n".join(block.markdown for block in blocks if isinstance(block, Text))
    return text.partition("**We currently store:** ")[2].partition("\n")[0].partition(".")[0]


async def test_a_person_without_stored_data_is_told_so() -> None:
    assert await stored_line(Dossier(None, ())) == NOTHING
    assert await stored_line(Dossier(Player(ANN), ())) == ID_ALONE


@pytest.mark.parametrize("table", sorted(NAMING.keys() - IN_MATCHES.keys() - {"players"}))
async def test_a_person_whom_one_table_names_is_told_what_is_stored(table: str) -> None:
    assert await stored_line(Dossier(None, (), {table: [{}]})) not in (NOTHING, ID_ALONE), (
        f"say what {table} stores: in DataSummary (bot/privacy/results.py), `Privacy.summary`"
        " (bot/services/privacy.py) and `_stored_parts` (bot/boards/privacy.py)"
    )


def _changed_value(value: Any, kind: type) -> Any:
    """Return another value for a column of this type."""
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 1
        case str():
            return f"{value}x"
        case dict():
            return {**value, str(len(value)): "two"}
        case list():
            return [*value, 7]
    return {str: "x", int: 7, float: 0.5, bool: True, dict: {"deck": "two"}}[kind]


def _kind(column: Column[Any]) -> type:
    return dict if isinstance(column.type, schema.Json) else column.type.python_type


@pytest.mark.parametrize("name", [part.name for part in fields(Player) if part.name != "id"])
async def test_a_person_with_one_stored_value_is_told_what_is_stored(name: str) -> None:
    blank = Player(ANN)
    value = _changed_value(getattr(blank, name), _kind(schema.players.c[name]))
    known = replace(blank, **{name: value})
    assert await stored_line(Dossier(known, ())) not in (NOTHING, ID_ALONE), (
        f"say that players.{name} is stored: in DataSummary (bot/privacy/results.py),"
        " `Privacy.summary` (bot/services/privacy.py) and `_stored_parts` (bot/boards/privacy.py)"
    )


async def test_a_seen_language_is_not_called_a_preference() -> None:
    known = Player(ANN, choices={SEEN: "pl"})
    assert await stored_line(Dossier(known, ())) == "the language of your Discord"
    known = Player(ANN, choices={SEEN: "pl", "deck": "two"})
    expected = "your preferences and the language of your Discord"
    assert await stored_line(Dossier(known, ())) == expected


async def _fill(store: SqlStore) -> None:
    """Store a row about Ann in every table of `NAMING`."""
    played = await playing(store, players=(ANN, BOB), host_id=ANN)
    async with transaction(store.database) as connection:
        for table in schema.metadata.sorted_tables:
            if table.name not in NAMING.keys() - IN_MATCHES.keys() - {"tables"}:
                continue
            row = {column.name: _changed_value(None, _kind(column)) for column in table.c}
            row |= {column.name: played.match_id for column in table.c if column.foreign_keys}
            row |= {"id": played.match_id, "stage": Stage.CALL} if table.name == "nights" else {}
            row |= dict.fromkeys(NAMING[table.name], ANN)
            row |= {"other": BOB} if table.name == "pair_records" else {}
            await connection.execute(insert(table).values(row))


async def test_an_export_has_every_column_about_the_person(store: SqlStore) -> None:
    await _fill(store)
    dossier = await store.privacy.dossier(ANN)
    assert dossier.player is not None
    whole = person_json(ANN, dossier, [])
    missing = set()
    for table in NAMING.keys() - IN_MATCHES.keys() - {"tables"}:
        (row,) = [asdict(dossier.player)] if table == "players" else dossier.rows.get(table, [{}])
        for column in schema.metadata.tables[table].c:
            if column.name in NAMING[table] and column.name != "other":
                continue  # the person's own id
            changed_row = {**row, column.name: _changed_value(row.get(column.name), _kind(column))}
            if table == "players":
                changed = replace(dossier, player=Player(**changed_row))
            else:
                changed = replace(dossier, rows={**dossier.rows, table: [changed_row]})
            if column.name not in row or person_json(ANN, changed, []) == whole:
                missing.add(f"{table}.{column.name}")
    assert missing == LEFT_OUT.keys(), (
        f"{sorted(missing - LEFT_OUT.keys())} is not in a person's export: write it in"
        " `person_json` (bot/privacy/export.py), or say in LEFT_OUT here why not"
    )


# how a table's columns name Ann alone
NAMED = {
    **dict.fromkeys(("host_id", "last_winner", "letter_to"), ANN),
    **{column: [ANN] for column in ("players", "invited", "waiting")},
    "channel_id": -ANN,
    "absent": {str(ANN): 2},
    "votes": {str(ANN): [BOB]},
    "cuts": [{"player": ANN, "text": "seven"}],
}


@pytest.mark.parametrize("column", NAMING["tables"])
async def test_an_export_tells_what_a_table_says_of_the_person(
    store: SqlStore, column: str
) -> None:
    await playing(store, players=(BOB, CLEO), host_id=BOB)
    async with transaction(store.database) as connection:
        (of_others,) = (await connection.execute(select(schema.tables))).mappings()
    rows = dict(of_others), {**of_others, column: NAMED[column]}
    without, named = (
        person_json(ANN, Dossier(None, (), {"tables": [row]}), [])["tables"] for row in rows
    )
    assert (without == named) is (f"tables.{column}" in LEFT_OUT_OF_TABLES), (
        f"write in `_table` (bot/privacy/export.py) what tables.{column} says of a person"
    )


def test_every_column_of_tables_is_known_to_tell_of_a_person_or_of_nobody() -> None:
    new = {*schema.tables.c.keys()} - NAMING["tables"].keys() - OF_TABLES
    assert not new, (
        f"does {sorted(new)} of tables say something of a person, if only together with a column"
        " that names one? Then write it in `_table` (bot/privacy/export.py), and say in `WHAT`"
        " (bot/boards/privacy.py) and docs/privacy.md that it is stored. Name it in OF_TABLES here"
    )


@pytest.mark.parametrize("table", IN_MATCHES)
def test_every_column_of_matches_is_exported_or_known_to_be_left_out(table: str) -> None:
    exported, left_out = IN_MATCHES[table]
    new = {*schema.metadata.tables[table].c.keys()} - exported - left_out.keys()
    assert not new, (
        f"write {sorted(new)} of {table} in `match_json` (bot/privacy/export.py), and name it in"
        " IN_MATCHES here"
    )
