"""Create the handlers of presses, forms and commands.

To add a button, draw it on a board and mark the method that answers it (`router`), in one of the
classes that `Handlers` creates. To add a command, write a method in one of these classes that
derive from `Cog`. Its docstring is the description that Discord shows: where people want a noun
phrase that Ruff refuses ("The bids of ..."), end the line with `# noqa: D401`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import discord
from discord.app_commands import Command, ContextMenu, Group
from discord.ext.commands import Cog

from bot.computing.process import Computing
from bot.discord.delivery.delivery import TableDelivery
from bot.discord.fair_use import FairUse
from bot.discord.odds.commands import message_command, odds_group
from bot.discord.odds.handlers import OddsHandlers
from bot.discord.people import People
from bot.discord.replays.coach import Coach, MistakeHandlers
from bot.discord.replays.handlers import ReplayHandlers
from bot.discord.router import Router
from bot.discord.stats.handlers import DailyHandlers, StatsHandlers
from bot.discord.tables.handlers import TableHandlers
from bot.discord.tables.leaving import LeavingHandlers
from bot.discord.tables.lobby import Lobby, OptionsHandlers
from bot.discord.tables.looking_back import CuttingHandlers, LookingBack
from bot.discord.tables.nights import NightHandlers
from bot.discord.tables.practice import HelpHandlers, PracticeHandlers, Teaching
from bot.discord.tables.preferences import PreferenceHandlers, PrivacyHandlers
from bot.discord.tables.refusals import Refusals
from bot.discord.tables.seat_handlers import SeatHandlers
from bot.discord.tables.table_replies import TableReplies
from bot.discord.tables.turns import TurnsHandlers
from bot.services.archive import Archive
from bot.services.housekeeping import Housekeeping
from bot.services.tables import Tables
from bot.settings.schema import FairUseSettings
from bot.storage.store import SqlStore
from bot.tables.scheduler import Clock
from engine.variants import VARIANTS


class Handlers:
    """The handlers for everything that arrives from Discord."""

    def __init__(
        self,
        client: discord.Client,
        store: SqlStore,
        clock: Clock,
        tables: Tables,
        delivery: TableDelivery,
        people: People,
        computing: Computing,
        privacy: PrivacyHandlers,
        servers: Housekeeping,
        fair_use: FairUseSettings,
    ) -> None:
        seats, messages = delivery.seats, store.direct_messages
        archive, coach, teaching = Archive(store), Coach(computing), Teaching(tables, people)
        replies = TableReplies(delivery)
        seat = SeatHandlers(tables, seats, replies.barred_reason)
        self.delivery, self.people, self.servers = delivery, people, servers
        self.lobby = Lobby(client, store, clock, tables, people, seats)
        self.options = OptionsHandlers(
            tables, self.lobby, replies.move, delivery.tables.leave_channel
        )
        self.leaving = LeavingHandlers(tables)
        self.tables = TableHandlers(tables, delivery, self.lobby, seat, self.leaving, replies)
        self.preferences = PreferenceHandlers(tables, people)
        self.daily = DailyHandlers(tables, people, archive, coach)
        self.practice = PracticeHandlers(tables, seats, people, teaching, self.daily, computing)
        self.records = StatsHandlers(store.stats, people, clock, tables, self.daily)
        self.replays = ReplayHandlers(archive, people, coach)
        self.turns = TurnsHandlers(client, messages, clock, tables, people, delivery.direct_seats)
        self.nights = NightHandlers(client, store.nights, messages, clock, tables, delivery)
        self.helping = HelpHandlers(
            tables,
            {"play": self.tables.open, "practice": self.practice.begin},
            {
                "table": self.tables.repost,
                "records": self.records.own,
                "history": self.replays.history,
                "preferences": self.preferences.show_own,
            },
        )
        self.odds = OddsHandlers(tables, computing, store.named_ranges)
        self.refusals = Refusals(tables, delivery, seat)
        self._handlers = [
            *(self.practice, self.tables, self.leaving, self.helping, self.preferences),
            *(self.records, self.replays, self.turns, self.nights),
            *(seat, self.lobby, self.options, teaching, self.daily, privacy),
            *(LookingBack(tables, people), CuttingHandlers(tables, replies.move)),
            MistakeHandlers(store.mistakes, clock, archive, people, coach),
        ]
        self.router = Router(delivery, self.refusals.refuse_press, self._handlers)
        self.fair_use = FairUse(fair_use, self.router.looks)

    def commands(self) -> Iterator[Command[Any, ..., Any] | Group | ContextMenu]:
        """Yield the slash commands, and the command in a message's menu."""
        for handlers in self._handlers:
            if isinstance(handlers, Cog):
                yield from handlers.get_app_commands()
        yield odds_group(VARIANTS.values(), self.odds)
        yield message_command(self.odds)
