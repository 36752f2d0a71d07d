"""Hold'em before the flop from a table: every matchup of two hands, exact, without a compiler.

There are 47,008 matchups that differ by more than a permutation of suits or a swap of
seats. For each matchup, the tables have the number of boards that the first hand wins and
the number that tie, out of 1,712,304. They also have the number of boards that give each
hand a pair, two pair and so on. The tables were counted by `python -m benchmarks.preflop`,
are shipped with the package and are read when first used; a test recounts some of them.
`table_sums` uses them for every question of two players without other known cards; a test
compares the sums with counted boards.

A hand is numbered 0 to 1325 by `numbers`; a matchup is `1326 * first + second`, and its key
is the smallest number of all matchups equivalent to it. The files are compressed 32-bit
numbers, lowest byte first. `preflop.bin` has the differences between successive keys, then
the wins of the first hand, then the ties. `preflop_kinds.bin` has for each matchup the
number of boards that give the first hand a pair, two pair and so on up to a straight flush
(the rest give a high card), then the same for the second hand, column after column. Rows of
the first hands are in the order of the keys, those of the second in the order of
`1326 * second + first`, so that neighbouring rows are similar.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.cards import Cards
from engine.errors import Reason, TextError
from engine.odds.loading import np, read_shipped
from engine.odds.showdown.dealing import Sums, is_holdem, no_sums
from engine.odds.showdown.omaha_terms import CHANGES
from engine.odds.showdown.range_terms import ORDERS, combos_of_kind
from engine.odds.showdown.ranking import Ranking
from engine.odds.showdown.scenario import Scenario

if TYPE_CHECKING:
    from numpy.typing import NDArray

BOARDS: Final = 1_712_304
HANDS: Final = 1326
MATCHUPS: Final = 47_008
NOWHERE: Final = 2 * MATCHUPS
KINDS: Final = 9
_MOST_SUM: Final = 1 << 62  # the largest sum of weighted deals
_MANY: Final = 20_000  # with more pairs of hands than this, equal ones are summed first


@dataclass(frozen=True, slots=True)
class Matchup:
    """The result of two hands: of 1,712,304 boards, the first wins `win`, and both share `tie`."""

    win: int
    tie: int

    @property
    def lose(self) -> int:
        """The number of boards on which the other hand wins."""
        return BOARDS - self.win - self.tie


@cache
def numbers() -> dict[int, int]:
    """Return the number, 0 to 1325, of each hand of two cards; the keys are the hands as bits."""
    pairs = combinations(range(52), 2)
    return {1 << first | 1 << second: number for number, (first, second) in enumerate(pairs)}


def hand_number(cards: Cards) -> int:
    """Return the number of a hand of two cards, 0 to 1325.

    Raises `TextError` for any other cards.
    """
    number = numbers().get(cards.bits)
    if number is None:
        raise TextError(str(cards), Reason("expected two cards of the 52"), '"AhKd"')
    return number


@cache
def preflop_table() -> NDArray[np.int64]:
    """Return (3, 47,008): each matchup's key, ascending, the first hand's wins, and the ties."""
    table = np.frombuffer(read_shipped(__package__, "preflop.bin"), "<u4").astype(np.int64)
    table = table.reshape(3, MATCHUPS)
    table[0] = np.cumsum(table[0])
    return table


def matchup(first: Cards, second: Cards) -> Matchup:
    """Return on how many boards the hand `first` beats `second`, and on how many they tie.

    Raises `TextError` if a hand doesn't have two cards, or if the hands share a card.
    """
    row, column = hand_number(first), hand_number(second)
    if first.bits & second.bits:
        raise TextError(
            str(first & second),
            Reason("{cards} is in both hands", cards=first & second),
            '"AhKd" and "QcQs"',
        )
    _, win, tie = results()[places()[row, column]].tolist()
    return Matchup(win, tie)


@cache
def places() -> NDArray[np.int32]:
    """Return twice each matchup's index in the table, plus 1 if its hands are swapped.

    The shape is (1326, 1326); `NOWHERE` for two hands that share a card.
    """
    cards = np.array(list(combinations(range(52), 2)))
    number = np.zeros((52, 52), np.int64)
    number[cards[:, 0], cards[:, 1]] = number[cards[:, 1], cards[:, 0]] = np.arange(HANDS)
    first, second = np.divmod(preflop_table()[0], HANDS)
    even = np.arange(0, 2 * MATCHUPS, 2, dtype=np.int32)
    table_places = np.full((HANDS, HANDS), NOWHERE, np.int32)
    for order in CHANGES:
        moved = 13 * np.array(order)[cards // 13] + cards % 13
        to = number[moved[:, 0], moved[:, 1]]
        row, column = to[first], to[second]
        table_places[column, row] = even + 1
        table_places[row, column] = even
    return table_places


@cache
def results() -> NDArray[np.int64]:
    """Return the numbers of boards: all, won by the first hand, and tied.

    The shape is (2 * 47,008 + 2, 3). Row i is for the value i of `places`. Two hands that share
    a card have only zeros.
    """
    _, wins, ties = preflop_table()
    boards = np.zeros((NOWHERE + 2, 3), np.int64)
    boards[:NOWHERE, 0] = BOARDS
    boards[0:NOWHERE:2, 1], boards[1:NOWHERE:2, 1] = wins, BOARDS - wins - ties
    boards[0:NOWHERE:2, 2] = boards[1:NOWHERE:2, 2] = ties
    return boards


@cache
def matchups() -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return how many boards the row's hand wins against the column's, and how many they share.

    Both arrays have the shape (1326, 1326), with zeros where the two hands share a card.
    """
    _, win, tie = results().astype(np.int32).T
    return win[places()], tie[places()]


class KindMatchups(NamedTuple):
    """Two kinds of hands, such as AKs and QQ, compared over all pairs of their combos.

    The two combos of a pair share no card. There are `pairs` pairs, each with 1,712,304 boards.
    The first kind wins `win` of all these boards, and `tie` boards are ties.
    """

    pairs: int
    win: int
    tie: int

    @property
    def lose(self) -> int:
        """The number of boards on which the other kind wins, summed over all `pairs`."""
        return self.pairs * BOARDS - self.win - self.tie

    @property
    def value(self) -> Fraction:
        """The first kind's share of the pot."""
        return Fraction(2 * self.win + self.tie, 2 * self.pairs * BOARDS)


@cache
def kind_matchups() -> dict[tuple[str, str], KindMatchups]:
    """Return the matchup of each of the 28,561 pairs of kinds of hands, in the order of `ORDERS`.

    Every entry has at least one pair of combos: AA meets AA, for example, as A♠A♥ against A♦A♣.
    """
    labels = ORDERS["holdem"]
    combos = [[hand_number(Cards(hand)) for hand in combos_of_kind(label)] for label in labels]
    order = np.concatenate(combos)
    starts = np.cumsum([0, *map(len, combos)])[:-1]
    win, tie = matchups()
    apart = ((win + tie + win.T) > 0).astype(np.int32)
    sums = []
    for table in (apart, win, tie):  # at most 144 numbers of 21 bits are added up
        rows = np.add.reduceat(table[order], starts)
        sums.append(np.add.reduceat(rows[:, order], starts, axis=1).ravel().tolist())
    return dict(zip(product(labels, labels), map(KindMatchups, *sums), strict=True))


def matchups_of_kind(kind: str) -> dict[tuple[str, str], KindMatchups]:
    """Return the matchups of one kind of hand against each kind, like those of `kind_matchups`."""
    labels = ORDERS["holdem"]
    numbered = numbers()
    combos = [[numbered[hand] for hand in combos_of_kind(label)] for label in labels]
    starts = np.cumsum([0, *map(len, combos)])[:-1]
    pairs = places()[combos[labels.index(kind)]][:, np.concatenate(combos)]
    boards, win, tie = np.add.reduceat(results()[pairs].sum(axis=0), starts).T.tolist()
    sums = [number // BOARDS for number in boards], win, tie
    return dict(zip(product([kind], labels), map(KindMatchups, *sums), strict=True))


@cache
def kinds_table() -> NDArray[np.uint32]:
    """Return how many boards give each kind of hand, from a pair up: (hand, kind, matchup).

    The shape is (2, 8, 47,008). Matchups are in the order of `preflop_table` for first hands, and
    in the order of `by_second_hand` for second hands.
    """
    figures = np.frombuffer(read_shipped(__package__, "preflop_kinds.bin"), "<u4")
    return figures.reshape(2, KINDS - 1, MATCHUPS)


def by_second_hand(keys: NDArray[np.int64]) -> NDArray[np.intp]:
    """Return the indexes that sort matchups by the second hand, then the first.

    `keys`: the matchups in ascending order.
    """
    return np.argsort(keys % HANDS, kind="stable")


@cache
def kinds_by_place() -> NDArray[np.int32]:
    """Return how many boards give each kind of hand to the first hand of each matchup.

    The weakest kind comes first. The shape is (2 * 47,008 + 2, 9), with rows as in `results`.
    """
    first, second = kinds_table()
    boards = np.zeros((NOWHERE + 2, KINDS), np.int32)
    boards[0:NOWHERE:2, 1:] = first.T
    boards[2 * by_second_hand(preflop_table()[0]) + 1, 1:] = second.T
    boards[:NOWHERE, 0] = BOARDS - boards[:NOWHERE, 1:].sum(axis=1)
    return boards


def table_sums(scenario: Scenario, ranked: bool) -> Sums | None:
    """Return the sums over all deals of `scenario`; None if the tables don't cover it.

    None also if the weights of ranges could make the sums overflow. `ranked`: also sum the kinds of
    hands.
    """
    if (
        len(scenario.players) != 2
        or scenario.board
        or scenario.dead
        or not is_holdem(scenario)
        or scenario.rules.ranking is not Ranking.HIGH
    ):
        return None
    (ones, one_weights), (others, other_weights) = scenario.holdings(0), scenario.holdings(1)
    if sum(one_weights) * sum(other_weights) * BOARDS > _MOST_SUM:
        return None
    every = numbers()
    rows, columns = (np.array([every[bits] for bits in hands]) for hands in (ones, others))
    at = places()[rows[:, None], columns].ravel()
    often = np.outer(one_weights, other_weights).ravel()
    if len(at) > _MANY:  # sum equal places first; the sums are below 2**53, so floats are exact
        often = np.bincount(at, often).astype(np.int64)
        at = np.flatnonzero(often)
        often = often[at]
    deals, win, tie = (often @ results()[at]).tolist()
    _, kinds = no_sums(scenario)
    if ranked:
        for seat, of_seat in enumerate(kinds):
            of_seat[:KINDS] = often @ kinds_by_place()[at ^ seat]
    return Sums(deals, np.array([[0, win, tie], [0, deals - win - tie, tie]]), kinds)
