"""The exact chance of one bid and of every bid of a ladder, and what a seat does best.

A deal is a set of cards drawn without replacement, so a bid's chance is a multivariate
hypergeometric sum over its disjoint classes, the jokers being a further class (docs/odds.md has
the derivation). Plain integers throughout: an answer waits for no compiler and cannot overflow.
"Any hand of a kind" is counted in `kinds`; what has no closed form is sampled in `sampling`.

Sums of many are polynomials with non-negative integer coefficients, each packed into one Python
integer: coefficient `i` sits in bits `64 i` to `64 i + 63` (Kronecker substitution), so that a
product of polynomials is one product of integers. No coefficient exceeds C(64, 32) < 2**61: each
counts some of the m-card subsets of at most 64 cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb
from typing import Final, NamedTuple

from engine.bids import Bid
from engine.cards import Cards, DeckSpec
from engine.ladder import Ladder
from engine.odds.chance import Chance, check_question
from engine.ruleset import Ruleset

SLOT: Final = 64
_MASK: Final = (1 << SLOT) - 1

Packed = int


def packed(coefficients: Iterable[int]) -> Packed:
    """The polynomial with these coefficients, the constant one first."""
    return sum(value << SLOT * power for power, value in enumerate(coefficients))


def coefficient(polynomial: Packed, power: int) -> int:
    """The coefficient of `x**power`."""
    return polynomial >> SLOT * power & _MASK


def shifted(polynomial: Packed, power: int) -> Packed:
    """The polynomial times `x**power`."""
    return polynomial << SLOT * power


@lru_cache(maxsize=1024)
def choices(cards: int, fewest: int, most: int) -> Packed:
    """Ways to draw `fewest` to `most` of `cards` cards: the sum of `C(cards, d) x**d`."""
    return packed(
        comb(cards, drawn) if drawn >= fewest else 0 for drawn in range(min(cards, most) + 1)
    )


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


MORE_LIKELY_THAN_NOT: Final = 0.5
BEST_BIDS: Final = 5


@dataclass(frozen=True, slots=True)
class BidOdds:
    """A bid, the number of its rung (from 1) and the chance that it holds."""

    bid: Bid
    rung: int
    chance: Chance


@dataclass(frozen=True, slots=True)
class BidAdvice:
    """What the odds say to a seat that is to act.

    `best` are legal bids that are likelier than every other bid as strong or stronger (in place of
    any other bid, a higher one would be just as safe); likeliest first. `strongest` is the highest
    legal bid whose chance is greater than `above`. Both are empty if the standing bid is on the top
    rung.
    """

    standing: BidOdds | None  # None until the opener bids
    best: tuple[BidOdds, ...]
    strongest: BidOdds | None
    above: float = MORE_LIKELY_THAN_NOT  # the chance that `strongest` had to exceed


def seat_odds(ruleset: Ruleset, in_play: int, known: Cards = NOTHING_KNOWN) -> tuple[BidOdds, ...]:
    """Every bid of the game with its exact chance, weakest first, for a seat that knows `known`.

    `in_play` counts all cards dealt in the round, a middle hand's too. Raises `OddsError` if so
    many cannot be in play, or the known ones are not among them.
    """
    ladder = ruleset.ladder
    chances = iter(ladder_chances(ladder, ruleset.deck, in_play, known))
    return tuple(
        BidOdds(bid, number, next(chances))
        for number, rung in enumerate(ladder.rungs, start=1)
        for bid in rung
    )


def advise(
    ruleset: Ruleset,
    in_play: int,
    known: Cards = NOTHING_KNOWN,
    standing: Bid | None = None,
    above: float = MORE_LIKELY_THAN_NOT,
) -> BidAdvice:
    """The standing bid's chance, the best bids to make and the strongest above a given chance.

    Raises `OddsError` as `seat_odds` does, and KeyError for a `standing` bid that the game lacks.
    """
    odds = seat_odds(ruleset, in_play, known)
    lowest = 0
    stands: BidOdds | None = None
    if standing is not None:
        lowest = ruleset.ladder.number(standing)
        stands = next(entry for entry in odds if entry.bid.key == standing.key)
    legal = [entry for entry in odds if entry.rung > lowest]
    return BidAdvice(stands, _undominated(legal)[:BEST_BIDS], strongest(legal, above), above)


def strongest(odds: Sequence[BidOdds], above: float) -> BidOdds | None:
    """The highest bid with a chance greater than `above`, the likeliest on its rung; if any.

    `odds` go from the weakest to the strongest bid.
    """
    likely = [entry for entry in odds if entry.chance.above(above)]
    return max(likely, key=lambda entry: (entry.rung, entry.chance.favourable), default=None)


def _undominated(legal: Sequence[BidOdds]) -> tuple[BidOdds, ...]:
    """The bids likelier than every other bid as strong or stronger; likeliest first."""
    kept: list[BidOdds] = []
    for entry in sorted(legal, key=lambda entry: (-entry.rung, -entry.chance.favourable)):
        if entry.chance.favourable > (kept[-1].chance.favourable if kept else 0):
            kept.append(entry)
    return tuple(reversed(kept))
