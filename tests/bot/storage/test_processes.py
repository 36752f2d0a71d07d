"""Tables that another process has changed: decisions use the stored state."""

from __future__ import annotations

from pathlib import Path

from bot.storage.store import SqlStore
from bot.tables import plans
from bot.tables.live import dealt_to
from tests.bot.storage.conftest import BUSY_MS, both
from tests.bot.tables.room import ANN, BOB, CLEO, FakeClock, Room, Shown, ask, tables_over


@both
async def test_a_table_is_seen_and_cards_are_found_as_another_process_dealt_them(
    address: str, tmp_path: Path
) -> None:
    store = await SqlStore.open(address, busy_ms=BUSY_MS)
    clock = FakeClock()
    room = Room(store, clock, Shown(), tables_over(store, clock, Shown()), tmp_path)
    try:
        ours, theirs = room.tables, room.another()
        table_id = await room.match(ANN, BOB)
        other_id = await room.match(ANN, CLEO, channel=3)
        assert (await theirs.see(table_id)).match is not None
        before = await theirs.where_dealt(BOB)
        assert [dealt.table.id for dealt in before] == [table_id]
        assert {dealt.table.id for dealt in await theirs.where_dealt(ANN)} == {table_id, other_id}
        person = await room.turn(table_id)
        await ours.change(table_id, ask(person), plans.bid, "pair:9")
        await ours.change(table_id, ask(await room.turn(table_id)), plans.challenge)
        assert await theirs.where_dealt(BOB) == []  # the round is over
        await ours.change(table_id, ask(ANN), plans.next_round)
        (after,) = await theirs.where_dealt(BOB)
        assert after.round_view == dealt_to(await ours.see(table_id), BOB).round_view  # type: ignore[union-attr]
        assert after.round_view != before[0].round_view
        assert await theirs.where_dealt(99) == []
        assert await theirs.where_dealt(BOB // 10) == []  # digits of an id are nobody
        assert (await theirs.see(table_id)).table.version == (
            await ours.see(table_id)
        ).table.version
    finally:
        await store.close()


@both
async def test_only_a_shared_store_is_asked_before_a_table_is_shown(address: str) -> None:
    store = await SqlStore.open(address, busy_ms=BUSY_MS)
    clock = FakeClock()
    ours, theirs = (tables_over(store, clock, Shown()) for _ in range(2))
    try:
        opened = await ours.open(ask(ANN), 1, 2, "thai_poker")
        known = await theirs.see(opened.table.id)
        await ours.change(opened.table.id, ask(BOB), plans.join)
        live = await theirs.see(opened.table.id)
        assert (live is known) is not store.is_shared
        assert store.is_shared is address.startswith("postgresql")
    finally:
        await store.close()
