"""Which game is asked about where nobody names one: the one that has so many cards in a hand.

Two are hold'em, four Omaha, five draw, seven stud. What several games have is asked back.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from engine.errors import UnclearGame
from engine.odds.showdown.omaha_terms import cards_named
from engine.odds.showdown.range_terms import is_of_two
from engine.odds.showdown.spelling import CARD

_CARDS_ONLY: Final = re.compile(rf"(?:{CARD}|[*★])+")
_CARD: Final = re.compile(rf"{CARD}|[*★]")
_SUIT_LETTERS: Final = re.compile("[xyzw].*[xyzw]")  # a single one may be a slip, "AKz"
_OF_CARDS: Final = {0: "holdem", 1: "holdem", 2: "holdem", 4: "omaha", 5: "draw"}
_WITH_BOARD: Final = {3: "holdem", 5: "omaha5", 6: "omaha6"}
_UNCLEAR: Final = {3: ("stud", "omaha"), 6: ("stud", "omaha6")}


def which_game(players: Sequence[str], board: str, text: str) -> str:
    """The key of the game of these players' cards and ranges, all spelled in the one way.

    Raises `UnclearGame` with the names of games before `text`, the question as it was asked.
    """
    of_cards, of_ranges = 0, 0
    for said in players:
        cards, ranged = _cards_of(said)
        of_cards, of_ranges = max(of_cards, cards), max(of_ranges, ranged)
    public = bool(_CARD.search(board))
    if of_ranges > 2:
        return "omaha5" if max(of_cards, of_ranges) > 4 else "omaha"
    if (public or of_ranges) and of_cards in _WITH_BOARD:
        return _WITH_BOARD[of_cards]
    if of_cards in _UNCLEAR and all(map(_is_understood, players)):
        choices = tuple(f"{game} {text}" for game in _UNCLEAR[of_cards])
        raise UnclearGame(text, choices, of_cards)
    return _OF_CARDS.get(of_cards, "holdem" if of_cards in _UNCLEAR else "stud")


def _is_understood(said: str) -> bool:
    """Whether every word is cards or a term of a range: else a word is to be complained about."""
    words = re.split(r"[\s,;()&]+|\band\b", said)
    return all(_CARDS_ONLY.fullmatch(word) or _cards_in_term(word) for word in words if word)


def _cards_of(said: str) -> tuple[int, int]:
    """How many cards one player's hand has, and how many the hands of a range have; 0: none.

    What several players hold who are joined by commas or "and" alone is taken for one text.
    """
    sizes, ranged = [0], 0
    for piece in re.split(r"[,;()]+|\band\b|&", said):
        words = piece.split()
        counts = [len(_CARD.findall(word)) for word in words if _CARDS_ONLY.fullmatch(word)]
        if counts:
            sizes.append(max(counts) if min(counts) > 1 else sum(counts))
        terms = [atom for word in words for atom in re.split(r"[:!]", word.partition("@")[0])]
        ranged = max([ranged, *map(_cards_in_term, filter(None, terms))])
    return max(sizes) if max(sizes) > 1 else sum(sizes), ranged


def _cards_in_term(term: str) -> int:
    """How many cards the hands of one term of a range have, as far as it tells."""
    if _CARDS_ONLY.fullmatch(term):
        return 0
    if is_of_two(term):
        return 2
    named = cards_named(term)
    if named is None or (named < 4 and not _SUIT_LETTERS.search(term)):
        return 0
    return max(named, 4)
