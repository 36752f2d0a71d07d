"""Hands and results of Three Card Poker in words, for boards and the command line."""

from __future__ import annotations

from bot.language.catalogues import ENGLISH, N_, spoken, tr
from engine.cards import Rank
from engine.odds.three_card import Category
from engine.terms import with_article as article

KINDS = {
    Category.STRAIGHT_FLUSH: N_("straight flush"),
    Category.THREE_OF_A_KIND: N_("three of a kind"),
    Category.STRAIGHT: N_("straight"),
    Category.FLUSH: N_("flush"),
    Category.PAIR: N_("pair"),
    Category.HIGH_CARD: N_("high card"),
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
    first, last = (spoken().vocabulary.ranks[Rank(ranks[at])] for at in (0, 2))
    cards = dashed(ranks)
    match category:
        case Category.HIGH_CARD:
            return tr("{rank} high, {cards}", rank=first["one"], cards=cards)
        case Category.PAIR:
            other = with_article(last["one"])
            return tr("a pair of {ranks} with {other}", ranks=first["several"], other=other)
        case Category.FLUSH:
            return tr("{rank}-high flush, {cards}", rank=with_article(first["one"]), cards=cards)
        case Category.STRAIGHT:
            return tr("a straight, {cards}", cards=cards)
        case Category.THREE_OF_A_KIND:
            return tr("three {ranks}", ranks=first["several"])
        case Category.STRAIGHT_FLUSH:
            named = tr("a straight flush, {cards}", cards=cards)
            return f"{named} (Mini Royal)" if mini_royal else named


def with_article(noun: str) -> str:
    """The noun after "a" or "an" in English; as it is in other languages."""
    return article(noun) if spoken().key == ENGLISH else noun
