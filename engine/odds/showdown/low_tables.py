"""The low half of a split pot: the best five different ranks up to the eight, as a table.

A low hand is a mask of eight bits, ace first, with five of them set. Which of two is better is said
at their highest card, then at the next: read as a number, the smaller mask is the better hand. The
best a player can make depends only on the ranks among the hole cards and among the board, so
`low_table` has an entry for each pair of such masks.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, Final

from engine.cards import Cards

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NO_LOW: Final = 256
LOW_RANKS: Final = 0xFF
_FIVE: Final = 5


@cache
def low_table(usable_private: int, usable_public: int) -> NDArray[np.uint16]:
    """The best low hand by `hole mask << 8 | board mask`, `NO_LOW` where there is none.

    At most so many hole cards and public cards may be part of it.
    """
    import numpy as np

    mask = np.arange(256)
    hole, board = mask[:, None], mask[None, :]
    used = np.bitwise_count(mask.astype(np.uint8))
    apart = (hole & board) == 0
    fits = (used[:, None] <= usable_private) & (used[None, :] <= usable_public)
    whole = used[:, None] + used[None, :] == _FIVE
    best = np.where(apart & fits & whole, hole | board, NO_LOW).ravel()
    # A hand may leave ranks unused: for each bit, the better of having it and of not.
    pairs = np.arange(1 << 16)
    for bit in 1 << np.arange(16):
        best = np.minimum(best, np.where(pairs & bit, best[pairs & ~bit], NO_LOW))
    return best.astype(np.uint16)


def best_low(hole: Cards, board: Cards, usable_private: int, usable_public: int) -> int | None:
    """The best low hand of one player as a mask, without a table; None if there is none."""
    own, shared = _low_ranks(hole), _low_ranks(board)
    ranks = [1 << rank for rank in range(8) if (own | shared) >> rank & 1]
    found = (sum(five) for five in combinations(ranks, _FIVE))
    # Ranks on one side only must come from there; those on both sides from either.
    return min(
        (
            low
            for low in found
            if (low & ~shared).bit_count() <= usable_private
            and (low & ~own).bit_count() <= usable_public
        ),
        default=None,
    )


def _low_ranks(cards: Cards) -> int:
    """The ranks from the ace to the eight, ace first, as eight bits."""
    return sum({1 << (card.rank + 1) % 13 for card in cards.naturals}) & LOW_RANKS


def no_low_table() -> NDArray[np.uint16]:
    """What stands in its place where the pot is not split."""
    import numpy as np

    return np.zeros(0, np.uint16)
