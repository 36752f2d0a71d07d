"""Run the lobby: computer players, alerts for new tables, greetings and options.

The options are a private message for choosing rules, computer players and more. Each choice redraws
that message, and the lobby is redrawn too. Messages of earlier versions have these buttons on the
table's message, so there the answer redraws the table.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import Any, Final

import discord
import structlog

from bot.boards.board import Address, Board
from bot.boards.computer_players import ADD, LET, NEXT, TAKE
from bot.boards.lobby import in_thread_board, new_table_board, notifications_board, options_board
from bot.boards.seat import Notice
from bot.discord import answers
from bot.discord.answers import Interaction
from bot.discord.delivery.seats import Seats
from bot.discord.forms import open_form, options_form, read_chosen
from bot.discord.layout import board_view
from bot.discord.links import channel_link, message_link
from bot.discord.outcomes import NOT_TAKEN, NotYet, code_of, is_refused
from bot.discord.people import People
from bot.discord.posting import ThreadNotOpened, check_threads, has_threads
from bot.discord.press import (
    Press,
    ask_of_press,
    changed_fields,
    channel_of,
    is_moderator,
    table_of,
)
from bot.discord.router import on_form, on_press
from bot.discord.sending import only, open_thread, post_once
from bot.language.catalogues import N_, speaking, tr
from bot.recent import Recent
from bot.retry import RetryPolicy
from bot.roster import CHARACTERS
from bot.services.tables import Tables
from bot.storage.store import SqlStore
from bot.tables import errors, plans
from bot.tables.changes import Announcer
from bot.tables.live import LiveTable, may_manage
from bot.tables.model import Delivery, Status, Table
from bot.tables.requests import Ask
from bot.tables.scheduler import Clock
from bot.tables.table_options import TALK, language_of, options_of
from engine.ruleset import Options
from engine.variants import variant

log = structlog.get_logger(__name__)

A_MESSAGE: Final = 20  # people to ping in one message
REMEMBERED: Final = 4096  # messages with options to remember
RETRY: Final = RetryPolicy(first=0.5, longest=2.0, factor=4.0, retries=2)
NOTIFY_GAP: Final = 3_600_000  # milliseconds between two notifications in a channel
GREETING: Final = N_(
    "You're playing **{title}** in <#{channel}>. I'll send your cards here; **My seat** at the"
    " table shows them too."
)
DMS_CLOSED: Final = N_(
    "You're in. I can't send you direct messages, so press **My seat** at the table to see your"
    " cards. Only you'll see them."
)
Move = Callable[[Interaction, Awaitable[LiveTable]], Awaitable[LiveTable]]


class Lobby:
    """Greets players who join, and alerts people who asked for alerts about new tables."""

    def __init__(
        self,
        client: discord.Client,
        store: SqlStore,
        clock: Clock,
        tables: Tables,
        people: People,
        seats: Seats,
    ) -> None:
        self._client = client
        self._store = store
        self._clock = clock
        self._tables = tables
        self._people = people
        self._seats = seats

    async def open_seat(
        self, interaction: Interaction, live: LiveTable, *, reached: bool = True
    ) -> None:
        """Open a new player's seat; if not `reached`, say in it that direct messages are closed."""
        await self._seats.open(interaction, live, None if reached else Notice(tr(DMS_CLOSED)))

    async def greet(
        self, interaction: Interaction, live: LiveTable, *, again: bool = False
    ) -> bool:
        """Store a new player's name, and greet them if they get their cards by direct message.

        Return False if their direct messages are closed. `again`: the table is a rematch, so do
        nothing for a player whose name is stored already.
        """
        title = tr(variant(live.table.variant).title)
        text = tr(GREETING, title=title, channel=live.table.channel_id)

        async def send(channel: discord.abc.Messageable) -> None:
            await channel.send(text)

        try:
            if again and (await self._people.known(interaction.user.id)).name:
                return True
            await self._people.note_name(interaction.user.id, interaction.user.display_name)
            if not await self._people.wants_cards(interaction.user.id, live.table):
                return True
            sent = await self._people.write(interaction.user.id, send, again=True)
            return sent is not Delivery.CLOSED
        except NotYet:
            return True  # assume that they are open
        except errors.StoreUnavailable:
            log.warning("greeting: nobody greeted", table=live.table.id)
            return True

    async def choose_computer(self, press: Press, ask: Ask) -> LiveTable:
        """Carry out a choice from the menu of computer players; return the resulting table.

        Raises `MovedOn` for a forged press, and other kinds of `RefusedError`.
        """
        action, _, which = (press.values[0] if press.values else "").partition(".")
        table = press.address.table
        if press.choice == NEXT and not press.values:
            return await self._tables.change(table, ask, plans.add_computer, None)
        if action == ADD and which in CHARACTERS:
            return await self._tables.change(table, ask, plans.add_computer, which)
        if action == TAKE and re.fullmatch(r"-\d{1,6}", which, re.ASCII):
            return await self._tables.change(table, ask, plans.remove_computer, int(which))
        if action == LET and any(choice.value == which for choice in TALK.choices):
            return await self._tables.change(table, ask, plans.choose, {TALK.key: which})
        raise errors.MovedOn

    @on_press("tell")
    async def toggle_notifications(self, interaction: Interaction, press: Press) -> None:
        """Switch the asker's alerts for new tables in this channel on or off."""
        channel, player = channel_of(interaction), interaction.user.id

        async def toggle() -> bool:
            listens = player not in await self._store.servers.listeners(channel)
            await self._store.servers.note_listener(channel, player, listens=listens)
            return listens

        listens = await answers.in_time(interaction, toggle(), ephemeral=True)
        await self._answer(interaction, press, listens=listens)

    @on_press("hush")
    async def stop_notifications(self, interaction: Interaction, press: Press) -> None:
        """Stop the asker's alerts for this channel's tables."""
        channel = channel_of(interaction)
        stopped = self._store.servers.note_listener(channel, interaction.user.id, listens=False)
        await answers.in_time(interaction, stopped, ephemeral=True)
        await self._answer(interaction, press, listens=False)

    async def announce(self, live: LiveTable) -> None:
        """Announce a new table to people who asked for alerts in its channel, except its players.

        Notify at most once an hour in each channel, and ping only those people.
        """
        table = live.table
        try:
            people = await self._store.servers.listeners(table.channel_id)
            people = [player for player in people if player not in table.players]
            if not people or not await self._store.servers.may_notify(
                table.channel_id, self._clock.now(), NOTIFY_GAP
            ):
                return
        except errors.StoreUnavailable:
            log.warning("lobby: nobody told", table=table.id)
            return
        link = message_link((await self._tables.see(table.id)).table)
        channel = self._client.get_partial_messageable(table.channel_id)
        for start in range(0, len(people), A_MESSAGE):
            batch = people[start : start + A_MESSAGE]
            with speaking(language_of(table)):
                view = board_view(new_table_board(table, batch, link))
            send = partial(channel.send, view=view, allowed_mentions=only(batch))
            try:
                async with asyncio.timeout(answers.LATER_WITHIN):
                    await _patiently(partial(post_once, f"o{table.id}.{start}", send))
            except NOT_TAKEN as error:
                log.warning("lobby: not told", table=table.id, code=code_of(error))
                return

    async def _answer(self, interaction: Interaction, press: Press, *, listens: bool) -> None:
        board = notifications_board(Address(press.address.table), listens=listens)
        await answers.show_own(interaction, board)


async def _patiently(send: Callable[[], Awaitable[object]]) -> None:
    """Call `send`; retry a few times unless Discord refuses the message.

    Raises a refusal at once, and any other error of `NOT_TAKEN` at the last try.
    """
    for pause in RETRY.pauses():
        try:
            await send()
        except NOT_TAKEN as error:
            if is_refused(error):
                raise
            await asyncio.sleep(pause)
        else:
            return
    await send()


class OptionsHandlers(Announcer):
    """Answers *Options…* and its controls.

    `move` makes a change and redraws the table that was pressed. `leave_channel` replaces the old
    message of a table that has moved to a thread. When a lobby is over, the messages with its
    options are deleted.
    """

    def __init__(
        self, tables: Tables, lobby: Lobby, move: Move, leave_channel: Callable[[LiveTable], None]
    ) -> None:
        self._tables = tables
        self._lobby = lobby
        self._move = move
        self._leave_channel = leave_channel
        # by table and message: the newest press by whose token the message can be deleted
        self._open = Recent[tuple[int, int], Interaction](REMEMBERED)
        self._closing: set[asyncio.Task[None]] = set()  # deletions in progress

    def on_change(self, live: LiveTable, *, unseen: bool) -> None:
        """Delete a table's messages with options once it is no longer a lobby."""
        if live.table.status is Status.LOBBY:
            return
        for key in [key for key in self._open if key[0] == live.table.id]:
            self._do(_delete(self._open.pop(key)))

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        """Run `work` in the background."""
        task = asyncio.create_task(work, name="options")
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    @on_press("options")
    async def open(self, interaction: Interaction, press: Press) -> None:
        """Show the options. Raises `RefusedError`, such as `MovedOn` outside a lobby."""
        live = await self._see(interaction, press)
        board = self._board(interaction, live)
        message = await answers.show(interaction, board, ephemeral=True)
        if message is not None:
            self._open[live.table.id, message] = interaction

    async def show(self, interaction: Interaction, live: LiveTable) -> None:
        """Redraw the options."""
        await answers.redraw(interaction, self._board(interaction, live))
        if live.table.status is Status.LOBBY and interaction.message is not None:
            self._open[live.table.id, interaction.message.id] = interaction

    @on_press("rules", "pace", "messages")
    async def open_rules(self, interaction: Interaction, press: Press) -> None:
        """Open the form for house rules, or for time or messages.

        Raises `RefusedError`, such as `NotHost`.
        """
        if await self._is_over(interaction, press):
            return
        live = await self._see(interaction, press)
        may_manage(live.table, interaction.user.id, is_moderator(interaction))
        form = options_form(live.table.variant, live.table.options, press.verb, press.address)
        await open_form(interaction, form)

    @on_form("rules", "pace", "messages")
    async def submit_rules(self, interaction: Interaction, press: Press) -> None:
        """Set the options that were changed in the form."""
        submitted = changed_fields(interaction, press)

        def read(table: Table) -> Options:
            return read_chosen(options_of(table.variant), submitted)

        ask = ask_of_press(interaction, press)
        await self._change(
            interaction, self._tables.change(press.address.table, ask, plans.choose, read)
        )

    @on_press("computer")
    async def seat_computer(self, interaction: Interaction, press: Press) -> None:
        """Carry out a choice from the menu of computer players, such as seating another."""
        if await self._is_over(interaction, press):
            return
        changed = self._lobby.choose_computer(press, ask_of_press(interaction, press))
        await self._change(interaction, changed)

    @on_press("cancel")
    async def cancel(self, interaction: Interaction, press: Press) -> None:
        """Close the lobby."""
        if await self._is_over(interaction, press):
            return
        if interaction.message is not None:  # the answer redraws this message
            self._open.pop((press.address.table, interaction.message.id), None)
        ask = ask_of_press(interaction, press)
        await self._change(interaction, self._tables.change(press.address.table, ask, plans.cancel))

    @on_press("thread")
    async def play_in_thread(self, interaction: Interaction, press: Press) -> None:
        """Open a thread from the table's message, and move the table there.

        Raises `RefusedError`, such as `NotHost`, `NoThreads` or `ThreadNotOpened`.
        """
        if await self._is_over(interaction, press):
            return
        before = await self._see(interaction, press)
        may_manage(before.table, interaction.user.id, is_moderator(interaction))
        private = answers.is_private(interaction)
        if before.table.message_id is None or not private or not has_threads(interaction):
            raise errors.MovedOn
        check_threads(interaction)
        moving = self._move_to_thread(interaction, before.table, before.table.message_id)
        live = await answers.in_time(interaction, moving)
        await self.show(interaction, live)
        self._leave_channel(before)

    async def _move_to_thread(
        self, interaction: Interaction, table: Table, message_id: int
    ) -> LiveTable:
        with speaking(language_of(table)):
            name = tr(variant(table.variant).title)
        try:
            thread = await open_thread(
                interaction.client, table.guild_id, table.channel_id, message_id, name
            )
        except NOT_TAKEN as error:
            log.warning("lobby: no thread opened", table=table.id, code=code_of(error))
            raise ThreadNotOpened from error
        ask = Ask(interaction.user.id, interaction.id, moderator=is_moderator(interaction))
        return await self._tables.change(table.id, ask, plans.move, thread)

    async def _is_over(self, interaction: Interaction, press: Press) -> bool:
        """Return whether the lobby of these options is over; if so, show this in the message.

        Return False for a press on the table's own message.
        """
        if not answers.is_private(interaction):
            return False
        live = await table_of(self._tables, interaction, press)
        if live.table.status is not Status.LOBBY:
            await self.show(interaction, live)
            return True
        return False

    async def _change(self, interaction: Interaction, work: Awaitable[LiveTable]) -> None:
        if answers.is_private(interaction):
            await self.show(interaction, await answers.in_time(interaction, work))
        else:
            await self._move(interaction, work)

    async def _see(self, interaction: Interaction, press: Press) -> LiveTable:
        live = await table_of(self._tables, interaction, press)
        if live.table.status is not Status.LOBBY:
            raise errors.MovedOn
        return live

    def _board(self, interaction: Interaction, live: LiveTable) -> Board:
        player = interaction.user.id
        if live.table.channel_id != interaction.channel_id:
            return in_thread_board(live.table, channel_link(live.table))
        return options_board(
            live.table,
            player,
            manages=player == live.table.host_id or is_moderator(interaction),
            seats_computers=self._tables.seats_computers,
            has_threads=has_threads(interaction),
        )


async def _delete(interaction: Interaction) -> None:
    """Delete the message that answers an interaction, while its token is valid."""
    try:
        async with answers.limit(interaction):
            await interaction.delete_original_response()
    except NOT_TAKEN as error:
        log.info("lobby: options are left there", code=code_of(error))
