"""What the coach says of a decision, as facts: plain values that need no arrays to be read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.odds.chance import Chance

ASKED: Final = 5  # times the sharp player is asked: it draws among what it likes


@dataclass(frozen=True, slots=True)
class Tried:
    """An action that was tried: a bid's key, or None for the challenge (or, out of turn, `waits`).

    `wins` is the chance to win the match after it, 0 to 1. `sharp` is how many times of `ASKED` the
    sharp player chose it.
    """

    key: str | None
    wins: float
    sharp: int
    waits: bool = False


@dataclass(frozen=True, slots=True)
class Advice:
    """What the coach says of one decision; `seq` is its action's number in the log.

    `chance` is exact, by the caller's own cards, and `estimate` (0 to 1) goes by the bids before as
    well: both are of the bid that was made, or of the one that was challenged. `cost` is by how
    much the chance to win the match was lower after `done` than after `best`: 0 if nothing that was
    tried is better. `error` is how far off this difference may be: what is smaller is none.
    """

    seq: int
    seat: int
    chance: Chance
    estimate: float
    done: Tried
    best: Tried
    sharp: Tried
    error: float
    tried: tuple[Tried, ...]

    @property
    def cost(self) -> float:
        """How much match-winning chance the decision cost, 0 to 1; never negative."""
        return self.best.wins - self.done.wins

    @property
    def clear(self) -> bool:
        """Whether the cost is more than what it may be off."""
        return self.cost > self.error
