"""Playing again: everybody is asked, nobody is seated unasked, and nobody is waited for long."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.storage.store import SqlStore
from bot.tables import errors, plans
from bot.tables.model import DeadlineKind, Status, Table
from tests.bot.tables.clockwork import ANN, BOB, CLEO, SECOND, START, Room, ask

DAN = 14


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[Room]:
    store = await SqlStore.open(f"sqlite:///{tmp_path / 'house.db'}")
    yield Room(store)
    await store.close()


async def asked_again(room: Room, *players: int, by: int) -> Table:
    """A lobby in which `by` asks the others of a match that has ended to play again."""
    await room.match(*players)
    for player in players[1:]:
        await room.tables.change(room.id, ask(player), plans.forfeit)
    return (await room.tables.change(room.id, ask(by), plans.again)).table


async def test_who_asks_hosts_and_the_others_are_invited_not_seated(room: Room) -> None:
    table = await asked_again(room, ANN, BOB, CLEO, by=BOB)
    assert table.status is Status.LOBBY
    assert (table.host_id, table.players, table.awaited) == (BOB, (BOB,), (ANN, CLEO))
    assert table.deadline_kind is DeadlineKind.LOBBY


async def test_it_starts_as_soon_as_everybody_has_tapped_in(room: Room) -> None:
    await asked_again(room, ANN, BOB, CLEO, by=BOB)
    await room.tables.change(room.id, ask(CLEO), plans.join)
    assert (await room.live()).table.status is Status.LOBBY
    live = await room.tables.change(room.id, ask(ANN), plans.join)
    assert live.table.status is Status.PLAYING
    assert live.table.players == (BOB, CLEO, ANN)
    assert live.match is not None
    assert live.match.round is not None


async def test_it_starts_30_s_after_the_second_whoever_comes_meanwhile(room: Room) -> None:
    await asked_again(room, ANN, BOB, CLEO, by=ANN)
    await room.tables.change(room.id, ask(BOB), plans.join)
    assert await room.next() == (DeadlineKind.REMATCH, 30 * SECOND)
    room.clock.at = START + 10 * SECOND
    await room.tables.change(
        room.id, ask(DAN), plans.join
    )  # nobody asked Dan: he joins all the same
    assert await room.next() == (DeadlineKind.REMATCH, 30 * SECOND)
    assert await room.happens() is DeadlineKind.REMATCH
    table = (await room.live()).table
    assert (table.status, table.players, table.invited) == (Status.PLAYING, (ANN, BOB, DAN), ())


async def test_a_stranger_is_seated_and_is_not_the_second_of_those_who_played(
    room: Room,
) -> None:
    await asked_again(room, ANN, BOB, CLEO, by=ANN)
    table = (await room.tables.change(room.id, ask(DAN), plans.join)).table
    assert (table.players, table.deadline_kind) == ((ANN, DAN), DeadlineKind.LOBBY)
    await room.tables.change(room.id, ask(BOB), plans.decline)
    table = (await room.tables.change(room.id, ask(CLEO), plans.decline)).table
    assert table.status is Status.LOBBY  # Ann starts it if she wants to play with Dan
    await room.tables.change(room.id, ask(ANN), plans.leave)
    table = (await room.tables.change(room.id, ask(BOB), plans.join)).table
    assert (table.players, table.status) == ((DAN, BOB), Status.LOBBY)


async def test_a_no_is_not_waited_for(room: Room) -> None:
    await asked_again(room, ANN, BOB, CLEO, by=ANN)
    await room.tables.change(room.id, ask(BOB), plans.join)
    live = await room.tables.change(room.id, ask(CLEO), plans.decline)
    assert (live.table.status, live.table.players) == (Status.PLAYING, (ANN, BOB))


async def test_if_everybody_says_no_the_lobby_is_an_ordinary_one(room: Room) -> None:
    await asked_again(room, ANN, BOB, by=ANN)
    table = (await room.tables.change(room.id, ask(BOB), plans.decline)).table
    assert (table.status, table.players, table.awaited) == (Status.LOBBY, (ANN,), ())
    joined = (await room.tables.change(room.id, ask(DAN), plans.join)).table
    assert joined.status is Status.LOBBY  # Ann starts it when she likes
    with pytest.raises(errors.NotInvited):
        await room.tables.change(room.id, ask(BOB), plans.decline)


async def test_when_the_second_leaves_again_nothing_starts_by_itself(room: Room) -> None:
    await asked_again(room, ANN, BOB, CLEO, by=ANN)
    await room.tables.change(room.id, ask(BOB), plans.join)
    table = (await room.tables.change(room.id, ask(BOB), plans.leave)).table
    assert table.deadline_kind is DeadlineKind.LOBBY


async def test_latecomers_are_invited_to_the_next_match_unless_they_change_their_mind(
    room: Room,
) -> None:
    await room.match(ANN, BOB)
    for late in (CLEO, DAN):
        await room.tables.change(room.id, ask(late), plans.wait)
    assert (await room.live()).table.waiting == (CLEO, DAN)
    assert (await room.tables.change(room.id, ask(DAN), plans.wait)).table.waiting == (CLEO,)
    with pytest.raises(errors.AlreadySeated):
        await room.tables.change(room.id, ask(BOB), plans.wait)
    await room.tables.change(room.id, ask(BOB), plans.forfeit)
    table = (await room.tables.change(room.id, ask(ANN), plans.again)).table
    assert (table.awaited, table.waiting) == ((BOB, CLEO), ())
    with pytest.raises(errors.MovedOn):
        await room.tables.change(room.id, ask(DAN), plans.wait)


async def test_whoever_waits_may_ask_for_the_next_match_too(room: Room) -> None:
    await room.match(ANN, BOB)
    await room.tables.change(room.id, ask(CLEO), plans.wait)
    await room.tables.change(room.id, ask(BOB), plans.forfeit)
    table = (await room.tables.change(room.id, ask(CLEO), plans.again)).table
    assert (table.host_id, table.players, table.awaited) == (CLEO, (CLEO,), (ANN, BOB))


async def test_nobody_waits_for_a_player_who_is_nameless_now(room: Room) -> None:
    await room.match(ANN, BOB, CLEO)
    for player in (ANN, CLEO):
        await room.tables.change(room.id, ask(player), plans.forfeit)
    await room.store.privacy.forget(CLEO)
    table = (await room.tables.change(room.id, ask(BOB), plans.again)).table
    assert (table.players, table.awaited) == ((BOB,), (ANN,))
