"""Showdowns deal by deal: the arrays for the kernels, and the jobs that run the kernels.

If hands of ranges rarely share a card, every seat draws once, all hands are redrawn on a clash, and
all deals have equal weight.

If hands often share a card, redrawing all of them would take too long. Then they are drawn seat by
seat, with weights: a seat draws some hands of its range and takes the first that shares no card
with earlier seats. The deal's weight is multiplied by the fraction of the drawn hands that fit. On
average, that is the chance of a hand that fits, so the result is not biased, however the seats
block each other. (These are the weights of M. N. and A. W. Rosenbluth, 1955, with an estimate in
place of the count.) If a seat finds no hand, the deal is redrawn.

A hand of little weight may be the only one that leaves the other seats a hand. So half of the hands
of a weighted range are drawn as if all weights were equal, and the deal's weight is multiplied by
the hand's weight over its chance of being drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import ceil, prod
from typing import TYPE_CHECKING, Any, Final

from engine.odds.loading import np
from engine.odds.showdown import compiled
from engine.odds.showdown.evaluator import low_table
from engine.odds.showdown.games import ShowdownRules
from engine.odds.showdown.ranges import Range
from engine.odds.showdown.scenario import Scenario

if TYPE_CHECKING:
    from numpy.typing import NDArray

# draw all hands at once, not seat by seat, if they are disjoint at least this often
FAIR_CHANCE: Final = 0.05
_FITTING: Final = 8  # hands that should fit among the tries of a seat
_MOST_TRIES: Final = 1024
_PILOTS: Final = 512
_PILOT_TRIES: Final = 64
_FRACTION: Final = 2.0**-53


@dataclass(frozen=True, slots=True)
class HandSampler:
    """The hands of all ranges, and how each player draws.

    `chance` is roughly how often no two hands share a card if all are drawn at once. `arrays` are
    arguments of `kernels.deal.sample_deals`; `kernels.lanes` takes some of them:

    - the seats with ranges, in the order in which they draw
    - five arrays with an entry for each player: the index of the range's first hand, the number of
      its hands (0 without a range), the way of drawing, the number of tries, and the weight for
      each try that fits
    - the hands of all ranges, and the running sums of each range's weights (empty if all weights
      are equal)
    """

    chance: float
    arrays: tuple[NDArray[Any], ...]

    @property
    def tries(self) -> int:
        """The number of hands drawn from ranges for each complete deal."""
        _, _, sizes, _, tries, *_ = self.arrays
        return int(tries[sizes > 0].sum())

    @property
    def weighs(self) -> bool:
        """Whether deals have different weights."""
        return self.chance < FAIR_CHANCE


@dataclass(frozen=True, slots=True)
class _Hands:
    """A range's possible hands, and running sums of their weights (None if all are equal)."""

    bits: NDArray[np.uint64]
    sums: NDArray[np.uint64] | None


def hand_sampler(scenario: Scenario) -> HandSampler:
    """Return the sampler for the ranges of `scenario`; equal scenarios get equal samplers."""
    from engine.odds.showdown.kernel_codes import HALVES, WEIGHED

    # by identity of the range: players with the same range share its hands
    by_range: dict[int, _Hands] = {}
    of_seat: dict[int, _Hands] = {}
    for seat, held in enumerate(scenario.players):
        if isinstance(held, Range):
            if id(held) not in by_range:
                by_range[id(held)] = _hands(scenario, seat)
            of_seat[seat] = by_range[id(held)]
    order = sorted(of_seat, key=lambda seat: len(of_seat[seat].bits))
    in_order = [of_seat[seat] for seat in order]
    chance = prod(fits for fits, _ in _pilot(in_order, halves=False))
    pilot = _pilot(in_order, halves=True) if chance < FAIR_CHANCE else [(1.0, 1)] * len(order)
    players = len(scenario.players)
    begins, sizes = np.zeros(players, np.int64), np.zeros(players, np.int64)
    ways, tries = np.zeros(players, np.int64), np.ones(players, np.int64)
    scales = np.ones(players)
    places, at = {}, 0
    for hands in by_range.values():
        places[id(hands)] = at
        at += len(hands.bits)
    for seat, seat_hands, (fits, tried) in zip(order, in_order, pilot, strict=True):
        begins[seat], sizes[seat] = places[id(seat_hands)], len(seat_hands.bits)
        if seat_hands.sums is not None:
            ways[seat] = HALVES if chance < FAIR_CHANCE else WEIGHED
        tries[seat] = tried
        scales[seat] = 1 / (tried * fits)
    none = np.zeros(0, np.uint64)
    combos = np.concatenate([none, *(hands.bits for hands in by_range.values())])
    weighed = [hands.sums if hands.sums is not None else hands.bits for hands in by_range.values()]
    sums = np.concatenate(weighed) if ways.any() else none
    return HandSampler(
        chance, (np.array(order, np.int64), begins, sizes, ways, tries, scales, combos, sums)
    )


def _hands(scenario: Scenario, seat: int) -> _Hands:
    held = scenario.players[seat]
    if not (isinstance(held, Range) and held.weights):
        return _Hands(np.array(scenario.combos(seat), np.uint64), None)
    bits, weights = (np.array(some, np.uint64) for some in scenario.weighted_combos(seat))
    return _Hands(bits, None if (weights == weights[:1]).all() else np.cumsum(weights))


def _tries(fits: float) -> int:
    """Return how many hands to try for a seat if the fraction `fits` of its range is possible.

    The number of tried hands that are possible then has a standard deviation of at most about a
    third of its mean. It may be more if `_MOST_TRIES` limits the number of tries.
    """
    return min(_MOST_TRIES, max(1, ceil(_FITTING * (1 - fits) / fits)))


def _pilot(hands: list[_Hands], *, halves: bool) -> list[tuple[float, int]]:
    """Estimate, for each range, the fraction of hands that fit, and the tries needed.

    A hand fits if it shares no card with the hands drawn before. A few hundred deals are drawn
    in parallel. With `halves`, half of the hands of a weighted range are drawn as if the range
    had no weights. After each range, the deals are resampled in proportion to the number of
    hands that fit them.
    """
    from engine.odds.showdown.kernel_codes import STEP, mix

    counters = np.arange(1, 2 * _PILOTS * _PILOT_TRIES + 1, dtype=np.uint64)
    taken = np.zeros(_PILOTS, np.uint64)
    estimates = []
    for number, seat_hands in enumerate(hands):
        words = mix((counters + np.uint64(number << 32)) * STEP)
        chance, coin = np.split((words >> np.uint64(11)).astype(np.float64) * _FRACTION, 2)
        places = (chance * len(seat_hands.bits)).astype(np.intp)
        if seat_hands.sums is not None:
            by_weight = np.searchsorted(
                seat_hands.sums, chance * float(seat_hands.sums[-1]), side="right"
            )
            places = np.where((coin < 0.5) & halves, places, by_weight)
        drawn = seat_hands.bits[places].reshape(_PILOTS, _PILOT_TRIES)
        free = drawn & taken[:, None] == 0
        fits = float(free.mean())
        if not fits:
            estimates.append((1 / _MOST_TRIES**2, _MOST_TRIES))
            continue
        estimates.append((fits, _tries(fits)))
        fitting = np.cumsum(free.sum(axis=1))
        steps = (np.arange(_PILOTS) + 0.5) / _PILOTS * fitting[-1]
        chosen = np.searchsorted(fitting, steps, side="right")
        taken = taken[chosen] | drawn[chosen, free[chosen].argmax(axis=1)]
    return estimates


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of deals, if they differ: their sum and the sum of their squares.

    `share_squares` and `kind_squares` are sums of squared weights. Their columns are those of
    `shares` and `kinds` in `Sums`.
    """

    total: float
    square: float
    share_squares: NDArray[np.float64]
    kind_squares: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Sums:
    """The sums of one job: deals and, for each player, parts of the pot and kinds of hands.

    `weights` is None if each deal counts as one. `tried` is the number of hands drawn from
    ranges. `orders` is set only for a question about pots: the sums of the deals' weights, and
    of the squared weights, each indexed by the code of the order of all hands.
    """

    deals: int
    shares: NDArray[Any]
    kinds: NDArray[Any]
    weights: Weights | None = None
    tried: int = 0
    orders: tuple[NDArray[Any], NDArray[Any]] | None = None


Job = Callable[[], Sums]
# The most blocks or deals in a job; fewer if each deal has many hands to score.
_BLOCKS_PER_JOB: Final = 32
_DEALS_PER_JOB: Final = 1 << 18
_SCORES_PER_JOB: Final = 1 << 19
_TRIES_PER_SCORE: Final = 4
_TRIED_PER_DEAL: Final = 100  # a job gives up after this many times the expected tries
# takes a second or two, during which a job can't be cancelled
_MOST_TRIED_AT_ONCE: Final = 5_000_000
_KINDS: Final = 10
_COUNTED_SECONDS: Final = 0.05  # about how long a counting job takes


def rows_per_job(seconds: float) -> int:
    """Return how many sets of hole cards one job counts, if each takes about `seconds`."""
    return max(1, int(_COUNTED_SECONDS / seconds))


def table_of(scenario: Scenario) -> tuple[Any, ...]:
    """Return this scenario's arrays for the kernels, as `kernels.deal` describes them."""
    from engine.odds.showdown.kernel_codes import CARD_KEY, WILD_KEY

    rules = scenario.rules
    players = len(scenario.players)
    keys = CARD_KEY.copy()
    bits = np.array([1 << card if card < 52 else 0 for card in range(64)], np.uint64)
    for card in rules.wild:
        keys[card.number] = WILD_KEY
        bits[card.number] = 0
    board = np.zeros(rules.public, np.uint8)
    board[: len(scenario.board)] = [card.number for card in scenario.board]
    holes = np.zeros((players, rules.private), np.uint8)
    held = np.zeros(players, np.int64)
    for seat, cards in enumerate(scenario.known):
        held[seat] = len(cards)
        holes[seat, : len(cards)] = [card.number for card in cards]
    return (
        np.array(sorted(card.number for card in scenario.left), np.uint8),
        board,
        len(scenario.board),
        holes,
        held,
        keys,
        bits,
        _pick_array(rules.hole_picks()),
        _pick_array(rules.board_picks()),
        rules.ranking.code,
        0 if rules.whole_hands else rules.ranking.cards,
        lows_of(rules),
        *_second_board(scenario),
    )


def _second_board(scenario: Scenario) -> tuple[NDArray[np.uint8], int]:
    """Return an array for the second board, filled with its known cards, and their number."""
    if scenario.second is None:
        return np.zeros(0, np.uint8), 0
    board = np.zeros(scenario.rules.public, np.uint8)
    board[: len(scenario.second)] = [card.number for card in scenario.second]
    return board, len(scenario.second)


def lows_of(rules: ShowdownRules) -> NDArray[np.uint16]:
    """Return the table of low hands for kernels; empty if the pot is not split."""
    if not rules.hi_lo:
        return np.zeros(0, np.uint16)
    return low_table(rules.usable_private, rules.usable_public)


def _pick_array(picks: list[tuple[int, ...]]) -> NDArray[np.int64]:
    array = np.zeros((len(picks), 1 + max(map(len, picks))), np.int64)
    for row, places in enumerate(picks):
        array[row, 0] = len(places)
        array[row, 1 : 1 + len(places)] = places
    return array


def columns_of(scenario: Scenario) -> int:
    """Return the number of columns of the kernels' `shares`: one for each way to split the pot."""
    players = len(scenario.players)
    return (players + 1) * (players + 2) if scenario.has_halves else players + 1


def orders_of(scenario: Scenario) -> int:
    """Return the number of codes for the order of all players' hands; 0 if there are no stakes."""
    players = len(scenario.players)
    return int(players**players) if scenario.stakes is not None else 0


def no_sums(scenario: Scenario) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return zeroed `shares` and `kinds` for kernels to add to."""
    players = len(scenario.players)
    shares = np.zeros((players, columns_of(scenario)), np.int64)
    return shares, np.zeros((players, _KINDS), np.int64)


def deal_jobs(scenario: Scenario, deals: int, ranked: bool) -> Iterator[Job]:
    """Yield jobs that together count all `deals` deals of the scenario."""
    table = table_of(scenario)
    size = max(1, min(_DEALS_PER_JOB, _SCORES_PER_JOB // _scores_per_deal(scenario)))
    for first in range(0, deals, size):

        def job(first: int = first, count: int = min(size, deals - first)) -> Sums:
            shares, kinds = no_sums(scenario)
            compiled.enumerate_deals(table, first, count, ranked, shares, kinds)
            return Sums(count, shares, kinds)

        yield job


def sample_jobs(scenario: Scenario, deals: int, seed: int, ranked: bool) -> Iterator[Job]:
    """Yield jobs that together sample `deals` deals; the same arguments give the same deals.

    A job samples fewer deals if too many of its tries give one card to two players.
    """
    from engine.odds.showdown.kernel_codes import PICKS

    drawing = hand_sampler(scenario)
    way = way_to_score(scenario.rules)
    if way == PICKS or drawing.weighs or scenario.is_joint:
        draw, size = _any_dealer(scenario, drawing, ranked)
    else:
        draw, size = _lanes_dealer(scenario, drawing, way, ranked)
    stream = np.uint64(seed & (1 << 64) - 1)
    for first in range(0, deals, size):

        def job(first: int = first, count: int = min(size, deals - first)) -> Sums:
            return draw(stream, first, count)

        yield job


def _scores_per_deal(scenario: Scenario) -> int:
    rules = scenario.rules
    return len(rules.hole_picks()) * len(rules.board_picks()) * len(scenario.players)


def uses_two_three(rules: ShowdownRules) -> bool:
    """Return whether a hand uses exactly two hole cards and three board cards.

    False if no other cards are dealt, and for more than 13 hole cards.
    """
    whole = rules.private == 2 and rules.public == 3
    two_three = rules.usable_private == 2 and rules.usable_public == 3 and rules.private <= 13
    return two_three and not whole


def way_to_score(rules: ShowdownRules) -> int:
    """Return how to score hands under these rules: `PICKS`, `WHOLE`, `DENSE` or `TWO_THREE`."""
    from engine.odds.showdown.kernel_codes import DENSE, PICKS, TWO_THREE, WHOLE

    natural = not (rules.five_possible or rules.ranking.is_low)
    if natural and uses_two_three(rules) and rules.public == 5:
        return TWO_THREE
    one_pick = len(rules.hole_picks()) == len(rules.board_picks()) == 1
    if not one_pick or rules.usable_public < rules.public or rules.usable_private < rules.private:
        return PICKS
    return DENSE if natural and 5 <= rules.private + rules.public <= 7 else WHOLE


def is_holdem(scenario: Scenario) -> bool:
    """Return whether the game is hold'em or short deck, without wild cards or a low half."""
    rules = scenario.rules
    return (
        rules.private == rules.usable_private == 2
        and rules.public == rules.usable_public == 5
        and not rules.five_possible
        and not rules.ranking.is_low
        and not rules.hi_lo
    )


_Dealer = Callable[[Any, int, int], Sums]


def _lanes_dealer(
    scenario: Scenario, drawing: HandSampler, way: int, ranked: bool
) -> tuple[_Dealer, int]:
    """Return a function that samples with `kernels.lanes`, and how many deals a job should have."""
    from engine.odds.showdown.kernel_codes import BLOCK, TWO_THREE

    rules = scenario.rules
    deck, *_, keys, bits = table_of(scenario)[:7]
    last = int(deck[-1]) if len(deck) else -1
    absent = np.delete(np.arange(last + 1, dtype=np.uint8), deck)
    known = np.array([cards.bits for cards in scenario.known], np.uint64)
    order, begins, sizes, ways, _, _, combos, sums = drawing.arrays
    lacks = np.array([rules.private - len(cards) for cards in scenario.known], np.int64)
    missing = np.where(sizes > 0, 0, lacks)
    seats = np.full(len(known), -1)
    seats[order] = np.arange(len(order))
    ranges = order, begins, sizes, ways, combos, _spots(combos, deck, rules.private), sums
    unseen = rules.public - len(scenario.board)
    game = way, rules.ranking.code, rules.private, rules.public, unseen
    board, natural = np.uint64(scenario.board.bits), np.bitwise_or.reduce(bits)
    table = deck, absent, keys, natural, known, missing, seats, ranges, board, game, lows_of(rules)

    def draw(seed: Any, first: int, count: int) -> Sums:
        shares, kinds = no_sums(scenario)
        compiled.sample_in_lanes(*table, seed, first // BLOCK, count, ranked, shares, kinds)
        return Sums(count, shares, kinds)

    # twice as many in Omaha, where each job first fills a large table (`omaha.fill_best`)
    return draw, BLOCK * _BLOCKS_PER_JOB * (2 if way == TWO_THREE else 1)


def _spots(combos: NDArray[np.uint64], deck: NDArray[np.uint8], size: int) -> NDArray[np.uint64]:
    """Return the places in `deck` of each hand's cards: six bits for each of `size` cards."""
    places = np.zeros(64, np.uint64)
    places[deck] = np.arange(len(deck))
    packed, bits = np.zeros_like(combos), combos
    for card in range(size):
        others = bits & bits - np.uint64(1)
        _, above = np.frexp((bits ^ others).astype(np.float64))  # exact for a single bit
        packed |= places[above - 1] << np.uint64(6 * card)
        bits = others
    return packed


def _any_dealer(scenario: Scenario, drawing: HandSampler, ranked: bool) -> tuple[_Dealer, int]:
    """Return a function that samples deals of any game, and how many deals a job should have."""
    from engine.odds.showdown.kernel_codes import BLOCK

    table = table_of(scenario)
    tries = drawing.tries
    fitting = max(1, _SCORES_PER_JOB // (_scores_per_deal(scenario) + tries // _TRIES_PER_SCORE))
    block = min(BLOCK, fitting)
    shape, codes = (len(scenario.players), columns_of(scenario)), orders_of(scenario)

    def draw(seed: Any, first: int, count: int) -> Sums:
        shares, share_squares = np.zeros(shape), np.zeros(shape)
        kinds, kind_squares = np.zeros((shape[0], _KINDS)), np.zeros((shape[0], _KINDS))
        orders, order_squares = np.zeros(codes), np.zeros(codes)
        most = min(count * _TRIED_PER_DEAL * max(tries, 1), _MOST_TRIED_AT_ONCE)
        inputs = table, drawing.arrays, seed, first, count, block, most, ranked, drawing.weighs
        deals, tried, total, square = compiled.sample_deals(
            *inputs, shares, kinds, share_squares, kind_squares, orders, order_squares
        )
        by_order = (orders, order_squares) if codes else None
        if drawing.weighs:
            weights = Weights(total, square, share_squares, kind_squares)
            return Sums(deals, shares, kinds, weights, tried, by_order)
        return Sums(deals, shares.astype(np.int64), kinds.astype(np.int64), None, tried, by_order)

    return draw, block * max(1, min(_BLOCKS_PER_JOB, fitting // block))
