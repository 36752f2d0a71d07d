"""The tables behind the fast evaluator, built by numpy in milliseconds when first imported.

The kind of a hand without a flush depends on how many cards of each rank it holds. Each rank gets a
number (its key) such that a sum of up to seven keys tells which ranks were added. One set of keys
for all 13 ranks would need sums up to 50 million; two sets, for the six low and the seven high
ranks, need sums up to 10,551 and 43,717, which fit into the two halves of 32 bits. For hands of `n`
cards

    place = LOW[LOW_AT[n] + low sum] + HIGH[HIGH_AT[n] + high sum]

is a perfect index without holes: hands are grouped by how many of their cards are low, `LOW` holds
the start of the block of that low part, `HIGH` the place of the high part within a block. Adding a
card to a hand is one 64-bit addition, because the card's key also counts its suit: bits 32-47 hold
a counter for each suit that starts at 3, so its bit 3 means "five or more". A flush of at most
seven cards rules out fours and full houses, so it is looked up only by its suit's mask.

Scores are dense: `DENSE[BASE[short, n] + place]` and `FLUSH[short, mask]` number the 7,462 classes
of hands in order, from 1, for each of the high rankings (`short` is 0 for high, 1 for short deck, 2
for short deck with threes above straights); `RAW[short][dense]` is the raw score of `ranking`. Bits
56 and up of a card's key count wild cards, which are in no table.

The same places number the rank multisets of `k` board cards for exact counting (`kernels.count`);
the `MULTI_*` tables have their keys and counts.

The greedy keys (each the smallest that keeps sums of seven distinct) follow the idea of H. R. Lee's
and Z. Kekkonen's table evaluators; the split in two is ours.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.odds.showdown import scoring
from engine.odds.showdown.kernel_codes import CARD_KEY, HIGH_KEYS, LOW_KEYS, WILD_KEY

MOST_CARDS: Final = 7
SUIT_COUNTERS: Final = 0x3333 << 32
_Ints = NDArray[np.int64]


def _parts(keys: tuple[int, ...]) -> list[tuple[_Ints, _Ints]]:
    """Return the multisets of 0 to 7 cards: rows of counts by rank, and the rows' key sums."""
    ranks = len(keys)
    # Ranks are added one at a time, and multisets with too many cards are dropped early.
    counts = np.zeros((1, 0), np.int8)
    for _ in range(ranks):
        grown = np.repeat(counts, 5, axis=0)
        added = np.tile(np.arange(5, dtype=np.int8), len(counts))
        keep = grown.sum(axis=1) + added <= MOST_CARDS
        counts = np.column_stack((grown, added))[keep]
    totals = counts.sum(axis=1)
    rows = [counts[totals == cards] for cards in range(MOST_CARDS + 1)]
    return [(row, row @ np.array(keys)) for row in rows]


_LOW_PARTS: Final = _parts(LOW_KEYS)
_HIGH_PARTS: Final = _parts(HIGH_KEYS)


def _widths(keys: tuple[int, ...]) -> list[int]:
    """Return the lengths of the rows of `LOW` or `HIGH` for 0 to 7 cards.

    A row's length is 1 plus the number of cards times the highest key. That is long enough even
    for hands that don't exist: `kernels.count` looks up five cards of one rank and drops the
    result, and an invalid hand may have one card seven times.
    """
    return [1 + cards * keys[-1] for cards in range(MOST_CARDS + 1)]


# The rows of LOW and HIGH one after the other: row n begins at LOW_AT[n] and HIGH_AT[n].
LOW_AT: Final = np.cumsum([0, *_widths(LOW_KEYS)], dtype=np.uint64)
HIGH_AT: Final = np.cumsum([0, *_widths(HIGH_KEYS)], dtype=np.uint64)
LOW: Final = np.zeros(int(LOW_AT[-1]), np.uint16)
HIGH: Final = np.zeros(int(HIGH_AT[-1]), np.uint16)


def _multisets(cards: int) -> tuple[_Ints, _Ints, _Ints]:
    """Return all multisets of `cards` ranks and both key sums of each; fill `LOW` and `HIGH`.

    A multiset is a row with the number of cards of each of the 13 ranks.
    """
    start = 0
    blocks = []
    for low_cards in range(cards + 1):
        low, low_sums = _LOW_PARTS[low_cards]
        high, high_sums = _HIGH_PARTS[cards - low_cards]
        LOW[int(LOW_AT[cards]) + low_sums] = start + np.arange(len(low)) * len(high)
        HIGH[int(HIGH_AT[cards]) + high_sums] = np.arange(len(high))
        start += len(low) * len(high)
        counts = np.hstack([np.repeat(low, len(high), axis=0), np.tile(high, (len(low), 1))])
        blocks.append((counts, np.repeat(low_sums, len(high)), np.tile(high_sums, len(low))))
    counts, low_sums, high_sums = map(np.concatenate, zip(*blocks, strict=True))
    return counts, low_sums, high_sums


_MULTISETS: Final = [_multisets(cards) for cards in range(MOST_CARDS + 1)]
_COUNTS: Final = [counts for counts, _, _ in _MULTISETS]
RANK_LOW: Final = np.array([*LOW_KEYS, *[0] * 7], np.uint16)
RANK_HIGH: Final = np.array([*[0] * 6, *HIGH_KEYS], np.uint16)
ORDERS: Final = 3
# The number of each category of `scoring` in each of the three orders.
_NUMBERS: Final = np.array(
    [[*range(9)], [0, 1, 2, 3, 4, 6, 5, 7, 8], [0, 1, 2, 4, 3, 6, 5, 7, 8]], np.int64
)
# by the number of different ranks and of cards of the most frequent rank
_CATEGORIES: Final = np.zeros((6, 5), np.int64)
_CATEGORIES[4, 2], _CATEGORIES[3, 2], _CATEGORIES[3, 3] = (
    scoring.PAIR,
    scoring.TWO_PAIR,
    scoring.THREE,
)
_CATEGORIES[2, 3], _CATEGORIES[2, 4] = scoring.FULL_HOUSE, scoring.FOUR
_MASKS: Final = np.arange(8192)
_TOTAL: Final = np.bitwise_count(_MASKS).astype(np.int64)
_FIVE: Final = np.flatnonzero(_TOTAL == 5)


def _of_five(counts: _Ints) -> tuple[_Ints, _Ints, _Ints]:
    """Return categories, ranks (nibbles) and ranks (bits) of five-card hands: (hands,) each.

    `counts` (hands, 13) are the cards of each rank. Flushes and straights are ignored.
    """
    held = np.repeat(np.tile(np.arange(13), len(counts)), counts.ravel()).reshape(-1, 5)
    weight = 16 * np.take_along_axis(counts, held, axis=1) + held  # most cards first, then highest
    held = -np.sort(-weight, axis=1) % 16
    nibbles = ((held + 1) << np.array([16, 12, 8, 4, 0])).sum(axis=1)
    category = _CATEGORIES[(counts > 0).sum(axis=1), counts.max(axis=1)]
    return category, nibbles, (counts > 0) @ (1 << np.arange(13))


def _count_straights(five: tuple[_Ints, _Ints, _Ints], short: bool) -> tuple[_Ints, _Ints]:
    """Return the categories and ranks (nibbles) from `_of_five`, corrected for straights."""
    category, nibbles, ranks = five[0].copy(), five[1].copy(), five[2]
    windows = scoring.SHORT_STRAIGHTS if short else scoring.STRAIGHTS
    tops = scoring.SHORT_TOPS if short else scoring.STRAIGHT_TOPS
    for window, top in zip(windows, tops, strict=True):
        category[ranks == window] = scoring.STRAIGHT
        nibbles[ranks == window] = scoring.sequence(top, 4 if short else 0)
    return category, nibbles


def _best_of_fewer(cards: int, fewer: NDArray[np.uint16]) -> NDArray[np.uint16]:
    """Return dense scores (orders, places) of hands of `cards` cards, without flushes.

    A hand's score is that of the best hand with one card less; `fewer` has those scores.
    """
    counts, low, high = _MULTISETS[cards]
    best = np.zeros((ORDERS, len(counts)), np.uint16)
    for rank, held in enumerate(np.ascontiguousarray(counts.T)):
        has = np.flatnonzero(held)
        place = LOW.take(low.take(has) + int(LOW_AT[cards - 1]) - int(RANK_LOW[rank]))
        place += HIGH.take(high.take(has) + int(HIGH_AT[cards - 1]) - int(RANK_HIGH[rank]))
        for scores, with_fewer in zip(best, fewer, strict=True):
            scores[has] = np.maximum(scores.take(has), with_fewer.take(place))
    return best


def _five_cards() -> tuple[list[_Ints], NDArray[np.uint16], NDArray[np.uint16]]:
    """Return each ranking's sorted raw scores, and its two tables of dense scores.

    One table is by multiset of five ranks, the other by the mask of a flush's ranks. Every
    class of hand with more cards is also a class of five cards.
    """
    raws, plain = [], np.zeros((ORDERS, len(_COUNTS[5])), np.uint16)
    flushes = np.zeros((ORDERS, 8192), np.uint16)
    unsuited, suited = map(
        _of_five, (_COUNTS[5].astype(np.int64), _FIVE[:, None] >> np.arange(13) & 1)
    )
    for order, numbers in enumerate(_NUMBERS):
        category, nibbles = _count_straights(unsuited, order > 0)
        raw = numbers[category] << 20 | nibbles
        category, nibbles = _count_straights(suited, order > 0)
        kinds = np.where(category > 0, scoring.STRAIGHT_FLUSH, scoring.FLUSH)
        flush = numbers[kinds] << 20 | nibbles
        ordered = np.sort(np.concatenate([np.zeros(1, np.int64), raw, flush]))
        raws.append(ordered[np.diff(ordered, prepend=-1) > 0])  # np.unique would import numpy.ma
        plain[order] = np.searchsorted(raws[-1], raw)
        flushes[order, _FIVE] = np.searchsorted(raws[-1], flush)
    # for a flush of more ranks, take the better of using this rank and not
    for bit in 1 << np.arange(13):
        without = np.where(_MASKS & bit, flushes[:, _MASKS & ~bit], 0)
        flushes = np.maximum(flushes, without)
    return raws, plain, flushes


RAW, _plain, FLUSH = _five_cards()
_dense: Final = [_plain, _best_of_fewer(6, _plain)]
_dense.append(_best_of_fewer(7, _dense[1]))
BASE: Final = np.zeros((ORDERS, MOST_CARDS + 1), np.int64)
BASE[:, 5:] = np.cumsum([0, *[column.shape[1] for column in _dense] * ORDERS])[:-1].reshape(-1, 3)
DENSE: Final = np.concatenate(
    [column[order] for order in range(ORDERS) for column in _dense]
    + [np.zeros(int(HIGH.max()), np.uint16)]  # for places that no hand has, see `_widths`
)

# Category by dense score, and the raw scores as one array, for kernels.
_longest = max(map(len, RAW))
CATEGORY: Final = np.zeros((ORDERS, _longest), np.uint8)
RAW_TABLE: Final = np.zeros((ORDERS, _longest), np.int32)
for _row, _ordered in enumerate(RAW):
    CATEGORY[_row, : len(_ordered)] = _ordered >> 20
    RAW_TABLE[_row, : len(_ordered)] = _ordered

# Rank multisets of 0 to 5 board cards: `MULTI_START[k]` is the row of the first of k cards.
MULTI_START: Final = np.cumsum([0, *map(len, _COUNTS[:6])])


def _codes(counts: _Ints, lowest: int = 0) -> NDArray[np.uint8]:
    """Return `5 * rank + count` for each rank held, in ascending order: (multisets, 5).

    The columns of `counts` begin at rank `lowest`. Rows of the result are padded with 65.
    """
    codes = np.where(counts > 0, 5 * (lowest + np.arange(counts.shape[1])) + counts, 65)
    codes.sort(axis=1)
    return codes[:, :5].astype(np.uint8)


_boards: Final = np.concatenate(_COUNTS[:6])
MULTI_CODES: Final = _codes(_boards)
MULTI_LOW, MULTI_HIGH = (
    np.concatenate([sums[part] for sums in _MULTISETS[:6]]).astype(np.uint16) for part in (1, 2)
)


def _board_parts(
    parts: list[tuple[_Ints, _Ints]], lowest: int
) -> tuple[NDArray[np.uint8], NDArray[np.uint16], _Ints]:
    """Return the `parts` with 0 to 5 cards as codes and key sums, and each size's first row."""
    counts, sums = (np.concatenate(column) for column in zip(*parts[:6], strict=True))
    starts = np.cumsum([0, *(len(part) for part, _ in parts[:6])])
    return _codes(counts, lowest), sums.astype(np.uint16), starts


# A multiset of k board cards is a pair of parts. They are ordered by the number of low cards from 0
# to k, then by low part, then by high part of the other cards.
LOW_PART_CODES, LOW_PART_SUM, LOW_PART_START = _board_parts(_LOW_PARTS, 0)
HIGH_PART_CODES, HIGH_PART_SUM, HIGH_PART_START = _board_parts(_HIGH_PARTS, 6)

# Subsets of 0 to 5 ranks of one suit: mask and key sums; `SUBSET_START[j]` is the first of j ranks.
_by_size: Final = [np.flatnonzero(size == _TOTAL) for size in range(6)]
SUBSET_START: Final = np.cumsum([0, *map(len, _by_size)])
SUBSET_MASK: Final = np.concatenate(_by_size).astype(np.uint16)
_bits: Final = (SUBSET_MASK[:, None] >> np.arange(13)) & 1
SUBSET_LOW: Final = (_bits @ RANK_LOW.astype(np.int64)).astype(np.uint16)
SUBSET_HIGH: Final = (_bits @ RANK_HIGH.astype(np.int64)).astype(np.uint16)

BYTE_KEY: Final = np.concatenate([CARD_KEY, np.full(256 - len(CARD_KEY), WILD_KEY, np.uint64)])
"""The number that each byte, as a card, adds to a key; other bytes than 0 to 51 count as wild."""

SEVEN: Final = np.dtype(
    {
        "names": ["first", "second", "third", "last"],
        "formats": ["<u2", "<u2", "<u2", "u1"],
        "offsets": [0, 2, 4, 6],
        "itemsize": 7,
    }
)
"""Seven bytes, a card each, read as three pairs and the last card."""


_PAIR: Final = np.dtype({"names": ["key"], "formats": ["<u8"], "offsets": [0], "itemsize": 9})


@cache
def pair_keys() -> NDArray[np.void]:
    """Return a table of what a pair of cards adds to a hand's key.

    Its index is the pair's two bytes as one 16-bit number; the last 256 entries are for a
    single card and include `SUIT_COUNTERS`. An entry takes nine bytes. With eight, the rows
    would be 2,048 bytes apart and use only a quarter of the processor's first cache. With nine
    they use all of it, which saves a tenth of the whole time.
    """
    pairs = (BYTE_KEY[:, None] + BYTE_KEY[None, :]).ravel()
    keys = np.zeros(len(pairs) + len(BYTE_KEY), _PAIR)
    keys["key"] = np.concatenate([pairs, BYTE_KEY + np.uint64(SUIT_COUNTERS)])
    return keys
