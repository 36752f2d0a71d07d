"""Deliveries: a round's hole cards, by direct message to whoever has chosen so.

They are in the player's whole seat, which `direct` writes at the first deal and edits later. A row
in the store for each seat and round says what became of them, so that they are sent once, also when
a process ends in between.
"""

from __future__ import annotations

import asyncio

import discord

from bot.discord.answers import NOT_TAKEN, NotYet, not_yet
from bot.discord.people import People
from bot.discord.seats.direct import DirectSeats
from bot.tables import ports
from bot.tables.live import LiveTable
from bot.tables.model import Delivery, HoleCards
from engine.state import Phase


class Deliveries:
    """Sends what is pending of a round; the publisher says when, and when again."""

    def __init__(self, store: ports.Store, people: People, direct: DirectSeats) -> None:
        self._direct = direct
        self._store = store
        self._people = people
        self._unnoted: dict[HoleCards, Delivery] = {}  # what became of rows, where not stored yet

    async def of_round(self, live: LiveTable) -> bool:
        """Send the hole cards of the round being bid to whoever has not got them yet.

        Whether somebody's direct messages were found closed. One that cannot be sent or noted cuts
        no other short; then this raises `StoreUnavailable`, `NotYet`, or whatever it was, and may
        be asked again: nothing is sent twice.
        """
        match = live.match
        if match is None or match.round is None or live.table.match_id is None:
            return False
        if match.phase is not Phase.BIDDING:  # a showdown shows them all
            return False
        rows = await self._store.matches.deliveries(live.table.match_id, match.round.number)
        pending = [row for row in rows if row.state is Delivery.PENDING]
        sent = (self._deliver(live, row) for row in pending)
        became = await asyncio.gather(*sent, return_exceptions=True)
        failures = [outcome for outcome in became if isinstance(outcome, BaseException)]
        failures.sort(key=lambda failure: isinstance(failure, NotYet))  # that is the least of them
        for failure in failures:
            raise failure
        return True in became

    async def _deliver(self, live: LiveTable, row: HoleCards) -> bool:
        """Send one seat's cards and note it; whether their direct messages were found closed."""
        if not await self._people.wants_letters(row.player, live.table):
            return False  # who asks for letters gets them from the next deal on
        state, found_closed = self._unnoted.get(row), False
        if state is None:
            before = await self._people.company(live.table)
            state = await self._write(live, row)
            found_closed = state is Delivery.CLOSED and row.player not in before.closed
        self._unnoted[row] = state
        await self._store.matches.note_delivery(row, state)
        del self._unnoted[row]
        return found_closed

    async def _write(self, live: LiveTable, row: HoleCards) -> Delivery:
        try:
            if await self._direct.turned(live, row):
                return Delivery.SENT
        except NOT_TAKEN as error:
            raise not_yet(error) from error

        async def letter(channel: discord.abc.Messageable) -> None:
            await self._direct.write(channel, live, row)

        return await self._people.write(row.player, letter)
