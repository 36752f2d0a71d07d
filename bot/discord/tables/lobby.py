"""What a lobby offers to strangers: computer players, and word of the next table.

Everything here changes no table; `handlers` hands these presses on.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

import discord
import structlog

from bot.boards.board import Address
from bot.boards.company import ADD, LET, NEXT, TAKE
from bot.boards.lobby import calling_board, listening_board
from bot.discord import answers
from bot.discord.answers import NOT_TAKEN, Interaction, code_of, is_refused
from bot.discord.layout import Drawn, board_view
from bot.discord.links import message_link
from bot.discord.nonces import post_once
from bot.discord.pinging import only
from bot.discord.press import Press
from bot.language.catalogues import speaking
from bot.roster import CHARACTERS
from bot.tables import errors, plans, ports
from bot.tables.live import LiveTable
from bot.tables.requests import Ask
from bot.tables.service import Tables
from bot.tables.table_options import TALK, language_of

log = structlog.get_logger(__name__)

A_MESSAGE: Final = 20  # people told in one message
RETRY_SECONDS: Final = (0.5, 2.0)
TELL_GAP: Final = 3_600_000  # milliseconds between two tellings in a channel


class Lobby:
    """Answers the presses of people who look around, and tells those who asked for it."""

    def __init__(
        self, client: discord.Client, store: ports.Store, clock: ports.Clock, tables: Tables
    ) -> None:
        self._client = client
        self._store = store
        self._clock = clock
        self._tables = tables

    async def company(self, press: Press, ask: Ask) -> LiveTable:
        """The table after a choice of the menu of computer players.

        Raises `MovedOn` for one that is forged, and as `plans.add_computer` does.
        """
        what, _, which = (press.values[0] if press.values else "").partition(".")
        table = press.address.table
        if press.choice == NEXT and not press.values:
            return await self._tables.change(table, ask, plans.add_computer, None)
        if what == ADD and which in CHARACTERS:
            return await self._tables.change(table, ask, plans.add_computer, which)
        if what == TAKE and re.fullmatch(r"-\d{1,6}", which, re.ASCII):
            return await self._tables.change(table, ask, plans.remove_computer, int(which))
        if what == LET and any(choice.value == which for choice in TALK.choices):
            return await self._tables.change(table, ask, plans.choose, {TALK.key: which})
        raise errors.MovedOn

    async def tell(self, interaction: Interaction, press: Press) -> None:
        """Have the asker told when a table opens in this channel, or not any more."""
        channel, player = _channel(interaction), interaction.user.id

        async def toggled() -> bool:
            listens = player not in await self._store.servers.listeners(channel)
            await self._store.servers.note_listener(channel, player, listens=listens)
            return listens

        listens = await answers.in_time(interaction, toggled(), ephemeral=True)
        await self._answer(interaction, press, listens=listens)

    async def hush(self, interaction: Interaction, press: Press) -> None:
        """Do not tell the asker of this channel's tables any more."""
        channel = _channel(interaction)
        stopped = self._store.servers.note_listener(channel, interaction.user.id, listens=False)
        await answers.in_time(interaction, stopped, ephemeral=True)
        await self._answer(interaction, press, listens=False)

    async def opened(self, live: LiveTable) -> None:
        """Tell whoever listens in the channel that a table has opened, each once, the host aside.

        At most once an hour a channel; who is told is pinged, and nobody else.
        """
        table = live.table
        try:
            people = await self._store.servers.listeners(table.channel_id)
            people = [player for player in people if player not in table.players]
            if not people or not await self._store.servers.may_tell(
                table.channel_id, self._clock.now(), TELL_GAP
            ):
                return
        except errors.StoreUnavailable:
            log.warning("lobby: nobody told", table=table.id)
            return
        link = message_link((await self._tables.see(table.id)).table)
        channel = self._client.get_partial_messageable(table.channel_id)
        for start in range(0, len(people), A_MESSAGE):
            told = people[start : start + A_MESSAGE]
            with speaking(language_of(table)):
                view = board_view(calling_board(table, told, link))

            async def send(
                nonce: str, view: Drawn = view, told: list[int] = told
            ) -> discord.Message:
                return await channel.send(view=view, allowed_mentions=only(told), nonce=nonce)

            try:
                async with asyncio.timeout(answers.LATER_WITHIN):
                    await _patiently(partial(post_once, f"o{table.id}.{start}", send))
            except NOT_TAKEN as error:
                log.warning("lobby: not told", table=table.id, code=code_of(error))
                return

    async def _answer(self, interaction: Interaction, press: Press, *, listens: bool) -> None:
        board = listening_board(Address(press.address.table), listens=listens)
        if answers.is_private(interaction):
            await answers.redraw(interaction, board)
        else:
            await answers.show(interaction, board, ephemeral=True)


async def _patiently(send: Callable[[], Awaitable[object]]) -> None:
    """Send what is said once only, and again where Discord did not take it for now.

    Raises what `send` does, in the end.
    """
    for wait in RETRY_SECONDS:
        try:
            await send()
        except NOT_TAKEN as error:
            if is_refused(error):
                raise
            await asyncio.sleep(wait)
        else:
            return
    await send()


def _channel(interaction: Interaction) -> int:
    """Where a control was used. Raises `MovedOn` for a press in no channel: it is forged."""
    if interaction.channel_id is None:
        raise errors.MovedOn
    return interaction.channel_id
