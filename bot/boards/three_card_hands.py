"""Hands and results of Three Card Poker in words, for boards and the command line."""

from __future__ import annotations

from engine.cards import Rank
from engine.odds.three_card import Category
from engine.readings import RANK_WORDS
from engine.terms import with_article

KINDS = {
    Category.STRAIGHT_FLUSH: "straight flush",
    Category.THREE_OF_A_KIND: "three of a kind",
    Category.STRAIGHT: "straight",
    Category.FLUSH: "flush",
    Category.PAIR: "pair",
    Category.HIGH_CARD: "high card",
}
RESULTS = {
    "win": "win",
    "tie": "tie",
    "lose": "lose",
    "dealer_not_qualified": "dealer does not qualify",
}


def dashed(ranks: tuple[int, int, int]) -> str:
    """`Q-6-4`, `10-10-A`."""
    return "-".join(Rank(rank).label for rank in ranks)


def hand_name(category: Category, ranks: tuple[int, int, int], mini_royal: bool = False) -> str:
    """A hand as it is called at the table; `ranks` in the order read aloud."""
    first, plural = RANK_WORDS[Rank(ranks[0])]
    match category:
        case Category.HIGH_CARD:
            return f"{first} high, {dashed(ranks)}"
        case Category.PAIR:
            return f"a pair of {plural} with {with_article(RANK_WORDS[Rank(ranks[2])][0])}"
        case Category.FLUSH:
            return f"{with_article(first)}-high flush, {dashed(ranks)}"
        case Category.STRAIGHT:
            return f"a straight, {dashed(ranks)}"
        case Category.THREE_OF_A_KIND:
            return f"three {plural}"
        case Category.STRAIGHT_FLUSH:
            return f"a straight flush, {dashed(ranks)}" + (" (Mini Royal)" if mini_royal else "")
