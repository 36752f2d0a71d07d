"""Private seats: opened once, then they keep themselves up to date for as long as Discord allows.

A seat is an ephemeral message. It can be edited only with the token of the interaction that made it
or of a press on it, for fifteen minutes; the newest token a person and table is kept in memory and
nowhere else. After that, or after a restart, one press on the old message or on My seat does it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import Final

import discord
import structlog

from bot.boards.board import Board
from bot.boards.own import as_liked
from bot.boards.pad import Pick
from bot.boards.practice import practice_board
from bot.boards.seat import Notice, seat_board
from bot.discord.answers import (
    HEAD_START,
    NOT_TAKEN,
    Interaction,
    code_of,
    drawn_in,
    edit_in_place,
    is_follow_up,
    is_refused,
    limit,
    not_taken,
    send,
)
from bot.discord.aside import Aside
from bot.discord.drawing import afterwards
from bot.discord.layout import Files, Rendered, files_of, rendered
from bot.discord.links import message_link
from bot.discord.pacing import ByChannel, Urgency, urgency
from bot.discord.people import People
from bot.discord.tables.open_seats import Key, OpenSeats
from bot.languages import speaking
from bot.moments import host_clock
from bot.tables import refusals
from bot.tables.changes import Changes
from bot.tables.live import LiveTable
from bot.tables.personal import language_of
from bot.tables.practice import is_practice
from bot.tables.service import Tables
from engine.play import legal
from engine.state import Phase

log = structlog.get_logger(__name__)

RETRY_SECONDS: Final = (0.5, 2.0, 8.0)
TOKEN_LIVES: Final = 14.5 * 60  # seconds; Discord's fifteen minutes, less what is under way


@dataclass(slots=True, eq=False)
class _Seat:
    """An open seat: how it is edited, what it shows, and whether it must be brought up to date."""

    interaction: Interaction
    follow_up: int | None  # None: it is the interaction's own answer
    until: float
    message: int | None = None  # its id, as far as it is known
    pick: Pick = field(default_factory=Pick)
    shows: object = None  # what it shows of the table, see `_shown`
    files: Files = field(default_factory=dict)  # which it has, so that an edit can keep them
    cards: object = None  # which it shows, see `_cards`
    dirty: bool = False
    pressing: bool = False  # it is not to be behind
    failed: int = 0  # how often in a row Discord has not taken it for now
    awaited: bool = False  # its player waits for it: to act, or for other cards
    worker: asyncio.Task[None] | None = None

    @property
    def channel(self) -> int:
        """Where it is."""
        return self.interaction.channel_id or 0


class Seats:
    """Opens, redraws and follows seats. Listens to changes of tables."""

    def __init__(
        self,
        tables: Tables,
        changes: Changes,
        people: People,
        aside: Aside,
        by_token: ByChannel = ByChannel(paced=False),
    ) -> None:
        self._tables = tables
        self._by_token = by_token
        self._aside = aside
        self._people = people
        self._open = OpenSeats[_Seat]()
        self._workers: set[asyncio.Task[None]] = set()
        self._later: dict[Key, asyncio.TimerHandle] = {}  # of seats that are behind
        self._answering: dict[Key, bool] = {}  # whether the seat was left behind meanwhile
        self._covered: set[Key] = set()  # of those: an older drawing may have come after the answer
        self._settling = 0  # how many wait until all are up to date: nobody only looks on then
        changes.listen(self)

    # -- opening and answering ---------------------------------------------------------------------

    async def open(
        self, interaction: Interaction, live: LiveTable, notice: Notice | None = None
    ) -> bool:
        """Show the asker's seat in a new private message. False if Discord did not take it."""
        player = interaction.user.id
        board = await self._board(live, player, notice=notice)
        ready = await rendered(board)
        seat = _Seat(interaction, None, _expiry(interaction))
        try:
            async with limit(interaction):
                sent = await send(interaction, view=ready.view, files=ready.files, ephemeral=True)
        except NOT_TAKEN as error:
            not_taken(error)
            return False
        seat.message = sent.id if sent is not None else None
        seat.follow_up = seat.message if is_follow_up(sent) else None
        seat.files = files_of(sent)
        self._keep(live, player, seat, ready)
        return True

    def is_open(self, live: LiveTable, player: int) -> bool:
        """Whether a seat of theirs keeps itself up to date."""
        return any(key[1] == player for key, _ in self._open.of(live.table.id))

    async def redraw(
        self,
        interaction: Interaction,
        live: LiveTable,
        pick: Pick = Pick(),
        notice: Notice | None = None,
    ) -> None:
        """Answer a press on a seat by redrawing it; its token is the newest from now on."""
        with self.answering(live.table.id, interaction.user.id):
            await self._redraw(interaction, live, pick, notice)

    async def _redraw(
        self, interaction: Interaction, live: LiveTable, pick: Pick, notice: Notice | None
    ) -> None:
        player = interaction.user.id
        board = await self._board(live, player, pick, notice)
        before = self._open.get((live.table.id, player))
        pressed = interaction.message.id if interaction.message is not None else None
        seat = _Seat(interaction, None, _expiry(interaction), pressed, pick)
        # what was drawn since the press is known here alone
        known = before is not None and before.message == pressed
        there = before.files if before is not None and known else files_of(interaction.message)
        edit = partial(edit_in_place, interaction)
        try:
            async with limit(interaction):
                ready, edited = await drawn_in(interaction, there, board, edit)
        except NOT_TAKEN as error:
            not_taken(error)
            return
        seat.files = files_of(edited)
        self._keep(live, player, seat, ready)

    def _keep(self, live: LiveTable, player: int, seat: _Seat, ready: Rendered) -> None:
        key = live.table.id, player
        self._open[key] = seat
        self._note(key, seat, live, ready)
        if not self._tables.is_latest(live):
            self._follow((live.table.id, player), seat)

    async def _board(
        self, live: LiveTable, player: int, pick: Pick = Pick(), notice: Notice | None = None
    ) -> Board:
        # while the news has no message yet, the one before would mislead
        link = None if live.needs_new_message else message_link(live.table)
        known = await self._people.known(player)
        if is_practice(live.table):
            company = await self._people.company(live.table)
            with speaking(language_of(known)):
                own = practice_board(live, player, company.names, pick, notice)
        else:
            with speaking(language_of(known)):
                own = seat_board(live, player, pick, notice, link)
        return as_liked(own, known)

    def _note(self, key: Key, seat: _Seat, live: LiveTable, ready: Rendered) -> None:
        """Remember what a seat shows; a picture that is still being drawn is brought up later."""
        seat.shows = _shown(live)
        seat.cards = _cards(live)

        async def arrived() -> None:
            if self._open.get(key) is seat:
                self._follow(key, seat)

        if ready.late:
            afterwards(ready.late, arrived)

    # -- following the table -----------------------------------------------------------------------

    def changed(self, live: LiveTable, *, answered: bool) -> None:
        """Bring every open seat of the table up to date, one edit at a time each."""
        for key, seat in self._open.of(live.table.id):
            if key in self._answering:
                self._answering[key] = True
            elif seat.shows != _shown(live):
                pressing = not _may_be_behind(seat, live, key[1])
                self._follow(key, seat, pressing=pressing, awaited=_is_awaited(seat, live, key[1]))

    @contextmanager
    def answering(self, table_id: int, player: int) -> Iterator[None]:
        """While a press in a seat is judged: its answer will redraw that seat, nothing else."""
        key = table_id, player
        if key in self._answering:  # pressed twice
            yield
            return
        before = self._open.get(key)
        self._answering[key] = False
        try:
            yield
        finally:
            behind, seat = self._answering.pop(key), self._open.get(key)
            covered = key in self._covered
            self._covered.discard(key)
            if seat is not None and (covered or (behind and seat is before)):
                self._follow(key, seat)  # or: the answer was not taken

    async def settled(self) -> None:
        """Wait until every open seat is up to date (for a clean stop, and for tests)."""
        # of those that are done `gather` waits for nothing, not even for them to be discarded
        self._settling += 1
        try:
            while working := [one for one in self._workers if not one.done()]:
                for seat in self._open.values():
                    self._by_token.hurry(seat.channel, seat)
                    self._aside.hurry(seat)
                await asyncio.gather(*working, return_exceptions=True)
        finally:
            self._settling -= 1

    def _follow(
        self, key: Key, seat: _Seat, *, pressing: bool = True, awaited: bool = True
    ) -> None:
        seat.dirty = True
        if awaited:
            seat.awaited = True
            self._by_token.hurry(seat.channel, seat)
        if pressing:
            seat.pressing = True
            self._aside.hurry(seat)
        if seat.worker is None:
            seat.worker = asyncio.create_task(self._work(key, seat), name=f"seat-{key[0]}")
            self._workers.add(seat.worker)
            seat.worker.add_done_callback(self._workers.discard)

    async def _work(self, key: Key, seat: _Seat) -> None:
        try:
            await asyncio.sleep(HEAD_START)
            while seat.dirty and self._open.get(key) is seat:
                if not self._settling:
                    with urgency(Urgency.AWAITED if seat.awaited else Urgency.CATCHING_UP):
                        await self._by_token.turn(seat.channel, seat)
                await self._aside.turn(seat, pressing=seat.pressing or self._settling > 0)
                # what came meanwhile is shown too
                seat.dirty = seat.pressing = seat.awaited = False
                if self._open.get(key) is seat:  # else a press was answered meanwhile
                    await self._edit(key, seat)
        except refusals.RefusedError as refusal:
            log.info("seats: not followed", table=key[0], refusal=type(refusal).__name__)
        except Exception:
            log.exception("seats: could not be followed", table=key[0])
        finally:
            seat.worker = None

    def close(self) -> None:
        """Follow nothing any more."""
        for waiting in self._later.values():
            waiting.cancel()
        self._later.clear()

    def _try_later(self, key: Key, seat: _Seat) -> None:
        """Bring a seat up to date after a pause, if it can still be edited then."""
        wait = RETRY_SECONDS[min(seat.failed, len(RETRY_SECONDS) - 1)]
        seat.failed += 1

        def again() -> None:
            self._later.pop(key, None)
            if self._open.get(key) is seat and seat.until > time.monotonic():
                self._follow(key, seat)

        earlier = self._later.pop(key, None)
        if earlier is not None:
            earlier.cancel()
        self._later[key] = asyncio.get_running_loop().call_later(wait, again)

    async def _edit(self, key: Key, seat: _Seat) -> None:
        live = await self._tables.see(key[0])
        if seat.shows != _shown(live):
            seat.pick = Pick()  # what was being put together was for an earlier state
        board = await self._board(live, key[1], seat.pick)

        async def edit(ready: Rendered) -> discord.Message | None:
            if self._open.get(key) is not seat:
                return None  # a press was answered meanwhile, and that shows more
            if key in self._answering:  # or is being answered; what is sent now may cover that
                self._answering[key] = True
                return None
            if seat.follow_up is None:
                return await edit_in_place(seat.interaction, ready)
            return await seat.interaction.followup.edit_message(
                seat.follow_up, view=ready.view, attachments=ready.attachments
            )

        try:
            async with limit(seat.interaction):
                ready, edited = await drawn_in(seat.interaction, seat.files, board, edit)
        except NOT_TAKEN as error:
            if not is_refused(error):
                log.info("seats: one is behind", table=key[0], error=type(error).__name__)
                self._try_later(key, seat)
                return
            # dismissed, or the token is used up: it is opened anew by a press
            log.info("seats: one is lost", table=key[0], code=code_of(error))
            if self._open.get(key) is seat:
                del self._open[key]
            return
        seat.failed = 0
        if edited is None:
            return
        seat.files = files_of(edited)
        self._note(key, seat, live, ready)
        newer = self._open.get(key)
        if key in self._answering:  # what was on its way may cover the answer
            self._covered.add(key)
        elif newer is not None and newer is not seat:
            self._follow(key, newer)


def _shown(live: LiveTable) -> object:
    """What a seat shows of a table: where it is equal, no seat needs to be drawn anew."""
    table = live.table
    seq = live.match.seq if live.match is not None else 0
    return table.match_id, seq, table.status, table.turn_ends, tuple(sorted(table.absent.items()))


def _cards(live: LiveTable) -> object:
    """What tells the cards that a seat shows from others; None: there are none to be bid on."""
    match = live.match
    if match is None or match.round is None or match.phase is not Phase.BIDDING:
        return None
    return live.table.match_id, match.round.number


def _may_be_behind(seat: _Seat, live: LiveTable, player: int) -> bool:
    """Whether a seat shows the right cards, and its player has nothing to do but to look on."""
    match = live.match
    if match is None or match.round is None or seat.cards is None or seat.cards != _cards(live):
        return False
    where, may = match.seat_of(player), legal(match)
    return where is not None and where != may.bidder and where not in may.challengers


def _is_awaited(seat: _Seat, live: LiveTable, player: int) -> bool:
    """Whether a seat shows other cards than its player's, or they are to bid."""
    match = live.match
    if match is None or match.round is None or seat.cards is None or seat.cards != _cards(live):
        return True
    return match.seat_of(player) == legal(match).bidder


def _expiry(interaction: Interaction) -> float:
    # Discord dates interactions, by its own clock
    now = discord.utils.utcnow() - timedelta(milliseconds=host_clock.ahead)
    age = max(0.0, (now - interaction.created_at).total_seconds())
    return time.monotonic() + TOKEN_LIVES - age
