"""The class and the draws of many hands at once, with numpy.

A hand of hold'em is a pair of hole cards. Of an Omaha hand the best of its pairs counts, and a
draw of any of them, so each of at most 1,176 pairs is looked at once, however many hands there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, Final

from engine.cards import rank_bits
from engine.odds.showdown.hit_kinds import Draw, Made, made_order
from engine.odds.showdown.scenario import Scenario

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Booleans = NDArray[np.bool_]
    Numbers = NDArray[np.intp]

_SUIT: Final = 0x1FFF
_ACE: Final = 12
_FLOP: Final = 3
_GOOD_KICKERS: Final = 3
DRAWS: Final = tuple(Draw)
_BIT: Final = {draw: 1 << place for place, draw in enumerate(DRAWS)}
_BLOCK: Final = 1 << 15  # hands looked at in one go: as many as a core's own cache holds


@dataclass(frozen=True, slots=True)
class Marks:
    """For each hand the place of its class in `made_order`, and a bit for each of `DRAWS`."""

    made: NDArray[np.int8]
    draws: NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class _Street:
    """What is known of the deal, apart from the hands."""

    board: tuple[int, ...]  # card numbers
    order: tuple[Made, ...]
    windows: tuple[int, ...]  # the ranks of each straight, from the lowest up
    omaha: bool
    left: int  # the cards that can still come, as bits, those of the hand among them
    seen: int  # the cards that nobody can hold

    @property
    def live(self) -> int:
        """The ranks of which a card is left."""
        return sum(1 << rank for rank in range(13) if self.left & rank_bits(rank))


@dataclass(frozen=True, slots=True)
class _Pairs:
    """What pairs of hole cards have made and draw to, and what they need for a straight."""

    made: NDArray[np.int8]
    ranks: NDArray[np.uint16]  # those of which one card makes a straight
    backdoor: Booleans
    over: Booleans
    at: Numbers  # where a pair is, by 52 times the lower card and the higher one


def marks(hands: NDArray[np.uint64], scenario: Scenario) -> Marks:
    """What each of the hands, as bits, has made on the board of `scenario` and draws to."""
    import numpy as np

    street, private = _street(scenario), scenario.rules.private
    every = cache(lambda live: _of_pairs(*_every_pair(street), street, live))
    starts = range(0, max(1, len(hands)), _BLOCK)
    blocks = [_marks(hands[at : at + _BLOCK], private, street, every) for at in starts]
    return Marks(
        np.concatenate([block.made for block in blocks]),
        np.concatenate([block.draws for block in blocks]),
    )


def _marks(
    hands: NDArray[np.uint64], private: int, street: _Street, every: Callable[[int], _Pairs]
) -> Marks:
    """The marks of a block of hands; `every` is what all pairs have by the ranks that are live."""
    import numpy as np

    columns = _columns(hands, private)
    if not street.omaha:
        found = _of_pairs(columns[0], columns[1], street, street.live)
    else:
        found = _best_of(columns, every(street.live))
        for rank_mask, some in _used_up(hands, street, private):
            less = _best_of(columns[:, some], every(street.live & ~rank_mask))
            found.ranks[some], found.backdoor[some] = less.ranks, less.backdoor
    draws = np.zeros(len(hands), np.uint16)
    at = {made: place for place, made in enumerate(street.order)}

    def mark(draw: Draw, has: Booleans) -> None:
        draws[has] |= np.uint16(_BIT[draw])

    flush, nuts, runner = _flush_draws(hands, street)
    below = found.made > at[Made.FLUSH]
    mark(Draw.FLUSH, flush & below)
    mark(Draw.NUT_FLUSH, nuts & below)
    several = np.bitwise_count(found.ranks)
    several[found.made <= at[Made.STRAIGHT]] = 0
    mark(Draw.WRAP, several > 2)
    mark(Draw.OPEN_ENDED, several == 2)
    mark(Draw.GUTSHOT, several == 1)
    mark(Draw.COMBO, flush & below & (several > 0))
    mark(Draw.OVERCARDS, found.over & (found.made >= at[Made.ACE_HIGH]))
    if len(street.board) == _FLOP:
        mark(Draw.BACKDOOR_FLUSH, runner & ~flush & below)
        further = found.backdoor & (several == 0) & (found.made > at[Made.STRAIGHT])
        mark(Draw.BACKDOOR_STRAIGHT, further)
    return Marks(found.made, draws)


def _street(scenario: Scenario) -> _Street:
    rules = scenario.rules
    lowest = 4 if rules.ranking.is_short else 0
    wheel = 1 << _ACE | 0b1111 << lowest
    return _Street(
        tuple(card.number for card in scenario.board),
        made_order(rules.ranking),
        (wheel, *(0b11111 << low for low in range(lowest, 9))),
        rules.private > 2,
        scenario.left.bits,
        scenario.board.bits | scenario.dead.bits,
    )


def _columns(hands: NDArray[np.uint64], private: int) -> Numbers:
    """(cards, hands): the numbers of each hand's cards, from the lowest up."""
    import numpy as np

    numbers = np.empty((private, len(hands)), np.intp)
    left = hands.copy()
    for column in numbers:
        lowest = left & (~left + np.uint64(1))
        column[:] = np.bitwise_count(lowest - np.uint64(1))
        left ^= lowest
    return numbers


def _every_pair(street: _Street) -> tuple[Numbers, Numbers]:
    """All pairs of cards that the board has not, the lower one and the higher one."""
    import numpy as np

    cards = np.setdiff1d(np.arange(52), street.board)
    one, other = (cards[side] for side in np.triu_indices(len(cards), 1))
    return one, other


def _best_of(columns: Numbers, pairs: _Pairs) -> _Pairs:
    """Of hands of several pairs: the best class, and every draw."""
    import numpy as np

    first, *rest = (pairs.at[52 * one + other] for one, other in combinations(columns, 2))
    made, ranks = pairs.made[first], pairs.ranks[first]
    backdoor, over = pairs.backdoor[first], pairs.over[first]
    for more in rest:
        np.minimum(made, pairs.made[more], out=made)
        ranks |= pairs.ranks[more]
        backdoor |= pairs.backdoor[more]
        over |= pairs.over[more]
    return _Pairs(made, ranks, backdoor, over, pairs.at)


def _used_up(
    hands: NDArray[np.uint64], street: _Street, private: int
) -> Iterator[tuple[int, Numbers]]:
    """The hands that hold all that is left of some ranks themselves, by these ranks."""
    import numpy as np

    gone = np.zeros(len(hands), np.uint16)
    for rank in range(13):
        left = street.left & rank_bits(rank)
        if 0 < left.bit_count() <= private - 2:
            gone[hands & np.uint64(left) == np.uint64(left)] |= np.uint16(1 << rank)
    for mask in np.unique(gone[gone > 0]):
        yield int(mask), np.flatnonzero(gone == mask)


def _flush_draws(hands: NDArray[np.uint64], street: _Street) -> tuple[Booleans, Booleans, Booleans]:
    """A card short of a flush; the same with its best card; two cards short."""
    import numpy as np

    flush, nuts, runner = (np.zeros(len(hands), np.bool_) for _ in range(3))
    for suit in range(4):
        mask = _SUIT << 13 * suit
        shown = sum(card // 13 == suit for card in street.board)
        own = np.bitwise_count(hands & np.uint64(mask))
        if street.omaha:  # two of one's own and three of the board
            own_needed, short = 2, np.full(len(hands), 3 - shown)
        else:
            own_needed, short = 1, 5 - shown - own.astype(np.intp)
        to_come = (street.left & mask).bit_count() - own.astype(np.intp)
        open_ = (own >= own_needed) & (to_come >= short)
        one_short = open_ & (short == 1)
        flush |= one_short
        best = (mask & ~street.seen).bit_length() - 1
        nuts |= one_short & (hands >> np.uint64(max(best, 0)) & np.uint64(1)).astype(np.bool_)
        runner |= open_ & (short == 2)
    return flush, nuts, runner


def _of_pairs(one: Numbers, other: Numbers, street: _Street, live: int) -> _Pairs:
    """The class and the straights to come of pairs of hole cards."""
    import numpy as np

    sets = list(combinations(street.board, _FLOP)) if street.omaha else [street.board]
    made = _made(one, other, sets[0], street)
    for used in sets[1:]:
        np.minimum(made, _made(one, other, used, street), out=made)
    ranks, backdoor = _straights_to_come(one % 13, other % 13, street, live)
    top = max(card % 13 for card in street.board)
    over = (np.minimum(one % 13, other % 13) > top) & (one % 13 != other % 13)
    at = np.zeros(52 * 52, np.intp)
    at[52 * one + other] = np.arange(len(one))
    return _Pairs(made, ranks, backdoor, over, at)


def _straights_to_come(
    one: Numbers, other: Numbers, street: _Street, live: int
) -> tuple[NDArray[np.uint16], Booleans]:
    """The ranks that make a straight with the pair, and whether two would with both of it."""
    import numpy as np

    shown = 0
    for card in street.board:
        shown |= 1 << card % 13
    own = np.uint16(1) << one.astype(np.uint16) | np.uint16(1) << other.astype(np.uint16)
    ranks = np.zeros(len(one), np.uint16)
    backdoor = np.zeros(len(one), np.bool_)
    for place, window in enumerate(street.windows):
        missing = np.uint16(window & ~shown) & ~own
        short = np.bitwise_count(missing)
        both = np.bitwise_count(own & np.uint16(window)) == 2
        possible = (missing & np.uint16(~live & 0xFFFF)) == 0
        if not street.omaha:  # better than what the board has of its own with these cards
            for straight in street.windows[place:]:
                possible &= (np.uint16(straight & ~shown) & ~missing) != 0
        uses = both if street.omaha else possible
        ranks |= np.where(uses & possible & (short == 1), missing, np.uint16(0))
        backdoor |= both & possible & (short == 2)
    return ranks, backdoor


def _made(one: Numbers, other: Numbers, used: tuple[int, ...], street: _Street) -> NDArray[np.int8]:
    """The place of each pair's class, if just these cards of the board may be used."""
    import numpy as np

    rank_of = [card % 13 for card in used]
    held = np.zeros(13, np.int8)
    for rank in rank_of:
        held[rank] += 1
    a, b = one % 13, other % 13
    every = np.arange(len(a))
    counts = np.repeat(held[None], len(a), axis=0)
    counts[every, a] += 1
    counts[every, b] += 1
    pocket = a == b
    of_a, of_b = held[a], held[b]
    fours = (counts == 4).any(axis=1)
    paired = counts >= 2
    above = paired.sum(axis=1)[:, None] - np.cumsum(paired, axis=1)  # higher ranks that are paired
    a_plays = ~fours & (above[every, a] < 2)
    b_plays = ~fours & (above[every, b] < 2)
    a_pairs, b_pairs = (of_a == 1) & a_plays & ~pocket, (of_b == 1) & b_plays & ~pocket
    best = np.where(a_pairs & (~b_pairs | (a > b)), a, b)
    kicker = np.where(best == a, b, a)
    pairs = a_pairs | b_pairs
    own_pair = pocket & (of_a == 0) & a_plays
    ranks = sorted({card % 13 for card in street.board}, reverse=True)
    top, second = ranks[0], ranks[1] if len(ranks) > 1 else -1
    better = np.array([sum(r not in ranks for r in range(k + 1, 13)) for k in range(13)])[kicker]
    top_pair = pairs & (best == top)
    run = _within(one, other, used, street)
    suits = [np.sum([card // 13 == suit for card in used]) for suit in range(4)]
    of_suit = [suits[s] + (one // 13 == s) + (other // 13 == s) for s in range(4)]
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
        Made.AIR: np.ones(len(a), np.bool_),
    }
    places: NDArray[np.int8] = np.argmax([has[made] for made in street.order], 0).astype(np.int8)
    return places


def _within(
    one: Numbers, other: Numbers, used: tuple[int, ...], street: _Street
) -> tuple[Booleans, Booleans]:
    """Whether there is a straight, and whether one of a single suit."""
    import numpy as np

    bit = np.uint64(1)
    cards = bit << one.astype(np.uint64) | bit << other.astype(np.uint64)
    cards |= np.uint64(sum(1 << card for card in used))
    of_suit = [cards >> np.uint64(13 * suit) & np.uint64(_SUIT) for suit in range(4)]
    ranks = of_suit[0] | of_suit[1] | of_suit[2] | of_suit[3]
    straight, suited = np.zeros(len(one), np.bool_), np.zeros(len(one), np.bool_)
    for window in map(np.uint64, street.windows):
        straight |= ranks & window == window
        for some in of_suit:
            suited |= some & window == window
    return straight, suited
