"""Databases that earlier versions left in the middle of a round: the buttons still work."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from benchmarks.reading import CARD
from bot.sandbox.clock import ManualClock
from bot.sandbox.world import Sandbox
from bot.storage.migrate import known_revisions
from bot.storage.store import SqlStore
from bot.tables.model import Status
from bot.tables.table_options import DIRECT_CARDS
from tests.bot.harness import Table, cut_with, running_bot, seat_names, settings
from tests.bot.practising import practise
from tests.fixtures.house import FOLDER, GAME, PLAYERS, kept_folders, reopen

pytestmark = pytest.mark.thorough

# what the button for one's own cards was called
MINE = {"schema_0001": "My cards"}
# what the button for a bid in words was called
TYPE = {f"schema_{number:04}": "Call…" for number in range(1, 11)}
DAILY = "Deal of the day: the same for everyone, one try"


def test_every_version_of_the_schema_has_a_kept_house() -> None:
    names = [folder.name for folder in kept_folders()]
    assert names == [f"schema_{revision}" for revision in known_revisions()], (
        "after a migration, keep a house of the new schema: python -m tests.fixtures.house"
    )


@pytest.mark.parametrize("folder", kept_folders(), ids=lambda folder: folder.name)
async def test_a_match_of_an_earlier_version_goes_on_by_the_buttons_on_the_screen(
    tmp_path: Path, unhurried: ManualClock, folder: Path
) -> None:
    world = Sandbox(unhurried)
    await world.start()
    reopened = await reopen(folder, world, tmp_path / "house.db")
    match = reopened.match
    drawn = match.message()
    assert "Round 2" in drawn.text
    async with running_bot(world, settings(tmp_path)) as bot:
        match.bot = reopened.lobby.bot = bot
        await match.settle()
        assert match.message().id == drawn.id  # drawn anew in place, by today's code
        bidder, standing = match.turn(), match.standing()
        # what used to show the cards opens the seat, and the seat has the pad
        await bidder.forge(drawn, drawn.button(MINE.get(folder.name, "My seat")))
        live = await match.live()
        assert live.match is not None
        assert live.match.round is not None
        dealt = live.match.round.hands[live.seat(int(bidder.id))]
        cards = CARD.findall(match.seat(bidder).text.partition("Next:")[0])
        assert set(cards) == {card.symbol for card in dealt}
        assert "Your turn" in match.seat(bidder).text

        # a form and a list, as the earlier version spelled them
        form = await bidder.forge(drawn, drawn.button(TYPE.get(folder.name, "Type…")))
        assert form.modal is not None
        select = drawn.select()
        out = await bidder.forge(drawn, select["custom_id"], [select["options"][0]["value"]])
        assert out.kind == "update"
        assert match.standing() != standing
        stale = await match.turn().forge(drawn, drawn.button("Challenge"))
        assert stale.text.startswith("The table has moved on.")

        await match.challenge(match.turn())
        assert "Round 2 · Showdown" in match.message().text
        await match.press("Next round")
        await match.call(match.turn())
        assert "Round 3" in match.message().text
        for person in match.people:
            await person.click(match.message(), "My seat")
        match.assert_no_leak()
        await deals_go_on(match)
        await practise(match.host, match.channel, GAME, against=DAILY)
        todays = await bot.tables.in_channel(-int(match.host.id))
        assert todays.table.daily_day == bot.tables.today()
        assert todays.match is not None
    await world.stop()


async def deals_go_on(match: Table) -> None:
    """Check the deals before and after the upgrade, and cut the next one."""
    await match.challenge(match.turn())
    table = (await match.live()).table
    for number in (2, 3):
        button = f"bh:seal:{table.id}:{table.match_id}:0:{number}"
        out = await match.host.forge(match.message(), button)
        assert f"Round {number} · Fair deal" in out.text
        assert "✔ Checked just now" in out.text
    await cut_with(match, match.host, "after the upgrade")
    await match.press("Next round")
    assert f"1. <@{match.host.id}> `after the upgrade`" in await match.check_deal(match.host)


@pytest.mark.parametrize("folder", kept_folders(), ids=lambda folder: folder.name)
async def test_a_lobby_of_an_earlier_version_fills_and_starts(
    tmp_path: Path, unhurried: ManualClock, folder: Path
) -> None:
    world = Sandbox(unhurried)
    await world.start()
    lobby = (await reopen(folder, world, tmp_path / "house.db")).lobby
    drawn = lobby.message()
    async with running_bot(world, settings(tmp_path)) as bot:
        lobby.bot = bot
        await lobby.settle()
        for person in lobby.people[1:]:
            assert (await person.forge(drawn, drawn.button("Join"))).kind == "update"
        assert seat_names(lobby) == list(PLAYERS)
        await lobby.press("Start")
        assert "Round 1" in lobby.message().text
        assert (await lobby.call(lobby.turn())).kind == "update"
    await world.stop()


async def test_tables_under_way_keep_the_clock_that_their_players_know(tmp_path: Path) -> None:
    """Check tables of schema 0001: turns last a day, or for ever in a match without a deadline."""
    database = tmp_path / "house.db"
    updated, deadline = 1_795_289_917_703, 1_795_376_317_703
    with closing(sqlite3.connect(database)) as file:
        file.executescript((FOLDER / "schema_0001" / "house.sql").read_text())
        (table,) = file.execute("select id from tables where status = 'playing'").fetchone()
        copied = "id, channel_id, deadline, deadline_kind, updated_at"
        others = "guild_id, host_id, status, variant, options, players, version, created_at"
        others += ", match_id, announced_seq"
        file.execute(
            f"insert into tables ({copied}, {others})"
            f" select 9, 99, {deadline}, 'turn', {updated}, {others} from tables where id = {table}"
        )
        file.commit()
    store = await SqlStore.open(f"sqlite:///{database}")
    live = {table.id: table for table in await store.tables.live()}
    await store.close()
    lobby = next(table for table in live.values() if table.status is Status.LOBBY)
    clocks = {table.id: table.options["turn_seconds"] for table in live.values()}
    assert clocks == {table: 0, 9: 86_400, lobby.id: 86_400}
    assert live[9].options["jokers"] == 2  # the other house rules are as they were
    assert (live[9].turn_since, live[9].turn_ends) == (updated, deadline)
    assert (live[table].turn_since, live[table].turn_ends) == (None, None)


async def test_tables_under_way_go_on_sending_cards_and_new_ones_do_not(tmp_path: Path) -> None:
    """Check old tables: before schema 0003 every table sent cards by direct message."""
    database = tmp_path / "house.db"
    with closing(sqlite3.connect(database)) as file:
        file.executescript((FOLDER / "schema_0002" / "house.sql").read_text())
    store = await SqlStore.open(f"sqlite:///{database}")
    live = await store.tables.live()
    await store.close()
    assert [table.options["letters"] for table in live] == ["yes", "yes"]
    assert all(table.options["jokers"] == 2 for table in live)
    assert DIRECT_CARDS.default == "no"
