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

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from typing import TYPE_CHECKING, Any, Final, NamedTuple

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
# with so many pairs of hands, look them up in a table of all
_MANY: Final = 10_000


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
    first, second = np.divmod(preflop_table()[0], HANDS)
    even = np.arange(0, 2 * MATCHUPS, 2, dtype=np.int32)
    table_places = np.full((HANDS, HANDS), NOWHERE, np.int32)
    for to in _changed_numbers():
        row, column = to[first], to[second]
        table_places[column, row] = even + 1
        table_places[row, column] = even
    return table_places


def places_of(rows: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return a place that `places` may have for each pair of hands; quicker if there are few.

    The hands are given by number. A matchup that is equivalent to its own swap has two places, with
    the same results.
    """
    keys = preflop_table()[0]
    forth = back = np.full(np.broadcast_shapes(rows.shape, columns.shape), keys[-1] + 1)
    for to in _changed_numbers():
        first, second = to[rows], to[columns]
        forth = np.minimum(forth, HANDS * first + second)
        back = np.minimum(back, HANDS * second + first)
    key = np.minimum(forth, back)
    at = np.minimum(np.searchsorted(keys, key), MATCHUPS - 1)
    return np.where(keys[at] == key, 2 * at + (back < forth), NOWHERE)


@cache
def _changed_numbers() -> NDArray[np.int64]:
    """Return the number that each hand gets, for each permutation of suits: (24, 1326)."""
    cards = np.array(list(combinations(range(52), 2)))
    number = np.zeros((52, 52), np.int64)
    number[cards[:, 0], cards[:, 1]] = number[cards[:, 1], cards[:, 0]] = np.arange(HANDS)
    moved = 13 * np.array(CHANGES)[:, cards // 13] + cards % 13
    changed: NDArray[np.int64] = number[moved[..., 0], moved[..., 1]]
    return changed


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
    combos = _combos_by_kind()
    hands = np.array([hands[0] for hands in combos.values()])
    return _sum_kinds([*combos], places()[hands])


def matchups_of_kind(kind: str) -> dict[tuple[str, str], KindMatchups]:
    """Return the matchups of one kind of hand against each kind, like those of `kind_matchups`."""
    hand = np.array(_combos_by_kind()[kind][:1])
    return _sum_kinds([kind], places_of(hand[:, None], np.arange(HANDS)))


def _sum_kinds(
    kinds: Sequence[str], table_places: NDArray[Any]
) -> dict[tuple[str, str], KindMatchups]:
    """Return the matchups of some kinds of hands against each kind.

    `table_places` has a row for each of these kinds: the places of one of its combos against each
    of the 1326 hands. The other combos have the same sums.
    """
    combos = _combos_by_kind()
    met = results()[table_places[:, np.concatenate([*combos.values()])]]
    starts = np.cumsum([0, *map(len, combos.values())])[:-1]
    times = np.array([len(combos[kind]) for kind in kinds])
    met = np.add.reduceat(met, starts, axis=1) * times[:, None, None]
    boards, win, tie = met.reshape(-1, 3).T.tolist()
    sums = [number // BOARDS for number in boards], win, tie
    return dict(zip(product(kinds, combos), map(KindMatchups, *sums), strict=True))


@cache
def _combos_by_kind() -> dict[str, list[int]]:
    """Return the numbers of the combos of each kind of hand, in the order of `ORDERS`."""
    every = numbers()
    return {kind: [every[hand] for hand in combos_of_kind(kind)] for kind in ORDERS["holdem"]}


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
def _columns_of_second() -> NDArray[np.intp]:
    """Return each matchup's column in the second half of `kinds_table`."""
    columns = np.empty(MATCHUPS, np.intp)
    columns[by_second_hand(preflop_table()[0])] = np.arange(MATCHUPS)
    return columns


def sum_kinds(at: NDArray[np.intp], often: NDArray[np.int64], seat: int) -> NDArray[np.int64]:
    """Return how many boards give each kind of hand to a player, the weakest kind first.

    `at` are places of matchups, `often` says how often each counts, and `seat` which of the two
    hands is meant.
    """
    first, second = kinds_table()
    matchups, is_second = at // 2, at % 2 != seat
    kinds = first[:, matchups[~is_second]] @ often[~is_second]
    kinds += second[:, _columns_of_second()[matchups[is_second]]] @ often[is_second]
    return np.array([BOARDS * often.sum() - kinds.sum(), *kinds])


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
    few = len(rows) * len(columns) < _MANY
    at = places_of(rows[:, None], columns) if few else places()[rows[:, None], columns]
    # the sums are below 2**53, so floats are exact
    times = np.bincount(at.ravel(), np.outer(one_weights, other_weights).ravel(), NOWHERE + 1)
    at = np.flatnonzero(times[:NOWHERE])
    often = times[at].astype(np.int64)
    deals, win, tie = (often @ results()[at]).tolist()
    _, kinds = no_sums(scenario)
    if ranked:
        for seat, of_seat in enumerate(kinds):
            of_seat[:KINDS] = sum_kinds(at, often, seat)
    return Sums(deals, np.array([[0, win, tie], [0, deals - win - tie, tie]]), kinds)
