"""One's matches that are over: a line each, and a list to replay one of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.boards.board import Address, Board, Button, Menu, Text
from bot.boards.replay import decisions_button
from bot.language.catalogues import ENGLISH, spoken, tr, trn
from bot.language.moments import stamp
from bot.language.words import listed, mention
from bot.pictures.palette import GREEN, GREY
from bot.tables.model import HistoryLine
from engine.errors import RulesetError
from engine.variants import variant

IN_A_PAGE: Final = 10
_ORDINALS: Final = {1: "1st", 2: "2nd", 3: "3rd"}


def history_board(player: int, lines: Sequence[HistoryLine], *, older: bool, first: bool) -> Board:
    """A page of somebody's matches, the latest first; whether there are `older` ones, and whether
    this is the `first` page."""
    if not lines:
        said = tr("No match of yours has a winner yet. `/play` opens a table.")
        row = (Button("recall", tr("Replay the latest here")),)
        return Board(GREY, (Text(said),), (row,))
    said = "\n".join(_line(player, one) for one in lines)
    options = tuple((str(one.match_id), _option(one), _short(one)) for one in lines)
    rows: list[tuple[Button, ...] | Menu] = [
        Menu("recall", tr("Replay a match…"), options, str(lines[0].match_id)),
        (Button("recall", tr("Replay the latest here")), decisions_button()),
        (Button("mistakes", tr("My mistakes")),),
    ]
    if older or not first:
        newest = Button("history", tr("Latest"), disabled=first, choice="0")
        then = Button("history", tr("Older"), disabled=not older, choice=str(lines[-1].match_id))
        rows.append((newest, then))
    return Board(GREEN, (Text(tr("**Your matches**")), Text(said)), tuple(rows), Address(0))


def title_of(game: str) -> str:
    """The title of a stored match's game; its key if this house does not have it any more."""
    try:
        return tr(variant(game).title)
    except RulesetError:
        return game


def placed(one: HistoryLine) -> str:
    """How somebody ended: `2nd of 4`."""
    return tr("{place} of {people}", place=ordinal(one.place), people=len(one.players))


def ordinal(place: int) -> str:
    """A place: `2nd`; in other languages its number."""
    english = spoken().key == ENGLISH
    return _ORDINALS.get(place, f"{place}th") if english else str(place)


def _option(one: HistoryLine) -> str:
    return tr("Match {number}: {title}", number=one.match_id, title=title_of(one.variant))


def _rounds(one: HistoryLine) -> str:
    return trn("{number} round", "{number} rounds", one.rounds)


def _line(player: int, one: HistoryLine) -> str:
    others = listed(mention(other) for other in one.players if other != player)
    won = tr("**won**") if one.place == 1 else placed(one)
    when = stamp(one.ended_at, "f")
    return (
        f"`{one.match_id}` {title_of(one.variant)} · {won} · {_rounds(one)}\n"
        f"-# {when} · {tr('with {people}', people=others)}"
    )


def _short(one: HistoryLine) -> str:
    return f"{placed(one)}, {_rounds(one)}"
