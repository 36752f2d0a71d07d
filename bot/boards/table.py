"""The message of a table in any state: a lobby, a round being bid, a showdown, the end."""

from __future__ import annotations

from bot.boards.bidding import bidding_board
from bot.boards.board import Address, Board
from bot.boards.lobby import departed_board, lobby_board
from bot.boards.showdown import MatchEnd, abandoned_board, showdown_board
from bot.language.words import Names
from bot.tables.live import LiveTable
from bot.tables.model import Status
from engine.view import EndedRound, view_of


def table_board(
    live: LiveTable,
    names: Names,
    closed_dms: frozenset[int] = frozenset(),
    *,
    again: bool = True,
    match_end: MatchEnd | None = None,
    seats_computers: bool = False,
) -> Board:
    """Return the message of a table in any state. `names` are for pictures; text uses mentions.

    `closed_dms`: the players whose direct messages are closed. If not `again`, a message further
    down has already asked whether to play again. `match_end` has the highlights and the session's
    score of a match that is over. `seats_computers`: whether the bot seats computer players.
    """
    table = live.table
    if table.status is Status.LOBBY:
        return lobby_board(table, closed_dms, seats_computers=seats_computers)
    if live.match is None:
        return departed_board(table)
    view = view_of(live.match)
    if view.round is None:
        return departed_board(table)
    address = Address(table.id, table.match_id or 0, view.seq)
    if isinstance(view.round, EndedRound):
        return showdown_board(live, view, view.round, names, address, match_end, again=again)
    if table.status is Status.CLOSED:
        return abandoned_board(view, view.round, address)
    return bidding_board(live, view, view.round, address, names, closed_dms)
