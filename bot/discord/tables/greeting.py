"""Who sits down is greeted by direct message, and learns whether their cards can come by one."""

from __future__ import annotations

from typing import Final

import discord
import structlog

from bot.boards.seat import Notice
from bot.discord.answers import Interaction, NotYet
from bot.discord.people import People
from bot.discord.seats.seats import Seats
from bot.language.catalogues import N_, tr
from bot.tables import errors
from bot.tables.live import LiveTable
from bot.tables.model import Delivery
from engine.variants import variant

log = structlog.get_logger(__name__)

GREETING: Final = N_(
    "You have a seat at a table of **{title}** in <#{channel}>. Your cards will come here;"
    " **My seat** at the table shows them too."
)
DMS_CLOSED: Final = N_(
    "You have a seat. Your direct messages are closed to me, so press **My seat** at the table to"
    " see your cards: only you will see them."
)


class Greeter:
    """Greets people at tables, and opens their seats."""

    def __init__(self, people: People, seats: Seats) -> None:
        self._people = people
        self._seats = seats

    async def welcome(self, interaction: Interaction, live: LiveTable) -> None:
        """Greet who has just opened a table, and open their seat below it."""
        await self.open_seat(interaction, live, reached=await self.greet(interaction, live))

    async def open_seat(
        self, interaction: Interaction, live: LiveTable, *, reached: bool = True
    ) -> None:
        """Open the seat of who has sat down. Not `reached`: it says where their cards are."""
        await self._seats.open(interaction, live, None if reached else Notice(tr(DMS_CLOSED)))

    async def greet(self, interaction: Interaction, live: LiveTable) -> bool:
        """Send who has sat down a short direct message; whether their messages are open."""
        title = tr(variant(live.table.variant).title)
        text = tr(GREETING, title=title, channel=live.table.channel_id)

        async def letter(channel: discord.abc.Messageable) -> None:
            await channel.send(text)

        try:
            await self._people.met(interaction.user.id, interaction.user.display_name)
            if not await self._people.wants_letters(interaction.user.id, live.table):
                return True
            sent = await self._people.write(interaction.user.id, letter, again=True)
            return sent is not Delivery.CLOSED
        except NotYet:
            return True  # nothing is known against it
        except errors.StoreUnavailable:
            log.warning("greeting: nobody greeted", table=live.table.id)
            return True
