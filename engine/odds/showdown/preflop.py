"""Two hands of hold'em before the flop, from a table: every matchup, exactly, without a compiler.

47,008 matchups differ by more than a change of suits or of seats. The table has each one's boards
won and shared, out of 1,712,304. It was counted by `python -m benchmarks.preflop`, is shipped with
the package and read when first used; a test counts some of it anew.

A hand is numbered 0 to 1325 by `combination_index`; a matchup is `1326 * hand + other`, its key the
smallest of those that stand for the same. The file is compressed: keys as differences from the one
before, then wins of the first hand, then ties, each an array of 32-bit numbers, lowest byte first.
"""

from __future__ import annotations

import sys
import zlib
from array import array
from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import accumulate, combinations, pairwise, permutations
from pkgutil import get_data
from typing import TYPE_CHECKING, Final

from engine.cards import Cards
from engine.errors import Reason, TextError
from engine.odds.showdown.hand_orders import ORDERS
from engine.odds.showdown.range_terms import named
from engine.odds.showdown.ranking import Ranking

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BOARDS: Final = 1_712_304
HANDS: Final = 1326
MATCHUPS: Final = 47_008
NOWHERE: Final = 2 * MATCHUPS
_FILE: Final = "preflop.bin"
_PERMUTATIONS: Final = tuple(permutations(range(4)))


@dataclass(frozen=True, slots=True)
class Matchup:
    """Of 1,712,304 boards, how many the first hand wins, shares and loses."""

    win: int
    tie: int

    @property
    def lose(self) -> int:
        """The boards that the other hand wins."""
        return BOARDS - self.win - self.tie


@dataclass(frozen=True, slots=True)
class PreflopTable:
    """The keys of all matchups, sorted, with wins of the key's first hand and ties."""

    keys: array[int]
    wins: array[int]
    ties: array[int]


@cache
def numbers() -> dict[int, int]:
    """The number of each hand of two cards, 0 to 1325, by its set of cards: `combination_index`."""
    pairs = combinations(range(52), 2)
    return {1 << one | 1 << other: number for number, (one, other) in enumerate(pairs)}


def hand_number(cards: Cards) -> int:
    """The number of a hand of two cards, 0 to 1325. Raises `TextError` for anything else."""
    number = numbers().get(cards.bits)
    if number is None:
        raise TextError(str(cards), Reason("expected two cards of the 52"), '"AhKd"')
    return number


def key_of(one: Cards, other: Cards) -> tuple[int, bool]:
    """The key of a matchup, and whether it stands for the two hands the other way round."""
    for cards in (one, other):
        hand_number(cards)  # refuses what is none
    firsts, seconds = _numbers_moved(one.bits), _numbers_moved(other.bits)
    key = min([HANDS * first + second for first, second in zip(firsts, seconds, strict=True)])
    back = min([HANDS * second + first for first, second in zip(firsts, seconds, strict=True)])
    return min(key, back), back < key


@cache
def _numbers_moved(bits: int) -> tuple[int, ...]:
    """The numbers of a hand after each of the 24 changes of suits."""
    every = numbers()
    suits = [(bits >> 13 * suit & 0x1FFF, suit) for suit in range(4)]
    held = [(mask, suit) for mask, suit in suits if mask]
    return tuple(
        [every[sum([mask << 13 * order[suit] for mask, suit in held])] for order in _PERMUTATIONS]
    )


@cache
def preflop_table() -> PreflopTable:
    """The table, read once."""
    data = get_data(__package__, _FILE)
    if data is None:
        raise ImportError(f"the package is not whole: {_FILE} cannot be read")
    return unpacked(data)


def packed(table: PreflopTable) -> bytes:
    """The table as the bytes of its file."""
    keys = table.keys
    steps = array("I", [keys[0], *(later - sooner for sooner, later in pairwise(keys))])
    return zlib.compress(b"".join(map(as_bytes, (steps, table.wins, table.ties))), 9)


def unpacked(data: bytes) -> PreflopTable:
    """The table in the bytes of its file."""
    plain = zlib.decompress(data)
    size = len(plain) // 3
    steps, wins, ties = (from_bytes(plain[at : at + size]) for at in range(0, 3 * size, size))
    return PreflopTable(array("I", accumulate(steps)), wins, ties)


def as_bytes(figures: array[int]) -> bytes:
    """Numbers of 32 bits, lowest byte first, as files have them."""
    ordered = array("I", figures)
    if sys.byteorder == "big":  # pragma: no cover (no machine of ours)
        ordered.byteswap()
    return ordered.tobytes()


def from_bytes(data: bytes) -> array[int]:
    """The numbers in the bytes of a file."""
    figures = array("I")
    figures.frombytes(data)
    if sys.byteorder == "big":  # pragma: no cover
        figures.byteswap()
    return figures


def matchup(one: Cards, other: Cards) -> Matchup:
    """How often one hand of hold'em beats another over all boards, before the flop.

    Raises `TextError` unless they are two hands of two different cards each.
    """
    return matchup_at(place_of(one, other))


def matchup_at(place: int) -> Matchup:
    """What the table has at a place."""
    table = preflop_table()
    win, tie = table.wins[place >> 1], table.ties[place >> 1]
    return Matchup(BOARDS - win - tie if place & 1 else win, tie)


def place_of(one: Cards, other: Cards) -> int:
    """Twice the place of a matchup in the table, one more if the table has it turned round.

    Without numpy the place is searched for; where numpy is loaded already all places are laid out
    once. Raises `TextError` as `matchup` does.
    """
    every = numbers()
    first, second = every.get(one.bits), every.get(other.bits)
    if first is None or second is None:
        first, second = hand_number(one), hand_number(other)  # says which is none
    if one.bits & other.bits:
        raise TextError(
            str(one & other),
            Reason("{cards} is in both hands", cards=one & other),
            '"AhKd" and "QcQs"',
        )
    if "numpy" in sys.modules:
        return places().item(first, second)
    key, turned = key_of(one, other)
    return 2 * bisect_left(preflop_table().keys, key) + turned


@cache
def places() -> NDArray[np.int32]:
    """(1326, 1326): what `place_of` says of every two hands, `NOWHERE` if they share a card."""
    import numpy as np

    keys = np.frombuffer(preflop_table().keys, np.uint32).astype(np.int64)
    cards = np.array(list(combinations(range(52), 2)))
    number = np.zeros((52, 52), np.int64)
    number[cards[:, 0], cards[:, 1]] = number[cards[:, 1], cards[:, 0]] = np.arange(HANDS)
    first, second = keys // HANDS, keys % HANDS
    even = np.arange(0, 2 * MATCHUPS, 2, dtype=np.int32)
    found = np.full((HANDS, HANDS), NOWHERE, np.int32)
    for order in _PERMUTATIONS:
        moved = 13 * np.array(order)[cards // 13] + cards % 13
        to = number[moved[:, 0], moved[:, 1]]
        one, other = to[first], to[second]
        found[other, one] = even + 1
        found[one, other] = even
    return found


@cache
def results() -> NDArray[np.int64]:
    """(2 * 47,008 + 2, 3): boards in all, won and shared by the first hand, by place."""
    import numpy as np

    table = preflop_table()
    wins, ties = (np.frombuffer(some, np.uint32) for some in (table.wins, table.ties))
    found = np.zeros((NOWHERE + 2, 3), np.int64)
    found[:NOWHERE, 0] = BOARDS
    found[0:NOWHERE:2, 1], found[1:NOWHERE:2, 1] = wins, BOARDS - wins - ties
    found[0:NOWHERE:2, 2] = found[1:NOWHERE:2, 2] = ties
    return found


@cache
def matchups() -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """(1326, 1326) arrays: boards that the row's hand wins against the column's, and shares.

    Zero where the two have a card in common.
    """
    import numpy as np

    _, win, tie = results().astype(np.int32).T
    return win[places()], tie[places()]


@dataclass(frozen=True, slots=True)
class KindMatchups:
    """Two kinds of hands, such as AKs and QQ, over all their pairs of combos without a common card.

    `pairs` of combos, each over 1,712,304 boards, of which the first kind wins `win` and shares
    `tie`.
    """

    pairs: int
    win: int
    tie: int

    @property
    def lose(self) -> int:
        """The boards that the other kind wins."""
        return self.pairs * BOARDS - self.win - self.tie

    @property
    def value(self) -> Fraction:
        """The first kind's share of the pot."""
        return Fraction(2 * self.win + self.tie, 2 * self.pairs * BOARDS)


@cache
def kind_matchups() -> dict[tuple[str, str], KindMatchups]:
    """Every two of the 169 kinds of hands, in the order of `hand_orders`: 28,561 entries.

    No entry has fewer than one pair: of pairs of the same rank there are two that share no card.
    """
    import numpy as np

    labels = ORDERS[Ranking.HIGH]
    combos = [[hand_number(Cards(hand)) for hand in named(label)] for label in labels]
    chosen = np.zeros((len(labels), HANDS))
    for row, numbers in enumerate(combos):
        chosen[row, numbers] = 1
    win, tie = matchups()
    apart = ((win + tie + win.T) > 0).astype(np.float64)
    # sums of at most 144 numbers of 21 bits: exact as floats, which have a product of matrices
    sums = [(chosen @ table @ chosen.T).astype(np.int64).tolist() for table in (apart, win, tie)]
    return {
        (one, other): KindMatchups(*(table[row][column] for table in sums))
        for row, one in enumerate(labels)
        for column, other in enumerate(labels)
    }
