"""Connect what shows a table: its message, private seats, direct messages and reminders."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

import discord

from bot.discord.delivery.boards import Boards
from bot.discord.delivery.budget import TableTokens
from bot.discord.delivery.checkpoint import RenderCheckpoint
from bot.discord.delivery.direct_seats import DirectSeats
from bot.discord.delivery.driver import Driver
from bot.discord.delivery.reminders import Reminders
from bot.discord.delivery.seats import SeatPlace, Seats
from bot.discord.delivery.tables import TableMessages
from bot.discord.pacing import ByChannel, Pace
from bot.discord.people import People
from bot.discord.redraw_queue import RedrawQueue
from bot.services.tables import Tables
from bot.storage.store import SqlStore
from bot.tables.changes import Announcer
from bot.tables.live import LiveTable
from bot.tables.turns import turn_of
from engine.state import Phase


class TableDelivery(Announcer):
    """Updates everything that shows a table when the table changes.

    `bot_budget` counts the bot's own requests, `token_budgets` those by each channel's tokens.
    `is_loading`: as for `Boards`.
    """

    def __init__(
        self,
        client: discord.Client,
        store: SqlStore,
        people: People,
        tables: Tables,
        bot_budget: Pace,
        token_budgets: ByChannel,
        is_loading: Callable[[], bool],
    ) -> None:
        self._driver = driver = Driver(RedrawQueue())
        self.boards = Boards(store, people, tables, is_loading)
        self.tokens = TableTokens(bot_budget, token_budgets)
        self.checkpoint = RenderCheckpoint(store)
        self.tables = TableMessages(
            client,
            tables,
            driver,
            self.boards,
            self.tokens,
            self.checkpoint,
            on_posted=lambda live: self.seats.update(live),  # they come below it
            on_rest=self._show_reminder,
            found_reminders=lambda live, messages: self.reminders.update(live, messages),
        )
        self.direct_seats = DirectSeats(
            client, store, tables, people, driver, self.boards, self.tables.redraw
        )
        self.seats = Seats(
            tables,
            driver,
            self.boards,
            self.direct_seats,
            token_budgets,
            self.tables.is_barred,
            awaits_reminder=lambda live: self.reminders.is_awaited(live),
        )
        self.reminders = Reminders(
            client, people, tables, driver, self.seats, self.direct_seats, self.seats.update
        )
        self._drawing: set[asyncio.Task[None]] = set()
        self._turns: dict[int, object] = {}  # by table, its latest turn
        self._unshown = deque[LiveTable]()  # changes that seats and reminders have not handled yet

    def on_plan(self, live: LiveTable) -> None:
        """Start drawing the showdown's picture if a planned move ends the round. Skip practices."""
        if live.match is None or live.match.phase is Phase.BIDDING or live.table.is_practice:
            return
        if live.needs_new_message:
            task = asyncio.create_task(self.boards.draw_ahead(live), name="draw-ahead")
            self._drawing.add(task)
            task.add_done_callback(self._drawing.discard)

    def on_change(self, live: LiveTable, *, unseen: bool) -> None:
        """Show a table's latest state. `unseen`: the table's message needn't show the change."""
        if live.table.is_practice:  # it has no public message
            self.seats.update(live)
            return
        self.tables.update(live, unseen=unseen)
        # The answer to whoever made the change goes out before this is worked out: aiohttp writes
        # it in a task of its own, which gets a round of the loop.
        self._unshown.append(live)
        loop = asyncio.get_running_loop()
        loop.call_soon(loop.call_soon, self._show_privately)

    def _show_privately(self) -> None:
        while self._unshown:
            live = self._unshown.popleft()
            self._begin_turn(live)
            self.seats.update(live)
            self.direct_seats.update(live)
            if not self.tables.is_busy(live.table.id):
                self.reminders.update(live)

    async def resume(self, live: LiveTable, *, up_to_date: bool) -> None:
        """Show a table after a start, and send its unsent cards; do nothing for a practice.

        `up_to_date`: the table's message needs no redraw.
        """
        if live.table.is_practice:
            return
        if live.table.status.live:
            self.direct_seats.update(live)
        # the player in turn was notified before the restart
        self._turns[live.table.id] = turn_of(live.match)
        await self.tables.resume(live, up_to_date=up_to_date)

    async def settle(self) -> None:
        """Wait until every message is up to date or waits for a retry."""
        while self._unshown or self._driver.is_busy:
            self._show_privately()
            await self._driver.settle()

    async def settle_without_seats(self) -> None:
        """Wait as `settle` does, but not for seats in channels: Discord's limits may delay them."""
        self._show_privately()
        await self._driver.settle(but=SeatPlace.kind)

    def close(self) -> None:
        """Send nothing more, and stop checking for chat below tables."""
        self.tables.close()
        self._driver.close()

    def _show_reminder(self, live: LiveTable) -> None:
        """Update a table's reminder, and its seats too if the bot may not post in the channel."""
        # no new message will come, so seats needn't wait for one
        if self.tables.is_barred(live.table.id):
            self.seats.update(live)
        self.reminders.update(live)

    def _begin_turn(self, live: LiveTable) -> None:
        number, turn = live.table.id, turn_of(live.match)
        if self._turns.get(number) != turn:
            self._turns[number] = turn
            self.reminders.begin_turn(live)
            if turn is not None:
                self.tables.begin_turn(live)
        if not live.table.status.live:
            self._turns.pop(number, None)
