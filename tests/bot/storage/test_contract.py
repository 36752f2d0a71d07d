"""The store's contract (`bot.tables.ports.Store`), the same on SQLite and PostgreSQL."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from sqlalchemy.exc import IntegrityError

from bot.storage.store import SqlStore
from bot.tables.ports import AlreadyDone, ChannelTaken, Stale, Store
from bot.tables.records import (
    Change,
    Delivery,
    Ending,
    HoleCards,
    MatchStatus,
    Player,
    Result,
    Snapshot,
    Status,
    StoredMatch,
    Table,
)
from tests.bot.storage.moves import (
    ANN,
    BOB,
    CHANNEL,
    CLEO,
    GUILD,
    NOW,
    RULES,
    action,
    first_deal,
    lobby,
    move,
    next_version,
    playing,
)


def test_the_sql_store_is_a_store() -> None:
    def takes(store: Store) -> Store:
        return store

    assert takes(SqlStore.__new__(SqlStore)) is not None  # mypy holds the protocol


# -- tables ---------------------------------------------------------------------------------------


async def test_every_field_of_a_table_is_read_back_as_it_was_stored(store: SqlStore) -> None:
    given = lobby(
        options={"jokers": 0, "wild": None, "name": "Zoë ♠", "nested": {"a": [1, 2.5, True]}},
        players=(BOB, ANN, CLEO),
        message_id=2**63 - 1,
        message_at=NOW + 1,
        announced_seq=7,
        deadline=NOW + 2,
        deadline_kind="lobby",
        last_winner=CLEO,
        paused="Send Messages is missing",
        locale="sv-SE",
    )
    opened = await store.open_table(given, None)
    assert opened == replace(given, id=opened.id)
    assert await store.table_in(CHANNEL) == opened
    assert await store.snapshot(opened.id) == Snapshot(opened)


async def test_a_commit_stores_the_table_as_it_is_to_be(store: SqlStore) -> None:
    opened = await store.open_table(lobby(), None)
    wanted = next_version(
        opened,
        host_id=BOB,
        players=(BOB, CLEO),
        variant="thai_poker",
        options={"middle_hand": True},
        deadline=NOW + 5,
        deadline_kind="lobby",
        last_winner=ANN,
        paused="no permission",
        locale="th",
    )
    assert await store.commit(Change(wanted)) == wanted
    assert await store.table_in(CHANNEL) == wanted


async def test_a_channel_has_one_live_table(store: SqlStore) -> None:
    await store.open_table(lobby(), None)
    with pytest.raises(ChannelTaken):
        await store.open_table(lobby(host_id=BOB), None)
    await store.open_table(lobby(channel_id=CHANNEL + 1), None)
    assert len(await store.live_tables()) == 2


async def test_a_lobby_cannot_be_made_again_where_another_table_is_live(store: SqlStore) -> None:
    first = await store.open_table(lobby(), None)
    over = await store.commit(Change(next_version(first, status=Status.CLOSED)))
    second = await store.open_table(lobby(), None)
    with pytest.raises(ChannelTaken):
        await store.commit(Change(next_version(over, status=Status.LOBBY)))
    assert await store.live_tables() == [second]


async def test_a_new_table_closes_the_finished_one_of_its_channel(store: SqlStore) -> None:
    finished = await store.commit(
        Change(next_version(await playing(store), status=Status.FINISHED, deadline=NOW))
    )
    elsewhere = await playing(store, channel_id=CHANNEL + 1)
    elsewhere = await store.commit(Change(next_version(elsewhere, status=Status.FINISHED)))
    opened = await store.open_table(lobby(created_at=NOW + 9999), None)
    assert await store.table_in(CHANNEL) == opened
    closed = await store.snapshot(finished.id)
    assert closed is not None
    assert closed.table == replace(
        finished,
        status=Status.CLOSED,
        version=finished.version + 1,
        updated_at=NOW + 9999,
        deadline=None,
    )
    with pytest.raises(Stale):  # whoever held the old one must read it again
        await store.commit(Change(next_version(finished, status=Status.LOBBY)))
    assert await store.table_in(CHANNEL + 1) == elsewhere


async def test_a_closed_table_is_in_no_channel(store: SqlStore) -> None:
    assert await store.table_in(CHANNEL) is None
    opened = await store.open_table(lobby(), None)
    await store.commit(Change(next_version(opened, status=Status.CLOSED)))
    assert await store.table_in(CHANNEL) is None
    assert await store.live_tables() == []


async def test_only_live_tables_are_counted_listed_and_due(store: SqlStore) -> None:
    async def at(channel: int, status: Status, deadline: int | None, guild: int = GUILD) -> Table:
        fresh = lobby(channel_id=channel, guild_id=guild, deadline=deadline)
        opened = await store.open_table(fresh, None)
        return await store.commit(Change(next_version(opened, status=status)))

    late = await at(1, Status.PLAYING, NOW + 300)
    soon = await at(2, Status.LOBBY, NOW + 100)
    never = await at(3, Status.PLAYING, None)
    await at(4, Status.FINISHED, NOW)
    await at(5, Status.CLOSED, NOW)
    abroad = await at(6, Status.LOBBY, NOW + 200, guild=5)
    assert await store.live_tables() == [late, soon, never, abroad]
    assert [await store.live_in_guild(guild) for guild in (GUILD, 5, 6)] == [3, 1, 0]
    assert await store.next_deadline() == NOW + 100
    assert await store.due(NOW + 99) == []
    assert await store.due(NOW + 200) == [soon, abroad]
    assert await store.due(NOW + 999) == [soon, abroad, late]


async def test_without_deadlines_there_is_no_next_one(store: SqlStore) -> None:
    await store.open_table(lobby(), None)
    assert await store.next_deadline() is None


async def test_ids_are_never_given_out_twice(store: SqlStore) -> None:
    ids = []
    for _ in range(3):
        opened = await store.open_table(lobby(), None)
        await store.commit(Change(next_version(opened, status=Status.CLOSED)))
        ids.append(opened.id)
    assert len(set(ids)) == 3
    assert ids == sorted(ids)


# -- versions and interactions --------------------------------------------------------------------


@pytest.mark.parametrize("ahead", [-1, 0, 2, 3])
async def test_a_change_must_follow_the_stored_version(store: SqlStore, ahead: int) -> None:
    table = await playing(store)
    wrong = replace(next_version(table), version=table.version + ahead)
    with pytest.raises(Stale):
        await store.commit(Change(wrong, 5, actions=(action(2, 5),)))
    after = await store.snapshot(table.id)
    assert after is not None
    assert after.table == table
    assert after.match is not None
    assert len(after.match.actions) == 1


async def test_a_change_of_an_unknown_table_is_stale(store: SqlStore) -> None:
    with pytest.raises(Stale):
        await store.commit(Change(next_version(lobby(id=99))))


async def test_an_interaction_moves_a_match_once(store: SqlStore) -> None:
    table = await store.commit(move(await playing(store), 2, interaction_id=77))
    with pytest.raises(AlreadyDone):
        await store.commit(move(table, 3, interaction_id=77))
    with pytest.raises(AlreadyDone):  # said rather than Stale, as nothing is to be judged again
        await store.commit(replace(move(table, 3, interaction_id=77), table=table))
    match = await store.match(table.match_id or 0)
    assert match is not None
    assert match.actions == (action(1), action(2, 77))


async def test_an_interaction_moves_a_lobby_once(store: SqlStore) -> None:
    opened = await store.open_table(lobby(), 50)
    with pytest.raises(AlreadyDone):  # said rather than ChannelTaken
        await store.open_table(lobby(), 50)
    joined = await store.commit(Change(next_version(opened, players=(ANN, BOB, CLEO)), 51))
    for used in (50, 51):
        with pytest.raises(AlreadyDone):
            await store.commit(Change(next_version(joined, players=(ANN,)), used))
    assert await store.table_in(CHANNEL) == joined


async def test_what_happens_by_itself_has_no_interaction_and_is_never_a_repeat(
    store: SqlStore,
) -> None:
    table = await playing(store)
    for seq in (2, 3, 4):
        table = await store.commit(move(table, seq))
    assert table.version == 5


async def test_of_fifty_moves_at_once_exactly_one_is_stored(store: SqlStore) -> None:
    table = await playing(store)
    moves = [store.commit(move(table, 2, interaction_id=500 + n)) for n in range(50)]
    outcomes = await asyncio.gather(*moves, return_exceptions=True)
    stored = [outcome for outcome in outcomes if isinstance(outcome, Table)]
    assert len(stored) == 1
    assert [type(outcome) for outcome in outcomes if outcome not in stored] == [Stale] * 49
    match = await store.match(table.match_id or 0)
    assert match is not None
    assert len(match.actions) == 2


async def test_of_fifty_deliveries_of_one_interaction_exactly_one_is_stored(
    store: SqlStore,
) -> None:
    table = await playing(store)
    moves = [store.commit(move(table, 2, interaction_id=9)) for _ in range(50)]
    outcomes = await asyncio.gather(*moves, return_exceptions=True)
    assert sum(isinstance(outcome, Table) for outcome in outcomes) == 1
    assert sum(isinstance(outcome, AlreadyDone) for outcome in outcomes) == 49


async def test_of_many_tables_opened_at_once_in_a_channel_exactly_one_is_stored(
    store: SqlStore,
) -> None:
    opening = [store.open_table(lobby(host_id=host), 600 + host) for host in range(20)]
    outcomes = await asyncio.gather(*opening, return_exceptions=True)
    assert sum(isinstance(outcome, Table) for outcome in outcomes) == 1
    assert sum(isinstance(outcome, ChannelTaken) for outcome in outcomes) == 19
    assert len(await store.live_tables()) == 1


# -- matches --------------------------------------------------------------------------------------


async def test_a_match_is_made_with_its_first_deal(store: SqlStore) -> None:
    opened = await store.open_table(lobby(announced_seq=4), None)
    change = first_deal(opened, interaction_id=12)
    table = await store.commit(replace(change, table=replace(change.table, announced_seq=0)))
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
    assert await store.match(table.match_id) == expected
    seeds = {1: b"\x00\xff" * 16}
    assert await store.seeds(table.match_id) == seeds
    assert await store.snapshot(table.id) == Snapshot(table, expected, seeds)


async def test_a_match_ends_with_its_results(store: SqlStore) -> None:
    table = await playing(store)
    won = Ending(MatchStatus.WON, (Result(BOB, 1, 4), Result(ANN, 2, 4)))
    over = replace(move(table, 2), ending=won)
    over = replace(over, table=replace(over.table, status=Status.FINISHED, last_winner=BOB))
    after = await store.commit(over)
    match = await store.match(table.match_id or 0)
    assert match is not None
    assert (match.status, match.ended_at) == (MatchStatus.WON, after.updated_at)
    assert await store.matches(MatchStatus.WON) == [match.id]
    assert await store.matches(MatchStatus.PLAYING) == []


async def test_play_again_begins_another_match_at_the_same_table(store: SqlStore) -> None:
    table = await playing(store)
    await store.note_message(table.id, 900, NOW, 1)
    first = table.match_id
    over = next_version(table, status=Status.FINISHED)
    table = await store.commit(Change(over, actions=(action(2),), ending=Ending(MatchStatus.WON)))
    again = next_version(
        table, status=Status.LOBBY, match_id=None, message_id=None, announced_seq=0
    )
    table = await store.commit(Change(again, 13))
    assert (table.match_id, table.message_id, table.announced_seq) == (None, None, 0)
    assert await store.snapshot(table.id) == Snapshot(table)
    table = await store.commit(first_deal(table))
    assert table.match_id not in (None, first)
    assert await store.matches() == [first, table.match_id]


async def test_a_log_has_no_gaps(store: SqlStore) -> None:
    table = await playing(store)
    for wrong in ((action(3),), (action(1),), (action(2), action(4))):
        with pytest.raises(ValueError, match="gap"):
            await store.commit(Change(next_version(table), actions=wrong))
    both = Change(next_version(table), actions=(action(2), action(3)))
    assert (await store.commit(both)).version == table.version + 1


async def test_a_table_cannot_take_up_another_tables_match(store: SqlStore) -> None:
    table = await playing(store)
    other = await playing(store, channel_id=1)
    with pytest.raises(ValueError, match="match"):
        await store.commit(Change(next_version(table, match_id=other.match_id)))


async def test_actions_need_a_match(store: SqlStore) -> None:
    opened = await store.open_table(lobby(), None)
    with pytest.raises(ValueError, match="match"):
        await store.commit(move(opened, 1))


async def test_only_one_action_may_carry_an_interaction(store: SqlStore) -> None:
    table = await playing(store)
    with pytest.raises(ValueError, match="interaction"):
        await store.commit(Change(next_version(table), 3, actions=(action(2, 3), action(3, 3))))


async def test_nothing_is_stored_of_a_change_whose_last_statement_fails(store: SqlStore) -> None:
    table = await store.open_table(lobby(), None)
    twice = replace(first_deal(table, 8), deliveries=((1, 0, ANN), (1, 0, BOB)))
    with pytest.raises(IntegrityError):
        await store.commit(twice)
    assert await store.snapshot(table.id) == Snapshot(table)
    assert await store.matches() == []
    assert await store.seeds(1) == {}
    assert await store.commit(first_deal(table, 8))  # the interaction was not used up either


async def test_a_cancelled_move_is_stored_whole_or_not_at_all(store: SqlStore) -> None:
    table = await playing(store)
    for turn in range(12):
        task = asyncio.create_task(store.commit(move(table, table.version, 100 + turn)))
        for _ in range(turn):  # ever further into the transaction
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        snapshot = await store.snapshot(table.id)
        assert snapshot is not None
        assert snapshot.match is not None
        assert len(snapshot.match.actions) == snapshot.table.version - 1
        table = snapshot.table
    assert await store.commit(move(table, table.version))


async def test_a_restart_reads_the_same(address: str) -> None:
    store = await SqlStore.open(address)
    table = await playing(store)
    for seq in range(2, 30):
        table = await store.commit(move(table, seq, 1000 + seq))
    await store.note_message(table.id, 5, NOW, 29)
    await store.set_guild_setting(GUILD, "locale", "th")
    before = (
        await store.snapshot(table.id),
        await store.pending_deliveries(),
        await store.guild_settings(GUILD),
    )
    await store.close()
    again = await SqlStore.open(address)
    assert before == (
        await again.snapshot(table.id),
        await again.pending_deliveries(),
        await again.guild_settings(GUILD),
    )
    with pytest.raises(AlreadyDone):
        await again.commit(move(table, 30, 1029))
    await again.close()


async def test_what_is_not_there_is_none(store: SqlStore) -> None:
    assert await store.snapshot(1) is None
    assert await store.match(1) is None
    assert await store.seeds(1) == {}
    assert await store.deliveries(1, 1) == []


# -- the table's message --------------------------------------------------------------------------


async def test_noting_the_message_is_no_move(store: SqlStore) -> None:
    table = await playing(store)
    await store.note_message(table.id, 31, NOW + 1, 1)
    noted = replace(table, message_id=31, message_at=NOW + 1, announced_seq=1)
    assert await store.table_in(CHANNEL) == noted


async def test_what_was_announced_never_goes_back(store: SqlStore) -> None:
    table = await playing(store)
    await store.note_message(table.id, 31, NOW, 9)
    await store.note_message(table.id, 32, NOW + 1, 4)
    found = await store.table_in(CHANNEL)
    assert found == replace(table, message_id=32, message_at=NOW + 1, announced_seq=9)
    await store.note_message(table.id, None, None, 10)
    found = await store.table_in(CHANNEL)
    assert found == replace(table, announced_seq=10)


async def test_a_move_judged_before_the_message_was_noted_does_not_undo_it(
    store: SqlStore,
) -> None:
    table = await playing(store)
    await store.note_message(table.id, 31, NOW, 1)
    after = await store.commit(move(table, 2))  # `table` knows of no message
    assert (after.message_id, after.message_at, after.announced_seq) == (31, NOW, 1)
    assert await store.table_in(CHANNEL) == after


# -- deliveries, people, settings ------------------------------------------------------------------


async def test_only_the_current_round_of_matches_being_played_is_pending(store: SqlStore) -> None:
    table = await playing(store)
    match_id = table.match_id or 0
    first = await store.deliveries(match_id, 1)
    assert first == [HoleCards(match_id, 1, 0, ANN), HoleCards(match_id, 1, 1, BOB)]
    assert await store.pending_deliveries() == first
    await store.note_delivery(first[0], Delivery.SENT, 4444)
    assert await store.pending_deliveries() == [first[1]]
    assert (await store.deliveries(match_id, 1))[0] == replace(
        first[0], state=Delivery.SENT, message_id=4444
    )

    deal = replace(move(table, 2), seeds=((2, b"x" * 32),), deliveries=((2, 0, ANN), (2, 1, BOB)))
    table = await store.commit(deal)
    second = [HoleCards(match_id, 2, 0, ANN), HoleCards(match_id, 2, 1, BOB)]
    assert await store.pending_deliveries() == second
    await store.note_delivery(second[1], Delivery.CLOSED, None)
    assert await store.pending_deliveries() == second[:1]

    await store.commit(replace(move(table, 3), ending=Ending(MatchStatus.ABANDONED)))
    assert await store.pending_deliveries() == []


async def test_a_person_is_remembered_as_last_noted(store: SqlStore) -> None:
    assert await store.player(ANN) == Player(ANN)
    await store.note_player(Player(ANN, "Ann", True))
    await store.note_player(Player(BOB, "Bob 🂡", None, True))
    await store.note_player(Player(ANN, "Annie", False, True))
    assert await store.players((CLEO, BOB, ANN)) == {
        CLEO: Player(CLEO),
        BOB: Player(BOB, "Bob 🂡", None, True),
        ANN: Player(ANN, "Annie", False, True),
    }
    assert await store.players(()) == {}


async def test_a_guilds_settings_are_its_own(store: SqlStore) -> None:
    assert await store.guild_settings(GUILD) == {}
    await store.set_guild_setting(GUILD, "locale", "sv")
    await store.set_guild_setting(GUILD, "channels", [1, 2])
    await store.set_guild_setting(5, "locale", "th")
    await store.set_guild_setting(GUILD, "locale", "en")
    assert await store.guild_settings(GUILD) == {"locale": "en", "channels": [1, 2]}
    await store.set_guild_setting(GUILD, "locale", None)
    assert await store.guild_settings(GUILD) == {"channels": [1, 2]}
    assert await store.guild_settings(5) == {"locale": "th"}
