"""A player's hands one by one: each against all that the other may hold, as a grid and as a curve.

In hold'em and short deck all are counted together (`each_hand`). On the flop and later all hands
are scored on each board; one sorted list of the opponent's hands, with sums of weights from the
lowest up, then says of every hand at once how much it beats. Of such a sum the opponent's hands
that hold one of the same cards are taken out, which sums for each of the 52 cards tell. Before the
flop the tables know every matchup.

The grid is the 13 x 13 one that players know: pairs on the diagonal from aces to deuces, suited
hands above it, offsuit ones below. A known hand is shown against each kind of the other player's
hands; where neither is known, each kind of the first player's against all of the other's.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Final

from engine.cards import RANK_CHARS, Cards
from engine.errors import Reason, TextError
from engine.odds.loading import np
from engine.odds.showdown import preflop
from engine.odds.showdown.dealing import is_holdem
from engine.odds.showdown.equity import Effort, ShowdownCancelled, showdown_odds
from engine.odds.showdown.evaluator import evaluate_many
from engine.odds.showdown.range_terms import named
from engine.odds.showdown.ranges import Range
from engine.odds.showdown.ranking import Ranking
from engine.odds.showdown.scenario import NO_HAND_FOR_ALL, RANGES_EXAMPLE, Scenario

if TYPE_CHECKING:
    from numpy.typing import NDArray

_FLOP: Final = 3


@dataclass(frozen=True, slots=True)
class EachHand:
    """Hands as bits, what each weighs, and its deals, of which `won` twice counts what it wins.

    A deal weighs as much as the opponent's hand; a tie is half won, so `won` has 2 for a win and 1
    for a tie. `deals` is 0 where the hand leaves the opponent none.
    """

    hands: tuple[int, ...]
    weights: tuple[int, ...]
    won: tuple[int, ...]
    deals: tuple[int, ...]


def knows_each(scenario: Scenario) -> bool:
    """Whether two players of hold'em or short deck have a flop, or no card but theirs is known.

    Each holds a whole hand, a range, or cards that are all unknown.
    """
    if len(scenario.players) != 2 or not is_holdem(scenario):
        return False
    if any(not isinstance(held, Range) and len(held) == 1 for held in scenario.players):
        return False
    if scenario.board:
        return len(scenario.board) >= _FLOP
    return scenario.rules.ranking is Ranking.HIGH and not scenario.dead


def each_hand(
    scenario: Scenario, seat: int, cancelled: Callable[[], bool] | None = None
) -> EachHand:
    """Each hand of the player in `seat` against the other's, where `knows_each` says so.

    `cancelled` is asked for every board, and raises `ShowdownCancelled` here if true.
    """
    own, other = (_held(scenario, one) for one in (seat, 1 - seat))
    sums = _by_boards(scenario, own, other, cancelled) if scenario.board else _by_table(own, other)
    won, deals = (tuple(sums[:, column].tolist()) for column in range(2))
    return EachHand(tuple(own.bits.tolist()), tuple(own.weights.tolist()), won, deals)


@dataclass(frozen=True, slots=True)
class _Held:
    """The hands that a player can hold: as bits, as the numbers of both cards, with weights."""

    bits: NDArray[np.uint64]
    cards: NDArray[np.intp]
    weights: NDArray[np.int64]


def _held(scenario: Scenario, seat: int) -> _Held:
    hands, weights = scenario.holdings(seat)
    pairs = [[card.number for card in Cards(hand)] for hand in hands]
    return _Held(
        np.array(hands, np.uint64),
        np.sort(np.array(pairs, np.intp).reshape(-1, 2), axis=1),
        np.array(weights, np.int64),
    )


def _by_table(own: _Held, other: _Held) -> NDArray[np.int64]:
    """(hands, won and deals), of tables of matchups before the flop."""
    numbers = preflop.numbers()
    rows, columns = (
        np.array([numbers[hand] for hand in one.bits.tolist()]) for one in (own, other)
    )
    sums = np.zeros((len(rows), 2), np.int64)
    for at, row in enumerate(rows):
        deals, win, tie = (other.weights @ preflop.results()[preflop.places()[row, columns]]).T
        sums[at] = 2 * win + tie, deals
    return sums


def _by_boards(
    scenario: Scenario, own: _Held, other: _Held, cancelled: Callable[[], bool] | None
) -> NDArray[np.int64]:
    """(hands, won and deals), of each hand of `own` against `other`, board by board."""
    shown = [card.number for card in scenario.board]
    left = [card.number for card in scenario.left]
    sums = np.zeros((len(own.bits), 2), np.int64)
    for to_come in combinations(left, scenario.rules.public - len(shown)):
        board = [*shown, *to_come]
        rows, mine = _scores(own, board, scenario.rules.ranking)
        columns, theirs = _scores(other, board, scenario.rules.ranking)
        if cancelled is not None and cancelled():  # behind what is compiled: time begins here
            raise ShowdownCancelled("the computation was cancelled")
        lowest_first = np.argsort(theirs, kind="stable")
        sums[rows] += _beaten(
            own.cards[rows],
            mine,
            other.cards[columns][lowest_first],
            theirs[lowest_first],
            other.weights[columns][lowest_first],
        )
    return sums


def _scores(
    held: _Held, board: list[int], ranking: Ranking
) -> tuple[NDArray[np.intp], NDArray[np.uint16]]:
    """The places of the hands that a board leaves, and their scores on it."""
    on_board = np.uint64(sum(1 << card for card in board))
    places = np.flatnonzero(held.bits & on_board == 0)
    hands = np.empty((len(places), len(board) + 2), np.uint8)
    hands[:, :2], hands[:, 2:] = held.cards[places], board
    return places, evaluate_many(hands, ranking)


def _beaten(
    mine: NDArray[np.intp],
    scores: NDArray[np.uint16],
    theirs: NDArray[np.intp],
    sorted_scores: NDArray[np.uint16],
    weights: NDArray[np.int64],
) -> NDArray[np.int64]:
    """(hands, won and deals) on one board, against hands from the lowest score up."""
    every = np.arange(len(theirs))
    up_to = np.zeros((len(theirs) + 1, 53), np.int64)  # of hands with each card; last: of all
    up_to[every + 1, theirs[:, 0]] = weights
    up_to[every + 1, theirs[:, 1]] = weights
    up_to[1:, 52] = weights
    np.cumsum(up_to, axis=0, out=up_to)
    same = np.zeros((52, 52), np.int64)  # what the very same hand weighs, taken out twice
    same[theirs[:, 0], theirs[:, 1]] = weights
    one, other = mine[:, 0], mine[:, 1]

    def below(place: NDArray[np.intp]) -> NDArray[np.int64]:
        found: NDArray[np.int64] = up_to[place, 52] - up_to[place, one] - up_to[place, other]
        return found

    won = below(np.searchsorted(sorted_scores, scores, "left"))
    not_lost = below(np.searchsorted(sorted_scores, scores, "right")) + same[one, other]
    deals = below(np.full(len(mine), len(theirs))) + same[one, other]
    return np.stack([won + not_lost, deals], axis=1)


GRID_EXAMPLE: Final = '--game holdem AhKd "QQ+, AKs" --grid'


@dataclass(frozen=True, slots=True)
class GridCell:
    """One kind of hands, and what the pot is worth to the player whom the grid is about.

    `hands` are the combos of the kind that are in the range and can be held, `weight` the sum of
    what they weigh; `value` is None if there are none.
    """

    label: str
    hands: int
    weight: int
    value: Fraction | None
    exact: bool = True


def grid_labels(lowest: int = 0) -> tuple[tuple[str, ...], ...]:
    """The kinds of hands by rows, ranks from aces down to number `lowest`."""
    ranks = [RANK_CHARS[rank] for rank in range(12, lowest - 1, -1)]
    return tuple(
        tuple(
            one + other
            if row == column
            else one + other + "s"
            if row < column
            else other + one + "o"
            for column, other in enumerate(ranks)
        )
        for row, one in enumerate(ranks)
    )


def has_grid(scenario: Scenario) -> bool:
    """Whether it is hands of two cards, of two players of whom one has a range or unknown cards."""
    return listed_seat(scenario) is not None


def check_grid(scenario: Scenario) -> None:
    """Raise `TextError` where there is no grid."""
    if not has_grid(scenario):
        reason = Reason("a grid needs a two-card hand or a range against a range or unknown cards")
        raise TextError("", reason, GRID_EXAMPLE)


def listed_seat(scenario: Scenario) -> int | None:
    """Whose hands are listed: those of whose hand nothing is known, the first where both are."""
    if scenario.rules.private != 2 or len(scenario.players) != 2:
        return None
    known = [len(cards) for cards in scenario.known]
    if 1 in known or 0 not in known:
        return None
    return known.index(0)


def hand_grid(
    scenario: Scenario,
    effort: Effort = Effort(),
    cancelled: Callable[[], bool] | None = None,
) -> tuple[tuple[GridCell, ...], ...]:
    """The known hand against each kind of the other's, or each kind of the first player's hands.

    By rows. Raises `TextError` unless two players hold two cards each, of which one has a range or
    cards that are unknown, and the other the same or a whole hand.
    """
    check_grid(scenario)
    listed = listed_seat(scenario)
    assert listed is not None
    lowest = 4 if scenario.rules.ranking.is_short else 0
    labels = grid_labels(lowest)
    if knows_each(scenario):
        cells = _from_each(scenario, listed, cancelled)
    else:
        cells = {
            label: _counted(label, scenario, listed, effort, cancelled)
            for row in labels
            for label in row
        }
    return tuple(tuple(cells[label] for label in row) for row in labels)


def _from_each(
    scenario: Scenario, listed: int, cancelled: Callable[[], bool] | None
) -> dict[str, GridCell]:
    """Every cell at once, of single hands."""
    found = each_hand(scenario, listed, cancelled)
    at = {hand: place for place, hand in enumerate(found.hands)}
    whole = len(scenario.known[1 - listed]) == 2
    cells = {}
    for label in (label for row in grid_labels() for label in row):
        places = [at[hand] for hand in named(label) if hand in at]
        weight = sum(found.weights[place] for place in places)
        won = sum(found.weights[place] * found.won[place] for place in places)
        deals = sum(found.weights[place] * found.deals[place] for place in places)
        value = Fraction(won, 2 * deals) if deals else None
        shown = 1 - value if value is not None and whole else value
        cells[label] = GridCell(label, len(places), weight, shown)
    return cells


def _counted(
    label: str,
    scenario: Scenario,
    listed: int,
    effort: Effort,
    cancelled: Callable[[], bool] | None,
) -> GridCell:
    """One cell as a question of its own."""
    held = scenario.players[listed]
    gone = ~scenario.left.bits
    combos = [combo for combo in named(label) if not combo & gone]
    weights: dict[int, int] = {}
    if isinstance(held, Range):
        weights = dict(zip(*scenario.weighed(listed), strict=True))
        combos = [combo for combo in combos if combo in weights]
    if not combos:
        return GridCell(label, 0, 0, None)
    own = tuple(sorted(combos))
    weighed = tuple(weights.get(combo, 1) for combo in own)
    kind = Range(label, own, weighed if len(set(weighed)) > 1 else ())
    players = list(scenario.players)
    players[listed] = kind
    try:
        one = replace(scenario, players=tuple(players))
        answer = showdown_odds(one, replace(effort, ranked=False), cancelled=cancelled)
    except TextError:  # the kind leaves the other's range no hand
        return GridCell(label, len(own), sum(weighed), None)
    about = 1 - listed if len(scenario.known[1 - listed]) == 2 else listed
    return GridCell(label, len(own), sum(weighed), answer.players[about].value, answer.exact)


CURVE_EXAMPLE: Final = '--game holdem -p "9h 5h 2c" AhKd "QQ+, AKs" --curve'


@dataclass(frozen=True, slots=True)
class EquityCurve:
    """Shares of the pot from the highest down, each with the part of hands that have as much.

    Of a known hand it is its own share, by the hands it may meet; of a range the share that each
    of its hands has against all the other player's. `seat` is whose share it is.
    """

    seat: int
    of_own_hands: bool
    points: tuple[tuple[Fraction, Fraction], ...]

    def at(self, part: Fraction) -> Fraction:
        """The share of the pot that is had with at least that part of the hands."""
        return next(value for value, reached in self.points if reached >= part)


def has_curve(scenario: Scenario) -> bool:
    """Whether it is hold'em or short deck with something open between two players."""
    return listed_seat(scenario) is not None and knows_each(scenario)


def check_curve(scenario: Scenario) -> None:
    """Raise `TextError` where there is no curve."""
    if not has_curve(scenario):
        reason = Reason(
            "an equity curve is for two players, one of them with a range or unknown cards, in"
            " hold'em without dead cards before the flop, or hold'em and short deck after it"
        )
        raise TextError("", reason, CURVE_EXAMPLE)


def equity_curve(scenario: Scenario, cancelled: Callable[[], bool] | None = None) -> EquityCurve:
    """The curve of the known hand, or of the first player's where neither is known; exact.

    Raises `TextError` where there is none.
    """
    check_curve(scenario)
    seat = listed_seat(scenario)
    assert seat is not None
    found = each_hand(scenario, seat, cancelled)
    whole = len(scenario.known[1 - seat]) == 2
    weight_of: dict[Fraction, int] = defaultdict(int)
    for weight, won, deals in zip(found.weights, found.won, found.deals, strict=True):
        if deals:
            value = Fraction(won, 2 * deals)
            weight_of[1 - value if whole else value] += weight
    total = sum(weight_of.values())
    if not total:
        raise TextError("", NO_HAND_FOR_ALL, RANGES_EXAMPLE)
    reached = 0
    points = []
    for value in sorted(weight_of, reverse=True):
        reached += weight_of[value]
        points.append((value, Fraction(reached, total)))
    return EquityCurve(1 - seat if whole else seat, not whole, tuple(points))
