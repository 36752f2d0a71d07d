"""Make the boards of tables and seats, in the right language, with the players' names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import structlog

from bot.boards.board import Board
from bot.boards.practice import loading_notice, practice_board
from bot.boards.seat import seat_board, with_card_preferences
from bot.boards.showdown import MatchEnd, record_board, showdown_picture
from bot.boards.table import table_board
from bot.discord import picture_job
from bot.discord.delivery.private import Pressed
from bot.discord.links import message_link
from bot.discord.people import People
from bot.language.catalogues import speaking
from bot.recent import Recent
from bot.services.tables import Tables
from bot.storage.store import SqlStore
from bot.tables import errors, preferences
from bot.tables.highlights import MatchHighlights
from bot.tables.live import LiveTable
from bot.tables.session_score import MOST, session_score
from bot.tables.table_options import language_of
from engine.view import EndedRound, view_of

log = structlog.get_logger(__name__)

HIGHLIGHTS: Final = 100  # ended matches to remember; each is drawn many times


class Boards:
    """Makes the boards of tables and seats.

    `is_loading` returns whether computer players that need compiled code can't decide yet.
    """

    def __init__(
        self, store: SqlStore, people: People, tables: Tables, is_loading: Callable[[], bool]
    ) -> None:
        self._store = store
        self._people = people
        self._tables = tables
        self._is_loading = is_loading
        # by match; without names or ids of people
        self._highlights = Recent[int, MatchHighlights](HIGHLIGHTS)

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

    async def for_player(
        self, live: LiveTable, player: int, pressed: Pressed, *, apart: bool
    ) -> Board:
        """Return the board of a player's seat; `apart`: the table isn't in the same channel."""
        pick, notice = pressed.pick, pressed.notice
        known = await self._people.known(player)
        learning = await self._people.is_learning(player, live)
        # the table's message may still show the state before the news: a link to it would mislead
        link = None if live.needs_new_message else message_link(live.table)
        with speaking(preferences.language_of(known)):
            if live.table.is_practice:
                names = (await self._people.people_at(live.table)).names
                if self._is_loading():
                    notice = notice or loading_notice(live, player)
                board = practice_board(live, player, names, pick, notice, learning=learning)
            else:
                whole = apart or pressed.whole
                board = seat_board(
                    live, player, pick, notice, link, learning=learning, apart=apart, whole=whole
                )
        return with_card_preferences(board, known)

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
        table, match_id = live.table, live.table.match_id
        if live.match is None or live.match.winner is None or match_id is None:
            return None
        try:
            highlights = self._highlights.get(match_id)
            if highlights is None:
                _, highlights = await self._tables.highlights_of(table.id, match_id)
                self._highlights[match_id] = highlights
            played = await self._store.matches.past_matches(match_id, MOST)
        except errors.RefusedError as refusal:
            log.info("boards: no highlights", table=table.id, refusal=type(refusal).__name__)
            return None
        return MatchEnd(highlights, session_score(played))
