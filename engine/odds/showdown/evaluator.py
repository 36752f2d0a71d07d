"""Score one poker hand, or many at once, and the low half of a split pot.

`evaluate` scores one hand of any size in plain Python, names its kind and finds the cards
that make it. `evaluate_many` scores an array of hands with the compiled table evaluator.

A low hand, the best five different ranks up to the eight, is a mask of eight bits, ace
first, with five of them set. Low hands are compared by their highest card, then by the
next; the lower card is better. So the smaller mask is the better hand. A player's best low
hand depends only on the low ranks of the hole cards and of the board. `low_table` has an
entry for each pair of a mask of hole ranks and a mask of board ranks.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, Final

from engine.cards import NATURAL_BITS, Card, Cards, Suit
from engine.errors import Reason, TextError
from engine.odds.loading import np
from engine.odds.showdown import scoring
from engine.odds.showdown.ranking import LOW_TOP, HandRank, Ranking, Score, rank_index

if TYPE_CHECKING:
    from numpy.typing import NDArray

NO_LOW: Final = 256
LOW_RANKS: Final = 0xFF
_FIVE: Final = 5


@cache
def low_table(usable_private: int, usable_public: int) -> NDArray[np.uint16]:
    """Return the best low hands, indexed by `hole mask << 8 | board mask`; `NO_LOW` means none.

    A low hand may have at most `usable_private` hole cards and `usable_public` board cards.
    """
    mask = np.arange(256)
    hole, board = mask[:, None], mask[None, :]
    used = np.bitwise_count(mask.astype(np.uint8))
    apart = (hole & board) == 0
    fits = (used[:, None] <= usable_private) & (used[None, :] <= usable_public)
    whole = used[:, None] + used[None, :] == _FIVE
    best = np.where(apart & fits & whole, hole | board, NO_LOW).ravel()
    # A hand need not use all its ranks: for each bit, take the better of using it and not.
    pairs = np.arange(1 << 16)
    for bit in 1 << np.arange(16):
        best = np.minimum(best, np.where(pairs & bit, best[pairs & ~bit], NO_LOW))
    return best.astype(np.uint16)


def best_low(hole: Cards, board: Cards, usable_private: int, usable_public: int) -> int:
    """Return the best low hand of one player as a mask, `NO_LOW` if there is none."""
    table = low_table(usable_private, usable_public)
    return int(table[_low_ranks(hole) << 8 | _low_ranks(board)])


def _low_ranks(cards: Cards) -> int:
    """Return the ranks from ace to eight among the cards, as eight bits with the ace lowest."""
    return sum({1 << (card.rank + 1) % 13 for card in cards.naturals}) & LOW_RANKS


_SUITED: Final = (HandRank.FLUSH, HandRank.STRAIGHT_FLUSH)


def evaluate(cards: Cards, wild: Cards = Cards(), ranking: Ranking = Ranking.HIGH) -> Score:
    """Return the best hand that `cards` make; jokers and the cards in `wild` are wild.

    High rankings take any number of cards; fewer than five make no straight and no flush. Lowball
    uses exactly five of the cards; badugi uses up to four. Raises `TextError` for fewer than five
    cards in lowball, and for wild cards or no cards in badugi.
    """
    if not ranking.is_low:
        strength = raw_score(cards, wild, ranking)
        return Score(ranking, strength, _making(cards, wild, ranking, strength))
    if ranking is Ranking.BADUGI:
        return _badugi(cards, wild)
    if len(cards) < ranking.cards:
        raise TextError(
            str(cards),
            Reason("lowball needs five cards, got {given}", given=len(cards)),
            '"7h 5d 4c 3s 2h"',
        )
    raw, five = min(
        (
            (raw_score(Cards.of(five), wild, ranking), Cards.of(five))
            for five in combinations(cards, ranking.cards)
        ),
        key=lambda scored: scored[0],
    )
    return Score(ranking, LOW_TOP - raw, five)


def _badugi(cards: Cards, wild: Cards) -> Score:
    """Return the best badugi in any number of cards, with the cards that it uses.

    Raises `TextError` for wild cards, jokers or no cards.
    """
    if cards.jokers or cards & wild or not cards:
        raise TextError(
            str(cards), Reason("badugi is played with natural cards only"), '"7h 5d 4c 2s"'
        )
    raw = raw_score(cards, wild, Ranking.BADUGI)
    counted = 4 - (raw >> 20)
    making = next(
        Cards.of(some)
        for some in combinations(cards, counted)
        if raw_score(Cards.of(some), wild, Ranking.BADUGI) == raw
    )
    return Score(Ranking.BADUGI, LOW_TOP - raw, making)


def raw_score(cards: Cards, wild: Cards, ranking: Ranking) -> int:
    """Return the raw score of `cards`, as the module `ranking` defines it.

    Lowball needs exactly five cards; badugi takes any number.
    """
    plain = cards.naturals - wild
    clubs, diamonds, hearts, spades = (plain.suit_mask(suit) for suit in Suit)
    wilds = len(cards) - len(plain)
    match ranking:
        case Ranking.ACE_FIVE:
            return scoring.ace_five(clubs, diamonds, hearts, spades, wilds)
        case Ranking.DEUCE_SEVEN:
            return scoring.deuce_seven(clubs, diamonds, hearts, spades, wilds)
        case Ranking.BADUGI:
            return scoring.badugi(clubs, diamonds, hearts, spades)
        case _:
            order = 0 if ranking is Ranking.WORST else ranking.code
            return scoring.high(clubs, diamonds, hearts, spades, wilds, order)


def _making(cards: Cards, wild: Cards, ranking: Ranking, raw: int) -> Cards:
    """Return the cards that make up a high hand's raw score, naturals before wild ones."""
    plain = cards.naturals - wild
    spare = list(cards - plain)
    needed_ranks = [
        rank_index(ranking, nibble)
        for nibble in (raw >> shift & 15 for shift in (16, 12, 8, 4, 0))
        if nibble
    ]
    suits: tuple[tuple[Suit, ...], ...] = (tuple(reversed(Suit)),)
    if ranking.order[raw >> 20] in _SUITED:
        suits = tuple((suit,) for suit in reversed(Suit))
    best: list[Card] = []
    for allowed in suits:
        chosen: list[Card] = []
        for rank in needed_ranks:
            numbers = (13 * suit + rank for suit in allowed)
            held = (Card(number) for number in numbers if plain.bits >> number & 1)
            natural = next((card for card in held if card not in chosen), None)
            if natural is not None:
                chosen.append(natural)
        if len(chosen) >= len(best):
            best = chosen
    return Cards.of([*best, *spare[: len(needed_ranks) - len(best)]])


def evaluate_many(
    hands: NDArray[np.integer], ranking: Ranking = Ranking.HIGH
) -> NDArray[np.uint16]:
    """Return the table evaluator's scores of many hands without wild cards.

    Each row of `hands` has 5, 6 or 7 different card numbers from 0 to 51. The result has one dense
    score per row; higher is better. Scores of hands of different sizes can be compared, scores of
    different rankings can't. `rank_of_dense` gives a score's kind of hand. Raises ValueError for a
    lowball ranking, numbers out of range or another shape; a card given twice is not detected.
    """
    from engine.odds.showdown import score_tables
    from engine.odds.showdown.kernels import score as kernels_score

    if ranking.is_low:
        raise ValueError("the table evaluator knows the high and short-deck rankings")
    if hands.ndim != 2 or not 5 <= hands.shape[1] <= 7:
        raise ValueError(f"expected rows of 5, 6 or 7 cards, got the shape {hands.shape}")
    wide = hands.dtype != np.uint8  # bytes are checked during scoring
    if wide and hands.size and (hands.min() < 0 or hands.max() > 51):
        raise ValueError("card numbers are 0 to 51")
    scores = np.empty(hands.shape[0], np.uint16)
    columns = np.ascontiguousarray(hands, dtype=np.uint8)
    if columns.shape[1] == 7:
        rows = columns.view(score_tables.SEVEN)[:, 0]
        pairs = score_tables.pair_keys()
        natural = kernels_score.score_sevens(columns, rows, pairs, ranking.code, scores)
    else:
        natural = kernels_score.score_rows(columns, ranking.code, scores)
    if not natural:
        raise ValueError("card numbers are 0 to 51")
    return scores


def rank_of_dense(score: int, ranking: Ranking = Ranking.HIGH) -> HandRank:
    """Return the kind of hand that a dense score of `evaluate_many` stands for."""
    from engine.odds.showdown import score_tables

    return ranking.order[int(score_tables.RAW[ranking.code][score]) >> 20]


def seven_card_classes(
    deck: Cards = Cards(NATURAL_BITS), ranking: Ranking = Ranking.HIGH
) -> NDArray[np.int64]:
    """Return how many seven-card hands of `deck` have each dense score.

    The index is the dense score of `evaluate_many`. Jokers are left out. `ranking` must not be
    lowball.
    """
    from engine.odds.showdown import score_tables
    from engine.odds.showdown.kernels import score as kernels_score

    cards = np.array(sorted(card.number for card in deck.naturals), np.uint8)
    totals = np.zeros(len(score_tables.RAW[ranking.code]), np.int64)
    for first in range(len(cards) - 6):
        for second in range(first + 1, len(cards) - 5):
            kernels_score.count_sevens(cards, first, second, ranking.code, totals)
    return totals
