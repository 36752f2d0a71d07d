"""Shows tables: posts and redraws their messages, has hole cards and reminders sent.

A table's message is made from its latest state at the moment of sending, so redraws coalesce by
themselves. What must be said once is tracked in the store: a delivery row a seat and round, and
the message that shows the table. Messages carry a nonce, so a retried post is not doubled. What
failed is tried again for as long as it matters, whatever failed.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from dataclasses import dataclass
from functools import partial
from typing import Final
from weakref import WeakValueDictionary

import discord
import structlog

from bot.boards.board import Board
from bot.boards.lobby import moved_board, unposted_board
from bot.boards.record import record_board
from bot.boards.table import table_board
from bot.boards.winner import Told
from bot.discord.answers import HEAD_START, NOT_TAKEN, code_of
from bot.discord.deliveries import Deliveries
from bot.discord.drawing import afterwards
from bot.discord.layout import Rendered, board_view, rendered
from bot.discord.links import channel_link
from bot.discord.people import People
from bot.discord.reminders import Reminders, reminder_due
from bot.languages import speaking
from bot.tables import ports, refusals
from bot.tables.changes import Changes
from bot.tables.evening import MOST, evening_of
from bot.tables.house import language_of
from bot.tables.live import LiveTable
from bot.tables.practice import is_practice
from bot.tables.records import Status
from bot.tables.service import Tables

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
_STORE: Final = (ports.StoreUnavailable, refusals.StoreIsDown)
_FINAL: Final = _MISSING | {_UNKNOWN_CHANNEL, _ARCHIVED}  # trying again would not help


@dataclass(slots=True)
class _News:
    """The latest state of a table, and whether its message must be brought up to it.

    While a drawing is `on_its_way`, whatever changes must be drawn after it, even if an answer
    shows it: the older drawing may reach Discord last. `fold`: the message before the new one is
    still to become a record of what was. `failed`: how often in a row something has gone wrong.
    """

    live: LiveTable
    dirty: bool = False
    cards_owed: bool = False
    on_its_way: bool = False
    fold: bool = False
    failed: int = 0


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
        self._deliveries = Deliveries(store, people)
        self._reminders = Reminders(client, people, tables)
        changes.listen(self)
        self._news: dict[int, _News] = {}  # only of tables that are not shown as they stand
        self._workers: dict[int, asyncio.Task[None]] = {}
        self._later: dict[int, asyncio.TimerHandle] = {}  # of tables where something failed
        self._closed = False
        # a lock lives as long as somebody holds or awaits it
        self._replacing: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
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
        if self._owes(news):
            self._employ(number, news)
        elif number not in self._workers:
            del self._news[number]

    def resumed(self, live: LiveTable) -> None:
        """After a start: show the table as it stands, and send the cards that were not sent."""
        if is_practice(live.table):
            return
        news = self._news.setdefault(live.table.id, _News(live))
        news.dirty = news.cards_owed = news.fold = True
        self._employ(live.table.id, news)

    def _owes(self, news: _News) -> bool:
        """Whether there is something to do."""
        noted = not self._tables.owes_note(news.live.table.id)
        return news.dirty or news.cards_owed or not noted or reminder_due(news.live)

    def _employ(self, number: int, news: _News) -> None:
        waiting = self._later.pop(number, None)
        if waiting is not None:
            waiting.cancel()
        if number not in self._workers:
            worker = asyncio.create_task(self._work(number, news), name=f"table-{number}")
            self._workers[number] = worker

    async def settled(self) -> None:
        """Wait until every table is shown as it stands, but for what is to be tried again later."""
        while self._workers:
            await asyncio.gather(*self._workers.values(), return_exceptions=True)

    def close(self) -> None:
        """Try nothing again any more: the next start does."""
        self._closed = True
        for waiting in self._later.values():
            waiting.cancel()
        self._later.clear()

    # -- the table's message ----------------------------------------------------------------------

    async def _work(self, number: int, news: _News) -> None:
        failure: Exception | None = None
        try:
            await asyncio.sleep(HEAD_START)
            while self._owes(news) and failure is None:
                failure = await self._bring_up(number, news)
        finally:
            # no await between the last look at the news and this: nothing can be missed
            del self._workers[number]
            self._put_off(number, news, failure)

    def _put_off(self, number: int, news: _News, failure: Exception | None) -> None:
        """Forget the news of a table that is shown as it stands; try later what failed.

        A database that is away comes back. What nobody foresaw may fail alike for ever: then only
        the table's next change has it tried again.
        """
        news.failed = 0 if failure is None else news.failed + 1
        hopeless = not isinstance(failure, _STORE) and news.failed >= TRIES
        if self._closed or hopeless or not self._owes(news):
            del self._news[number]
            return
        wait = RETRY_SECONDS[min(max(news.failed, 1), len(RETRY_SECONDS)) - 1]
        loop = asyncio.get_running_loop()
        self._later[number] = loop.call_later(wait, self._employ, number, news)

    async def _bring_up(self, number: int, news: _News) -> Exception | None:
        """Do what is to be done, each part whatever becomes of the others; what failed, if any.

        What the store or we ourselves failed at stays to be done; what Discord has refused for
        good does not.
        """
        # the note is of the message that is drawn, and the reminder points to it
        outcomes = [
            *await asyncio.gather(self._draw(news), self._deliver(news), return_exceptions=True),
            *await asyncio.gather(self._note_again(number), return_exceptions=True),
            *await asyncio.gather(self._remind(news), return_exceptions=True),
        ]
        failures = [outcome for outcome in outcomes if isinstance(outcome, Exception)]
        for failure in failures:
            if isinstance(failure, _STORE):
                log.warning("announcer: the database failed", table=number, reason=repr(failure))
            else:
                log.error("announcer: not shown", table=number, exc_info=failure)
        unforeseen = [failure for failure in failures if not isinstance(failure, _STORE)]
        return next(iter(unforeseen or failures), None)

    async def _draw(self, news: _News) -> None:
        if not news.dirty:
            return
        news.dirty = False
        try:
            await (self._post(news) if news.live.needs_new_message else self._edit(news))
        except Exception:
            news.dirty = True
            raise

    async def _deliver(self, news: _News) -> None:
        if not news.cards_owed:
            return
        news.cards_owed = False
        try:
            closed = await self._deliveries.of_round(news.live)
        except Exception:
            news.cards_owed = True
            raise
        news.dirty |= closed  # the table says where their cards are

    async def _note_again(self, number: int) -> None:
        if self._tables.owes_note(number) and not await self._tables.note_again(number):
            raise refusals.StoreIsDown

    async def _remind(self, news: _News) -> None:
        if reminder_due(news.live):
            await self._reminders.bring_up(news.live)
            news.live = await self._tables.see(news.live.table.id)

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
            log.info("announcer: no story", table=live.table.id, refusal=type(refusal).__name__)
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
        """Send a new message for the table and remember it.

        Every try sends the same drawing by the same nonce, or one that was taken without our being
        told of it would be doubled. What has changed meanwhile is drawn into the message after it.
        """
        live = news.live
        channel = self._client.get_partial_messageable(live.table.channel_id)
        board = await self.board(live)
        nonce = _nonce(live, board)
        for attempt in range(TRIES):
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
                before = await self._replace(live, message.id)
                if before.table.message_id != live.table.message_id:
                    # somebody brought the table down while this was on its way
                    await self.brought_down(before, message.id)
                self._follow(live, ready)
                news.live = await self._tables.see(live.table.id)
                news.dirty |= news.live.table.version != live.table.version
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
            log.info("announcer: not redrawn", table=table_id, refusal=type(refusal).__name__)

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

    async def taken_down(self, live: LiveTable, message_id: int) -> None:
        """An answer shows the table, `live`, further down: it is its message from now on."""
        await self.brought_down(await self._replace(live, message_id), message_id)

    async def _replace(self, live: LiveTable, message_id: int) -> LiveTable:
        """Note which message shows the table now; the table as it was just before that.

        One at a time, so that of two messages posted at once each knows which it replaces.
        """
        lock = self._replacing.setdefault(live.table.id, asyncio.Lock())
        async with lock:
            before = await self._tables.see(live.table.id)
            await self.note(live, message_id)
        return before

    async def brought_down(self, live: LiveTable, message_id: int) -> None:
        """The message that showed the table as it was, `live`, says that another one does now."""
        if live.table.message_id == message_id:
            return
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
                why = type(refusal).__name__
                log.info("announcer: not ended", table=live.table.id, refusal=why)
        if code in _FINAL:
            return False
        if attempt + 1 < TRIES:
            await asyncio.sleep(RETRY_SECONDS[attempt])
            return True
        return False

    async def note(self, live: LiveTable, message_id: int) -> None:
        """Remember that a message shows the table, however often it takes to store that."""
        if await self._tables.shown(live.table.id, message_id, _seq(live)):
            return
        with contextlib.suppress(refusals.RefusedError):
            self.changed(await self._tables.see(live.table.id), answered=True)


def _seq(live: LiveTable) -> int:
    """How much of its match's log a table shows."""
    return live.match.seq if live.match is not None else 0


def _asked(live: LiveTable) -> discord.AllowedMentions:
    """Whom a new message of the table pings: who is asked to play again, nobody else."""
    asked = live.table.invited if live.table.status is Status.LOBBY else ()
    return discord.AllowedMentions(users=[discord.Object(player) for player in asked])


def _nonce(live: LiveTable, board: Board) -> str:
    """The same for every try to post one drawing, another for every other; 24 characters.

    Discord answers a nonce it knows with the message it has, unchanged: one nonce for two drawings
    would leave the older one at the table. It is made of what is drawn and stored alone, so a post
    that was under way in a crash is not doubled by a start that draws the same.
    """
    told = f"{live.table.id} after {live.table.message_id}: {board!r}"
    return hashlib.blake2s(told.encode(), digest_size=12).hexdigest()
