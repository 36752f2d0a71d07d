"""What a seat does best: every bid with its chance, and the few worth considering."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.bids import Bid
from engine.cards import Cards
from engine.odds.bids.exact import NOTHING_KNOWN, ladder_chances
from engine.odds.chance import Chance
from engine.ruleset import Ruleset

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
