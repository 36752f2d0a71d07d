"""Orders of poker hands: high, short deck, lowball and badugi, and the meaning of scores.

A raw score is `category << 20 | five ranks`, four bits per rank, the most important card first, so
that raw scores compare like hands. A deuce is written 1 and an ace 13; if aces are low (A-5
lowball) an ace is written 1 and a deuce 2; 0 is a missing card (hands of fewer than five cards). A
badugi's category is the number of its four cards that do not count, and its ranks are those of the
cards that count, aces low. The winner has the highest strength: the raw score itself, or `LOW_TOP -
raw` if the lowest hand wins.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from engine.cards import RANK_CHARS, Cards

LOW_TOP: Final = 0xFFFFFF


class HandRank(Enum):
    """The ten kinds of poker hand, then those of badugi; the value is the key used in JSON."""

    HIGH_CARD = "high_card"
    PAIR = "pair"
    TWO_PAIR = "two_pair"
    THREE = "three"
    STRAIGHT = "straight"
    FLUSH = "flush"
    FULL_HOUSE = "full_house"
    FOUR = "four"
    STRAIGHT_FLUSH = "straight_flush"
    FIVE = "five"
    ONE_CARD = "one_card"
    TWO_CARDS = "two_cards"
    THREE_CARDS = "three_cards"
    BADUGI = "badugi"

    @property
    def label(self) -> str:
        """The heading of the kind's row in a table."""
        return _LABELS.get(self, self.value.replace("_", " ").capitalize())


_LABELS: Final = {
    HandRank.THREE: "Threes",
    HandRank.FOUR: "Fours",
    HandRank.FIVE: "Five of a kind",
}
STANDARD_ORDER: Final = tuple(HandRank)[:10]
BADUGI_KINDS: Final = tuple(HandRank)[10:]
# With 36 cards a flush is rarer than a full house and is ranked above it.
SHORT_DECK_ORDER: Final = (
    *STANDARD_ORDER[:5],
    HandRank.FULL_HOUSE,
    HandRank.FLUSH,
    *STANDARD_ORDER[7:],
)
# ... and in one of two usual orders, three of a kind ranks above a straight.
SHORT_TRIPS_ORDER: Final = (
    *SHORT_DECK_ORDER[:3],
    HandRank.STRAIGHT,
    HandRank.THREE,
    *SHORT_DECK_ORDER[5:],
)


class Ranking(Enum):
    """A rule for which hand wins; the value is the word used in options and JSON."""

    HIGH = "high"
    SHORT_DECK = "shortdeck"  # flush above full house; A-6-7-8-9 is the lowest straight
    SHORT_TRIPS = "shortdeck-trips"  # the same, and three of a kind above a straight
    WORST = "worst"  # pan2's lowball: the worst hand of exactly five cards by the high ranking
    ACE_FIVE = "a5"  # aces low; straights and flushes do not count
    DEUCE_SEVEN = "27"  # aces high; straights and flushes count against the hand
    BADUGI = "badugi"  # most cards of different ranks and suits, then lowest; ace low

    @property
    def is_low(self) -> bool:
        """Whether the lowest raw score wins."""
        return self in (Ranking.WORST, Ranking.ACE_FIVE, Ranking.DEUCE_SEVEN, Ranking.BADUGI)

    @property
    def is_short(self) -> bool:
        """Whether the ranking is for the 36 cards from the six up."""
        return self in (Ranking.SHORT_DECK, Ranking.SHORT_TRIPS)

    @property
    def cards(self) -> int:
        """The number of cards in a hand: five, in badugi four."""
        return 4 if self is Ranking.BADUGI else 5

    @property
    def aces_low(self) -> bool:
        """Whether an ace ranks below the deuce."""
        return self in (Ranking.ACE_FIVE, Ranking.BADUGI)

    @property
    def code(self) -> int:
        """The number of this ranking in kernels."""
        return _CODES[self]

    @property
    def order(self) -> tuple[HandRank, ...]:
        """The kinds of hand by category number, from the lowest."""
        match self:
            case Ranking.SHORT_DECK:
                return SHORT_DECK_ORDER
            case Ranking.SHORT_TRIPS:
                return SHORT_TRIPS_ORDER
            case Ranking.BADUGI:
                return tuple(reversed(BADUGI_KINDS))
            case _:
                return STANDARD_ORDER

    @property
    def kinds(self) -> tuple[HandRank, ...]:
        """The kinds of hand in the usual order for lists, whatever their order in this ranking."""
        return BADUGI_KINDS if self is Ranking.BADUGI else STANDARD_ORDER

    @property
    def label(self) -> str:
        """The ranking in words, for a heading."""
        return _RANKING_LABELS[self]


_CODES: Final = {ranking: code for code, ranking in enumerate(Ranking)}
_RANKING_LABELS: Final = {
    Ranking.HIGH: "high",
    Ranking.SHORT_DECK: "short deck (flush beats full house, A-6-7-8-9 is a straight)",
    Ranking.SHORT_TRIPS: (
        "short deck (flush beats full house, threes beat a straight, A-6-7-8-9 is a straight)"
    ),
    Ranking.WORST: "lowball (worst hand wins)",
    Ranking.ACE_FIVE: "A-5 lowball (aces low, straights and flushes ignored)",
    Ranking.DEUCE_SEVEN: "2-7 lowball (aces high, straights and flushes count)",
    Ranking.BADUGI: "badugi (four suits, four ranks, the lowest; aces low)",
}


@dataclass(frozen=True, slots=True)
class Score:
    """The strength of a hand, its kind, and the cards that make it.

    Scores of one ranking compare by strength; `cards` are at most five, wild cards included, and
    `reads_as` has the rank that each card stands for, the most important first.
    """

    ranking: Ranking
    strength: int
    cards: Cards

    @property
    def raw(self) -> int:
        """Category and ranks, packed as the module's docstring describes."""
        return LOW_TOP - self.strength if self.ranking.is_low else self.strength

    @property
    def rank(self) -> HandRank:
        """The kind of hand."""
        return self.ranking.order[self.raw >> 20]

    @property
    def reads_as(self) -> str:
        """The ranks that count, most important first, such as "KKKAA" or "5432A"."""
        return "".join(
            RANK_CHARS[rank_index(self.ranking, nibble)]
            for nibble in (self.raw >> shift & 15 for shift in (16, 12, 8, 4, 0))
            if nibble
        )

    def __lt__(self, other: Score) -> bool:
        return self.strength < other.strength

    def __le__(self, other: Score) -> bool:
        return self.strength <= other.strength

    def __gt__(self, other: Score) -> bool:
        return self.strength > other.strength

    def __ge__(self, other: Score) -> bool:
        return self.strength >= other.strength


def rank_index(ranking: Ranking, nibble: int) -> int:
    """Return the rank (deuce 0 ... ace 12) of a non-zero nibble of a raw score."""
    return (nibble - 2) % 13 if ranking.aces_low else nibble - 1
