"""The chances that a seat shows, counted once for a hand and not for each drawing of the seat.

They depend on the rules, the cards in play and one's own cards alone, which stay for a whole round,
while a seat is drawn anew at every move and every step on its pad.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import Final

from engine.cards import Cards
from engine.odds.bids.advice import seat_odds
from engine.ruleset import Ruleset

MOST: Final = 512  # hands remembered
# By identity of the rules, which are kept with it: comparing two rulesets compares all their bids.
_known: OrderedDict[tuple[int, int, Cards], tuple[Ruleset, Mapping[str, float]]] = OrderedDict()


def seat_chances(ruleset: Ruleset, in_play: int, hole: Cards) -> Mapping[str, float]:
    """The chance of every bid of the game, by its key, for who holds `hole` of `in_play` cards."""
    key = id(ruleset), in_play, hole
    if key not in _known:
        found = seat_odds(ruleset, in_play, hole)
        _known[key] = ruleset, {odds.bid.key: odds.chance.probability for odds in found}
        while len(_known) > MOST:
            _known.popitem(last=False)
    _known.move_to_end(key)
    return _known[key][1]
