"""Best responses in a round of two seats with few cards, without the engine.

A strategy is a function of the bids made and the own hand. It returns a dictionary with the chance
of each bid; None stands for a challenge. In `deals` and `result`, suits don't matter: a hand is a
tuple of ranks, a bid is (how many, of which rank). With its own `judge`, a caller may use other
hands and other bids, if a higher bid compares as greater.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import combinations
from typing import Any

Bid = tuple[int, int]  # how many, of which rank: tuples compare as the ladder does
Hand = tuple[int, ...]
Plays = Callable[[tuple[Any, ...], Any], dict[Any, float]]


def deals(ranks: int, suits: int, first: int, second: int) -> dict[tuple[Hand, Hand], float]:
    """Return each pair of hands, of `first` and `second` cards, with its chance.

    The deck has `ranks` ranks of `suits` cards each; every deal is tried.
    """
    deck = [rank for rank in range(ranks) for _ in range(suits)]
    counted: Counter[tuple[Hand, Hand]] = Counter()
    for hand in combinations(range(len(deck)), first):
        remaining = [card for card in range(len(deck)) if card not in hand]
        for opposing in combinations(remaining, second):
            counted[tuple(deck[c] for c in hand), tuple(deck[c] for c in opposing)] += 1
    total = sum(counted.values())
    return {hands: ways / total for hands, ways in counted.items()}


def result(bid: Bid, hand: Hand, opposing: Hand) -> int:
    """Return what the bidder wins if the bid is challenged: 1 if it holds, else -1."""
    many, rank = bid
    return 1 if (hand + opposing).count(rank) >= many else -1


def best_response(
    dealt: dict[Any, float],
    bids: list[Any],
    plays: Plays,
    me: int,
    judge: Callable[[Any, Any, Any], int] = result,
) -> float:
    """Return the mean result of the best strategy for seat `me` (0 opens) against `plays`.

    A round won counts 1 and a round lost -1. `dealt` has each pair of hands with its chance.
    """
    mine = sorted({hands[me] for hands in dealt})
    plays = cache(plays)

    def after(bids_made: tuple[Any, ...], hand: Any, others: dict[Any, float]) -> float:
        """Return what `hand` wins after these bids: a sum over `others`, weighted by their chances.

        `others` has each possible hand of the opponent, with the chance that it was dealt and led
        to the opponent's bids.
        """
        if not others:
            return 0.0
        higher = [bid for bid in bids if not bids_made or bid > bids_made[-1]]
        if len(bids_made) % 2 == me:
            worths = [after((*bids_made, bid), hand, others) for bid in higher]
            if bids_made:
                worths.append(-sum(w * judge(bids_made[-1], hand, o) for o, w in others.items()))
            return max(worths)
        worth = 0.0
        for opposing, weight in others.items():
            doubt = plays(bids_made, opposing).get(None, 0.0)
            if doubt:
                worth += weight * doubt * judge(bids_made[-1], hand, opposing)
        for bid in higher:
            left = {
                opposing: weight * chance
                for opposing, weight in others.items()
                if (chance := plays(bids_made, opposing).get(bid, 0.0))
            }
            worth += after((*bids_made, bid), hand, left)
        return worth

    total = 0.0
    for hand in mine:
        others = {hands[1 - me]: chance for hands, chance in dealt.items() if hands[me] == hand}
        total += after((), hand, others)
    return total
