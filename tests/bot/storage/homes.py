"""Fill a store with two similar servers: damage in one must not affect people in the other."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from bot.services.tables import Tables
from bot.storage.daily import note_daily
from bot.storage.store import SqlStore
from bot.tables import plans
from bot.tables.live import LiveTable
from bot.tables.model import DailyResult, Digest, Player, Table
from bot.tables.nights import Night, sign_up
from tests.bot.storage.persons import store_person
from tests.bot.tables.room import FakeClock, Shown, ask, tables_over

NOBODY: Final = 81_384_788_765_712_000  # asked to be forgotten before


@dataclass
class Home:
    """A server with its people, tables, matches and nights."""

    number: int
    matches: list[int] = field(default_factory=list)  # the last one goes on
    tables: list[Table] = field(default_factory=list)
    nights: list[int] = field(default_factory=list)

    @property
    def guild(self) -> int:
        return 900_000_000_000_000_000 + self.number

    @property
    def application(self) -> int:
        return 800_000_000_000_000_000 + self.number

    @property
    def gone(self) -> int:
        """Return the id of a server that removed the bot."""
        return 700_000_000_000_000_000 + self.number

    @property
    def people(self) -> tuple[int, ...]:
        """Return four people's ids; the first two have no seat at a live table."""
        return tuple(100_000_000_000_000_000 * (self.number + 1) + n for n in range(4))

    def channel(self, number: int) -> int:
        return 600_000_000_000_000_000 + 100 * self.number + number

    @property
    def day(self) -> int:
        """Return the day whose deal everybody has played, as the ordinal of a date."""
        return 739_580 + self.number

    def result(self, player: int) -> DailyResult:
        """Return a player's result in the deal of the day."""
        match = self.matches[0]
        return DailyResult(player, "thai_poker", self.day, 1, self.guild, match, 2, "x.w", 0.25)

    def table(self, status: str) -> Table:
        return next(table for table in self.tables if table.status == status)


SOUND, DAMAGED = 1, 2


async def furnish(store: SqlStore) -> tuple[Home, Home]:
    """Fill every table of an empty database with data of two servers; return both.

    Tests damage the second.
    """
    homes = Home(SOUND), Home(DAMAGED)
    await store.servers.note_listener(homes[0].channel(9), NOBODY, listens=True)
    await store.privacy.forget(NOBODY)
    for home in homes:
        tables = tables_over(store, FakeClock(), Shown())
        first, second, third, fourth = home.people
        for number, player in enumerate(home.people):
            await store_person(store, Player(player, f"Person {number}", True, {"deck": "two"}))
        for channel in (0, 1):
            live = await _dealt(tables, home, channel, first, second)
            live = await _round(tables, live)
            home.matches.append(live.table.match_id or 0)
            over = await tables.change(live.table.id, ask(second), plans.forfeit)
            home.tables.append(over.table)
        live = await _dealt(tables, home, 2, third, fourth)
        home.matches.append(live.table.match_id or 0)
        lobby = await tables.open(ask(third), home.guild, home.channel(3), "thai_poker")
        home.tables += [
            live.table,
            (await tables.change(lobby.table.id, ask(third), plans.cut, "a word")).table,
        ]
        night = Night(
            0, home.guild, home.channel(0), fourth, "thai_poker", 4, 1200, "UTC", True, "en", 90, 80
        )
        night = await store.nights.add(night)
        await store.nights.change(night.id, partial(sign_up, player=third))
        home.nights.append(night.id)
        for player in home.people:
            await store.servers.note_listener(home.channel(0), player, listens=True)
            await store.direct_messages.keep_digest(
                player, Digest(player, 480, "Europe/Warsaw", 50)
            )
            await store.direct_messages.may_remind(player, "a reminder", 1, 2, 1000)
            await store.named_ranges.keep(player, "btn", "22+, A2s+", 9)
            await store.database.write(note_daily, home.result(player))
            await store.mistakes.note_looked_through(player, home.matches[0], [2], 5)
        await store.servers.may_notify(home.channel(0), 1, 1000)
        await store.servers.note_guild_options(home.guild, "thai_poker", {"pings": "never"})
        await store.retention.note_departed([home.gone], 5)
        await store.servers.note_registered(home.application, "digest")
        for player in home.people[:2]:
            deal = DailyResult(player, "thai_poker", home.day, 1, home.guild, 1, 2, "x.w", 0.25)
            await store.database.write(note_daily, deal)
            await store.mistakes.note_looked_through(player, home.matches[0], [2], 1)
        await store.stats.begin_season(home.guild, 1, "The second", 7)
    return homes


async def _dealt(tables: Tables, home: Home, channel: int, *players: int) -> LiveTable:
    opened = await tables.open(ask(players[0]), home.guild, home.channel(channel), "thai_poker")
    number = opened.table.id
    await tables.change(number, ask(players[1]), plans.join)
    await tables.change(number, ask(players[0]), plans.choose, {"pings": "never", "letters": "yes"})
    await tables.change(number, ask(players[0]), plans.cut, "words of the first")
    return await tables.change(number, ask(players[0]), plans.start)


async def _round(tables: Tables, live: LiveTable) -> LiveTable:
    """Play a bid and its challenge, so that highlights can be recorded."""
    for _ in range(2):
        assert live.match is not None
        assert live.match.round is not None
        turn = live.match.seats[live.match.round.turn].player
        if live.match.round.standing is None:
            live = await tables.change(live.table.id, ask(turn), plans.bid, "pair:9")
        else:
            live = await tables.change(live.table.id, ask(turn), plans.challenge)
    return live


def of(home: Home, rows: Any) -> list[Any]:
    """Return the `rows` that belong to `home`: tables, ids of tables, or ids of servers."""
    ours = {table.id for table in home.tables} | {home.guild, home.gone}
    return [row for row in rows if (row.id if isinstance(row, Table) else row) in ours]
