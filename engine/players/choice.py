"""What a computer player has chosen."""

from __future__ import annotations

from dataclasses import dataclass

from engine.actions import Challenge, MakeBid
from engine.bids import Bid
from engine.errors import EngineError
from engine.players.position import Position


class BadChoice(EngineError):
    """A player chose what the rules do not allow; `str()` of it says who and what."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A bid, a challenge, or None: a seat that may challenge out of turn lets the bid stand.

    `entropy` is how open the choice was, in nats (0: there was no doubt). A pause may depend on it,
    and nothing here tells whether a bid is a bluff.
    """

    action: MakeBid | Challenge | None
    entropy: float = 0.0

    @staticmethod
    def bid(position: Position, bid: Bid, entropy: float = 0.0) -> Choice:
        """That the position's seat makes `bid`."""
        return Choice(MakeBid(position.seat, bid.key), entropy)

    @staticmethod
    def challenge(position: Position, entropy: float = 0.0) -> Choice:
        """That the position's seat challenges the standing bid."""
        return Choice(Challenge(position.seat), entropy)


LETS_IT_STAND = Choice(None)
