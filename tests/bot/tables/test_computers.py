"""Computer players through the real service, alone and with people at a table."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest
from sqlalchemy import text

from bot.storage.store import SqlStore
from bot.tables import computer_turns, plans
from bot.tables.changes import Announcer
from bot.tables.computer_turns import PATIENCE, SOONER, SPREAD, pause
from bot.tables.live import LiveTable, with_left
from bot.tables.model import DeadlineKind, Status
from engine.actions import MakeBid
from engine.cards import Card
from engine.play import legal
from engine.players import Choice, choose
from tests.bot.storage.asking import transaction
from tests.bot.tables.clockwork import LIARS, MINUTE, THAI
from tests.bot.tables.room import ANN, BOB, CLEO, FakeClock, ask
from tests.bot.tables.rooms import (
    AGNES,
    ALL_FOUR,
    MIRA,
    ROXY,
    SHORTEST,
    BrokenDecider,
    ComputerRoom,
    LocalDecider,
    PlannedDecider,
    SilentDecider,
    rules_of,
)
from tests.bot.tables.scenes import after_moves, dealt, match_of, round_of, table_of

# -- what they see, when they act, that a table goes on --------------------------------------------


def test_only_people_host_and_the_last_person_to_leave_closes_the_lobby() -> None:
    lobby = table_of(ANN, AGNES, BOB, MIRA)
    assert with_left(lobby, ANN).host_id == BOB
    closed = with_left(with_left(lobby, BOB), ANN)
    assert (closed.status, closed.players) == (Status.CLOSED, ())


# -- who decides -----------------------------------------------------------------------------------
def characters_at(channel: int, *bids: str) -> list[str]:
    """Return the characters asked to choose at a table of Agnes and Ann, after these bids."""
    live = after_moves(dealt(AGNES, ANN), *(MakeBid(at % 2, bid) for at, bid in enumerate(bids)))
    secret = replace(live, table=replace(live.table, channel_id=channel), seeds={1: bytes(32)})
    return [position.character for position in computer_turns.positions(secret)]


def test_a_practice_starts_against_the_opener_and_continues_with_its_players() -> None:
    assert characters_at(-ANN) == ["opener"]
    assert characters_at(-ANN, "pair:9", "pair:T") == ["careful"]
    assert characters_at(2) == ["careful"], "at a table everybody is as they are"


# -- what they see ---------------------------------------------------------------------------------
async def deal_hidden_cards_anew(room: ComputerRoom, seat: int) -> None:
    """Shuffle the cards that `seat` doesn't see in the stored deal; keep the seed."""
    live = round_of(await room.live()).hands[seat]
    snapshot = await room.store.tables.snapshot(room.id)
    assert snapshot is not None
    assert snapshot.match is not None
    deal = next(
        action for action in reversed(snapshot.match.actions) if action.body["kind"] == "deal"
    )
    hidden = [number for number in deal.body["order"] if Card(number) not in live]
    moved = iter(hidden[3:] + hidden[:3])
    order = [n if Card(n) in live else next(moved) for n in deal.body["order"]]
    async with transaction(room.store.database) as connection:
        await connection.execute(
            text("UPDATE actions SET body = :body WHERE match_id = :match AND seq = :seq"),
            {
                "body": json.dumps({**deal.body, "order": order}),
                "match": snapshot.match.id,
                "seq": deal.seq,
            },
        )


async def as_another_process_finds_it(room: ComputerRoom) -> ComputerRoom:
    """Return a second room for the table, as in another process.

    Wait until its computer players have decided.
    """
    second_room = ComputerRoom(room.store, clock=room.clock)
    second_room.id = room.id
    second_room.thinking.on_change(await second_room.live(), unseen=True)
    await second_room.thinking.wait_until_idle()
    return second_room


@pytest.mark.long
@pytest.mark.parametrize(("game", "length"), [(THAI, "one_more"), (LIARS, "whole")])
async def test_other_hidden_cards_under_the_same_view_change_neither_choice_nor_pause(
    store: SqlStore, game: str, length: str
) -> None:
    room = ComputerRoom(store)
    await room.match(ANN, with_=ALL_FOUR, game=game, length=length)
    looked = 0
    while round_of(await room.live()).outcome is None:
        if await room.turn() > 0:
            await room.act_for_whoever_is_in_turn()
            continue
        seat = round_of(await room.live()).turn
        own_cards = round_of(await room.live()).hands[seat]
        hidden, decided, pauses = set(), [], set()
        for _ in range(4):
            room = await as_another_process_finds_it(room)
            live = await room.live()
            assert round_of(live).hands[seat] == own_cards
            hidden.add(tuple(hand.bits for hand in round_of(live).hands))
            decided.append(room.thinking.decision_for(live))
            pauses.add(pause(match_of(live), SHORTEST))
            await deal_hidden_cards_anew(room, seat)
        assert len(hidden) == 4  # or nothing was tried
        assert decided[0] is not None
        assert decided == [decided[0]] * 4
        assert len(pauses) == 1
        looked += 1
        room = await as_another_process_finds_it(room)
        await room.happens()
    assert looked >= 2


@pytest.mark.thorough
async def test_they_decide_from_their_own_view_and_what_showdowns_have_shown(
    store: SqlStore,
) -> None:
    decider = LocalDecider()
    room = ComputerRoom(store, decider)
    await room.match(ANN, with_=ALL_FOUR)
    shown_times = 0
    for _ in range(60):
        live = await room.live()
        if live.table.status is not Status.PLAYING:
            break
        if round_of(live).outcome is not None:
            shown_times += 1
            await room.tables.change(room.id, ask(ANN), plans.next_round)
            continue
        await room.act_for_whoever_is_in_turn()
        for position in decider.asked:
            now = round_of(live)
            if position.number == now.number:
                assert position.hole == now.hands[position.seat].bits
                assert len(position.rounds) == shown_times
        decider.asked.clear()
    assert shown_times >= 2


# -- when they act ---------------------------------------------------------------------------------
async def test_their_pause_depends_on_public_facts_only(store: SqlStore) -> None:
    room = ComputerRoom(store)
    await room.match(ANN, with_=ALL_FOUR)
    waits = []
    for _ in range(25):
        live = await room.live()
        if round_of(live).outcome is not None:
            await room.tables.change(room.id, ask(ANN), plans.next_round)
            continue
        if await room.turn() < 0:
            began = room.clock.at
            table = await room.table()
            assert (table.turn_since, table.turn_ends, table.nudges) == (began, None, 0)
            assert await room.happens() is DeadlineKind.COMPUTER
            waits.append(room.clock.at - began)
            assert waits[-1] == pause(match_of(live), SHORTEST)
        else:
            await room.act_for_whoever_is_in_turn()
    assert len(set(waits)) > 5
    assert min(waits) >= SHORTEST
    assert max(waits) <= SHORTEST * (1 + SPREAD)


async def test_a_decision_is_stored_as_anybodys_and_once_though_two_processes_serve_it(
    store: SqlStore,
) -> None:
    clock = FakeClock()
    first, two = ComputerRoom(store, clock=clock), ComputerRoom(store, clock=clock)
    await first.match(ANN, with_=ALL_FOUR)
    two.id = first.id
    await first.until_turn(AGNES)
    await two.tables.see(two.id)
    before = await first.stored_log()
    nearest = await store.tables.next_deadline(after=0)
    assert nearest is not None
    clock.at = nearest
    (due,) = await store.tables.due(nearest)
    for room in (first, two):
        room.thinking.on_change(await room.live(), unseen=True)
        await room.thinking.wait_until_idle()
    await asyncio.gather(first.tables.on_deadline(due), two.tables.on_deadline(due))
    after = await first.stored_log()
    assert len(after) == len(before) + 1
    assert after[-1]["seat"] == 1
    assert after[-1]["by_house"] is False


async def test_where_anybody_may_challenge_they_decide_after_each_bid(store: SqlStore) -> None:
    doubts = PlannedDecider(
        wild=lambda at: Choice.challenge(at) if at.may_challenge else choose(at, rules_of(at))
    )
    room = ComputerRoom(store, doubts)
    await room.match(ANN, BOB, with_=("careful", "wild"), challengers="anyone")
    await room.until_turn(ANN)
    live = await room.live()
    assert not round_of(live).outcome
    least = legal(match_of(live)).rungs[0][0].key
    await room.tables.change(room.id, ask(ANN), plans.bid, least)
    # the next to act is a person or not: the wild one doubts it out of turn all the same
    while round_of(await room.live()).outcome is None:
        assert await room.happens() is DeadlineKind.COMPUTER
    outcome = round_of(await room.live()).outcome
    assert outcome is not None
    assert match_of(await room.live()).seats[outcome.challenger or 0].player == ROXY


async def test_where_nobody_challenges_out_of_turn_the_persons_turn_goes_on(
    store: SqlStore,
) -> None:
    lets = PlannedDecider(
        **{character: lambda at: choose(at, rules_of(at)) for character in ALL_FOUR}
    )
    room = ComputerRoom(store, lets)
    await room.match(ANN, BOB, with_=("careful",), challengers="anyone")
    await room.until_turn(ANN)  # a person sits before her, so it is not their own bid
    live = await room.live()
    if not round_of(live).bids:
        await room.act_for_whoever_is_in_turn()
        await room.until_turn(ANN)
    table = await room.table()
    assert table.deadline_kind is DeadlineKind.COMPUTER
    heard: list[bool] = []

    class Listener(Announcer):
        def on_change(self, live: LiveTable, *, unseen: bool) -> None:
            heard.append(unseen)

    room.changes.listen(Listener())
    seq, ends = match_of(await room.live()).seq, table.turn_ends
    await room.happens()
    after = await room.live()
    assert match_of(after).seq == seq
    assert after.table.turn_ends == ends
    assert after.table.deadline_kind is DeadlineKind.NUDGE
    assert heard == [True]  # nothing that anybody sees: no message is drawn for it


# -- nothing holds the table up --------------------------------------------------------------------
async def test_a_computer_player_without_a_timely_decision_is_played_for(store: SqlStore) -> None:
    room = ComputerRoom(store, SilentDecider())
    await room.match(ANN, with_=ALL_FOUR)
    await room.until_turn(AGNES)
    began, seq = room.clock.at, match_of(await room.live()).seq
    while match_of(await room.live()).seq == seq:
        assert await room.happens() is DeadlineKind.COMPUTER
    assert room.clock.at - began <= SHORTEST * (1 + SPREAD) + PATIENCE + computer_turns.AGAIN
    assert (await room.stored_log())[-1]["seat"] == 1


async def test_a_lost_process_holds_nothing_up(store: SqlStore) -> None:
    room = ComputerRoom(store, BrokenDecider())
    await room.match(ANN, with_=ALL_FOUR)
    await room.until_turn(MIRA)
    began = room.clock.at
    await room.happens()
    assert room.clock.at - began <= SHORTEST * (1 + SPREAD)
    assert await room.turn() != MIRA or round_of(await room.live()).outcome is not None


# -- people and computer players at one table ------------------------------------------------------


@pytest.mark.long
async def test_they_play_on_sooner_when_the_last_person_is_out_and_it_ends(
    store: SqlStore,
) -> None:
    room = ComputerRoom(store)
    await room.match(ANN, with_=("careful", "sly", "wild"), length="one_more")
    sooner = 0
    for _ in range(3000):
        live = await room.live()
        if live.table.status is not Status.PLAYING:
            break
        if not match_of(live).seats[0].live and live.table.deadline_kind is not None:
            assert live.table.host_id == ANN
            began, kind = room.clock.at, await room.happens()
            if kind is DeadlineKind.NEXT_ROUND:
                assert room.clock.at - began == 15_000 // SOONER
                sooner += 1
        elif live.table.deadline_kind is DeadlineKind.NEXT_ROUND:
            await room.happens()
        elif await room.turn() == ANN:  # claims the most, so as to be out soon
            top = match_of(live).ruleset.ladder.rungs[-1][0].key
            standing = round_of(live).standing
            if standing is not None and standing.bid.key == top:
                await room.tables.change(room.id, ask(ANN), plans.challenge)
            else:
                await room.tables.change(room.id, ask(ANN), plans.bid, top)
        else:
            await room.happens()
    assert live.table.status is Status.FINISHED
    assert sooner


async def away(room: ComputerRoom, player: int) -> None:
    """Let a player's turn time out twice, so that they count as away."""
    for _ in range(2):
        await room.until_turn(player)
        while await room.happens() is not DeadlineKind.TURN:
            pass
        while round_of(await room.live()).outcome is not None:
            await room.happens()


async def test_the_stand_in_plays_for_an_absent_player(store: SqlStore) -> None:
    questions = []
    room = ComputerRoom(store, PlannedDecider())
    await room.match(ANN, BOB, CLEO, with_=())
    for voter in (ANN, CLEO):
        await room.tables.change(room.id, ask(voter), plans.say_away, BOB)
    await room.until_turn(BOB)
    live = await room.live()
    assert live.table.deadline_kind is DeadlineKind.HOUSE
    await room.thinking.wait_until_idle()
    questions = room.decider.asked[-1]  # type: ignore[attr-defined]
    assert (questions.character, questions.seat) == ("stand-in", 1)
    decided = room.thinking.decision_for(live)
    assert decided is not None
    await room.happens()
    last = (await room.stored_log())[-1]
    assert last["by_house"] is True
    assert last["seat"] == 1
    assert last.get("bid", "challenge") == getattr(decided.action, "key", "challenge")


async def test_computer_players_do_not_play_on_while_every_person_is_away(store: SqlStore) -> None:
    room = ComputerRoom(store)
    await room.match(ANN, with_=("careful", "sly"))
    await away(room, ANN)
    table = await room.table()
    assert table.deadline_kind is DeadlineKind.DESERTED
    assert table.deadline == room.clock.at + 60 * MINUTE
    live = await room.tables.change(room.id, ask(ANN), plans.back)
    assert live.table.deadline_kind is not DeadlineKind.DESERTED
