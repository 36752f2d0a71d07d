"""Chances as exact fractions of deals, and the error for questions without an answer."""

from __future__ import annotations

from dataclasses import dataclass

from engine.cards import Card, Cards, DeckSpec
from engine.errors import EngineError, Reason


class OddsError(EngineError, ValueError):
    """A question about odds that cannot be answered.

    `reason` says what is wrong, `example` is a value that works. `str()` of the error joins both
    into the text to show.
    """

    def __init__(self, reason: str, example: str) -> None:
        super().__init__(f"{reason}. Example: {example}")
        self.reason = reason
        self.example = example


@dataclass(frozen=True, slots=True)
class Chance:
    """An exact chance: `favourable` of `total` equally likely deals.

    Raises ValueError if `total` is 0, or `favourable` is not from 0 to `total`.
    """

    favourable: int
    total: int

    def __post_init__(self) -> None:
        if not 0 <= self.favourable <= self.total or self.total == 0:
            raise ValueError(f"{self.favourable} of {self.total} is no chance")

    @property
    def probability(self) -> float:
        """The chance as a float, 0 to 1."""
        return self.favourable / self.total

    def above(self, level: float) -> bool:
        """Return whether the chance is greater than `level`, compared exactly."""
        numerator, denominator = level.as_integer_ratio()
        return self.favourable * denominator > numerator * self.total

    def __str__(self) -> str:
        return f"{self.favourable}/{self.total}"


def check_question(deck: DeckSpec, in_play: int, known: Cards) -> None:
    """Raise `OddsError` unless `in_play` cards of `deck` can include all `known` cards.

    At least one card must be in play.
    """
    if not 1 <= in_play <= deck.size:
        raise OddsError(
            Reason(
                "1 to {most} cards of this deck can be in play, not {given}",
                most=deck.size,
                given=in_play,
            ),
            str(min(12, deck.size)),
        )
    foreign = known - deck.cards
    if foreign.naturals:
        strange = next(iter(foreign.naturals))
        low, high = deck.ranks[0].label, deck.ranks[-1].label
        raise OddsError(
            Reason(
                "{card} isn't in this {number}-card deck, which runs from {low} to {high}",
                card=strange,
                number=deck.size,
                low=low,
                high=high,
            ),
            f'"{_some_cards(deck)}"',
        )
    if foreign:
        reason = (
            Reason("this deck has only {number} jokers", number=deck.jokers)
            if deck.jokers
            else Reason("this deck has no jokers")
        )
        raise OddsError(reason, f'"{_some_cards(deck)}"')
    if len(known) > in_play:
        raise OddsError(
            Reason(
                "you know {number} cards, so at least that many must be in play, not {given}",
                number=len(known),
                given=in_play,
            ),
            str(min(max(12, len(known)), deck.size)),
        )


def _some_cards(deck: DeckSpec) -> str:
    top, below = deck.ranks[-1], deck.ranks[-2:][0]
    high, low = deck.suits[-1], deck.suits[0]
    return f"{Card.of(top, high)} {Card.of(below, low)}"
