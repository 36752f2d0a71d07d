"""Hold'em on the flop and after it, known hands and one that is open: counted in plain Python.

So the commonest questions with a board are answered before numpy, tables and a compiled kernel
would be loaded, which takes longer than all the rest. Unless a flush is made, a hand's score
depends on its ranks alone, of which there are few: so a hand of which nothing is known is counted
by its two ranks, apart from the flushes that it makes. The sums are those of the kernels, which a
test compares.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations, combinations_with_replacement, compress, count
from math import comb
from typing import Final

from engine.cards import Cards
from engine.odds.showdown import scoring
from engine.odds.showdown.dealing import is_holdem
from engine.odds.showdown.preflop import TableSums
from engine.odds.showdown.ranges import Range
from engine.odds.showdown.scenario import Scenario

_MOST: Final = 30_000  # hands of seven cards: some 20 ms
_FIRST: Final = 3  # open hands in a process: seven take as long as loading numba
_SHOWN: Final = 10  # columns of kinds, as the kernels have them
_SUIT: Final = 0x1FFF
_RANKS: Final = (1 << 39) - 1  # three bits count the cards of each rank
_THREE_OF_EACH_SUIT: Final = 0x3333 << 39
_FIVE_OF_A_SUIT: Final = 0x8888 << 39
_CARD_KEYS: Final = tuple(1 << 3 * (card % 13) | 1 << 39 + 4 * (card // 13) for card in range(52))

_asked = count()
_Told = Counter[tuple[int, ...]]  # how often the players have which scores


def few_boards(scenario: Scenario, ranked: bool) -> TableSums | None:
    """The sums over all boards of `scenario`; None where more hands are open, or boards are many.

    A hand of which nothing is known is left to the kernels where numba is loaded already, and so
    are all but the first few: whoever asks more often gains by loading it.
    """
    unseen = 5 - len(scenario.board)
    seats = range(len(scenario.players))
    known = [len(cards) for cards in scenario.known]
    open_seats = [seat for seat in seats if known[seat] != 2]
    if (
        not is_holdem(scenario)
        or len(open_seats) > 1
        or any(known[seat] for seat in open_seats)
        or unseen > 2
    ):
        return None
    if not open_seats or isinstance(scenario.players[open_seats[0]], Range):
        told = _of_hands(scenario, unseen, open_seats)
    elif len(seats) > 1 and "numba" not in sys.modules and next(_asked) < _FIRST:
        told = _of_any_hand(scenario, unseen, open_seats[0])
    else:
        return None
    return None if told is None else _sums(told, len(seats), ranked)


def _of_hands(scenario: Scenario, unseen: int, ranges: list[int]) -> _Told | None:
    """Of known hands and at most one range, hand by hand; None where these are many."""
    hands, weights = scenario.weighed(ranges[0]) if ranges else ([0], [1])
    boards = comb(len(scenario.left), unseen)
    if boards * (len(scenario.players) + len(hands)) > _MOST:
        return None
    rows = _Rows(scenario, unseen)
    known = [rows.scores(cards.bits) for cards in scenario.known]
    told: _Told = Counter()
    for hand, weight in zip(hands, weights, strict=True):
        columns = known
        if ranges:
            free = [not hand & to_come for to_come in rows.to_come]
            columns = [list(compress(column, free)) for column in known]
            columns[ranges[0]] = list(compress(rows.scores(hand), free))
        for row, times in Counter(zip(*columns, strict=True)).items():
            told[row] += times * weight
    return told


def _of_any_hand(scenario: Scenario, unseen: int, seat: int) -> _Told:
    """Of known hands, and any in that seat."""
    rows = _Rows(scenario, unseen)
    known = [rows.scores(cards.bits) for other, cards in enumerate(scenario.known) if other != seat]
    boards = Counter(zip(rows.ranks, map(rows.flush_of, rows.to_come), *known, strict=True))
    told: _Told = Counter()
    for (ranks, flush, *scores), times in boards.items():
        before, after = tuple(scores[:seat]), tuple(scores[seat:])
        for score, hands in rows.open_scores(ranks, flush).items():
            told[(*before, score, *after)] += times * hands
    return told


def _sums(told: _Told, players: int, ranked: bool) -> TableSums:
    """What the kernels tell, of how often the players have which scores."""
    shares = [[0] * (players + 1) for _ in range(players)]
    kinds = [[0] * _SHOWN for _ in range(players)]
    for row, times in told.items():
        best = max(row)
        winners = row.count(best)
        for seat, score in enumerate(row):
            if score == best:
                shares[seat][winners] += times
            if ranked:
                kinds[seat][score >> 20] += times
    return TableSums(told.total(), tuple(shares), tuple(kinds))


_Flush = tuple[int, int]  # the ranks of a suit that are on the board, three or more; that are left


class _Rows:
    """The boards that can still come, and the scores of hands on each of them."""

    def __init__(self, scenario: Scenario, unseen: int) -> None:
        left = [card.number for card in scenario.left]
        cards = list(combinations(left, unseen))
        self.to_come = [sum(1 << card for card in some) for some in cards]
        self._keys = [sum(_CARD_KEYS[card] for card in some) for some in cards]
        self._board = scenario.board.bits
        self._left = scenario.left
        self._start = _THREE_OF_EACH_SUIT + _key(self._board)
        self._score = _scorer(scenario.rules.ranking.code)
        self._by_ranks: dict[int, int] = {}
        self._by_suit: dict[int, int] = {}
        self._open: dict[int, Counter[int]] = {}

    @property
    def ranks(self) -> list[int]:
        """The ranks of each board, three bits for the cards of a rank."""
        return [self._start + key & _RANKS for key in self._keys]

    def flush_of(self, to_come: int) -> _Flush | None:
        """The suit in which somebody may have a flush on the board with these cards."""
        board, left = self._board | to_come, self._left.bits & ~to_come
        for shift in range(0, 52, 13):
            shown = board >> shift & _SUIT
            if shown.bit_count() >= 3:
                return shown, left >> shift & _SUIT
        return None

    def scores(self, hand: int) -> list[int]:
        """The raw score of the hand on each board, 0 on one that has cards of its own."""
        start, own = self._start + _key(hand), self._board | hand
        found = []
        for key, to_come in zip(self._keys, self.to_come, strict=True):
            if to_come & hand:  # one card twice is fewer cards: no score that others may have
                found.append(0)
                continue
            whole = start + key
            if whole & _FIVE_OF_A_SUIT:
                found.append(self._score(own | to_come))
            else:
                found.append(self._without_flush(whole & _RANKS))
        return found

    def open_scores(self, ranks: int, flush: _Flush | None) -> Counter[int]:
        """How many of all hands have which raw score on a board of these ranks."""
        scores = self._open.get(ranks)
        if scores is None:
            scores = self._open[ranks] = Counter()
            for hand, times in _pairs_of(self._left_of(ranks)):
                scores[self._without_flush(ranks + hand)] += times
        if flush is None:
            return scores
        scores = scores.copy()
        for hand, suited, times in _flushes(*flush, self._left_of(ranks)):
            score = self._by_suit.get(suited)
            if score is None:
                score = self._by_suit[suited] = self._score(suited)
            scores[self._without_flush(ranks + hand)] -= times
            scores[score] += times
        return scores

    def _left_of(self, ranks: int) -> list[int]:
        """How many cards of each rank are left where the board has these."""
        came = ranks - (self._start & _RANKS)
        return [
            sum(self._left.bits >> rank + shift & 1 for shift in range(0, 52, 13))
            - (came >> 3 * rank & 7)
            for rank in range(13)
        ]

    def _without_flush(self, ranks: int) -> int:
        """The raw score of seven cards of these ranks, no five of a suit."""
        score = self._by_ranks.get(ranks)
        if score is None:
            held = [rank for rank in range(13) for _ in range(ranks >> 3 * rank & 7)]
            cards = sum(1 << 13 * (place % 4) + rank for place, rank in enumerate(held))
            score = self._by_ranks[ranks] = self._score(cards)
        return score


def _pairs_of(left: list[int]) -> Iterator[tuple[int, int]]:
    """Two ranks, three bits for the cards of each, and of how many hands they are."""
    for one, other in combinations_with_replacement(range(13), 2):
        times = left[one] * left[other] if one != other else comb(left[one], 2)
        if times:
            yield (1 << 3 * one) + (1 << 3 * other), times


def _flushes(shown: int, free: int, left: list[int]) -> Iterator[tuple[int, int, int]]:
    """The hands that make a flush: two ranks, all ranks of the suit, and how many they are.

    `shown` and `free` are the ranks of the suit that the board has and that can be held, and
    `left` is how many cards of each rank can be.
    """
    missing = 5 - shown.bit_count()
    suited = [rank for rank in range(13) if free >> rank & 1]
    for one, other in combinations(suited, 2):
        yield (1 << 3 * one) + (1 << 3 * other), shown | 1 << one | 1 << other, 1
    if missing > 1:
        return
    others = [cards - (free >> rank & 1) for rank, cards in enumerate(left)]
    for one in suited:
        for other, times in enumerate(others):
            if times:
                yield (1 << 3 * one) + (1 << 3 * other), shown | 1 << one, times
    if missing < 1:
        for hand, times in _pairs_of(others):
            yield hand, shown, times


def _key(cards: int) -> int:
    return sum(_CARD_KEYS[card.number] for card in Cards(cards))


def _scorer(order: int) -> Callable[[int], int]:
    def score(cards: int) -> int:
        clubs, diamonds, hearts, spades = (cards >> shift & _SUIT for shift in range(0, 52, 13))
        return scoring.high(clubs, diamonds, hearts, spades, 0, order)

    return score
