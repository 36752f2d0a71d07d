"""A slow, readable oracle for conditions: every flop, turn and river dealt in order.

Independent of `engine.odds`: a condition is a plain function of a `Deal`, whose cards are (rank,
suit) pairs with ranks 2 to 14, as in `naive_showdown`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product
from typing import NamedTuple

from tests.naive_hits import ORDERS, Naive, Pair
from tests.naive_showdown import PACK, NaiveScore, showdown_score

PAIRS = {
    *("overpair", "pocket pair below top", "second pair", "underpair", "low pair"),
    *(f"top pair {kicker} kicker" for kicker in ("top", "good", "weak")),
}


@dataclass(frozen=True)
class Deal:
    """The hands of all players, and the board as it was dealt."""

    hands: tuple[tuple[Pair, ...], ...]
    flop: tuple[Pair, ...]
    turn: Pair
    river: Pair
    dead: frozenset[Pair]
    known: frozenset[int]  # the seats whose cards everybody knows
    ranking: str

    def board(self, cards: int) -> list[Pair]:
        return [*self.flop, self.turn, self.river][:cards]

    def suits(self, cards: int = 3) -> int:
        return len({suit for _, suit in self.board(cards)})

    def alike(self, cards: int = 5) -> int:
        return max(Counter(rank for rank, _ in self.board(cards)).values())

    def ranks(self, cards: int = 3) -> list[int]:
        return sorted(rank for rank, _ in self.board(cards))

    def hand_class(self, seat: int, cards: int) -> str:
        return _hand_class(self._view(seat, cards), self.hands[seat])

    def at_least(self, seat: int, cards: int, weakest: str) -> bool:
        order = ORDERS[self.ranking]
        return order.index(self.hand_class(seat, cards)) <= order.index(weakest)

    def draws(self, seat: int, cards: int) -> set[str]:
        return _draws(self._view(seat, cards), self.hands[seat])

    def _view(self, seat: int, cards: int) -> View:
        others = [self.hands[rival] for rival in self.known if rival != seat]
        elsewhere = tuple(card for hand in others for card in hand)
        return View(tuple(sorted(self.board(cards))), self.dead, elsewhere, self.ranking)


class View(NamedTuple):
    """The facts besides the hand that decide its class and draws.

    The board is sorted, so that deals with the same cards share a cache entry.
    """

    board: tuple[Pair, ...]
    dead: frozenset[Pair]
    elsewhere: tuple[Pair, ...]
    ranking: str


def _naive(view: View) -> Naive:
    return Naive(view.board, view.dead, view.elsewhere, ranking=view.ranking)


@lru_cache(maxsize=100_000)
def _hand_class(view: View, hand: tuple[Pair, ...]) -> str:
    return _naive(view).hand_class(hand)


@lru_cache(maxsize=100_000)
def _draws(view: View, hand: tuple[Pair, ...]) -> set[str]:
    return _naive(view).draws(hand)


@lru_cache(maxsize=100_000)
def _score(hand: tuple[Pair, ...], board: tuple[Pair, ...], ranking: str) -> NaiveScore:
    return showdown_score(hand, board, ranking, 2, 5)


Condition = Callable[[Deal], bool]


@dataclass
class Answer:
    chance: Fraction
    values: list[Fraction]


def count(
    players: Sequence[Sequence[tuple[Pair, ...]]],
    dealt: Sequence[Pair],
    dead: Iterable[Pair],
    condition: Condition,
    ranking: str = "high",
) -> Answer:
    """Return the chance of `condition`, and each player's mean share of the pot where it holds.

    `players` are the hands that each player may hold, `dealt` is the board so far. If no deal
    fulfils the condition, shares are 0.
    """
    dead = frozenset(dead)
    pack = [card for card in PACK if ranking == "high" or card[0] >= 6]
    known = frozenset(seat for seat, hands in enumerate(players) if len(hands) == 1)
    deals = fitting = 0
    values = [Fraction(0)] * len(players)
    for hands in product(*players):
        held = [card for hand in hands for card in hand]
        if len({*held, *dealt, *dead}) < len(held) + len(dealt) + len(dead):
            continue
        left = [card for card in pack if card not in {*held, *dead}]
        for flop in combinations(left, 3):
            if not set(dealt[:3]) <= set(flop):
                continue
            for turn, river in product(left, left):
                board = [*flop, turn, river]
                if len(set(board)) < 5 or any(
                    card != fixed for card, fixed in zip(board[3:], dealt[3:], strict=False)
                ):
                    continue
                deals += 1
                if not condition(Deal(hands, flop, turn, river, dead, known, ranking)):
                    continue
                fitting += 1
                scores = [_score(hand, tuple(sorted(board)), ranking) for hand in hands]
                winners = [seat for seat, score in enumerate(scores) if score == max(scores)]
                for seat in winners:
                    values[seat] += Fraction(1, len(winners))
    shares = [value / fitting if fitting else Fraction(0) for value in values]
    return Answer(Fraction(fitting, deals), shares)
