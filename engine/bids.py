"""Bids: claims about the cards that all players hold together.

A bid is data, so one rule judges the bids of every variant. `ladder` has their order, `wording`
their words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import Final

from engine.cards import Card, Cards, Rank, Suit


class Kind(StrEnum):
    """The kinds of poker hand that a bid may name; the value is the name used in keys and JSON."""

    HIGH_CARD = "high_card"
    PAIR = "pair"
    TWO_PAIR = "two_pair"
    THREE = "three"
    FLUSH = "flush"
    STRAIGHT = "straight"
    FULL_HOUSE = "full_house"
    FOUR = "four"
    STRAIGHT_FLUSH = "straight_flush"
    ROYAL_FLUSH = "royal_flush"
    FIVE = "five"

    @property
    def label(self) -> str:
        """The kind in words: `two pair`, `three of a kind`."""
        words = self.value.replace("_", " ")
        return f"{words} of a kind" if self in _OF_A_KIND else words

    @property
    def with_article(self) -> str:
        """The kind in words, after "a" where English needs one: `a flush`, `two pair`."""
        return self.label if self in (*_OF_A_KIND, Kind.TWO_PAIR) else f"a {self.label}"


_OF_A_KIND: Final = (Kind.THREE, Kind.FOUR, Kind.FIVE)

# The phrases of a kind's bids: for all top ranks (None), or for one special rank. Fields: {rank},
# {ranks} (plural), {others} (the second rank, plural), {suit}.
Phrases = Mapping[tuple[Kind, Rank | None], str]


@dataclass(frozen=True, slots=True)
class Need:
    """A demand for `count` cards out of the set `cards`."""

    cards: Cards
    count: int


@dataclass(frozen=True)
class Bid:
    """A claim that certain cards are among all cards in play.

    `needs` are the bid's demands; ValueError is raised if two of them share a card. `ranks` are the
    ranks that the bid names, the most significant first: a full house's triplet, the higher of two
    pairs. `suit` is the suit that it names, or None.
    """

    kind: Kind
    ranks: tuple[Rank, ...]
    suit: Suit | None
    needs: tuple[Need, ...]

    def __post_init__(self) -> None:
        used = Cards()
        for need in self.needs:
            if not need.cards.isdisjoint(used):
                raise ValueError(f"the classes of {self.key} overlap")
            used |= need.cards

    @cached_property
    def key(self) -> str:
        """The canonical key, such as `pair:3`, `two_pair:T,3`, `flush:8c` or `royal_flush:h`."""
        ranks = ",".join(rank.char for rank in self.ranks)
        return f"{self.kind}:{ranks}{self.suit.char if self.suit is not None else ''}"

    @cached_property
    def first_rank(self) -> Rank | None:
        """The most significant rank; None if the bid names no rank."""
        return self.ranks[0] if self.ranks else None

    def __hash__(self) -> int:
        return hash(self.key)  # equal bids have equal keys, and a text remembers its hash

    def __str__(self) -> str:
        return self.key


@dataclass(frozen=True, slots=True)
class Proof:
    """The cards that make a bid true, or the ones it lacks.

    `found` are the natural cards that count for the bid, `jokers` the jokers that replace missing
    ones. `lacking` has a `Need` for each demand that still has too few cards: the number missing,
    and the cards that would do. The bid holds if and only if `lacking` is empty.
    """

    found: Cards  # the name is part of the digests in tests/golden
    jokers: Cards
    lacking: tuple[Need, ...]

    @property
    def holds(self) -> bool:
        """Whether no card is missing."""
        return not self.lacking

    @property
    def cards(self) -> Cards:
        """All cards used, jokers included."""
        return self.found | self.jokers


def shortfall(bid: Bid, pool: Cards) -> int:
    """Return how many of the needed cards are not among the natural cards of `pool`."""
    return sum(max(0, need.count - len(pool & need.cards)) for need in bid.needs)


def holds(bid: Bid, pool: Cards) -> bool:
    """Return whether `pool` has the bid's cards, with jokers as any card."""
    return shortfall(bid, pool) <= pool.jokers


def proof(bid: Bid, pool: Cards) -> Proof:
    """Return the cards of `pool` that make `bid` true, and the needs that `pool` can't meet.

    If more cards fit than are needed, take cards up to the bid's first rank before higher
    cards. Within both groups, take the highest first.
    """
    named = bid.ranks[0] if bid.ranks else Rank.ACE
    jokers = [card for card in pool if card.is_joker]
    naturals: list[Card] = []
    stand_ins: list[Card] = []
    lacking: list[Need] = []
    for need in bid.needs:
        available = sorted(pool & need.cards, key=lambda card: (card.rank > named, -card.rank))
        picked = available[: need.count]
        naturals += picked
        short = need.count - len(picked)
        used, jokers = jokers[:short], jokers[short:]
        stand_ins += used
        if len(used) < short:
            lacking.append(Need(need.cards - pool, short - len(used)))
    return Proof(Cards.of(naturals), Cards.of(stand_ins), tuple(lacking))


def of_rank(kind: Kind, rank: Rank, count: int) -> Bid:
    """Return a bid of `count` cards of one rank: high card, or two to five of a kind."""
    return Bid(kind, (rank,), None, (Need(cards_of_rank(rank), count),))


def of_two_ranks(kind: Kind, first: tuple[Rank, int], second: tuple[Rank, int]) -> Bid:
    """Return a bid of two ranks with their counts: two pair or full house."""
    return Bid(
        kind,
        (first[0], second[0]),
        None,
        tuple(Need(cards_of_rank(rank), count) for rank, count in (first, second)),
    )


def straight(top: Rank, ranks: tuple[Rank, ...]) -> Bid:
    """Return a straight of the five `ranks`, named by its top card."""
    return Bid(Kind.STRAIGHT, (top,), None, tuple(Need(cards_of_rank(r), 1) for r in ranks))


def exactly(cards: tuple[Card, ...]) -> tuple[Need, ...]:
    """Return the needs of a bid that requires each of `cards`."""
    return tuple(Need(Cards.of([card]), 1) for card in cards)


@lru_cache(maxsize=len(Rank))
def cards_of_rank(rank: Rank) -> Cards:
    """Return the four cards of one rank."""
    return Cards.of(Card.of(rank, suit) for suit in Suit)


def cards_of_suit(suit: Suit, ranks: Iterable[Rank] = Rank) -> Cards:
    """Return the cards of one suit, of all ranks or of `ranks`."""
    return Cards.of(Card.of(rank, suit) for rank in ranks)


def straight_ranks(top: Rank) -> tuple[Rank, ...]:
    """Return the five ranks of the straight to `top`, low to high.

    The five-high straight begins with the ace. Raises ValueError for a top below the five.
    """
    if top < Rank.FIVE:
        raise ValueError(f"no straight ends at the {top.char}")
    if top is Rank.FIVE:
        return (Rank.ACE, Rank.TWO, Rank.THREE, Rank.FOUR, Rank.FIVE)
    return tuple(Rank(value) for value in range(top - 4, top + 1))
