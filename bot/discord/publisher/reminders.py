"""Reminders: the message that pings whoever is to act, and goes away when the turn is over.

**My seat** is there too, for whose seat no longer follows the table, as they have pressed nothing
for long or since a start. It is sent to the channel and, to who has chosen so, as a direct message
too. Which messages these are is stored, so both are deleted after a restart in between as well.
"""

from __future__ import annotations

from functools import partial

import discord
import structlog

from bot.boards.turns import asks, reminded, reminder_letter, reminder_line, reminder_row
from bot.discord.answers import NOT_TAKEN, NotYet, code_of, is_refused, not_yet
from bot.discord.layout import row_view
from bot.discord.links import message_link
from bot.discord.people import People
from bot.discord.sending import only, post_once
from bot.language.catalogues import speaking
from bot.tables import errors
from bot.tables.live import LiveTable
from bot.tables.model import Table
from bot.tables.service import Tables
from bot.tables.table_options import language_of
from bot.tables.turns import is_slow, reminder

log = structlog.get_logger(__name__)


def reminder_due(live: LiveTable) -> bool:
    """Whether another reminder is to be seen than is, or none any more."""
    return reminder(live.table, live.match) != live.table.nudged


class Reminders:
    """Sends, replaces and deletes them; the publisher says when."""

    def __init__(self, client: discord.Client, people: People, tables: Tables) -> None:
        self._client = client
        self._people = people
        self._tables = tables

    async def bring_up(self, live: LiveTable) -> None:
        """Have the reminder seen that is due, or none. Raises `NotYet`: it is still to be done.

        What is done of it is noted: who has been pinged is not pinged again while the direct
        message is tried.
        """
        table, due = live.table, reminder(live.table, live.match)
        sent, noted, letter = None, None, None
        if due is not None and table.nudged == _half(due):
            sent, noted = table.nudge_id, table.nudged
        else:
            await self._take_back(table)
        try:
            if due is not None:
                if noted is None:
                    sent, noted = await self._send(live), _half(due)
                letter = await self._write(live)
            noted = due
        except NotYet:
            before = table.nudge_id, table.nudged, table.letter_id
            if before != (sent, noted, None):
                await self._tables.runtime.note_nudge(table.id, sent, noted, None)
            raise
        await self._tables.runtime.note_nudge(table.id, sent, noted, letter)

    async def _take_back(self, table: Table) -> None:
        """Delete what reminds of an earlier turn."""
        if table.nudge_id is not None:
            channel = self._client.get_partial_messageable(table.channel_id)
            try:
                await channel.get_partial_message(table.nudge_id).delete()
            except NOT_TAKEN as error:
                log.info("reminders: not deleted", table=table.id, code=code_of(error))
                if not is_refused(error):
                    raise not_yet(error) from error
        if table.letter_id is not None and table.letter_to is not None:
            try:
                own = await self._client.create_dm(discord.Object(table.letter_to))
                await own.get_partial_message(table.letter_id).delete()
            except NOT_TAKEN as error:
                log.info("reminders: letter not deleted", table=table.id, code=code_of(error))
                if not is_refused(error):
                    raise not_yet(error) from error

    async def _send(self, live: LiveTable) -> int | None:
        """Ping whoever is to act, and nobody else, in the channel; the id of what was sent."""
        company = await self._people.company(live.table)
        with speaking(language_of(live.table)):
            found = reminder_line(live, company.names, message_link(live.table))
            if found is None:
                return None
            player, text = found
            view = row_view(*reminder_row(live))
        if not await self._people.wants_reminders(player):
            return None
        channel = self._client.get_partial_messageable(live.table.channel_id)
        try:
            send = partial(channel.send, text, allowed_mentions=only([player]), view=view)
            return (await post_once(_nonce("r", live), send)).id
        except NOT_TAKEN as error:
            log.warning(
                "reminders: not sent",
                table=live.table.id,
                error=type(error).__name__,
                code=code_of(error),
            )
            if not is_refused(error):
                raise not_yet(error) from error
            return None

    async def _write(self, live: LiveTable) -> tuple[int, int] | None:
        """Remind whoever is to act by direct message, if they have chosen so: its id, and to whom.

        None if they have not, or it did not reach them; or if it is about a match over days, and
        they were written to often enough today.
        """
        player, others = reminded(live), 0
        if player is None or not await self._people.wants_reminder_letters(player, live.table):
            return None
        if is_slow(live.table):
            if not await self._tables.may_write(player, _nonce("l", live)):
                return None
            asked = [asks(one, player) for one in await self._tables.tables_of(player)]
            others = len([one for one in asked if one is not None]) - 1
        company = await self._people.company(live.table)
        with speaking(await self._people.language_of(player)):
            text = reminder_letter(live, company.names, others)
        sent: list[int] = []

        async def letter(own: discord.abc.Messageable) -> None:
            message = await post_once(_nonce("l", live), partial(own.send, text))
            sent.append(message.id)

        try:
            await self._people.write(player, letter)
        except errors.StoreUnavailable:
            log.warning("reminders: nothing noted of a letter", table=live.table.id)
        return (sent[0], player) if sent else None


def _half(due: str) -> str:
    """What is noted of a reminder whose message is sent, and whose letter is still to be."""
    return f"{due}~"


def _nonce(kind: str, live: LiveTable) -> str:
    """The nonce of a reminder: one for every try to post it.

    So one that a crash met before it was noted is found again by the next start, and goes away with
    its turn.
    """
    return f"{kind}{live.table.match_id}.{reminder(live.table, live.match)}"
