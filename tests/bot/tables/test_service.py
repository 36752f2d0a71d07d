"""Tables over a real store: deadlines, time given back, two processes on one database."""

from __future__ import annotations

import asyncio
import sqlite3
from dataclasses import replace

import pytest

from bot.tables import errors, moderation, plans
from bot.tables.model import PlayerResult, Status
from bot.tables.requests import NOBODY, At
from bot.tables.runtime import APART
from bot.tables.scheduler import DeadlineClock
from engine.actions import Forfeit
from engine.errors import MatchIsOver, NotYourTurn, RuleViolation
from engine.state import Phase
from tests.bot.tables.room import (
    ANN,
    BOB,
    CLEO,
    MINUTE,
    Room,
    ask,
)
from tests.bot.tables.scenes import MOMENT
from tests.bot.troubled import Late
from tests.people import PATIENCE

# -- results --------------------------------------------------------------------------------------


async def test_a_result_counts_the_rounds_its_player_was_dealt_into(room: Room) -> None:
    table_id = await room.match(ANN, BOB, CLEO)
    await room.tables.change(table_id, ask(CLEO), plans.forfeit)
    await room.tables.change(table_id, ask(await room.turn(table_id)), plans.bid, "pair:9")
    await room.tables.change(table_id, ask(await room.turn(table_id)), plans.challenge)
    await room.tables.change(table_id, ask(ANN), plans.next_round)
    live = await room.another().see(table_id)  # as replayed from the log
    ended, change = plans.act(live, NOBODY, replace(MOMENT, now=room.clock.at), Forfeit(1))
    assert ended.table.last_winner == ANN
    assert change.ending is not None
    assert change.ending.results == (
        PlayerResult(CLEO, 3, 1),
        PlayerResult(BOB, 2, 2),
        PlayerResult(ANN, 1, 2),
    )


# -- deadlines -------------------------------------------------------------------------------------


async def test_each_state_of_a_table_has_its_deadline(room: Room) -> None:
    table_id = await room.lobby(ANN, BOB)
    stored = await room.table(table_id)
    assert (stored.deadline_kind, stored.deadline) == ("lobby", room.clock.at + 60 * MINUTE)
    await room.tables.change(table_id, ask(ANN), plans.choose, {"pings": "never"})
    await room.tables.change(table_id, ask(ANN), plans.start)
    stored = await room.table(table_id)
    assert (stored.deadline_kind, stored.deadline) == ("turn", room.clock.at + 10 * MINUTE)
    await room.tables.change(table_id, ask(await room.turn(table_id)), plans.bid, "pair:9")
    await room.tables.change(table_id, ask(await room.turn(table_id)), plans.challenge)
    stored = await room.table(table_id)
    assert (stored.deadline_kind, stored.deadline) == ("next_round", room.clock.at + 15_000)
    await room.tables.change(table_id, ask(ANN), plans.forfeit)
    stored = await room.table(table_id)
    assert stored.status is Status.FINISHED
    assert (stored.deadline_kind, stored.deadline) == (None, None)


async def test_the_next_round_is_dealt_at_its_deadline_and_once(room: Room) -> None:
    table_id = await room.match(ANN, BOB)
    await room.tables.change(table_id, ask(await room.turn(table_id)), plans.bid, "pair:9")
    await room.tables.change(table_id, ask(await room.turn(table_id)), plans.challenge)
    (due,) = await room.store.tables.due(room.clock.at + 15_000)
    await asyncio.gather(*(room.tables.on_deadline(due) for _ in range(5)))
    match = (await room.tables.see(table_id)).match
    assert match is not None
    assert match.round is not None
    assert (match.round.number, match.phase) == (2, Phase.BIDDING)


async def test_a_turn_that_was_just_taken_is_no_absence(room: Room) -> None:
    table_id = await room.match(ANN, BOB, CLEO)
    (due,) = await room.store.tables.due(room.clock.at + 10 * MINUTE)
    bid = room.tables.change(table_id, ask(await room.turn(table_id)), plans.bid, "pair:9")
    await asyncio.gather(bid, room.tables.on_deadline(due))
    match = (await room.tables.see(table_id)).match
    assert match is not None
    assert len(match.live) == 3


async def test_a_lobby_that_was_just_started_does_not_expire(room: Room) -> None:
    table_id = await room.lobby(ANN, BOB)
    (due,) = await room.store.tables.due(room.clock.at + 60 * MINUTE)
    await asyncio.gather(
        room.tables.change(table_id, ask(ANN), plans.start), room.tables.on_deadline(due)
    )
    assert (await room.table(table_id)).status is Status.PLAYING


async def test_an_absent_player_forfeits_if_the_house_says_so_and_a_stale_lobby_closes(
    room: Room,
) -> None:
    table_id = await room.match(ANN, BOB, absence="forfeit")
    away = await room.turn(table_id)
    (due,) = await room.store.tables.due(room.clock.at + 10 * MINUTE)
    await room.tables.on_deadline(due)
    stored = await room.table(table_id)
    assert stored.status is Status.FINISHED
    assert stored.last_winner == ({ANN, BOB} - {away}).pop()
    lobby = await room.tables.open(ask(CLEO), 1, 3, "thai_poker")
    await room.tables.on_deadline(lobby.table)
    assert (await room.table(lobby.table.id)).status is Status.CLOSED


async def test_the_clock_wakes_for_a_deadline_that_comes_nearer(room: Room) -> None:
    clock = DeadlineClock(room.tables, room.store.tables, room.clock)
    clock.start()
    try:
        lobby = await room.tables.open(ask(ANN), 1, 2, "thai_poker")
        await asyncio.sleep(0)
        assert lobby.table.deadline is not None
        room.clock.at = lobby.table.deadline
        room.tables.alarm.ring()
        async with asyncio.timeout(PATIENCE):
            while (await room.table(lobby.table.id)).status is not Status.CLOSED:  # noqa: ASYNC110
                await asyncio.sleep(0.005)
    finally:
        await clock.stop()


# -- after a start ---------------------------------------------------------------------------------


async def test_time_is_given_back_after_a_start_but_never_taken(room: Room) -> None:
    soon = await room.match(ANN, BOB)
    room.clock.at += 10 * MINUTE - 1
    later = (await room.tables.open(ask(CLEO), 1, 3, "thai_poker")).table
    granted = {table.id: table for table in await room.another().runtime.grant_time(20_000)}
    assert granted[soon].deadline == room.clock.at + 20_000
    assert granted[later.id].deadline == later.deadline
    assert (await room.table(soon)).deadline == room.clock.at + 20_000


async def test_a_start_resumes_every_table_there_is(room: Room) -> None:
    for server in range(1, 11):
        opened = await room.tables.open(ask(ANN), server, 100 + server, "thai_poker")
        await room.tables.change(opened.table.id, ask(BOB), plans.join)
        await room.tables.change(opened.table.id, ask(ANN), plans.start)
    room.clock.at += 60 * MINUTE
    resumed = await room.another().runtime.grant_time(20_000)
    assert sorted(one.guild_id for one in resumed) == list(range(1, 11))
    assert all((one.deadline or 0) >= room.clock.at + 20_000 for one in resumed)


async def test_what_was_overdue_at_many_tables_comes_due_one_after_the_other(room: Room) -> None:
    tables = [await room.lobby(player, channel=player) for player in (ANN, BOB, CLEO)]
    room.clock.at += 1000 * MINUTE
    await room.another().runtime.grant_time(20_000)
    due = [(await room.table(one)).deadline for one in tables]
    assert due == [room.clock.at + 20_000 + APART * number for number in range(3)]


async def test_a_table_read_before_its_time_was_given_back_is_played_at_all_the_same(
    room: Room,
) -> None:
    table_id = await room.match(ANN, BOB)
    room.clock.at += 10 * MINUTE
    await room.tables.runtime.grant_time(20_000)
    stored = await room.table(table_id)
    assert (await room.tables.see(table_id)).table == stored
    await room.tables.change(table_id, ask(await room.turn(table_id)), plans.bid, "pair:9")
    room.clock.at += 60 * MINUTE
    (due,) = await room.store.tables.due(room.clock.at)
    await room.tables.on_deadline(due)
    assert (await room.table(table_id)).absent


async def test_a_match_is_the_same_for_a_process_that_has_just_started(room: Room) -> None:
    table_id = await room.match(ANN, BOB)
    await room.tables.change(table_id, ask(await room.turn(table_id)), plans.bid, "pair:9")
    before = await room.tables.see(table_id)
    after = await room.another().see(table_id)
    assert after.match == before.match
    assert after.table == before.table


# -- two processes, two presses --------------------------------------------------------------------


async def test_a_move_on_a_stale_state_is_read_anew_and_judged_again(room: Room) -> None:
    table_id = await room.match(ANN, BOB)
    other = room.another()
    first = await room.turn(table_id)
    second = ({ANN, BOB} - {first}).pop()
    await other.see(table_id)
    await room.tables.change(table_id, ask(first), plans.bid, "pair:9")
    live = await other.change(
        table_id, ask(second), plans.bid, "pair:T"
    )  # its turn by now, though not as it saw
    assert live.match is not None
    assert live.match.round is not None
    assert len(live.match.round.bids) == 2
    await room.tables.change(table_id, ask(first), plans.bid, "pair:J")
    with pytest.raises(NotYourTurn):
        await other.change(table_id, ask(first), plans.bid, "pair:Q")


async def test_a_deadline_of_a_state_that_another_process_made_is_served(room: Room) -> None:
    table_id = await room.match(ANN, BOB)
    first = await room.turn(table_id)
    await room.another().change(table_id, ask(first), plans.bid, "pair:9")
    (due,) = await room.store.tables.due(room.clock.at + 10 * MINUTE)
    await room.tables.on_deadline(due)
    live = await room.another().see(table_id)
    assert live.match is not None
    assert live.match.seq == 3
    assert live.by_house == {3}  # a move, played by the house
    assert live.table.absent == {({ANN, BOB} - {first}).pop(): 1}


async def test_one_interaction_is_applied_once_in_any_process(room: Room) -> None:
    table_id = await room.match(ANN, BOB)
    player = await room.turn(table_id)
    await room.tables.change(table_id, ask(player, interaction=77), plans.bid, "pair:9")
    for tables in (room.tables, room.another()):
        with pytest.raises((errors.Repeated, NotYourTurn)):
            await tables.change(table_id, ask(player, interaction=77), plans.bid, "pair:T")
    await room.tables.change(table_id, ask(await room.turn(table_id)), plans.bid, "pair:T")
    with pytest.raises(errors.Repeated):
        await room.another().change(table_id, ask(player, interaction=77), plans.bid, "pair:Q")


async def test_a_press_on_an_older_state_has_moved_on(room: Room) -> None:
    table_id = await room.match(ANN, BOB)
    live = await room.tables.see(table_id)
    assert live.match is not None
    assert live.table.match_id is not None
    at = At(live.table.match_id, live.match.seq)
    player = await room.turn(table_id)
    await room.tables.change(table_id, ask(player, at), plans.bid, "pair:9")
    for player in (ANN, BOB):
        with pytest.raises(errors.MovedOn):
            await room.tables.change(table_id, ask(player, at), plans.challenge)


async def test_after_the_end_every_move_is_refused_and_only_players_play_again(room: Room) -> None:
    table_id = await room.match(ANN, BOB)
    await room.tables.change(table_id, ask(ANN), plans.forfeit)
    for plan in (plans.challenge, plans.forfeit):
        with pytest.raises(MatchIsOver):
            await room.tables.change(table_id, ask(BOB), plan)
    with pytest.raises(errors.NotSeated):
        await room.tables.change(table_id, ask(CLEO), plans.again)
    live = await room.tables.change(table_id, ask(ANN), plans.again)
    assert (live.table.players, live.table.awaited) == ((ANN,), (BOB,))
    assert live.needs_new_message
    with pytest.raises(errors.MovedOn):
        await room.tables.change(table_id, ask(BOB), plans.again)


async def test_what_is_refused_is_neither_stored_nor_shown(room: Room) -> None:
    table_id = await room.match(ANN, BOB)
    stored, shown = await room.store.tables.snapshot(table_id), len(room.shown.seen)
    waiting = ({ANN, BOB} - {await room.turn(table_id)}).pop()
    tables = room.tables
    for refused in (
        lambda: tables.change(table_id, ask(waiting), plans.bid, "pair:9"),
        lambda: tables.change(table_id, ask(waiting), plans.challenge),
        lambda: tables.change(table_id, ask(CLEO), plans.join),
        lambda: tables.change(table_id, ask(ANN), plans.next_round),
        lambda: tables.change(table_id, ask(ANN), moderation.drop, CLEO),
        lambda: tables.change(table_id, ask(CLEO), moderation.end),
        lambda: tables.change(table_id, ask(ANN), plans.start),
    ):
        with pytest.raises((errors.RefusedError, RuleViolation)):
            await refused()
    assert await room.store.tables.snapshot(table_id) == stored
    assert len(room.shown.seen) == shown


async def test_a_deadline_of_an_unknown_kind_gives_way_to_the_right_one(room: Room) -> None:
    table_id = await room.match(ANN, BOB)
    with sqlite3.connect(room.store_file) as database:
        database.execute("update tables set deadline_kind = 'tea break'")
    database.close()
    (due,) = await room.store.tables.due(room.clock.at + 10 * MINUTE)
    assert due.deadline_kind is None
    room.clock.at += MINUTE
    await room.tables.on_deadline(due)
    live = await room.tables.see(table_id)
    assert live.match is not None
    assert live.match.seq == 1  # nothing was played
    assert (live.table.deadline_kind, live.table.deadline) == ("turn", room.clock.at + 9 * MINUTE)


@pytest.mark.parametrize("over", [False, True])
async def test_what_was_read_before_a_move_never_takes_its_place(room: Room, over: bool) -> None:
    table_id = await room.match(ANN, BOB)
    started, turn = room.another(), ask(await room.turn(table_id))
    started.runtime._store = late = Late(room.store)
    reading = asyncio.create_task(started.see(table_id))  # as a start does, to show it
    await late.read.wait()
    if over:
        moving = asyncio.create_task(started.change(table_id, NOBODY, plans.close))
    else:
        moving = asyncio.create_task(started.change(table_id, turn, plans.bid, "pair:9"))
    await asyncio.wait({moving}, timeout=0.2)  # it may wait for the reading, or not
    late.let.set()
    await reading
    moved = await moving
    assert (await started.see(table_id)).table == moved.table
    assert list(started.runtime.all()) == ([] if over else [moved])
