"""The newest interaction of each person at each table: what lets a seat come anew without a press.

By an interaction's token Discord takes further messages that only its person sees, for fifteen
minutes. Kept in memory and nowhere else: after a restart the next press brings a new one.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

import discord

from bot.discord.answers import Interaction, takes_more
from bot.discord.posting import is_member
from bot.discord.seats.open_seats import Key, OpenSeats
from bot.language.moments import host_clock
from bot.tables.live import LiveTable

TOKEN_LIVES: Final = 14.5 * 60  # seconds; Discord's fifteen minutes, less what is under way


@dataclass(slots=True, eq=False)
class _Newest:
    interaction: Interaction
    until: float
    deal: object = None  # for which a seat has come, or was tried to
    before: tuple[Interaction, float] | None = None  # while the newest is not answered yet


class Tokens:
    """Remembers them; those that are used up are forgotten."""

    def __init__(self) -> None:
        self._newest = OpenSeats[_Newest]()

    def remember(self, table_id: int, interaction: Interaction) -> None:
        """Somebody has done something at a table, wherever it was."""
        if interaction.guild_id is None:  # what is sent by it would stand in a direct message
            return
        key = table_id, interaction.user.id
        known, until = self._newest.get(key), expiry(interaction)
        if known is None:
            self._newest[key] = _Newest(interaction, until)
        elif known.interaction is not interaction:
            before = known.interaction, known.until
            self._newest[key] = _Newest(interaction, until, known.deal, before)

    def newest(self, live: LiveTable, player: int, deal: object) -> Interaction | None:
        """By which a seat may come anew below the table; None where it has for this `deal`.

        Where the bot itself is not, Discord takes five further messages in all: none is sent.
        """
        found = self._newest.get((live.table.id, player))
        if found is None or found.deal == deal:
            return None
        newest = found.interaction, found.until
        for interaction, until in (newest, *([found.before] if found.before is not None else [])):
            alive = until > time.monotonic() and takes_more(interaction)
            there = interaction.channel_id == live.table.channel_id
            if alive and there and is_member(interaction):
                return interaction
        return None

    def used(self, key: Key, deal: object) -> None:
        """A seat has come by it for this deal, or could not."""
        if (found := self._newest.get(key)) is not None:
            found.deal = deal

    def of(self, table_id: int) -> list[Key]:
        """Whose there are at a table."""
        return [key for key, _ in self._newest.of(table_id)]


def expiry(interaction: Interaction) -> float:
    """Until when its token is used, on the monotonic clock, in seconds."""
    # Discord dates interactions, by its own clock
    now = discord.utils.utcnow() - timedelta(milliseconds=host_clock.ahead)
    age = max(0.0, (now - interaction.created_at).total_seconds())
    return time.monotonic() + TOKEN_LIVES - age
