"""Show seats by direct message, to players who get their cards there.

There is one message for each match. Each edit is a request that Discord limits, so the message is
edited only at each deal, when its player's turn begins and ends, at the end of a round, once when
its player is out, and at the end of the match. Other changes are shown only while the token of a
press in the message is valid.

A stored row for each seat and round records whether its cards were sent, so they are sent once.
After a start, the message is found by its controls.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import discord

from bot.boards.board import Board
from bot.boards.pad import Pick
from bot.boards.seat import Notice, seat_state
from bot.discord import answers
from bot.discord.answers import Interaction
from bot.discord.delivery import machine
from bot.discord.delivery.boards import Boards
from bot.discord.delivery.driver import Driver, RequestResult, SurfacePlace
from bot.discord.delivery.machine import Act, Request, Surface, Target
from bot.discord.delivery.private import (
    Deal,
    Pressed,
    PrivatePlace,
    SeatToken,
    deal_of,
    is_to_act,
    take_press,
)
from bot.discord.drawing import draw
from bot.discord.layout import Rendered, controls_of
from bot.discord.links import direct_message_link
from bot.discord.outcomes import NOT_TAKEN, RequestOutcome, is_refused
from bot.discord.pacing import Urgency
from bot.discord.people import People
from bot.discord.sending import NOBODY, SEARCH_WITHIN, own_latest, post_once
from bot.recent import Recent
from bot.roster import people
from bot.services.tables import Tables
from bot.storage.store import SqlStore
from bot.tables import errors
from bot.tables.live import LiveTable
from bot.tables.model import Delivery, HoleCards, Status
from engine.state import Phase

REMEMBERED: Final = 4096  # tables to remember


class DirectSeatPlace(PrivatePlace):
    """A player's direct message about one match."""

    kind = "direct-seat"

    def __init__(self, owner: DirectSeats, live: LiveTable, player: int) -> None:
        super().__init__(owner.driver, live.table.id, player)
        self._owner = owner
        self.match = live.table.match_id
        self.channel_id: int | None = None  # the channel of the direct messages
        # the delivery row of the cards to send, until its outcome is stored
        self.row: HoleCards | None = None
        self._result: Delivery | None = None
        self.token: SeatToken | None = None  # of the newest press in it
        # the state at the last request that was worth one of the bot's own
        self._coarse: Hashable = None
        self._fine: Hashable = None
        self._deal: Deal | None = None  # the deal that it shows
        self.is_over = False

    def note_unsent(self, live: LiveTable, row: HoleCards) -> None:
        """Plan to show the cards of a new deal, and to store in `row` whether they arrived."""
        self.row, self._result = row, None
        self._deal = row.match_id, row.round
        self.pressed = Pressed(None)
        surface = self.surface._replace(noted=False)
        if row.round > 1 and surface.message is None and not surface.sent:
            surface = machine.search(surface)  # it may have been sent before the bot started
        self.surface = surface
        self.want(surface.target._replace(epoch=1))
        self.observe(live)

    def adopt(self, live: LiveTable) -> None:
        """Update a message that was sent earlier.

        If its deal isn't known, assume the table's current deal.
        """
        if self._deal is None and live.match is not None and live.match.round is not None:
            self._deal = live.table.match_id, live.match.round.number
        self.observe(live)

    def observe(self, live: LiveTable) -> None:
        """Plan to show the table's latest state if that is worth a request."""
        match, target = live.match, self.surface.target
        if live.table.match_id != self.match or match is None or match.round is None:
            return
        coarse = self._coarse_state(live)
        if coarse is None:
            return
        fine = seat_state(live, self.player)
        owed = self.row is not None and self.surface.refused_post is not None
        has_token = self.token is not None and self.token.is_valid
        followed = (owed or has_token) and fine != self._fine
        version = target.version + (coarse != self._coarse or followed)
        self._coarse, self._fine = coarse, fine
        self.want(Target(target.epoch, version))

    def _coarse_state(self, live: LiveTable) -> Hashable:
        """Return a state: when it changes, the message is worth a request. None: send none now."""
        match, deal = live.match, deal_of(live)
        assert match is not None
        assert match.round is not None
        seat = match.seat_of(self.player)
        self.is_over = live.table.status is not Status.PLAYING
        if self.is_over:
            # don't write to a person whose data has been deleted since
            return None if seat is None and self._coarse in ("out", "forgotten") else "over"
        if seat is None:
            return None if self._coarse in ("out", "forgotten") else "forgotten"
        if not match.seats[seat].live:
            sees_the_end = deal is not None and deal == self._deal and self._coarse != "out"
            # a player who still holds cards is shown how the round ends
            return None if sees_the_end else "out"
        if (live.table.match_id, match.round.number) != self._deal:
            return None  # they want no messages now, or the new deal is still to be sent
        if deal is None:
            return "ended", match.round.number
        if is_to_act(live, self.player):
            return "acts", deal, match.seq
        return "waits", deal

    def urgency(self, request: Request) -> Urgency:
        """Return how urgent a request is."""
        if request.act is Act.SEARCH:
            return Urgency.CATCHING_UP
        return Urgency.AWAITED if self.row is not None else Urgency.REDRAW

    def rest(self) -> None:
        """Forget the message if it needs no more updates."""
        nothing = self.surface.message is None and self.row is None
        if self.is_over or self._coarse == "forgotten" or nothing:
            self._owner.forget(self)

    async def perform(self, request: Request, interaction: Interaction | None) -> RequestResult:
        """Make a request; see `SurfacePlace.perform`."""
        if request.act in (Act.RETIRE, Act.FIND):  # leave an earlier match's message as it is
            return RequestResult()
        if request.act is Act.NOTE:
            await self._note()
            return RequestResult()
        if request.act is Act.SEARCH:
            return await self._search()
        live = await self._owner.tables.see(self.table_id)
        self.observe(live)
        if request.act is Act.POST:
            return await self._post(live)
        return await self._edit(live, interaction)

    async def _post(self, live: LiveTable) -> RequestResult:
        row = self._row_of(live)
        if row is None:
            return RequestResult(outcome=RequestOutcome.REFUSED)
        version = self.surface.target.version
        sent: list[discord.Message] = []

        async def write(channel: discord.abc.Messageable) -> None:
            async def send(nonce: str) -> tuple[Rendered, discord.Message]:
                post = partial(channel.send, nonce=nonce)
                board = await self._board(live)
                return await draw(board, lambda ready: post(view=ready.view, files=ready.files))

            ready, message = await post_once(f"h{row.match_id}.{row.round}.{row.seat}", send)
            self.follow(ready)
            sent.append(message)

        before = await self._owner.people.people_at(live.table)
        try:
            self._result = await self._owner.people.write(self.player, write)
        except errors.StoreUnavailable:
            if not sent:
                raise
            # it was sent; only that their messages are open could not be stored
            self._result = Delivery.SENT
        if not sent:
            if self._result is Delivery.CLOSED and self.player not in before.closed:
                await self._owner.found_closed(self.table_id)
            return RequestResult(outcome=RequestOutcome.REFUSED)
        self.channel_id = sent[-1].channel.id
        return RequestResult(((sent[-1].id, 1),), version)

    async def _edit(self, live: LiveTable, interaction: Interaction | None) -> RequestResult:
        version, board = self.surface.target.version, await self._board(live)
        token = self.token if interaction is None else SeatToken(interaction)
        ready: Rendered | None = None
        if token is not None and token.is_valid:
            try:
                async with token.limit():
                    ready, _ = await draw(board, partial(token.edit, answers.ORIGINAL))
            except NOT_TAKEN as error:
                if interaction is not None or not is_refused(error):
                    raise
                self.token = None  # it expired sooner than expected
        if ready is None:
            message_id = self.surface.message
            if self.channel_id is None or message_id is None:
                return RequestResult(outcome=RequestOutcome.GONE)
            channel = self._owner.client.get_partial_messageable(self.channel_id)
            by_bot = partial(channel.get_partial_message(message_id).edit, allowed_mentions=NOBODY)
            async with asyncio.timeout(answers.LATER_WITHIN):
                ready, _ = await draw(
                    board, lambda ready: by_bot(view=ready.view, attachments=ready.files)
                )
        self.follow(ready)
        if self._row_of(live) is not None:
            self._result = Delivery.SENT
        return RequestResult(version=version)

    def _row_of(self, live: LiveTable) -> HoleCards | None:
        """Return the unsent row of `live`'s deal, or None; drop a row of an earlier deal."""
        row, match = self.row, live.match
        number = match.round.number if match is not None and match.round is not None else 0
        if row is None or (row.match_id, row.round) == (live.table.match_id, number):
            return row
        if row.match_id != live.table.match_id or row.round < number:
            self.row = None
        return None

    async def _board(self, live: LiveTable) -> Board:
        pressed = self.current_press(live)
        return await self._owner.boards.for_player(live, self.player, pressed, apart=True)

    async def _search(self) -> RequestResult:
        async with asyncio.timeout(SEARCH_WITHIN):
            self.channel_id = (await self._owner.client.create_dm(discord.Object(self.player))).id
            sent = await own_latest(self._owner.client, self.channel_id)
        about = self.table_id, self.match
        for message in sent or ():
            addresses = [control.address for control in controls_of(message)]
            if any((address.table, address.match) == about for address in addresses):
                return RequestResult(((message.id, 1),))
        return RequestResult()

    async def _note(self) -> None:
        row, became = self.row, self._result
        if became is None and self.surface.message is not None:
            became = Delivery.SENT  # it already shows that deal
        if row is not None and became is not None:
            await self._owner.store.matches.note_delivery(row, became)
            if self.row is row:
                self.row = None


class _DealPlace(SurfacePlace):
    """Asks the store who gets a table's latest deal; the driver retries if the store fails."""

    kind = "deal"

    def __init__(self, owner: DirectSeats, table_id: int) -> None:
        super().__init__(Surface(Target(0, 0, present=False)), table_id)
        self._owner = owner

    async def perform(self, request: Request, interaction: Interaction | None) -> RequestResult:
        await self._owner.send_deal(self.table_id)
        return RequestResult()

    def rest(self) -> None:
        del self._owner.deal_places[self.table_id]


@dataclass(eq=False)
class DirectSeats:
    """Sends the direct messages with people's cards, and keeps them up to date."""

    client: discord.Client
    store: SqlStore
    tables: Tables
    people: People
    driver: Driver
    boards: Boards
    # called when a player's direct messages turn out to be closed
    found_closed: Callable[[int], Coroutine[Any, Any, None]]

    def __post_init__(self) -> None:
        self._places: dict[int, dict[int, DirectSeatPlace]] = {}  # by table and player
        # by table, the deal whose cards are being sent; the latest last
        self._deals = Recent[int, Hashable](REMEMBERED)
        self.deal_places: dict[int, _DealPlace] = {}  # by table, while the store is asked

    def update(self, live: LiveTable) -> None:
        """Start sending a new deal's cards and updating a table's other direct messages."""
        number = live.table.id
        for place in tuple(self._places.get(number, {}).values()):
            place.observe(live)
            self.driver.wake(place)
        if live.match is None or live.match.round is None or live.table.is_practice:
            return
        if self._deals.get(number) != _stage(live):
            deal_place = self.deal_places.setdefault(number, _DealPlace(self, number))
            deal_place.surface = deal_place.surface._replace(noted=False, waiting=False)
            self.driver.wake(deal_place)

    async def send_deal(self, table_id: int) -> None:
        """Start sending the cards of a table's latest deal.

        Raises `RefusedError` if the table or its rows can't be read.
        """
        live = await self.tables.see(table_id)
        if self._deals.get(table_id) != _stage(live):
            # if it is the table's first since the start, messages may have been sent before
            await self._owe(live, first=table_id not in self._deals)
            self._deals[table_id] = _stage(live)

    def place(self, table_id: int, player: int) -> DirectSeatPlace | None:
        """Return a player's direct message for a table, if it is known."""
        return self._places.get(table_id, {}).get(player)

    def link_to(self, table_id: int, player: int) -> str | None:
        """Return the address of a player's direct message; None if no message is known."""
        place = self.place(table_id, player)
        if place is None or place.channel_id is None:
            return None
        return direct_message_link(place.channel_id, place.surface.message)

    def is_due(self, live: LiveTable, player: int) -> bool:
        """Return whether a player's direct message will show that it is their turn."""
        place = self.place(live.table.id, player)
        return place is not None and (place.row is not None or place.surface.message is not None)

    async def redraw(
        self, interaction: Interaction, live: LiveTable, pick: Pick, notice: Notice | None
    ) -> None:
        """Redraw a pressed direct message; if it is outdated, only acknowledge the press."""
        player = interaction.user.id
        place = self.place(live.table.id, player)
        if place is None or place.match != live.table.match_id:
            place = DirectSeatPlace(self, live, player)
            if live.table.status is Status.PLAYING and self.tables.runtime.looks_after(live.table):
                self._keep(place)  # otherwise another process follows it, or it isn't followed
        place.press(live, pick, notice, whole=True)
        place.token, place.channel_id = SeatToken(interaction), interaction.channel_id
        if take_press(place, interaction):
            place.adopt(live)
            await self.driver.answer(place, interaction, may_post=False)
        else:
            await answers.acknowledge(interaction)

    def forget(self, place: DirectSeatPlace) -> None:
        """Stop updating a message."""
        places = self._places.get(place.table_id, {})
        if places.get(place.player) is place:
            del places[place.player]
            if not places:
                del self._places[place.table_id]

    def _keep(self, place: DirectSeatPlace) -> DirectSeatPlace:
        self._places.setdefault(place.table_id, {})[place.player] = place
        return place

    async def _owe(self, live: LiveTable, *, first: bool) -> None:
        match, match_id = live.match, live.table.match_id
        if match is None or match.round is None or match_id is None:
            return
        bidding = match.phase is Phase.BIDDING  # a showdown shows all cards
        if not first and not (bidding and await self._has_recipient(live)):
            return
        for row in await self.store.matches.deliveries(match_id, match.round.number):
            place = self.place(live.table.id, row.player)
            if place is not None and place.match != match_id:
                place = None
            if row.state is Delivery.PENDING and bidding:
                if not await self.people.wants_cards(row.player, live.table):
                    continue  # players who ask for them now get them from the next deal on
                place = place or self._keep(DirectSeatPlace(self, live, row.player))
                place.note_unsent(live, row)
            elif row.state is Delivery.SENT and first and place is None:
                place = self._keep(DirectSeatPlace(self, live, row.player))
                place.surface = machine.search(place.surface)
                place.adopt(live)
            if place is not None:
                self.driver.wake(place)

    async def _has_recipient(self, live: LiveTable) -> bool:
        """Return whether any player gets cards by direct message; if not, no rows are stored."""
        if live.table.id in self._places:
            return True
        players = people(live.table.players)
        return any([await self.people.wants_cards(player, live.table) for player in players])


def _stage(live: LiveTable) -> Hashable:
    """Return a key that changes with a table's round, and when its bidding begins or ends."""
    number = live.match.round.number if live.match is not None and live.match.round else 0
    return live.table.match_id, number, deal_of(live) is not None
