"""Shows tables: posts and redraws their messages, sends hole cards by direct message.

A table's message is made from its latest state at the moment of sending, so redraws coalesce by
themselves. What must be said once is tracked in the store: a delivery row a seat and round, and
the message that shows the table. Messages carry a nonce, so a retried post is not doubled.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import Final

import discord
import structlog

from bot.discord.layout import board_files, board_view
from bot.render.board import Board
from bot.render.table import hand_board, table_board
from bot.tables import ports, refusals
from bot.tables.records import Delivery, HoleCards, Player, Status
from bot.tables.service import Tables
from bot.tables.table import LiveTable

log = structlog.get_logger(__name__)

TRIES: Final = 4
RETRY_SECONDS: Final = (0.5, 2.0, 8.0)
DMS_AT_ONCE: Final = 5  # opening many at once gets a bot limited
_UNKNOWN_MESSAGE: Final = 10008
_UNKNOWN_CHANNEL: Final = 10003
_TOO_OLD_TO_EDIT: Final = 30046
_ARCHIVED: Final = 50083
_MISSING: Final = frozenset({50001, 50013})
_DM_CLOSED: Final = frozenset({50007, 50278, 40003})


@dataclass(slots=True)
class _News:
    """The latest state of a table, and whether its message must be brought up to it."""

    live: LiveTable
    dirty: bool


class DiscordAnnouncer:
    """Implements `bot.tables.requests.Announcer` with a worker task a table that has news."""

    def __init__(self, client: discord.Client, store: ports.Store, clock: ports.Clock) -> None:
        self._client = client
        self._store = store
        self._clock = clock
        self.tables: Tables | None = None  # set once both exist
        self._news: dict[int, _News] = {}  # only of tables that a worker is busy with
        self._workers: dict[int, asyncio.Task[None]] = {}
        self._dms = asyncio.Semaphore(DMS_AT_ONCE)

    def changed(self, live: LiveTable, *, answered: bool) -> None:
        """Have the latest state shown, unless the answer to the move does."""
        number = live.table.id
        fresh = live.needs_new_message and live.table.status is not Status.CLOSED
        news = self._news.setdefault(number, _News(live, dirty=False))
        news.live = live
        news.dirty |= fresh or not answered
        if not news.dirty and number not in self._workers:
            del self._news[number]
        elif number not in self._workers:
            worker = asyncio.create_task(self._work(number, news), name=f"table-{number}")
            self._workers[number] = worker

    async def settled(self) -> None:
        """Wait until every table is shown as it stands (for a clean stop)."""
        while self._workers:
            await asyncio.gather(*self._workers.values(), return_exceptions=True)

    # -- the table's message ----------------------------------------------------------------------

    async def _work(self, number: int, news: _News) -> None:
        try:
            while news.dirty:
                news.dirty = False
                live = news.live
                if live.needs_new_message and live.table.status is not Status.CLOSED:
                    await asyncio.gather(self._post(news), self.deliver(live))
                else:
                    await self._edit(news)
        except Exception:
            log.exception("announcer: a table could not be shown", table=number)
        finally:
            # no await between the last look at `dirty` and this: nothing can be missed
            del self._workers[number]
            del self._news[number]

    async def _board(self, live: LiveTable) -> Board:
        players = await self._store.players(live.table.players)
        names = {player.id: player.name for player in players.values() if player.name}
        closed = frozenset(player.id for player in players.values() if player.dm_open is False)
        return table_board(live, names, closed)

    async def _post(self, news: _News) -> None:
        """Send a new message for the table and remember it."""
        channel = self._client.get_partial_messageable(news.live.table.channel_id)
        for attempt in range(TRIES):
            live = news.live
            board = await self._board(live)
            try:
                message = await channel.send(
                    view=board_view(board),
                    files=await board_files(board),
                    nonce=f"{live.table.id}.{live.table.match_id or 0}.{live.dealt_seq}",
                )
            except discord.HTTPException as error:
                if not await self._may_retry(live, error, attempt):
                    return
            else:
                await self._note(live, message.id)
                news.live = await self._latest(news.live)
                return

    async def _edit(self, news: _News) -> None:
        """Redraw the table's message in place."""
        for attempt in range(TRIES):
            live = news.live
            if live.table.message_id is None:
                return
            channel = self._client.get_partial_messageable(live.table.channel_id)
            message = channel.get_partial_message(live.table.message_id)
            board = await self._board(live)
            try:
                await message.edit(view=board_view(board), attachments=await board_files(board))
            except discord.HTTPException as error:
                if error.code in (_UNKNOWN_MESSAGE, _TOO_OLD_TO_EDIT):
                    await self._post(news)
                    return
                if not await self._may_retry(live, error, attempt):
                    return
            else:
                return

    async def _may_retry(self, live: LiveTable, error: discord.HTTPException, attempt: int) -> bool:
        """Whether to try again (after a pause). A table whose channel is gone is ended."""
        if error.code in (_UNKNOWN_CHANNEL, _ARCHIVED) and live.table.status.live:
            log.warning("announcer: channel gone", table=live.table.id, code=error.code)
            if self.tables is not None and error.code == _UNKNOWN_CHANNEL:
                await self.tables.end(live.table.id, None)
            return False
        if error.code in _MISSING:
            log.warning("announcer: permission missing", table=live.table.id, code=error.code)
            return False
        log.warning(
            "announcer: not taken", table=live.table.id, status=error.status, code=error.code
        )
        if attempt + 1 < TRIES:
            await asyncio.sleep(RETRY_SECONDS[attempt])
            return True
        return False

    async def _note(self, live: LiveTable, message_id: int) -> None:
        if self.tables is None:
            return
        seq = live.match.seq if live.match is not None else 0
        try:
            await self.tables.shown(live.table.id, message_id, self._clock.now(), seq)
        except refusals.StoreIsDown:
            log.warning("announcer: message could not be noted", table=live.table.id)

    # -- direct messages --------------------------------------------------------------------------

    async def deliver(self, live: LiveTable) -> None:
        """Send the hole cards of the current round to whoever has not got them yet."""
        if live.match is None or live.match.round is None or live.table.match_id is None:
            return
        rows = await self._store.deliveries(live.table.match_id, live.match.round.number)
        pending = [row for row in rows if row.state is Delivery.PENDING]
        people = await self._store.players(tuple(row.player for row in pending))
        await asyncio.gather(*(self._deliver(live, row, people[row.player]) for row in pending))

    async def _deliver(self, live: LiveTable, row: HoleCards, player: Player) -> None:
        if player.dm_open is False:
            await self._store.note_delivery(row, Delivery.CLOSED, None)
            return
        board = hand_board(live, row.player, self.link(live))
        state, message_id = Delivery.FAILED, None
        async with self._dms:
            try:
                channel = await self._client.create_dm(discord.Object(row.player))
                message = await channel.send(
                    view=board_view(board),
                    files=await board_files(board),
                    nonce=f"h{row.match_id}.{row.round}.{row.seat}",
                )
                state, message_id = Delivery.SENT, message.id
            except discord.HTTPException as error:
                if error.code in _DM_CLOSED:
                    state = Delivery.CLOSED
                    await self._store.note_player(replace(player, dm_open=False))
                log.warning("announcer: hole cards not sent", table=live.table.id, code=error.code)
        await self._store.note_delivery(row, state, message_id)
        if state is Delivery.CLOSED:
            self.changed(await self._latest(live), answered=False)

    async def greet(self, player: Player, text: str) -> bool:
        """A short direct message to who has just joined; whether it could be sent."""
        try:
            async with self._dms:
                channel = await self._client.create_dm(discord.Object(player.id))
                await channel.send(text)
            reached = True
        except discord.HTTPException as error:
            log.info("announcer: direct message refused", code=error.code)
            reached = error.code not in _DM_CLOSED
        if player.dm_open is not reached:
            await self._store.note_player(replace(player, dm_open=reached))
        return reached

    async def _latest(self, live: LiveTable) -> LiveTable:
        return await self.tables.see(live.table.id) if self.tables is not None else live

    @staticmethod
    def link(live: LiveTable) -> str:
        """The address of the table's channel."""
        return f"https://discord.com/channels/{live.table.guild_id}/{live.table.channel_id}"
