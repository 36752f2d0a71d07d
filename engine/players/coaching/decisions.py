"""The decisions of a match that is over, each with what its player could see at the time, and what
the coach says of one.

Plain values without arrays: they are made in the bot's own process and sent to where they are
judged (`advising`). Each decision has a seed of its own, drawn from its round's seal and its place
in the log, so that the same match is always judged by the same luck.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from engine.actions import Action, Challenge, MakeBid
from engine.odds.chance import Chance
from engine.play import apply
from engine.players.memory import Memory, Shown, remember
from engine.players.position import Position, observe
from engine.state import Match
from engine.view import view

CHARACTER: Final = "sharp"  # whose answer a decision is compared with


@dataclass(frozen=True, slots=True)
class Decision:
    """A bid or a challenge: action number `seq` of its match (from 1), decided from `position`."""

    seq: int
    position: Position
    action: MakeBid | Challenge


def decisions_of(first: Match, actions: Iterable[Action]) -> tuple[Decision, ...]:
    """Every bid and every challenge of a match, from its state before the first action.

    Raises `RuleViolation` where an action breaks a rule.
    """
    match, memory = first, Memory(CHARACTER, 0)
    found: list[Decision] = []
    for action in actions:
        memory = remember(memory, view(match))
        after = apply(match, action)  # what the rules refuse is no decision
        if isinstance(action, MakeBid | Challenge):
            position = position_of(match, action.seat, memory.shown)
            assert position is not None  # who acted had something to decide
            found.append(Decision(after.seq, position, action))
        match = after
    return tuple(found)


def position_of(match: Match, seat: int, shown: tuple[Shown, ...]) -> Position | None:
    """What `seat` decides from, with the luck of this decision; None if it has nothing to decide.

    `shown` are the rounds of the match that have ended.
    """
    seal = match.round.commitment if match.round is not None else ""
    about = f"coach {match.seq} {seal}".encode()
    seed = int.from_bytes(hashlib.sha256(about).digest()[:8], "big")
    return observe(view(match, seat), Memory(CHARACTER, seed, shown))


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
