"""/practice: a private match against one computer player, wherever the person is; or today's deal.

It lives in one private message, which is redrawn by its own presses and, as long as Discord allows,
by itself when the computer player acts. `/practice` opens it anew, after a restart too. Who has
never played is shown the example round first.
"""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace

from bot.boards.practice import hint_notice
from bot.boards.seat import Notice
from bot.computing.player_questions import Advised, hint_advice
from bot.computing.process import Computing
from bot.discord import answers
from bot.discord.answers import Interaction
from bot.discord.people import People
from bot.discord.posting import is_member
from bot.discord.press import Press, ask_of_press, table_of
from bot.discord.seats.seats import Seats
from bot.discord.stats.daily import DailyHandlers
from bot.discord.tables.helping import Teaching, Wanted
from bot.discord.tables.seat_handlers import check_private
from bot.language.catalogues import tr
from bot.roster import CHARACTERS
from bot.tables import errors, moderation, plans
from bot.tables.daily import DAILY
from bot.tables.live import LiveTable
from bot.tables.model import DailyResult
from bot.tables.practice import once_more, play_daily, practise
from bot.tables.requests import Ask
from bot.tables.service import Tables
from engine.players.coaching.decisions import position_of
from engine.state import Match
from engine.variants import VARIANTS


class PracticeHandlers:
    """Answers what is pressed in a practice beside the seat's own controls."""

    def __init__(
        self,
        tables: Tables,
        seats: Seats,
        people: People,
        teaching: Teaching,
        daily: DailyHandlers,
        computing: Computing,
    ) -> None:
        self._tables = tables
        self._computing = computing
        self._daily = daily
        self._teaching = teaching
        self._people = people
        self._seats = seats
        self._moves: Mapping[str, Callable[[int, Ask], Awaitable[LiveTable]]] = {
            "pnext": lambda table, ask: tables.change(table, ask, plans.next_round),
            "pagain": lambda table, ask: once_more(tables, ask, table),
            "pend": lambda table, ask: tables.change(table, ask, moderation.end),
        }
        self.verbs: Mapping[str, Callable[[Interaction, Press], Awaitable[None]]] = {
            "pstart": self._start,
            "hint": self._hint,
            **dict.fromkeys(self._moves, self._move),
            "daily": self._begin_daily,
            **daily.verbs,
        }

    async def begin(
        self, interaction: Interaction, game: str, character: str = CHARACTERS[0]
    ) -> None:
        """The asker's match, in a new private message; the example before somebody's first."""

        async def meets_a_stranger() -> bool:
            await self._people.met(interaction.user.id, interaction.user.display_name)
            return await self._people.is_new(interaction.user.id)

        with contextlib.suppress(errors.StoreUnavailable):
            if await answers.in_time(interaction, meets_a_stranger(), ephemeral=True):
                wanted = Wanted(game, character)
                await self._teaching.before_practice(interaction, wanted)
                return
        found = await answers.in_time(
            interaction, self._begun(interaction, game, character), ephemeral=True
        )
        if isinstance(found, DailyResult):
            await self._daily.show_result(interaction, found)
        else:
            notice = self._detained(found, game, character)
            await self._seats.open(interaction, found, notice)

    async def _begun(
        self, interaction: Interaction, game: str, character: str
    ) -> LiveTable | DailyResult:
        ask = Ask(interaction.user.id, interaction.id)
        if character == DAILY:
            # a server without the bot has no boards, and nobody would tell when it is gone
            guild = interaction.guild_id if is_member(interaction) else None
            return await play_daily(self._tables, ask, game, guild or 0)
        return await practise(self._tables, ask, game, character)

    async def _begin_daily(self, interaction: Interaction, press: Press) -> None:
        """Today's deal of a game, by a button. Raises `MovedOn` for one that is forged."""
        if press.choice not in VARIANTS:
            raise errors.MovedOn
        await self.begin(interaction, press.choice, DAILY)

    async def _start(self, interaction: Interaction, press: Press) -> None:
        """The asker's match, in place of the example."""
        check_private(interaction)
        wanted, _ = Wanted.read(press.choice)
        begun = self._begun(interaction, wanted.game, wanted.character)
        found = await answers.in_time(interaction, begun)
        if isinstance(found, DailyResult):
            await self._daily.show_result(interaction, found)
            return
        notice = self._detained(found, wanted.game, wanted.character)
        await self._seats.redraw(interaction, found, notice=notice)

    async def _hint(self, interaction: Interaction, press: Press) -> None:
        player = interaction.user.id

        live = await table_of(self._tables, interaction, press)
        live.seat(player)
        if live.match is None or not live.table.is_practice or live.table.daily_day is not None:
            raise errors.MovedOn
        advised = await answers.in_time(interaction, self._advised(live, live.match, player))
        now = await table_of(self._tables, interaction, press)  # it may have moved on meanwhile
        same = now.match is not None and now.match.seq == live.match.seq
        notice = hint_notice(live.match, player, advised) if same else None
        await self._seats.redraw(interaction, now, notice=notice)

    async def _advised(self, live: LiveTable, match: Match, player: int) -> Advised:
        """What is better than the plain hint, where anything is and that is soon known."""
        seat = match.seat_of(player)
        position = position_of(match, seat, live.shown) if seat is not None else None
        return await hint_advice(self._computing, position) if position else None

    async def _move(self, interaction: Interaction, press: Press) -> None:
        """Do what is pressed and answer with the practice as it is then.

        Raises `MovedOn` for a press that is forged: a seat must never be drawn where others see it.
        """
        seen = await table_of(self._tables, interaction, press)
        if not seen.table.is_practice or not answers.is_private(interaction):
            raise errors.MovedOn
        table = press.address.table
        ask = replace(ask_of_press(interaction, press, redraws=False), moderator=False)
        with self._seats.answering(table, interaction.user.id):
            live = await answers.in_time(interaction, self._moves[press.verb](table, ask))
            await self._seats.redraw(interaction, live)

    def _detained(self, live: LiveTable, game: str, character: str) -> Notice | None:
        """Why a practice is not the one that was wanted: a deal of the day comes first."""
        wanted = (game, self._tables.today() if character == DAILY else None)
        day = live.table.daily_day
        if day is None or (live.table.variant, day) == wanted:
            return None
        return Notice(tr("You are in the middle of a deal of the day: it comes first."))
