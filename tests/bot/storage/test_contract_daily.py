"""The store's contract for deals of the day, on SQLite and PostgreSQL."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import text

from bot.storage.store import SqlStore
from bot.tables.model import DailyResult, Ending, MatchStatus, Player, Status
from tests.bot.storage.asking import transaction
from tests.bot.storage.moves import ANN, BOB, CLEO, GUILD, NOW, move, playing
from tests.bot.storage.persons import store_person

DAY = 739_581
LIARS, THAI = "liars_poker", "thai_poker"


def result(player: int, **kwargs: object) -> DailyResult:
    plain = DailyResult(player, THAI, DAY, 1, GUILD, 0, 2, "x.w", 0.25)
    return replace(plain, **kwargs)  # type: ignore[arg-type]


async def end_daily(store: SqlStore, daily: DailyResult) -> DailyResult:
    """Store a deal of the day with this result; return the result with its match's id."""
    practice = await playing(store, channel_id=-daily.player, guild_id=0, daily_day=daily.day)
    over = replace(move(practice, 2), ending=Ending(MatchStatus.ABANDONED, daily=daily))
    table = await store.tables.commit(
        replace(over, table=replace(over.table, status=Status.CLOSED))
    )
    return replace(daily, match_id=table.match_id or 0)


async def test_a_result_is_read_back_by_person_by_deal_and_by_server(store: SqlStore) -> None:
    assert await store.daily.result(ANN, THAI, DAY) is None
    anns = await end_daily(store, result(ANN))
    bobs = await end_daily(store, result(BOB, guild_id=7, place=None, rounds="", boldest=None))
    of_liars = await end_daily(store, result(ANN, game=LIARS))
    before = await end_daily(store, result(ANN, day=DAY - 3))
    assert await store.daily.result(ANN, THAI, DAY) == anns
    assert await store.daily.result(BOB, THAI, DAY) == bobs
    assert await store.daily.of_deal(THAI, DAY, 9) == [bobs, anns]
    assert await store.daily.of_deal(THAI, DAY, 1) == [bobs]
    assert await store.daily.board(GUILD, DAY) == [anns, of_liars]
    assert await store.daily.board(GUILD, DAY - 3) == [before, anns, of_liars]
    days = await store.daily.days((ANN, BOB, CLEO))
    assert {player: sorted(of) for player, of in days.items()} == {
        ANN: [DAY - 3, DAY],
        BOB: [],  # given up
        CLEO: [],
    }


async def test_a_table_knows_the_deal_that_it_plays(store: SqlStore) -> None:
    table = await playing(store, channel_id=-ANN, guild_id=0, daily_day=DAY, daily_guild=GUILD)
    snapshot = await store.tables.snapshot(table.id)
    assert snapshot is not None
    assert (snapshot.table.daily_day, snapshot.table.daily_guild) == (DAY, GUILD)


async def test_the_first_result_of_a_deal_stays(store: SqlStore) -> None:
    first = await end_daily(store, result(ANN))
    await end_daily(store, result(ANN, place=1))
    assert await store.daily.result(ANN, THAI, DAY) == first


async def test_hidden_people_are_on_no_board(store: SqlStore) -> None:
    anns = await end_daily(store, result(ANN))
    bobs = await end_daily(store, result(BOB))
    await store_person(store, Player(BOB, "Bob", hidden=True))
    await store_person(store, Player(ANN, "Ann"))
    assert await store.daily.board(GUILD, DAY) == [anns]
    assert await store.daily.result(BOB, THAI, DAY) == bobs


async def test_results_go_with_their_person_and_with_their_server(store: SqlStore) -> None:
    await end_daily(store, result(ANN))
    bobs = await end_daily(store, result(BOB, guild_id=7))
    assert (await store.privacy.dossier(ANN)).rows["daily_results"][0]["rounds"] == "x.w"
    await store.privacy.forget(ANN)
    assert await store.daily.of_deal(THAI, DAY, 9) == [bobs]
    await store_person(store, Player(BOB, "Bob"))
    await store.retention.purge_old(NOW * 2, 99)
    assert await store.daily.result(BOB, THAI, DAY) == bobs  # it outlives its match
    assert (await store.people.player(BOB)).name == "Bob"
    while (await store.retention.purge_guild(7, 99)).rows:
        pass
    assert await store.daily.result(BOB, THAI, DAY) is None
    assert (await store.people.player(BOB)).name is None


async def test_a_damaged_result_hides_no_other(store: SqlStore) -> None:
    anns = await end_daily(store, result(ANN))
    await end_daily(store, result(BOB))
    if store.is_shared:
        pytest.skip("PostgreSQL keeps its columns' types")
    async with transaction(store.database) as c:
        await c.execute(text(f"update daily_results set place = 'first' where player = {BOB}"))
    assert await store.daily.of_deal(THAI, DAY, 9) == [anns]
    assert await store.daily.board(GUILD, DAY) == [anns]
