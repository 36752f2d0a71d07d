"""Answer refused presses and commands: say in one sentence why nothing happened."""

from __future__ import annotations

from collections.abc import Awaitable

import discord
import structlog

from bot.discord import answers
from bot.discord.answers import Interaction
from bot.discord.delivery.delivery import TableDelivery
from bot.discord.errors import sentence
from bot.discord.links import message_link
from bot.discord.press import Press
from bot.discord.tables.seat_handlers import SeatHandlers
from bot.language.catalogues import tr
from bot.services.tables import Tables
from bot.tables import errors
from bot.tables.live import LiveTable
from bot.tables.model import Table
from engine.errors import EngineError

log = structlog.get_logger(__name__)


class Refusals:
    """Answers refused requests: in the seat they came from if possible, otherwise privately."""

    def __init__(self, tables: Tables, delivery: TableDelivery, seat: SeatHandlers) -> None:
        self.tables = tables
        self.delivery = delivery
        self.seat = seat

    async def refuse_press(self, interaction: Interaction, press: Press, error: Exception) -> None:
        """Say why a press or form was refused; keep the text of a form."""
        error = self._as_it_is(interaction, error)
        await self.seat.drafts.keep(interaction, press, error)
        if not await self.seat.show_refusal(interaction, error, press):
            await self.refuse(interaction, error, press.address.table)

    def _as_it_is(self, interaction: Interaction, error: Exception) -> Exception:
        """Return `error`, or `MaybeStored` if the store failed after storing the change."""
        down = isinstance(error, errors.StoreUnavailable)
        return (
            errors.MaybeStored()
            if down and self.tables.runtime.has_stored(interaction.id)
            else error
        )

    async def refuse(
        self, interaction: Interaction, error: Exception, table_id: int | None
    ) -> None:
        """Say in one sentence why nothing happened; log unforeseen errors.

        If the pressed message is outdated, also redraw the table's message, or say where the table
        is.
        """
        live: LiveTable | None = None
        if not isinstance(error, EngineError | errors.RefusedError):
            log.error("handlers: unforeseen", exc_info=error, table=table_id)
        elif table_id is not None and not isinstance(error, errors.StoreUnavailable):
            live = await table_if_found(self.tables.see(table_id))
        text = sentence(error, live)
        ours = live is not None and live.table.channel_id == interaction.channel_id
        if isinstance(error, errors.MovedOn) and live is not None and not ours:
            text = _where_it_is(interaction, live.table) or text
        if isinstance(error, errors.MovedOn) and live is not None and ours:
            message, link = interaction.message, message_link(live.table)
            if message is not None and message.id == live.table.message_id:
                # what the person saw was out of date: show them what is
                await self.delivery.tables.redraw(live.table.id)
            elif link:
                text = tr("{text} [It is here now]({link}).", text=text, link=link)
        await answers.reply_privately(interaction, text)

    async def refuse_here(self, interaction: Interaction, error: Exception) -> None:
        """Say why a command was refused, in words that fit its channel's table.

        If the command challenged a bid that the person's own cards make, ask instead whether they
        mean it. Say nothing if another process has answered the command.
        """
        if isinstance(error, answers.AnsweredElsewhere):
            log.info("handlers: another process has answered")
            return
        error, live = self._as_it_is(interaction, error), None
        if interaction.channel_id is not None and not isinstance(error, errors.StoreUnavailable):
            live = await table_if_found(self.tables.in_channel(interaction.channel_id))
        if live is not None and await self.seat.ask_if_sure(interaction, error, live):
            return
        await self.refuse(interaction, error, live.table.id if live is not None else None)


async def table_if_found(look: Awaitable[LiveTable]) -> LiveTable | None:
    """Return the table that `look` finds; None if that fails. Log an unforeseen error."""
    try:
        return await look
    except errors.RefusedError:
        return None
    except Exception:  # perhaps the unforeseen error that is to be reported, once more
        log.exception("handlers: a table could not be looked at")
        return None


def _where_it_is(interaction: Interaction, table: Table) -> str | None:
    """Return a line that names the table's thread in the press's channel; None if there is none."""
    thread = interaction.client.get_channel(table.channel_id)
    if not isinstance(thread, discord.Thread) or thread.is_private():
        return None
    if not table.status.live or thread.parent_id != interaction.channel_id:
        return None
    return tr("This table is in {channel} now.", channel=f"<#{table.channel_id}>")
