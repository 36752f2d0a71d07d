"""Count, with numpy arrays alone, how often a condition is true for a hand.

So a very first question needn't wait for the compiler. The question must have no opponents, and its
street must be at most three cards away: then there are few boards. Conditions on a hand's class on
the river need compiled code, because a class then counts only if a hole card plays. `hand_marks`
finds the classes and draws.
"""

from __future__ import annotations

from functools import cache
from math import comb
from typing import TYPE_CHECKING, Final

from engine.odds.loading import np
from engine.odds.showdown import compiled, conditions
from engine.odds.showdown.conditions import Atom, Condition
from engine.odds.showdown.hand_marks import marks_of_boards
from engine.odds.showdown.made_hands import Made, made_order
from engine.odds.showdown.scenario import Scenario

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Booleans = NDArray[np.bool_]
    Numbers = NDArray[np.intp]
    Cards64 = NDArray[np.uint64]

_MOST_BOARDS: Final = 150_000  # of all hands together: about a tenth of a second
_MOST_MISSING: Final = 3
_MOST_CLASSIFIED: Final = 4  # on a river, a class only counts if a hole card plays
_RANKS: Final = 13


def is_quick(scenario: Scenario, condition: Condition, rows: int) -> bool:
    """Return whether `rows` hands can be counted here, and there is no compiled code yet."""
    street = condition.street
    if street is None or len(scenario.players) > 1:
        return False
    missing = street - len(scenario.board)
    has_class = any(atom.kind == conditions.HAND for atom in condition.atoms)
    if not 0 <= missing <= _MOST_MISSING or (has_class and street > _MOST_CLASSIFIED):
        return False
    if rows * comb(scenario.undealt, missing) > _MOST_BOARDS:
        return False
    kernel = compiled.fit_ranks if condition.by_ranks else compiled.count_street
    return not kernel.is_ready


def count_hits(
    scenario: Scenario, condition: Condition, hands: Cards64, times: NDArray[np.int64]
) -> tuple[int, int]:
    """Return on how many boards the condition holds, and how many boards there are.

    Both are sums over all hands; the boards of hand i count `times[i]` times. If the condition
    depends on the last card, a board counts once for each card that may come last.
    `kernels.conditions.count_street` does the same for any number of players.
    """
    fitting, total = 0, 0
    dealt = [card.number for card in scenario.in_order]
    missing = (condition.street or 0) - len(dealt)
    for hand, often in zip(hands.tolist(), times.tolist(), strict=True):
        deck = np.array([card.number for card in scenario.left if not hand >> card.number & 1])
        coming = deck[_choices(len(deck), missing)]
        known = np.repeat(np.array(dealt, np.intp)[:, None], coming.shape[1], axis=1)
        boards = _Boards(scenario, hand, np.concatenate([known, coming]))
        newest = coming if condition.by_last and missing else boards.cards[-1:]
        for last in newest:
            fitting += often * int(boards.fit(condition, last).sum())
            total += often * boards.cards.shape[1]
    return fitting, total


@cache
def _choices(size: int, picked: int) -> Numbers:
    """Return all ways to pick `picked` numbers below `size`, each ascending: (picked, ways)."""
    grid = np.indices((size,) * picked).reshape(picked, -1) if picked else np.zeros((0, 1), np.intp)
    ascend = (np.diff(grid, axis=0) > 0).all(axis=0)
    return grid[:, ascend]


class _Boards:
    """All boards that may come for a hand; `cards` are card numbers: (cards of a board, boards)."""

    def __init__(self, scenario: Scenario, hand: int, cards: Numbers) -> None:
        self.cards = cards
        self._scenario, self._hand = scenario, hand
        self._bits = np.bitwise_or.reduce(np.uint64(1) << cards.astype(np.uint64))
        self._marks = cache(self._mark_hand)

    def fit(self, condition: Condition, last: Numbers) -> Booleans:
        """Return for each board whether the condition holds; `last` has the card that came last."""
        stack: list[Booleans] = []
        for step in condition.program:
            if step >= 0:
                stack.append(self._holds(condition.atoms[step], last))
            elif step == conditions.NOT:
                stack.append(~stack.pop())
            else:
                top, below = stack.pop(), stack.pop()
                stack.append(below & top if step == conditions.AND else below | top)
        return stack.pop()

    def _holds(self, atom: Atom, last: Numbers) -> Booleans:
        """Return for each board whether `atom` is true, like `kernels.conditions.holds`."""
        true: Booleans
        if atom.kind == conditions.HAND:
            classes, draws = self._marks()
            class_mask, draw_mask = atom.masks
            true = (class_mask >> classes & 1 | draws & draw_mask) > 0
        elif atom.kind == conditions.NEW_CARD:
            true = np.uint64(atom.masks[0]) >> last.astype(np.uint64) & np.uint64(1) > 0
        elif atom.kind == conditions.PAIRS:
            true = (self.cards % _RANKS == last % _RANKS).sum(axis=0) > 1
        elif atom.kind == conditions.SUITS:
            suits = [(self.cards // _RANKS == suit).any(axis=0) for suit in range(4)]
            true = np.sum(suits, axis=0) == atom.least
        else:
            if atom.kind == conditions.HAS_CARDS:
                number = np.bitwise_count(self._bits & np.uint64(atom.masks[0])).astype(np.intp)
            else:
                ranks = self.cards % _RANKS
                number = np.minimum((ranks[:, None] == ranks).sum(axis=1).max(axis=0), 3)
            true = (atom.least <= number) & (number <= atom.most)
        return true

    def _mark_hand(self) -> tuple[Numbers, NDArray[np.uint16]]:
        """Return the hand's class on each board, as its number in `Made`, and its draws as bits."""
        out = self._scenario.board.bits | self._scenario.dead.bits
        left = np.uint64(self._scenario.rules.deck.bits & ~out) & ~self._bits
        marked = marks_of_boards(self._hand, self._scenario, self.cards, left)
        order = made_order(self._scenario.rules.ranking)
        numbers = np.array([tuple(Made).index(kind) for kind in order])
        return numbers[marked.classes], marked.draws
