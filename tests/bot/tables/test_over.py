"""A table whose match is over: it is drawn in many places, and read from the store but once."""

from __future__ import annotations

import pytest

from bot.storage import tables as stored
from bot.tables import errors, plans, runtime
from bot.tables.model import Status
from tests.bot.tables.room import ANN, BOB, CLEO, Room, ask


class Reads:
    """Counts how often a table's whole log is read."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.number = 0
        read = stored.SqlTables.snapshot

        async def counted(store: stored.SqlTables, table_id: int) -> object:
            self.number += 1
            return await read(store, table_id)

        monkeypatch.setattr(stored.SqlTables, "snapshot", counted)


async def over(room: Room, *, channel: int = 2) -> int:
    """A table where Ann has won."""
    table_id = await room.match(ANN, BOB, channel=channel)
    await room.tables.change(table_id, ask(BOB), plans.forfeit)
    return table_id


async def test_its_end_is_not_read_again(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    table_id = await over(room)
    reads = Reads(monkeypatch)
    for _ in range(3):
        live = await room.tables.see(table_id)
        assert live.table.status is Status.FINISHED
        assert live.match is not None
        assert live.match.winner == 0
        assert room.tables.runtime.is_latest(live)
    assert reads.number == 0
    monkeypatch.undo()
    await room.tables.runtime._load(table_id)  # what is kept is what is stored
    assert await room.tables.see(table_id) == live


async def test_its_message_is_known_before_it_is_stored_again(room: Room) -> None:
    table_id = await over(room)
    await room.tables.runtime.note_shown(table_id, 77, 3)
    table = (await room.tables.see(table_id)).table
    assert (table.message_id, table.announced_seq) == (77, 3)
    assert (await room.table(table_id)).message_id == 77


async def test_it_is_closed_by_the_next_one_in_its_channel(room: Room) -> None:
    table_id = await over(room)
    await room.lobby(CLEO)
    assert (await room.tables.see(table_id)).table.status is Status.CLOSED
    with pytest.raises(errors.RefusedError):
        await room.tables.change(table_id, ask(ANN), plans.again)


async def test_who_is_forgotten_is_not_seen_in_it(room: Room) -> None:
    table_id = await over(room)
    assert await room.store.privacy.forget(BOB) is not None
    assert BOB not in (await room.tables.see(table_id)).table.players


async def test_it_goes_on_when_it_is_played_at_again(room: Room) -> None:
    table_id = await over(room)
    await room.tables.change(table_id, ask(ANN), plans.again)
    await room.tables.change(table_id, ask(BOB), plans.join)
    live = await room.tables.see(table_id)
    assert live.table.status is Status.PLAYING
    assert live in room.tables.runtime.all()


async def test_only_the_latest_are_kept(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtime, "OVER", 2)
    first, second, third = [await over(room, channel=channel) for channel in (2, 3, 4)]
    reads = Reads(monkeypatch)
    for table_id in (second, third, first):
        assert (await room.tables.see(table_id)).table.status is Status.FINISHED
    assert reads.number == 1
