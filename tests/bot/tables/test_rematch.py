"""Playing again: everybody is asked, nobody is seated unasked, and nobody is waited for long."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.roster import nameless
from bot.tables import errors, plans, rematch
from bot.tables.model import DeadlineKind, Status, Table
from tests.bot.house import new_store
from tests.bot.tables.clockwork import DAN, SECOND, START, Room
from tests.bot.tables.room import ANN, BOB, CLEO, ask
from tests.bot.tables.scenes import AGNES, table_of


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[Room]:
    store = await new_store(tmp_path / "house.db")
    yield Room(store)
    await store.close()


async def asked_again(room: Room, *players: int, by: int) -> Table:
    """A lobby in which `by` asks the others of a match that has ended to play again."""
    await room.match(*players)
    for player in players[1:]:
        await room.tables.change(room.id, ask(player), plans.forfeit)
    return (await room.tables.change(room.id, ask(by), plans.again)).table


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


# -- one table and the next, without a store ------------------------------------------------------

OVER = table_of(ANN, BOB, AGNES, status=Status.FINISHED, match_id=9, message_id=4, announced_seq=6)


def test_who_asks_hosts_the_others_and_who_waits_are_invited_and_computers_stay() -> None:
    over = replace(OVER, waiting=(BOB, CLEO))
    for player in (BOB, CLEO):
        assert rematch.asked_again(over, player) == replace(
            over,
            status=Status.LOBBY,
            host_id=player,
            players=(player, AGNES),
            invited=(ANN, BOB, CLEO),
            waiting=(),
            match_id=None,
            message_id=None,
            announced_seq=0,
        )
    with pytest.raises(errors.NotSeated):
        rematch.asked_again(over, DAN)
    with pytest.raises(errors.MovedOn):
        rematch.asked_again(replace(over, status=Status.PLAYING), ANN)


def test_nobody_waits_for_a_player_who_is_nameless_now() -> None:
    over = replace(OVER, players=(ANN, nameless(1), BOB))
    assert rematch.asked_again(over, ANN).invited == (ANN, BOB)


def test_who_says_no_is_not_invited_any_more_and_gives_up_a_seat() -> None:
    lobby = table_of(ANN, CLEO, invited=(ANN, BOB, CLEO))
    assert rematch.with_declined(lobby, BOB) == replace(lobby, invited=(ANN, CLEO))
    assert rematch.with_declined(lobby, CLEO) == replace(lobby, players=(ANN,), invited=(ANN, BOB))
    with pytest.raises(errors.NotInvited):
        rematch.with_declined(lobby, DAN)
    with pytest.raises(errors.MovedOn):
        rematch.with_declined(replace(lobby, status=Status.PLAYING), BOB)


@pytest.mark.parametrize("status", [Status.PLAYING, Status.FINISHED])
def test_who_waits_for_the_next_match_may_change_their_mind(status: Status) -> None:
    table = replace(OVER, status=status, waiting=(CLEO,))
    assert rematch.with_waiting(table, DAN) == replace(table, waiting=(CLEO, DAN))
    assert rematch.with_waiting(table, CLEO) == replace(table, waiting=())
    assert rematch.with_waiting(replace(table, waiting=(CLEO, DAN)), CLEO).waiting == (DAN,)
    with pytest.raises(errors.AskedAnyway):
        rematch.with_waiting(table, BOB)


def test_nobody_waits_where_no_match_follows_or_as_many_wait_as_may_play() -> None:
    for table in (
        replace(OVER, status=Status.LOBBY),
        replace(OVER, status=Status.CLOSED),
        replace(OVER, channel_id=-ANN),  # a practice
    ):
        with pytest.raises(errors.MovedOn):
            rematch.with_waiting(table, CLEO)
    nine = replace(OVER, waiting=tuple(range(100, 109)))
    ten = rematch.with_waiting(nine, CLEO)
    assert len(ten.waiting) == 10
    with pytest.raises(errors.TableFull) as refused:
        rematch.with_waiting(ten, DAN)
    assert refused.value.most == 10


@pytest.mark.parametrize(
    ("before", "players", "invited", "starts"),
    [
        ((ANN,), (ANN, BOB), (ANN, BOB), True),  # all are here
        ((ANN,), (ANN, BOB), (ANN, BOB, CLEO), False),
        ((ANN,), (ANN, AGNES), (ANN,), True),  # Bob said no, and a computer player is company
        ((ANN,), (ANN, DAN), (ANN,), False),  # a stranger is none
        ((ANN, BOB), (ANN, BOB, DAN), (ANN, BOB), False),  # nobody was waited for before
        ((ANN,), (ANN, BOB, *range(100, 108)), (ANN, BOB, CLEO), True),  # no seat is left
        ((ANN,), (ANN, BOB, *range(100, 107)), (ANN, BOB, CLEO), False),
    ],
)
def test_it_starts_when_two_of_those_asked_are_here_and_nobody_is_waited_for(
    before: tuple[int, ...], players: tuple[int, ...], invited: tuple[int, ...], starts: bool
) -> None:
    asked = table_of(*before, invited=(ANN, BOB))
    assert rematch.gathered(asked, table_of(*players, invited=invited)) is starts
