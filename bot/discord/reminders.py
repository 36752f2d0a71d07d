"""Reminders: the message that pings whoever is to act, and goes away when the turn is over.

It is sent to the channel and, to who has chosen so, as a direct message too. Which messages these
are is stored, so both are deleted after a restart in between as well.
"""

from __future__ import annotations

from http import HTTPStatus

import discord
import structlog

from bot.boards.reminder import reminder_letter, reminder_line
from bot.discord.answers import NOT_TAKEN, code_of
from bot.discord.links import message_link
from bot.discord.people import People
from bot.discord.pinging import only
from bot.languages import speaking
from bot.tables import ports
from bot.tables.house import language_of
from bot.tables.live import LiveTable
from bot.tables.records import Table
from bot.tables.service import Tables
from bot.tables.turns import reminder

log = structlog.get_logger(__name__)


def reminder_due(live: LiveTable) -> bool:
    """Whether another reminder is to be seen than is, or none any more."""
    return reminder(live.table, live.match) != live.table.nudged


class NotDeleted(Exception):
    """A reminder may still stand: Discord could not be asked to delete it, and can be later."""


class Reminders:
    """Sends, replaces and deletes them; the announcer says when."""

    def __init__(self, client: discord.Client, people: People, tables: Tables) -> None:
        self._client = client
        self._people = people
        self._tables = tables

    async def bring_up(self, live: LiveTable) -> None:
        """Have the reminder seen that is due, or none. Raises `NotDeleted`: the note stays."""
        due = reminder(live.table, live.match)
        await self._take_back(live.table)
        sent, letter = await self._send(live) if due is not None else (None, None)
        await self._tables.nudge_shown(live.table.id, sent, due, letter)

    async def _take_back(self, table: Table) -> None:
        """Delete what reminds of an earlier turn."""
        if table.nudge_id is not None:
            channel = self._client.get_partial_messageable(table.channel_id)
            try:
                await channel.get_partial_message(table.nudge_id).delete()
            except NOT_TAKEN as error:
                log.info("reminders: not deleted", table=table.id, code=code_of(error))
                if not _refused(error):
                    raise NotDeleted from error
        if table.letter_id is not None and table.letter_to is not None:
            try:
                own = await self._client.create_dm(discord.Object(table.letter_to))
                await own.get_partial_message(table.letter_id).delete()
            except NOT_TAKEN as error:
                log.info("reminders: letter not deleted", table=table.id, code=code_of(error))
                if not _refused(error):
                    raise NotDeleted from error

    async def _send(self, live: LiveTable) -> tuple[int | None, tuple[int, int] | None]:
        """The message that pings whoever is to act alone, and the letter: its id and to whom."""
        company = await self._people.company(live.table)
        with speaking(language_of(live.table)):
            found = reminder_line(live, company.names, message_link(live.table))
        if found is None:
            return None, None
        player, text = found
        if not await self._people.wants_reminders(player):
            return None, None
        channel = self._client.get_partial_messageable(live.table.channel_id)
        sent: int | None = None
        try:
            nonce = _nonce(live)
            sent = (await channel.send(text, nonce=nonce, allowed_mentions=only([player]))).id
        except NOT_TAKEN as error:
            log.warning("reminders: not sent", table=live.table.id, code=code_of(error))
        if not await self._people.wants_reminder_letters(player):
            return sent, None
        with speaking(await self._people.language_of(player)):
            told = reminder_letter(live, company.names)
        return sent, await self._write(live, player, told or text)

    async def _write(self, live: LiveTable, player: int, text: str) -> tuple[int, int] | None:
        """The direct message that reminds `player`; None if it did not reach them."""
        sent: list[int] = []

        async def letter(own: discord.abc.Messageable) -> None:
            sent.append((await own.send(text)).id)

        try:
            await self._people.write(player, letter)
        except ports.StoreUnavailable:
            log.warning("reminders: nothing noted of a letter", table=live.table.id)
        return (sent[0], player) if sent else None


def _refused(error: Exception) -> bool:
    """Whether to ask again is of no use: it is gone already, or the permission is."""
    return (
        isinstance(error, discord.HTTPException)
        and 400 <= error.status < 500
        and error.status != HTTPStatus.TOO_MANY_REQUESTS
    )


def _nonce(live: LiveTable) -> str:
    """The same for every try to post one reminder.

    So one that a crash met before it was noted is found again by the next start, and goes away with
    its turn.
    """
    return f"r{live.table.match_id}.{reminder(live.table, live.match)}"
