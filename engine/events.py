"""Events: what the table must be told after an action. Facts; sentences are made at the edge."""

from __future__ import annotations

from dataclasses import dataclass

from engine.bids import Bid, Proof
from engine.state import Cause


@dataclass(frozen=True, slots=True)
class RoundDealt:
    """A round began."""

    number: int
    opener: int
    commitment: str


@dataclass(frozen=True, slots=True)
class BidMade:
    """A bid stands now."""

    seat: int
    bid: Bid


@dataclass(frozen=True, slots=True)
class Shown:
    """A challenge was answered: all cards are shown and the bid is judged."""

    challenger: int
    bidder: int
    bid: Bid
    proof: Proof


@dataclass(frozen=True, slots=True)
class CardGained:
    """The loser of the round holds `cards` cards from the next round on."""

    seat: int
    cards: int


@dataclass(frozen=True, slots=True)
class Eliminated:
    """The loser of the round would exceed the card limit and is out of the match."""

    seat: int
    limit: int


@dataclass(frozen=True, slots=True)
class Outdone:
    """A player is out with the first who is: they hold `cards` cards, and others hold fewer."""

    seat: int
    cards: int


@dataclass(frozen=True, slots=True)
class Forfeited:
    """A player left the match."""

    seat: int
    cause: Cause


@dataclass(frozen=True, slots=True)
class TurnPassed:
    """Another seat is to act because the one in turn left."""

    seat: int


@dataclass(frozen=True, slots=True)
class MatchWon:
    """One player is left."""

    seat: int


Event = (
    RoundDealt
    | BidMade
    | Shown
    | CardGained
    | Eliminated
    | Outdone
    | Forfeited
    | TurnPassed
    | MatchWon
)
