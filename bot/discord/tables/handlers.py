"""Answer presses, forms and commands about a table, each exactly once.

Handlers parse, call `bot.tables` and reply. A move is answered by redrawing the message it came
from: one request. A refusal is one ephemeral sentence, and changes nothing.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from itertools import cycle, islice
from typing import Final

import discord
import structlog

from bot.boards.lobby import latecomer_board
from bot.computing.process import Computing
from bot.discord import answers
from bot.discord.answers import Interaction
from bot.discord.delivery.delivery import TableDelivery
from bot.discord.errors import MOVED_ON, sentence
from bot.discord.links import message_link
from bot.discord.outcomes import RequestOutcome
from bot.discord.people import People
from bot.discord.posting import (
    CannotPost,
    ThreadLocked,
    check_posting,
    check_unlocked,
    slow_mode,
)
from bot.discord.press import (
    Press,
    ask_of,
    ask_of_press,
    channel_of,
    guild_language,
    guild_of,
    is_own,
    pressed_table,
    table_of,
)
from bot.discord.replays.coach import MistakeHandlers
from bot.discord.replays.handlers import ReplayHandlers
from bot.discord.stats.handlers import DailyHandlers, StatsHandlers
from bot.discord.tables.leaving import LeavingHandlers
from bot.discord.tables.lobby import Lobby, OptionsHandlers
from bot.discord.tables.looking_back import CuttingHandlers, LookingBack
from bot.discord.tables.nights import NightHandlers
from bot.discord.tables.practice import HelpHandlers, PracticeHandlers, Teaching
from bot.discord.tables.preferences import PreferenceHandlers, PrivacyHandlers
from bot.discord.tables.seat_handlers import Drafts, SeatHandlers, typed_bid
from bot.discord.tables.turns import TurnsHandlers
from bot.language.catalogues import N_, tr
from bot.roster import CHARACTERS
from bot.tables import errors, plans
from bot.tables.live import LiveTable
from bot.tables.model import Status, Table
from bot.tables.requests import NOBODY
from bot.tables.service import Tables
from bot.tables.table_options import duration
from engine.errors import EngineError
from engine.variants import ruleset

log = structlog.get_logger(__name__)

GOES_ON: Final = N_("The match goes on, and the table is shown as soon as it can be.")
UNTIL_THEN: Final = N_("Until then `/table` shows it.")
SLOW_MODE: Final = N_(
    "This channel is in slow mode ({wait} between messages), and Discord may stop your friends'"
    " presses as well. Turn it off in the channel's settings, or open the table in a thread."
)


class TableHandlers:
    """Answers presses and forms of table messages."""

    def __init__(
        self,
        tables: Tables,
        delivery: TableDelivery,
        people: People,
        lobby: Lobby,
        preferences: PreferenceHandlers,
        records: StatsHandlers,
        replays: ReplayHandlers,
        privacy: PrivacyHandlers,
        daily: DailyHandlers,
        mistakes: MistakeHandlers,
        turns: TurnsHandlers,
        nights: NightHandlers,
        computing: Computing,
    ) -> None:
        self.tables = tables
        self.delivery = delivery
        self.seats = seats = delivery.seats
        self.lobby = lobby
        self.drafts = Drafts(tables)
        teaching = Teaching(tables, people)
        self.practice = PracticeHandlers(tables, seats, people, teaching, daily, computing)
        self.replays = replays
        self.daily = daily
        self.turns = turns
        self.nights = nights
        self.seat = SeatHandlers(tables, seats, self.drafts, self._barred_reason)
        self.leaving = LeavingHandlers(tables)
        past = LookingBack(tables, people)
        self.options = options = OptionsHandlers(tables, lobby, self._move)
        cutting = CuttingHandlers(tables, self._move)
        self.helping = HelpHandlers(
            tables,
            {"play": self.open, "practice": self.practice.begin},
            {
                "table": self.bring_down,
                "records": records.own,
                "history": replays.history,
                "preferences": preferences.show_own,
            },
        )
        self._verbs: dict[str, Callable[[Interaction, Press], Awaitable[None]]] = {
            "join": self._join,
            "in": self._join,  # from an invitation to play again
            "decline": self._decline,
            "wait": self._wait,
            "howto": teaching.press,
            "help": self.helping.press,
            "rulebook": self.helping.rulebook,
            "tell": lobby.toggle_notifications,
            "hush": lobby.stop_notifications,
            "me": preferences.open_own,
            "usual": preferences.open_usual,
            "usualpace": preferences.open_usual,
            "usualmessages": preferences.open_usual,
            "usuallanguage": preferences.open_usual,
            "leave": self._leave,
            "start": self._start,
            "options": options.open,
            "rules": options.open_rules,
            "pace": options.open_rules,
            "messages": options.open_rules,
            "cancel": options.cancel,
            "thread": options.play_in_thread,
            "computer": options.seat_computer,
            "cut": cutting.open,
            "form": self.seat.open_form,
            "mine": self._open_seat,  # the name in earlier versions
            "seat": self._open_seat,
            "refresh": self.seat.refresh,
            "pad": self.seat.pad,
            "call": self.seat.move,
            "doubt": self.seat.move,
            "type": self.seat.open_form,
            "back": self._back,
            "pick": self._bid,
            "challenge": self._challenge,
            "next": self._next_round,
            "bidding": past.bidding,
            "seal": cutting.check,
            "story": past.highlights,
            "again": self._again,
            "stay": self.leaving.stay,
            "away": self.leaving.report_away,
            "agree": self.leaving.answer,
            "refuse": self.leaving.answer,
            **self.practice.verbs,
            **records.verbs,
            **self.replays.verbs,
            **privacy.verbs,
            **mistakes.verbs,
            **turns.verbs,
            **nights.verbs,
        }
        self._forms: dict[str, Callable[[Interaction, Press], Awaitable[None]]] = {
            "bid": self._submit_bid,
            "typed": self.seat.move,
            "rules": options.submit_rules,
            "pace": options.submit_rules,
            "messages": options.submit_rules,
            "cut": cutting.submit,
            "usual": preferences.submit_usual,
            "usualpace": preferences.submit_usual,
            "usualmessages": preferences.submit_usual,
            "usuallanguage": preferences.submit_usual,
            "me": preferences.submit_own,
            **records.forms,
            **turns.forms,
            **nights.forms,
        }

    async def handle(self, interaction: Interaction, press: Press, *, submitted: bool) -> None:
        """Handle a button or select of a table's message, or (`submitted`) a form from one."""
        handler = (self._forms if submitted else self._verbs).get(press.verb)
        if handler is None:
            await answers.whisper(interaction, tr(MOVED_ON))
            return
        table = press.address.table
        self.seats.remember(table, interaction)
        try:
            await handler(interaction, press)
        except answers.AnsweredElsewhere:
            log.info("handlers: another process has answered", table=table)
        except Exception as raised:
            error = self._as_it_is(interaction, raised)
            await self.drafts.keep(interaction, press, error)
            if not await self.seat.show_refusal(interaction, error, press):
                await self.refuse(interaction, error, table)
        finally:
            self.delivery.tokens.remember(interaction)
            self.seats.let_go(table, interaction.user.id)

    def _as_it_is(self, interaction: Interaction, error: Exception) -> Exception:
        """Return the error, but replace it if it would report a stored change as failed."""
        down = isinstance(error, errors.StoreUnavailable)
        return (
            errors.MaybeStored()
            if down and self.tables.runtime.has_stored(interaction.id)
            else error
        )

    async def refuse(
        self, interaction: Interaction, error: Exception, table_id: int | None
    ) -> None:
        """Say in one sentence why nothing happened; log unforeseen errors."""
        live: LiveTable | None = None
        if not isinstance(error, EngineError | errors.RefusedError):
            log.error("handlers: unforeseen", exc_info=error, table=table_id)
        elif table_id is not None and not isinstance(error, errors.StoreUnavailable):
            live = await self._if_found(self.tables.see(table_id))
        text = sentence(error, live)
        ours = live is not None and live.table.channel_id == interaction.channel_id
        if isinstance(error, errors.MovedOn) and live is not None and not ours:
            text = _where_it_is(interaction, live.table) or text
        if isinstance(error, errors.MovedOn) and live is not None and ours:
            message, link = interaction.message, message_link(live.table)
            if message is not None and message.id == live.table.message_id:
                # the pressed message was out of date: redraw it
                await self.delivery.tables.redraw(live.table.id)
            elif link:
                text = tr("{text} [It is here now]({link}).", text=text, link=link)
        await answers.whisper(interaction, text)

    async def refuse_here(self, interaction: Interaction, error: Exception) -> None:
        """Say why a command was refused, and update the channel's table if it is out of date."""
        if isinstance(error, answers.AnsweredElsewhere):
            log.info("handlers: another process has answered")
            return
        error, live = self._as_it_is(interaction, error), None
        if interaction.channel_id is not None and not isinstance(error, errors.StoreUnavailable):
            live = await self._if_found(self.tables.in_channel(interaction.channel_id))
        await self.refuse(interaction, error, live.table.id if live is not None else None)

    async def _if_found(self, look: Awaitable[LiveTable]) -> LiveTable | None:
        """Return the table that `look` finds, for an error's sentence; None if it finds none."""
        try:
            return await look
        except errors.RefusedError:
            return None
        except Exception:  # the lookup may fail for the same reason as the request
            log.exception("handlers: a table could not be looked at")
            return None

    async def channel_gone(self, channel_id: int) -> None:
        """End the table of a channel that was deleted; it doesn't count in any statistics."""
        try:
            live = await self.tables.in_channel(channel_id)
            await self.tables.change(live.table.id, NOBODY, plans.close)
        except errors.RefusedError as refusal:
            log.info("handlers: nothing to end", channel=channel_id, refusal=type(refusal).__name__)

    async def _move(self, interaction: Interaction, work: Awaitable[LiveTable]) -> LiveTable:
        """Do `work`, then answer with the resulting table, or with its new message."""
        with self.delivery.tables.answering(pressed_table(interaction)):
            live = await answers.in_time(interaction, work)
            outcome = await self.delivery.answer(interaction, live)
        if outcome is not RequestOutcome.TAKEN or self.delivery.tables.is_barred(live.table.id):
            hindrance = await self.hindrance(interaction, live)
            if hindrance is not None:
                await answers.whisper(interaction, hindrance)
            elif outcome is RequestOutcome.REFUSED:  # the table is shown in another way
                await answers.acknowledge(interaction)
        return live

    async def hindrance(self, interaction: Interaction, live: LiveTable) -> str | None:
        """Return why the table can't be shown in the interaction's channel; None if it can.

        If it can, retry what was refused there before.
        """
        try:
            await check_posting(interaction)
        except CannotPost as error:
            sentences = [sentence(error)]
            if live.match is not None:
                sentences.append(tr(GOES_ON))
                if not isinstance(error, ThreadLocked):
                    sentences.append(tr(UNTIL_THEN))
            return " ".join(sentences)
        self.delivery.tables.try_again(live.table.id)
        return None

    async def _barred_reason(self, interaction: Interaction, live: LiveTable) -> str | None:
        """Return why the bot may not post the table, for a seat to show; None if it may."""
        is_here = interaction.channel_id == live.table.channel_id
        if not is_here or not self.delivery.tables.is_barred(live.table.id):
            return None
        return await answers.in_time(interaction, self.hindrance(interaction, live), ephemeral=True)

    async def open(self, interaction: Interaction, game: str, computers: int = 0) -> None:
        """Open a table in the channel, with that many computer players."""
        guild, channel = guild_of(interaction), channel_of(interaction)
        # one of each character, then again; Discord enforces the limits, but a forged request may
        # not
        count = min(max(computers, 0), ruleset(game).most_players)
        seated = list(islice(cycle(CHARACTERS), count))

        async def open_table() -> LiveTable:
            await check_posting(interaction)
            language = guild_language(interaction)
            ask = ask_of(interaction)
            return await self.tables.open(ask, guild, channel, game, seated, language)

        live = await answers.in_time(interaction, open_table())
        await self.delivery.show_as_answer(interaction, live)
        reached = await self.lobby.greet(interaction, live)
        await self.lobby.open_seat(interaction, live, reached=reached)
        await self.lobby.announce(live)
        if wait := slow_mode(interaction):
            await answers.whisper(interaction, tr(SLOW_MODE, wait=duration(wait)))

    async def bring_down(self, interaction: Interaction) -> None:
        """Answer with the channel's table. Raises `NoTable`, `ThreadLocked`."""
        # in other channels, a command's answer shows the table even if the bot may not post
        check_unlocked(interaction)
        search = self.tables.in_channel(channel_of(interaction))
        live = await answers.in_time(interaction, search)
        self.seats.remember(live.table.id, interaction)
        barred = self.delivery.tables.is_barred(live.table.id)
        await self.delivery.show_as_answer(interaction, live)
        now = await self._if_found(self.tables.see(live.table.id))
        if now is not None:
            self.seats.come_below(now, interaction.user.id)
        if now is not None and barred:
            why = await self.hindrance(interaction, now)
            if why is not None:
                await answers.whisper(interaction, why)

    # -- the lobby --------------------------------------------------------------------------------

    async def _join(self, interaction: Interaction, press: Press) -> None:
        ask = ask_of_press(interaction, press)
        reached = True
        if press.verb == "in":
            await self._check_dealing(interaction)

        async def join() -> LiveTable:
            nonlocal reached
            live = await self.tables.change(press.address.table, ask, plans.join)
            reached = await self.lobby.greet(interaction, live, again=press.verb == "in")
            return live

        live = await self._move(interaction, join())
        if not self.seats.is_open(live, interaction.user.id):
            await self.lobby.open_seat(interaction, live, reached=reached)

    async def _leave(self, interaction: Interaction, press: Press) -> None:
        """Leave a lobby; or leave a match, if the press confirms the question of /leave."""
        if press.address.match:
            await self.leaving.leave(interaction, press)
            return
        ask = ask_of_press(interaction, press)
        await self._move(interaction, self.tables.change(press.address.table, ask, plans.leave))

    async def _decline(self, interaction: Interaction, press: Press) -> None:
        ask = ask_of_press(interaction, press)
        await self._check_dealing(interaction)
        await self._move(interaction, self.tables.change(press.address.table, ask, plans.decline))

    async def _open_seat(self, interaction: Interaction, press: Press) -> None:
        """Open the asker's seat; if they are not in this match, offer a seat in the next."""
        try:
            await self.seat.open(interaction, press)
        except errors.NotSeated:
            live = await table_of(self.tables, interaction, press, ephemeral=True)
            if live.table.status is not Status.PLAYING:
                raise
            board = latecomer_board(live, interaction.user.id)
            await answers.show(interaction, board, ephemeral=True)

    async def _wait(self, interaction: Interaction, press: Press) -> None:
        """Put the asker in the queue for the next match; the table redraws itself.

        In messages of earlier versions, the button is on the table's message.
        """
        ask = ask_of_press(interaction, press)
        live = await answers.in_time(
            interaction, self.tables.change(press.address.table, ask, plans.wait), ephemeral=True
        )
        await answers.show_own(interaction, latecomer_board(live, interaction.user.id))

    async def _check_dealing(self, interaction: Interaction) -> None:
        """Raise `CannotPost` before a press that may deal, if a new message can't be posted.

        The last answer to a rematch deals, whether it is yes or no.
        """
        await answers.in_time(interaction, check_posting(interaction))

    async def _start(self, interaction: Interaction, press: Press) -> None:
        ask = ask_of_press(interaction, press)
        await self._check_dealing(interaction)
        live = await self._move(
            interaction, self.tables.change(press.address.table, ask, plans.start)
        )
        if interaction.user.id in live.table.players and not self.seats.is_open(
            live, interaction.user.id
        ):
            await self.seats.open(interaction, live)

    # -- a round ----------------------------------------------------------------------------------

    async def _bid(self, interaction: Interaction, press: Press) -> None:
        """Make the bid chosen in a table's list; a forged press may have no choice."""
        ask, key = ask_of_press(interaction, press), press.values[0] if press.values else ""
        await self._move(interaction, self.tables.change(press.address.table, ask, plans.bid, key))

    async def _challenge(self, interaction: Interaction, press: Press) -> None:
        ask = ask_of_press(interaction, press)
        await self._move(interaction, self.tables.change(press.address.table, ask, plans.challenge))

    async def _next_round(self, interaction: Interaction, press: Press) -> None:
        ask = ask_of_press(interaction, press)
        await self._move(
            interaction, self.tables.change(press.address.table, ask, plans.next_round)
        )

    async def _submit_bid(self, interaction: Interaction, press: Press) -> None:
        ask = ask_of_press(interaction, press)
        bid = self.tables.change(press.address.table, ask, plans.bid, typed_bid(interaction))
        await self._move(interaction, bid)

    async def _again(self, interaction: Interaction, press: Press) -> None:
        before = await table_of(self.tables, interaction, press)
        ask = ask_of_press(interaction, press)
        await self._check_dealing(interaction)
        live = await answers.in_time(
            interaction, self.tables.change(press.address.table, ask, plans.again)
        )
        # the end of a match stays, only its question goes: the lobby is a new message
        await answers.redraw(interaction, await self.delivery.boards.for_table(before, again=False))
        reached = await self.lobby.greet(interaction, live, again=True)
        if not self.seats.is_open(live, interaction.user.id):
            await self.lobby.open_seat(interaction, live, reached=reached)

    async def _back(self, interaction: Interaction, press: Press) -> None:
        if is_own(interaction):
            await self.seat.move(interaction, press)
            return
        ask = replace(ask_of_press(interaction, press), at=None)
        await self._move(interaction, self.tables.change(press.address.table, ask, plans.back))


def _where_it_is(interaction: Interaction, table: Table) -> str | None:
    """Return a text that a table is now in a thread of the press's channel; None if it isn't."""
    thread = interaction.client.get_channel(table.channel_id)
    if not isinstance(thread, discord.Thread) or thread.is_private():
        return None
    if not table.status.live or thread.parent_id != interaction.channel_id:
        return None
    return tr("This table is in {channel} now.", channel=f"<#{table.channel_id}>")
