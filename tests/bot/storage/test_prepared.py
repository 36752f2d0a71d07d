"""A statement is given to SQLite's driver as SQLAlchemy itself would give it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Executable, bindparam, create_engine, event, select, text
from sqlalchemy.engine import Engine

from bot.storage import schema
from bot.storage.prepared import Written
from bot.storage.store import SqlStore
from bot.tables.records import Change, Delivery
from tests.bot.storage.moves import ANN, action, move, next_version, playing

Given = Mapping[str, Any] | Sequence[Mapping[str, Any]]


def by_sqlalchemy(engine: Engine, statement: Executable, given: Given) -> list[tuple[str, Any]]:
    """What SQLAlchemy has the driver execute: the text, and the values in their order."""
    seen = list[tuple[str, Any]]()

    def look(_c: Any, _d: Any, sql: str, values: Any, _e: Any, several: bool) -> None:
        seen.extend((sql, tuple(one)) for one in (values if several else [values]))

    with engine.connect() as connection:
        event.listen(connection, "before_cursor_execute", look)
        connection.execute(statement, given)
    return seen


async def test_what_is_stored_together_is_what_sqlalchemy_would_have_executed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[tuple[Executable, Given]]()
    execute = Written.execute

    async def noted(self: Written, statement: Executable, parameters: Any = None, /) -> None:
        asked.append((statement, parameters))
        await execute(self, statement, parameters)

    store = await SqlStore.open(f"sqlite:///{tmp_path / 'house.db'}")
    table = await playing(store)
    monkeypatch.setattr(Written, "execute", noted)
    table = await store.commit(move(table, 2, interaction_id=77))
    dealt = Change(
        next_version(table, absent={ANN: 2}, nudged=None),
        78,
        actions=(action(3), action(4)),
        seeds=((2, b"\x00\xff" * 16),),
        deliveries=((2, 0, ANN),),
    )
    table = await store.commit(dealt)
    await store.note_message(table.id, 2**62, 4)
    await store.note_nudge(table.id, None, "é", (5, ANN))
    (cards,) = await store.deliveries(table.match_id or 0, 2)
    await store.note_delivery(cards, Delivery.SENT)
    await store.close()
    monkeypatch.undo()

    changed = {
        str(statement).split()[1 if "UPDATE" in str(statement) else 2] for statement, _ in asked
    }
    assert changed == {"tables", "actions", "round_seeds", "deliveries", "interactions"}
    engine = create_engine("sqlite://")
    schema.metadata.create_all(engine)
    for statement, given in asked:
        written = Written()
        await written.execute(statement, given)
        ours = [(one.sql, one.parameters) for one in written.statements]
        assert ours == by_sqlalchemy(engine, statement, given), given
    engine.dispose()


async def test_a_value_that_is_missing_is_said_before_anything_is_executed() -> None:
    statement = text("SELECT :it, :other").bindparams(bindparam("other", 3))
    written = Written()
    with pytest.raises(TypeError, match="no value is given for it"):
        await written.execute(statement, {"others": 1})
    await written.execute(statement, {"it": 1})
    assert [one.parameters for one in written.statements] == [(1, 3)]
    with pytest.raises(TypeError, match="no value is given for it"):
        await written.execute(statement, [{"it": 1}, {"other": 2}])


async def test_a_statement_whose_text_is_not_always_the_same_is_refused() -> None:
    found = select(schema.tables.c.id).where(schema.tables.c.id.in_([1, 2]))
    with pytest.raises(TypeError, match="text must be the same"):
        await Written().execute(found)
