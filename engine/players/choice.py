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
    """A bid, a challenge, or None: a seat that may challenge out of turn lets the bid stand."""

    action: MakeBid | Challenge | None

    @staticmethod
    def bid(position: Position, bid: Bid) -> Choice:
        """That the position's seat makes `bid`."""
        return Choice(MakeBid(position.seat, bid.key))

    @staticmethod
    def challenge(position: Position) -> Choice:
        """That the position's seat challenges the standing bid."""
        return Choice(Challenge(position.seat))


LETS_IT_STAND = Choice(None)
