"""Count joint results of all players: the winners of both boards, or the order of all hands.

Side pots depend on the order of all hands (`pots`); `counting` counts them in most games with a
board. Two boards dealt from one pack depend on each other (`kernels.joint`). Both are counted for
each set of hole cards, like boards in `counting`.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import comb
from typing import TYPE_CHECKING, Final

from engine.odds.loading import np
from engine.odds.showdown import compiled
from engine.odds.showdown.dealing import (
    Job,
    Sums,
    no_sums,
    orders_of,
    rows_per_job,
    table_of,
    way_to_score,
)
from engine.odds.showdown.scenario import Scenario

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Rows = Callable[[Scenario], tuple[NDArray[np.uint64], NDArray[np.int64]]]

# rough seconds on one thread: for a board, a score by picks, a score from the table, a set of cards
_BOARD_SECONDS: Final = 1e-8
_PICK_SECONDS: Final = 2.5e-8
_DENSE_SECONDS: Final = 1.2e-8
_SET_SECONDS: Final = 6e-9
_MOST_CELLS: Final = 1 << 24  # sets of cards, times results
_MOST_UNSEEN: Final = 5  # cards that a board may still get


def places_of(code: int, players: int) -> tuple[int, ...]:
    """Return how many others beat each of the `players`, decoded from an `order_code`."""
    places = []
    for _ in range(players):
        code, better = divmod(code, players)
        places.append(better)
    return tuple(reversed(places))


def row_seconds(scenario: Scenario) -> float | None:
    """Return about how many seconds counting takes for one set of hole cards.

    None if it would take too much memory, or if a board still needs more than five cards.
    """
    rules = scenario.rules
    left = scenario.undealt
    picks = len(rules.hole_picks()) * len(rules.board_picks())
    score_seconds = _DENSE_SECONDS if picks == 1 else picks * _PICK_SECONDS
    board_seconds = _BOARD_SECONDS + len(scenario.players) * score_seconds
    unseen = _cards_to_come(scenario)
    if max(unseen) > _MOST_UNSEEN:
        return None
    if scenario.second is None:
        return comb(left, unseen[0]) * board_seconds
    if _sets(scenario, left) << len(scenario.players) > _MOST_CELLS:
        return None
    boards = [unseen[0]] if _is_alike(scenario) else unseen
    seconds = sum(comb(left, cards) * (board_seconds + _SET_SECONDS * 10) for cards in boards)
    pairs = float(4 ** len(scenario.players))
    return seconds + _sets(scenario, left) * _SET_SECONDS * pairs


def deals_of_row(scenario: Scenario) -> int:
    """Return the number of deals for one set of hole cards."""
    left, deals = scenario.undealt, 1
    for cards in _cards_to_come(scenario):
        deals *= comb(left, cards)
        left -= cards
    return deals


def _cards_to_come(scenario: Scenario) -> list[int]:
    """Return how many cards each board still needs."""
    boards = [scenario.board, *([] if scenario.second is None else [scenario.second])]
    return [scenario.rules.public - len(board) for board in boards]


def _is_alike(scenario: Scenario) -> bool:
    return scenario.second == scenario.board


def _sets(scenario: Scenario, left: int) -> int:
    """Return the number of sets of cards that `kernels.joint.count_sets` counts for each board."""
    return sum(comb(left, cards) for cards in range(max(_cards_to_come(scenario))))


def joint_jobs(scenario: Scenario, rows_of: Rows) -> tuple[int, Iterator[Job]]:
    """Return the number of deals, and jobs of some hundredths of a second that count them.

    `rows_of` returns the sets of hole cards and how often each counts.
    """
    rows, times = rows_of(scenario)
    table = table_of(scenario)
    way = way_to_score(scenario.rules)
    left = scenario.undealt
    unseen, deals = _cards_to_come(scenario), deals_of_row(scenario)
    boards = max(comb(left, cards) for cards in unseen)
    seconds = row_seconds(scenario)
    assert seconds is not None
    size = rows_per_job(seconds)

    def count_orders(at: int) -> Sums:
        piece, repeats = rows[at : at + size], times[at : at + size]
        counts = np.zeros(orders_of(scenario), np.int64)
        codes = np.zeros(boards, np.int32)
        compiled.count_orders(piece, repeats, table, way, codes, counts)
        shares, kinds = no_sums(scenario)
        for code in np.flatnonzero(counts).tolist():
            places = places_of(code, len(scenario.players))
            winners = [seat for seat, place in enumerate(places) if not place]
            shares[winners, len(winners)] += counts[code]
        return Sums(int(repeats.sum()) * deals, shares, kinds, orders=(counts, counts))

    def count_boards(at: int) -> Sums:
        piece, repeats = rows[at : at + size], times[at : at + size]
        shares, kinds = no_sums(scenario)
        shape = _sets(scenario, left), 1 << len(scenario.players)
        alike = _is_alike(scenario)
        sets = np.zeros(shape, np.int32)
        others = np.zeros((0, shape[1]) if alike else shape, np.int32)
        second = (*table[:1], table[12], table[13], *table[3:])
        compiled.count_two_boards(
            piece, repeats, table, second, alike, way,
            np.zeros((2, boards), np.int32), sets, others, shares,
        )  # fmt: skip
        return Sums(int(repeats.sum()) * deals, shares, kinds)

    count = count_orders if scenario.second is None else count_boards

    def jobs() -> Iterator[Job]:
        for at in range(0, len(rows), size):
            yield lambda at=at: count(at)  # type: ignore[misc]

    return int(times.sum()) * deals, jobs()
