"""Shows tables: posts and redraws their messages, has hole cards and reminders sent.

A table's message is made from its latest state at the moment of sending, so redraws coalesce by
themselves. What must be said once is tracked in the store: a delivery row a seat and round, and
the message that shows the table. Messages carry a nonce, so a retried post is not doubled. What
failed is tried again for as long as it matters, whatever failed. What a message says, and which one
shows a table, is in `messages`.
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass, field
from functools import partial
from typing import Final

import discord
import structlog

from bot.boards.board import Board
from bot.discord import answers
from bot.discord.answers import NOT_TAKEN, Interaction, NotYet
from bot.discord.emoji import is_gone
from bot.discord.layout import Rendered, rendered
from bot.discord.pacing import ByChannel, Urgency, urgency
from bot.discord.people import People
from bot.discord.picture_job import afterwards
from bot.discord.posting import MISSING, is_member, lacking
from bot.discord.publisher.carriers import Carriers, Offer
from bot.discord.publisher.messages import (
    TOO_OLD_TO_EDIT,
    Orphans,
    TableBoards,
    TableMessages,
    asked_of,
    nonce_of,
)
from bot.discord.publisher.reminders import Reminders, reminder_due
from bot.discord.redraw_queue import RedrawQueue
from bot.discord.seats.direct import Deliveries, DirectSeats
from bot.discord.seats.seats import Seats
from bot.discord.sending import ARCHIVED, UNKNOWN_MESSAGE, opened, post_once
from bot.tables import errors, plans, ports
from bot.tables.live import LiveTable
from bot.tables.model import Status
from bot.tables.ports import Changes
from bot.tables.requests import NOBODY
from bot.tables.service import Tables

log = structlog.get_logger(__name__)

TRIES: Final = 4
RETRY_SECONDS: Final = (0.5, 2.0, 8.0)
_UNKNOWN_CHANNEL: Final = 10003
_BARRED: Final = MISSING | {ARCHIVED}  # trying again helps only once people have changed that
_FINAL: Final = _BARRED | {_UNKNOWN_CHANNEL}


@dataclass(slots=True, eq=False)
class _News:
    """The latest state of a table, and whether its message must be brought up to it.

    While a drawing is `on_its_way`, whatever changes must be drawn after it, even if an answer
    shows it: the older drawing may reach Discord last. `fold`: the message before the new one is
    still to become a record of what was. `failed`: how often in a row something has gone wrong.
    `refused`: Discord did not take the latest drawing, and it is not tried again. `catching_up`:
    nothing has happened since a start, and nobody waits for it. `offer`: a press that waits to be
    answered by the message of the latest news; `answered`: one that perhaps was. `sent`: a message
    of the news that is not noted yet, by its id. `hurry`: somebody waits, and nobody is to have a
    head start.
    """

    live: LiveTable
    dirty: bool = False
    cards_owed: bool = False
    on_its_way: bool = False
    fold: bool = False
    failed: int = 0
    refused: bool = False
    catching_up: bool = False
    offer: Offer | None = None
    answered: Interaction | None = None
    sent: int | None = None
    hurry: asyncio.Event = field(default_factory=asyncio.Event)


class Publisher:
    """Listens to changes as a `bot.tables.ports.Announcer`; a worker task a table that has news."""

    def __init__(
        self,
        client: discord.Client,
        store: ports.Store,
        people: People,
        tables: Tables,
        changes: Changes,
        queue: RedrawQueue,
        direct: DirectSeats,
        seats: Seats,
        by_token: ByChannel,
    ) -> None:
        self._client = client
        self._queue = queue
        self._tables = tables
        self.checkpoint = RenderCheckpoint(store)
        self.boards = TableBoards(store, people, tables)
        self.carriers = Carriers(by_token)
        self.messages = TableMessages(
            client, tables, self.boards, self.carriers, partial(self.changed, answered=True)
        )
        self.orphans = Orphans(client, self.messages)
        self._seats = seats
        self._deliveries = Deliveries(store, people, direct)
        self._reminders = Reminders(client, people, tables)
        changes.listen(self)
        self._news: dict[int, _News] = {}  # only of tables that are not shown as they stand
        self._workers: dict[int, asyncio.Task[None]] = {}
        self._later: dict[int, asyncio.TimerHandle] = {}  # of tables where something failed
        self._closed = False
        # tables of whose latest news an older drawing may have been posted: before a start, or when
        # it seemed to fail
        self._doubtful: set[int] = set()

    def changed(self, live: LiveTable, *, answered: bool) -> None:
        """Have the latest state shown, unless the answer to the move does."""
        if live.table.is_practice:  # it has no message that is everybody's
            return
        number = live.table.id
        fresh = live.needs_new_message
        news = self._news.setdefault(number, _News(live))
        news.live = live
        news.catching_up = False
        news.dirty |= fresh or news.on_its_way or not answered
        news.cards_owed |= fresh
        news.fold |= fresh and not answered
        if self._owes(news):
            self.checkpoint.behind(number)
            self._employ(number, news)
        elif number not in self._workers:
            del self._news[number]
            self.checkpoint.stands(number, live.table.version)

    async def resume(self, live: LiveTable) -> None:
        """After a start: show the table as it stands, and send the cards that were not sent.

        What fails is tried again later; nobody waits for that here.
        """
        if live.table.is_practice:
            return
        number = live.table.id
        news = self._news.setdefault(number, _News(live))
        news.dirty = news.cards_owed = news.fold = news.catching_up = True
        self._doubtful.add(number)
        self._employ(number, news)
        await asyncio.wait({self._workers[number]})

    def offer(self, interaction: Interaction, live: LiveTable) -> Offer | None:
        """Have the press that caused the table's latest news be answered by their message.

        To be called before anything is awaited since the change. None where it is to be answered
        otherwise: it was not pressed at the table's message, or the news is no message of its own,
        or might not be allowed there, or could not be found by a start after a crash: it has no
        nonce.
        """
        here, news = interaction.message, self._news.get(live.table.id)
        if (
            news is None
            or not live.needs_new_message
            or here is None
            or here.id != live.table.message_id
            or interaction.response.is_done()
            or news.offer is not None
            or news.answered is not None
            or news.sent is not None
            or live.table.id in self._doubtful
            or live.table.id in self.messages.barred
            or not is_member(interaction)
            or lacking(interaction)
            or not interaction.app_permissions.read_message_history
        ):
            return None
        news.offer = Offer(interaction)
        news.hurry.set()
        return news.offer

    async def taken(self, offer: Offer, live: LiveTable, until: float) -> bool:
        """Whether a press was answered by the message of its news; it is not any more if not.

        The message has to be begun by `until`, on the event loop's clock, in seconds.
        """
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout_at(until):
                await offer.begun.wait()
        news = self._news.get(live.table.id)
        if not offer.begun.is_set():
            if news is not None and news.offer is offer:
                news.offer = None
            return False
        await offer.over.wait()
        return offer.taken

    def take_back_reminder(self, live: LiveTable) -> None:
        """After a start: have the reminder of a table that is closed deleted, if one stands."""
        news = self._news.setdefault(live.table.id, _News(live, catching_up=True))
        if self._owes(news):
            self._employ(live.table.id, news)

    def _owes(self, news: _News) -> bool:
        """Whether there is something to do."""
        noted = not self._tables.runtime.owes_note(news.live.table.id)
        reminders = reminder_due(news.live) or self.orphans.reminder_in_doubt(news.live)
        return news.dirty or news.cards_owed or not noted or reminders

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
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(answers.HEAD_START):
                    await news.hurry.wait()
            news.hurry.clear()
            while self._owes(news) and failure is None:
                failure = await self._bring_up(number, news)
        finally:
            # no await between the last look at the news and this: nothing can be missed
            del self._workers[number]
            self._put_off(number, news, failure)

    def _put_off(self, number: int, news: _News, failure: Exception | None) -> None:
        """Forget the news of a table that is shown as it stands; try later what failed.

        A database that is away comes back, and so does Discord. What nobody foresaw may fail alike
        for ever: then only the table's next change has it tried again.
        """
        news.failed = 0 if failure is None else news.failed + 1
        hopeless = (
            not isinstance(failure, (errors.StoreUnavailable, NotYet)) and news.failed >= TRIES
        )
        if hopeless and news.live.table.status.live and not self._closed:
            return  # its news is kept: a letter is owed no less for a change that an answer shows
        if self._closed or hopeless or not self._owes(news):
            del self._news[number]
            if failure is None and not news.refused and not self._owes(news):
                self.checkpoint.stands(number, news.live.table.version)
            return
        wait = RETRY_SECONDS[min(max(news.failed, 1), len(RETRY_SECONDS)) - 1]
        if isinstance(failure, NotYet):
            wait = max(wait, failure.after)
        loop = asyncio.get_running_loop()
        self._later[number] = loop.call_later(wait, self._employ, number, news)

    async def _bring_up(self, number: int, news: _News) -> Exception | None:
        """Do what is to be done, each part whatever becomes of the others; what failed, if any.

        What the store or we ourselves failed at stays to be done, and so does what Discord did not
        take for now; what it has refused does not.
        """
        with urgency(Urgency.CATCHING_UP if news.catching_up else Urgency.AWAITED):
            # the note is of the message that is drawn, and the reminder points to it
            outcomes = [
                *await asyncio.gather(
                    self._draw(news), self._deliver(news), return_exceptions=True
                ),
                *await asyncio.gather(self._note_again(number), return_exceptions=True),
            ]
            # of a table that moved on meanwhile the message that it points to comes first
            if not (news.dirty and outcomes[0] is None):
                outcomes += await asyncio.gather(self._remind(news), return_exceptions=True)
        for outcome in outcomes:
            if isinstance(outcome, asyncio.CancelledError):  # or it would be done again at once
                raise outcome
        failures = [outcome for outcome in outcomes if isinstance(outcome, Exception)]
        for failure in failures:
            if isinstance(failure, errors.StoreUnavailable):
                log.warning("publisher: the database failed", table=number, reason=repr(failure))
            elif self._closed:  # Discord was left meanwhile: the next start shows it
                log.info("publisher: left", table=number, reason=repr(failure))
            elif not isinstance(failure, NotYet):
                log.error("publisher: not shown", table=number, exc_info=failure)
        # what nobody foresaw first, or it would be tried again for ever beside what comes back
        failures.sort(key=lambda failure: isinstance(failure, (errors.StoreUnavailable, NotYet)))
        return next(iter(failures), None)

    async def _draw(self, news: _News) -> None:
        if not news.dirty:
            return
        news.dirty = news.refused = False
        try:
            if news.live.needs_new_message:  # which may have been noted since the change
                await self.messages.first_known(news.live)
                news.live = await self._tables.see(news.live.table.id)
            await (self._post(news) if news.live.needs_new_message else self._edit(news))
        except Exception:
            news.dirty = True
            raise
        finally:  # where it could not be shown, seats do not wait for it
            self._seats.drawn(news.live)

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
        if self._tables.runtime.owes_note(number) and not await self._tables.runtime.note_again(
            number
        ):
            raise errors.StoreUnavailable

    async def _remind(self, news: _News) -> None:
        if reminder_due(news.live):
            try:
                await self._reminders.bring_up(news.live)
            finally:  # half of it may be noted
                news.live = await self._tables.see(news.live.table.id)
        await self.orphans.clear_doubt(news.live)

    async def _post(self, news: _News) -> None:
        """Send a new message for the table and remember it.

        Every try has the same nonce, or one that was taken without our being told of it would be
        doubled. Discord answers a nonce that it knows with the message it has, unchanged: where an
        older drawing may have been taken, the message is drawn once more.
        """
        live, fold = news.live, news.fold
        # a deal or a showdown that comes meanwhile has a message of its own to fold
        news.fold = False
        try:
            await self._post_and_fold(news, live, fold=fold)
        except Exception:
            news.fold |= fold
            raise

    async def _post_and_fold(self, news: _News, live: LiveTable, *, fold: bool) -> None:
        channel = self._client.get_partial_messageable(live.table.channel_id)
        board = await self.boards.of(live)

        async def send(nonce: str) -> tuple[Rendered, discord.Message]:
            ready = await rendered(board)
            return ready, await channel.send(
                view=ready.view,
                files=ready.files,
                nonce=nonce,
                allowed_mentions=asked_of(live),
            )

        for attempt in range(TRIES):
            try:
                answered = await self._answer(news, live, board)
                if answered is not None:  # which nobody else makes a record
                    fold, (ready, message_id) = True, answered
                else:
                    ready, message = await post_once(nonce_of(live), send)
                    message_id = message.id
            except NOT_TAKEN as error:
                barred = live.table.id in self.messages.barred
                if not await self._may_retry(live, error, attempt):
                    if not barred:  # else what stands there may be what the last press answered
                        await self.messages.tell_if_barred(live)
                    self._doubtful.add(live.table.id)
                    if not answers.is_refused(error):
                        raise answers.not_yet(error) from error
                    news.fold |= fold
                    news.refused = True
                    return
            else:
                if live.table.id in self.messages.barred:
                    self.messages.barred.discard(live.table.id)
                    fold = True  # the message before may show the news, as a press was answered
                if news.fold and news.live.news_seq == live.news_seq:  # asked for meanwhile
                    fold, news.fold = True, False
                news.sent, news.answered = message_id, None  # however long the store is away
                # stored when the message before is folded: nothing else says which that was, and a
                # start after a crash in between would leave it asking for an act
                before = await self.messages.replace(live, message_id, store=not fold)
                news.sent = None
                if before.table.message_id != live.table.message_id:
                    # somebody brought the table down while this was on its way
                    await self.messages.brought_down(before, message_id)
                self._follow(live, ready)
                news.live = await self._tables.see(live.table.id)
                self._seats.drawn(news.live)  # below it; what is folded can wait
                news.dirty |= news.live.table.version != live.table.version
                news.dirty |= live.table.id in self._doubtful
                self._doubtful.discard(live.table.id)
                if fold:
                    await self.messages.fold(live)
                    await self._tables.runtime.note_again(live.table.id)
                if news.live.table.status is Status.CLOSED:
                    newer = await self.messages.newer_below(news.live, message_id)
                    if newer is not None:
                        await self.redraw(newer)  # it may have changed meanwhile
                return

    async def _answer(
        self, news: _News, live: LiveTable, board: Board
    ) -> tuple[Rendered, int] | None:
        """Answer the press that waits with the table's message; None: it is to be posted.

        Raises `NOT_TAKEN` while Discord does not say whether it has taken such an answer: what is
        posted then might be the second.
        """
        offer, news.offer = news.offer, None
        if offer is None:
            return await self._was_taken(news, board)
        offer.begun.set()
        try:
            if news.sent is not None:
                return await self._was_taken(news, board)
            if offer.interaction.response.is_done():  # it was deferred meanwhile
                return None
            ready = await rendered(board)
            news.answered = offer.interaction  # tried again, it is not to be posted beside
            try:
                async with answers.limit(offer.interaction):
                    sent = await answers.send(
                        offer.interaction,
                        view=ready.view,
                        files=ready.files,
                        ephemeral=False,
                        allowed_mentions=asked_of(live),
                    )
            except NOT_TAKEN as error:
                answers.not_taken(error)
                if answers.code_of(error) not in answers.PERHAPS_TAKEN:
                    news.answered = None
                    return None
                sent = None
            if sent is None:
                found = await self._was_taken(news, board)
                offer.taken = found is not None
                return found
            offer.taken = True
            self.carriers.remember(offer.interaction, sent.id)
            return ready, sent.id
        finally:
            offer.close()

    async def _was_taken(self, news: _News, board: Board) -> tuple[Rendered, int] | None:
        """A message that was sent before and is not noted. Raises `NOT_TAKEN`.

        It may show what was before the latest news: it is drawn once more.
        """
        found = news.sent
        if news.answered is not None:
            try:
                found = await answers.own_message(news.answered)
            except NOT_TAKEN as error:
                if not answers.is_refused(error):  # else its token is used up
                    raise
            if found is not None:
                self.carriers.remember(news.answered, found)
            news.answered = None
        if found is None or found < (news.live.table.message_id or 0):  # it was brought down since
            return None
        self._doubtful.add(news.live.table.id)
        return await rendered(board), found

    async def _edit(self, news: _News) -> None:
        """Redraw the table's message in place."""
        for attempt in range(TRIES):
            await self._queue.turn(news, everybody=True)
            news.on_its_way = True  # what comes after the look at the table is not in it
            try:
                live = news.live
                message = self.messages.of(live)
                if message is None:
                    return
                board = await self.boards.of(live)
                with urgency(Urgency.CATCHING_UP if news.catching_up else Urgency.REDRAW):
                    ready, by_bot = await self.carriers.edit(message, board, asked_of(live))
            except NOT_TAKEN as error:
                if answers.code_of(error) in (UNKNOWN_MESSAGE, TOO_OLD_TO_EDIT):
                    await self._post(news)
                    if news.live.table.message_id != live.table.message_id:
                        await self.messages.remove(live)
                    return
                if not await self._may_retry(live, error, attempt):
                    if not answers.is_refused(error):
                        raise answers.not_yet(error) from error
                    news.refused = True
                    return
            else:
                self._doubtful.discard(live.table.id)  # its latest news has a message
                if by_bot:  # a token edits where the bot may not
                    self.messages.barred.discard(live.table.id)
                self._follow(live, ready)
                if not news.fold:  # else it is folded with the next message
                    await self.messages.redrawn(live, message.id)
                return
            finally:
                news.on_its_way = False

    def _follow(self, live: LiveTable, ready: Rendered) -> None:
        """Have the table drawn once more when a picture that took long is there."""
        if ready.late:
            afterwards(ready.late, partial(self.redraw, live.table.id))

    async def may_post(self, guild_id: int) -> None:
        """Something changed in a server: its tables that could not be shown may be shown again."""
        for number in tuple(self.messages.barred):
            try:
                live = await self._tables.see(number)
            except errors.RefusedError as refusal:
                log.info("publisher: not shown", table=number, refusal=type(refusal).__name__)
                continue
            if live.table.guild_id == guild_id:  # one that is over has an end to be shown
                self.changed(live, answered=False)

    async def redraw(self, table_id: int) -> None:
        """Have the table's message show what the table is now."""
        try:
            self.changed(await self._tables.see(table_id), answered=False)
        except errors.RefusedError as refusal:
            log.info("publisher: not redrawn", table=table_id, refusal=type(refusal).__name__)

    async def _may_retry(self, live: LiveTable, error: Exception, attempt: int) -> bool:
        """Whether to try again (after a pause). A table whose channel is gone is ended."""
        code = answers.code_of(error)
        log.warning(
            "publisher: not taken", table=live.table.id, error=type(error).__name__, code=code
        )
        if code == _UNKNOWN_CHANNEL and live.table.status.live:
            try:
                await self._tables.change(live.table.id, NOBODY, plans.close)
            except errors.RefusedError as refusal:
                why = type(refusal).__name__
                log.info("publisher: not ended", table=live.table.id, refusal=why)
        if is_gone(error) or (
            code == ARCHIVED and await opened(self._client, live.table.channel_id)
        ):
            return attempt + 1 < TRIES
        if code in _BARRED:
            self.messages.barred.add(live.table.id)
        if code in _FINAL:
            return False
        if attempt + 1 < TRIES:
            await asyncio.sleep(RETRY_SECONDS[attempt])
            return True
        return False


NOTE_SECONDS: Final = 10.0  # longer than Discord waits for an answer
AT_ONCE: Final = 500  # tables noted in one transaction


class RenderCheckpoint:
    """Told by the publisher what is shown as it stands."""

    def __init__(self, store: ports.Store) -> None:
        self._store = store
        self._fresh: dict[int, int] = {}  # version by table, since the last look
        self._settled: dict[int, int] = {}  # from before that
        self._timer: asyncio.TimerHandle | None = None
        self._noting: asyncio.Task[None] | None = None
        self._closed = False

    def stands(self, table_id: int, version: int) -> None:
        """A table's message shows it as it is at this version, or its answer does in a moment."""
        self.behind(table_id)
        self._fresh[table_id] = version
        if self._timer is None and not self._closed:
            self._timer = asyncio.get_running_loop().call_later(NOTE_SECONDS, self._look)

    def behind(self, table_id: int) -> None:
        """A table is to be drawn anew."""
        self._fresh.pop(table_id, None)
        self._settled.pop(table_id, None)

    def _look(self) -> None:
        self._timer = None
        due, self._settled, self._fresh = self._settled, self._fresh, {}
        if due and (self._noting is None or self._noting.done()):
            self._noting = asyncio.create_task(self._note(due), name="checkpoint")
        if self._settled and not self._closed:
            self._timer = asyncio.get_running_loop().call_later(NOTE_SECONDS, self._look)

    async def _note(self, due: dict[int, int]) -> None:
        rows = list(due.items())
        try:
            for at in range(0, len(rows), AT_ONCE):
                await self._store.tables.note_shown(rows[at : at + AT_ONCE])
        except errors.StoreUnavailable as error:  # they are drawn anew by the next start
            log.info("publisher: what is shown could not be noted", reason=str(error))

    async def close(self) -> None:
        """Note all of it: everybody has been answered."""
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
        if self._noting is not None:
            await self._noting
        await self._note(self._settled | self._fresh)
        self._settled, self._fresh = {}, {}
