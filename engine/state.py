"""The state of a match: frozen values, made only by `play`.

Seats are numbered from 0 in the order of joining; "to the left" is the next higher number, around
the table. A round stays in the state after its end, with its outcome, until the next deal.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.bids import Bid, Proof
from engine.cards import Cards
from engine.ruleset import Ruleset


class SeatStatus(StrEnum):
    """The status of a seat's player in the match."""

    IN = "in"
    OUT = "out"  # exceeded the card limit, or was outdone when another player did
    FORFEITED = "forfeited"


class Phase(StrEnum):
    """The stage of a match: waiting for a deal, in a round's bidding, or over."""

    DEAL = "deal"
    BIDDING = "bidding"
    OVER = "over"


class Cause(StrEnum):
    """The reason for a forfeit: the player wanted it, was dropped, or was absent for too long."""

    WISH = "wish"
    DROPPED = "dropped"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class Seat:
    """A player's seat. `cards` is the number of hole cards that the player gets in a deal."""

    player: int
    cards: int
    standing: SeatStatus = SeatStatus.IN

    @property
    def live(self) -> bool:
        """Whether the player is still in the match."""
        return self.standing is SeatStatus.IN


@dataclass(frozen=True, slots=True)
class MadeBid:
    """A bid and the seat that made it."""

    seat: int
    bid: Bid


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a round.

    After a showdown, `challenger` and `proof` are set. `loser` is None if the bid failed and its
    bidder has left the match: no player gets a card. If the round ended without a showdown, because
    only one player was left, all three are None.
    """

    challenger: int | None
    proof: Proof | None
    loser: int | None
    eliminated: bool  # the loser exceeded the card limit


@dataclass(frozen=True, slots=True)
class Judgement:
    """The judgement of a showdown: the challenger, the bid that they challenged, and its proof."""

    challenger: int
    standing: MadeBid
    proof: Proof


@dataclass(frozen=True, slots=True)
class Round:
    """A round, from its deal to its end.

    `hands` has one entry for each seat, empty if the seat got no cards.
    """

    number: int
    commitment: str
    shuffle_version: int
    opener: int
    hands: tuple[Cards, ...]
    middle: Cards
    turn: int
    bids: tuple[MadeBid, ...] = ()
    outcome: Outcome | None = None  # None while the bidding goes on

    @property
    def standing(self) -> MadeBid | None:
        """The latest bid; None until the opener bids."""
        return self.bids[-1] if self.bids else None

    @property
    def judgement(self) -> Judgement | None:
        """The judgement of the showdown; None before it, or if the round ended without one."""
        match self.outcome, self.standing:
            case Outcome(challenger=int(challenger), proof=Proof() as proof), MadeBid() as standing:
                return Judgement(challenger, standing, proof)
        return None

    @property
    def pool(self) -> Cards:
        """All cards in play."""
        bits = self.middle.bits
        for cards in self.hands:
            bits |= cards.bits
        return Cards(bits)


@dataclass(frozen=True, slots=True)
class Match:
    """A whole match.

    `opener` is the seat that opens the next round; None if the first deal draws it. `seq` counts
    the actions applied so far: the log's length.
    """

    ruleset: Ruleset
    seats: tuple[Seat, ...]
    opener: int | None
    seq: int = 0
    round: Round | None = None
    winner: int | None = None

    @property
    def phase(self) -> Phase:
        """The stage of the match."""
        if self.winner is not None:
            return Phase.OVER
        if self.round is None or self.round.outcome is not None:
            return Phase.DEAL
        return Phase.BIDDING

    @property
    def live(self) -> tuple[int, ...]:
        """The seats still in the match."""
        return tuple(number for number, seat in enumerate(self.seats) if seat.live)

    def seat_of(self, player: int) -> int | None:
        """Return the number of the seat of `player`; None if they have none."""
        for number, seat in enumerate(self.seats):
            if seat.player == player:
                return number
        return None
