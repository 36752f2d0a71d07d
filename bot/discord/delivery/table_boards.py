"""Make the boards of tables, in their languages, with their players' names."""

from __future__ import annotations

from typing import Final

import structlog

from bot.boards.board import Board
from bot.boards.showdown import MatchEnd, record_board, showdown_picture
from bot.boards.table import table_board
from bot.discord import picture_job
from bot.discord.people import People
from bot.language.catalogues import speaking
from bot.recent import Recent
from bot.services.tables import Tables
from bot.storage.store import SqlStore
from bot.tables import errors
from bot.tables.highlights import MatchHighlights
from bot.tables.live import LiveTable
from bot.tables.session_score import MOST, session_score
from bot.tables.table_options import language_of
from engine.view import EndedRound, view_of

log = structlog.get_logger(__name__)

HIGHLIGHTS: Final = 100  # ended matches to remember; each is drawn many times


class TableBoards:
    """Makes the boards of tables."""

    def __init__(self, store: SqlStore, people: People, tables: Tables) -> None:
        self._store = store
        self._people = people
        self._tables = tables
        self._highlights = Recent[int, MatchHighlights](HIGHLIGHTS)  # by match

    async def for_table(self, live: LiveTable, *, again: bool = True) -> Board:
        """Return the board of the table's message.

        `again`: offer a rematch; False for a match that already has one.
        """
        table_people = await self._people.people_at(live.table)
        highlights = await self._about_match(live)
        with speaking(language_of(live.table)):
            return table_board(
                live,
                table_people.names,
                table_people.closed,
                again=again,
                match_end=highlights,
                seats_computers=self._tables.seats_computers,
            )

    async def for_record(self, live: LiveTable) -> Board:
        """Return the new board of the message that the latest deal or showdown replaced."""
        table_people = await self._people.people_at(live.table)
        with speaking(language_of(live.table)):
            return record_board(live, table_people.names)

    async def draw_ahead(self, live: LiveTable) -> None:
        """If the round has ended, start drawing its picture before its board is made."""
        view = view_of(live.match) if live.match is not None else None
        if view is None or not isinstance(view.round, EndedRound):
            return
        table_people = await self._people.people_at(live.table)
        with speaking(language_of(live.table)):
            picture_job.draw_ahead([showdown_picture(view, view.round, table_people.names)])

    async def _about_match(self, live: LiveTable) -> MatchEnd | None:
        """Return the summary of an ended match; None if the match goes on, or can't be read."""
        over = live.match is not None and live.match.winner is not None
        if not over or live.table.match_id is None:
            return None
        try:
            highlights = await self._highlights_of(live.table.id, live.table.match_id)
            played = await self._store.matches.past_matches(live.table.match_id, MOST)
        except errors.RefusedError as refusal:
            log.info("boards: no highlights", table=live.table.id, refusal=type(refusal).__name__)
            return None
        return MatchEnd(highlights, session_score(played))

    async def _highlights_of(self, table_id: int, match_id: int) -> MatchHighlights:
        """Return the highlights of an ended match, without names or ids of people."""
        highlights = self._highlights.get(match_id)
        if highlights is None:
            _, highlights = await self._tables.highlights_of(table_id, match_id)
            self._highlights[match_id] = highlights
        return highlights
