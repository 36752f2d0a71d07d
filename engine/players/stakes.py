"""Match equity as a table for compiled loops: see `engine.players.equity`."""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.players.equity import MatchEquity


def equity_table(equity: MatchEquity) -> NDArray[np.float64]:
    """`table[live, state, cards]`: the chance to win of a live seat with so many cards.

    States are numbered as `kernels.search.state_of` does; shape (seats + 1, states, cards + 1).
    """
    limits = equity.limits
    most = max(limits)
    states = max(comb(limits[live] - 1 + live, live) for live in range(2, len(limits)))
    table = np.zeros((len(limits), max(states, most), most + 1))
    for live in range(1, len(limits)):
        limit = limits[live] if live > 1 else most
        for cards in combinations_with_replacement(range(1, limit + 1), live):
            number = state_number(cards)
            for held, chance in zip(cards, equity.chances(cards), strict=True):
                table[live, number, held] = chance
    return table


def state_number(cards: Any) -> int:
    """The number of a state: cards of the live seats, fewest first; slow but plain."""
    return sum(comb(held - 1 + place, place + 1) for place, held in enumerate(cards))
