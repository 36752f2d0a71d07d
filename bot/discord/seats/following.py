"""Seats that keep themselves up to date: which of them are behind, and when each is drawn anew; and
the newest interaction of each person at each table, by whose token a seat comes anew.

By an interaction's token Discord takes further messages that only its person sees, for fifteen
minutes. Kept in memory and nowhere else: after a restart the next press brings a new one. What
seats are, and by what they are edited, is in `seats` and `direct`.
"""

from __future__ import annotations

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import Coroutine, Iterator, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final, Protocol, TypeVar

import discord
import structlog

from bot.boards.board import Board
from bot.boards.pad import Pick
from bot.boards.practice import practice_board
from bot.boards.seat import Notice, as_liked, seat_board
from bot.discord import answers
from bot.discord.answers import NOT_TAKEN, Interaction
from bot.discord.layout import Rendered
from bot.discord.links import message_link
from bot.discord.pacing import ByChannel, Urgency, urgency
from bot.discord.people import People
from bot.discord.picture_job import afterwards
from bot.discord.posting import is_member
from bot.discord.redraw_queue import RedrawQueue
from bot.language.catalogues import speaking
from bot.language.moments import host_clock
from bot.tables import errors
from bot.tables.live import LiveTable
from bot.tables.preferences import language_of
from bot.tables.service import Tables
from bot.tables.turns import turn_of
from engine.play import legal
from engine.state import Phase

Key = tuple[int, int]  # table, player


class Lasting(Protocol):
    """What is kept for a while."""

    until: float  # on the monotonic clock, in seconds


_Seat = TypeVar("_Seat", bound=Lasting)


class OpenSeats(MutableMapping[Key, _Seat]):
    """Those of a table are found without a look at any other's."""

    def __init__(self) -> None:
        self._seats: dict[Key, _Seat] = {}  # who pressed last is the last
        self._players: dict[int, list[int]] = {}  # by table

    def __getitem__(self, key: Key) -> _Seat:
        return self._seats[key]

    def __setitem__(self, key: Key, seat: _Seat) -> None:
        """Keep a seat, its token being the newest; the oldest go whose tokens are used up."""
        self.pop(key, None)
        self._seats[key] = seat
        self._players.setdefault(key[0], []).append(key[1])
        now = time.monotonic()
        while (oldest := next(iter(self._seats))) != key and self._seats[oldest].until <= now:
            del self[oldest]

    def __delitem__(self, key: Key) -> None:
        del self._seats[key]
        there = self._players[key[0]]
        there.remove(key[1])
        if not there:
            del self._players[key[0]]

    def __iter__(self) -> Iterator[Key]:
        return iter(self._seats)

    def __len__(self) -> int:
        return len(self._seats)

    def of(self, table_id: int) -> list[tuple[Key, _Seat]]:
        """The seats of a table that can be edited still."""
        now, found = time.monotonic(), []
        for player in list(self._players.get(table_id, ())):
            key = table_id, player
            if (seat := self._seats[key]).until <= now:
                del self[key]
            else:
                found.append((key, seat))
        return found


log = structlog.get_logger(__name__)

RETRY_SECONDS: Final = (0.5, 2.0, 8.0)


@dataclass(slots=True, eq=False)
class FollowedSeat(ABC):
    """A seat that is followed: where it is, what it shows, and whether it is behind."""

    channel: int
    until: float  # it can be edited, on the monotonic clock
    message: int | None = None  # its id, as far as it is known
    pick: Pick = field(default_factory=Pick)
    shows: object = None  # what it shows of the table, see `shown`
    cards: object = None  # which it shows, see `deal_of`
    asks: bool = False  # its player to bid
    dirty: bool = False
    pressing: bool = False  # it is not to be behind
    failed: int = 0  # how often in a row Discord has not taken it for now
    awaited: bool = False  # its player waits for it: to act, or for other cards
    worker: asyncio.Task[None] | None = None

    @property
    def interaction(self) -> Interaction | None:
        """By whose token it is edited; None: by the bot's."""
        return None

    @abstractmethod
    async def edit(self, ready: Rendered) -> discord.Message | None:
        """Have it show this; as it is then, if known. Raises `NOT_TAKEN`."""


class Following:
    """Follows seats. Listens to changes of tables, as `bot.tables.ports.Announcer`."""

    apart = False  # whether these seats are out of sight of their tables

    def __init__(
        self, tables: Tables, people: People, queue: RedrawQueue, by_token: ByChannel
    ) -> None:
        self._tables = tables
        self._by_token = by_token
        self._queue = queue
        self._people = people
        self._open = OpenSeats[FollowedSeat]()
        self._workers: set[asyncio.Task[None]] = set()
        self._later: dict[Key, asyncio.TimerHandle] = {}  # of seats that are behind
        self._answering: dict[Key, bool] = {}  # whether the seat was left behind meanwhile
        self._covered: set[Key] = set()  # of those: an older drawing may have come after the answer
        self._settling = 0  # how many wait until all are up to date: nobody only looks on then

    def changed(self, live: LiveTable, *, answered: bool) -> None:
        """Bring every open seat of the table up to date, one edit at a time each."""
        for key, seat in self._open.of(live.table.id):
            self._tell(key, seat, live)

    def _tell(self, key: Key, seat: FollowedSeat, live: LiveTable) -> None:
        if key in self._answering:
            self._answering[key] = True
        elif seat.shows != shown(live) and self._wants(seat, live, key[1]):
            pressing = not _may_be_behind(seat, live, key[1])
            self._follow(key, seat, pressing=pressing, awaited=is_awaited(seat, live, key[1]))

    def _wants(self, seat: FollowedSeat, live: LiveTable, player: int) -> bool:
        """Whether a seat that is behind is worth an edit."""
        return True

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
                self._hurry()
                await asyncio.gather(*working, return_exceptions=True)
        finally:
            self._settling -= 1

    def _hurry(self) -> None:
        """Whoever waits for others waits no longer than what is awaited does."""
        for seat in self._open.values():
            self._by_token.hurry(seat.channel, seat)
            self._queue.hurry(seat)

    def close(self) -> None:
        """Follow nothing any more."""
        for waiting in self._later.values():
            waiting.cancel()
        self._later.clear()

    # -- drawing -----------------------------------------------------------------------------------

    async def _board(
        self, live: LiveTable, player: int, pick: Pick = Pick(), notice: Notice | None = None
    ) -> Board:
        link = self._link(live)
        known = await self._people.known(player)
        learning = await self._people.is_learning(player, live)
        if live.table.is_practice:
            company = await self._people.company(live.table)
            with speaking(language_of(known)):
                own = practice_board(live, player, company.names, pick, notice, learning=learning)
        else:
            with speaking(language_of(known)):
                own = seat_board(
                    live, player, pick, notice, link, learning=learning, apart=self.apart
                )
        return as_liked(own, known)

    def _link(self, live: LiveTable) -> str | None:
        # while the news has no message yet, the one before would mislead
        return None if live.needs_new_message else message_link(live.table)

    def _keep(self, live: LiveTable, player: int, seat: FollowedSeat, ready: Rendered) -> None:
        """A seat is the player's at this table from now on, and shows `live`."""
        key = live.table.id, player
        self._open[key] = seat
        self._note(key, seat, live, ready)
        if not self._tables.runtime.is_latest(live):
            self._follow(key, seat)

    def _note(self, key: Key, seat: FollowedSeat, live: LiveTable, ready: Rendered) -> None:
        """Remember what a seat shows; a picture that is still being drawn is brought up later."""
        seat.shows = shown(live)
        seat.cards = deal_of(live)
        seat.asks = _is_to_bid(live, key[1])

        async def arrived() -> None:
            if self._open.get(key) is seat:
                self._follow(key, seat)

        if ready.late:
            afterwards(ready.late, arrived)

    def _follow(
        self, key: Key, seat: FollowedSeat, *, pressing: bool = True, awaited: bool = True
    ) -> None:
        seat.dirty = True
        if awaited:
            seat.awaited = True
            self._by_token.hurry(seat.channel, seat)
        if pressing:
            seat.pressing = True
            self._queue.hurry(seat)
        if seat.worker is None:
            seat.worker = self._begin(self._work(key, seat), f"seat-{key[0]}")

    def _begin(self, work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
        """Do it in the background; `settled` waits for it."""
        task = asyncio.create_task(work, name=name)
        self._workers.add(task)
        task.add_done_callback(self._workers.discard)
        return task

    async def _work(self, key: Key, seat: FollowedSeat) -> None:
        try:
            await asyncio.sleep(answers.HEAD_START)
            while seat.dirty and self._open.get(key) is seat:
                if not self._settling:
                    with urgency(Urgency.AWAITED if seat.awaited else Urgency.CATCHING_UP):
                        await self._turn(seat)
                elif seat.interaction is not None:
                    self._by_token.spend(seat.channel)
                await self._queue.turn(seat, pressing=seat.pressing or self._settling > 0)
                # what came meanwhile is shown too
                seat.dirty = seat.pressing = seat.awaited = False
                if self._open.get(key) is seat:  # else a press was answered meanwhile
                    await self._bring_up(key, seat)
        except errors.RefusedError as refusal:
            log.info("seats: not followed", table=key[0], refusal=type(refusal).__name__)
        except Exception:
            log.exception("seats: could not be followed", table=key[0])
        finally:
            seat.worker = None

    async def _turn(self, seat: FollowedSeat) -> None:
        """Wait until one more request may be sent where the seat is."""
        await self._by_token.turn(seat.channel, seat)

    def _try_later(self, key: Key, seat: FollowedSeat) -> None:
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

    async def _bring_up(self, key: Key, seat: FollowedSeat) -> None:
        await self._edit(key, seat, await self._tables.see(key[0]))

    async def _edit(self, key: Key, seat: FollowedSeat, live: LiveTable) -> None:
        if seat.shows != shown(live):
            seat.pick = Pick()  # what was being put together was for an earlier state
        board = await self._board(live, key[1], seat.pick)

        async def edit(ready: Rendered) -> discord.Message | None:
            if self._open.get(key) is not seat:
                return None  # a press was answered meanwhile, and that shows more
            if key in self._answering:  # or is being answered; what is sent now may cover that
                self._answering[key] = True
                return None
            return await seat.edit(ready)

        try:
            async with asyncio.timeout(answers.LATER_WITHIN):
                ready, edited = await answers.drawn_in(seat.interaction, board, edit)
        except NOT_TAKEN as error:
            if not answers.is_refused(error):
                log.info("seats: one is behind", table=key[0], error=type(error).__name__)
                self._try_later(key, seat)
                return
            # dismissed, or the token is used up: it is opened anew by a press
            log.info("seats: one is lost", table=key[0], code=answers.code_of(error))
            if self._open.get(key) is seat:
                del self._open[key]
            return
        seat.failed = 0
        if edited is None:
            return
        self._note(key, seat, live, ready)
        newer = self._open.get(key)
        if key in self._answering:  # what was on its way may cover the answer
            self._covered.add(key)
        elif newer is not None and newer is not seat:
            self._follow(key, newer)


def shown(live: LiveTable) -> object:
    """What a seat shows of a table: where it is equal, no seat needs to be drawn anew."""
    table = live.table
    seq = live.match.seq if live.match is not None else 0
    return table.match_id, seq, table.status, table.turn_ends, tuple(sorted(table.absent.items()))


def deal_of(live: LiveTable) -> object:
    """What tells the cards that are being bid on from others; None: there are none."""
    match = live.match
    if match is None or match.round is None or match.phase is not Phase.BIDDING:
        return None
    return live.table.match_id, match.round.number


def _may_be_behind(seat: FollowedSeat, live: LiveTable, player: int) -> bool:
    """Whether a seat shows the right cards, and its player has nothing to do but to look on."""
    match = live.match
    if match is None or match.round is None or seat.cards is None or seat.cards != deal_of(live):
        return False
    where, may = match.seat_of(player), legal(match)
    return where is not None and where != may.bidder and where not in may.challengers


def is_awaited(seat: FollowedSeat, live: LiveTable, player: int) -> bool:
    """Whether a seat shows other cards than its player's, or they are to bid."""
    return seat.cards is None or seat.cards != deal_of(live) or _is_to_bid(live, player)


def _is_to_bid(live: LiveTable, player: int) -> bool:
    match, turn = live.match, turn_of(live.match)
    return match is not None and turn is not None and match.seat_of(player) == turn[-1]


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
            alive = until > time.monotonic() and answers.takes_more(interaction)
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
