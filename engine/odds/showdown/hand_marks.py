"""Find the made hands and draws of many hands on a board, or of a hand on many boards.

Every hand is in one class of `Made` and has any number of `Draw`s, which docs/showdown.md defines.
Many are classified at once, with numpy. In this module, a pair is any two hole cards, whatever
their ranks. A hand of hold'em is one pair. An Omaha hand consists of several: its class is that of
its best pair, and it has the draws of all of them. So each of at most 1,176 pairs is classified
once, however many hands there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, Final

from engine.cards import rank_bits
from engine.odds.loading import np
from engine.odds.showdown.made_hands import Draw, Made, made_order
from engine.odds.showdown.scenario import Scenario

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Booleans = NDArray[np.bool_]
    Numbers = NDArray[np.intp]

_SUIT: Final = 0x1FFF
_ACE: Final = 12
_FLOP: Final = 3
_GOOD_KICKERS: Final = 3
DRAWS: Final = tuple(Draw)
_BIT: Final = {draw: 1 << place for place, draw in enumerate(DRAWS)}
_BLOCK: Final = 1 << 15  # hands to classify at once: as many as fit in a core's cache


@dataclass(frozen=True, slots=True)
class Marks:
    """The class (an index in `made_order`) and draws (bits of `DRAWS`) of each hand or board."""

    classes: NDArray[np.int8]
    draws: NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class _Street:
    """Boards, the cards that can still come, and the cards that no player can hold.

    There is one board for many hands, or there are many boards for one hand.
    """

    board: Numbers  # card numbers, (cards, boards)
    order: tuple[Made, ...]
    windows: tuple[int, ...]  # the ranks of each straight, the lowest straight first
    omaha: bool
    left: NDArray[np.uint64]  # cards that can still come, as bits, including those of the hand
    gone: NDArray[np.uint64]  # the cards that no player can hold

    @property
    def live_ranks(self) -> NDArray[np.uint16]:
        """The ranks with at least one card left, as 13 bits, for each board."""
        of_suit = [self.left >> np.uint64(13 * suit) & np.uint64(_SUIT) for suit in range(4)]
        ranks: NDArray[np.uint16] = np.bitwise_or.reduce(of_suit).astype(np.uint16)
        return ranks

    @property
    def board_ranks(self) -> NDArray[np.uint16]:
        """The ranks on each board, as 13 bits."""
        ranks: NDArray[np.uint16] = np.bitwise_or.reduce(
            np.uint16(1) << (self.board % 13).astype(np.uint16)
        )
        return ranks


@dataclass(frozen=True, slots=True)
class _Pairs:
    """The class, straight draws and overcards of each pair of hole cards, or of each whole hand.

    A whole hand has the best class and all draws of its pairs.
    """

    classes: NDArray[np.int8]
    ranks: NDArray[np.uint16]  # ranks of which one more card makes a straight
    backdoor: Booleans  # whether two more ranks make a straight with both cards
    over: Booleans  # whether both cards are overcards
    at: Numbers  # the index of each pair, by 52 * lower card + higher card


def marks(hands: NDArray[np.uint64], scenario: Scenario, left: int | None = None) -> Marks:
    """Return the class and the draws of each of `hands` (bits) on the board of `scenario`.

    `left` are the cards that may still come or are in these hands, as bits; by default
    `scenario.left`.
    """
    board = np.array([card.number for card in scenario.board])[:, None]
    left = scenario.left.bits if left is None else left
    street = _street(scenario, board, np.array([left], np.uint64))
    private = scenario.rules.private
    every = _marks_of_pairs(street)
    starts = range(0, max(1, len(hands)), _BLOCK)
    blocks = [_marks(hands[at : at + _BLOCK], private, street, every) for at in starts]
    return Marks(
        np.concatenate([block.classes for block in blocks]),
        np.concatenate([block.draws for block in blocks]),
    )


def marks_of_boards(
    hand: int, scenario: Scenario, boards: Numbers, left: NDArray[np.uint64]
) -> Marks:
    """Return the class and the draws of a hand of two cards on each of `boards`.

    `boards` has shape (cards, boards). `left`: for each board, the cards that may still come and
    the hand's own cards, as bits.
    """
    street = _street(scenario, boards, left)
    return _marks(np.array([hand], np.uint64), 2, street, _marks_of_pairs(street))


def _marks_of_pairs(street: _Street) -> Callable[[int], _Pairs]:
    """Return a cached function for Omaha: from live ranks (bits) to the `_Pairs` of all pairs."""
    return cache(lambda live: _of_pairs(*_every_pair(street), street, np.array([live], np.uint16)))


def _marks(
    hands: NDArray[np.uint64], private: int, street: _Street, every: Callable[[int], _Pairs]
) -> Marks:
    """Return the class and draws of each hand; `every` is what `_marks_of_pairs` returns."""
    columns = _columns(hands, private)
    if not street.omaha:
        pairs = _of_pairs(columns[0], columns[1], street, street.live_ranks)
    else:
        live = int(street.live_ranks[0])
        pairs = _best_of(columns, every(live))
        for rank_mask, some in _exhausted_ranks(hands, street, private):
            less = _best_of(columns[:, some], every(live & ~rank_mask))
            pairs.ranks[some], pairs.backdoor[some] = less.ranks, less.backdoor
    draws = np.zeros(len(pairs.classes), np.uint16)
    at = {kind: place for place, kind in enumerate(street.order)}

    def mark(draw: Draw, has: Booleans) -> None:
        draws[has] |= np.uint16(_BIT[draw])

    flush, nuts, runner = _flush_draws(hands, street)
    below = pairs.classes > at[Made.FLUSH]
    mark(Draw.FLUSH, flush & below)
    mark(Draw.NUT_FLUSH, nuts & below)
    outs = np.bitwise_count(pairs.ranks)
    outs[pairs.classes <= at[Made.STRAIGHT]] = 0
    mark(Draw.WRAP, outs > 2)
    mark(Draw.OPEN_ENDED, outs == 2)
    mark(Draw.GUTSHOT, outs == 1)
    mark(Draw.COMBO, flush & below & (outs > 0))
    mark(Draw.OVERCARDS, pairs.over & (pairs.classes >= at[Made.ACE_HIGH]))
    if len(street.board) == _FLOP:
        mark(Draw.BACKDOOR_FLUSH, runner & ~flush & below)
        further = pairs.backdoor & (outs == 0) & (pairs.classes > at[Made.STRAIGHT])
        mark(Draw.BACKDOOR_STRAIGHT, further)
    return Marks(pairs.classes, draws)


def _street(scenario: Scenario, board: Numbers, left: NDArray[np.uint64]) -> _Street:
    bits = np.bitwise_or.reduce(np.uint64(1) << board.astype(np.uint64))
    rules = scenario.rules
    lowest = 4 if rules.ranking.is_short else 0
    wheel = 1 << _ACE | 0b1111 << lowest
    return _Street(
        board,
        made_order(rules.ranking),
        (wheel, *(0b11111 << low for low in range(lowest, 9))),
        rules.private > 2,
        left,
        bits | np.uint64(scenario.dead.bits),
    )


def _columns(hands: NDArray[np.uint64], private: int) -> Numbers:
    """Return the card numbers of each hand, in ascending order: (cards, hands)."""
    numbers = np.empty((private, len(hands)), np.intp)
    left = hands.copy()
    for column in numbers:
        lowest = left & (~left + np.uint64(1))
        column[:] = np.bitwise_count(lowest - np.uint64(1))
        left ^= lowest
    return numbers


def _every_pair(street: _Street) -> tuple[Numbers, Numbers]:
    """Return the lower and the higher card of every pair of cards that are not on the board."""
    cards = np.setdiff1d(np.arange(52), street.board[:, 0])
    lower, higher = (cards[side] for side in np.triu_indices(len(cards), 1))
    return lower, higher


def _best_of(columns: Numbers, pairs: _Pairs) -> _Pairs:
    """Return the best class and all draws among the pairs of cards in each hand."""
    first, *others = (pairs.at[52 * lower + higher] for lower, higher in combinations(columns, 2))
    classes, ranks = pairs.classes[first], pairs.ranks[first]
    backdoor, over = pairs.backdoor[first], pairs.over[first]
    for pair in others:
        np.minimum(classes, pairs.classes[pair], out=classes)
        ranks |= pairs.ranks[pair]
        backdoor |= pairs.backdoor[pair]
        over |= pairs.over[pair]
    return _Pairs(classes, ranks, backdoor, over, pairs.at)


def _exhausted_ranks(
    hands: NDArray[np.uint64], street: _Street, private: int
) -> Iterator[tuple[int, Numbers]]:
    """Yield each set of exhausted ranks (bits) and the indexes of the hands that exhaust it.

    A hand exhausts a rank if it holds all the rank's cards in `street.left`. A rank with more
    than `private - 2` cards left is skipped: every pair of a hand that exhausts it includes one
    of its cards.
    """
    gone = np.zeros(len(hands), np.uint16)
    for rank in range(13):
        left = int(street.left[0]) & rank_bits(rank)
        if 0 < left.bit_count() <= private - 2:
            gone[hands & np.uint64(left) == np.uint64(left)] |= np.uint16(1 << rank)
    for mask in np.unique(gone[gone > 0]):
        yield int(mask), np.flatnonzero(gone == mask)


def _flush_draws(hands: NDArray[np.uint64], street: _Street) -> tuple[Booleans, Booleans, Booleans]:
    """Return which hands have a flush draw, a nut flush draw and a backdoor flush draw."""
    flush, nuts, runner = np.zeros(
        (3, *np.broadcast_shapes(hands.shape, street.left.shape)), np.bool_
    )
    for suit in range(4):
        shift, ranks = np.uint64(13 * suit), np.uint64(_SUIT)
        on_board = (street.board // 13 == suit).sum(axis=0)
        held = np.bitwise_count(hands >> shift & ranks).astype(np.intp)
        if street.omaha:  # a hand uses two hole cards and three board cards
            held_needed, lacking = 2, 3 - on_board
        else:
            held_needed, lacking = 1, 5 - on_board - held
        to_come = np.bitwise_count(street.left >> shift & ranks).astype(np.intp) - held
        open_ = (held >= held_needed) & (to_come >= lacking)
        one_lacking = open_ & (lacking == 1)
        flush |= one_lacking
        best = np.maximum(_top_rank(~street.gone >> shift & ranks), 0).astype(np.uint64)
        nuts |= one_lacking & (hands >> shift >> best & np.uint64(1)).astype(np.bool_)
        runner |= open_ & (lacking == 2)
    return flush, nuts, runner


def _top_rank(ranks: NDArray[np.integer]) -> Numbers:
    """Return the highest rank in each set of ranks (bits), -1 if it is empty."""
    return np.frexp(ranks.astype(np.float64))[1].astype(np.intp) - 1


def _of_pairs(lower: Numbers, higher: Numbers, street: _Street, live: NDArray[np.uint16]) -> _Pairs:
    """Return the classes, straight draws and overcards of pairs of hole cards."""
    sets = [street.board]
    if street.omaha:
        sets = [np.stack(used) for used in combinations(street.board, _FLOP)]
    classes = _class_of_pairs(lower, higher, sets[0], street)
    for used in sets[1:]:
        np.minimum(classes, _class_of_pairs(lower, higher, used, street), out=classes)
    ranks, backdoor = _straights_to_come(lower % 13, higher % 13, street, live)
    top = _top_rank(street.board_ranks)
    over = (np.minimum(lower % 13, higher % 13) > top) & (lower % 13 != higher % 13)
    at = np.zeros(52 * 52, np.intp)
    at[52 * lower + higher] = np.arange(len(lower))
    return _Pairs(classes, ranks, backdoor, over, at)


def _straights_to_come(
    lower: Numbers, higher: Numbers, street: _Street, live: NDArray[np.uint16]
) -> tuple[NDArray[np.uint16], Booleans]:
    """Return which ranks (bits) complete a straight, and whether a backdoor straight is possible.

    A backdoor straight uses both hole cards and two ranks to come.
    """
    board_ranks = street.board_ranks
    pair_ranks = np.uint16(1) << lower.astype(np.uint16) | np.uint16(1) << higher.astype(np.uint16)
    ranks = np.zeros(np.broadcast_shapes(lower.shape, board_ranks.shape), np.uint16)
    backdoor = np.zeros(ranks.shape, np.bool_)
    for place, window in enumerate(street.windows):
        missing = np.uint16(window) & ~board_ranks & ~pair_ranks
        lacking = np.bitwise_count(missing)
        both = np.bitwise_count(pair_ranks & np.uint16(window)) == 2
        possible = (missing & ~live) == 0
        if not street.omaha:  # the straight must beat what the board makes with the missing ranks
            for straight in street.windows[place:]:
                possible &= (np.uint16(straight) & ~board_ranks & ~missing) != 0
        uses = both if street.omaha else possible
        ranks |= np.where(uses & possible & (lacking == 1), missing, np.uint16(0))
        backdoor |= both & possible & (lacking == 2)
    return ranks, backdoor


def _class_of_pairs(
    lower: Numbers, higher: Numbers, used: Numbers, street: _Street
) -> NDArray[np.int8]:
    """Return the index of the class that each pair makes with the board cards `used`."""
    a, b = lower % 13, higher % 13
    every = np.arange(*np.broadcast_shapes(a.shape, used[0].shape))
    counts = np.zeros((len(every), 13), np.int8)
    for card in used:
        counts[every, card % 13] += 1
    of_a, of_b = counts[every, a], counts[every, b]
    counts[every, a] += 1
    counts[every, b] += 1
    pocket = a == b
    fours = (counts == 4).any(axis=1)
    paired = counts >= 2
    # number of higher ranks that are paired
    above = paired.sum(axis=1)[:, None] - np.cumsum(paired, axis=1)
    a_plays = ~fours & (above[every, a] < 2)
    b_plays = ~fours & (above[every, b] < 2)
    a_pairs, b_pairs = (of_a == 1) & a_plays & ~pocket, (of_b == 1) & b_plays & ~pocket
    best = np.where(a_pairs & (~b_pairs | (a > b)), a, b)
    kicker = np.where(best == a, b, a)
    pairs = a_pairs | b_pairs
    own_pair = pocket & (of_a == 0) & a_plays
    top = _top_rank(street.board_ranks)
    second = _top_rank(street.board_ranks & ~(np.uint16(1) << top.astype(np.uint16)))
    higher_ranks = (np.uint16(_SUIT) >> (kicker + 1).astype(np.uint16)) << (kicker + 1).astype(
        np.uint16
    )
    better = np.bitwise_count(higher_ranks & ~street.board_ranks)
    top_pair = pairs & (best == top)
    run = _within(lower, higher, used, street)
    suits = [(used // 13 == suit).sum(axis=0) for suit in range(4)]
    of_suit = [suits[s] + (lower // 13 == s) + (higher // 13 == s) for s in range(4)]
    has = {
        Made.STRAIGHT_FLUSH: run[1],
        Made.FOUR: (counts[every, a] == 4) | (counts[every, b] == 4),
        Made.FULL_HOUSE: ~fours & (counts >= 3).any(axis=1) & (paired.sum(axis=1) > 1),
        Made.FLUSH: np.max(of_suit, axis=0) >= 5,
        Made.STRAIGHT: run[0],
        Made.SET: pocket & (of_a == 1),
        Made.TRIPS: ~pocket & ((of_a == 2) | (of_b == 2)),
        Made.TWO_PAIR: a_pairs & b_pairs,
        Made.OVERPAIR: own_pair & (a > top),
        Made.TOP_PAIR_TOP: top_pair & (better == 0),
        Made.TOP_PAIR_GOOD: top_pair & (better <= _GOOD_KICKERS),
        Made.TOP_PAIR_WEAK: top_pair,
        Made.POCKET_PAIR: own_pair & (a > second),
        Made.SECOND_PAIR: pairs & (best == second),
        Made.UNDERPAIR: own_pair,
        Made.LOW_PAIR: pairs,
        Made.ACE_HIGH: (a == _ACE) | (b == _ACE),
        Made.AIR: np.ones(len(every), np.bool_),
    }
    places: NDArray[np.int8] = np.argmax(
        [np.broadcast_to(has[kind], every.shape) for kind in street.order], 0
    ).astype(np.int8)
    return places


def _within(
    lower: Numbers, higher: Numbers, used: Numbers, street: _Street
) -> tuple[Booleans, Booleans]:
    """Return which pairs make a straight with board cards `used`, and which a straight flush."""
    bit = np.uint64(1)
    cards = bit << lower.astype(np.uint64) | bit << higher.astype(np.uint64)
    cards = cards | np.bitwise_or.reduce(bit << used.astype(np.uint64))
    of_suit = [cards >> np.uint64(13 * suit) & np.uint64(_SUIT) for suit in range(4)]
    ranks = of_suit[0] | of_suit[1] | of_suit[2] | of_suit[3]
    straight, suited = np.zeros((2, *cards.shape), np.bool_)
    for window in map(np.uint64, street.windows):
        straight |= ranks & window == window
        for some in of_suit:
            suited |= some & window == window
    return straight, suited
