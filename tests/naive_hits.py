"""A slow, readable oracle for how a hand hits a board: every five cards, every card to come.

Independent of `engine.odds`: cards are (rank, suit) pairs with ranks 2 to 14, as in
`naive_showdown`, and the definitions are those of docs/showdown.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from tests.naive_showdown import PACK, TRIPS_FIRST, run_of, score_five

Pair = tuple[int, int]
KINDS = {4: "straight", 5: "flush", 6: "full house", 7: "four of a kind", 8: "straight flush"}
CLASSES = (
    "straight flush",
    "four of a kind",
    "full house",
    "flush",
    "straight",
    "set",
    "trips",
    "two pair",
    "overpair",
    "top pair top kicker",
    "top pair good kicker",
    "top pair weak kicker",
    "pocket pair below top",
    "second pair",
    "underpair",
    "low pair",
    "ace high",
    "air",
)
SHORT = ("straight flush", "four of a kind", "flush", "full house", *CLASSES[4:])
TRIPS = (*SHORT[:4], "set", "trips", "straight", *SHORT[7:])
ORDERS = {"high": CLASSES, "shortdeck": SHORT, "shortdeck-trips": TRIPS}


class Naive:
    """A board in a game, with dead cards and the known cards of other players (`elsewhere`)."""

    def __init__(
        self,
        board: Sequence[Pair],
        dead: Iterable[Pair] = (),
        elsewhere: Iterable[Pair] = (),
        *,
        ranking: str = "high",
        omaha: bool = False,
    ) -> None:
        self.board = list(board)
        self.dead = set(dead)
        self.elsewhere = set(elsewhere)
        self.ranking = ranking
        self.order = ORDERS[ranking]
        self.short = ranking != "high"
        self.omaha = omaha

    # -- what is made -----------------------------------------------------------------------------

    def hand_class(self, hole: Sequence[Pair]) -> str:
        """Return the hand's class; in Omaha, the best of two hole cards with three of the board."""
        if not self.omaha:
            return self._class(hole, self.board)
        return min(
            (
                self._class(pair, flop)
                for pair in combinations(hole, 2)
                for flop in combinations(self.board, 3)
            ),
            key=self.order.index,
        )

    def _class(self, hole: Sequence[Pair], board: Sequence[Pair]) -> str:
        def strength(five: Sequence[Pair]) -> tuple[int, tuple[int, ...]]:
            kind, ranks = score_five(five, short=self.short)
            return (TRIPS_FIRST.get(kind, kind) if self.order is TRIPS else kind), ranks

        best = max(combinations([*hole, *board], 5), key=strength)
        kind, ranks = score_five(best)
        if run_of([rank for rank, _ in best], short=self.short, wheel=True):
            kind = 8 if len({suit for _, suit in best}) == 1 else 4
        hole_ranks = [rank for rank, _ in hole]
        high = "ace high" if 14 in hole_ranks else "air"
        if kind in KINDS and len(board) == 5 and strength(board) == strength(best):
            return high  # no hole card plays
        if kind in KINDS and not (kind == 7 and ranks[0] not in hole_ranks):
            return KINDS[kind]
        if kind == 7:
            return high
        if kind == 3:
            return {2: "set", 1: "trips", 0: high}[hole_ranks.count(ranks[0])]
        counted = [ranks[at] for at in {1: [0], 2: [0, 2]}.get(kind, []) if ranks[at] in hole_ranks]
        if not counted:
            return high
        top, *below = sorted({rank for rank, _ in self.board}, reverse=True)
        second = below[0] if below else 0
        pair = max(counted)
        if hole_ranks[0] == hole_ranks[1]:
            if pair > top:
                return "overpair"
            return "pocket pair below top" if pair > second else "underpair"
        if len(counted) == 2:
            return "two pair"
        if pair < top:
            return "second pair" if pair == second else "low pair"
        (kicker,) = (rank for rank in hole_ranks if rank != pair)
        better = [rank for rank in range(kicker + 1, 15) if rank not in (top, *below)]
        kickers = "top" if not better else "good" if len(better) <= 3 else "weak"
        return f"top pair {kickers} kicker"

    # -- what is drawn to -------------------------------------------------------------------------

    def draws(self, hole: Sequence[Pair]) -> set[str]:
        """Return the names of the hand's draws."""
        place = self.order.index(self.hand_class(hole))
        names = set()
        hole_ranks = [rank for rank, _ in hole]
        flush = nut = False
        if place > self.order.index("flush"):
            coming = [card for card in self._left(hole) if self._flush(hole, [card])]
            flush = bool(coming)
            nut = any(
                all(self._is_best(hole, card) for card in coming if card[1] == suit)
                for suit in {suit for _, suit in coming}
            )
        straights = []
        if place > self.order.index("straight"):
            straights = [rank for rank in self._ranks_left(hole) if self._straight(hole, [rank])]
        names |= {"flush draw"} if flush else set()
        names |= {"nut flush draw"} if nut else set()
        if straights:
            names.add({1: "gutshot", 2: "open-ended"}.get(len(straights), "wrap"))
            names |= {"combo draw"} if flush else set()
        top = max(rank for rank, _ in self.board)
        if place >= self.order.index("ace high") and len({r for r in hole_ranks if r > top}) > 1:
            names.add("overcards")
        if len(self.board) == 3:
            if place > self.order.index("flush") and not flush and self._flush_in_two(hole):
                names.add("backdoor flush")
            if place > self.order.index("straight") and not straights:
                ranks = combinations(self._ranks_left(hole), 2)
                if any(self._straight(hole, two, both=True) for two in ranks):
                    names.add("backdoor straight")
        return names

    def _left(self, hole: Sequence[Pair]) -> list[Pair]:
        gone = {*hole, *self.board, *self.dead, *self.elsewhere}
        return [c for c in PACK if c not in gone and not (self.short and c[0] < 6)]

    def _ranks_left(self, hole: Sequence[Pair]) -> list[int]:
        return sorted({rank for rank, _ in self._left(hole)})

    def _hands(
        self, hole: Sequence[Pair], board: Sequence[Pair], counts: range
    ) -> Iterator[tuple[Pair, ...]]:
        """Yield every hand of five cards whose number of hole cards is in `counts`.

        In Omaha, that number is always two.
        """
        for many in [2] if self.omaha else counts:
            for some in combinations(hole, many):
                for others in combinations(board, 5 - many):
                    yield (*some, *others)

    def _flush(self, hole: Sequence[Pair], extra: Sequence[Pair]) -> bool:
        hands = self._hands(hole, [*self.board, *extra], range(1, 3))
        return any(len({suit for _, suit in five}) == 1 for five in hands)

    def _flush_in_two(self, hole: Sequence[Pair]) -> bool:
        by_suit = [[card for card in self._left(hole) if card[1] == suit] for suit in range(4)]
        return any(len(of) > 1 and self._flush(hole, of[:2]) for of in by_suit)

    def _is_best(self, hole: Sequence[Pair], card: Pair) -> bool:
        """Return whether nobody can have a higher flush than `hole` after this card."""
        board = [*self.board, card]

        def flush(cards: Sequence[Pair]) -> list[int]:
            hands = [
                sorted((rank for rank, _ in five), reverse=True)
                for five in self._hands(cards, board, range(1, 3))
                if all(suit == card[1] for _, suit in five)
            ]
            return max(hands, default=[])

        gone = {*hole, *board, *self.dead}
        suited = [
            card_of_suit
            for card_of_suit in PACK
            if card_of_suit[1] == card[1] and card_of_suit not in gone
        ]
        filler = next(offsuit for offsuit in PACK if offsuit[1] != card[1] and offsuit not in gone)
        rivals = [*combinations(suited, 2), *((high, filler) for high in suited)]
        return all(flush(rival) <= flush(hole) for rival in rivals)

    def _straight(self, hole: Sequence[Pair], ranks: Sequence[int], *, both: bool = False) -> bool:
        """Return whether the hand gets a straight if board cards of `ranks` come.

        Except in Omaha, it must beat any straight of the board alone. With `both`, it must use both
        hole cards.
        """
        extra = [(rank, 0) for rank in ranks]

        def best(hands: Iterable[tuple[Pair, ...]]) -> int:
            runs = (run_of([r for r, _ in five], short=self.short, wheel=True) for five in hands)
            return max((run[0] for run in runs if run), default=0)

        board = [*self.board, *extra]
        best_hand = best(self._hands(hole, board, range(2, 3) if both else range(1, 3)))
        return best_hand > (0 if self.omaha else best(combinations(board, 5)))
