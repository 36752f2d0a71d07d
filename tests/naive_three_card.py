"""A slow, readable oracle for Three Card Poker, which shares no code with the engine.

Cards are numbers `ranks * suit + rank`, as in the engine, but every hand is judged from scratch.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import combinations

HIGH_CARD, PAIR, FLUSH, STRAIGHT, THREE, STRAIGHT_FLUSH = range(6)


def hand_value(hand: Iterable[int], ranks: int = 13) -> tuple[int, ...]:
    """Return a tuple that orders hands: the kind, then the ranks that break ties."""
    cards = list(hand)
    held = Counter(card % ranks for card in cards)
    by_count = sorted(held, key=lambda rank: (held[rank], rank), reverse=True)
    in_order = sorted(held)
    flush = len({card // ranks for card in cards}) == 1
    straight, top = False, in_order[-1]
    if len(held) == 3:
        if in_order == [0, 1, ranks - 1]:
            straight, top = True, 1
        elif in_order[2] - in_order[0] == 2:
            straight = True
    if straight:
        return (STRAIGHT_FLUSH if flush else STRAIGHT, top)
    if flush:
        return (FLUSH, *by_count)
    return ({1: THREE, 2: PAIR, 3: HIGH_CARD}[len(held)], *by_count)


def every_deal(ranks: int, qualifies: tuple[int, ...]) -> dict[tuple[int, ...], list[int]]:
    """Count the qualifying dealer hands that each hand beats, ties with and loses to.

    A fourth number counts the dealer hands below `qualifies`, a `hand_value`. The deck has `ranks`
    ranks.
    """
    hands = list(combinations(range(4 * ranks), 3))
    worth = {hand: hand_value(hand, ranks) for hand in hands}
    met: dict[tuple[int, ...], list[int]] = {}
    for hand in hands:
        win = tie = lose = not_qualified = 0
        for dealer in hands:
            if set(dealer) & set(hand):
                continue
            if worth[dealer] < qualifies:
                not_qualified += 1
            elif worth[dealer] < worth[hand]:
                win += 1
            elif worth[dealer] == worth[hand]:
                tie += 1
            else:
                lose += 1
        met[hand] = [win, tie, lose, not_qualified]
    return met


def payoff(player: tuple[int, ...], dealer: tuple[int, ...], qualifies: tuple[int, ...]) -> int:
    """Return what ante and play win together if the hand is played, in antes."""
    if dealer < qualifies:
        return 1
    return 2 * ((player > dealer) - (player < dealer))


def six_card_kind(cards: Iterable[int]) -> int:
    """Return the kind of the best five of six cards: 0 royal, 1 straight flush, ..., 7 for less.

    The kinds between are four, full house, flush, straight and three.
    """
    return min(_five_card_kind(five) for five in combinations(cards, 5))


def _five_card_kind(five: tuple[int, ...]) -> int:
    counts = sorted(Counter(card % 13 for card in five).values(), reverse=True)
    ranks = sorted(card % 13 for card in five)
    flush = len({card // 13 for card in five}) == 1
    straight = counts == [1] * 5 and (ranks[4] - ranks[0] == 4 or ranks == [0, 1, 2, 3, 12])
    if straight and flush:
        return 0 if ranks[0] == 8 else 1
    if counts[0] == 4:
        return 2
    if counts == [3, 2]:
        return 3
    if flush:
        return 4
    if straight:
        return 5
    return 6 if counts[0] == 3 else 7
