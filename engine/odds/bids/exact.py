"""The exact chance of one bid and of every bid of a ladder, and the best bids for a seat.

A deal is a set of cards drawn without replacement, so a bid's chance is a multivariate
hypergeometric sum over its disjoint classes, with the jokers as a further class (docs/odds.md has
the derivation). The module uses plain integers: no compiler to wait for, and no overflow. `kinds`
counts "any hand of a kind"; `sampling` samples chances without a closed form.

Counts of many draws are polynomials with non-negative integer coefficients, each packed into one
Python integer: coefficient `i` is in bits `64 i` to `64 i + 63` (Kronecker substitution), so that a
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


def pack(coefficients: Iterable[int]) -> Packed:
    """Return the polynomial with these coefficients, from the constant term upwards."""
    return sum(value << SLOT * power for power, value in enumerate(coefficients))


def coefficient(polynomial: Packed, power: int) -> int:
    """Return the coefficient of `x**power`."""
    return polynomial >> SLOT * power & _MASK


def shift(polynomial: Packed, power: int) -> Packed:
    """Return the polynomial times `x**power`."""
    return polynomial << SLOT * power


@lru_cache(maxsize=1024)
def choices(cards: int, fewest: int, most: int) -> Packed:
    """Return the sum of `C(cards, d) x**d` over d from `fewest` to `most`, as a polynomial."""
    return pack(
        comb(cards, drawn) if drawn >= fewest else 0 for drawn in range(min(cards, most) + 1)
    )


# What a bid still needs: for each class that lacks cards, (its unseen cards, the cards still needed
# from it). Bids with equal `Open` have equal chances.
Open = tuple[tuple[int, int], ...]

NOTHING_KNOWN: Final = Cards()


class Unseen(NamedTuple):
    """The numbers of natural cards and of jokers that a seat can't see, in play or not.

    `draws` is how many of all these cards are in play. The seat holds `held_jokers` jokers.
    """

    naturals: int
    jokers: int
    draws: int
    held_jokers: int

    @property
    def deals(self) -> int:
        """The number of equally likely draws."""
        return comb(self.naturals + self.jokers, self.draws)


def bid_chance(bid: Bid, deck: DeckSpec, in_play: int, known: Cards = NOTHING_KNOWN) -> Chance:
    """Return the exact chance that `bid` holds with `in_play` cards, including the `known` ones.

    Raises `OddsError` if that many cards cannot be in play, or cannot include the known ones.
    """
    check_question(deck, in_play, known)
    unseen = unseen_cards(known, deck, in_play)
    return Chance(favourable(open_needs(bid, known.bits), unseen), unseen.deals)


def ladder_chances(
    ladder: Ladder, deck: DeckSpec, in_play: int, known: Cards = NOTHING_KNOWN
) -> tuple[Chance, ...]:
    """Return the exact chance of every bid of `ladder`, in its order: weakest first.

    Raises `OddsError` as `bid_chance` does.
    """
    check_question(deck, in_play, known)
    unseen = unseen_cards(known, deck, in_play)
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


def unseen_cards(known: Cards, deck: DeckSpec, in_play: int) -> Unseen:
    """Return the numbers of cards that a seat with the cards `known` can't see."""
    jokers = known.jokers
    naturals = len(known) - jokers
    return Unseen(
        naturals=deck.size - deck.jokers - naturals,
        jokers=deck.jokers - jokers,
        draws=in_play - len(known),
        held_jokers=jokers,
    )


def open_needs(bid: Bid, known: int) -> Open:
    """Return what `bid` still needs from the unseen cards if the cards `known` (bits) are held."""
    still: list[tuple[int, int]] = []
    for need in bid.needs:
        bits = need.cards.bits
        held = (bits & known).bit_count()
        if held < need.count:
            still.append((bits.bit_count() - held, need.count - held))
    still.sort()
    return tuple(still)


def favourable(still: Open, unseen: Unseen) -> int:
    """Return how many of the `unseen.deals` draws supply the cards `still` needed.

    A joker, held or drawn, replaces any card.
    """
    naturals, jokers, draws, held = unseen
    ways = 0
    for aside, drawn, short, weight in terms(still, jokers + held):
        free, left = naturals - aside, draws - drawn
        if left < 0:
            continue
        if short <= held:  # any number of further jokers is enough, so they count as ordinary cards
            ways += weight * comb(free + jokers, left)
        else:
            for used in range(short - held, min(jokers, left) + 1):
                ways += weight * comb(jokers, used) * comb(free, left - used)
    return ways


class Term(NamedTuple):
    """A term of the count: `weight` times the number of draws that include `drawn` fixed cards.

    The fixed cards come from some of the bid's classes, which have `aside` cards in all. The other
    cards drawn are outside these classes. With such a draw, the bid lacks `short` natural cards.
    """

    aside: int
    drawn: int
    short: int
    weight: int


@lru_cache(maxsize=4096)
def terms(still: Open, most_short: int) -> tuple[Term, ...]:
    r"""Return the generating function of `still`, as a sum of signed terms.

    A class with `size` cards in all and `needed` cards needed contributes the factor
    `(1+x)^size + sum_{d<needed} C(size,d) x^d (y^(needed-d) - 1)`. The exponent of x counts the
    cards drawn, that of y the cards missing: the first summand is for all draws, the others correct
    the draws of too few cards. Terms that lack more than `most_short` cards are left out.
    """
    product = {(0, 0, 0): 1}
    for size, needed in still:
        grown: dict[tuple[int, int, int], int] = {}
        for (aside, drawn, short), weight in product.items():
            for d in range(needed):
                ways = weight * comb(size, d)
                enough = (aside + size, drawn + d, short)
                grown[enough] = grown.get(enough, 0) - ways
                if short + needed - d <= most_short:
                    lacking = (aside + size, drawn + d, short + needed - d)
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
    """Advice from the odds to the seat in turn.

    `best` has at most `BEST_BIDS` legal bids, likeliest first. Each is the likeliest bid of its
    rung, and likelier than every bid on a higher rung. `strongest` is the highest legal bid with a
    chance greater than `above`, and the likeliest on its rung. It is None if there is no such bid.
    If no bid is legal, `best` is empty.
    """

    standing: BidOdds | None  # None until the opener bids
    best: tuple[BidOdds, ...]
    strongest: BidOdds | None
    above: float = MORE_LIKELY_THAN_NOT  # the chance that `strongest` had to exceed


def seat_odds(ruleset: Ruleset, in_play: int, known: Cards = NOTHING_KNOWN) -> tuple[BidOdds, ...]:
    """Return the game's bids with their exact chances, weakest first, for a seat.

    The seat knows the cards `known`; `in_play` counts all cards dealt in the round, including a
    middle hand. Raises `OddsError` if that many cannot be in play, or cannot include the known
    ones.
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
    """Return the standing bid's chance, the best bids, and the strongest bid that is likely enough.

    Likely enough is a chance greater than `above`. Raises `OddsError` as `seat_odds` does, and
    KeyError for a `standing` bid that the game lacks.
    """
    odds = seat_odds(ruleset, in_play, known)
    lowest = 0
    stands: BidOdds | None = None
    if standing is not None:
        lowest = ruleset.ladder.number(standing)
        stands = next(entry for entry in odds if entry.bid.key == standing.key)
    legal = [entry for entry in odds if entry.rung > lowest]
    return BidAdvice(stands, _best_bids(legal)[:BEST_BIDS], strongest(legal, above), above)


def strongest(odds: Sequence[BidOdds], above: float) -> BidOdds | None:
    """Return the highest bid with a chance greater than `above`, or None.

    If several such bids are on the highest rung, returns the likeliest.
    """
    likely = [entry for entry in odds if entry.chance.above(above)]
    return max(likely, key=lambda entry: (entry.rung, entry.chance.favourable), default=None)


def _best_bids(legal: Sequence[BidOdds]) -> tuple[BidOdds, ...]:
    """Return the likeliest bid of each rung, if it is likelier than all bids on higher rungs.

    The likeliest comes first. Bids that can't hold are left out.
    """
    best: list[BidOdds] = []
    for entry in sorted(legal, key=lambda entry: (-entry.rung, -entry.chance.favourable)):
        if entry.chance.favourable > (best[-1].chance.favourable if best else 0):
            best.append(entry)
    return tuple(reversed(best))
