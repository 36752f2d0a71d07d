"""After a start tables come back a few at once; one in trouble keeps no other waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from typing import cast

import pytest
from structlog.testing import capture_logs

from bot.discord.publisher import resuming
from bot.discord.publisher.publisher import Publisher
from bot.discord.publisher.resuming import AT_ONCE, Resuming
from bot.tables import errors
from bot.tables.computer_turns import ComputerTurns
from bot.tables.live import LiveTable
from bot.tables.model import Status, Table
from bot.tables.service import Tables


def lobby(number: int) -> Table:
    return Table(number, 1, number, 2, Status.LOBBY, "thai_poker", {}, (2,), 1, 0, 0)


class House:
    """Tables, and whoever shows them: each is shown when it is let go on."""

    def __init__(self) -> None:
        self.trouble: dict[int, list[Exception]] = {}
        self.begun: list[int] = []
        self.thought: list[int] = []
        self.orphans = self  # and looks for what was left in their channels
        self.left: dict[int, bool | Exception] = {}
        self.gates: dict[int, asyncio.Event] = {}
        self.done = asyncio.Event()
        self.resuming = Resuming(
            cast(Tables, self), cast(Publisher, self), cast(ComputerTurns, self)
        )

    async def see(self, number: int) -> LiveTable:
        if waiting := self.trouble.get(number):
            raise waiting.pop()
        return LiveTable(lobby(number))

    def changed(self, live: LiveTable, *, answered: bool) -> None:
        assert answered
        self.thought.append(live.table.id)

    async def taken_up(self, live: LiveTable) -> bool:
        found = self.left.get(live.table.id, False)
        if isinstance(found, Exception):
            raise found
        return found

    async def resume(self, live: LiveTable) -> None:
        self.begun.append(live.table.id)
        await self.gates.setdefault(live.table.id, asyncio.Event()).wait()

    def let(self, *numbers: int) -> None:
        for number in numbers:
            self.gates.setdefault(number, asyncio.Event()).set()

    def start(self, count: int, shown: Collection[int] = ()) -> None:
        self.resuming.start(map(lobby, range(1, count + 1)), self.done.set, shown)

    async def turn_over(self) -> None:
        for _ in range(20):
            await asyncio.sleep(0)


async def test_a_few_at_once_in_the_order_in_which_they_are_given() -> None:
    house = House()
    house.start(AT_ONCE + 2)
    await house.turn_over()
    assert house.begun == list(range(1, AT_ONCE + 1))
    house.let(2)
    await house.turn_over()
    assert house.begun == list(range(1, AT_ONCE + 2))
    assert not house.done.is_set()
    house.let(*range(1, AT_ONCE + 3))
    await house.resuming.settled()
    assert house.done.is_set()
    assert house.thought == house.begun == list(range(1, AT_ONCE + 3))


async def test_without_tables_it_is_done_at_once() -> None:
    house = House()
    house.start(0)
    await house.resuming.settled()
    assert house.done.is_set()


@pytest.mark.parametrize(
    "error",
    [errors.NoTable(), errors.Damaged("its log is none", table=1), RuntimeError("unforeseen")],
)
async def test_what_is_wrong_with_one_table_keeps_no_other_waiting(error: Exception) -> None:
    house = House()
    house.trouble = {number: [error] for number in range(1, AT_ONCE + 1)}
    house.let(AT_ONCE + 1)
    with capture_logs() as logged:
        house.start(AT_ONCE + 1)
        await house.resuming.settled()
    assert house.begun == [AT_ONCE + 1]
    assert {line["table"] for line in logged} == set(house.trouble)


async def test_a_database_that_does_not_answer_is_asked_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(resuming, "RETRY_SECONDS", 0.001)
    house = House()
    house.trouble = {1: [errors.StoreUnavailable(), errors.StoreUnavailable()]}
    house.let(1, 2)
    house.start(2)
    await house.resuming.settled()
    assert sorted(house.begun) == [1, 2]


async def test_stopped_it_finishes_what_is_under_way_and_begins_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(resuming, "RETRY_SECONDS", 1e9)  # who waits so long is woken
    house = House()
    house.trouble = {1: [errors.StoreUnavailable()]}
    house.start(AT_ONCE + 5)
    await house.turn_over()
    house.resuming.stop()
    house.let(*range(1, AT_ONCE + 6))
    await house.resuming.settled()
    assert house.begun == list(range(1, AT_ONCE))
    assert not house.done.is_set()


async def test_a_table_that_is_shown_is_drawn_where_something_of_it_was_left() -> None:
    house = House()
    house.left = {2: True, 3: RuntimeError("an odd message")}
    house.let(1, 2, 3, 4)
    with capture_logs() as said:
        house.start(4, shown={1, 2, 3})
        await house.resuming.settled()
    assert house.begun == [2, 4]
    assert [one["event"] for one in said] == ["resuming: orphans not looked for"]
