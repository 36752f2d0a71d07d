"""The tables behind the fast evaluator, built by numpy in milliseconds when first imported.

The kind of a hand without a flush depends on how many cards of each rank it holds. Each rank
gets a number (its key) such that sums of up to seven keys tell which ranks were added. One key set
for all 13 ranks would need sums up to 50 million; two sets, for the six low and the seven high
ranks, need sums up to 10,551 and 43,717, and fit two halves of 32 bits. For hands of `n` cards

    place = LOW[LOW_AT[n] + low sum] + HIGH[HIGH_AT[n] + high sum]

is a perfect index without holes: hands are grouped by how many of their cards are low, `LOW` holds
where the block of that low part starts, `HIGH` the place of the high part inside a block. Adding a
card to a hand is one 64-bit addition, because the card's key also counts its suit: bits 32-47
hold a counter per suit that starts at 3, so its bit 3 says "five or more". A flush of at most
seven cards rules out fours and full houses, so it is looked up by its suit's mask alone.

Scores are dense: `DENSE[BASE[short, n] + place]` and `FLUSH[short, mask]` number the 7,462 classes
of hands in order, from 1, for each of the high rankings (`short` is 0 for high, 1 for short deck,
2 for short deck with threes above straights); `RAW[short][dense]` is the raw score of `ranking`.
Bits 56 and up of a card's key count wild cards, which no table knows.

The same places number the rank multisets of `k` board cards for exact counting
(`kernels.count`), whose keys and counts are in the `MULTI_*` tables.

The greedy keys (each the smallest that keeps sums of seven distinct) follow the idea of
H. R. Lee's and Z. Kekkonen's table evaluators; the split in two is ours.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.odds.showdown import scoring

LOW_KEYS: Final = (1, 5, 24, 112, 521, 2247)
HIGH_KEYS: Final = (1, 5, 24, 112, 521, 2247, 9244)
MOST_CARDS: Final = 7
SUIT_COUNTERS: Final = 0x3333 << 32
WILD_KEY: Final = 1 << 56
_Ints = NDArray[np.int64]


def _parts(keys: tuple[int, ...]) -> list[tuple[_Ints, _Ints]]:
    """For 0 to 7 cards of these ranks: (counts per rank, key sum), one row a multiset."""
    ranks = len(keys)
    # Ranks are added one at a time and multisets of too many cards dropped early.
    counts = np.zeros((1, 0), np.int64)
    for _ in range(ranks):
        grown = np.repeat(counts, 5, axis=0)
        more = np.tile(np.arange(5), len(counts))
        keep = grown.sum(axis=1) + more <= MOST_CARDS
        counts = np.column_stack((grown, more))[keep]
    totals = counts.sum(axis=1)
    rows = [counts[totals == cards] for cards in range(MOST_CARDS + 1)]
    return [(row, row @ np.array(keys)) for row in rows]


def _masks(counts: _Ints, shift: int) -> list[_Ints]:
    """Per row the mask of ranks held at least 1, 2, 3 and 4 times, shifted to its place."""
    weights = 1 << np.arange(counts.shape[1]) + shift
    return [(counts >= least) @ weights for least in range(1, 5)]


_TOP: Final = np.array([mask.bit_length() - 1 for mask in range(8192)])
_TOTAL: Final = np.array([mask.bit_count() for mask in range(8192)])


@cache
def _best_of_masks(cards: int, shift: int) -> tuple[_Ints, _Ints]:
    """`_best` of every mask."""
    mask = np.arange(8192)
    nibbles = np.zeros_like(mask)
    for step in range(cards):
        top = _TOP[mask]
        nibbles |= (top + 1) << (shift - 4 * step)
        mask = np.where(top >= 0, mask & ~(1 << np.maximum(top, 0)), mask)
    return nibbles, mask


def _best(mask: _Ints, cards: int, shift: int) -> tuple[_Ints, _Ints]:
    """The nibbles of the `cards` highest ranks of each mask from bit `shift` down, and the rest."""
    nibbles, rest = _best_of_masks(cards, shift)
    return nibbles[mask], rest[mask]


def _straights(short: bool) -> _Ints:
    """The nibbles of the best straight in every rank mask, 0 where there is none."""
    every = np.arange(8192)
    windows = scoring.SHORT_STRAIGHTS if short else scoring.STRAIGHTS
    tops = scoring.SHORT_TOPS if short else scoring.STRAIGHT_TOPS
    best = np.zeros(8192, np.int64)
    for window, top in zip(reversed(windows), reversed(tops), strict=True):
        best[every & window == window] = scoring.sequence(top, 4 if short else 0)
    return best


def _without_flush(masks: list[_Ints], order: int) -> _Ints:
    """The raw score of each rank multiset (its four `_masks`), flushes apart."""
    ones, twos, threes, fours = masks
    full_house = (scoring.FLUSH if order else scoring.FULL_HOUSE) << 20
    run = _straights(order > 0)[ones]
    raw = _best(ones, 5, 16)[0]

    pair, kickers = _best(twos, 1, 0)
    rest = _best(ones & ~np.where(twos > 0, 1 << _TOP[twos], 0), 3, 8)[0]
    raw = np.where(twos > 0, scoring.PAIR << 20 | pair * 0x11000 | rest, raw)
    second = _best(kickers, 1, 0)[0]
    used = np.where(kickers > 0, 1 << _TOP[twos] | 1 << _TOP[kickers], 0)
    rest = _best(ones & ~used, 1, 0)[0]
    two_pair = scoring.TWO_PAIR << 20 | pair * 0x11000 | second * 0x110 | rest
    raw = np.where(kickers > 0, two_pair, raw)

    three = _best(threes, 1, 0)[0]
    top = np.where(threes > 0, 1 << _TOP[threes], 0)
    rest = _best(ones & ~top, 2, 4)[0]
    three_category, run_category = scoring.THREE, scoring.STRAIGHT
    if order == 2:
        three_category, run_category = run_category, three_category
        raw = np.where(run > 0, run_category << 20 | run, raw)
    raw = np.where(threes > 0, three_category << 20 | three * 0x11100 | rest, raw)
    if order < 2:
        raw = np.where(run > 0, run_category << 20 | run, raw)
    other = twos & ~top
    second = _best(other, 1, 0)[0]
    raw = np.where((threes > 0) & (other > 0), full_house | three * 0x11100 | second * 0x11, raw)

    four = _best(fours, 1, 0)[0]
    rest = _best(ones & ~np.where(fours > 0, 1 << _TOP[fours], 0), 1, 0)[0]
    return np.where(fours > 0, scoring.FOUR << 20 | four * 0x11110 | rest, raw)


def _flushes(short: bool) -> _Ints:
    """The raw score of a flush by its rank mask, 0 for fewer than five ranks."""
    every = np.arange(8192)
    category = (scoring.FULL_HOUSE if short else scoring.FLUSH) << 20
    run = _straights(short)
    raw = np.where(run > 0, scoring.STRAIGHT_FLUSH << 20 | run, category | _best(every, 5, 16)[0])
    return np.where(_TOTAL >= 5, raw, 0)


_LOW_PARTS: Final = _parts(LOW_KEYS)
_HIGH_PARTS: Final = _parts(HIGH_KEYS)


def _widths(keys: tuple[int, ...]) -> list[int]:
    """How many sums 0 to 7 cards can have, whatever they are.

    `kernels.count` looks up places of five cards of a rank too, and drops them; and who has a hand
    scored in which a card stands seven times gets a number, never what lies behind the table.
    """
    return [1 + cards * keys[-1] for cards in range(MOST_CARDS + 1)]


# The rows of LOW and HIGH one after the other: row n begins at LOW_AT[n] and HIGH_AT[n].
LOW_AT: Final = np.cumsum([0, *_widths(LOW_KEYS)], dtype=np.uint64)
HIGH_AT: Final = np.cumsum([0, *_widths(HIGH_KEYS)], dtype=np.uint64)
LOW: Final = np.zeros(int(LOW_AT[-1]), np.uint16)
HIGH: Final = np.zeros(int(HIGH_AT[-1]), np.uint16)


def _index(cards: int) -> list[tuple[int, int]]:
    """Fill the rows of `LOW` and `HIGH` for hands of `cards`; the (low, high) part pairs."""
    start = 0
    pairs = []
    for low_cards in range(cards + 1):
        low_sums = _LOW_PARTS[low_cards][1]
        high_sums = _HIGH_PARTS[cards - low_cards][1]
        LOW[int(LOW_AT[cards]) + low_sums] = start + np.arange(len(low_sums)) * len(high_sums)
        HIGH[int(HIGH_AT[cards]) + high_sums] = np.arange(len(high_sums))
        start += len(low_sums) * len(high_sums)
        pairs.append((low_cards, cards - low_cards))
    return pairs


def _hands(cards: int) -> list[_Ints]:
    """The four masks of every rank multiset of `cards` cards, in the order of their places."""
    blocks = []
    for low_cards, high_cards in _index(cards):
        low = _masks(_LOW_PARTS[low_cards][0], 0)
        high = _masks(_HIGH_PARTS[high_cards][0], len(LOW_KEYS))
        blocks.append([(a[:, None] | b[None, :]).ravel() for a, b in zip(low, high, strict=True)])
    return [np.concatenate(column) for column in zip(*blocks, strict=True)]


_HANDS: Final = [_hands(cards) for cards in range(MOST_CARDS + 1)]
RAW: list[_Ints] = []
ORDERS: Final = 3
BASE: Final = np.zeros((ORDERS, MOST_CARDS + 1), np.int64)
FLUSH: Final = np.zeros((ORDERS, 8192), np.uint16)
_dense: list[NDArray[np.uint16]] = []
_filled = 0
for _order in range(ORDERS):
    _raws = [_without_flush(_HANDS[cards], _order) for cards in (5, 6, 7)]
    _suited = _flushes(_order > 0)
    # Five cards make every class of hand that more cards can make.
    _ordered = np.sort(np.concatenate([np.zeros(1, np.int64), _raws[0], _suited]))
    _ordered = _ordered[np.diff(_ordered, prepend=-1) > 0]  # np.unique would import numpy.ma
    RAW.append(_ordered)
    FLUSH[_order] = np.searchsorted(_ordered, _suited)
    for _cards, _column in zip((5, 6, 7), _raws, strict=True):
        BASE[_order, _cards] = _filled
        _dense.append(np.searchsorted(_ordered, _column).astype(np.uint16))
        _filled += len(_column)
_dense.append(np.zeros(int(HIGH.max()), np.uint16))  # where no hand's place is, see `_widths`
DENSE: Final = np.concatenate(_dense)

# Category by dense score, and the raw scores as one array, for kernels.
_longest = max(map(len, RAW))
CATEGORY: Final = np.zeros((ORDERS, _longest), np.uint8)
RAW_TABLE: Final = np.zeros((ORDERS, _longest), np.int32)
for _row, _ordered in enumerate(RAW):
    CATEGORY[_row, : len(_ordered)] = _ordered >> 20
    RAW_TABLE[_row, : len(_ordered)] = _ordered

# Rank multisets of 0 to 5 board cards: `MULTI_START[k]` is the row of the first of k cards.
MULTI_START: Final = np.cumsum([0, *(len(_HANDS[k][0]) for k in range(6))])
RANK_LOW: Final = np.array([*LOW_KEYS, *[0] * 7], np.uint16)
RANK_HIGH: Final = np.array([*[0] * 6, *HIGH_KEYS], np.uint16)


def _multisets() -> tuple[NDArray[np.uint16], NDArray[np.uint16], NDArray[np.uint8]]:
    """Per row of the board multisets: low key sum, high key sum, and `5 * rank + count` codes.

    A row's codes are padded with 65, whose number of ways is always 1.
    """
    rows = []
    for cards in range(6):
        ones, twos, threes, fours = _HANDS[cards]
        bit = 1 << np.arange(13)
        rows.append(
            sum(
                ((mask[:, None] & bit) > 0).astype(np.int64) for mask in (ones, twos, threes, fours)
            )
        )
    counts = np.concatenate(rows)
    codes = np.where(counts > 0, 5 * np.arange(13) + counts, 65)
    codes.sort(axis=1)
    return (
        (counts @ RANK_LOW.astype(np.int64)).astype(np.uint16),
        (counts @ RANK_HIGH.astype(np.int64)).astype(np.uint16),
        codes[:, :5].astype(np.uint8),
    )


MULTI_LOW, MULTI_HIGH, MULTI_CODES = _multisets()


def _part_codes(parts: list[tuple[_Ints, _Ints]], lowest: int) -> NDArray[np.uint8]:
    """The codes of parts of 0 to 5 board cards, `lowest` being the rank of their first column."""
    counts = np.concatenate([parts[cards][0] for cards in range(6)])
    codes = np.where(counts > 0, 5 * (lowest + np.arange(counts.shape[1])) + counts, 65)
    codes.sort(axis=1)
    return codes[:, :5].astype(np.uint8)


def _part_sums(parts: list[tuple[_Ints, _Ints]]) -> NDArray[np.uint16]:
    return np.concatenate([parts[cards][1] for cards in range(6)]).astype(np.uint16)


def _part_start(parts: list[tuple[_Ints, _Ints]]) -> _Ints:
    return np.cumsum([0, *(len(parts[cards][0]) for cards in range(6))])


# The parts that the multisets of k board cards are pairs of: for each number of low cards from 0 to
# k every low part, and with it every high part of the other cards, in this order.
LOW_PART_CODES, HIGH_PART_CODES = _part_codes(_LOW_PARTS, 0), _part_codes(_HIGH_PARTS, 6)
LOW_PART_SUM, HIGH_PART_SUM = _part_sums(_LOW_PARTS), _part_sums(_HIGH_PARTS)
LOW_PART_START, HIGH_PART_START = _part_start(_LOW_PARTS), _part_start(_HIGH_PARTS)

# Subsets of 0 to 5 ranks of one suit: mask and key sums; `SUBSET_START[j]` is the first of j ranks.
_by_size: Final = [np.flatnonzero(size == _TOTAL) for size in range(6)]
SUBSET_START: Final = np.cumsum([0, *map(len, _by_size)])
SUBSET_MASK: Final = np.concatenate(_by_size).astype(np.uint16)
_bits: Final = (SUBSET_MASK[:, None] >> np.arange(13)) & 1
SUBSET_LOW: Final = (_bits @ RANK_LOW.astype(np.int64)).astype(np.uint16)
SUBSET_HIGH: Final = (_bits @ RANK_HIGH.astype(np.int64)).astype(np.uint16)

CARD_KEY: Final = np.array(
    [
        int(RANK_LOW[card % 13]) | int(RANK_HIGH[card % 13]) << 16 | 1 << 32 + 4 * (card // 13)
        for card in range(52)
    ]
    + [WILD_KEY] * 12,
    np.uint64,
)
"""What each of the 64 cards adds to a hand's key; jokers count as wild."""
BYTE_KEY: Final = np.concatenate([CARD_KEY, np.full(256 - len(CARD_KEY), WILD_KEY, np.uint64)])
"""What a card adds to a hand's key, for every byte: what is no natural card counts as wild."""

SEVEN: Final = np.dtype(
    {
        "names": ["first", "second", "third", "last"],
        "formats": ["<u2", "<u2", "<u2", "u1"],
        "offsets": [0, 2, 4, 6],
        "itemsize": 7,
    }
)
"""Seven bytes, a card each, read as three pairs and the last one."""


_PAIR: Final = np.dtype({"names": ["key"], "formats": ["<u8"], "offsets": [0], "itemsize": 9})


@cache
def pair_keys() -> NDArray[np.void]:
    """What two cards read as one number of 16 bits add to a key, and behind these what one adds.

    The single ones have `SUIT_COUNTERS` in them. Used are 52 places in each of 52 rows of 256. With
    eight bytes a place the rows would be so far apart that all share a quarter of the processor's
    first cache; with nine they lie all over it, which saves a tenth of the whole time.
    """
    pairs = (BYTE_KEY[:, None] + BYTE_KEY[None, :]).ravel()
    keys = np.zeros(len(pairs) + len(BYTE_KEY), _PAIR)
    keys["key"] = np.concatenate([pairs, BYTE_KEY + np.uint64(SUIT_COUNTERS)])
    return keys
