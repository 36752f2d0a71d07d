"""Who is back plays on, and makes nobody else wait."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.tables import errors, plans
from bot.tables.model import DeadlineKind
from engine.state import Phase
from tests.bot.tables.clockwork import ANN, BOB, CLEO, DAN, SECOND, Room, ask, clockwork


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[Room]:
    async with clockwork(tmp_path) as here:
        yield here


async def test_who_is_back_plays_on_with_a_whole_clock(room) -> None:
    await room.match(ANN, BOB, CLEO, pings="never")
    sleeper = await room.turn()
    for voter in {ANN, BOB, CLEO} - {sleeper}:
        await room.tables.change(room.id, ask(voter), plans.say_away, sleeper)
    assert (await room.next())[0] is DeadlineKind.HOUSE
    room.clock.at += SECOND
    live = await room.tables.change(room.id, ask(sleeper), plans.back)
    assert live.table.turn_ends == room.clock.at + 120 * SECOND
    assert await room.next() == (DeadlineKind.TURN, 121 * SECOND)
    with pytest.raises(errors.NotAway):
        await room.tables.change(room.id, ask(sleeper), plans.back)


async def test_who_is_back_in_the_turn_of_another_leaves_their_clock_as_it_is(room) -> None:
    await room.match(ANN, BOB, CLEO, pings="never")
    sleeper = ({ANN, BOB, CLEO} - {await room.turn()}).pop()
    for voter in {ANN, BOB, CLEO} - {sleeper}:
        await room.tables.change(room.id, ask(voter), plans.say_away, sleeper)
    assert await room.turn() != sleeper
    before = await room.live()
    room.clock.at += 50 * SECOND
    live = await room.tables.change(room.id, ask(sleeper), plans.back)
    assert (live.table.turn_since, live.table.turn_ends) == (
        before.table.turn_since,
        before.table.turn_ends,
    )
    assert await room.next() == (DeadlineKind.TURN, 120 * SECOND)


async def test_nobody_makes_the_others_wait_longer_between_rounds(room) -> None:
    await room.match(ANN, BOB, CLEO, pings="never")
    sleeper = ({ANN, BOB, CLEO} - {await room.turn()}).pop()
    for voter in {ANN, BOB, CLEO} - {sleeper}:
        await room.tables.change(room.id, ask(voter), plans.say_away, sleeper)
    await room.tables.change(room.id, ask(await room.turn()), plans.bid, "high_card:9")
    if await room.turn() == sleeper:
        await room.happens()
    if (await room.live()).match.phase is Phase.BIDDING:
        await room.tables.change(room.id, ask(await room.turn()), plans.challenge)
    kind, at = await room.next()
    assert kind is DeadlineKind.NEXT_ROUND
    room.clock.at += 9 * SECOND
    await room.tables.change(
        room.id, ask(sleeper), plans.back
    )  # pressed on a screen of a moment ago
    assert await room.next() == (kind, at)
    await room.tables.change(room.id, ask(DAN), plans.wait)
    assert await room.next() == (kind, at)


async def test_nobody_holds_up_what_the_house_plays(room) -> None:
    await room.match(ANN, BOB, CLEO, pings="never")
    sleeper = await room.turn()
    for voter in {ANN, BOB, CLEO} - {sleeper}:
        await room.tables.change(room.id, ask(voter), plans.say_away, sleeper)
    kind, at = await room.next()
    assert kind is DeadlineKind.HOUSE
    room.clock.at += SECOND
    await room.tables.change(room.id, ask(DAN), plans.wait)
    assert await room.next() == (kind, at)
