"""Reply to interactions with a table's message, or say why it can't be shown."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Final

from bot.discord import answers
from bot.discord.answers import Interaction
from bot.discord.delivery.delivery import TableDelivery
from bot.discord.errors import sentence
from bot.discord.outcomes import RequestOutcome
from bot.discord.posting import CannotPost, ThreadLocked, check_posting
from bot.discord.press import pressed_table
from bot.language.catalogues import N_, tr
from bot.tables.live import LiveTable

GOES_ON: Final = N_("The match goes on, and the table is shown as soon as it can be.")
UNTIL_THEN: Final = N_("Until then `/table` shows it.")


class TableReplies:
    """Answers presses by showing the pressed table."""

    def __init__(self, delivery: TableDelivery) -> None:
        self._delivery = delivery

    async def move(self, interaction: Interaction, work: Awaitable[LiveTable]) -> LiveTable:
        """Await `work`, answer with the table that it returns, and return that table.

        The pressed message is redrawn, or a new message of the table answers. If the bot can't post
        in the channel, tell the asker why.
        """
        with self._delivery.tables.answering(pressed_table(interaction)):
            live = await answers.in_time(interaction, work)
            outcome = await self._delivery.tables.answer(interaction, live)
        if outcome is not RequestOutcome.TAKEN or self._delivery.tables.is_barred(live.table.id):
            hindrance = await self.hindrance(interaction, live)
            if hindrance is not None:
                await answers.reply_privately(interaction, hindrance)
            elif outcome is RequestOutcome.REFUSED:  # the table is shown another way
                await answers.acknowledge(interaction)
        return live

    async def hindrance(self, interaction: Interaction, live: LiveTable) -> str | None:
        """Return why the table can't be shown in an interaction's channel; None if it can.

        If it can, also retry requests for the table that Discord refused.
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
        self._delivery.tables.try_again(live.table.id)
        return None

    async def barred_reason(self, interaction: Interaction, live: LiveTable) -> str | None:
        """Return why the bot can't show the table in this channel, as the text for a seat.

        Return None if it can, or if the seat is in another channel.
        """
        is_here = interaction.channel_id == live.table.channel_id
        if not is_here or not self._delivery.tables.is_barred(live.table.id):
            return None
        return await answers.in_time(interaction, self.hindrance(interaction, live), ephemeral=True)
