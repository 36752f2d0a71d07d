"""Private seats at the table: opened once, then they follow the game for as long as Discord allows.

A seat is an ephemeral message. It can be edited only with the token of the interaction that made it
or of a press on it, for fifteen minutes; the newest token a person and table is kept in memory and
nowhere else. By that the seat comes anew below the table at each deal, and the one before is
deleted. After that, or after a restart, one press on the old message or on My seat does it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

import discord
import structlog

from bot.boards.pad import Pick
from bot.boards.seat import Notice
from bot.discord import answers
from bot.discord.answers import NOT_TAKEN, Interaction
from bot.discord.layout import Rendered
from bot.discord.pacing import KEPT, ByChannel, Urgency, urgency
from bot.discord.people import People
from bot.discord.redraw_queue import RedrawQueue
from bot.discord.seats.direct import DirectSeats
from bot.discord.seats.following import FollowedSeat, Following, Key, Tokens, deal_of, expiry, shown
from bot.tables import errors
from bot.tables.live import LiveTable, dealt_to
from bot.tables.service import Tables

log = structlog.get_logger(__name__)


@dataclass(slots=True, eq=False)
class _ByToken(FollowedSeat):
    """A seat that is edited by the token of an interaction."""

    by: Interaction | None = None
    follow_up: int | None = None  # None: it is the interaction's own answer

    @property
    def interaction(self) -> Interaction | None:
        """By whose token it is edited."""
        return self.by

    async def edit(self, ready: Rendered) -> discord.Message | None:
        """Have it show this; as it is then, if known. Raises `NOT_TAKEN`."""
        if self.by is None:
            return None
        if self.follow_up is None:
            return await answers.edit_in_place(self.by, ready)
        return await self.by.followup.edit_message(
            self.follow_up, view=ready.view, attachments=ready.files
        )

    async def delete(self) -> None:
        """Have it gone. Raises `NOT_TAKEN`."""
        if self.by is None:
            return
        async with answers.limit(self.by):
            if self.follow_up is None:
                await self.by.delete_original_response()
            else:
                await self.by.followup.delete_message(self.follow_up)


class Seats(Following):
    """Opens, redraws and follows seats; there is one a person and table."""

    def __init__(
        self,
        tables: Tables,
        people: People,
        queue: RedrawQueue,
        direct: DirectSeats,
        by_token: ByChannel = ByChannel(paced=False),
    ) -> None:
        super().__init__(tables, people, queue, by_token)
        self._direct = direct
        self._tokens = Tokens()
        self._coming: set[Key] = set()  # whose seat is on its way, as they have none
        self._leaving: dict[
            tuple[str, FollowedSeat], int
        ] = {}  # seats to be deleted, and their channels

    # -- opening and answering ---------------------------------------------------------------------

    def pressed(self, table_id: int, interaction: Interaction) -> None:
        """Somebody has done something at a table: by this their seat follows from now on."""
        self._tokens.remember(table_id, interaction)

    async def open(
        self, interaction: Interaction, live: LiveTable, notice: Notice | None = None
    ) -> bool:
        """Show the asker's seat in a new private message. False if Discord did not take it.

        Nor does it where the table was promised to everybody, and could not be shown: the seat
        would stand in its place.
        """
        player = interaction.user.id
        self.pressed(live.table.id, interaction)
        if answers.is_owed_to_all(interaction):
            return False
        board = await self._board(live, player, notice=notice)

        async def post(ready: Rendered) -> discord.Message | None:
            return await answers.send(
                interaction, view=ready.view, files=ready.files, ephemeral=True
            )

        try:
            async with answers.limit(interaction):
                ready, sent = await answers.drawn_in(None, board, post)
        except NOT_TAKEN as error:
            answers.not_taken(error)
            return False
        message = sent.id if sent is not None else None
        seat = _by_token(interaction, message, message if answers.is_follow_up(sent) else None)
        self._keep(live, player, seat, ready)
        return True

    def is_open(self, live: LiveTable, player: int) -> bool:
        """Whether a seat of theirs keeps itself up to date."""
        return any(key[1] == player for key, _ in self._open.of(live.table.id))

    @contextmanager
    def answering(self, table_id: int, player: int) -> Iterator[None]:
        """While a press in a seat is judged: its answer will redraw that seat, nothing else."""
        with super().answering(table_id, player), self._direct.answering(table_id, player):
            yield

    async def redraw(
        self,
        interaction: Interaction,
        live: LiveTable,
        pick: Pick = Pick(),
        notice: Notice | None = None,
    ) -> None:
        """Answer a press on a seat by redrawing it; its token is the newest from now on."""
        with self.answering(live.table.id, interaction.user.id):
            if answers.is_letter(interaction):
                await self._direct.redraw(interaction, live, pick, notice)
            else:
                await self._redraw(interaction, live, pick, notice)

    async def _redraw(
        self, interaction: Interaction, live: LiveTable, pick: Pick, notice: Notice | None
    ) -> None:
        player = interaction.user.id
        board = await self._board(live, player, pick, notice)
        pressed = interaction.message.id if interaction.message is not None else None
        seat = _by_token(interaction, pressed)
        seat.pick = pick
        edit = partial(answers.edit_in_place, interaction)
        try:
            async with answers.limit(interaction):
                ready, _ = await answers.drawn_in(interaction, board, edit)
        except NOT_TAKEN as error:
            answers.not_taken(error)
            return
        self._keep(live, player, seat, ready)

    def _keep(self, live: LiveTable, player: int, seat: FollowedSeat, ready: Rendered) -> None:
        """Of two seats of a person the lower one stays, and the other is deleted."""
        key = live.table.id, player
        before = self._open.get(key)
        if (
            before is not None
            and before.message != seat.message
            and before.until > time.monotonic()
        ):
            if seat.message is not None and (before.message or 0) > seat.message:
                self._remove(seat)
                if before.shows != shown(live):
                    self._follow(key, before)
                return
            self._remove(before)
        super()._keep(live, player, seat, ready)

    def _remove(self, seat: FollowedSeat) -> None:
        if isinstance(seat, _ByToken):
            self._begin(self._delete(seat), "seat-goes")

    async def _delete(self, seat: _ByToken) -> None:
        """Delete a seat that another has replaced, when nobody waits for anything there."""
        who = "going", seat
        self._leaving[who] = seat.channel
        try:
            if self._settling:
                self._by_token.spend(seat.channel)
            else:
                with urgency(Urgency.CATCHING_UP):
                    await self._by_token.turn(seat.channel, who)
            if seat.until > time.monotonic():
                await seat.delete()
        except NOT_TAKEN as error:  # its controls are answered all the same
            log.info("seats: one was not deleted", code=answers.code_of(error))
        finally:
            del self._leaving[who]

    async def settled(self) -> None:
        """Wait until every seat is up to date, those by direct message too."""
        await super().settled()
        await self._direct.settled()

    def close(self) -> None:
        """Follow nothing any more."""
        super().close()
        self._direct.close()

    def _hurry(self) -> None:
        super()._hurry()
        for who, channel in self._leaving.items():
            self._by_token.hurry(channel, who)

    # -- following the game ------------------------------------------------------------------------

    def changed(self, live: LiveTable, *, answered: bool) -> None:
        """Bring every open seat of the table up to date, one edit at a time each.

        Those that come anew below the table's new message wait for it: see `drawn`.
        """
        for key, seat in self._open.of(live.table.id):
            waits = live.needs_new_message and self._may_come(key, live) is not None
            if not waits or key in self._answering:
                self._tell(key, seat, live)

    def drawn(self, live: LiveTable) -> None:
        """The table's message was posted or redrawn, or could not be: whose seats are above it?"""
        if deal_of(live) is None:
            return
        seats = dict(self._open.of(live.table.id))
        for key in dict.fromkeys((*seats, *self._tokens.of(live.table.id))):
            seat = seats.get(key)
            if self._may_come(key, live) is None:
                continue
            if key in self._answering:
                if seat is None or _is_above(seat, live):  # when it is answered, too
                    self._covered.add(key)
            elif seat is not None and (_is_above(seat, live) or seat.shows != shown(live)):
                self._follow(key, seat)
            elif seat is None and not live.needs_new_message and key not in self._coming:
                self._coming.add(key)
                self._begin(self._arrive(key, live), f"seat-{key[0]}")

    def brought_down(self, live: LiveTable, player: int) -> None:
        """Somebody has brought the table down: their seat comes below it once more in this deal."""
        self._tokens.used((live.table.id, player), None)
        self.drawn(live)

    def _may_come(self, key: Key, live: LiveTable) -> Interaction | None:
        """By which a seat with the cards of this deal may come anew; None if it may not."""
        if live.table.is_practice:
            return None
        newest = self._tokens.newest(live, key[1], deal_of(live))
        return newest if newest is not None and dealt_to(live, key[1]) is not None else None

    async def _bring_up(self, key: Key, seat: FollowedSeat) -> None:
        live = await self._tables.see(key[0])
        above = not live.needs_new_message and _is_above(seat, live)
        if not above or not await self._come(key, seat, live):
            await self._edit(key, seat, live)

    async def _arrive(self, key: Key, live: LiveTable) -> None:
        """A seat for who has none, and has done something of late."""
        try:
            if self._settling:
                self._by_token.spend(live.table.channel_id)
            else:
                await self._by_token.turn(live.table.channel_id, ("coming", key))
            await self._queue.turn(key)
            live = await self._tables.see(key[0])
            if self._open.get(key) is None and not live.needs_new_message:
                await self._come(key, None, live)
        except errors.RefusedError as refusal:
            log.info("seats: not followed", table=key[0], refusal=type(refusal).__name__)
        except Exception:
            log.exception("seats: could not be followed", table=key[0])
        finally:
            self._coming.discard(key)

    async def _come(self, key: Key, seat: FollowedSeat | None, live: LiveTable) -> bool:
        """Post a person's seat anew; False if it is to be edited where it is.

        So it is where a channel's share of requests by tokens is nearly spent: this takes two.
        """
        if self._may_come(key, live) is None or self._by_token.left(live.table.channel_id) < KEPT:
            return False
        board = await self._board(live, key[1])
        if key in self._answering:  # which brings it up to date
            self._answering[key] = True
            return True
        newer = self._open.get(key)
        if newer is not seat:  # a press was answered meanwhile
            if newer is not None:
                self._follow(key, newer)
            return True
        interaction = self._may_come(key, live)  # that of a later press perhaps
        if interaction is None:
            return False
        self._tokens.used(key, deal_of(live))

        async def post(ready: Rendered) -> discord.WebhookMessage:
            return await interaction.followup.send(
                view=ready.view, files=ready.files, ephemeral=True, wait=True
            )

        try:
            async with answers.limit(interaction):
                ready, sent = await answers.drawn_in(None, board, post)
        except NOT_TAKEN as error:
            log.info("seats: one did not come", table=key[0], code=answers.code_of(error))
            return False
        new = _by_token(interaction, sent.id, sent.id)
        self._keep(live, key[1], new, ready)
        if key in self._answering:  # in the one before, which goes: it is looked at once more
            self._covered.add(key)
        return True


def _by_token(
    interaction: Interaction, message: int | None, follow_up: int | None = None
) -> FollowedSeat:
    channel = interaction.channel_id or 0
    return _ByToken(channel, expiry(interaction), message, by=interaction, follow_up=follow_up)


def _is_above(seat: FollowedSeat, live: LiveTable) -> bool:
    """Whether a seat stands above the table's message: a later message has a greater id."""
    return (seat.message or 0) < (live.table.message_id or 0)
