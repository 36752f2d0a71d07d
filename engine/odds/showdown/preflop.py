"""Hold'em before the flop from a table: every matchup of two hands, exactly, without a compiler.

47,008 matchups differ by more than a change of suits or of seats. The tables have each one's boards
won and shared, out of 1,712,304, and how many of them give either hand which kind. They were
counted by `python -m benchmarks.preflop`, are shipped with the package and read when first used; a
test counts some of it anew. `table_sums` answers with them every question of two players and no
card known besides theirs; the sums are those that counting boards gives, which a test compares.

A hand is numbered 0 to 1325 by `combination_index`; a matchup is `1326 * hand + other`, its key the
smallest of those that stand for the same. Files are compressed numbers of 32 bits, lowest byte
first: `preflop.bin` has the keys as differences from the one before, then wins of the first hand,
then ties. `preflop_kinds.bin` has for each matchup how many boards give the first hand a pair, two
pair and so on up to a straight flush (a high card is what is left), then the same for the second
hand, column after column. Rows of the first hands stand in the order of the keys, those of the
second in the order of `1326 * second + first`, so that rows side by side are alike.
"""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import accumulate, combinations
from typing import TYPE_CHECKING, Final

from engine.cards import Cards
from engine.errors import Reason, TextError
from engine.odds.loading import np, shipped
from engine.odds.showdown.omaha_terms import CHANGES
from engine.odds.showdown.range_terms import ORDERS, named
from engine.odds.showdown.ranking import Ranking
from engine.odds.showdown.scenario import Scenario

if TYPE_CHECKING:
    from numpy.typing import NDArray

BOARDS: Final = 1_712_304
HANDS: Final = 1326
MATCHUPS: Final = 47_008
NOWHERE: Final = 2 * MATCHUPS
_SHOWN: Final = 10  # columns of kinds, as the kernels have them
_MOST_SUM: Final = 1 << 62  # of weighed deals
_MANY: Final = 20_000  # pairs of hands


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
        [every[sum([mask << 13 * order[suit] for mask, suit in held])] for order in CHANGES]
    )


@cache
def preflop_table() -> PreflopTable:
    """The table, read once."""
    figures = array("I", shipped(__package__, "preflop.bin"))
    steps, wins, ties = (figures[at : at + MATCHUPS] for at in range(0, 3 * MATCHUPS, MATCHUPS))
    return PreflopTable(array("I", accumulate(steps)), wins, ties)


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
    keys = np.frombuffer(preflop_table().keys, np.uint32).astype(np.int64)
    cards = np.array(list(combinations(range(52), 2)))
    number = np.zeros((52, 52), np.int64)
    number[cards[:, 0], cards[:, 1]] = number[cards[:, 1], cards[:, 0]] = np.arange(HANDS)
    first, second = keys // HANDS, keys % HANDS
    even = np.arange(0, 2 * MATCHUPS, 2, dtype=np.int32)
    found = np.full((HANDS, HANDS), NOWHERE, np.int32)
    for order in CHANGES:
        moved = 13 * np.array(order)[cards // 13] + cards % 13
        to = number[moved[:, 0], moved[:, 1]]
        one, other = to[first], to[second]
        found[other, one] = even + 1
        found[one, other] = even
    return found


@cache
def results() -> NDArray[np.int64]:
    """(2 * 47,008 + 2, 3): boards in all, won and shared by the first hand, by place."""
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
    """Every two of the 169 kinds of hands, in the order of `ORDERS`: 28,561 entries.

    No entry has fewer than one pair: of pairs of the same rank there are two that share no card.
    """
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


KINDS: Final = 9
_COLUMNS: Final = KINDS - 1


@dataclass(frozen=True, slots=True)
class KindsTable:
    """Boards by kind from a pair up: 8 columns one after the other of the first and second hands.

    `row` is the row of each matchup's second hand, in the order of the keys.
    """

    first: array[int]
    second: array[int]
    row: tuple[int, ...]


def rows_of_second(keys: array[int]) -> tuple[int, ...]:
    """Where the second hand of each matchup stands among those of all."""
    second = [key % HANDS for key in keys]
    rows = [0] * len(second)
    # sorting keeps those of the same second hand in the order of the keys, which is by the first
    for row, at in enumerate(sorted(range(len(second)), key=second.__getitem__)):
        rows[at] = row
    return tuple(rows)


@cache
def kinds_table() -> KindsTable:
    """The table, read once."""
    figures = array("I", shipped(__package__, "preflop_kinds.bin"))
    half = _COLUMNS * MATCHUPS
    return KindsTable(figures[:half], figures[half:], rows_of_second(preflop_table().keys))


def kinds_at(place: int) -> list[int]:
    """How many boards give the first hand of a place (`preflop.place_of`) each kind, weakest first.

    Without numpy.
    """
    table = kinds_table()
    at = place >> 1
    column, row = (table.second, table.row[at]) if place & 1 else (table.first, at)
    made = list(column[row::MATCHUPS])
    return [BOARDS - sum(made), *made]


@cache
def kinds_by_place() -> NDArray[np.int32]:
    """(2 * 47,008 + 2, 9): the same for every place; zeros for two hands that share a card."""
    table = kinds_table()
    found = np.zeros((NOWHERE + 2, KINDS), np.int32)
    for start, column in ((0, table.first), (1, table.second)):
        figures = np.frombuffer(column, np.uint32).reshape(_COLUMNS, MATCHUPS)
        found[start:NOWHERE:2, 1:] = (figures[:, list(table.row)] if start else figures).T
    found[:NOWHERE, 0] = BOARDS - found[:NOWHERE, 1:].sum(axis=1)
    return found


@dataclass(frozen=True, slots=True)
class TableSums:
    """Deals, and per player what the kernels' `shares` and `kinds` have."""

    deals: int
    shares: tuple[list[int], ...]
    kinds: tuple[list[int], ...]


def table_sums(scenario: Scenario, ranked: bool) -> TableSums | None:
    """The sums over all deals of `scenario`; None where the tables do not know it.

    Two known hands are looked up without numpy; so are a few pairs of hands, as a hand against
    unknown cards, where numpy is not loaded yet: that takes longer than looking them up. The rest
    adds up the table's rows, each as often as it comes.
    """
    rules = scenario.rules
    if (
        len(scenario.players) != 2
        or scenario.board
        or scenario.dead
        or (rules.private, rules.usable_private, rules.public, rules.usable_public) != (2, 2, 5, 5)
        or rules.ranking is not Ranking.HIGH
        or rules.hi_lo
        or rules.five_possible
    ):
        return None
    one, other = scenario.known
    if len(one) == len(other) == 2:
        return _of_hands(one, other, ranked)
    ones, others = scenario.holdings(0), scenario.holdings(1)
    if "numpy" not in sys.modules and len(ones[0]) * len(others[0]) <= HANDS:
        return _of_few(ones, others, ranked)
    return _of_many(ones, others, ranked)


def _of_hands(one: Cards, other: Cards, ranked: bool) -> TableSums:
    place = place_of(one, other)
    found = matchup_at(place)
    kinds = [0] * _SHOWN, [0] * _SHOWN
    if ranked:
        kinds = [*kinds_at(place), 0], [*kinds_at(place ^ 1), 0]
    return TableSums(BOARDS, ([0, found.win, found.tie], [0, found.lose, found.tie]), kinds)


_Hands = tuple[Sequence[int], Sequence[int]]  # sets of cards, and what each weighs


def _of_few(ones: _Hands, others: _Hands, ranked: bool) -> TableSums:
    often: Counter[int] = Counter()
    for one, weight in zip(*ones, strict=True):
        for other, more in zip(*others, strict=True):
            if not one & other:
                often[place_of(Cards(one), Cards(other))] += weight * more
    win = tie = 0
    kinds = [0] * _SHOWN, [0] * _SHOWN
    for place, times in often.items():
        found = matchup_at(place)
        win += times * found.win
        tie += times * found.tie
        if ranked:
            for own, at in zip(kinds, (place, place ^ 1), strict=True):
                for kind, boards in enumerate(kinds_at(at)):
                    own[kind] += times * boards
    deals = often.total() * BOARDS
    return TableSums(deals, ([0, win, tie], [0, deals - win - tie, tie]), kinds)


def _of_many(ones: _Hands, others: _Hands, ranked: bool) -> TableSums | None:
    every = numbers()
    rows, columns = (np.array([every[bits] for bits in hands]) for hands, _ in (ones, others))
    if sum(ones[1]) * sum(others[1]) * BOARDS > _MOST_SUM:
        return None
    at: NDArray[np.integer] = places()[rows[:, None], columns[None, :]].ravel()
    often = np.outer(np.array(ones[1], np.int64), np.array(others[1], np.int64)).ravel()
    if len(at) > _MANY:  # each place once; sums of weights below 2**53, which floats have exactly
        often = np.bincount(at, often).astype(np.int64)
        at = np.flatnonzero(often)
        often = often[at]
    deals, win, tie = (often @ results()[at]).tolist()
    kinds = [0] * _SHOWN, [0] * _SHOWN
    if ranked:
        made = kinds_by_place()
        kinds = [*(often @ made[at]).tolist(), 0], [*(often @ made[at ^ 1]).tolist(), 0]
    return TableSums(deals, ([0, win, tie], [0, deals - win - tie, tie]), kinds)
