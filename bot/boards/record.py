"""What is left of a table's message once the latest news has a message of its own.

A deal leaves the showdown before it as a record; a showdown folds the round's table to one line,
with the bidding behind a button.
"""

from __future__ import annotations

from dataclasses import replace

from bot.boards.board import Address, Board, Button, Text
from bot.boards.lobby import departed_board
from bot.boards.showdown import showdown_board
from bot.language.catalogues import tr, trn
from bot.language.wordings import game_words, said
from bot.language.words import Names, mention
from bot.pictures.palette import GREY
from bot.tables.live import LiveTable
from engine.state import Phase
from engine.view import EndedRound, View, view


def record_board(live: LiveTable, names: Names) -> Board:
    """The message before the latest deal or showdown, as it stays in the channel."""
    match, before = live.match, live.before
    if match is None or match.round is None:
        return departed_board(live.table)
    if match.phase is Phase.BIDDING:
        if before is None or before.round is None:
            return departed_board(live.table)
        seen = view(before)
        if isinstance(seen.round, EndedRound):
            ended = replace(live, match=before)
            return showdown_board(ended, seen, seen.round, names, None)
    seen = view(match)
    if not isinstance(seen.round, EndedRound):
        return departed_board(live.table)
    return _folded(live, seen, seen.round)


def _folded(live: LiveTable, seen: View, ended: EndedRound) -> Board:
    """A round's table in one line."""
    terms = game_words(seen.ruleset)
    made = trn(
        "{number} {noun}",
        "{number} {plural}",
        len(ended.bids),
        noun=terms.noun,
        plural=terms.plural,
    )
    judged = ended.judgement
    if judged is None:
        how = tr("it ended without a showdown")
    else:
        how = tr(
            "{challenger} {challenged} {bidder}'s {said}",
            challenger=mention(seen.seats[judged.challenger].player),
            challenged=terms.challenged,
            bidder=mention(seen.seats[judged.made.seat].player),
            said=said(seen.ruleset, judged.made.bid),
        )
    address = Address(live.table.id, live.table.match_id or 0, seen.seq)
    rows = ((Button("bidding", tr("Bidding"), choice=str(ended.number)),),) if ended.bids else ()
    return Board(
        GREY,
        (Text(f"{tr('Round {number}', number=ended.number)} · {made} · {how}"),),
        rows,
        address,
    )
