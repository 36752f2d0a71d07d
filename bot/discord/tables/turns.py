"""Answer /turns, which lists every table, in any server, that waits for a person; send digests.

A digest is a direct message at an hour that the person has chosen. Only people who ask for
it get one, and only while a table waits for them.
"""

from __future__ import annotations

from functools import partial
from typing import Final

import discord
import structlog
from discord import app_commands, ui
from discord.ext.commands import Cog

from bot.boards.board import Address, Board
from bot.boards.turns import WaitingTable, request_to, turns_board
from bot.discord import answers, ids
from bot.discord.answers import Interaction
from bot.discord.commands import anywhere
from bot.discord.delivery.direct_seats import DirectSeats
from bot.discord.forms import choice_field, form, open_form, zone_field
from bot.discord.layout import render
from bot.discord.links import channel_link, message_link
from bot.discord.outcomes import NotYet
from bot.discord.people import People
from bot.discord.press import Press, changed_fields
from bot.discord.router import on_form, on_press
from bot.discord.sending import post_once
from bot.language.catalogues import speaking, tr
from bot.language.words import TypedText
from bot.services.tables import Tables
from bot.storage.digests import SqlDirectMessages
from bot.tables.local_time import MINUTES, hour_text, next_time, zone_named
from bot.tables.model import Digest
from bot.tables.scheduler import Alarm, Clock

log = structlog.get_logger(__name__)

# milliseconds; a digest that is later than this waits for the next day
LATEST: Final = 3 * 3_600_000
OFF: Final = "off"


class TurnsHandlers(Cog):
    """Answers /turns and sends digests, which a `DeadlineClock` triggers."""

    def __init__(
        self,
        client: discord.Client,
        direct_messages: SqlDirectMessages,
        clock: Clock,
        tables: Tables,
        people: People,
        direct: DirectSeats,
    ) -> None:
        self._client = client
        self._direct_messages = direct_messages
        self._clock = clock
        self._tables = tables
        self._people = people
        self._direct = direct
        self.alarm = Alarm()

    # -- asked for ---------------------------------------------------------------------------------

    @app_commands.command()
    @anywhere
    async def turns(self, interaction: Interaction) -> None:
        "Tables waiting for your move, in every server, and a daily digest."
        await self.show(interaction)

    async def show(self, interaction: Interaction) -> None:
        """Show every table that waits for the asker."""
        await answers.reply(interaction, self._turns_board(interaction))

    async def _turns_board(self, interaction: Interaction) -> Board:
        player = interaction.user.id
        digest = await self._direct_messages.digest_of(player)
        waiting, others = await self._waiting(player, interaction.guild_id)
        return turns_board(waiting, others, digest)

    async def _waiting(self, player: int, here_guild: int | None) -> tuple[list[WaitingTable], int]:
        """Return (the tables that wait for a person, the number of their other tables).

        `here_guild`: the server whose tables are listed without the server's name.
        """
        waiting, others = [], 0
        for live in await self._tables.tables_of(player):
            request, table = request_to(live, player), live.table
            if request is None:
                others += not table.is_practice and player in table.players
                continue
            people = await self._people.people_at(table)
            link = self._direct.link_to(table.id, player) or message_link(table)
            guild = self._client.get_guild(table.guild_id)
            named = guild is not None and table.guild_id != here_guild
            server = str(TypedText(guild.name)) if named and guild is not None else ""
            waiting.append(
                WaitingTable(live, request, people.names, link or channel_link(table), server)
            )
        return waiting, others

    @on_press("digest")
    async def _open(self, interaction: Interaction, _: Press) -> None:
        """Open the form of the digest."""
        digest = await self._direct_messages.digest_of(interaction.user.id)
        await open_form(interaction, _digest_form(digest))

    @on_form("digest")
    async def _submit(self, interaction: Interaction, press: Press) -> None:
        """Store what was changed in the form. Raises `NotAZone`, `StoreUnavailable`."""
        player, changed = interaction.user.id, changed_fields(interaction, press)
        before = await self._direct_messages.digest_of(player)
        now = _form_values(before) | {key: values[0] for key, values in changed.items() if values}
        hour, zone = now["hour"], now["zone"]
        digest = None
        if hour.isascii() and hour.isdigit() and int(hour) < MINUTES:
            place = zone_named(zone)
            due = next_time(place, int(hour), self._clock.now())
            digest = Digest(player, int(hour), place, due)

        async def store() -> Board:
            await self._direct_messages.keep_digest(player, digest)
            return await self._turns_board(interaction)

        board = await answers.in_time(interaction, store())
        self.alarm.ring()
        await answers.redraw(interaction, board)

    # -- what happens by itself --------------------------------------------------------------------

    async def on_deadline(self, due: Digest) -> None:
        """Send a digest if a table waits, and schedule the next one.

        Don't send a digest that is too late (`LATEST`). If Discord may take the message later, the
        digest stays due. If the person changes the digest meanwhile, keep that change. Raises
        `NotAZone` before sending anything, and `StoreUnavailable`.
        """
        now = self._clock.now()
        after = next_time(due.zone, due.minute, now)
        if now - due.due_at < LATEST:
            try:
                await self._send(due)
            except NotYet as later:  # the clock's next round tries again
                log.info("turns: a digest is late", after=later.after)
                return
        await self._direct_messages.put_off(due, after)

    async def give_back(self) -> None:
        """Do nothing: a digest stays at its hour after downtime."""

    async def _send(self, due: Digest) -> None:
        waiting, others = await self._waiting(due.player, None)
        if not waiting:
            return
        with speaking(await self._people.language_of(due.player)):
            board = turns_board(waiting, others, due, unasked=True)
        ready = await render(board)

        async def send_digest(channel: discord.abc.Messageable) -> None:
            await post_once(f"d{due.due_at}", partial(channel.send, view=ready.view))

        await self._people.write(due.player, send_digest)


def _digest_form(digest: Digest | None) -> ui.Modal:
    """Return the form for a digest's hour and time zone, or for switching it off."""
    now = _form_values(digest)
    hours = [(OFF, tr("Off")), *((str(at), hour_text(at)) for at in range(0, MINUTES, 60))]
    about = tr("A direct message, only on days when a table waits for you.")
    return form(
        tr("Daily digest"),
        ids.of_table("digest", Address(0)),
        choice_field("hour", tr("When"), hours, now["hour"], about),
        zone_field(now["zone"] or None, required=False),
    )


def _form_values(digest: Digest | None) -> dict[str, str]:
    """Return the initial values of a digest's form, by field."""
    if digest is None:
        return {"hour": OFF, "zone": ""}
    return {"hour": str(digest.minute), "zone": digest.zone}
