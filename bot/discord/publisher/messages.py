"""What a table's message says, which message shows the table, and what becomes of the one that did
before; `publisher` posts and redraws.

What it says is made from stored state, with the names of who sits there (`bot.boards.table`). The
message before the latest news is folded into a record of what was; one whose table was brought down
in its channel says where it is now.

A message's id is known when Discord has answered, and noted after that. A process that is killed in
between leaves a table or a reminder in the channel that nobody would ever change again. Both stand
below the table's message and are our own, so a start finds them among the channel's latest messages
(`Orphans`); that takes one request for each table whose channel has gone on since its message, and
the right to read the channel's history.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Final
from weakref import WeakValueDictionary

import discord
import structlog

from bot.boards.board import Board
from bot.boards.lobby import moved_board, unposted_board
from bot.boards.showdown import Told, record_board
from bot.boards.table import table_board
from bot.discord.answers import NOT_TAKEN, code_of
from bot.discord.layout import board_view, controls_of, rendered
from bot.discord.links import channel_link
from bot.discord.pacing import Urgency, urgency
from bot.discord.people import People
from bot.discord.picture_job import afterwards
from bot.discord.publisher.carriers import Carriers
from bot.discord.sending import NOBODY, only, post_once
from bot.language.catalogues import speaking
from bot.recent import Recent
from bot.tables import errors, ports
from bot.tables.cuts import match_seal
from bot.tables.highlights import Story
from bot.tables.live import LiveTable
from bot.tables.model import Status
from bot.tables.service import Tables
from bot.tables.session_score import MOST, session_score
from bot.tables.table_options import language_of
from bot.tables.turns import reminder

STORIES: Final = 100  # that are remembered


class TableBoards:
    """Makes the boards of tables, in their languages."""

    def __init__(self, store: ports.Store, people: People, tables: Tables) -> None:
        self._store = store
        self._people = people
        self._tables = tables
        self._stories = Recent[int, Story](STORIES)  # by match; each is drawn many times

    async def of(self, live: LiveTable, *, again: bool = True) -> Board:
        """What the table's message shows; not `again`: of a match that is played again already."""
        company = await self._people.company(live.table)
        told = await self._match_told(live)
        with speaking(language_of(live.table)):
            return table_board(
                live,
                company.names,
                company.closed,
                again=again,
                told=told,
                seats_computers=self._tables.seats_computers,
            )

    async def _match_told(self, live: LiveTable) -> Told | None:
        """What is told of a match that is over; None while it is not, or if the store is down."""
        over = live.match is not None and live.match.winner is not None
        if not over or live.table.match_id is None:
            return None
        try:
            story = await self._story(live.table.id, live.table.match_id)
            played = await self._store.matches.played(live.table.match_id, MOST)
        except errors.RefusedError as refusal:
            log.info("boards: no story", table=live.table.id, refusal=type(refusal).__name__)
            return None
        return Told(story, session_score(played))

    async def _story(self, table_id: int, match_id: int) -> Story:
        """What is told of a match that is over: nobody's name or number is in it."""
        story = self._stories.get(match_id)
        if story is None:
            _, story = await self._tables.story_of(table_id, match_id)
            self._stories[match_id] = story
        return story

    async def answer(self, live: LiveTable, *, shows_news: bool = False) -> Board:
        """What the message that a move came from shows after it.

        After a deal or a showdown that is what was, in short: the news is a message of its own. It
        may be pressed before we are told that it was taken: then it `shows_news` already.
        """
        before = live.needs_new_message and not shows_news
        return await (self.record(live) if before else self.of(live))

    async def record(self, live: LiveTable) -> Board:
        """What is left of the message before the latest news."""
        company = await self._people.company(live.table)
        with speaking(language_of(live.table)):
            return record_board(live, company.names)


log = structlog.get_logger(__name__)
TOO_OLD_TO_EDIT: Final = 30046  # Discord caps the edits of messages that are older than an hour


class TableMessages:
    """Knows the messages of tables; `owed` is told of a table whose note is still to be stored."""

    def __init__(
        self,
        client: discord.Client,
        tables: Tables,
        boards: TableBoards,
        carriers: Carriers,
        owed: Callable[[LiveTable], None],
    ) -> None:
        self._client = client
        self._carriers = carriers
        self._tables = tables
        self._boards = boards
        self._owed = owed
        # a lock lives as long as somebody holds or awaits it
        self._replacing: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self.barred: set[int] = set()  # tables whose news could not be shown in their channels
        self._answering: dict[int, asyncio.Event] = {}

    async def fold(self, live: LiveTable) -> None:
        """Make the message before the latest news a record of what was."""
        message = self.of(live)
        if message is None:
            return
        board = await self._boards.record(live)
        try:
            with urgency(Urgency.REDRAW):
                ready, _ = await self._carriers.edit(message, board, NOBODY)
        except NOT_TAKEN as error:  # its controls are answered politely all the same
            log.warning("messages: not folded", table=live.table.id, code=code_of(error))
            return
        if ready.late:  # nothing else changes that message any more
            afterwards(ready.late, partial(self.fold, live))
        else:
            self._carriers.forget(message.id)

    async def remove(self, live: LiveTable) -> None:
        """Delete the message that showed the table, `live`, and can be changed no more.

        The one that shows it now says the same; this one's buttons would lead nowhere.
        """
        message = self.of(live)
        if message is None:
            return
        try:
            await message.delete()
        except NOT_TAKEN as error:  # its controls are answered politely all the same
            log.info("messages: not deleted", table=live.table.id, code=code_of(error))

    def of(self, live: LiveTable) -> discord.PartialMessage | None:
        """The message that shows the table, if there is one."""
        if live.table.message_id is None:
            return None
        channel = self._client.get_partial_messageable(live.table.channel_id)
        return channel.get_partial_message(live.table.message_id)

    @contextlib.contextmanager
    def answering(self, table_id: int) -> Iterator[None]:
        """While an answer that shows the table is sent, and is noted as its message."""
        done = self._answering[table_id] = asyncio.Event()
        try:
            yield
        finally:
            done.set()
            if self._answering.get(table_id) is done:
                del self._answering[table_id]

    async def first_known(self, live: LiveTable) -> None:
        """Wait for the answer that opens the table: somebody may press it before we hear of it."""
        done = self._answering.get(live.table.id)
        if done is not None and live.table.message_id is None:
            await done.wait()

    async def taken_down(self, live: LiveTable, message_id: int) -> None:
        """An answer shows the table, `live`, further down: it is its message from now on.

        Where an answer stands is settled when it is promised, and it may come late: one that stands
        above the table's message is not that, and says where it is.
        """
        before = await self.replace(live, message_id, upwards=False)
        shown = before.table.message_id
        if shown is not None and shown > message_id:
            await self._refer(before, message_id, shown)
        else:
            await self.brought_down(before, message_id)

    async def replace(
        self, live: LiveTable, message_id: int, *, store: bool = True, upwards: bool = True
    ) -> LiveTable:
        """Note which message shows the table now; the table as it was just before that.

        One at a time, so that of two messages posted at once each knows which it replaces. Without
        `store` this process alone knows it until `note_again`; unless `upwards`, nothing is noted
        of a message above the one that shows the table (a later message has a greater id).
        """
        lock = self._replacing.setdefault(live.table.id, asyncio.Lock())
        async with lock:
            before = await self._tables.see(live.table.id)
            if not upwards and (before.table.message_id or 0) > message_id:
                return before
            if store:
                await self.note(live, message_id)
            else:
                await self._tables.runtime.note_shown(
                    live.table.id, message_id, _seq(live), store=False
                )
        return before

    async def adopt(self, live: LiveTable, messages: list[int]) -> None:
        """Take the last of `messages`, the lowest, as the table's; the others say where it is.

        They show the table further down, and nothing was noted of them.
        """
        *others, lowest = messages
        await self.brought_down(await self.replace(live, lowest), lowest)
        for other in others:
            await self._refer(live, other, lowest)

    async def brought_down(self, live: LiveTable, message_id: int) -> None:
        """The message that showed the table as it was, `live`, says that another one does now."""
        if live.table.message_id == message_id:
            return
        if live.needs_new_message:
            await self.fold(live)
            return
        if live.table.message_id is not None:
            await self._refer(live, live.table.message_id, message_id)

    async def newer_below(self, over: LiveTable, message_id: int) -> int | None:
        """Bring a newer table of the channel below a message of one that is `over`; its id.

        Somebody may open it while the winner's message is on its way; whoever looks at the end of
        the channel would see nothing to join. None if there is none, or Discord takes no message.
        """
        try:
            newer = await self._tables.in_channel(over.table.channel_id)
        except errors.NoTable:
            return None
        if newer.table.id == over.table.id or (newer.table.message_id or 0) > message_id:
            return None
        board = await self._boards.of(newer)
        channel = self._client.get_partial_messageable(over.table.channel_id)

        async def send(nonce: str) -> discord.Message:
            ready = await rendered(board)
            return await channel.send(
                view=ready.view, files=ready.files, nonce=nonce, allowed_mentions=NOBODY
            )

        try:
            sent = await post_once(f"b{message_id}", send)
        except NOT_TAKEN as error:  # it stands above, where it was opened
            log.warning("messages: not taken", table=newer.table.id, code=code_of(error))
            return None
        await self.brought_down(await self.replace(newer, sent.id), sent.id)
        return newer.table.id

    async def redrawn(self, live: LiveTable, message_id: int) -> None:
        """`live` was drawn on a message, which may have been replaced or folded meanwhile.

        Then it asks for an act where nobody looks any more: what it was made is done once more.
        """
        with contextlib.suppress(errors.RefusedError):
            now = await self._tables.see(live.table.id)
            shown = now.table.message_id
            if shown is None or shown < message_id:
                return
            if now.news_seq == live.news_seq:
                if shown > message_id:
                    await self._refer(now, message_id, shown)
            elif _is_next(live, now):
                await self.fold(replace(now, table=replace(now.table, message_id=message_id)))
            elif shown > message_id:
                await self._refer(now, message_id, shown)

    async def _refer(self, live: LiveTable, message_id: int, shown: int) -> None:
        """Have one message of the table say that another one, `shown`, shows it."""
        channel = self._client.get_partial_messageable(live.table.channel_id)
        message = channel.get_partial_message(message_id)
        with speaking(language_of(live.table)):
            link = f"{channel_link(live.table)}/{shown}"
            view = board_view(moved_board(live.table, link))
        try:
            await message.edit(view=view, attachments=[], allowed_mentions=NOBODY)
        except NOT_TAKEN as error:  # its controls are answered politely all the same
            log.warning("messages: not folded", table=live.table.id, code=code_of(error))
            if code_of(error) == TOO_OLD_TO_EDIT:
                await self.remove(replace(live, table=replace(live.table, message_id=message_id)))

    async def tell_if_barred(self, live: LiveTable) -> None:
        """Say on the table's earlier message why no new one comes: an edit needs less."""
        message = self.of(live)
        if message is None or live.table.id not in self.barred:
            return
        try:
            with speaking(language_of(live.table)):
                view = board_view(unposted_board(live.table))
            await message.edit(view=view, attachments=[], allowed_mentions=NOBODY)
        except NOT_TAKEN as error:
            log.warning("messages: not taken", table=live.table.id, code=code_of(error))

    async def note(self, live: LiveTable, message_id: int) -> None:
        """Remember that a message shows the table, however often it takes to store that."""
        if await self._tables.runtime.note_shown(live.table.id, message_id, _seq(live)):
            return
        with contextlib.suppress(errors.RefusedError):
            self._owed(await self._tables.see(live.table.id))


def _is_next(live: LiveTable, now: LiveTable) -> bool:
    """Whether the latest news came right after what `live` shows, so that its record is of that."""
    if live.match is None or now.before is None:
        return live.match is None and now.before is None
    rounds = [one.round.number if one.round is not None else 0 for one in (live.match, now.before)]
    return rounds[0] == rounds[1] and live.match.phase is now.before.phase


def _seq(live: LiveTable) -> int:
    """How much of its match's log a table shows."""
    return live.match.seq if live.match is not None else 0


def asked_of(live: LiveTable) -> discord.AllowedMentions:
    """Whom a new message of the table pings: who is asked to play again, nobody else."""
    asked = live.table.awaited if live.table.status is Status.LOBBY else ()
    return only(asked)


def nonce_of(live: LiveTable) -> str:
    """The nonce of a piece of news: one for every try to post it, 24 characters.

    It is made of what is stored and does not change until the message is noted. So a post that was
    under way in a crash is not doubled by the next start, though that draws it otherwise: it gives
    time back, and somebody may have moved since.
    """
    table = live.table
    # a table that is played at again has no match yet, but another seal for each of its matches
    news = f"{table.match_id or match_seal(table)} {live.news_seq}"
    told = f"{table.id} {news} after {table.message_id}"
    return hashlib.blake2s(told.encode(), digest_size=12).hexdigest()


LOOKED_THROUGH: Final = 100  # messages that are looked through; Discord gives no more at once
# one is on each message that is no record
_LIVE: Final = frozenset({"join", "seat", "next", "again"})


class Orphans:
    """Finds them, and makes of them what they would have become."""

    def __init__(self, client: discord.Client, messages: TableMessages) -> None:
        self._client = client
        self._messages = messages
        # of tables: a reminder that is perhaps the one that was due, and which that was
        self._perhaps_due: dict[int, tuple[discord.Message, str]] = {}

    async def taken_up(self, live: LiveTable) -> bool:
        """Have the lowest message of the table be its own, and unknown reminders deleted.

        Whether there is such a message: it is to be drawn as the table stands. Only what was sent
        before this process came is looked at.
        """
        table = live.table
        last, noted = self._last_in(table.channel_id), table.message_id or 0
        if table.is_practice or last <= noted:
            return False
        channel = self._client.get_partial_messageable(table.channel_id)
        until = discord.Object(last + 1)  # the latest, as people may have talked since its message
        try:
            sent = [
                one
                async for one in channel.history(limit=LOOKED_THROUGH, before=until)
                if one.id > noted and one.author == self._client.user
            ]
        except NOT_TAKEN as error:  # without the permission they stay
            log.info("orphans: not looked for", table=table.id, code=code_of(error))
            return False
        found = sorted(one.id for one in sent if _shows(one, table.id))
        if found:
            log.info("orphans: a message of the table was not noted", table=table.id)
            await self._messages.adopt(live, found)
        link = f"]({channel_link(table)}/"
        reminders = [one for one in sent if link in one.content and one.id != table.nudge_id]
        due = reminder(table, live.match)
        if reminders and due is not None and due != table.nudged:
            # it is noted when it is sent again, as its nonce finds it; or the turn passes before
            self._perhaps_due[table.id] = reminders.pop(0), due
        for one in reminders:
            await self._delete(one, table.id)
        return bool(found)

    def reminder_in_doubt(self, live: LiveTable) -> bool:
        """Whether a reminder was left that is known by now to be the due one, or not to be."""
        _, due = self._perhaps_due.get(live.table.id, (None, None))
        if due is None:
            return False
        return live.table.nudged == due or reminder(live.table, live.match) != due

    async def clear_doubt(self, live: LiveTable) -> None:
        """Delete a reminder that was left and is in doubt no more, unless it is the table's own."""
        if not self.reminder_in_doubt(live):
            return
        message, _ = self._perhaps_due.pop(live.table.id)
        if message.id != live.table.nudge_id:
            await self._delete(message, live.table.id)

    def _last_in(self, channel_id: int) -> int:
        """The channel's last message as the gateway told of it when this process came; or 0."""
        return getattr(self._client.get_channel(channel_id), "last_message_id", None) or 0

    async def _delete(self, message: discord.Message, table: int) -> None:
        log.info("orphans: a reminder was not noted", table=table)
        try:
            await message.delete()
        except NOT_TAKEN as error:
            log.info("reminders: not deleted", table=table, code=code_of(error))


def _shows(message: discord.Message, table: int) -> bool:
    """Whether a message shows this table, and is not the record of what it was."""
    return not message.content and any(
        said.address.table == table and said.verb in _LIVE for said in controls_of(message)
    )
