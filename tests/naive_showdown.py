"""A slow, readable oracle for showdowns: it deals every deal and tries every five cards.

Independent of `engine.odds`: cards are (rank, suit) pairs with ranks 2 to 14, a wild card is None,
and nothing is looked up in a table. A wild card is tried as every natural card of the pack (in a
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
TRIPS_FIRST = {3: 4, 4: 3}
PACK: list[tuple[int, int]] = list(product(range(2, 15), range(4)))
BADUGI_NAMES = ["badugi", "three_cards", "two_cards", "one_card"]  # the best first
LOWEST = ("worst", "a5", "27", "badugi")
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
    """Return a card of the engine in the oracle's form; None if it is wild."""
    if card.is_joker or card in set(wild):
        return None
    return int(card.rank) + 2, int(card.suit)


def group_ranks(ranks: Iterable[int]) -> list[tuple[int, int]]:
    """Return (count, rank) pairs, the most important first."""
    return sorted(((n, rank) for rank, n in Counter(ranks).items()), reverse=True)


def category_without_straights(ranks: Sequence[int]) -> NaiveScore:
    groups = group_ranks(ranks)
    counts = tuple(count for count, _ in groups)
    order = tuple(rank for count, rank in groups for _ in range(count))
    kinds = {(5,): 9, (4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}
    small = {(4,): 7, (3, 1): 3, (3,): 3, (2, 2): 2, (2, 1, 1): 1, (2, 1): 1, (2,): 1}
    return (kinds | small).get(counts, 0), order


def run_of(ranks: Sequence[int], *, short: bool, wheel: bool) -> tuple[int, ...] | None:
    """Return the ranks of a straight from the top, a low ace as 14; None if it isn't a straight."""
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
    """Return the category (9: five of a kind) of at most five cards, and the ranks by importance.

    `short`: the deck and order of short deck; `wheel`: the lowest straight begins with an ace.
    """
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


def score_badugi(cards: Sequence[tuple[int, int]]) -> NaiveScore:
    """Return how many of four cards don't count in badugi, and the ranks of the cards that do.

    The ranks are from the top, with aces as 1. The lowest score wins.
    """
    scores = [
        (4 - size, tuple(sorted((1 if rank == 14 else rank for rank, _ in some), reverse=True)))
        for size in range(1, 5)
        for some in combinations(cards, size)
        if len({rank for rank, _ in some}) == len({suit for _, suit in some}) == size
    ]
    return min(scores)


def low_eight(
    hole: Sequence[tuple[int, int]],
    board: Sequence[tuple[int, int]],
    use_hole: int,
    use_board: int,
) -> tuple[int, ...] | None:
    """Return the ranks of the best low hand, highest first, aces as 1; None without a low hand.

    The hand has at most `use_hole` cards of `hole` and at most `use_board` of `board`.
    """
    lows = []
    for from_hole in range(min(5, use_hole) + 1):
        if 5 - from_hole > use_board:
            continue
        for private in combinations(hole, from_hole):
            for shared in combinations(board, 5 - from_hole):
                ranks = {1 if rank == 14 else rank for rank, _ in (*private, *shared)}
                if len(ranks) == 5 and max(ranks) <= 8:
                    lows.append(tuple(sorted(ranks, reverse=True)))
    return min(lows, default=None)


def readings(
    cards: Sequence[NaiveCard], pack: list[tuple[int, int]]
) -> Iterator[list[tuple[int, int]]]:
    """Yield the hand with its wild cards replaced by natural cards, in every way."""
    plain = [card for card in cards if card is not None]
    for stand_ins in combinations_with_replacement(pack, len(cards) - len(plain)):
        yield [*plain, *stand_ins]


@lru_cache(maxsize=200_000)
def five(cards: tuple[NaiveCard, ...], ranking: str) -> NaiveScore:
    """Return the score of at most five cards, with wild cards replaced in the player's favour.

    There are two exceptions: in pan2's lowball ("worst"), wild cards still make the highest hand,
    and in badugi they are left out.
    """
    if ranking == "badugi":
        return score_badugi([card for card in cards if card is not None])
    short = ranking.startswith("shortdeck")
    pack = [card for card in PACK if card[0] >= 6] if short else PACK
    best: Callable[..., NaiveScore] = min if ranking in ("a5", "27") else max
    if ranking == "a5":
        return best(score_a5(hand) for hand in readings(cards, pack))
    wheel = ranking != "27"
    scores = (score_five(hand, short=short, wheel=wheel) for hand in readings(cards, pack))
    if ranking == "shortdeck-trips":
        return max((TRIPS_FIRST.get(kind, kind), order) for kind, order in scores)
    return best(scores)


def showdown_score(
    hole: Sequence[NaiveCard],
    board: Sequence[NaiveCard],
    ranking: str,
    use_hole: int,
    use_board: int,
) -> NaiveScore:
    """Return the best score of five cards; of four cards in badugi.

    At most `use_hole` of the cards are from `hole`, and at most `use_board` from `board`. If
    these limits allow fewer cards, fewer are scored.
    """
    low = ranking in LOWEST
    cards = min(
        4 if ranking == "badugi" else 5, min(use_hole, len(hole)) + min(use_board, len(board))
    )
    scores = [
        five(tuple(sorted((*private, *shared), key=lambda card: card or (0, 0))), ranking)
        for from_hole in range(cards + 1)
        if from_hole <= min(use_hole, len(hole)) and cards - from_hole <= min(use_board, len(board))
        for private in combinations(hole, from_hole)
        for shared in combinations(board, cards - from_hole)
    ]
    return min(scores) if low else max(scores)


def every_deal(deck: list[Card], needs: Sequence[int]) -> Iterator[list[tuple[Card, ...]]]:
    """Yield every way to deal `needs[i]` cards to place i."""
    if not needs:
        yield []
        return
    for cards in combinations(deck, needs[0]):
        remaining = [card for card in deck if card not in cards]
        for others in every_deal(remaining, needs[1:]):
            yield [cards, *others]


class Tally:
    """The oracle's counts. They have the same names as in the JSON answer."""

    def __init__(self, players: int) -> None:
        self.deals = 0
        self.win = [0] * players
        self.tie = [0] * players
        self.value = [Fraction(0)] * players
        self.ranks = [Counter[str]() for _ in range(players)]
        self.high = [0] * players
        self.high_tie = [0] * players
        self.low = [0] * players
        self.low_tie = [0] * players
        self.scoop = [0] * players
        self.three_quarters = [0] * players
        self.quartered = [0] * players

    def add(
        self,
        scores: Sequence[NaiveScore],
        ranking: str,
        lows: Sequence[tuple[int, ...] | None] | None = None,
        weight: int = 1,
    ) -> None:
        """Count one deal; `lows` are the low hands, if the pot is split."""
        self.deals += weight
        best = min(scores) if ranking in LOWEST else max(scores)
        winners = [seat for seat, score in enumerate(scores) if score == best]
        low_winners: list[int] = []
        if lows is not None and any(lows):
            lowest = min(low for low in lows if low)
            low_winners = [seat for seat, low in enumerate(lows) if low == lowest]
        for seat in range(len(scores)):
            share = Fraction(seat in winners, len(winners))
            if low_winners:
                share = (share + Fraction(seat in low_winners, len(low_winners))) / 2
            self.win[seat] += weight * (share == 1)
            self.tie[seat] += weight * (0 < share < 1)
            self.scoop[seat] += weight * (share == 1)
            self.value[seat] += weight * share
            self.high[seat] += weight * (seat in winners)
            self.high_tie[seat] += weight * (seat in winners and len(winners) > 1)
            self.low[seat] += weight * (seat in low_winners)
            self.low_tie[seat] += weight * (seat in low_winners and len(low_winners) > 1)
            alone = [half for half in (winners, low_winners) if half == [seat]]
            shared = [half for half in (winners, low_winners) if seat in half and len(half) > 1]
            self.three_quarters[seat] += weight * bool(alone and shared)
            self.quartered[seat] += weight * bool(low_winners and len(shared) == 1 and not alone)
        for seat, (kind, _) in enumerate(scores):
            self.ranks[seat][name_of(kind, ranking)] += weight


def name_of(kind: int, ranking: str) -> str:
    """Return the name of the kind of hand that has the number `kind` in `ranking`."""
    if ranking == "badugi":
        return BADUGI_NAMES[kind]
    swapped = {5: 6, 6: 5} if ranking.startswith("shortdeck") else {}
    if ranking == "shortdeck-trips":
        swapped |= TRIPS_FIRST
    return NAMES[swapped.get(kind, kind)]


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
    hi_lo: bool = False,
    tally: Tally | None = None,
    weight: int = 1,
) -> Tally:
    """Deal all unknown cards in every way from `deck` and count the results.

    `private` and `public` are the numbers of cards in a whole hand and on a whole board. Adds to
    `tally` if given; each deal counts `weight` times.
    """
    wild = set(wild)
    tally = tally or Tally(len(holes))
    use_hole = private if use_hole is None else use_hole
    use_board = public if use_board is None else use_board
    needs = [public - len(board), *(private - len(hole) for hole in holes)]
    for dealt in every_deal(deck, needs):
        table = [naive(card, wild) for card in (*board, *dealt[0])]
        hands = [
            [naive(card, wild) for card in (*hole, *drawn)]
            for hole, drawn in zip(holes, dealt[1:], strict=True)
        ]
        scores = [showdown_score(hand, table, ranking, use_hole, use_board) for hand in hands]
        lows = (
            [
                low_eight(
                    [card for card in hand if card],
                    [card for card in table if card],
                    use_hole,
                    use_board,
                )
                for hand in hands
            ]
            if hi_lo
            else None
        )
        tally.add(scores, ranking, lows, weight)
    return tally
