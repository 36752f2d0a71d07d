"""The store's contract for matches, messages, deliveries and people, on SQLite and PostgreSQL."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from sqlalchemy.exc import IntegrityError

from bot.storage.store import SqlStore
from bot.tables.errors import Repeated
from bot.tables.model import (
    Change,
    Delivery,
    Ending,
    HoleCards,
    MatchStatus,
    PastMatch,
    Player,
    PlayerResult,
    Snapshot,
    Status,
    StoredMatch,
)
from tests.bot.storage.conftest import both
from tests.bot.storage.moves import (
    ANN,
    BOB,
    CHANNEL,
    CLEO,
    RULES,
    action,
    first_deal,
    lobby,
    move,
    next_version,
    playing,
)
from tests.bot.storage.persons import store_person

pytestmark = both

# -- matches --------------------------------------------------------------------------------------


async def test_a_match_is_made_with_its_first_deal(store: SqlStore) -> None:
    opened = await store.tables.open(lobby(announced_seq=4), None)
    change = first_deal(opened, interaction_id=12)
    table = await store.tables.commit(replace(change, table=replace(change.table, announced_seq=0)))
    assert table.match_id is not None
    assert table.announced_seq == 0
    expected = StoredMatch(
        table.match_id,
        table.id,
        "liars_poker",
        1,
        RULES,
        (ANN, BOB),
        None,
        MatchStatus.PLAYING,
        table.updated_at,
        None,
        (action(1, 12),),
    )
    seeds = {1: b"\x00\xff" * 16}
    assert await store.tables.snapshot(table.id) == Snapshot(table, expected, seeds)
    assert await store.tables.snapshot(table.id + 1) is None


async def test_the_matches_of_a_channel_are_read_back_from_one_on_the_latest_first(
    store: SqlStore,
) -> None:
    ids: list[int] = []
    expected: list[PastMatch] = []
    table = await store.tables.open(lobby(), None)
    for winner in (ANN, None, BOB):  # one after the other at one table
        table = await store.tables.commit(first_deal(table))
        began = table.updated_at
        assert table.match_id is not None
        assert await store.matches.past_matches(table.match_id, 9) == expected  # it is not over
        results = (PlayerResult(winner, 1, 1),) if winner else ()
        stop = Ending(MatchStatus.WON if winner else MatchStatus.ABANDONED, results)
        ids.append(table.match_id)
        over = next_version(table, status=Status.FINISHED)
        table = await store.tables.commit(Change(over, ending=stop))
        expected = [PastMatch(began, table.updated_at, winner), *expected]
        table = await store.tables.commit(
            Change(next_version(table, status=Status.LOBBY, match_id=None))
        )
    elsewhere = await playing(store, channel_id=CHANNEL + 1)
    ending = Ending(MatchStatus.WON, (PlayerResult(ANN, 1, 1), PlayerResult(BOB, 2, 1)))
    elsewhere = await store.tables.commit(
        Change(next_version(elsewhere, status=Status.CLOSED), ending=ending)
    )
    await store.tables.commit(Change(next_version(table, status=Status.CLOSED)))
    later = await playing(store)  # another table of the channel goes on with the evening
    later = await store.tables.commit(
        Change(next_version(later, status=Status.CLOSED), ending=ending)
    )
    assert later.match_id is not None
    assert [entry.winner for entry in await store.matches.past_matches(later.match_id, 9)] == [
        ANN,
        BOB,
        None,
        ANN,
    ]
    assert await store.matches.past_matches(ids[-1], 9) == expected
    assert await store.matches.past_matches(ids[-1], 2) == expected[:2]
    assert await store.matches.past_matches(ids[0], 9) == expected[2:]
    assert elsewhere.match_id is not None
    assert len(await store.matches.past_matches(elsewhere.match_id, 9)) == 1


async def test_play_again_begins_another_match_at_the_same_table(store: SqlStore) -> None:
    table = await playing(store)
    await store.tables.note_message(table.id, 900, 1)
    first = table.match_id
    over = next_version(table, status=Status.FINISHED)
    table = await store.tables.commit(
        Change(over, actions=(action(2),), ending=Ending(MatchStatus.WON))
    )
    again = next_version(
        table, status=Status.LOBBY, match_id=None, message_id=None, announced_seq=0
    )
    table = await store.tables.commit(Change(again, 13))
    assert (table.match_id, table.message_id, table.announced_seq) == (None, None, 0)
    assert await store.tables.snapshot(table.id) == Snapshot(table)
    table = await store.tables.commit(first_deal(table))
    assert table.match_id not in (None, first)


async def test_a_log_has_no_gaps(store: SqlStore) -> None:
    table = await playing(store)
    for wrong in ((action(3),), (action(1),), (action(2), action(4))):
        with pytest.raises(ValueError, match="gap"):
            await store.tables.commit(Change(next_version(table), actions=wrong))
    both = Change(next_version(table), actions=(action(2), action(3)))
    assert (await store.tables.commit(both)).version == table.version + 1


async def test_a_table_cannot_take_up_another_tables_match(store: SqlStore) -> None:
    table = await playing(store)
    second_table = await playing(store, channel_id=1)
    with pytest.raises(ValueError, match="match"):
        await store.tables.commit(Change(next_version(table, match_id=second_table.match_id)))


async def test_actions_need_a_match(store: SqlStore) -> None:
    opened = await store.tables.open(lobby(), None)
    with pytest.raises(ValueError, match="match"):
        await store.tables.commit(move(opened, 1))


async def test_only_one_action_may_carry_an_interaction(store: SqlStore) -> None:
    table = await playing(store)
    with pytest.raises(ValueError, match="interaction"):
        await store.tables.commit(
            Change(next_version(table), 3, actions=(action(2, 3), action(3, 3)))
        )


async def test_nothing_is_stored_of_a_change_whose_last_statement_fails(store: SqlStore) -> None:
    table = await store.tables.open(lobby(), None)
    twice = replace(first_deal(table, 8), deliveries=((1, 0, ANN), (1, 0, BOB)))
    with pytest.raises(IntegrityError):
        await store.tables.commit(twice)
    assert await store.tables.snapshot(table.id) == Snapshot(table)
    assert await store.tables.commit(first_deal(table, 8))  # the interaction was not used up either


async def test_a_cancelled_move_is_stored_whole_or_not_at_all(store: SqlStore) -> None:
    table = await playing(store)
    for turn in range(12):
        task = asyncio.create_task(store.tables.commit(move(table, table.version, 100 + turn)))
        for _ in range(turn):  # ever further into the transaction
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        snapshot = await store.tables.snapshot(table.id)
        assert snapshot is not None
        assert snapshot.match is not None
        assert len(snapshot.match.actions) == snapshot.table.version - 1
        table = snapshot.table
    assert await store.tables.commit(move(table, table.version))


async def test_a_restart_reads_the_same(address: str) -> None:
    store = await SqlStore.open(address)
    table = await playing(store)
    for seq in range(2, 30):
        table = await store.tables.commit(move(table, seq, 1000 + seq))
    await store.tables.note_message(table.id, 5, 29)
    match_id = table.match_id or 0
    before = (await store.tables.snapshot(table.id), await store.matches.deliveries(match_id, 1))
    await store.close()
    again = await SqlStore.open(address)
    assert before == (
        await again.tables.snapshot(table.id),
        await again.matches.deliveries(match_id, 1),
    )
    with pytest.raises(Repeated):
        await again.tables.commit(move(table, 30, 1029))
    await again.close()


# -- the table's message --------------------------------------------------------------------------


async def test_the_announced_state_never_goes_back(store: SqlStore) -> None:
    table = await playing(store)
    await store.tables.note_message(table.id, 31, 9)
    await store.tables.note_message(table.id, 32, 4)
    channel = await store.tables.in_channel(CHANNEL)
    assert channel == replace(table, message_id=32, announced_seq=9)


async def test_a_move_judged_before_the_message_was_noted_does_not_undo_it(
    store: SqlStore,
) -> None:
    table = await playing(store)
    await store.tables.note_message(table.id, 31, 1)
    after = await store.tables.commit(move(table, 2))  # `table` knows of no message
    assert (after.message_id, after.announced_seq) == (31, 1)
    assert await store.tables.in_channel(CHANNEL) == after


# -- deliveries and people ------------------------------------------------------------------------


async def test_each_seat_dealt_in_has_a_delivery_a_round(store: SqlStore) -> None:
    table = await playing(store)
    match_id = table.match_id or 0
    first = await store.matches.deliveries(match_id, 1)
    assert first == [HoleCards(match_id, 1, 0, ANN), HoleCards(match_id, 1, 1, BOB)]
    await store.matches.note_delivery(first[0], Delivery.SENT)
    sent = [replace(first[0], state=Delivery.SENT), first[1]]
    assert await store.matches.deliveries(match_id, 1) == sent

    deal = replace(move(table, 2), seeds=((2, b"x" * 32),), deliveries=((2, 0, ANN), (2, 1, BOB)))
    await store.tables.commit(deal)
    second = [HoleCards(match_id, 2, 0, ANN), HoleCards(match_id, 2, 1, BOB)]
    assert await store.matches.deliveries(match_id, 2) == second
    await store.matches.note_delivery(second[1], Delivery.CLOSED)
    closed = [second[0], replace(second[1], state=Delivery.CLOSED)]
    assert await store.matches.deliveries(match_id, 2) == closed
    assert await store.matches.deliveries(match_id, 1) == sent


async def test_a_person_is_remembered_as_last_noted(store: SqlStore) -> None:
    assert await store.people.player(ANN) == Player(ANN)
    await store_person(store, Player(ANN, "Ann", True))
    await store_person(store, Player(BOB, "Bob 🂡", None))
    await store_person(store, Player(ANN, "Annie", False))
    assert await store.people.players((CLEO, BOB, ANN)) == {
        CLEO: Player(CLEO),
        BOB: Player(BOB, "Bob 🂡", None),
        ANN: Player(ANN, "Annie", False),
    }
    assert await store.people.players(()) == {}


async def test_a_reminders_messages_are_stored_beside_moves_and_removed(
    store: SqlStore,
) -> None:
    table = await playing(store)
    await store.tables.note_nudge(table.id, 901, "1.0.0.1", (902, BOB))
    noted = await store.tables.commit(move(table, 2))  # of a state that was read before
    assert (noted.nudge_id, noted.nudged) == (901, "1.0.0.1")
    assert (noted.letter_id, noted.letter_to) == (902, BOB)
    assert await store.tables.live() == [noted]
    await store.tables.note_nudge(table.id, 903, "1.0.0.2")
    (after,) = await store.tables.live()
    assert after == replace(noted, nudge_id=903, nudged="1.0.0.2", letter_id=None, letter_to=None)
