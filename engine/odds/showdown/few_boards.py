"""Hold'em on the flop and after it, known hands and one small range: counted in plain Python.

So the commonest question with a board is answered before numpy, tables and a compiled kernel would
be loaded, which takes longer than all the rest. Unless a flush is made, a hand's score depends on
its ranks alone, of which there are few. The sums are those of the kernels, which a test compares.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations, compress
from math import comb
from typing import Final

from engine.cards import Cards, Suit
from engine.odds.showdown import scoring
from engine.odds.showdown.dealing import is_holdem
from engine.odds.showdown.from_table import TableSums
from engine.odds.showdown.ranges import Range
from engine.odds.showdown.scenario import Scenario

_MOST: Final = 30_000  # hands of seven cards: some 20 ms
_SHOWN: Final = 10  # columns of kinds, as the kernels have them
_RANKS: Final = (1 << 39) - 1  # three bits count the cards of each rank
_THREE_OF_EACH_SUIT: Final = 0x3333 << 39
_FIVE_OF_A_SUIT: Final = 0x8888 << 39
_CARD_KEYS: Final = tuple(1 << 3 * (card % 13) | 1 << 39 + 4 * (card // 13) for card in range(52))


def few_boards(scenario: Scenario, ranked: bool) -> TableSums | None:
    """The sums over all boards of `scenario`; None where hands are open or boards are many."""
    unseen = 5 - len(scenario.board)
    seats = range(len(scenario.players))
    ranges = [seat for seat in seats if isinstance(scenario.players[seat], Range)]
    if (
        not is_holdem(scenario)
        or len(ranges) > 1
        or any(len(scenario.known[seat]) != 2 for seat in seats if seat not in ranges)
        or unseen > 2
    ):
        return None
    hands, weights = scenario.weighed(ranges[0]) if ranges else ([0], [1])
    boards = comb(len(scenario.left), unseen)
    if boards * (len(seats) + len(hands)) > _MOST:
        return None
    rows = _Rows(scenario, unseen)
    known = [rows.scores(cards.bits) for cards in scenario.known]
    told: Counter[tuple[int, ...]] = Counter()
    for hand, weight in zip(hands, weights, strict=True):
        columns = known
        if ranges:
            free = [not hand & to_come for to_come in rows.to_come]
            columns = [list(compress(column, free)) for column in known]
            columns[ranges[0]] = list(compress(rows.scores(hand), free))
        for row, times in Counter(zip(*columns, strict=True)).items():
            told[row] += times * weight
    return _sums(told, len(seats), ranked)


def _sums(told: Counter[tuple[int, ...]], players: int, ranked: bool) -> TableSums:
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


class _Rows:
    """The boards that can still come, and the score of a hand on each of them."""

    def __init__(self, scenario: Scenario, unseen: int) -> None:
        left = [card.number for card in scenario.left]
        cards = list(combinations(left, unseen))
        self.to_come = [sum(1 << card for card in some) for some in cards]
        self._keys = [sum(_CARD_KEYS[card] for card in some) for some in cards]
        self._board = scenario.board.bits
        self._start = _THREE_OF_EACH_SUIT + _key(self._board)
        self._score = _scorer(scenario.rules.ranking.code)
        self._by_ranks: dict[int, int] = {}

    def scores(self, hand: int) -> list[int]:
        """The raw score of the hand on each board, 0 on one that has cards of its own."""
        start, own, by_ranks = self._start + _key(hand), self._board | hand, self._by_ranks
        found = []
        for key, to_come in zip(self._keys, self.to_come, strict=True):
            if to_come & hand:  # one card twice is fewer cards: no score that others may have
                found.append(0)
                continue
            whole = start + key
            if whole & _FIVE_OF_A_SUIT:
                found.append(self._score(own | to_come))
                continue
            score = by_ranks.get(whole & _RANKS)
            if score is None:
                score = by_ranks[whole & _RANKS] = self._score(own | to_come)
            found.append(score)
        return found


def _key(cards: int) -> int:
    return sum(_CARD_KEYS[card.number] for card in Cards(cards))


def _scorer(order: int) -> Callable[[int], int]:
    def score(cards: int) -> int:
        held = Cards(cards)
        clubs, diamonds, hearts, spades = (held.suit_mask(suit) for suit in Suit)
        return scoring.high(clubs, diamonds, hearts, spades, 0, order)

    return score
