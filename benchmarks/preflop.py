"""Count and write the tables of `engine/odds/showdown/preflop.py`.

    python -m benchmarks.preflop FOLDER

For every pair of two-card hands, this counts over all 1,712,304 boards which hand wins, and which
kinds of hands both make. Pairs that differ only by an exchange of suits or of the two players are
counted once. It takes about twenty seconds.
"""

from __future__ import annotations

import sys
from array import array
from itertools import combinations, pairwise, permutations
from pathlib import Path
from time import process_time
from zlib import compress

import numpy as np

from engine.odds.showdown.kernels.count import count_boards
from engine.odds.showdown.preflop import BOARDS, HANDS, KINDS, MATCHUPS, by_second_hand


def keys() -> list[int]:
    """Return the keys of all matchups, sorted; a key is HANDS * first hand's number + second's.

    Matchups that differ only by an exchange of suits or of the players share the smallest key.
    """
    cards = np.array(list(combinations(range(52), 2)))
    number = np.zeros((52, 52), np.int64)
    number[cards[:, 0], cards[:, 1]] = number[cards[:, 1], cards[:, 0]] = np.arange(HANDS)
    hands = 1 << cards[:, 0] | 1 << cards[:, 1]
    first, second = np.nonzero((hands[:, None] & hands[None, :]) == 0)
    least = HANDS * first + second
    for order in permutations(range(4)):
        moved = 13 * np.array(order)[cards // 13] + cards % 13
        to = number[moved[:, 0], moved[:, 1]]
        first_places, second_places = to[first], to[second]
        least = np.minimum(
            least,
            np.minimum(HANDS * first_places + second_places, HANDS * second_places + first_places),
        )
    distinct: list[int] = np.unique(least).tolist()
    return distinct


def main() -> None:
    cards = list(combinations(range(52), 2))
    wins, ties = array("I"), array("I")
    none, once, low = np.uint64(0), np.ones(1, np.int64), np.zeros(0, np.uint16)
    empty, no_factors = np.zeros(0, np.int64), np.zeros((0, 0), np.int64)
    every = array("I", keys())
    assert len(every) == MATCHUPS
    counts = np.zeros((2, KINDS - 1, MATCHUPS), np.uint32)
    started = process_time()
    for at, key in enumerate(every):
        hands = [1 << a | 1 << b for a, b in (cards[key // HANDS], cards[key % HANDS])]
        shares, kinds = np.zeros((2, 3), np.int64), np.zeros((2, 10), np.int64)
        matchup = np.array([hands], np.uint64)
        count_boards(
            matchup, once, none, none, 5, 0, False, low, True, no_factors, shares, kinds, empty
        )
        assert shares.sum() - shares[0, 2] == BOARDS
        wins.append(int(shares[0, 1]))
        ties.append(int(shares[0, 2]))
        counts[:, :, at] = kinds[:, 1:KINDS]
    counts[1] = counts[1][:, by_second_hand(np.array(every))]
    steps = array("I", [every[0], *(later - sooner for sooner, later in pairwise(every))])
    folder = Path(sys.argv[1])
    for name, data in (
        ("preflop.bin", compress(b"".join((steps, wins, ties)), 9)),
        ("preflop_kinds.bin", compress(counts.tobytes(), 9)),
    ):
        (folder / name).write_bytes(data)
        print(f"{name}: {len(data):,} bytes")
    print(f"{len(every):,} matchups, {process_time() - started:.1f} s of processor time")


if __name__ == "__main__":
    main()
