"""Decks: which cards a game is played with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from engine.cards import MAX_JOKERS, Card, Cards, Rank, Suit
from engine.errors import RulesetError


@dataclass(frozen=True)
class DeckSpec:
    """A deck: every rank in every suit, and some jokers. Ranks and suits go from low to high.

    Raises RulesetError if there are no cards, or more jokers than a set of cards has room for.
    """

    ranks: tuple[Rank, ...] = tuple(Rank)
    suits: tuple[Suit, ...] = tuple(Suit)
    jokers: int = 0

    def __post_init__(self) -> None:
        if not self.ranks or not self.suits:
            raise RulesetError("a deck needs at least one rank and one suit")
        if not 0 <= self.jokers <= MAX_JOKERS:
            raise RulesetError(f"a deck has 0 to {MAX_JOKERS} jokers, not {self.jokers}")

    @cached_property
    def order(self) -> tuple[Card, ...]:
        """Every card, in the order in which a shuffle starts: by card number, jokers last."""
        naturals = (Card.of(rank, suit) for suit in self.suits for rank in self.ranks)
        jokers = (Card.joker(index) for index in range(self.jokers))
        return (*sorted(naturals), *jokers)

    @cached_property
    def cards(self) -> Cards:
        """Every card, as a set."""
        return Cards.of(self.order)

    @property
    def size(self) -> int:
        """How many cards the deck has."""
        return len(self.order)
