"""Hold'em with known hands on the flop and after it: at most 1,081 boards, counted by numpy alone.

So the commonest question with a board is answered before a compiled kernel would be loaded, which
takes longer than all the rest. The sums are those that the kernels give, which a test compares.
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Final

from engine.odds.showdown.dealing import is_holdem
from engine.odds.showdown.from_table import TableSums
from engine.odds.showdown.ranges import Range
from engine.odds.showdown.scenario import Scenario

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MOST: Final = 1_081  # boards: two cards of 47
_SHOWN: Final = 10  # columns of kinds, as the kernels have them
_HALF: Final = 0xFFFF
_SUIT: Final = 0x1FFF
_FIVE_OF_A_SUIT: Final = 0x8888 << 32


def few_boards(scenario: Scenario, ranked: bool) -> TableSums | None:
    """The sums over all boards of `scenario`; None where hands are open or boards are many."""
    unseen = 5 - len(scenario.board)
    if (
        not is_holdem(scenario)
        or any(isinstance(held, Range) for held in scenario.players)
        or any(len(cards) != 2 for cards in scenario.known)
        or unseen > 2
        or comb(len(scenario.left), unseen) > _MOST
    ):
        return None
    import numpy as np

    from engine.odds.showdown.score_tables import CARD_KEY, CATEGORY, SUIT_COUNTERS

    order = scenario.rules.ranking.code
    left = np.array(sorted(card.number for card in scenario.left), np.intp)
    to_come = _sets(left, unseen)
    keys, bits = CARD_KEY[to_come].sum(axis=1), (np.uint64(1) << to_come.astype(np.uint64)).sum(1)
    held = [cards | scenario.board for cards in scenario.known]
    own = [CARD_KEY[[card.number for card in cards]].sum() for cards in held]
    scores = np.array(
        [
            _scores(keys + key + np.uint64(SUIT_COUNTERS), bits | np.uint64(cards.bits), order)
            for key, cards in zip(own, held, strict=True)
        ]
    )
    best = scores == scores.max(axis=0)
    winners = best.sum(axis=0)
    columns = len(held) + 1
    shares = [np.bincount(winners[wins], minlength=columns).tolist() for wins in best]
    kinds = [[0] * _SHOWN for _ in held]
    if ranked:
        kinds = [np.bincount(CATEGORY[order, row], minlength=_SHOWN).tolist() for row in scores]
    return TableSums(scores.shape[1], tuple(shares), tuple(kinds))


def _sets(cards: NDArray[np.intp], size: int) -> NDArray[np.intp]:
    """(sets, size): every set of none, one or two of the cards."""
    import numpy as np

    if size == 2:
        return cards[np.column_stack(np.triu_indices(len(cards), 1))]
    return cards[:, None] if size else np.empty((1, 0), np.intp)


def _scores(keys: NDArray[np.uint64], bits: NDArray[np.uint64], order: int) -> NDArray[np.uint16]:
    """The dense scores of hands of seven cards, by their keys from the start on and as bits."""
    import numpy as np

    from engine.odds.showdown.score_tables import BASE, DENSE, FLUSH, HIGH, HIGH_AT, LOW, LOW_AT

    low, high = keys & np.uint64(_HALF), keys >> np.uint64(16) & np.uint64(_HALF)
    place = LOW[np.uint64(LOW_AT[7]) + low].astype(np.uint64) + HIGH[np.uint64(HIGH_AT[7]) + high]
    scores: NDArray[np.uint16] = DENSE[np.uint64(BASE[order, 7]) + place]
    flushes = np.flatnonzero(keys & np.uint64(_FIVE_OF_A_SUIT))
    for suit in range(4):
        five = flushes[(keys[flushes] >> np.uint64(35 + 4 * suit) & np.uint64(1)) > 0]
        scores[five] = FLUSH[order, bits[five] >> np.uint64(13 * suit) & np.uint64(_SUIT)]
    return scores
