"""Shows tables: posts and redraws their messages, sends hole cards by direct message.

A table's message is made from its latest state at the moment of sending, so redraws coalesce by
themselves. What must be said once is tracked in the store: a delivery row a seat and round, and
the message that shows the table. Messages carry a nonce, so a retried post is not doubled.
"""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import dataclass
from functools import partial
from typing import Final

import discord
import structlog

from bot.boards.board import Board
from bot.boards.hole_cards import hand_board
from bot.boards.lobby import moved_board, unposted_board
from bot.boards.own import as_liked
from bot.boards.record import record_board
from bot.boards.table import table_board
from bot.boards.winner import Told
from bot.discord.answers import HEAD_START, NOT_TAKEN, code_of, complete
from bot.discord.drawing import afterwards
from bot.discord.layout import Rendered, board_view, rendered
from bot.discord.links import channel_link
from bot.discord.people import People
from bot.discord.reminders import Reminders, reminder_due
from bot.languages import speaking
from bot.tables import personal, ports, refusals
from bot.tables.changes import Changes
from bot.tables.evening import MOST, evening_of
from bot.tables.house import language_of
from bot.tables.live import LiveTable
from bot.tables.practice import is_practice
from bot.tables.records import Delivery, HoleCards, Status
from bot.tables.service import Tables
from engine.state import Match, Phase

log = structlog.get_logger(__name__)

TRIES: Final = 4
RETRY_SECONDS: Final = (0.5, 2.0, 8.0)
# said at every edit: the client's own setting is left out of an edit without plain content, and
# Discord would then highlight the table for everybody whom it names
NOBODY: Final = discord.AllowedMentions.none()
_UNKNOWN_MESSAGE: Final = 10008
_UNKNOWN_CHANNEL: Final = 10003
_TOO_OLD_TO_EDIT: Final = 30046
_ARCHIVED: Final = 50083
_MISSING: Final = frozenset({50001, 50013})
_FINAL: Final = _MISSING | {_UNKNOWN_CHANNEL, _ARCHIVED}  # trying again would not help


@dataclass(slots=True)
class _News:
    """The latest state of a table, and whether its message must be brought up to it.

    While a drawing is `on_its_way`, whatever changes must be drawn after it, even if an answer
    shows it: the older drawing may reach Discord last. `fold`: the message before the new one is
    still to become a record of what was.
    """

    live: LiveTable
    dirty: bool = False
    cards_owed: bool = False
    on_its_way: bool = False
    fold: bool = False

    @property
    def anything(self) -> bool:
        """Whether there is something to do."""
        return self.dirty or reminder_due(self.live)


class DiscordAnnouncer:
    """Listens to changes as a `bot.tables.ports.Announcer`; a worker task a table that has news."""

    def __init__(
        self,
        client: discord.Client,
        store: ports.Store,
        people: People,
        tables: Tables,
        changes: Changes,
    ) -> None:
        self._client = client
        self._store = store
        self._people = people
        self._tables = tables
        self._reminders = Reminders(client, people, tables)
        changes.listen(self)
        self._news: dict[int, _News] = {}  # only of tables that a worker is busy with
        self._workers: dict[int, asyncio.Task[None]] = {}
        self._unposted: set[int] = set()  # tables whose message could not be posted

    def changed(self, live: LiveTable, *, answered: bool) -> None:
        """Have the latest state shown, unless the answer to the move does."""
        if is_practice(live.table):  # it has no message that is everybody's
            return
        number = live.table.id
        fresh = live.needs_new_message
        news = self._news.setdefault(number, _News(live))
        news.live = live
        news.dirty |= fresh or news.on_its_way or not answered
        news.cards_owed |= fresh
        news.fold |= fresh and not answered
        if not news.anything and number not in self._workers:
            del self._news[number]
        else:
            self._employ(number, news)

    def resumed(self, live: LiveTable) -> None:
        """After a start: show the table as it stands, and send the cards that were not sent."""
        if is_practice(live.table):
            return
        news = self._news.setdefault(live.table.id, _News(live))
        news.dirty = news.cards_owed = news.fold = True
        self._employ(live.table.id, news)

    def _employ(self, number: int, news: _News) -> None:
        if number not in self._workers:
            worker = asyncio.create_task(self._work(number, news), name=f"table-{number}")
            self._workers[number] = worker

    async def settled(self) -> None:
        """Wait until every table is shown as it stands (for a clean stop)."""
        while self._workers:
            await asyncio.gather(*self._workers.values(), return_exceptions=True)

    # -- the table's message ----------------------------------------------------------------------

    async def _work(self, number: int, news: _News) -> None:
        try:
            await asyncio.sleep(HEAD_START)
            while news.anything:
                if news.dirty:
                    news.dirty = False
                    live, owed = news.live, news.cards_owed
                    news.cards_owed = False
                    show = self._post(news) if live.needs_new_message else self._edit(news)
                    due = [show, *([self._deliver_all(live)] if owed else [])]
                    for failed in await asyncio.gather(*due, return_exceptions=True):
                        # the one must not cut the other short
                        if isinstance(failed, Exception):
                            log.error("announcer: not shown", table=number, exc_info=failed)
                if reminder_due(news.live):
                    if not await self._reminders.bring_up(news.live):
                        break  # or it would be tried again at once
                    news.live = await self._tables.see(number)
        except Exception:
            log.exception("announcer: a table could not be shown", table=number)
        finally:
            # no await between the last look at `dirty` and this: nothing can be missed
            del self._workers[number]
            del self._news[number]

    async def board(self, live: LiveTable, *, controls: bool = True) -> Board:
        """What the table's message shows; without `controls` it is a record of what was."""
        company = await self._people.company(live.table)
        told = await self._told(live) if controls else None
        with speaking(language_of(live.table)):
            return table_board(
                live,
                company.names,
                company.closed,
                controls=controls,
                told=told,
                most_computers=self._tables.most_computers,
            )

    async def _told(self, live: LiveTable) -> Told | None:
        """What is told of a match that is over; None while it is not, or if the store is down."""
        over = live.match is not None and live.match.winner is not None
        if not over or live.table.match_id is None:
            return None
        try:
            story = await self._tables.story_of(live.table.id, live.table.match_id)
            played = await self._store.played(live.table.match_id, MOST)
        except (refusals.RefusedError, ports.StoreUnavailable) as refusal:
            log.info("announcer: no story", table=live.table.id, refusal=repr(refusal))
            return None
        return Told(story, evening_of(played))

    async def answer(self, live: LiveTable) -> Board:
        """What the message that a move came from shows after it.

        After a deal or a showdown that is what was, in short: the news is a message of its own.
        """
        return await (self.record(live) if live.needs_new_message else self.board(live))

    async def record(self, live: LiveTable) -> Board:
        """What is left of the message before the latest news."""
        company = await self._people.company(live.table)
        with speaking(language_of(live.table)):
            return record_board(live, company.names)

    async def _post(self, news: _News) -> None:
        """Send a new message for the table and remember it."""
        channel = self._client.get_partial_messageable(news.live.table.channel_id)
        nonce = _nonce(news.live)
        for attempt in range(TRIES):
            live = news.live
            board = await self.board(live)
            ready = await rendered(board)
            try:
                message = await channel.send(
                    view=ready.view,
                    files=ready.files,
                    nonce=nonce,
                    allowed_mentions=_asked(live),
                )
            except NOT_TAKEN as error:
                if code_of(error) in _MISSING:
                    self._unposted.add(live.table.id)
                    await self.tell_if_unposted(live)
                if not await self._may_retry(live, error, attempt):
                    return
            else:
                self._unposted.discard(live.table.id)
                await self._note(live, message.id)
                self._follow(live, ready)
                news.live = await self._tables.see(news.live.table.id)
                if news.fold:
                    await self._fold(live)
                    news.fold = False
                return

    async def _edit(self, news: _News) -> None:
        """Redraw the table's message in place."""
        for attempt in range(TRIES):
            live = news.live
            message = self._message(live)
            if message is None:
                return
            board = await self.board(live)
            ready = await rendered(board)
            news.on_its_way = True
            try:
                await message.edit(
                    view=ready.view, attachments=ready.files, allowed_mentions=_asked(live)
                )
            except NOT_TAKEN as error:
                if code_of(error) in (_UNKNOWN_MESSAGE, _TOO_OLD_TO_EDIT):
                    await self._post(news)
                    return
                if not await self._may_retry(live, error, attempt):
                    return
            else:
                self._follow(live, ready)
                return
            finally:
                news.on_its_way = False

    def _follow(self, live: LiveTable, ready: Rendered) -> None:
        """Have the table drawn once more when a picture that took long is there."""
        if ready.late:
            afterwards(ready.late, partial(self.redraw, live.table.id))

    async def redraw(self, table_id: int) -> None:
        """Have the table's message show what the table is now."""
        try:
            self.changed(await self._tables.see(table_id), answered=False)
        except refusals.RefusedError as refusal:
            log.info("announcer: not redrawn", table=table_id, refusal=repr(refusal))

    async def _fold(self, live: LiveTable) -> None:
        """Make the message before the latest news a record of what was."""
        message = self._message(live)
        if message is None:
            return
        ready = await rendered(await self.record(live))
        try:
            await message.edit(view=ready.view, attachments=ready.files, allowed_mentions=NOBODY)
        except NOT_TAKEN as error:  # its controls are answered politely all the same
            log.warning("announcer: not folded", table=live.table.id, code=code_of(error))
            return
        if ready.late:  # nothing else changes that message any more
            afterwards(ready.late, partial(self._fold, live))

    def _message(self, live: LiveTable) -> discord.PartialMessage | None:
        """The message that shows the table, if there is one."""
        if live.table.message_id is None:
            return None
        channel = self._client.get_partial_messageable(live.table.channel_id)
        return channel.get_partial_message(live.table.message_id)

    async def brought_down(self, live: LiveTable, message_id: int) -> None:
        """The message that showed the table as it was, `live`, says that another one does now."""
        if live.needs_new_message:
            await self._fold(live)
            return
        message = self._message(live)
        if message is None:
            return
        with speaking(language_of(live.table)):
            link = f"{channel_link(live.table)}/{message_id}"
            view = board_view(moved_board(live.table, link))
        try:
            await message.edit(view=view, attachments=[], allowed_mentions=NOBODY)
        except NOT_TAKEN as error:  # its controls are answered politely all the same
            log.warning("announcer: not folded", table=live.table.id, code=code_of(error))

    async def tell_if_unposted(self, live: LiveTable) -> None:
        """Say on the table's earlier message why no new one comes; that needs no permission."""
        message = self._message(live)
        if message is None or live.table.id not in self._unposted:
            return
        try:
            with speaking(language_of(live.table)):
                view = board_view(unposted_board(live.table))
            await message.edit(view=view, attachments=[], allowed_mentions=NOBODY)
        except NOT_TAKEN as error:
            log.warning("announcer: not taken", table=live.table.id, code=code_of(error))

    async def _may_retry(self, live: LiveTable, error: Exception, attempt: int) -> bool:
        """Whether to try again (after a pause). A table whose channel is gone is ended."""
        code = code_of(error)
        log.warning(
            "announcer: not taken", table=live.table.id, error=type(error).__name__, code=code
        )
        if code == _UNKNOWN_CHANNEL and live.table.status.live:
            try:
                await self._tables.end(live.table.id, None)
            except refusals.RefusedError as refusal:
                log.info("announcer: not ended", table=live.table.id, refusal=repr(refusal))
        if code in _FINAL:
            return False
        if attempt + 1 < TRIES:
            await asyncio.sleep(RETRY_SECONDS[attempt])
            return True
        return False

    async def _note(self, live: LiveTable, message_id: int) -> None:
        seq = live.match.seq if live.match is not None else 0
        try:
            await self._tables.shown(live.table.id, message_id, seq)
        except refusals.StoreIsDown:
            log.warning("announcer: message could not be noted", table=live.table.id)

    # -- direct messages --------------------------------------------------------------------------

    async def _deliver_all(self, live: LiveTable) -> None:
        """Send the hole cards of the current round to whoever has not got them yet."""
        match = live.match
        if match is None or match.round is None or live.table.match_id is None:
            return
        if match.phase is not Phase.BIDDING:  # a showdown shows them all
            return
        rows = await self._store.deliveries(live.table.match_id, match.round.number)
        pending = [row for row in rows if row.state is Delivery.PENDING]
        await asyncio.gather(*(self._deliver(live, match, row) for row in pending))

    async def _deliver(self, live: LiveTable, match: Match, row: HoleCards) -> None:
        if not await self._people.wants_letters(row.player, live.table):
            return  # the row stays as it is: who asks for letters gets them from the next deal on
        player = await self._people.known(row.player)
        with speaking(personal.language_of(player)):
            own = hand_board(match, row.player, channel_link(live.table))
        board = as_liked(own, player)

        async def letter(channel: discord.abc.Messageable) -> None:
            ready = await rendered(board)
            sent = await channel.send(
                view=ready.view,
                files=ready.files,
                nonce=f"h{row.match_id}.{row.round}.{row.seat}",
            )
            if ready.late:
                afterwards(ready.late, partial(complete, sent, board))

        before = await self._people.company(live.table)
        state = await self._people.write(row.player, letter)
        await self._store.note_delivery(row, state)
        if state is Delivery.CLOSED and row.player not in before.closed:
            self.changed(await self._tables.see(live.table.id), answered=False)


def _asked(live: LiveTable) -> discord.AllowedMentions:
    """Whom a new message of the table pings: who is asked to play again, nobody else."""
    asked = live.table.invited if live.table.status is Status.LOBBY else ()
    return discord.AllowedMentions(users=[discord.Object(player) for player in asked])


def _nonce(live: LiveTable) -> str:
    """The same for every try to post one message, another for every message; 24 characters.

    It is made of what is stored, so a post that was under way in a crash is not doubled either.
    """
    table = live.table
    what = f"{table.match_id}.{live.news_seq}" if table.match_id else f"lobby {table.version}"
    told = f"{table.id}.{what} after {table.message_id}"
    return hashlib.blake2s(told.encode(), digest_size=12).hexdigest()
