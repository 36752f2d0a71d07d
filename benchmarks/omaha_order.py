"""Rank Omaha hands by equity against a random hand: the order behind ranges like "15%".

    python -m benchmarks.omaha_order FILE.npz [--boards N] [--write
    engine/odds/showdown/omaha_order.bin]

On each board every hand of four cards is scored. Then, for each hand, the opponents that it beats
or ties with are counted; inclusion and exclusion leaves out opponents that share a card with it.
Boards that differ only by an exchange of suits are equivalent: 134,459 boards are tried, each
weighted by its number of equivalent boards. They come in a shuffled order, so that the first N are
a fair sample; all of them give the exact answer in about eleven minutes on one core. The state is
saved in the file every minute, and a second start continues from there.
"""

from __future__ import annotations

import argparse
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from time import monotonic
from typing import Any
from zlib import compress

import numpy as np

from benchmarks.omaha_order_kernel import add_board
from engine.odds.showdown.omaha_terms import smallest

U64 = np.uint64
SEED = 20261122


def canonical_boards() -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Group the boards that are equal up to suits; return one of each group, and group sizes."""
    boards = np.array([sum(1 << c for c in some) for some in combinations(range(52), 5)], U64)
    return np.unique(smallest(boards), return_counts=True)


def hand_classes() -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Return the classes of four-card hands up to a swap of suits, and the class of each hand.

    The first array has the smallest hand of each class, as bits, sorted. The second has the
    index of each hand's class, with hands in the order of `combinations(range(52), 4)`.
    """
    hands = np.array([sum(1 << c for c in some) for some in combinations(range(52), 4)], U64)
    classes, number = np.unique(smallest(hands), return_inverse=True)
    return classes, number.astype(np.int32)


def numbering() -> np.ndarray[Any, Any]:
    """Return `starts[place, card]`, to number hands in the order of `combinations(range(52), 4)`.

    The number of a sorted hand is the sum of `starts[place, card]` over its four cards.
    """
    from math import comb

    starts = np.zeros((4, 52), np.int64)
    for place in range(4):
        for card in range(52):
            starts[place, card] = -comb(51 - card, 4 - place)
    starts[0] += comb(52, 4) - 1
    return starts


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("file", type=Path)
    parser.add_argument("--boards", type=int, default=134_459)
    parser.add_argument("--write", type=Path, help="the file of the engine, from what is there")
    options = parser.parse_args()
    boards, weights = canonical_boards()
    shuffled = np.random.default_rng(SEED).permutation(len(boards))
    classes, class_of = hand_classes()
    points = np.zeros(len(classes), np.int64)
    deals = np.zeros(len(classes), np.int64)
    counted = 0
    if options.file.exists():
        saved = np.load(options.file)
        points, deals, counted = saved["points"], saved["deals"], int(saved["done"])
    starts = numbering()
    printed_at = monotonic()
    while counted < min(options.boards, len(boards)):
        which = shuffled[counted]
        add_board(boards[which], weights[which], starts, class_of, points, deals)
        counted += 1
        if monotonic() - printed_at > 60 or counted == options.boards:
            printed_at = monotonic()
            np.savez(options.file, points=points, deals=deals, done=counted, classes=classes)
            print(f"{counted:,} boards", flush=True)

    if options.write is not None:
        places = np.empty(len(classes), np.int64)
        # exact fractions; equal classes stay in the order of their cards
        shares = [Fraction(int(won), int(of)) for won, of in zip(points, deals, strict=True)]
        order = sorted(range(len(classes)), key=lambda number: -shares[number])
        places[order] = np.arange(len(classes))
        options.write.write_bytes(compress(places.astype("<u2").tobytes(), 9))
        equal = len(shares) - len(set(shares))
        print(f"{options.write}: the order after {counted:,} boards, {equal} equal to one before")


if __name__ == "__main__":
    main()
