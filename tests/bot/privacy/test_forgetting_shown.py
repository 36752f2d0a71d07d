"""What people see when a person's data is deleted; servers that removed the bot."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.app import Bot
from bot.services.housekeeping import DAY
from bot.services.privacy import Privacy
from bot.tables import errors, plans
from bot.tables.errors import MaybeStored, StoreUnavailable
from tests.bot.conftest import Seat
from tests.bot.harness import StoppedClock, Table, running_bot, settings
from tests.bot.storage.asking import transaction
from tests.bot.stores import Between, Call
from tests.bot.tables.conftest import room as room
from tests.bot.tables.conftest import store as store
from tests.bot.tables.room import ANN, BOB, Room, ask
from tests.people import PATIENCE


def nothing_cached(player: int) -> None:
    """Do nothing, in place of dropping a cached player."""


class AwayAfterwards(Between):
    """A store that, once somebody is forgotten, raises `StoreUnavailable` for every snapshot."""

    away = False

    async def call(self, name: str, method: Call, *args: Any) -> Any:
        if self.away and name == "snapshot":
            raise StoreUnavailable("it does not answer")
        outcome = await method(*args)
        self.away = self.away or name == "forget"
        return outcome


async def test_a_forgotten_person_is_told_although_a_table_cannot_be_redrawn(
    room: Room,
) -> None:
    table = await room.match(ANN, BOB)
    await room.tables.change(table, ask(ANN), plans.forfeit)
    away: Any = AwayAfterwards(room.store)
    room.tables.runtime._store = away
    privacy = Privacy(
        away.privacy, room.tables, nothing_cached, rewriting_due=lambda: due.append(True)
    )
    due: list[bool] = []
    outcome = await privacy.forget(ANN)
    assert outcome is not None
    assert (outcome.matches, outcome.to_redraw) == (1, (table,))
    assert due == [True]  # the file is rewritten all the same


class Unanswered(Between):
    """A store that makes each change, then raises `MaybeStored` as after a lost connection."""

    async def call(self, name: str, method: Call, *args: Any) -> Any:
        await method(*args)
        raise MaybeStored("no answer to a commit")


async def test_a_person_who_may_have_been_forgotten_is_in_no_cache(room: Room) -> None:
    table = await room.match(ANN, BOB)
    await room.tables.change(table, ask(ANN), plans.forfeit)
    unanswered: Any = Unanswered(room.store)
    heard: list[object] = []
    privacy = Privacy(
        unanswered.privacy,
        room.tables,
        heard.append,
        rewriting_due=lambda: heard.append("file"),
    )
    with pytest.raises(errors.MaybeStored):
        await privacy.forget(ANN)
    assert heard == [ANN, "file"]


async def test_a_practice_that_is_damaged_keeps_nobody_from_being_forgotten(room: Room) -> None:
    live = await room.tables.open(ask(ANN), 0, -ANN, "thai_poker")
    async with transaction(room.store.database) as connection:
        await connection.exec_driver_sql("UPDATE tables SET votes = '['")
    privacy = Privacy(room.store.privacy, room.another(), nothing_cached)
    outcome = await privacy.forget(ANN)
    assert outcome is not None
    assert await room.store.tables.version_of(live.table.id) is None  # it is gone, wholly


async def test_an_export_has_every_line_of_a_match_that_can_be_read(room: Room) -> None:
    table = await room.match(ANN, BOB)
    match = (await room.tables.see(table)).table.match_id
    await room.tables.change(table, ask(ANN), plans.forfeit)
    async with transaction(room.store.database) as connection:
        await connection.exec_driver_sql("UPDATE actions SET body = 'torn' WHERE seq = 1")
    (personal_match,) = await room.store.privacy.personal_matches(ANN, [match or 0])
    assert personal_match.match is not None
    assert [line.seq for line in personal_match.match.actions] == [2]
    (reason,) = personal_match.unread
    assert "line 1 of match" in reason
    document = json.loads(
        await Privacy(room.store.privacy, room.tables, nothing_cached).export(ANN)
    )
    assert reason in json.dumps(document)


async def test_a_forgotten_person_is_told_although_their_table_is_gone(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await room.match(ANN, BOB)
    await room.tables.change(table, ask(ANN), plans.forfeit)

    async def gone(_: int) -> None:
        raise errors.NoTable

    monkeypatch.setattr(room.tables.runtime, "reload", gone)
    outcome = await Privacy(room.store.privacy, room.tables, nothing_cached).forget(ANN)
    assert outcome is not None
    assert outcome.to_redraw == (table,)


# -- which servers the bot is in: removed, invited, down for a while -------------------------------

THAI = "Thai Poker"


async def departed_servers(bot: Bot) -> set[int]:
    return set(await bot.housekeeping._store.departed_guilds())


async def known_as(bot: Bot, guilds: set[int]) -> None:
    """Wait until exactly these servers are stored as having removed the bot."""
    async with asyncio.timeout(PATIENCE):
        while await departed_servers(bot) != guilds:  # noqa: ASYNC110 - Discord's word signals nobody
            await asyncio.sleep(0.002)


async def open_table(at: Table) -> int:
    """Open a table; return its server's id."""
    await at.open(THAI)
    await at.settle()
    return int(at.channel.guild_id or 0)


async def test_a_removal_is_noted_a_return_cancels_it_and_an_outage_is_ignored(
    table: Seat,
) -> None:
    at = await table(1)
    snug, server = await open_table(at), at.world.server("The Snug")
    den = at.world.add_guild("The Den")
    elsewhere = at.elsewhere(den.add_text_channel("cards"))
    await elsewhere.open(THAI)
    server.take_down()
    den.remove_bot()  # heard of after the outage
    await known_as(at.bot, {int(den.id)})
    server.invite_bot()  # there again
    den.invite_bot()
    await known_as(at.bot, set())
    assert at.bot.client.get_guild(snug) is not None


async def test_a_removal_during_an_absence_is_found_and_an_outage_is_not_one(
    table: Seat, tmp_path: Path
) -> None:
    at = await table(1, serve=False)
    den = at.world.add_guild("The Den")
    clock = StoppedClock(at.world.clock.now())
    async with running_bot(at.world, settings(tmp_path), clock=clock) as bot:
        at = replace(at, bot=bot)
        snug = await open_table(at)
        await open_table(at.elsewhere(den.add_text_channel("cards")))
    den.remove_bot()
    at.world.server("The Snug").take_down()
    async with running_bot(at.world, settings(tmp_path), clock=clock) as bot:
        await known_as(bot, {int(den.id)})
        clock.at += 31 * DAY
        await bot.housekeeping.tidy()
        assert await bot.housekeeping._store.stored_guilds() == {snug}
        live = await bot.tables.in_channel(int(at.channel.id))
        assert live.table.guild_id == snug
