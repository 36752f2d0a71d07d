"""Every hand that a player may hold in hold'em or short deck, each against all that the other may.

On the flop and later all hands are scored on each board; one sorted list of the opponent's hands,
with sums of weights from the lowest up, then says of every hand at once how much it beats. Of such
a sum the opponent's hands that hold one of the same cards are taken out, which sums for each of
the 52 cards tell. Before the flop the tables know every matchup.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from engine.cards import Cards
from engine.odds.showdown import preflop
from engine.odds.showdown.dealing import is_holdem
from engine.odds.showdown.equity import ShowdownCancelled
from engine.odds.showdown.ranges import Range
from engine.odds.showdown.ranking import Ranking
from engine.odds.showdown.scenario import Scenario

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_FLOP: Final = 3
_HALF: Final = 0xFFFF
_SUIT: Final = 0x1FFF
_FIVE_OF_A_SUIT: Final = 0x8888 << 32


@dataclass(frozen=True, slots=True)
class EachHand:
    """Hands as bits, what each weighs, and its deals, of which `won` twice counts what it wins.

    A deal weighs as much as the opponent's hand; a tie is half won, so `won` has 2 for a win and 1
    for a tie. `deals` is 0 where the hand leaves the opponent none.
    """

    hands: tuple[int, ...]
    weights: tuple[int, ...]
    won: tuple[int, ...]
    deals: tuple[int, ...]


def knows_each(scenario: Scenario) -> bool:
    """Whether two players of hold'em or short deck have a flop, or no card but theirs is known.

    Each holds a whole hand, a range, or cards that are all unknown.
    """
    if len(scenario.players) != 2 or not is_holdem(scenario):
        return False
    if any(not isinstance(held, Range) and len(held) == 1 for held in scenario.players):
        return False
    if scenario.board:
        return len(scenario.board) >= _FLOP
    return scenario.rules.ranking is Ranking.HIGH and not scenario.dead


def each_hand(
    scenario: Scenario, seat: int, cancelled: Callable[[], bool] | None = None
) -> EachHand:
    """Each hand of the player in `seat` against the other's, where `knows_each` says so.

    `cancelled` is asked for every board, and raises `ShowdownCancelled` here if true.
    """
    own, other = (_held(scenario, one) for one in (seat, 1 - seat))
    sums = _by_boards(scenario, own, other, cancelled) if scenario.board else _by_table(own, other)
    won, deals = (tuple(sums[:, column].tolist()) for column in range(2))
    return EachHand(tuple(own.bits.tolist()), tuple(own.weights.tolist()), won, deals)


@dataclass(frozen=True, slots=True)
class _Held:
    """The hands that a player can hold: as bits, as the numbers of both cards, with weights."""

    bits: NDArray[np.uint64]
    cards: NDArray[np.intp]
    weights: NDArray[np.int64]


def _held(scenario: Scenario, seat: int) -> _Held:
    import numpy as np

    held = scenario.players[seat]
    weighed: tuple[Sequence[int], Sequence[int]]
    if isinstance(held, Range):
        weighed = scenario.weighed(seat)
    elif held:
        weighed = [held.bits], [1]
    else:
        gone = ~scenario.left.bits
        hands = [hand for hand in preflop.numbers() if not hand & gone]
        weighed = hands, [1] * len(hands)
    pairs = [[card.number for card in Cards(hand)] for hand in weighed[0]]
    return _Held(
        np.array(weighed[0], np.uint64),
        np.sort(np.array(pairs, np.intp).reshape(-1, 2), axis=1),
        np.array(weighed[1], np.int64),
    )


def _by_table(own: _Held, other: _Held) -> NDArray[np.int64]:
    """(hands, won and deals), of tables of matchups before the flop."""
    import numpy as np

    numbers = preflop.numbers()
    rows, columns = (
        np.array([numbers[hand] for hand in one.bits.tolist()]) for one in (own, other)
    )
    sums = np.zeros((len(rows), 2), np.int64)
    for at, row in enumerate(rows):
        deals, win, tie = (other.weights @ preflop.results()[preflop.places()[row, columns]]).T
        sums[at] = 2 * win + tie, deals
    return sums


def _by_boards(
    scenario: Scenario, own: _Held, other: _Held, cancelled: Callable[[], bool] | None
) -> NDArray[np.int64]:
    """(hands, won and deals), of each hand of `own` against `other`, board by board."""
    import numpy as np

    from engine.odds.showdown.score_tables import CARD_KEY, SUIT_COUNTERS

    order = scenario.rules.ranking.code
    shown = np.array([card.number for card in scenario.board], np.intp)
    sums = np.zeros((len(own.bits), 2), np.int64)
    for to_come in _sets_of(scenario.left, scenario.rules.public - len(shown)):
        if cancelled is not None and cancelled():
            raise ShowdownCancelled("the computation was cancelled")
        board = np.concatenate([shown, to_come])
        on_board = (np.uint64(1) << board.astype(np.uint64)).sum()
        key = CARD_KEY[board].sum() + np.uint64(SUIT_COUNTERS)

        def scores(held: _Held) -> tuple[NDArray[np.intp], NDArray[np.uint16]]:
            """The hands that this board leaves, and their scores."""
            some = np.flatnonzero(held.bits & on_board == 0)  # noqa: B023
            keys = CARD_KEY[held.cards[some]].sum(axis=1) + key  # noqa: B023
            return some, _seven_scores(keys, held.bits[some] | on_board, order)  # noqa: B023

        rows, mine = scores(own)
        columns, theirs = scores(other)
        lowest_first = np.argsort(theirs, kind="stable")
        sums[rows] += _beaten(
            own.cards[rows],
            mine,
            other.cards[columns][lowest_first],
            theirs[lowest_first],
            other.weights[columns][lowest_first],
        )
    return sums


def _sets_of(left: Cards, size: int) -> NDArray[np.intp]:
    """(sets, size): every set of none, one or two of the cards, as their numbers."""
    import numpy as np

    cards = np.array(sorted(card.number for card in left), np.intp)
    if size == 2:
        return cards[np.column_stack(np.triu_indices(len(cards), 1))]
    return cards[:, None] if size else np.empty((1, 0), np.intp)


def _seven_scores(
    keys: NDArray[np.uint64], bits: NDArray[np.uint64], order: int
) -> NDArray[np.uint16]:
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


def _beaten(
    mine: NDArray[np.intp],
    scores: NDArray[np.uint16],
    theirs: NDArray[np.intp],
    sorted_scores: NDArray[np.uint16],
    weights: NDArray[np.int64],
) -> NDArray[np.int64]:
    """(hands, won and deals) on one board, against hands from the lowest score up."""
    import numpy as np

    every = np.arange(len(theirs))
    up_to = np.zeros((len(theirs) + 1, 53), np.int64)  # of hands with each card; last: of all
    up_to[every + 1, theirs[:, 0]] = weights
    up_to[every + 1, theirs[:, 1]] = weights
    up_to[1:, 52] = weights
    np.cumsum(up_to, axis=0, out=up_to)
    same = np.zeros((52, 52), np.int64)  # what the very same hand weighs, taken out twice
    same[theirs[:, 0], theirs[:, 1]] = weights
    one, other = mine[:, 0], mine[:, 1]

    def below(place: NDArray[np.intp]) -> NDArray[np.int64]:
        found: NDArray[np.int64] = up_to[place, 52] - up_to[place, one] - up_to[place, other]
        return found

    won = below(np.searchsorted(sorted_scores, scores, "left"))
    not_lost = below(np.searchsorted(sorted_scores, scores, "right")) + same[one, other]
    deals = below(np.full(len(mine), len(theirs))) + same[one, other]
    return np.stack([won + not_lost, deals], axis=1)


def value_of(won: int, deals: int) -> Fraction | None:
    """The share of the pot; None where there is no deal."""
    return Fraction(won, 2 * deals) if deals else None
