"""Words for `/odds showdown`: names of games, how an answer was counted, and closer looks.

The module needs no compiled code, so the bot's own process and the command line's help load fast.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

from bot.language.catalogues import figure, tr, trn
from bot.language.words import percent
from engine.cards import Cards
from engine.lexicon import RANK_WORDS, SUIT_WORDS
from engine.odds.showdown.games import GAMES

if TYPE_CHECKING:
    from engine.odds import Range, Showdown

GAME_NAMES: Final = {key: game.name for key, game in GAMES.items()}


class Look(Enum):
    """A further view of an answered showdown, to which a button leads, such as each next card."""

    NEXT_CARD = "next"
    EACH_HAND = "each"
    HITS = "hits"
    CURVE = "curve"


@dataclass(frozen=True, slots=True)
class CloseLook:
    """A further view that a reader can open, and its button's label."""

    look: Look
    label: str


def how_exact(answer: Showdown) -> str:
    """Return "exact count", or the largest standard error of a sample's figures."""
    if answer.standard_error is None:
        return tr("exact count")
    return tr("sampled, standard error up to {error}", error=percent(answer.standard_error, 3))


def how_counted(answer: Showdown) -> str:
    """Return how many deals the answer covers, with "exact" or the largest standard error."""
    chance = answer.condition if answer.only_hits else None
    deals = answer.deals if chance is None else chance.total
    if answer.standard_error is None:
        return trn(
            "exact: all {deals} deals counted",
            "exact: all {deals} deals counted",
            deals,
            deals=figure(deals, ","),
        )
    return tr(
        "sampled: {deals} deals, standard error up to {error}",
        deals=figure(deals, ","),
        error=percent(answer.standard_error, 3),
    )


# "9 hearts", "3 nines": each has its own text, so that a language can decline it
OUTS_OF_RANK: Final = {
    rank: (f"{{number}} {singular}", f"{{number}} {plural}")
    for rank, (singular, plural) in RANK_WORDS.items()
}
OUTS_OF_SUIT: Final = {
    suit: (f"{{number}} {singular}", f"{{number}} {plural}")
    for suit, (singular, plural) in SUIT_WORDS.items()
}


def outs_text(cards: Cards) -> str:
    """Return cards in as few words as possible: "9 hearts, 3 nines"."""
    from engine.odds.showdown.next_card import group_outs

    parts = []
    for group in group_outs(cards):
        if group.rank is not None:
            parts.append(trn(*OUTS_OF_RANK[group.rank], len(group.cards)))
        elif group.suit is not None:
            parts.append(trn(*OUTS_OF_SUIT[group.suit], len(group.cards)))
        else:
            parts.append(next(iter(group.cards)).symbol)
    return ", ".join(parts)


def range_kinds(held: Range) -> str:
    """Return the kinds of hands in a range, as text.

    Empty if the range's own text lists the same kinds, if its hands don't have two cards, or if it
    is all hands.
    """
    from engine.odds.showdown.ranges import kinds_of

    every = len(held) == held.of and not held.weights
    if held.private != 2 or every:
        return ""
    kinds = kinds_of(held)
    return "" if set(kinds.split(", ")) == set(held.text.split(", ")) else kinds


def range_size(held: Range) -> str:
    """Return a range's size and its share of all hands: "90 combos, 6.8% of hands"."""
    return combos_text(len(held), float(held.share))


def combos_text(combos: int, share: float) -> str:
    """Return a number of combos and their share (0 to 1) of all hands."""
    return trn(
        "{number} combo, {share} of hands",
        "{number} combos, {share} of hands",
        combos,
        share=percent(share),
    )
