"""A slow, readable oracle for showdowns: every deal dealt, every five cards tried, jokers replaced.

Independent of `engine.odds`: cards are (rank, suit) pairs with ranks 2 to 14, a wild card is None,
and nothing is looked up in a table. A wild card is tried as every one of the 52 cards (in a
flush it may not repeat a rank the flush has).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, product

from engine.cards import Card

NaiveCard = tuple[int, int] | None
NaiveScore = tuple[int, tuple[int, ...]]
PACK: list[tuple[int, int]] = list(product(range(2, 15), range(4)))
NAMES = [
    "high_card",
    "pair",
    "two_pair",
    "three",
    "straight",
    "flush",
    "full_house",
    "four",
    "straight_flush",
    "five",
]


def naive(card: Card, wild: Iterable[Card] = ()) -> NaiveCard:
    """A card of the engine as the oracle writes it."""
    if card.is_joker or card in set(wild):
        return None
    return int(card.rank) + 2, int(card.suit)


def grouped(ranks: Iterable[int]) -> list[tuple[int, int]]:
    """(count, rank) pairs, the most important first."""
    return sorted(((n, rank) for rank, n in Counter(ranks).items()), reverse=True)


def category_without_straights(ranks: Sequence[int]) -> NaiveScore:
    groups = grouped(ranks)
    counts = tuple(count for count, _ in groups)
    order = tuple(rank for count, rank in groups for _ in range(count))
    kinds = {(5,): 9, (4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}
    small = {(4,): 7, (3, 1): 3, (3,): 3, (2, 2): 2, (2, 1, 1): 1, (2, 1): 1, (2,): 1}
    return (kinds | small).get(counts, 0), order


def run_of(ranks: Sequence[int], *, short: bool, wheel: bool) -> tuple[int, ...] | None:
    """The ranks of a straight from the top, ace as 14 also where it is low."""
    descending = tuple(sorted(ranks, reverse=True))
    if len(set(ranks)) != 5:
        return None
    if descending[0] - descending[4] == 4:
        return descending
    low = (14, 9, 8, 7, 6) if short else (14, 5, 4, 3, 2)
    if wheel and descending == low:
        return (*low[1:], 14)
    return None


def score_five(
    cards: Sequence[tuple[int, int]], *, short: bool = False, wheel: bool = True
) -> NaiveScore:
    """Category (9 is five of a kind) and ranks, the most important first; at most five cards."""
    ranks = [rank for rank, _ in cards]
    kind, order = category_without_straights(ranks)
    if len(cards) == 5:
        run = run_of(ranks, short=short, wheel=wheel)
        suited = len({suit for _, suit in cards}) == 1 and len(set(ranks)) == 5
        if run:
            kind, order = (8 if suited else 4), run
        elif suited:
            kind = 5
    if short:
        kind = {5: 6, 6: 5}.get(kind, kind)
    return kind, order


def score_a5(cards: Sequence[tuple[int, int]]) -> NaiveScore:
    return category_without_straights([1 if rank == 14 else rank for rank, _ in cards])


def readings(
    cards: Sequence[NaiveCard], pack: list[tuple[int, int]]
) -> Iterator[list[tuple[int, int]]]:
    """The hand with every wild card replaced in every way."""
    plain = [card for card in cards if card is not None]
    for stand_ins in combinations_with_replacement(pack, len(cards) - len(plain)):
        yield [*plain, *stand_ins]


@lru_cache(maxsize=200_000)
def five(cards: tuple[NaiveCard, ...], ranking: str) -> NaiveScore:
    """The score of at most five cards, wild cards read in the owner's favour.

    pan2's lowball is the exception: there too they keep their highest reading.
    """
    short = ranking == "shortdeck"
    pack = [card for card in PACK if card[0] >= 6] if short else PACK
    best: Callable[..., NaiveScore] = min if ranking in ("a5", "27") else max
    if ranking == "a5":
        return best(score_a5(hand) for hand in readings(cards, pack))
    wheel = ranking != "27"
    return best(score_five(hand, short=short, wheel=wheel) for hand in readings(cards, pack))


def showdown_score(
    hole: Sequence[NaiveCard],
    board: Sequence[NaiveCard],
    ranking: str,
    use_hole: int,
    use_board: int,
) -> NaiveScore:
    """The best score over every set of (at most) five cards within the use limits."""
    low = ranking in ("worst", "a5", "27")
    cards = min(5, min(use_hole, len(hole)) + min(use_board, len(board)))
    scores = [
        five(tuple(sorted((*own, *shared), key=lambda card: card or (0, 0))), ranking)
        for from_hole in range(cards + 1)
        if from_hole <= min(use_hole, len(hole)) and cards - from_hole <= min(use_board, len(board))
        for own in combinations(hole, from_hole)
        for shared in combinations(board, cards - from_hole)
    ]
    return min(scores) if low else max(scores)


def every_deal(deck: list[Card], needs: Sequence[int]) -> Iterator[list[tuple[Card, ...]]]:
    """Every way to deal `needs[i]` cards to place i."""
    if not needs:
        yield []
        return
    for cards in combinations(deck, needs[0]):
        rest = [card for card in deck if card not in cards]
        for others in every_deal(rest, needs[1:]):
            yield [cards, *others]


class Tally:
    """What the oracle counted, in the terms of the JSON answer."""

    def __init__(self, players: int) -> None:
        self.deals = 0
        self.win = [0] * players
        self.tie = [0] * players
        self.value = [Fraction(0)] * players
        self.ranks = [Counter[str]() for _ in range(players)]

    def add(self, scores: Sequence[NaiveScore], *, low: bool, short: bool) -> None:
        self.deals += 1
        best = min(scores) if low else max(scores)
        winners = [seat for seat, score in enumerate(scores) if score == best]
        for seat in winners:
            if len(winners) == 1:
                self.win[seat] += 1
            else:
                self.tie[seat] += 1
            self.value[seat] += Fraction(1, len(winners))
        for seat, (kind, _) in enumerate(scores):
            plain = {5: 6, 6: 5}.get(kind, kind) if short else kind
            self.ranks[seat][NAMES[plain]] += 1


def count(
    holes: Sequence[Sequence[Card]],
    board: Sequence[Card],
    deck: list[Card],
    *,
    private: int,
    public: int,
    ranking: str = "high",
    use_hole: int | None = None,
    use_board: int | None = None,
    wild: Iterable[Card] = (),
) -> Tally:
    """Deal all that is unknown in every way and compare the hands. `deck` is what is left."""
    wild = set(wild)
    tally = Tally(len(holes))
    needs = [public - len(board), *(private - len(hole) for hole in holes)]
    for dealt in every_deal(deck, needs):
        table = [naive(card, wild) for card in (*board, *dealt[0])]
        scores = [
            showdown_score(
                [naive(card, wild) for card in (*hole, *more)],
                table,
                ranking,
                private if use_hole is None else use_hole,
                public if use_board is None else use_board,
            )
            for hole, more in zip(holes, dealt[1:], strict=True)
        ]
        tally.add(scores, low=ranking in ("worst", "a5", "27"), short=ranking == "shortdeck")
    return tally
