"""The order of Omaha hands that percentages of ranges go by: equity against one random hand.

    python -m benchmarks.omaha_order FILE.npz [--boards N] [--write
    engine/odds/showdown/omaha_order.bin]

On each board every hand of four cards is ranked, and for each of them the opponents without its
cards that it beats and ties with are counted by inclusion and exclusion over its cards. Boards are
taken one of each kind (134,459 that differ by more than a change of suits), in a shuffled order, so
that any number of them is a fair sample. All of them are the exact answer, which takes some eleven
minutes of one processor. The state is kept in the file every minute, and a second start goes on
from there.
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
    """One board of each kind as bits, and how many boards are of its kind."""
    boards = np.array([sum(1 << c for c in some) for some in combinations(range(52), 5)], U64)
    return np.unique(smallest(boards), return_counts=True)


def hand_classes() -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """The classes of four-card hands as bits, sorted, and each hand's class by its rank among all.

    Hands are in the order of `combinations(range(52), 4)`.
    """
    hands = np.array([sum(1 << c for c in some) for some in combinations(range(52), 4)], U64)
    classes, number = np.unique(smallest(hands), return_inverse=True)
    return classes, number.astype(np.int32)


def numbering() -> np.ndarray[Any, Any]:
    """`starts[place, card]`: what a card in that place adds to the number of a sorted hand."""
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
        # quotients of whole numbers, compared as such; what is equal stays in the order of cards
        shares = [Fraction(int(won), int(of)) for won, of in zip(points, deals, strict=True)]
        order = sorted(range(len(classes)), key=lambda number: -shares[number])
        places[order] = np.arange(len(classes))
        options.write.write_bytes(compress(places.astype("<u2").tobytes(), 9))
        equal = len(shares) - len(set(shares))
        print(f"{options.write}: the order after {counted:,} boards, {equal} equal to one before")


if __name__ == "__main__":
    main()
