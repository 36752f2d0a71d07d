"""A slow, readable oracle for bids, kinds of hands and their chances.

It uses no needs and no classes of cards: every hand is listed card by card, a joker stands for any
card that is missing, and a chance is found by trying every deal.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations

from engine.bids import Bid, Kind, straight_ranks
from engine.cards import Card, Cards, DeckSpec, Rank, Suit

Pool = tuple[Card, ...]
Spelt = tuple[frozenset[Card], int]


def chance_by_trying(
    hands: Iterable[Pool], deck: DeckSpec, in_play: int, known: Cards
) -> tuple[int, int]:
    """Return how many deals have one of `hands`, and how many deals there are.

    A deal is `in_play` cards that include `known`. A hand may have a card twice (for a fifth king):
    only a joker can stand for the second copy.
    """
    spelt = [spelt_out(hand) for hand in hands]
    unseen = sorted(deck.cards - known)
    good = total = 0
    for drawn in combinations(unseen, in_play - len(known)):
        total += 1
        good += is_there(spelt, (*known, *drawn))
    return good, total


def spelt_out(hand: Pool) -> Spelt:
    """Return the different cards of `hand`, and the number of further copies."""
    different = frozenset(hand)
    return different, len(hand) - len(different)


def is_there(spelt: Iterable[Spelt], pool: Pool) -> bool:
    """Return whether `pool` has one of the hands, if jokers replace the missing cards."""
    jokers = sum(card.is_joker for card in pool)
    present = set(pool)
    return any(len(hand - present) + repeated <= jokers for hand, repeated in spelt)


def hands_of_bid(bid: Bid, deck: DeckSpec, flush_card: str = "in_play") -> list[Pool]:
    """Return every set of natural cards that makes `bid` hold, from its kind, ranks and suit."""
    first = bid.ranks[0] if bid.ranks else Rank.ACE
    match bid.kind:
        case Kind.TWO_PAIR:
            return list(_joins(_of_rank(deck, first, 2), _of_rank(deck, bid.ranks[1], 2)))
        case Kind.FULL_HOUSE:
            return list(_joins(_of_rank(deck, first, 3), _of_rank(deck, bid.ranks[1], 2)))
        case Kind.STRAIGHT:
            return list(_straights(deck, first))
        case Kind.FLUSH:
            assert bid.suit is not None
            suit = [card for card in deck.order if not card.is_joker and card.suit == bid.suit]
            return [
                hand
                for hand in combinations(suit, 5)
                if not bid.ranks
                or (
                    Card.of(first, bid.suit) in hand
                    and (flush_card == "in_play" or max(card.rank for card in hand) == first)
                )
            ]
        case Kind.STRAIGHT_FLUSH if not bid.ranks:
            assert bid.suit is not None
            return [_run(Rank.KING, bid.suit), _run(Rank.ACE, bid.suit)]
        case Kind.STRAIGHT_FLUSH:
            assert bid.suit is not None
            return [_run(first, bid.suit)]
        case Kind.ROYAL_FLUSH:
            assert bid.suit is not None
            return [_run(Rank.ACE, bid.suit)]
        case _:
            counts = {Kind.HIGH_CARD: 1, Kind.PAIR: 2, Kind.THREE: 3, Kind.FOUR: 4, Kind.FIVE: 5}
            return _of_rank(deck, first, counts[bid.kind])


def hands_of_kind(kind: Kind, deck: DeckSpec) -> list[Pool]:
    """Return every set of natural cards that is a hand of `kind`."""
    tops = [top for top in deck.ranks if _has_straight(deck, top)]
    match kind:
        case Kind.TWO_PAIR:
            pairs = combinations(deck.ranks, 2)
            return [
                hand
                for high, low in pairs
                for hand in _joins(_of_rank(deck, high, 2), _of_rank(deck, low, 2))
            ]
        case Kind.FULL_HOUSE:
            return [
                hand
                for triple in deck.ranks
                for pair in deck.ranks
                if triple != pair
                for hand in _joins(_of_rank(deck, triple, 3), _of_rank(deck, pair, 2))
            ]
        case Kind.STRAIGHT:
            return [hand for top in tops for hand in _straights(deck, top)]
        case Kind.FLUSH:
            return [
                hand
                for suit in deck.suits
                for hand in combinations([Card.of(rank, suit) for rank in deck.ranks], 5)
            ]
        case Kind.STRAIGHT_FLUSH:
            return [_run(top, suit) for top in tops for suit in deck.suits]
        case Kind.ROYAL_FLUSH:
            return [_run(Rank.ACE, suit) for suit in deck.suits if Rank.ACE in tops]
        case _:
            counts = {Kind.HIGH_CARD: 1, Kind.PAIR: 2, Kind.THREE: 3, Kind.FOUR: 4, Kind.FIVE: 5}
            return [hand for rank in deck.ranks for hand in _of_rank(deck, rank, counts[kind])]


def _of_rank(deck: DeckSpec, rank: Rank, count: int) -> list[Pool]:
    """Return the sets of `count` cards of one rank; if the deck has fewer, repeat a card."""
    cards = [Card.of(rank, suit) for suit in deck.suits]
    if count > len(cards):
        return [tuple(cards) + (cards[0],) * (count - len(cards))]
    return list(combinations(cards, count))


def _joins(firsts: list[Pool], seconds: list[Pool]) -> Iterator[Pool]:
    return (first + second for first in firsts for second in seconds)


def _has_straight(deck: DeckSpec, top: Rank) -> bool:
    return top >= Rank.FIVE and set(straight_ranks(top)) <= set(deck.ranks)


def _straights(deck: DeckSpec, top: Rank) -> Iterator[Pool]:
    hands: list[Pool] = [()]
    for rank in straight_ranks(top):
        hands = [(*hand, Card.of(rank, suit)) for hand in hands for suit in deck.suits]
    return iter(hands)


def _run(top: Rank, suit: Suit) -> Pool:
    return tuple(Card.of(rank, suit) for rank in straight_ranks(top))
