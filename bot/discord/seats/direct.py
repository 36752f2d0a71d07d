"""Seats by direct message, for who has chosen to have their cards there.

A letter is the bot's own message, so it can be edited for ever; but that is one of the requests of
which Discord takes only so many of a bot. So there is one letter a match, which is edited at each
deal (an edit pings nobody), when its player is asked for something or no more, at the end of a
round, once where its player is out, and at the end of the match. What happens in between is shown
in it for as long as the token of a press in it lives.
Which message it is, is kept in memory; after a start it is found by its controls, but that of who
was out before, which is not looked for. A row in the store for each seat and round says what became
of its cards (`Deliveries`), so that they are sent once, also when a process ends in between.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from functools import partial
from typing import Final
from weakref import WeakValueDictionary

import discord
import structlog

from bot.boards.pad import Pick
from bot.boards.seat import Notice
from bot.discord import answers
from bot.discord.answers import NOT_TAKEN, Interaction, NotYet
from bot.discord.layout import Rendered, controls_of
from bot.discord.links import channel_link, letter_link
from bot.discord.pacing import ByChannel, Urgency, urgency
from bot.discord.people import People
from bot.discord.redraw_queue import RedrawQueue
from bot.discord.seats.following import (
    FollowedSeat,
    Following,
    Key,
    deal_of,
    expiry,
    is_awaited,
    shown,
)
from bot.discord.sending import NOBODY, post_once
from bot.recent import Recent
from bot.tables import errors, ports
from bot.tables.live import LiveTable
from bot.tables.model import Delivery, HoleCards, Status
from bot.tables.service import Tables
from engine.state import Phase

log = structlog.get_logger(__name__)

# messages, for a letter that was sent before a start: reminders and digests of days may be below
LOOKED_THROUGH: Final = 100
FOR_EVER: Final = float("inf")
REMEMBERED: Final = 4096  # tables


@dataclass(slots=True, eq=False)
class _Letter(FollowedSeat):
    """A seat by direct message: by the token of a press in it while that lives, else the bot's."""

    sent: discord.PartialMessage | None = None
    match: int | None = None
    out: bool = False  # it says that its player is: nothing comes after that but who wins
    by: Interaction | None = None
    by_until: float = 0.0

    @property
    def interaction(self) -> Interaction | None:
        """By whose token it is edited; None: by the bot's."""
        return self.by if self.by_until > time.monotonic() else None

    async def edit(self, ready: Rendered) -> discord.Message | None:
        """Have it show this; as it is then. Raises `NOT_TAKEN`."""
        by = self.interaction
        if by is not None:
            try:
                return await answers.edit_in_place(by, ready)
            except NOT_TAKEN as error:
                if not answers.is_refused(error):
                    raise
                self.by = None  # it was used up sooner than we thought
        if self.sent is None:
            return None
        return await self.sent.edit(
            view=ready.view, attachments=ready.files, allowed_mentions=NOBODY
        )


class DirectSeats(Following):
    """Writes and follows them."""

    apart = True

    def __init__(
        self,
        client: discord.Client,
        store: ports.Store,
        tables: Tables,
        people: People,
        queue: RedrawQueue,
        by_token: ByChannel = ByChannel(paced=False),
    ) -> None:
        super().__init__(tables, people, queue, by_token)
        self._client = client
        self._store = store
        # a lock lives as long as somebody holds or awaits it
        self._drawing: WeakValueDictionary[Key, asyncio.Lock] = WeakValueDictionary()
        # tables, and of which match there was news; the latest last
        self._looked = Recent[int, int | None](REMEMBERED)

    async def turned(self, live: LiveTable, row: HoleCards) -> bool:
        """Have the letter that a player has show the cards of a round; False if there is none.

        It is edited though their direct messages may be closed by now. Raises `NOT_TAKEN`.
        """
        key = live.table.id, row.player
        async with self._lock(key), asyncio.timeout(answers.LATER_WITHIN):
            letter = self._known(key, live)
            return letter is not None and await self._turned(key, letter, live)

    async def write(
        self, channel: discord.abc.Messageable, live: LiveTable, row: HoleCards
    ) -> None:
        """Send a round's cards to who has no letter yet, or one of before a start.

        Raises `NOT_TAKEN`.
        """
        key = live.table.id, row.player
        async with self._lock(key):
            letter = None
            if row.round > 1:
                letter = await self._find_letter(channel, key, row.match_id)
            if letter is None or not await self._turned(key, letter, live):
                await self._send(channel, live, row)

    def link_to(self, table_id: int, player: int) -> str | None:
        """The address of somebody's letter of a table; None if they have none that is known."""
        letter = self._open.get((table_id, player))
        return letter_link(letter.channel, letter.message) if letter is not None else None

    def _lock(self, key: Key) -> asyncio.Lock:
        return self._drawing.setdefault(key, asyncio.Lock())

    def _known(self, key: Key, live: LiveTable) -> _Letter | None:
        letter = self._open.get(key)
        of_match = isinstance(letter, _Letter) and letter.match == live.table.match_id
        return letter if isinstance(letter, _Letter) and of_match else None

    async def _turned(self, key: Key, letter: _Letter, live: LiveTable) -> bool:
        """Have a letter show a new deal. Whether it can be edited still."""
        letter.pick = Pick()
        board = await self._board(live, key[1])
        try:
            ready, _ = await answers.drawn_in(None, board, letter.edit)
        except NOT_TAKEN as error:
            if not answers.is_refused(error):
                raise
            log.info("letters: another is written", table=key[0], code=answers.code_of(error))
            if self._open.get(key) is letter:
                del self._open[key]
            return False
        self._keep(live, key[1], letter, ready)
        if key in self._answering:  # what was on its way may cover the answer
            self._covered.add(key)
        return True

    async def _send(
        self, channel: discord.abc.Messageable, live: LiveTable, row: HoleCards
    ) -> None:
        board = await self._board(live, row.player)

        async def send(nonce: str) -> tuple[Rendered, discord.Message]:
            async def post(ready: Rendered) -> discord.Message:
                return await channel.send(view=ready.view, files=ready.files, nonce=nonce)

            return await answers.drawn_in(None, board, post)

        ready, sent = await post_once(f"h{row.match_id}.{row.round}.{row.seat}", send)
        letter = self._letter(sent, row.match_id)
        self._keep(live, row.player, letter, ready)

    def _letter(self, message: discord.Message, match_id: int | None) -> _Letter:
        channel = self._client.get_partial_messageable(message.channel.id)
        sent = channel.get_partial_message(message.id)
        return _Letter(message.channel.id, FOR_EVER, message.id, sent=sent, match=match_id)

    async def _find_letter(
        self, channel: discord.abc.Messageable, key: Key, match_id: int
    ) -> _Letter | None:
        """A match's letter that was sent before a start; None if there is none."""
        async for one in channel.history(limit=LOOKED_THROUGH):
            said = [found.address for found in controls_of(one)]
            if one.author == self._client.user and any(
                (address.table, address.match) == (key[0], match_id) for address in said
            ):
                return self._letter(one, match_id)
        return None

    async def redraw(
        self, interaction: Interaction, live: LiveTable, pick: Pick, notice: Notice | None
    ) -> None:
        """Answer a press in a letter by redrawing it."""
        message, key = interaction.message, (live.table.id, interaction.user.id)
        if message is None:
            return
        board = await self._board(live, key[1], pick, notice)
        edit = partial(answers.edit_in_place, interaction)
        try:
            async with answers.limit(interaction):
                ready, _ = await answers.drawn_in(interaction, board, edit)
        except NOT_TAKEN as error:
            answers.not_taken(error)
            return
        known = self._known(key, live)
        lower = known is not None and (known.message or 0) > message.id
        if lower or live.table.status is not Status.PLAYING:
            return
        if self._tables.runtime.looks_after(live.table):  # else another process follows it
            letter = self._letter(message, live.table.match_id)
            letter.pick = pick
            letter.out = _is_out(live, key[1]) and deal_of(live) is None
            letter.by, letter.by_until = interaction, expiry(interaction)
            self._keep(live, key[1], letter, ready)

    # -- following ---------------------------------------------------------------------------------

    def changed(self, live: LiveTable, *, answered: bool) -> None:
        """Bring the letters of the table up to date that are worth a request."""
        number, match = live.table.id, live.match
        if match is not None and match.round is not None and self._is_first(live):
            self._begin(self._look(live, match.round.number), f"letters-{number}")
        super().changed(live, answered=answered)
        if live.table.status is not Status.PLAYING:
            for key, seat in self._open.of(number):
                if seat.worker is None:  # nothing more is to be shown in it
                    del self._open[key]

    def _is_first(self, live: LiveTable) -> bool:
        """Whether this is the first that is heard of a match; it was dealt long ago perhaps."""
        number, before = live.table.id, self._looked.pop(live.table.id, None)
        self._looked[number] = live.table.match_id
        return before != live.table.match_id

    def _wants(self, seat: FollowedSeat, live: LiveTable, player: int) -> bool:
        """Whether a letter that is behind is worth an edit; a new deal is `write`'s to show."""
        if not isinstance(seat, _Letter) or seat.match != live.table.match_id:
            return False
        match, deal = live.match, deal_of(live)
        if match is None or match.round is None:
            return False
        if seat.out:  # who has had their data deleted since is written to no more
            over = live.table.status is not Status.PLAYING
            return over and match.seat_of(player) is not None
        if live.table.status is Status.PLAYING and _is_out(live, player):
            # at once, but that who still holds cards in the round sees how it ends
            return match.seat_of(player) is None or deal is None or seat.cards != deal
        if seat.cards is None:
            return live.table.status is not Status.PLAYING
        if seat.cards != (live.table.match_id, match.round.number):  # they want no letters now
            return False
        if deal is None or live.table.status is not Status.PLAYING:
            return True
        return seat.interaction is not None or seat.asks or is_awaited(seat, live, player)

    async def _turn(self, seat: FollowedSeat) -> None:
        """By the bot's token a request waits for its turn among all others, when it is made."""
        if seat.interaction is not None:
            await super()._turn(seat)

    async def _bring_up(self, key: Key, seat: FollowedSeat) -> None:
        assert isinstance(seat, _Letter)
        async with self._lock(key):
            live = await self._tables.see(key[0])
            wanted = self._wants(seat, live, key[1])
            if wanted:
                with urgency(Urgency.REDRAW):
                    await self._edit(key, seat, live)
        over = live.table.status is not Status.PLAYING
        done = seat.shows == shown(live) if wanted else over
        forgotten = live.match is None or live.match.seat_of(key[1]) is None
        if done and (over or forgotten) and self._open.get(key) is seat:
            del self._open[key]
        seat.out = seat.out or (done and _is_out(live, key[1]))

    async def _look(self, live: LiveTable, current: int) -> None:
        """Find the letters that were sent before a start: each is brought up to date once."""
        number = live.table.match_id
        if number is None:
            return
        try:
            rows = await self._store.matches.deliveries(number, current)
            for row in rows:
                key = live.table.id, row.player
                if row.state is Delivery.SENT and key not in self._open:
                    with urgency(Urgency.CATCHING_UP):
                        own = await self._client.create_dm(discord.Object(row.player))
                        letter = await self._find_letter(own, key, number)
                    if letter is not None and key not in self._open:
                        letter.cards, letter.asks = (number, current), True
                        self._open[key] = letter
                        self._follow(key, letter)
        except (errors.StoreUnavailable, *NOT_TAKEN) as error:
            log.info("letters: not looked for", table=live.table.id, error=type(error).__name__)

    def _link(self, live: LiveTable) -> str | None:
        return super()._link(live) or channel_link(live.table)


def _is_out(live: LiveTable, player: int) -> bool:
    """Whether somebody plays in the match no more."""
    where = live.match.seat_of(player) if live.match is not None else None
    return live.match is None or where is None or not live.match.seats[where].live


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
            raise answers.not_yet(error) from error

        async def letter(channel: discord.abc.Messageable) -> None:
            await self._direct.write(channel, live, row)

        return await self._people.write(row.player, letter)
