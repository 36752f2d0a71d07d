"""Forgetting is done once it is stored, whatever becomes of showing it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bot.privacy.service import Privacy
from bot.tables import errors, plans
from bot.tables.errors import MaybeStored, StoreUnavailable
from tests.bot.storage.asking import transaction
from tests.bot.stores import Between, Call
from tests.bot.tables.conftest import room as room
from tests.bot.tables.conftest import store as store
from tests.bot.tables.room import ANN, BOB, Room, ask


class Strangers:
    """Who remembers nobody."""

    async def hide(self, player_id: int, *, hidden: bool) -> None:
        pass

    def forget(self, player_id: int) -> None:
        pass


class AwayAfterwards(Between):
    """A store that does not answer any more once somebody was forgotten."""

    away = False

    async def call(self, name: str, method: Call, *args: Any) -> Any:
        if self.away and name == "snapshot":
            raise StoreUnavailable("it does not answer")
        done = await method(*args)
        self.away = self.away or name == "forget"
        return done


async def test_whoever_was_forgotten_is_told_so_though_a_table_cannot_be_shown_anew(
    room: Room,
) -> None:
    table = await room.match(ANN, BOB)
    await room.tables.change(table, ask(ANN), plans.forfeit)
    away: Any = AwayAfterwards(room.store)
    room.tables.runtime._store = away
    privacy = Privacy(
        away.privacy, room.tables, Strangers(), rewriting_due=lambda: due.append(True)
    )
    due: list[bool] = []
    done = await privacy.forget(ANN)
    assert done is not None
    assert (done.matches, done.shown) == (1, (table,))
    assert due == [True]  # the file is rewritten all the same


class Unanswered(Between):
    """A store that forgets somebody and loses the connection before it says so."""

    async def call(self, name: str, method: Call, *args: Any) -> Any:
        await method(*args)
        raise MaybeStored("no answer to a commit")


async def test_whoever_may_have_been_forgotten_is_remembered_nowhere(room: Room) -> None:
    table = await room.match(ANN, BOB)
    await room.tables.change(table, ask(ANN), plans.forfeit)
    unanswered: Any = Unanswered(room.store)
    told: list[object] = []
    people: Any = Strangers()
    people.forget = told.append
    privacy = Privacy(
        unanswered.privacy,
        room.tables,
        people,
        forgotten=lambda: told.append("names"),
        rewriting_due=lambda: told.append("file"),
    )
    with pytest.raises(errors.MaybeStored):
        await privacy.forget(ANN)
    assert told == [ANN, "names", "file"]


async def test_a_practice_that_is_damaged_keeps_nobody_from_being_forgotten(room: Room) -> None:
    live = await room.tables.open(ask(ANN), 0, -ANN, "thai_poker")
    async with transaction(room.store.database) as connection:
        await connection.exec_driver_sql("UPDATE tables SET votes = '['")
    privacy = Privacy(room.store.privacy, room.another(), Strangers())
    done = await privacy.forget(ANN)
    assert done is not None
    assert await room.store.tables.version_of(live.table.id) is None  # it is gone, wholly


async def test_an_export_has_every_line_of_a_match_that_can_be_read(room: Room) -> None:
    table = await room.match(ANN, BOB)
    match = (await room.tables.see(table)).table.match_id
    await room.tables.change(table, ask(ANN), plans.forfeit)
    async with transaction(room.store.database) as connection:
        await connection.exec_driver_sql("UPDATE actions SET body = 'torn' WHERE seq = 1")
    (kept,) = await room.store.privacy.kept_of(ANN, [match or 0])
    assert kept.match is not None
    assert [line.seq for line in kept.match.actions] == [2]
    (reason,) = kept.unread
    assert "line 1 of match" in reason
    told = json.loads(await Privacy(room.store.privacy, room.tables, Strangers()).export(ANN))
    assert reason in json.dumps(told)


async def test_whoever_was_forgotten_is_told_so_though_their_table_is_gone_meanwhile(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await room.match(ANN, BOB)
    await room.tables.change(table, ask(ANN), plans.forfeit)

    async def gone(_: int) -> None:
        raise errors.NoTable

    monkeypatch.setattr(room.tables.runtime, "read_anew", gone)
    done = await Privacy(room.store.privacy, room.tables, Strangers(), lambda: None).forget(ANN)
    assert done is not None
    assert done.shown == (table,)
