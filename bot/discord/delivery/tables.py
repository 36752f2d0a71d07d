"""Keep each table's message up to date: post it for news, redraw it in between.

News is a lobby, a deal, a showdown or the end of a match; each gets a new message. If a press at
the table caused the news, the new message answers that press. The previous message becomes a
record. `/table` reposts the table; the previous message then links to the new one.

After a crash, a message may be posted but not stored. The next start finds it among the channel's
latest messages. A retried post has the same nonce, so Discord doesn't post it twice.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import discord
import structlog
from discord.utils import snowflake_time

from bot.boards.board import Board
from bot.boards.lobby import in_thread_board, moved_board, unposted_board
from bot.discord import answers
from bot.discord.answers import Interaction
from bot.discord.delivery import machine
from bot.discord.delivery.boards import Boards
from bot.discord.delivery.budget import TableTokens
from bot.discord.delivery.checkpoint import RenderCheckpoint
from bot.discord.delivery.driver import Driver, RequestResult, SurfacePlace
from bot.discord.delivery.machine import Act, Request, Surface, Target
from bot.discord.delivery.reminders import reminders_among
from bot.discord.drawing import draw
from bot.discord.layout import Rendered, controls_of
from bot.discord.links import channel_link
from bot.discord.outcomes import (
    ARCHIVED,
    MISSING,
    NOT_TAKEN,
    TOO_OLD_TO_EDIT,
    UNKNOWN_CHANNEL,
    RequestOutcome,
    code_of,
)
from bot.discord.pacing import Urgency, urgency
from bot.discord.picture_job import act_when_drawn
from bot.discord.posting import is_member, missing_permissions
from bot.discord.press import shows_news
from bot.discord.redraw_queue import RedrawQueue
from bot.discord.sending import (
    NOBODY,
    SEARCH_WITHIN,
    only,
    own_latest,
    post_once,
    reopen_thread,
)
from bot.language.catalogues import speaking
from bot.services.tables import Tables
from bot.tables import errors, plans
from bot.tables.cuts import match_seal
from bot.tables.live import LiveTable
from bot.tables.model import Status, Table
from bot.tables.requests import NOBODY as NO_PLAYER
from bot.tables.table_options import BURIED, chosen, language_of
from bot.tables.turns import turn_of

log = structlog.get_logger(__name__)

# milliseconds for which a table's message stays, before it is reposted below chat
APART: Final = 60_000
_BARRED: Final = MISSING | {ARCHIVED}  # a retry helps only after people have changed something
# every message that is not a record has one of these
_LIVE_VERBS: Final = frozenset({"join", "seat", "next", "again"})


class TablePlace(SurfacePlace):
    """The message of one table."""

    kind = "table"

    def __init__(self, owner: TableMessages, live: LiveTable, *, drawn: int = -1) -> None:
        epoch = 0 if live.needs_new_message else 1
        target = Target(1, live.table.version)
        super().__init__(Surface(target, live.table.message_id, epoch, drawn), live.table.id)
        self._owner = owner
        self._news = _news(live)
        # by earlier epoch, the state that its record is made from
        self.records: dict[int, LiveTable] = {}
        if live.needs_new_message:
            self.records[0] = live
        self._answered: dict[int, int] = {}  # the epoch of a post that answers a press
        self._first = live.table.message_id or 0  # all messages after this one may be unknown
        self.live = live
        self.channel_id = live.table.channel_id
        self.catching_up = False  # nothing has happened since a start, and nobody waits for it
        self.barred = False  # the bot may not post or edit there

    def observe(self, live: LiveTable) -> None:
        """Plan to show the table's latest state."""
        self.live, target = live, self.surface.target
        rematch = live.table.message_id is None and live.match is None and self.surface.noted
        # keep the message with the end of the match; but if the end is still to be posted, retire
        # the message before it
        if rematch and self.surface.message is not None and self.surface.epoch == target.epoch:
            self._first = self.surface.message
            self.surface = self.surface._replace(message=None, epoch=-1, drawn=-1)
        epoch = target.epoch
        if _news(live) != self._news:
            self._news = _news(live)
            if live.needs_new_message:
                self.records[epoch] = live
                epoch += 1
        self.want(Target(epoch, live.table.version))

    @property
    def waits_for_presses(self) -> bool:
        """Return whether requests wait for a press; False if the table needs a new message."""
        return not self.surface.needs_post

    def repost(self) -> None:
        """Plan to show the table in a new message, at the bottom of the channel."""
        if not self.surface.needs_post:
            target = self.surface.target
            self.want(target._replace(epoch=target.epoch + 1))

    def urgency(self, request: Request) -> Urgency:
        """Return how urgent a request is."""
        return Urgency.CATCHING_UP if self.catching_up else super().urgency(request)

    async def wait_for_turn(self, request: Request, queue: RedrawQueue, *, hurried: bool) -> None:
        """Before a redraw, wait for a gap between presses."""
        if request.act is Act.EDIT:
            await queue.turn(self, everybody=True)

    def rest(self) -> None:
        """Tell the owner that nothing is left to send."""
        self._owner.rest(self)

    async def perform(self, request: Request, interaction: Interaction | None) -> RequestResult:
        """Make a request; see `SurfacePlace.perform`."""
        if request.act is Act.FIND and interaction is not None:
            return await self._find(interaction)
        live = await self._owner.tables.see(self.table_id)
        if live.table.channel_id != self.channel_id:  # another place shows it by now
            if request.act is Act.RETIRE:
                return await self._point_to_thread(live, request)
            return RequestResult(outcome=RequestOutcome.REFUSED)
        self.observe(live)
        try:
            match request.act:
                case Act.POST if interaction is not None:
                    return await self._post_as_answer(live, interaction)
                case Act.POST:
                    return await self._post(live)
                case Act.EDIT:
                    return await self._edit(live, request, interaction)
                case Act.RETIRE:
                    return await self._retire(live, request)
                case Act.SEARCH:
                    return await self._search(live)
                case _:
                    return await self._note(live)
        except discord.HTTPException as error:
            if interaction is None and request.act in (Act.POST, Act.EDIT, Act.RETIRE):
                await self._learn_refusal(live, error)
            raise

    # -- posting and redrawing ---------------------------------------------------------------------

    async def _post(self, live: LiveTable) -> RequestResult:
        channel = self._owner.client.get_partial_messageable(live.table.channel_id)
        board = await self._owner.boards.for_table(live)
        epoch = self.surface.target.epoch

        async def send(nonce: str) -> tuple[Rendered, discord.Message]:
            post = partial(channel.send, nonce=nonce, allowed_mentions=mentions_of(live))
            return await draw(
                board, lambda ready: post(view=ready.view, files=ready.files), reopen=self._reopen
            )

        ready, message = await post_once(nonce_of(live), send)
        self.barred = False
        return await self._announce_post(live, message.id, epoch, ready)

    async def _post_as_answer(self, live: LiveTable, interaction: Interaction) -> RequestResult:
        """Answer a press, or a command that asks for the table, with the table's new message.

        If a newer table has opened in the channel since the command, make the answer that table's
        message.
        """
        board = await self._owner.boards.for_table(live)
        epoch = self._answered[interaction.id] = self.surface.target.epoch
        is_command = interaction.type is discord.InteractionType.application_command
        # it was deferred meanwhile, so a new message can't answer it
        if interaction.response.is_done() and not is_command:
            return RequestResult(outcome=RequestOutcome.REFUSED)
        pinged = NOBODY if is_command else mentions_of(live)
        send = partial(answers.send, interaction, ephemeral=False, allowed_mentions=pinged)
        try:
            async with answers.limit(interaction):
                ready, message = await draw(
                    board,
                    lambda ready: send(view=ready.view, files=ready.files),
                    reopen=self._reopen,
                )
        except discord.HTTPException as error:
            if not is_command or error.code != ARCHIVED:
                raise
            await answers.show(interaction, board, ephemeral=True)  # the thread is locked
            return RequestResult(outcome=RequestOutcome.REFUSED)
        if message is None:
            return RequestResult(outcome=RequestOutcome.MAYBE)
        if not answers.is_follow_up(message):  # the token of a further one edits the first
            self._owner.tokens.remember(interaction, message.id)
        newer = await self._owner.newer_table(live.table) if is_command else None
        if newer is not None:
            self.surface = self.surface._replace(epoch=self.surface.target.epoch)
            await self._owner.adopt(newer, message.id)
            return RequestResult()
        if is_command and message.id < (self.surface.message or 0):
            # its place was fixed when it was deferred, and a lower message has come since
            self.surface = self.surface._replace(epoch=self.surface.target.epoch)
        return await self._announce_post(live, message.id, epoch, ready)

    async def _announce_post(
        self, live: LiveTable, message_id: int, epoch: int, ready: Rendered | None = None
    ) -> RequestResult:
        """Remember the new message as the table's, update the seats, and return the result.

        If the table has moved to another channel, only return the result. If it has been closed,
        repost the channel's newer table.
        """
        if self._owner.has_moved(self):  # the table moved while it was being posted
            return RequestResult(((message_id, epoch),), live.table.version)
        if message_id > (self.surface.message or 0):
            await self._owner.note_shown(live, message_id)
        if ready is not None:
            self._follow(ready, message_id)
        now = live
        with contextlib.suppress(errors.StoreUnavailable):  # the message has been sent all the same
            now = await self._owner.tables.see(live.table.id)
            self._owner.on_posted(now)
        if now.table.status is Status.CLOSED:  # somebody has opened another table meanwhile
            newer = await self._owner.newer_table(live.table)
            if newer is not None and (newer.table.message_id or 0) < message_id:
                self._owner.repost(newer)
        return RequestResult(((message_id, epoch),), live.table.version)

    async def _edit(
        self, live: LiveTable, request: Request, interaction: Interaction | None
    ) -> RequestResult:
        if self.surface.is_stuck and interaction is None:
            with speaking(language_of(live.table)):
                board = unposted_board(live.table)
        else:
            board = await self._owner.boards.for_table(live)
        if interaction is not None:
            async with answers.limit(interaction):
                edit = partial(answers.edit_in_place, interaction)
                ready, _ = await draw(board, edit, reopen=self._reopen)
        else:
            ready = await self._edit_message(request, board, mentions_of(live))
        self._follow(ready, request.message or 0)
        return RequestResult(version=live.table.version)

    async def _edit_message(
        self, request: Request, board: Board, pinged: discord.AllowedMentions
    ) -> Rendered:
        """Show a board in a message, by a press's token or the bot's; return what was sent."""
        number, channel_id = request.message or 0, self.channel_id
        webhook = self._owner.tokens.take(number, channel_id)
        if webhook is not None:
            by_token = partial(webhook.edit_message, answers.ORIGINAL, allowed_mentions=pinged)
            try:
                # the library would wait for a limit however long, and the bot has another token
                async with asyncio.timeout(1.0):
                    ready, _ = await draw(
                        board, lambda ready: by_token(view=ready.view, attachments=ready.files)
                    )
                    return ready
            except (discord.HTTPException, discord.RateLimited, OSError) as error:
                log.info("tables: not taken by token", message=number, code=code_of(error))
                self._owner.tokens.forget(number)
        by_bot = partial(self._partial(number).edit, allowed_mentions=pinged)
        ready, _ = await draw(
            board,
            lambda ready: by_bot(view=ready.view, attachments=ready.files),
            reopen=self._reopen,
        )
        self.barred &= self.surface.is_stuck
        return ready

    def _partial(self, message_id: int) -> discord.PartialMessage:
        channel = self._owner.client.get_partial_messageable(self.channel_id)
        return channel.get_partial_message(message_id)

    async def _reopen(self) -> bool:
        return await reopen_thread(self._owner.client, self.channel_id)

    def _follow(self, ready: Rendered, message_id: int) -> None:
        """Redraw a message when a slow picture is ready."""
        if ready.late:
            act_when_drawn(ready.late, partial(self._owner.redraw, self.table_id, message_id))

    async def _learn_refusal(self, live: LiveTable, error: discord.HTTPException) -> None:
        """Remember if `error` says that the bot may not post; end a table whose channel is gone."""
        self.barred |= error.code in _BARRED
        if error.code == UNKNOWN_CHANNEL and live.table.status.live:
            try:
                await self._owner.tables.change(live.table.id, NO_PLAYER, plans.close)
            except errors.RefusedError as refusal:
                why = type(refusal).__name__
                log.info("tables: not ended", table=live.table.id, refusal=why)

    # -- the message before ------------------------------------------------------------------------

    async def _retire(self, live: LiveTable, request: Request) -> RequestResult:
        """Turn an earlier message into a record of its content, or a link to the current message.

        Delete a message that is too old to become a link.
        """
        message_id, current = request.message or 0, self.surface
        record = self.records.get(request.epoch) if request.epoch < current.epoch else None
        if record is not None:
            board = await self._owner.boards.for_record(record)
        else:
            with speaking(language_of(live.table)):
                board = moved_board(live.table, f"{channel_link(live.table)}/{current.message}")
        try:
            ready = await self._edit_message(request, board, NOBODY)
        except discord.HTTPException as error:
            if code_of(error) != TOO_OLD_TO_EDIT or record is not None:
                raise
            await self._partial(message_id).delete()
            return RequestResult()
        if ready.late and record is not None:
            again = partial(self._owner.retire_again, self.table_id, message_id, record)
            act_when_drawn(ready.late, again)
        else:
            self._owner.tokens.forget(message_id)
            if not any(epoch == request.epoch for _, epoch in current.retire[1:]):
                self.records.pop(request.epoch, None)
        return RequestResult()

    async def _point_to_thread(self, live: LiveTable, request: Request) -> RequestResult:
        """Turn the old message of a table that has moved into a link to the table's thread."""
        with speaking(language_of(live.table)):
            board = in_thread_board(live.table, channel_link(live.table))
        await self._edit_message(request, board, NOBODY)
        return RequestResult()

    # -- after a lost receipt, and after a start ---------------------------------------------------

    async def _find(self, interaction: Interaction) -> RequestResult:
        """Find the message that answered a press; the outcome is `GONE` if there is none."""
        live = await self._owner.tables.see(self.table_id)
        message_id = await answers.own_message(interaction)
        epoch = self._answered.pop(interaction.id, 0)
        if message_id is None:
            return RequestResult(outcome=RequestOutcome.GONE)
        self._owner.tokens.remember(interaction, message_id)
        return replace(await self._announce_post(live, message_id, epoch), version=None)

    async def _search(self, live: LiveTable) -> RequestResult:
        """Find the table's messages that aren't stored, among the channel's latest messages.

        Pass its other reminders to `found_reminders`. The outcome is `REFUSED` if the channel can't
        be read.
        """
        latest = await own_latest(self._owner.client, live.table.channel_id)
        if latest is None:
            return RequestResult(outcome=RequestOutcome.REFUSED)
        sent = [message for message in latest if message.id > self._first]
        known = {self.surface.message, *(message for message, _ in self.surface.retire)}
        unknown = (message for message in sent if message.id not in known)
        unnoted = sorted(message.id for message in unknown if _shows(message, live.table.id))
        epoch = self.surface.target.epoch
        if unnoted:
            log.info("tables: a message was not noted", table=live.table.id)
        if unnoted and unnoted[-1] > (self.surface.message or 0):
            await self._owner.note_shown(live, unnoted[-1])
        stored = self._owner.tables.runtime.with_nudge(live).table.nudge_id
        reminders = [number for number in reminders_among(sent, live.table) if number != stored]
        if reminders:
            self._owner.found_reminders(live, reminders)
        return RequestResult(tuple((message, epoch) for message in unnoted))

    async def _note(self, live: LiveTable) -> RequestResult:
        runtime = self._owner.tables.runtime
        if runtime.owes_note(live.table.id) and not await runtime.note_again(live.table.id):
            raise errors.StoreUnavailable
        return RequestResult()


@dataclass(eq=False)
class TableMessages:
    """Keeps the messages of tables up to date."""

    client: discord.Client
    tables: Tables
    driver: Driver
    boards: Boards
    tokens: TableTokens
    checkpoint: RenderCheckpoint
    on_posted: Callable[[LiveTable], None]  # called when a table's new message is posted
    on_rest: Callable[[LiveTable], None]  # called when a table is up to date
    found_reminders: Callable[[LiveTable, list[int]], None]

    def __post_init__(self) -> None:
        self._looking: set[asyncio.Task[None]] = set()
        self._places: dict[int, TablePlace] = {}  # only of tables whose message is out of date
        self._left: dict[int, TablePlace] = {}  # in channels that a table has just left

    def update(self, live: LiveTable, *, unseen: bool = False) -> None:
        """Show a table's latest state. `unseen`: an up-to-date message needn't show it."""
        if unseen and live.table.id not in self._places:
            self.checkpoint.note_current(live.table.id, live.table.version)
            return
        place = self._place(live)
        place.catching_up &= unseen
        place.observe(live)
        self.wake(place)

    def answering(self, table_id: int) -> AbstractContextManager[None]:
        """Hold back redraws of a table's message while a block processes a press on it."""
        return self.driver.hold((TablePlace.kind, table_id, 0))

    async def redraw(self, table_id: int, message_id: int | None = None) -> None:
        """Redraw a table's message.

        If `message_id` is given, redraw only if the table still has that message.
        """
        with contextlib.suppress(errors.RefusedError):
            live = await self.tables.see(table_id)
            if message_id in (None, live.table.message_id):
                place = self._place(live)
                place.surface = machine.mark_stale(place.surface)
                self.wake(place)

    async def resume(self, live: LiveTable, *, up_to_date: bool) -> None:
        """Show a table after a start, unless `up_to_date`; first search for unstored messages.

        Skip the search if the stored message is the channel's latest. Return when the message is up
        to date or waits for a retry.
        """
        place = self._place(live, drawn=live.table.version if up_to_date else -1)
        place.catching_up = True
        channel = self.client.get_channel(live.table.channel_id)
        last = getattr(channel, "last_message_id", None) or 0
        # skip the search if the channel has no messages after the stored one
        if channel is None or last > (live.table.message_id or 0):
            place.surface = machine.search(place.surface)
        self.wake(place)
        await self.driver.settle_place(place)

    async def answer(self, interaction: Interaction, live: LiveTable) -> RequestOutcome:
        """Answer a press by redrawing the table's message or posting its new one.

        Return the outcome; `GONE` if the pressed message is no longer the table's.
        """
        place, pressed = self._place(live), interaction.message
        place.catching_up = False
        place.observe(live)
        current = place.surface.message
        if pressed is not None and pressed.id > (current or 0):
            # newer than the known message: its own receipt is still on the way
            fresh = shows_news(interaction, live)
            epoch = place.surface.target.epoch - (0 if fresh else 1)
            place.surface = machine.meet(place.surface, (pressed.id, epoch))
            if fresh:
                await self.note_shown(live, pressed.id)
        elif pressed is None or pressed.id != current:
            await answers.acknowledge(interaction)
            self.wake(place)
            return RequestOutcome.GONE
        if place.surface.needs_post and missing_permissions(interaction):
            # the bot cannot post there, so the pressed message must do
            place.barred, target = True, place.surface.target
            refused = target.epoch, target.version
            place.surface = place.surface._replace(refused_post=refused)
        return await self.driver.answer(place, interaction, may_post=_may_post(interaction))

    async def show_as_answer(self, interaction: Interaction, live: LiveTable) -> None:
        """Answer a command with a new message of the table, which becomes the table's own."""
        with contextlib.suppress(errors.StoreUnavailable):  # the table may have changed meanwhile
            live = await self.tables.see(live.table.id)
        place = self._place(live)
        place.catching_up = False
        place.repost()
        if await self.driver.post(place, interaction) is RequestOutcome.MAYBE:
            await self.driver.settle_place(place)  # until it is known whether Discord took it

    def repost(self, live: LiveTable) -> None:
        """Show a table in a new message, at the bottom of the channel."""
        place = self._place(live)
        place.repost()
        self.wake(place)

    def begin_turn(self, live: LiveTable) -> None:
        """Start checking whether chat has buried a table; if so, repost it.

        Don't check if the table's message is less than a minute older than the turn.
        """
        message, since = live.table.message_id, live.table.turn_since
        most = int(chosen(live.table, BURIED))
        if not most or message is None or since is None:
            return
        if since - snowflake_time(message).timestamp() * 1000 < APART:
            return
        task = asyncio.create_task(self._look_below(live.table, message, most), name="below")
        self._looking.add(task)
        task.add_done_callback(self._looking.discard)

    def close(self) -> None:
        """Stop checking for chat below tables."""
        for task in self._looking:
            task.cancel()

    async def _look_below(self, table: Table, message: int, most: int) -> None:
        """Repost a table during a turn if at least `most` messages by others are below it.

        `message`: the id of the table's message.
        """
        channel = self.client.get_partial_messageable(table.channel_id)
        after = discord.Object(message)
        try:
            with urgency(Urgency.CATCHING_UP):
                async with asyncio.timeout(SEARCH_WITHIN):
                    below = [line async for line in channel.history(limit=2 * most, after=after)]
            live = await self.tables.see(table.id)
        except (*NOT_TAKEN, errors.RefusedError) as error:
            log.info("tables: not looked below", table=table.id, reason=type(error).__name__)
            return
        chat = sum(message.author != self.client.user for message in below)
        in_place = live.table.message_id == message and live.table.status is Status.PLAYING
        if chat >= most and in_place and turn_of(live.match) is not None:
            self.repost(live)

    async def adopt(self, live: LiveTable, message_id: int) -> None:
        """Make an existing message the table's own, unless the table has a newer one."""
        place = self._place(live)
        is_lowest = message_id > (place.surface.message or 0)
        if is_lowest:
            place.repost()
        # before anything is waited for: until it is known, a new message would be posted
        place.surface = machine.meet(place.surface, (message_id, place.surface.target.epoch))
        if is_lowest:
            await self.note_shown(live, message_id)
        self.wake(place)

    async def note_shown(self, live: LiveTable, message_id: int) -> None:
        """Remember which message shows a table; its id is stored later."""
        seq = live.match.seq if live.match is not None else 0
        await self.tables.runtime.note_shown(live.table.id, message_id, seq)

    async def newer_table(self, table: Table) -> LiveTable | None:
        """Return the table that was opened in the same channel later; None if none can be found."""
        try:
            newest = await self.tables.in_channel(table.channel_id)
        except errors.RefusedError:
            return None
        return newest if newest.table.id > table.id else None

    def is_barred(self, table_id: int) -> bool:
        """Return whether a table can't be shown because the bot may not post in its channel."""
        place = self._places.get(table_id)
        return place is not None and place.barred

    async def retry_barred(self, guild_id: int) -> None:
        """Show a server's tables that the bot wasn't allowed to show: permissions have changed."""
        for number, place in tuple(self._places.items()):
            if place.barred and place.live.table.guild_id == guild_id:
                self.try_again(number)

    def try_again(self, table_id: int) -> None:
        """Retry a table's refused requests."""
        place = self._places.get(table_id)
        if place is not None:
            place.surface = machine.try_again(place.surface)
            self.wake(place)

    async def retire_again(self, table_id: int, message_id: int, record: LiveTable) -> None:
        """Redraw a replaced message as `record`, now that its picture is ready."""
        with contextlib.suppress(errors.RefusedError):
            place = self._place(await self.tables.see(table_id))
            epoch = -message_id  # less than the epoch of any message that shows the table
            place.records[epoch] = record
            retire = *place.surface.retire, (message_id, epoch)
            place.surface = place.surface._replace(retire=retire)
            self.wake(place)

    def leave_channel(self, before: LiveTable) -> None:
        """Replace a moved table's old message by a link; `before`: the table before the move."""
        place = self._left.pop(before.table.id, None) or TablePlace(self, before)
        place.want(place.surface.target._replace(present=False))
        self.driver.wake(place)

    def wake(self, place: TablePlace) -> None:
        """Start sending a place's next requests; if there are any, mark the table as stale."""
        number = place.table_id
        if machine.decide(place.surface) is not None:
            self.checkpoint.note_stale(number)
        self._places.setdefault(number, place)
        self.driver.wake(place)

    def rest(self, place: TablePlace) -> None:
        """Forget a place with nothing left to send, unless the bot is barred from its channel.

        If the table's message is up to date, record that. Then call `on_rest`.
        """
        surface, number = place.surface, place.table_id
        if self._places.get(number) is not place or surface.press is not None:
            return
        if not place.barred:
            del self._places[number]
        if surface.drawn >= surface.target.version and not surface.needs_post:
            self.checkpoint.note_current(number, surface.target.version)
        self.on_rest(place.live)

    def has_moved(self, place: TablePlace) -> bool:
        """Return whether a place's table has since moved to another channel."""
        now = self._places.get(place.table_id, place)
        return now.channel_id != place.channel_id

    def is_busy(self, table_id: int) -> bool:
        """Return whether updates of a table's message are still to be sent."""
        place = self._places.get(table_id)
        if place is None:
            return False
        surface = place.surface
        return bool(surface.in_flight) or surface.waiting or machine.decide(surface) is not None

    def _place(self, live: LiveTable, *, drawn: int = -1) -> TablePlace:
        place = self._places.get(live.table.id)
        if place is None or place.channel_id != live.table.channel_id:
            if place is not None:
                self._left[live.table.id] = place
            place = self._places[live.table.id] = TablePlace(self, live, drawn=drawn)
        return place


def _news(live: LiveTable) -> tuple[object, ...]:
    """Return a key that changes with each lobby, deal, showdown and end of a match."""
    return live.table.match_id, live.news_seq, live.match is None


def _may_post(interaction: Interaction) -> bool:
    """Return whether a new message may answer a press.

    The press must be unanswered. The bot must be able to edit the message later, and to find it in
    the channel's history after a restart, as an answer has no nonce.
    """
    return (
        not interaction.response.is_done()
        and is_member(interaction)
        and not missing_permissions(interaction)
        and interaction.app_permissions.read_message_history
    )


def mentions_of(live: LiveTable) -> discord.AllowedMentions:
    """Return the mentions that a table's message pings: only players invited to play again."""
    return only(live.table.awaited_players if live.table.status is Status.LOBBY else ())


def nonce_of(live: LiveTable) -> str:
    """Return the nonce of a table's news, 24 characters: the same for every try to post it.

    It is made from stored data, so if a post was in flight during a crash, the next start makes no
    second one.
    """
    table = live.table
    # a table before a rematch has no match yet, but a new seal for each match
    news = f"{table.match_id or match_seal(table)} {live.news_seq}"
    named = f"{table.id} {news} after {table.message_id}"
    return hashlib.blake2s(named.encode(), digest_size=12).hexdigest()


def _shows(message: discord.Message, table: int) -> bool:
    """Return whether a message shows this table and has one of its live buttons."""
    return not message.content and any(
        control.address.table == table and control.verb in _LIVE_VERBS
        for control in controls_of(message)
    )
