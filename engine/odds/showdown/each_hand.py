"""The equity of each of a player's hands against the other player's range, as a grid or a curve.

In hold'em and short deck all hands are counted together (`each_hand`). On the flop and later, all
hands are scored on each board. The opponent's hands are sorted by score, with running sums of their
weights, which give the weight that each hand beats. The opponent's hands that share a card with the
hand are subtracted, using sums for each of the 52 cards. Before the flop, the shipped tables have
every matchup.

The grid is the usual 13 x 13: pairs on the diagonal from aces to deuces, suited hands above it,
offsuit hands below. It shows a known hand against each kind of the other player's hands. If neither
hand is known, it shows each kind of the first player's hands against all of the other's.
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
from engine.odds.showdown.range_terms import combos_of_kind
from engine.odds.showdown.ranges import Range
from engine.odds.showdown.ranking import Ranking
from engine.odds.showdown.scenario import NO_HAND_FOR_ALL, RANGES_EXAMPLE, Scenario

if TYPE_CHECKING:
    from numpy.typing import NDArray

_FLOP: Final = 3


@dataclass(frozen=True, slots=True)
class EachHand:
    """Hands as bits, with each hand's weight, wins and deals.

    Each deal counts with the weight of the opponent's hand. `won` counts 2 for a win and 1 for
    a tie. `deals` is 0 if no hand is left for the opponent.
    """

    hands: tuple[int, ...]
    weights: tuple[int, ...]
    won: tuple[int, ...]
    deals: tuple[int, ...]


def knows_each(scenario: Scenario) -> bool:
    """Return whether `each_hand` can compare the hands of this scenario.

    This needs two players, each with a whole hand, a range or unknown cards. The board must have at
    least a flop (hold'em or short deck), or there must be no board and no dead cards (hold'em).
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
    """Compare each hand of player `seat` with all hands of the other player.

    `knows_each` must be true. On the flop and later, `cancelled` is called for every board; if it
    returns true, this raises `ShowdownCancelled`.
    """
    hands, others = (_hands(scenario, player) for player in (seat, 1 - seat))
    sums = (
        _by_boards(scenario, hands, others, cancelled)
        if scenario.board
        else _by_table(hands, others)
    )
    won, deals = (tuple(sums[:, column].tolist()) for column in range(2))
    return EachHand(tuple(hands.bits.tolist()), tuple(hands.weights.tolist()), won, deals)


@dataclass(frozen=True, slots=True)
class _PossibleHands:
    """The hands that a player can hold: as bits and as two card numbers, with their weights."""

    bits: NDArray[np.uint64]
    cards: NDArray[np.intp]
    weights: NDArray[np.int64]


def _hands(scenario: Scenario, seat: int) -> _PossibleHands:
    hands, weights = scenario.holdings(seat)
    pairs = [[card.number for card in Cards(hand)] for hand in hands]
    return _PossibleHands(
        np.array(hands, np.uint64),
        np.sort(np.array(pairs, np.intp).reshape(-1, 2), axis=1),
        np.array(weights, np.int64),
    )


def _by_table(hands: _PossibleHands, others: _PossibleHands) -> NDArray[np.int64]:
    """Look up the `won` and `deals` of `EachHand` for each hand before the flop.

    The shape is (hands, 2).
    """
    numbers = preflop.numbers()
    rows, columns = (
        np.array([numbers[hand] for hand in held.bits.tolist()]) for held in (hands, others)
    )
    sums = np.zeros((len(rows), 2), np.int64)
    for at, row in enumerate(rows):
        deals, win, tie = (others.weights @ preflop.results()[preflop.places()[row, columns]]).T
        sums[at] = 2 * win + tie, deals
    return sums


def _by_boards(
    scenario: Scenario,
    hands: _PossibleHands,
    others: _PossibleHands,
    cancelled: Callable[[], bool] | None,
) -> NDArray[np.int64]:
    """Return each hand's `won` and `deals` (see `EachHand`) against `others`, board by board.

    The shape is (hands, 2).
    """
    board_cards = [card.number for card in scenario.board]
    left = [card.number for card in scenario.left]
    sums = np.zeros((len(hands.bits), 2), np.int64)
    for to_come in combinations(left, scenario.rules.public - len(board_cards)):
        board = [*board_cards, *to_come]
        rows, mine = _scores(hands, board, scenario.rules.ranking)
        columns, theirs = _scores(others, board, scenario.rules.ranking)
        # after compiling, so that compiling doesn't count
        if cancelled is not None and cancelled():
            raise ShowdownCancelled("the computation was cancelled")
        lowest_first = np.argsort(theirs, kind="stable")
        sums[rows] += _count_beaten(
            hands.cards[rows],
            mine,
            others.cards[columns][lowest_first],
            theirs[lowest_first],
            others.weights[columns][lowest_first],
        )
    return sums


def _scores(
    held: _PossibleHands, board: list[int], ranking: Ranking
) -> tuple[NDArray[np.intp], NDArray[np.uint16]]:
    """Return the indexes of the hands that are possible with a board, and their scores on it."""
    on_board = np.uint64(sum(1 << card for card in board))
    places = np.flatnonzero(held.bits & on_board == 0)
    hands = np.empty((len(places), len(board) + 2), np.uint8)
    hands[:, :2], hands[:, 2:] = held.cards[places], board
    return places, evaluate_many(hands, ranking)


def _count_beaten(
    mine: NDArray[np.intp],
    scores: NDArray[np.uint16],
    theirs: NDArray[np.intp],
    sorted_scores: NDArray[np.uint16],
    weights: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Return, on one board, each hand's wins (2 for a win, 1 for a tie) and deals: (hands, 2).

    Wins and deals are multiplied by the weight of the opponent's hand. `mine` and `theirs` have
    the two card numbers of each hand. `theirs`, `sorted_scores` and `weights` are sorted by
    score, lowest first.
    """
    every = np.arange(len(theirs))
    # running weight of hands with each card; in the last column, of all hands
    up_to = np.zeros((len(theirs) + 1, 53), np.int64)
    up_to[every + 1, theirs[:, 0]] = weights
    up_to[every + 1, theirs[:, 1]] = weights
    up_to[1:, 52] = weights
    np.cumsum(up_to, axis=0, out=up_to)
    same = np.zeros((52, 52), np.int64)  # weight of the identical hand, which was subtracted twice
    same[theirs[:, 0], theirs[:, 1]] = weights
    first, second = mine[:, 0], mine[:, 1]

    def below(place: NDArray[np.intp]) -> NDArray[np.int64]:
        weight: NDArray[np.int64] = up_to[place, 52] - up_to[place, first] - up_to[place, second]
        return weight

    won = below(np.searchsorted(sorted_scores, scores, "left"))
    not_lost = below(np.searchsorted(sorted_scores, scores, "right")) + same[first, second]
    deals = below(np.full(len(mine), len(theirs))) + same[first, second]
    return np.stack([won + not_lost, deals], axis=1)


GRID_EXAMPLE: Final = '--game holdem AhKd "QQ+, AKs" --grid'


@dataclass(frozen=True, slots=True)
class GridCell:
    """A kind of hand in a grid.

    `value` is the known hand's share of the pot against this kind. If no hand is known, it is
    the share of this kind itself. It is None if no combo of the kind can be held, or if the
    combos leave the other player no hand. `hands` is the number of the kind's combos that are
    in the range and can be held; `weight` is the sum of their weights.
    """

    label: str
    hands: int
    weight: int
    value: Fraction | None
    exact: bool = True


def grid_labels(lowest: int = 0) -> tuple[tuple[str, ...], ...]:
    """Return the kinds of hands by rows, from aces down to rank number `lowest`."""
    ranks = [RANK_CHARS[rank] for rank in range(12, lowest - 1, -1)]
    return tuple(
        tuple(
            row_rank + column_rank
            if row == column
            else row_rank + column_rank + "s"
            if row < column
            else column_rank + row_rank + "o"
            for column, column_rank in enumerate(ranks)
        )
        for row, row_rank in enumerate(ranks)
    )


def has_grid(scenario: Scenario) -> bool:
    """Return whether the scenario has a `listed_seat`, whose hands a grid can show."""
    return listed_seat(scenario) is not None


def check_grid(scenario: Scenario) -> None:
    """Raise `TextError` unless the scenario has a grid, one board and no condition."""
    scenario.check_no_condition()
    if not has_grid(scenario):
        reason = Reason("a grid needs a two-card hand or a range against a range or unknown cards")
        raise TextError("", reason, GRID_EXAMPLE)


def listed_seat(scenario: Scenario) -> int | None:
    """Return the seat whose hands are listed: the first with a range or an unknown hand.

    None if there is no such seat, if exactly one card of a hand is known, or if the game isn't
    between two players with two hole cards each.
    """
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
    """Return the known hand's equity against each kind of the other player's hands, by rows.

    If neither hand is known, the cells are the kinds of the first player's hands. Raises
    `TextError` as `check_grid` does, and `ShowdownCancelled` if `cancelled` returns true.
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
            label: _count_cell(label, scenario, listed, effort, cancelled)
            for row in labels
            for label in row
        }
    return tuple(tuple(cells[label] for label in row) for row in labels)


def _from_each(
    scenario: Scenario, listed: int, cancelled: Callable[[], bool] | None
) -> dict[str, GridCell]:
    """Return the cells by label, computed with `each_hand`."""
    single = each_hand(scenario, listed, cancelled)
    at = {hand: place for place, hand in enumerate(single.hands)}
    whole = len(scenario.known[1 - listed]) == 2
    cells = {}
    for label in (label for row in grid_labels() for label in row):
        places = [at[hand] for hand in combos_of_kind(label) if hand in at]
        weight = sum(single.weights[place] for place in places)
        won = sum(single.weights[place] * single.won[place] for place in places)
        deals = sum(single.weights[place] * single.deals[place] for place in places)
        value = Fraction(won, 2 * deals) if deals else None
        cell_value = 1 - value if value is not None and whole else value
        cells[label] = GridCell(label, len(places), weight, cell_value)
    return cells


def _count_cell(
    label: str,
    scenario: Scenario,
    listed: int,
    effort: Effort,
    cancelled: Callable[[], bool] | None,
) -> GridCell:
    """Return one cell, computed by `showdown_odds` with this kind of hand in place of the range."""
    held = scenario.players[listed]
    gone = ~scenario.left.bits
    combos = [combo for combo in combos_of_kind(label) if not combo & gone]
    weights: dict[int, int] = {}
    if isinstance(held, Range):
        weights = dict(zip(*scenario.weighted_combos(listed), strict=True))
        combos = [combo for combo in combos if combo in weights]
    if not combos:
        return GridCell(label, 0, 0, None)
    hands = tuple(sorted(combos))
    hand_weights = tuple(weights.get(combo, 1) for combo in hands)
    kind = Range(label, hands, hand_weights if len(set(hand_weights)) > 1 else ())
    players = list(scenario.players)
    players[listed] = kind
    try:
        cell = replace(scenario, players=tuple(players))
        answer = showdown_odds(cell, replace(effort, ranked=False), cancelled=cancelled)
    except TextError:  # with this kind of hand, the other's range has no possible hand
        return GridCell(label, len(hands), sum(hand_weights), None)
    about = 1 - listed if len(scenario.known[1 - listed]) == 2 else listed
    return GridCell(label, len(hands), sum(hand_weights), answer.players[about].value, answer.exact)


CURVE_EXAMPLE: Final = '--game holdem -p "9h 5h 2c" AhKd "QQ+, AKs" --curve'


@dataclass(frozen=True, slots=True)
class EquityCurve:
    """The pot shares of the player in `seat`, by hand.

    With `of_own_hands`, they are the shares of each of this player's hands against all of the other
    player's hands. Otherwise, they are the shares of the player's known hand against each hand of
    the other player. `points` are (share, fraction of hands with at least this share), highest
    share first.
    """

    seat: int
    of_own_hands: bool
    points: tuple[tuple[Fraction, Fraction], ...]

    def at(self, part: Fraction) -> Fraction:
        """Return the highest pot share that at least the fraction `part` of the hands reaches."""
        return next(value for value, reached in self.points if reached >= part)


def has_curve(scenario: Scenario) -> bool:
    """Return whether `equity_curve` can answer.

    `knows_each` must be true, and at least one player must have a range or an unknown hand.
    """
    return listed_seat(scenario) is not None and knows_each(scenario)


def check_curve(scenario: Scenario) -> None:
    """Raise `TextError` unless the scenario has a curve, one board and no condition."""
    scenario.check_no_condition()
    if not has_curve(scenario):
        reason = Reason(
            "an equity curve is for two players, one of them with a range or unknown cards, in"
            " hold'em without dead cards before the flop, or hold'em and short deck after it"
        )
        raise TextError("", reason, CURVE_EXAMPLE)


def equity_curve(scenario: Scenario, cancelled: Callable[[], bool] | None = None) -> EquityCurve:
    """Return the exact curve of the known hand, or of the first player's hands.

    Raises `TextError` as `check_curve` does, or if every pair of the players' hands shares a
    card. Raises `ShowdownCancelled` if `cancelled` returns true.
    """
    check_curve(scenario)
    seat = listed_seat(scenario)
    assert seat is not None
    single = each_hand(scenario, seat, cancelled)
    whole = len(scenario.known[1 - seat]) == 2
    weight_of: dict[Fraction, int] = defaultdict(int)
    for weight, won, deals in zip(single.weights, single.won, single.deals, strict=True):
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
