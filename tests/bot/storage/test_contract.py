"""The store's contract (`bot.storage.store.SqlStore`) for tables and moves, on both engines.

Matches, messages, deliveries and people: `test_contract_matches.py`.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from sqlalchemy import text

from bot.settings.shards import Shards
from bot.storage.store import SqlStore
from bot.storage.tables import SqlTables
from bot.tables.errors import ChannelHasTable, Repeated, Stale
from bot.tables.model import Change, PlayerCut, Snapshot, Status, Table
from bot.tables.quarantine import Quarantine
from tests.bot.storage.conftest import both
from tests.bot.storage.moves import (
    ANN,
    BOB,
    CHANNEL,
    CLEO,
    GUILD,
    NOW,
    action,
    first_deal,
    lobby,
    move,
    next_version,
    playing,
    stored_match,
)

pytestmark = both

# -- tables ---------------------------------------------------------------------------------------


async def test_every_field_of_a_table_is_read_back_as_it_was_stored(store: SqlStore) -> None:
    original = lobby(
        options={"jokers": 0, "wild": None, "name": "Zoë ♠", "nested": {"a": [1, 2.5, True]}},
        players=(BOB, ANN, CLEO),
        message_id=2**63 - 1,
        announced_seq=7,
        deadline=NOW + 2,
        deadline_kind="lobby",
        last_winner=CLEO,
        chain_root=b"\x00\xff" * 16,
        cuts=(PlayerCut(BOB, "zażółć 'x' 🐢", 1), PlayerCut(ANN, "seven", 3)),
    )
    opened = await store.tables.open(original, None)
    assert opened == replace(original, id=opened.id)
    assert await store.tables.in_channel(CHANNEL) == opened
    assert await store.tables.snapshot(opened.id) == Snapshot(opened)


async def test_a_commit_stores_the_changed_table(store: SqlStore) -> None:
    opened = await store.tables.open(lobby(), None)
    changed = next_version(
        opened,
        host_id=BOB,
        players=(BOB, CLEO),
        variant="thai_poker",
        options={"middle_hand": True},
        deadline=NOW + 5,
        deadline_kind="lobby",
        last_winner=ANN,
        chain_root=bytes(32),
        cuts=(PlayerCut(CLEO, "a", 2),),
    )
    assert await store.tables.commit(Change(changed)) == changed
    assert await store.tables.in_channel(CHANNEL) == changed


async def test_clocks_are_postponed_together_but_for_tables_that_have_moved_on(
    store: SqlStore,
) -> None:
    still = await store.tables.open(lobby(deadline=NOW), None)
    moved = await store.tables.open(lobby(channel_id=CHANNEL + 1, deadline=NOW), None)
    read = [
        next_version(table_now, deadline=NOW + 9, turn_since=7, turn_ends=8)
        for table_now in (still, moved)
    ]
    ahead = await store.tables.commit(Change(next_version(moved, deadline=NOW + 5)))
    await store.tables.postpone(
        [replace(table_now, updated_at=NOW + 1, host_id=BOB) for table_now in read]
    )
    assert await store.tables.live() == [replace(read[0], updated_at=NOW + 1), ahead]
    await store.tables.postpone([])


async def test_a_channel_has_one_live_table(store: SqlStore) -> None:
    await store.tables.open(lobby(), None)
    with pytest.raises(ChannelHasTable):
        await store.tables.open(lobby(host_id=BOB), None)
    await store.tables.open(lobby(channel_id=CHANNEL + 1), None)
    assert len(await store.tables.live()) == 2


async def test_a_table_moves_to_another_channel_without_its_message(store: SqlStore) -> None:
    table = await store.tables.open(lobby(), None)
    await store.tables.note_message(table.id, 900, 0)
    elsewhere = next_version(table, channel_id=CHANNEL + 1, message_id=None)
    after = await store.tables.commit(Change(elsewhere))
    assert after == elsewhere
    assert await store.tables.in_channel(CHANNEL + 1) == elsewhere
    assert await store.tables.in_channel(CHANNEL) is None
    await store.tables.open(lobby(host_id=BOB), None)  # the channel is free


async def test_a_table_cannot_move_to_a_channel_with_a_live_table(store: SqlStore) -> None:
    table = await store.tables.open(lobby(), None)
    await store.tables.open(lobby(channel_id=CHANNEL + 1), None)
    with pytest.raises(ChannelHasTable):
        await store.tables.commit(Change(next_version(table, channel_id=CHANNEL + 1)))
    assert await store.tables.in_channel(CHANNEL) == table


async def test_a_lobby_cannot_be_made_again_where_another_table_is_live(store: SqlStore) -> None:
    first = await store.tables.open(lobby(), None)
    over = await store.tables.commit(Change(next_version(first, status=Status.CLOSED)))
    second = await store.tables.open(lobby(), None)
    with pytest.raises(ChannelHasTable):
        await store.tables.commit(Change(next_version(over, status=Status.LOBBY)))
    assert await store.tables.live() == [second]


async def test_a_new_table_closes_the_finished_one_of_its_channel(store: SqlStore) -> None:
    finished = await store.tables.commit(
        Change(next_version(await playing(store), status=Status.FINISHED, deadline=NOW))
    )
    elsewhere = await playing(store, channel_id=CHANNEL + 1)
    elsewhere = await store.tables.commit(Change(next_version(elsewhere, status=Status.FINISHED)))
    opened = await store.tables.open(lobby(created_at=NOW + 9999), None)
    assert await store.tables.in_channel(CHANNEL) == opened
    closed = await store.tables.snapshot(finished.id)
    assert closed is not None
    assert closed.table == replace(
        finished,
        status=Status.CLOSED,
        version=finished.version + 1,
        updated_at=NOW + 9999,
        deadline=None,
    )
    with pytest.raises(Stale):  # whoever held the old one must read it again
        await store.tables.commit(Change(next_version(finished, status=Status.LOBBY)))
    assert await store.tables.in_channel(CHANNEL + 1) == elsewhere


async def test_only_live_tables_are_counted_listed_and_due(store: SqlStore) -> None:
    async def at(channel: int, status: Status, deadline: int | None, guild: int = GUILD) -> Table:
        fresh = lobby(channel_id=channel, guild_id=guild, deadline=deadline)
        opened = await store.tables.open(fresh, None)
        return await store.tables.commit(Change(next_version(opened, status=status)))

    late = await at(1, Status.PLAYING, NOW + 300)
    soon = await at(2, Status.LOBBY, NOW + 100)
    never = await at(3, Status.PLAYING, None)
    await at(4, Status.FINISHED, NOW)
    await at(5, Status.CLOSED, NOW)
    assert await store.tables.in_channel(5) is None
    abroad = await at(6, Status.LOBBY, NOW + 200, guild=5)
    assert await store.tables.live() == [late, soon, never, abroad]
    assert [await store.tables.live_in_guild(guild) for guild in (GUILD, 5, 6)] == [3, 1, 0]
    assert await store.tables.next_deadline(after=0) == NOW + 100
    assert await store.tables.due(NOW + 99) == []
    assert await store.tables.due(NOW + 200) == [soon, abroad]
    assert await store.tables.due(NOW + 999) == [soon, abroad, late]


async def test_a_process_serves_only_the_deadlines_of_its_own_shards(store: SqlStore) -> None:
    for shard in range(4):
        fresh = lobby(channel_id=1 + shard, guild_id=shard << 22 | 7, deadline=NOW + 10 + shard)
        await store.tables.open(fresh, None)
    tables = SqlTables(store.database, Quarantine(), Shards(4, (1, 3)))
    assert await tables.next_deadline(after=0) == NOW + 11
    assert await tables.next_deadline(after=NOW + 11) == NOW + 13
    assert await tables.next_deadline(after=NOW + 13) is None
    assert [table.guild_id >> 22 for table in await tables.live()] == [1, 3]


async def test_ids_are_never_given_out_twice(store: SqlStore) -> None:
    ids = []
    for _ in range(3):
        opened = await store.tables.open(lobby(), None)
        await store.tables.commit(Change(next_version(opened, status=Status.CLOSED)))
        ids.append(opened.id)
    assert len(set(ids)) == 3
    assert ids == sorted(ids)


# -- versions and interactions --------------------------------------------------------------------


@pytest.mark.parametrize("ahead", [-1, 0, 2, 3])
async def test_a_change_must_follow_the_stored_version(store: SqlStore, ahead: int) -> None:
    table = await playing(store)
    wrong = replace(next_version(table), version=table.version + ahead)
    with pytest.raises(Stale):
        await store.tables.commit(Change(wrong, 5, actions=(action(2, 5),)))
    after = await store.tables.snapshot(table.id)
    assert after is not None
    assert after.table == table
    assert after.match is not None
    assert len(after.match.actions) == 1


async def test_a_change_of_an_unknown_table_is_stale(store: SqlStore) -> None:
    with pytest.raises(Stale):
        await store.tables.commit(Change(next_version(lobby(id=99))))


async def test_a_match_of_a_table_that_is_gone_is_stale(store: SqlStore) -> None:
    table = await store.tables.open(lobby(), None)
    await store.database.write(lambda c: c.execute(text("DELETE FROM tables")).close())
    with pytest.raises(Stale):
        await store.tables.commit(first_deal(table))


async def test_an_interaction_moves_a_match_once(store: SqlStore) -> None:
    table = await store.tables.commit(move(await playing(store), 2, interaction_id=77))
    with pytest.raises(Repeated):
        await store.tables.commit(move(table, 3, interaction_id=77))
    with pytest.raises(Repeated):  # said rather than Stale, as nothing is to be judged again
        await store.tables.commit(replace(move(table, 3, interaction_id=77), table=table))
    match = await stored_match(store, table)
    assert match.actions == (action(1), action(2, 77))


async def test_an_interaction_moves_a_lobby_once(store: SqlStore) -> None:
    opened = await store.tables.open(lobby(), 50)
    with pytest.raises(Repeated):  # said rather than ChannelHasTable
        await store.tables.open(lobby(), 50)
    joined = await store.tables.commit(Change(next_version(opened, players=(ANN, BOB, CLEO)), 51))
    for used in (50, 51):
        with pytest.raises(Repeated):
            await store.tables.commit(Change(next_version(joined, players=(ANN,)), used))
    assert await store.tables.in_channel(CHANNEL) == joined


async def test_of_fifty_moves_at_once_exactly_one_is_stored(store: SqlStore) -> None:
    table = await playing(store)
    moves = [store.tables.commit(move(table, 2, interaction_id=500 + n)) for n in range(50)]
    outcomes = await asyncio.gather(*moves, return_exceptions=True)
    stored = [outcome for outcome in outcomes if isinstance(outcome, Table)]
    assert len(stored) == 1
    assert [type(outcome) for outcome in outcomes if outcome not in stored] == [Stale] * 49
    match = await stored_match(store, table)
    assert len(match.actions) == 2


async def test_of_fifty_deliveries_of_one_interaction_exactly_one_is_stored(
    store: SqlStore,
) -> None:
    table = await playing(store)
    moves = [store.tables.commit(move(table, 2, interaction_id=9)) for _ in range(50)]
    outcomes = await asyncio.gather(*moves, return_exceptions=True)
    assert sum(isinstance(outcome, Table) for outcome in outcomes) == 1
    assert sum(isinstance(outcome, Repeated) for outcome in outcomes) == 49


async def test_of_many_tables_opened_at_once_in_a_channel_exactly_one_is_stored(
    store: SqlStore,
) -> None:
    opening = [store.tables.open(lobby(host_id=host), 600 + host) for host in range(20)]
    outcomes = await asyncio.gather(*opening, return_exceptions=True)
    assert sum(isinstance(outcome, Table) for outcome in outcomes) == 1
    assert sum(isinstance(outcome, ChannelHasTable) for outcome in outcomes) == 19
    assert len(await store.tables.live()) == 1
