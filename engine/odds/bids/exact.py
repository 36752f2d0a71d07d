"""The exact chance of one bid and of every bid of a ladder.

A deal is a set of cards drawn without replacement, so a bid's chance is a multivariate
hypergeometric sum over its disjoint classes, the jokers being a further class (docs/odds.md has
the derivation). Plain integers throughout: an answer waits for no compiler and cannot overflow.
"Any hand of a kind" is counted in `kinds`; what has no closed form is sampled in `sampling`.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import Final, NamedTuple

from engine.bids import Bid
from engine.cards import Cards, DeckSpec
from engine.ladder import Ladder
from engine.odds.chance import Chance, check_question

# What is still open of a bid: for each class of which cards are wanted, how many of it are unseen
# and how many are wanted. Bids of equal `Open` have equal chances.
Open = tuple[tuple[int, int], ...]

NOTHING_KNOWN: Final = Cards()


class Unseen(NamedTuple):
    """What a seat does not see: cards left in the deck, how many are drawn, jokers it holds."""

    naturals: int
    jokers: int
    draws: int
    held_jokers: int

    @property
    def deals(self) -> int:
        """How many equally likely draws there are."""
        return comb(self.naturals + self.jokers, self.draws)


def bid_chance(bid: Bid, deck: DeckSpec, in_play: int, known: Cards = NOTHING_KNOWN) -> Chance:
    """Exact chance that `bid` holds when `in_play` cards of `deck` include the `known` ones.

    Raises `OddsError` if so many cards cannot be in play, or the known ones are not among them.
    """
    check_question(deck, in_play, known)
    unseen = unseen_by(known, deck, in_play)
    return Chance(favourable(open_needs(bid, known.bits), unseen), unseen.deals)


def ladder_chances(
    ladder: Ladder, deck: DeckSpec, in_play: int, known: Cards = NOTHING_KNOWN
) -> tuple[Chance, ...]:
    """The exact chance of every bid of `ladder`, in its order: weakest first.

    Raises `OddsError` as `bid_chance` does.
    """
    check_question(deck, in_play, known)
    unseen = unseen_by(known, deck, in_play)
    total, bits = unseen.deals, known.bits
    counted: dict[Open, Chance] = {}
    chances: list[Chance] = []
    for bid in ladder:
        still = open_needs(bid, bits)
        chance = counted.get(still)
        if chance is None:
            chance = counted[still] = Chance(favourable(still, unseen), total)
        chances.append(chance)
    return tuple(chances)


def unseen_by(known: Cards, deck: DeckSpec, in_play: int) -> Unseen:
    """What is left to chance for a seat that knows `known`."""
    jokers = known.jokers
    naturals = len(known) - jokers
    return Unseen(
        naturals=deck.size - deck.jokers - naturals,
        jokers=deck.jokers - jokers,
        draws=in_play - len(known),
        held_jokers=jokers,
    )


def open_needs(bid: Bid, known: int) -> Open:
    """What `bid` still needs of the unseen cards, given the `known` ones as bits."""
    still: list[tuple[int, int]] = []
    for need in bid.needs:
        bits = need.cards.bits
        there = (bits & known).bit_count()
        if there < need.count:
            still.append((bits.bit_count() - there, need.count - there))
    still.sort()
    return tuple(still)


def favourable(still: Open, unseen: Unseen) -> int:
    """How many of the `unseen.deals` draws supply what is `still` needed, jokers standing in."""
    naturals, jokers, draws, held = unseen
    ways = 0
    for aside, drawn, short, weight in terms(still, jokers + held):
        free, left = naturals - aside, draws - drawn
        if left < 0:
            continue
        if short <= held:  # any number of further jokers will do: they are cards like others
            ways += weight * comb(free + jokers, left)
        else:
            for more in range(short - held, min(jokers, left) + 1):
                ways += weight * comb(jokers, more) * comb(free, left - more)
    return ways


class Term(NamedTuple):
    """`weight` times the draws with `drawn` fixed cards from classes of `aside` cards in all.

    The rest is drawn freely from all other cards; the bid is then `short` cards short.
    """

    aside: int
    drawn: int
    short: int
    weight: int


@lru_cache(maxsize=4096)
def terms(still: Open, most_short: int) -> tuple[Term, ...]:
    """The generating function of `still`, as signed terms; those too short to hold are left out.

    A class of `size` cards of which `wanted` are wanted contributes
    `(1+x)^size + sum_{d<wanted} C(size,d) x^d (y^(wanted-d) - 1)`, x marking drawn cards and y
    missing ones: drawn freely, corrected for each number of cards that is too few.
    """
    product = {(0, 0, 0): 1}
    for size, wanted in still:
        grown: dict[tuple[int, int, int], int] = {}
        for (aside, drawn, short), weight in product.items():
            for d in range(wanted):
                ways = weight * comb(size, d)
                enough = (aside + size, drawn + d, short)
                grown[enough] = grown.get(enough, 0) - ways
                if short + wanted - d <= most_short:
                    lacking = (aside + size, drawn + d, short + wanted - d)
                    grown[lacking] = grown.get(lacking, 0) + ways
            free = (aside, drawn, short)
            grown[free] = grown.get(free, 0) + weight
        product = grown
    return tuple(Term(*key, weight) for key, weight in product.items() if weight)
