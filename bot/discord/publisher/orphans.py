"""After a start: what was sent of a table before a crash, and is not known to have been.

A message's id is known when Discord has answered, and noted after that. A process that is killed in
between leaves a table or a reminder in the channel that nobody would ever change again. Both stand
below the table's message and are our own, so they are found among the channel's latest messages;
that takes one request for each table whose channel has gone on since its message, and the right to
read the channel's history.
"""

from __future__ import annotations

from typing import Final

import discord
import structlog

from bot.discord.answers import NOT_TAKEN, code_of
from bot.discord.layout import controls_of
from bot.discord.links import channel_link
from bot.discord.publisher.messages import TableMessages
from bot.tables.live import LiveTable
from bot.tables.turns import reminder

log = structlog.get_logger(__name__)

MOST: Final = 100  # messages that are looked through; Discord gives no more at once
# one is on each message that is no record
_LIVE: Final = frozenset({"join", "seat", "next", "again"})


class Orphans:
    """Finds them, and makes of them what they would have become."""

    def __init__(self, client: discord.Client, messages: TableMessages) -> None:
        self._client = client
        self._messages = messages
        # of tables: a reminder that is perhaps the one that was due, and which that was
        self._perhaps_due: dict[int, tuple[discord.Message, str]] = {}

    async def taken_up(self, live: LiveTable) -> bool:
        """Have the lowest message of the table be its own, and unknown reminders deleted.

        Whether there is such a message: it is to be drawn as the table stands. Only what was sent
        before this process came is looked at.
        """
        table = live.table
        last, noted = self._last_in(table.channel_id), table.message_id or 0
        if table.is_practice or last <= noted:
            return False
        channel = self._client.get_partial_messageable(table.channel_id)
        until = discord.Object(last + 1)  # the latest, as people may have talked since its message
        try:
            sent = [
                one
                async for one in channel.history(limit=MOST, before=until)
                if one.id > noted and one.author == self._client.user
            ]
        except NOT_TAKEN as error:  # without the permission they stay
            log.info("orphans: not looked for", table=table.id, code=code_of(error))
            return False
        found = sorted(one.id for one in sent if _shows(one, table.id))
        if found:
            log.info("orphans: a message of the table was not noted", table=table.id)
            await self._messages.adopt(live, found)
        link = f"]({channel_link(table)}/"
        reminders = [one for one in sent if link in one.content and one.id != table.nudge_id]
        due = reminder(table, live.match)
        if reminders and due is not None and due != table.nudged:
            # it is noted when it is sent again, as its nonce finds it; or the turn passes before
            self._perhaps_due[table.id] = reminders.pop(0), due
        for one in reminders:
            await self._delete(one, table.id)
        return bool(found)

    def reminder_in_doubt(self, live: LiveTable) -> bool:
        """Whether a reminder was left that is known by now to be the due one, or not to be."""
        _, due = self._perhaps_due.get(live.table.id, (None, None))
        if due is None:
            return False
        return live.table.nudged == due or reminder(live.table, live.match) != due

    async def clear_doubt(self, live: LiveTable) -> None:
        """Delete a reminder that was left and is in doubt no more, unless it is the table's own."""
        if not self.reminder_in_doubt(live):
            return
        message, _ = self._perhaps_due.pop(live.table.id)
        if message.id != live.table.nudge_id:
            await self._delete(message, live.table.id)

    def _last_in(self, channel_id: int) -> int:
        """The channel's last message as the gateway told of it when this process came; or 0."""
        return getattr(self._client.get_channel(channel_id), "last_message_id", None) or 0

    async def _delete(self, message: discord.Message, table: int) -> None:
        log.info("orphans: a reminder was not noted", table=table)
        try:
            await message.delete()
        except NOT_TAKEN as error:
            log.info("reminders: not deleted", table=table, code=code_of(error))


def _shows(message: discord.Message, table: int) -> bool:
    """Whether a message shows this table, and is not the record of what it was."""
    return not message.content and any(
        said.address.table == table and said.verb in _LIVE for said in controls_of(message)
    )
