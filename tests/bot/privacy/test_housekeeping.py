"""Automatic deletion: old matches, and servers that removed the bot."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select, update

from bot.services import housekeeping
from bot.services.housekeeping import DAY, Housekeeping, Keeping
from bot.services.tables import Tables
from bot.storage import schema
from bot.storage.store import SqlStore
from bot.tables.changes import Changes
from bot.tables.model import Change, Ending, MatchStatus, Player, PlayerResult, Status, Table
from bot.tables.requests import Limits
from tests.bot.storage.asking import transaction
from tests.bot.storage.moves import ANN, BOB, CHANNEL, CLEO, NOW, lobby, move, next_version, playing
from tests.bot.storage.persons import store_person
from tests.bot.tables.conftest import store as store

SNUG, DEN = 2**60 + 1, 2**60 + 2
LIMITS = Limits(next_round=15_000, lobby=None, turn_seconds=0, tables_per_guild=9)


class HousekeptStore:
    """Housekeeping over a store, with its own clock; `forgotten` lists the people it deleted."""

    def __init__(self, store: SqlStore, matches: int | None = None) -> None:
        self.store, self.time, self.forgotten = store, NOW, list[int]()
        tables = Tables(store, self, Changes(), LIMITS, lambda: bytes(32))
        keeping = Keeping(matches, 30)
        self.keeps = Housekeeping(store.retention, tables, self, keeping, self.forgotten.append)

    def now(self) -> int:
        return self.time

    async def after(self, days: float) -> None:
        """Let this many days pass, then tidy up."""
        self.time += int(days * DAY)
        await self.keeps.tidy()

    async def row_counts(self) -> dict[str, int]:
        """Return the number of rows of each table that has any."""
        async with transaction(self.store.database) as connection:
            rows = {
                table.name: len((await connection.execute(select(table))).all())
                for table in schema.metadata.sorted_tables
            }
        return {name: many for name, many in rows.items() if many}


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make housekeeping run without pauses, two items at a time."""
    monkeypatch.setattr(housekeeping, "PAUSE", 0)
    monkeypatch.setattr(housekeeping, "AT_ONCE", 2)  # so that there are several parts


async def finish_match(
    store: SqlStore, people: tuple[int, int] = (ANN, BOB), **kwargs: Any
) -> Table:
    """Store a match that is over, at a closed table; return the table."""
    table = await playing(store, players=people, host_id=people[0], **kwargs)
    won = Ending(
        MatchStatus.WON, tuple(PlayerResult(person, n, 3) for n, person in enumerate(people, 1))
    )
    over = replace(move(table, 2), ending=won)
    return await store.tables.commit(replace(over, table=next_version(table, status=Status.CLOSED)))


async def furnish(store: SqlStore) -> None:
    """Store two servers with matches, settings and listeners; Cleo has played in SNUG only."""
    for player in (Player(ANN, "Ann"), Player(BOB, "Bob"), Player(CLEO, "Cleo")):
        await store_person(store, player)
    for guild, channel, people in ((SNUG, 5, (ANN, CLEO)), (DEN, 6, (ANN, BOB))):
        for _ in range(3):
            await finish_match(store, people, guild_id=guild, channel_id=channel)
        await store.servers.note_listener(channel, people[1], listens=True)
        assert await store.servers.may_notify(channel, NOW, 1)
        await store.servers.note_guild_options(guild, "liars_poker", {"jokers": 0})


# -- servers --------------------------------------------------------------------------------------


@pytest.mark.long
async def test_a_servers_data_goes_some_days_after_the_bot_was_removed(store: SqlStore) -> None:
    await furnish(store)
    housekept = HousekeptStore(store)
    await housekept.keeps.note_present((SNUG, DEN))
    before = await housekept.row_counts()
    await housekept.keeps.note_left(SNUG)
    await housekept.after(29.9)
    assert await housekept.row_counts() == before | {"departed_guilds": 1}
    await housekept.after(0.2)
    counts = await housekept.row_counts()
    assert counts == {name: many // 2 for name, many in before.items() if name != "players"} | {
        "players": 2
    }
    assert await store.retention.stored_guilds() == {DEN}
    assert housekept.forgotten == [CLEO]
    assert (await store.people.player(CLEO)).name is None


async def test_a_removal_while_the_bot_was_away_is_found_when_it_is_back(store: SqlStore) -> None:
    await furnish(store)
    housekept = HousekeptStore(store)
    await housekept.keeps.note_present((DEN,))
    assert await store.retention.departed_guilds() == {SNUG: NOW}
    housekept.time += DAY
    await housekept.keeps.note_present((DEN,))  # another start: the days count from the first
    assert await store.retention.departed_guilds() == {SNUG: NOW}
    await housekept.after(28.9)
    assert await store.retention.stored_guilds() == {SNUG, DEN}
    await housekept.after(0.2)
    assert await store.retention.stored_guilds() == {DEN}


async def test_a_bot_that_is_added_again_in_time_cancels_the_deletion(store: SqlStore) -> None:
    await furnish(store)
    housekept = HousekeptStore(store)
    await housekept.keeps.note_present((SNUG, DEN))
    await housekept.keeps.note_left(SNUG)
    await housekept.after(20)
    await housekept.keeps.note_joined(SNUG)
    assert await store.retention.departed_guilds() == {}
    await housekept.keeps.note_left(SNUG)
    await housekept.after(20)
    await housekept.keeps.note_present((SNUG, DEN))  # invited again while the bot was away
    await housekept.after(40)
    assert await store.retention.stored_guilds() == {SNUG, DEN}


async def test_a_server_that_is_listed_is_never_deleted(store: SqlStore) -> None:
    """Store a listed server as one that removed the bot, as another process may by mistake."""
    await furnish(store)
    housekept = HousekeptStore(store)
    await store.retention.note_departed((SNUG,), NOW - 99 * DAY)
    await housekept.keeps.tidy()  # nobody knows yet where the bot is
    assert await store.retention.stored_guilds() == {SNUG, DEN}
    housekept.keeps._present = frozenset((SNUG, DEN))
    await housekept.keeps.tidy()
    assert await store.retention.stored_guilds() == {SNUG, DEN}


async def test_a_live_table_of_a_server_that_is_gone_is_ended_first(store: SqlStore) -> None:
    opened = await store.tables.open(lobby(guild_id=SNUG), None)
    housekept = HousekeptStore(store)
    await housekept.keeps.note_present(())
    await housekept.after(31)
    assert await housekept.row_counts() == {}
    assert await store.tables.snapshot(opened.id) is None


async def test_a_server_without_data_is_not_remembered(store: SqlStore) -> None:
    housekept = HousekeptStore(store)
    await housekept.keeps.note_left(SNUG)
    assert await housekept.row_counts() == {}


# -- old matches ----------------------------------------------------------------------------------


async def test_matches_are_kept_for_ever_unless_the_house_says_otherwise(store: SqlStore) -> None:
    await furnish(store)
    housekept = HousekeptStore(store)
    before = await housekept.row_counts()
    await housekept.after(9999)
    assert await housekept.row_counts() == before


async def test_old_matches_go_with_their_tables_and_people_met_nowhere_else(
    store: SqlStore,
) -> None:
    await furnish(store)
    housekept = HousekeptStore(store, matches=10)
    await housekept.after(9)
    assert (await housekept.row_counts())["matches"] == 6
    async with transaction(store.database) as connection:  # the Den played yesterday
        recent = select(schema.tables.c.id).where(schema.tables.c.guild_id == DEN)
        await connection.execute(
            update(schema.matches)
            .where(schema.matches.c.table_id.in_(recent))
            .values(ended_at=housekept.time)
        )
    await store.servers.note_listener(5, CLEO, listens=False)
    await housekept.after(2)
    counts = await housekept.row_counts()
    assert (counts["matches"], counts["tables"], counts["players"]) == (3, 3, 2)
    assert counts["guild_settings"] == 2  # a server's own choices stay
    assert housekept.forgotten == [CLEO]


async def test_a_match_under_way_and_a_table_in_use_stay(store: SqlStore) -> None:
    await playing(store, channel_id=1)
    await store.tables.open(lobby(channel_id=2), None)
    table = await playing(store, channel_id=3)
    ending = Ending(MatchStatus.WON, (PlayerResult(ANN, 1, 1), PlayerResult(BOB, 2, 1)))
    table = await store.tables.commit(
        Change(next_version(table, status=Status.FINISHED), ending=ending)
    )
    # somebody has pressed something there since
    table = await store.tables.commit(
        Change(replace(next_version(table, waiting=(CLEO,)), updated_at=NOW + 30 * DAY))
    )
    housekept = HousekeptStore(store, matches=10)
    await housekept.after(30)
    counts = await housekept.row_counts()
    assert (counts["tables"], counts["matches"]) == (3, 2)


async def test_practice_matches_go_too(store: SqlStore) -> None:
    await finish_match(store, (ANN, -101), channel_id=-ANN, guild_id=0)
    housekept = HousekeptStore(store, matches=1)
    await housekept.after(2)
    assert await housekept.row_counts() == {}


async def test_deletions_are_made_in_batches(
    store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    await furnish(store)
    parts: list[int] = []
    purge = store.retention.purge_old

    async def purge_and_count(before: int, most: int) -> Any:
        deleted = await purge(before, most)
        parts.append(deleted.rows)
        return deleted

    monkeypatch.setattr(store.retention, "purge_old", purge_and_count)
    housekept = HousekeptStore(store, matches=1)
    await housekept.after(2)
    assert parts == [2, 2, 2, 2, 2, 2, 0]  # six matches, six tables


async def test_a_listener_is_stored_with_the_server_of_the_channel(
    store: SqlStore,
) -> None:
    await store.tables.open(lobby(guild_id=SNUG), None)
    await store.servers.note_listener(CHANNEL, CLEO, listens=True)
    async with transaction(store.database) as connection:
        listeners = await connection.execute(select(schema.listeners.c.guild_id))
        assert list(listeners.scalars()) == [SNUG]
