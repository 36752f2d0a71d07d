"""The kernels that draw hold'em deals: no card twice, none that is gone, each as often."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.odds.showdown.dealing import alias_table
from engine.odds.showdown.kernels import draw
from engine.odds.showdown.kernels.draw import BLOCK

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
BLOCKS = 200
START = np.uint64(12345)


def ranges_of(
    deck: list[int], held: list[list[tuple[int, int]]], weights: list[list[int]]
) -> tuple[Any, ...]:
    """Ranges as the kernels take them: pairs of places in the deck."""
    starts = np.cumsum([0, *map(len, held)])
    hands = [
        1 << deck[one] | 1 << deck[other] | one << 52 | other << 58
        for some in held
        for one, other in some
    ]
    drawn = [alias_table(some, begin) for some, begin in zip(weights, starts, strict=False)]
    return (
        starts,
        np.array(hands, np.uint64),
        np.array([len(set(some)) == 1 for some in weights], np.bool_),
        np.array([chance for chances, _ in drawn for chance in chances], np.uint64),
        np.array([place for _, places in drawn for place in places], np.uint64),
    )


def dealt(
    deck: list[int], draws: int, ranges: tuple[Any, ...] | None, block: int
) -> tuple[NDArray[np.uint8], NDArray[np.uint64]]:
    """The cards drawn (draws, lanes) and the ranges' hands (ranges, lanes) of a block."""
    parts = len(ranges[0]) - 1 if ranges else 0
    held, tried = (np.zeros((parts, BLOCK), np.uint64) for _ in range(2))
    start = draw.block_start(START, block)
    places = np.zeros((draws, BLOCK), np.uint8)
    picks, moved = np.zeros((draws + draws % 2, BLOCK), np.uint8), np.zeros_like(places)
    if ranges:
        some = (np.zeros(BLOCK, np.uint64) for _ in range(4))
        draw.draw_hands(start, ranges, *some, tried, held)
        start = draw.mixed(start)
    draw.pick_places(start, len(deck) - 2 * parts, picks)
    draw.resolve(picks, moved, places)
    if ranges:
        gone = np.zeros((2 * parts, BLOCK), np.uint8)
        draw.skip_hands(held, gone, np.zeros(BLOCK, np.uint8), places)
    absent = np.array(sorted(set(range(52)) - set(deck)), np.uint8)
    draw.name_cards(absent, places)
    return places, held


@pytest.mark.parametrize("draws", [1, 2, 5, 9, 12])
@pytest.mark.parametrize("size", [12, 17, 36, 50, 52])
def test_drawn_cards_differ_and_every_order_is_as_likely(draws: int, size: int) -> None:
    deck = sorted(Random(size).sample(range(52), size))
    seen = np.zeros((draws, 52), np.int64)
    pairs = np.zeros((52, 52), np.int64)
    for block in range(BLOCKS):
        cards, _ = dealt(deck, draws, None, block)
        assert set(np.unique(cards).tolist()) <= set(deck)
        ordered = np.sort(cards, axis=0)
        assert (ordered[1:] != ordered[:-1]).all()
        for row in range(draws):
            seen[row] += np.bincount(cards[row], minlength=52)
        np.add.at(pairs, (cards[0], cards[-1]), 1)
    expected = BLOCKS * BLOCK / size
    assert abs(seen[:, deck] - expected).max() < 6 * expected**0.5
    if draws > 1:
        together = BLOCKS * BLOCK / (size * (size - 1))
        others = pairs[np.ix_(deck, deck)][~np.eye(size, dtype=np.bool_)]
        assert abs(others - together).max() < 6 * together**0.5 + 6


@pytest.mark.parametrize("even", [True, False])
def test_hands_of_ranges_and_the_cards_beside_them_share_none(even: bool) -> None:
    random = Random(even)
    deck = sorted(random.sample(range(52), 20))
    pairs = [(one, other) for other in range(20) for one in range(other)]
    held = [random.sample(pairs, 12), random.sample(pairs, 7), random.sample(pairs, 3)]
    weights = [[1] * len(some) if even else [*range(1, len(some) + 1)] for some in held]
    ranges = ranges_of(deck, held, weights)
    seen: dict[tuple[int, ...], int] = {}
    for block in range(BLOCKS):
        cards, hands = dealt(deck, 5, ranges, block)
        bits = [*(hands & draw.CARDS), *(np.uint64(1) << cards.astype(np.uint64))]
        union = np.bitwise_or.reduce(bits, axis=0)
        assert set(np.bitwise_count(union).tolist()) == {2 * 3 + 5}
        for chosen in zip(*(hands & draw.CARDS).tolist(), strict=True):
            seen[chosen] = seen.get(chosen, 0) + 1
    plain = [
        [(int(ranges[1][at] & draw.CARDS), weight) for at, weight in zip(places, some, strict=True)]
        for places, some in zip(
            [range(*ranges[0][part : part + 2]) for part in range(3)], weights, strict=True
        )
    ]
    wanted = {
        (one, two, three): a * b * c
        for one, a in plain[0]
        for two, b in plain[1]
        for three, c in plain[2]
        if not (one & two or one & three or two & three)
    }
    assert set(seen) <= set(wanted)
    deals, total = BLOCKS * BLOCK, sum(wanted.values())
    for chosen, weight in wanted.items():
        expected = deals * weight / total
        assert abs(seen.get(chosen, 0) - expected) < 6 * expected**0.5 + 6
