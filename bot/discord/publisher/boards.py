"""What a table's message says: its board, or a record of what was.

Made from stored state, with the names of who sits there. `publisher` says when it is shown and
`messages` where; what stands on a board is chosen in `bot.boards.table`.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

import structlog

from bot.boards.board import Board
from bot.boards.showdown import record_board
from bot.boards.table import table_board
from bot.boards.winner import Told
from bot.discord.people import People
from bot.language.catalogues import speaking
from bot.tables import errors, ports
from bot.tables.highlights import Story
from bot.tables.live import LiveTable
from bot.tables.service import Tables
from bot.tables.session_score import MOST, session_score
from bot.tables.table_options import language_of

log = structlog.get_logger(__name__)
STORIES: Final = 100  # that are remembered


class TableBoards:
    """Makes the boards of tables, in their languages."""

    def __init__(self, store: ports.Store, people: People, tables: Tables) -> None:
        self._store = store
        self._people = people
        self._tables = tables
        self._stories: OrderedDict[int, Story] = OrderedDict()  # by match; each is drawn many times

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
            while len(self._stories) > STORIES:
                self._stories.popitem(last=False)
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
