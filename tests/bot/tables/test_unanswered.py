"""The store disconnects between COMMIT and its answer: nothing is done twice or lost.

With PostgreSQL this happens (`tests/bot/storage/test_commits.py`); here a call simulates it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from bot.retry import RetryPolicy
from bot.services import unanswered
from bot.services.practice import RULES, practise
from bot.services.tables import Tables
from bot.tables import errors, plans
from bot.tables.model import Status
from bot.tables.requests import NOBODY, Ask
from bot.tables.scheduler import ClockSkew
from tests.bot.stores import Between, Call
from tests.bot.tables.room import ANN, BOB, MINUTE, Room, Shown, ask, tables_over

JUMP = 10 * MINUTE


class Unanswering(Between):
    """A store whose next `silent[name]` calls of that name take effect but raise `MaybeStored`.

    After them, the next `away[name]` calls raise `StoreUnavailable` and have no effect.
    """

    def __init__(self, store: Any) -> None:
        super().__init__(store)
        self.silent: dict[str, int] = {}  # how often the call is done, and not answered
        self.away: dict[str, int] = {}  # how often after that it is not even done

    async def call(self, name: str, method: Call, *args: Any) -> Any:
        if self.silent.get(name):
            self.silent[name] -= 1
            await method(*args)
            raise errors.MaybeStored(f"no answer to {name}")
        if name in self.silent and self.away.get(name):
            self.away[name] -= 1
            raise errors.StoreUnavailable(f"{name}: it is away")
        return await method(*args)


class OthersFirst(Between):
    """A store whose first call named `name` is replaced by `meanwhile`, an act of another process.

    After that act the call raises `MaybeStored`.
    """

    def __init__(self, store: Any, name: str, meanwhile: Callable[..., Awaitable[object]]) -> None:
        super().__init__(store)
        self._name, self._meanwhile = name, meanwhile

    async def call(self, name: str, method: Call, *args: Any) -> Any:
        if name != self._name:
            return await method(*args)
        self._name = ""  # once
        await self._meanwhile(*args)
        raise errors.MaybeStored(f"no answer to {name}")


class Skew(ClockSkew):
    """A clock skew that the test sets."""

    def __init__(self) -> None:
        self.ms = 0

    def total(self) -> int:
        return self.ms


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unanswered, "RETRY", RetryPolicy(0.0, 0.0, retries=3))


@pytest.fixture
def cut_off(room: Room) -> Unanswering:
    return Unanswering(room.store)


@pytest.fixture
def skew() -> Skew:
    return Skew()


@pytest.fixture
def screens() -> Shown:
    return Shown()


@pytest.fixture
def tables(room: Room, cut_off: Unanswering, screens: Shown, skew: Skew) -> Tables:
    """Return tables over the store that doesn't answer."""
    store_between: Any = cut_off
    return tables_over(store_between, room.clock, screens, skew)


# -- time that is given back ----------------------------------------------------------------------


@pytest.mark.parametrize("away", [0, 3], ids=["answered later", "never answered"])
async def test_time_for_which_the_clock_jumped_is_given_back_once(
    room: Room, cut_off: Unanswering, tables: Tables, skew: Skew, away: int
) -> None:
    table_id = await room.match(ANN, BOB)
    deadline = (await room.table(table_id)).deadline or 0
    skew.ms, cut_off.silent, cut_off.away = JUMP, {"commit": 1}, {"commit": away}
    if away:
        with pytest.raises(errors.MaybeStored):
            await tables.give_back()
    await tables.give_back()  # as the clock does until it is all given back
    await tables.give_back()
    assert (await room.table(table_id)).deadline == deadline + JUMP


@pytest.mark.parametrize("away", [0, 3], ids=["answered later", "never answered"])
async def test_a_move_after_the_clock_jumped_gives_its_time_back_once(
    room: Room, cut_off: Unanswering, tables: Tables, skew: Skew, away: int
) -> None:
    table_id = await room.match(ANN, BOB)
    deadline = (await room.table(table_id)).deadline or 0
    await tables.see(table_id)
    skew.ms, cut_off.silent, cut_off.away = JUMP, {"commit": 1}, {"commit": away}
    cut = tables.change(table_id, ask(ANN), plans.cut, "purple giraffe 7")
    if away:
        with pytest.raises(errors.MaybeStored):
            await cut
    else:
        await cut
    await tables.give_back()
    await tables.change(table_id, ask(BOB), plans.cut, "another")
    stored = await room.table(table_id)
    assert stored.deadline == deadline + JUMP
    assert [cut.player for cut in stored.cuts] == [ANN, BOB]


async def test_time_after_a_start_is_given_back_once(
    room: Room, cut_off: Unanswering, tables: Tables
) -> None:
    table_id = await room.match(ANN, BOB)
    room.clock.at += 10 * MINUTE - 1
    cut_off.silent = {"postpone": 1}
    granted = await tables.runtime.grant_time(20_000)
    stored = await room.table(table_id)
    assert granted == [stored]
    assert stored.deadline == room.clock.at + 20_000


async def test_time_given_back_by_an_unanswered_commit_is_shown_once_known(
    room: Room, cut_off: Unanswering, tables: Tables, screens: Shown, skew: Skew
) -> None:
    table_id = await room.match(ANN, BOB)
    skew.ms, cut_off.silent, cut_off.away = JUMP, {"commit": 1}, {"commit": 3}
    with pytest.raises(errors.MaybeStored):
        await tables.give_back()
    assert not screens.changes
    await tables.give_back()
    assert screens.changes[-1][0].table.deadline == (await room.table(table_id)).deadline


# -- moves -----------------------------------------------------------------------------------------


async def test_a_move_stored_by_an_unanswered_commit_is_shown_once_known(
    room: Room, cut_off: Unanswering, tables: Tables, screens: Shown
) -> None:
    table_id = await room.match(ANN, BOB)
    await tables.see(table_id)
    tables.alarm.awake()
    cut_off.silent, cut_off.away = {"commit": 1}, {"commit": 3}
    with pytest.raises(errors.MaybeStored):
        await tables.change(table_id, ask(ANN), plans.cut, "purple giraffe 7")
    assert tables.alarm._rung.is_set()  # its deadline may be another
    before = len(screens.changes)
    live = await tables.see(table_id)
    assert [cut.player for cut in live.table.cuts] == [ANN]
    assert len(screens.changes) == before + 1


async def test_a_lost_move_is_not_taken_for_one_that_another_process_stored_at_the_same_moment(
    room: Room,
) -> None:
    table_id = await room.match(ANN, BOB)
    another = room.another()

    async def another_cuts(_: object) -> None:
        await another.change(table_id, ask(BOB), plans.cut, "seven")

    store: Any = OthersFirst(room.store, "commit", another_cuts)
    tables = tables_over(store, room.clock, Shown())
    await tables.change(table_id, ask(ANN), plans.cut, "purple giraffe 7")
    assert {cut.player for cut in (await room.table(table_id)).cuts} == {ANN, BOB}


async def test_a_silent_store_is_never_reported_as_no_change(
    room: Room, cut_off: Unanswering, tables: Tables
) -> None:
    table_id = await room.lobby(ANN)
    await tables.see(table_id)
    cut_off.silent, cut_off.away = {"commit": 1, "snapshot": 0}, {"snapshot": 1}
    with pytest.raises(errors.MaybeStored):
        await tables.change(table_id, Ask(ANN, None), plans.choose, RULES)


# -- messages --------------------------------------------------------------------------------------


@pytest.mark.parametrize("away", [0, 3], ids=["answered later", "never answered"])
async def test_the_message_of_a_match_is_not_taken_for_that_of_the_next_lobby(
    room: Room, cut_off: Unanswering, tables: Tables, away: int
) -> None:
    table_id = await room.match(ANN, BOB)
    await tables.change(table_id, ask(ANN), plans.forfeit)
    await tables.runtime.note_shown(table_id, 500, 3)  # seen, and not stored yet
    assert (await tables.see(table_id)).table.message_id == 500
    cut_off.silent, cut_off.away = {"commit": 1}, {"commit": away}
    again = tables.change(table_id, ask(BOB), plans.again)
    if away:
        with pytest.raises(errors.MaybeStored):
            await again
    else:
        await again
    live = await tables.see(table_id)
    assert live.table.status is Status.LOBBY
    assert live.table.message_id is None
    assert live.needs_new_message


# -- new tables ------------------------------------------------------------------------------------


async def test_a_new_table_whose_commit_is_not_answered_is_there(
    room: Room, cut_off: Unanswering, tables: Tables
) -> None:
    cut_off.silent = {"open": 1}
    live = await tables.open(ask(ANN), 1, 2, "thai_poker")
    assert live.table == await room.store.tables.in_channel(2)
    await tables.change(live.table.id, ask(BOB), plans.join)


async def test_a_new_table_that_others_have_started_meanwhile_is_kept_as_it_is(room: Room) -> None:
    another = room.another()

    async def others_play(table: Any, interaction: int) -> None:
        opened = await room.store.tables.open(table, interaction)
        await another.change(opened.id, ask(BOB), plans.join)
        await another.change(opened.id, ask(ANN), plans.start)

    store: Any = OthersFirst(room.store, "open", others_play)
    tables = tables_over(store, room.clock, Shown())
    live = await tables.open(ask(ANN), 1, 2, "thai_poker")
    assert live.match is not None
    assert (await tables.see(live.table.id)).match == live.match


async def test_a_new_table_after_a_silent_store_may_exist(
    cut_off: Unanswering, tables: Tables
) -> None:
    cut_off.silent, cut_off.away = {"open": 1, "in_channel": 0}, {"in_channel": 1}
    with pytest.raises(errors.MaybeStored):
        await tables.open(ask(ANN), 1, 2, "thai_poker")


async def test_a_channel_with_another_new_table_is_refused_after_an_unanswered_commit(
    room: Room, cut_off: Unanswering, tables: Tables
) -> None:
    taken = await room.lobby(BOB)
    cut_off.silent, cut_off.away = {"open": 0}, {"open": 1}
    with pytest.raises(errors.StoreUnavailable):
        await tables.open(ask(ANN), 1, 2, "thai_poker")
    with pytest.raises(errors.ChannelHasTable):
        await tables.open(ask(ANN), 1, 2, "thai_poker")
    assert (await room.table(taken)).players == (BOB,)


@pytest.mark.parametrize("call", ["open", "commit"])
async def test_a_practice_whose_commit_is_not_answered_is_dealt(
    room: Room, cut_off: Unanswering, tables: Tables, call: str
) -> None:
    cut_off.silent = {call: 1}
    live = await practise(tables, ask(ANN), "thai_poker", "careful")
    assert live.table.status is Status.PLAYING
    stored = await room.store.tables.in_channel(-ANN)
    assert stored is not None
    assert stored.version == live.table.version
    await tables.change(live.table.id, NOBODY, plans.close)
