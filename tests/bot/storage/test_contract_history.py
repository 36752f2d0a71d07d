"""The store's contract for matches that are over, on SQLite and PostgreSQL."""

from __future__ import annotations

from dataclasses import replace

from bot.storage.store import SqlStore
from bot.tables.model import (
    Ending,
    HistoryLine,
    MatchStatus,
    PlayerResult,
    Status,
    Table,
)
from tests.bot.storage.moves import (
    ANN,
    BOB,
    CHANNEL,
    CLEO,
    GUILD,
    action,
    move,
    playing,
    stored_match,
)


async def won(store: SqlStore, winner: int, second: int, **kwargs: object) -> Table:
    """Store a match that `winner` has won, and its closed table; return the table."""
    table = await playing(store, players=(winner, second), **kwargs)
    results = (PlayerResult(winner, 1, 4), PlayerResult(second, 2, 3))
    over = replace(move(table, 2), ending=Ending(MatchStatus.WON, results))
    return await store.tables.commit(replace(over, table=replace(over.table, status=Status.CLOSED)))


async def test_a_match_is_read_back_by_its_number_with_its_place(store: SqlStore) -> None:
    table = await won(store, ANN, BOB)
    assert table.match_id is not None
    match = await store.matches.load(table.match_id)
    assert match is not None
    assert match.match == await stored_match(store, table)
    assert match.match.actions == (action(1), action(2))
    assert match.seeds == {1: b"\x00\xff" * 16}
    assert (match.guild_id, match.channel_id) == (GUILD, CHANNEL)
    assert await store.matches.load(table.match_id + 1) is None


async def test_a_channels_latest_match_is_one_that_is_over(store: SqlStore) -> None:
    assert await store.matches.last_ended(CHANNEL) is None
    first = await won(store, ANN, BOB)
    second = await won(store, BOB, ANN)
    await won(store, ANN, BOB, channel_id=CHANNEL + 1)
    await playing(store)
    assert second.match_id != first.match_id
    assert await store.matches.last_ended(CHANNEL) == second.match_id


async def test_rounds_are_counted_of_matches_that_ended_and_of_practices(store: SqlStore) -> None:
    assert await store.matches.rounds_dealt(ANN, None, 9) == 0
    first = await won(store, ANN, BOB)  # four rounds for Ann, three for Bob
    assert await store.matches.rounds_dealt(ANN, None, 9) == 4
    assert await store.matches.rounds_dealt(BOB, None, 9) == 3
    assert await store.matches.rounds_dealt(ANN, None, 3) == 3
    assert await store.matches.rounds_dealt(ANN, first.match_id, 9) == 0
    assert await store.matches.rounds_dealt(CLEO, None, 9) == 0
    variant = first.variant
    assert await store.matches.rounds_dealt(ANN, None, 9, variant) == 4
    assert await store.matches.rounds_dealt(ANN, None, 9, f"no {variant}") == 0


async def test_a_practice_counts_once_whether_it_is_over_or_not(store: SqlStore) -> None:
    alone = await playing(store, channel_id=-CLEO, guild_id=0, players=(CLEO, -101))
    assert await store.matches.rounds_dealt(CLEO, None, 9) == 1
    assert await store.matches.rounds_dealt(CLEO, alone.match_id, 9) == 0
    ended = replace(move(alone, 2), ending=Ending(MatchStatus.ABANDONED))
    await store.tables.commit(replace(ended, table=replace(ended.table, status=Status.CLOSED)))
    assert await store.matches.rounds_dealt(CLEO, None, 9) == 1
    await won(store, CLEO, -101, channel_id=-CLEO, guild_id=0)
    assert await store.matches.rounds_dealt(CLEO, None, 9) == 5
    assert await store.matches.rounds_dealt(ANN, None, 9) == 0


async def test_somebodys_matches_come_the_latest_first_page_by_page(store: SqlStore) -> None:
    tables = [await won(store, ANN, BOB), await won(store, CLEO, BOB), await won(store, BOB, ANN)]
    await playing(store)  # under way: in nobody's history
    numbers = [table.match_id or 0 for table in tables]
    line = (await store.matches.history(ANN, None, 10))[-1]
    assert line == HistoryLine(
        *(numbers[0], tables[0].id, GUILD, CHANNEL, "liars_poker", (ANN, BOB)),
        *(tables[0].updated_at, 1, 4),
    )
    assert [entry.match_id for entry in await store.matches.history(BOB, None, 10)] == numbers[::-1]
    assert [entry.match_id for entry in await store.matches.history(BOB, None, 2)] == numbers[:0:-1]
    assert [
        entry.match_id for entry in await store.matches.history(BOB, numbers[1], 10)
    ] == numbers[:1]
    assert [entry.place for entry in await store.matches.history(BOB, None, 10)] == [1, 2, 2]
    assert await store.matches.history(CLEO + 1, None, 10) == []
