"""After a start: what was sent of a table before a crash, and is not known to have been.

A message's id is known when Discord has answered, and noted after that. A process that is killed in
between leaves a table or a reminder in the channel that nobody would ever change again. Both stand
below the table's message and are our own, so they are found among the channel's latest messages;
that takes one request for each table whose channel has gone on since its message, and the right to
read the channel's history.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import discord
import structlog

from bot.discord import ids
from bot.discord.answers import NOT_TAKEN, code_of
from bot.discord.links import channel_link
from bot.discord.table_messages import TableMessages
from bot.tables.live import LiveTable
from bot.tables.practice import is_practice
from bot.tables.turns import reminder

log = structlog.get_logger(__name__)

MOST: Final = 100  # messages that are looked through; Discord gives no more at once
_LIVE: Final = frozenset({"join", "seat", "next"})  # one is on each message that is no record


class Strays:
    """Finds them, and makes of them what they would have become."""

    def __init__(self, client: discord.Client, messages: TableMessages) -> None:
        self._client = client
        self._messages = messages

    async def taken_up(self, live: LiveTable) -> bool:
        """Have the lowest message of the table be its own, and unknown reminders deleted.

        Whether there is such a message: it is to be drawn as the table stands. Only what was sent
        before this process came is looked at.
        """
        table = live.table
        last = self._last_in(table.channel_id)
        if is_practice(table) or table.message_id is None or last <= table.message_id:
            return False
        channel = self._client.get_partial_messageable(table.channel_id)
        until = discord.Object(last + 1)  # the latest, as people may have talked since its message
        try:
            sent = [
                one
                async for one in channel.history(limit=MOST, before=until)
                if one.id > table.message_id and one.author == self._client.user
            ]
        except NOT_TAKEN as error:  # without the permission they stay
            log.info("strays: not looked for", table=table.id, code=code_of(error))
            return False
        found = sorted(one.id for one in sent if _shows(one, table.id))
        if found:
            log.info("strays: a message of the table was not noted", table=table.id)
            await self._messages.found(live, found)
        link = f"]({channel_link(table)}/"
        reminders = [one for one in sent if link in one.content and one.id != table.nudge_id]
        if reminder(table, live.match) not in (None, table.nudged):
            del reminders[:1]  # the latest is perhaps the one that is due: its nonce finds it again
        for one in reminders:
            await self._delete(one, table.id)
        return bool(found)

    def _last_in(self, channel_id: int) -> int:
        """The channel's last message as the gateway told of it when this process came; or 0."""
        return getattr(self._client.get_channel(channel_id), "last_message_id", None) or 0

    async def _delete(self, message: discord.Message, table: int) -> None:
        log.info("strays: a reminder was not noted", table=table)
        try:
            await message.delete()
        except NOT_TAKEN as error:
            log.info("reminders: not deleted", table=table, code=code_of(error))


def _shows(message: discord.Message, table: int) -> bool:
    """Whether a message shows this table, and is not the record of what it was."""
    for part in _walk(message.components):
        said = ids.read(getattr(part, "custom_id", None))
        if isinstance(said, ids.OfTable) and said.address.table == table and said.verb in _LIVE:
            return True
    return False


def _walk(parts: list[Any]) -> Iterator[Any]:
    """All components, nested ones too."""
    for part in parts:
        yield part
        yield from _walk(getattr(part, "children", None) or [])
