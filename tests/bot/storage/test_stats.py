"""Stored records, on SQLite and PostgreSQL: updated when a match ends, and equal when rebuilt.

`tests/bot/stats/test_season.py` says how many random matches are played.
"""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Update, delete, select, text, update

from bot.from_settings import open_store
from bot.roster import nameless
from bot.settings.config import Settings
from bot.stats.folding import Book, PersonTotals, Scope
from bot.stats.standings import LeaderboardRank
from bot.storage import schema
from bot.storage.store import SqlStore
from bot.tables.errors import Stale
from bot.tables.model import Digest, Player
from tests.bot.stats.seasons import Played, counting, keep, simulate_matches
from tests.bot.storage.asking import transaction
from tests.bot.storage.conftest import both, wipe
from tests.bot.storage.moves import GUILD, NOW
from tests.bot.storage.persons import store_person
from tests.fixtures.house import FOLDER

ELSEWHERE = 77
ROWS = ("record_books", "seasons", "recorded_matches", "person_records", "pair_records")
EVERYTHING = Scope()
BEFORE = "0003"  # the schema before there were records


def steps_back() -> list[str]:
    """Return the SQL that drops every table and column that came after the schema `BEFORE`."""
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript((FOLDER / f"schema_{BEFORE}" / "house.sql").read_text())
        columns = {
            table.name: {row[1] for row in database.execute(f"PRAGMA table_info({table.name})")}
            for table in schema.metadata.sorted_tables
        }
    young = [name for name, known in columns.items() if not known]
    return [
        *(f"DROP TABLE {name}" for name in reversed(young)),
        *(
            f"ALTER TABLE {table.name} DROP COLUMN {column.name}"
            for table in schema.metadata.sorted_tables
            for column in table.c
            if table.name not in young and column.name not in columns[table.name]
        ),
    ]


async def rows(store: SqlStore) -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows of the tables in `ROWS`, by the table's name."""
    contents = {}
    async with transaction(store.database) as connection:
        for name in ROWS:
            table = schema.metadata.tables[name]
            query = select(table).order_by(*table.primary_key)
            contents[name] = [tuple(row) for row in await connection.execute(query)]
    return contents


async def play_seasons(store: SqlStore, matches: int) -> list[Played]:
    """Store `matches` random matches in one server, and a quarter as many in another.

    The first server has a second season from the middle on. Return the first server's matches.
    """
    matches_here = list(simulate_matches("kept", matches))
    matches_elsewhere = list(simulate_matches("elsewhere", matches // 4, ELSEWHERE))
    for number, match in enumerate(matches_here):
        if number == matches // 2:
            await store.stats.begin_season(GUILD, 1, "The second", match.match.started_at - 1)
        await keep(store, match)
        if number < len(matches_elsewhere):
            await keep(
                store,
                replace(
                    matches_elsewhere[number],
                    table=replace(matches_elsewhere[number].table, channel_id=10_000 + number),
                ),
            )
    return matches_here


@pytest.mark.long
async def test_a_rebuild_gives_the_same_rows_to_the_last_digit(
    store: SqlStore, pytestconfig: pytest.Config
) -> None:
    matches = 1000 if pytestconfig.getoption("--long") else 24
    await play_seasons(store, matches)
    before = await rows(store)
    assert len(before["person_records"]) > 30
    assert {row[1] for row in before["person_records"]} == {0, 1, 2}
    rebuilt = await store.rebuilding.rebuild(await store.rebuilding.servers_with_matches())
    assert await rows(store) == before
    assert (rebuilt.servers, rebuilt.won) == (2, matches + matches // 4)
    assert 0 < rebuilt.counted < rebuilt.won
    assert rebuilt.counted == len(before["recorded_matches"])

    # and where nothing is left but the logs and the seasons, the order of ends is enough
    async with transaction(store.database) as connection:
        for name in ("recorded_matches", "person_records", "pair_records"):
            await connection.execute(delete(schema.metadata.tables[name]))
        await connection.execute(update(schema.record_books).values(version=0))
    assert await store.rebuilding.outdated_guilds() == sorted([GUILD, ELSEWHERE])
    await store.rebuilding.rebuild(await store.rebuilding.outdated_guilds())
    assert await rows(store) == before
    assert await store.rebuilding.outdated_guilds() == []


async def test_rows_kept_match_by_match_are_those_of_a_book(store: SqlStore) -> None:
    played = list(simulate_matches("a book", 12))
    for match in played:
        await keep(store, match)
    book = Book.from_matches(
        (record, 1) for match in played if (record := match.record()) is not None
    )
    for scope, people in book.people.items():
        board = await store.stats.leaderboard(GUILD, scope, 0, 100)
        assert {row.player: row for row in board} == people
        for player, row in people.items():
            assert await store.stats.person(GUILD, scope, player) == row
            against = [
                pair for (opponent, _), pair in book.pairs[scope].items() if opponent == player
            ]
            best = max(
                against, key=lambda pair: (pair.ahead - pair.behind, pair.matches, -pair.other)
            )
            worst = min(
                against, key=lambda pair: (pair.ahead - pair.behind, -pair.matches, pair.other)
            )
            beats, beaten_by = await store.stats.rivals(GUILD, scope, player)
            assert beats == (best if best.ahead > best.behind else None)
            assert beaten_by == (worst if worst.ahead < worst.behind else None)


async def test_the_leaderboard_has_established_ratings_first(store: SqlStore) -> None:
    for match in simulate_matches("a board", 20):
        await keep(store, match)
    board = await store.stats.leaderboard(GUILD, EVERYTHING, 0, 100)
    assert {row.is_established for row in board} == {True, False}
    ordered = sorted(
        board, key=lambda row: (row.is_established, row.worth, row.player), reverse=True
    )
    assert board == ordered
    assert board != sorted(board, key=lambda row: row.worth, reverse=True)
    assert await store.stats.on_leaderboard(GUILD, EVERYTHING) == len(board)
    assert await store.stats.leaderboard(GUILD, EVERYTHING, 2, 3) == board[2:5]
    established = [row for row in board if row.is_established]
    for place, row in enumerate(board, start=1):
        expected = place if row.is_established else None
        assert await store.stats.rank(GUILD, EVERYTHING, row) == LeaderboardRank(
            expected, len(established)
        )
    assert await store.stats.leaderboard(ELSEWHERE, EVERYTHING, 0, 100) == []


async def everybodys_rivals(store: SqlStore, rows: list[PersonTotals]) -> set[int]:
    """Return everybody whom a player in `rows` has beaten the most, or has lost to the most."""
    each = [await store.stats.rivals(GUILD, EVERYTHING, row.player) for row in rows]
    return {rival.other for both in each for rival in both if rival is not None}


async def test_hidden_people_are_on_no_leaderboard_and_nobodys_rival(
    store: SqlStore,
) -> None:
    for match in simulate_matches("hidden", 30):
        await keep(store, match)
    board = await store.stats.leaderboard(GUILD, EVERYTHING, 0, 100)
    shy, *others = board
    assert shy.player in await everybodys_rivals(store, others)
    await store_person(store, Player(shy.player, "Shy", hidden=True))
    assert await store.stats.leaderboard(GUILD, EVERYTHING, 0, 100) == others
    assert await store.stats.on_leaderboard(GUILD, EVERYTHING) == len(others)
    first = next(row for row in others if row.is_established)
    assert (await store.stats.rank(GUILD, EVERYTHING, first)).place == 1
    last = min((row for row in board if row.is_established), key=lambda row: row.worth)
    await store_person(store, Player(last.player, "Shy too", hidden=True))
    rank = await store.stats.rank(GUILD, EVERYTHING, last)
    assert rank.place == rank.of, "the last of all, themselves among them"
    await store_person(store, Player(last.player, "Bold again"))
    assert shy.player not in await everybodys_rivals(store, others)
    await store_person(store, Player(shy.player, "Shy"))
    assert await store.stats.leaderboard(GUILD, EVERYTHING, 0, 100) == board


@pytest.mark.long
async def test_a_deletion_leaves_records_as_a_rebuild_would_make_them(store: SqlStore) -> None:
    await play_seasons(store, 24)
    gone, *others = await store.stats.leaderboard(GUILD, EVERYTHING, 0, 100)
    forgotten = await store.privacy.forget(gone.player)
    assert forgotten is not None
    board = await store.stats.leaderboard(GUILD, EVERYTHING, 0, 100)
    assert [row.player for row in board] == [row.player for row in others]
    before = await rows(store)
    assert str(gone.player) not in str(before)
    assert str(nameless(1)) in str(before)
    await store.rebuilding.rebuild(await store.rebuilding.servers_with_matches())
    assert await rows(store) == before


@pytest.mark.thorough
async def test_records_and_hiding_outlive_old_matches(
    store: SqlStore,
) -> None:
    for match in simulate_matches("old ones", 16):
        await keep(store, match)
    shy, bold, middle, *_ = await store.stats.leaderboard(GUILD, EVERYTHING, 0, 100)
    await store_person(store, Player(shy.player, "Shy", hidden=True))
    await store_person(store, Player(bold.player, "Bold"))
    await store_person(store, Player(middle.player, "Told"))
    await store.direct_messages.keep_digest(middle.player, Digest(middle.player, 600, "UTC", 2**50))
    before = await store.stats.leaderboard(GUILD, EVERYTHING, 0, 100)
    while (await store.retention.purge_old(2**50, 20)).rows:
        pass
    assert await store.rebuilding.servers_with_matches() == [GUILD], (
        "by its records: no match is left"
    )
    assert await store.stats.leaderboard(GUILD, EVERYTHING, 0, 100) == before
    known = await store.people.players((shy.player, bold.player))
    assert known[shy.player] == Player(shy.player, "Shy", hidden=True)
    assert known[bold.player].name == "Bold"
    unmet = set((await store.retention.purge_guild(GUILD, 20)).unmet)
    assert {shy.player, bold.player} <= unmet
    assert (await store.people.player(bold.player)).name is None
    assert middle.player not in unmet, "they are still sent a digest"
    assert (await store.people.player(middle.player)).name == "Told"


async def test_an_export_has_each_rival_once(store: SqlStore) -> None:
    for match in simulate_matches("rivals", 6):
        await keep(store, match)
    first, *_ = await store.stats.leaderboard(GUILD, EVERYTHING, 0, 100)
    pairs = (await store.privacy.dossier(first.player)).rows["pair_records"]
    assert pairs
    assert {pair["player"] for pair in pairs} == {first.player}


@pytest.mark.thorough
async def test_a_new_season_begins_afresh_and_the_old_one_stays(store: SqlStore) -> None:
    assert await store.stats.seasons(GUILD) == []
    with pytest.raises(Stale):
        await store.stats.begin_season(GUILD, 1, "too early", NOW)
    first, *others = counting("two seasons", 12)
    await keep(store, first)
    before = await store.stats.leaderboard(GUILD, Scope(1), 0, 9)
    begun = await store.stats.begin_season(GUILD, 1, "2027", NOW)
    assert (begun.number, begun.name) == (2, "2027")
    with pytest.raises(Stale):
        await store.stats.begin_season(GUILD, 1, "twice", NOW)
    for match in others:
        await keep(store, match)
    assert await store.stats.leaderboard(GUILD, Scope(1), 0, 9) == before
    seasons = await store.stats.seasons(GUILD)
    assert [(season.number, season.name) for season in seasons] == [(2, "2027"), (1, "Season 1")]
    assert [season.matches for season in seasons] == [len(others), 1]
    rated = await store.stats.leaderboard(GUILD, Scope(2), 0, 9)
    alone = Book.from_matches(
        (record, 2) for match in others if (record := match.record()) is not None
    )
    assert {row.player: row for row in rated} == alone.people[Scope(2)]


@pytest.mark.thorough
@both
async def test_matches_that_end_at_the_same_time_are_recorded_one_after_another(
    store: SqlStore,
) -> None:
    played = list(simulate_matches("at once", 8))
    counted = sum(match.record() is not None for match in played)
    await asyncio.gather(*(keep(store, match) for match in played))
    before = await rows(store)
    assert [row[1] for row in before["recorded_matches"]] == list(range(1, counted + 1))
    await store.rebuilding.rebuild([GUILD])
    assert await rows(store) == before


@pytest.mark.thorough
async def test_a_match_that_could_not_be_read_takes_its_place_when_records_are_rebuilt(
    store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = counting("unread", 7)
    for number, match in enumerate(played):
        with monkeypatch.context() as patched:
            if number == 2:
                patched.setattr("bot.tables.recording.read_match", _fails)
            await keep(store, match)  # the match ends all the same
    assert (await store.stats.seasons(GUILD))[0].matches == len(played) - 1
    await store.rebuilding.rebuild([GUILD])
    book = Book.from_matches(
        (record, 1) for match in played if (record := match.record()) is not None
    )
    board = await store.stats.leaderboard(GUILD, EVERYTHING, 0, 99)
    assert {row.player: row for row in board} == book.people[EVERYTHING]


@pytest.mark.thorough
@pytest.mark.parametrize(
    "spoilt",
    [
        update(schema.actions).where(schema.actions.c.seq == 2).values(body={"v": 1, "kind": "x"}),
        update(schema.matches).values(ended_at=None),  # beside others that do say when they ended
    ],
    ids=["its log", "its end"],
)
async def test_a_damaged_match_hides_nobody_elses_records(store: SqlStore, spoilt: Update) -> None:
    played = counting("damaged", 5)
    for match in played:
        await keep(store, match)
    async with transaction(store.database) as connection:
        first = (
            await connection.execute(text("SELECT min(match_id) FROM recorded_matches"))
        ).scalar_one()
        of = "match_id" if spoilt.table is schema.actions else "id"
        await connection.execute(spoilt.where(spoilt.table.c[of] == first))
    rebuilt = await store.rebuilding.rebuild([GUILD])
    assert (rebuilt.counted, len(rebuilt.damaged)) == (len(played) - 1, 1)


@pytest.mark.thorough
@pytest.mark.parametrize("purged", [False, True], ids=["with every log", "with some logs gone"])
async def test_a_damaged_record_loses_nothing_that_cannot_be_rebuilt(
    store: SqlStore, *, purged: bool
) -> None:
    played = counting("damaged records", 6)
    for match in played[:5]:
        await keep(store, match)
    if purged:
        await store.retention.purge_old(2**53, 2)
    last = played[5]
    record = last.record()
    assert record is not None
    hurt = record.people[0].player
    async with transaction(store.database) as connection:
        spoilt = text("UPDATE person_records SET mu = :mu WHERE player = :hurt")
        await connection.execute(spoilt, {"mu": float("inf"), "hurt": hurt})
    await keep(store, last)
    await store.rebuilding.rebuild(await store.rebuilding.outdated_guilds())  # as at a start
    book = Book.from_matches(
        (record, 1) for match in played if (record := match.record()) is not None
    )
    counted = {person.player: person.matches for person in book.people[EVERYTHING].values()}
    if purged:
        del counted[hurt]  # for the host to mend
    board = await store.stats.leaderboard(GUILD, EVERYTHING, 0, 99)
    assert {row.player: row.matches for row in board} == counted


@pytest.mark.thorough
@both
async def test_matches_from_before_there_were_records_are_counted_at_the_first_start(
    address: str,
) -> None:
    if address.startswith("postgresql"):
        await wipe(address)  # its schema goes a step back below
    store = await SqlStore.open(address)
    for match in simulate_matches("long ago", 10):
        await keep(store, match)
    before = await rows(store)
    async with transaction(store.database) as connection:
        for step in steps_back():
            await connection.execute(text(step))
        await connection.execute(text(f"UPDATE alembic_version SET version_num = '{BEFORE}'"))
    await store.close()
    settings = Settings.model_validate(
        {
            "database": {"url": address}
            if address.startswith("postgresql")
            else {"path": path_of(address)}
        }
    )
    async with open_store(settings) as again:
        assert again.migrated.before == BEFORE
        after = await rows(again)
    began = "seasons"  # the season's beginning is the first match's end, as it was
    assert after[began] == before[began]
    assert after == before


def path_of(address: str) -> str:
    return address.removeprefix("sqlite:///")


def _fails(*_: object) -> PersonTotals:
    raise RuntimeError("a mistake in the code")
