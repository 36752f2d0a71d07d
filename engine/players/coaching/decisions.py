"""The decisions of a finished match, each with its player's view, and the coach's advice.

These are plain values without arrays: the bot's own process creates them, and sends them to the
process that judges them (`advising`). Each decision has its own seed, made from its round's seal
and its place in the log, so that the same match is always judged with the same random numbers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from engine.actions import Action, Challenge, MakeBid
from engine.odds.chance import Chance
from engine.play import apply
from engine.players.memory import Memory, ShownRound, remember
from engine.players.position import Position, observe
from engine.state import Match
from engine.view import view_of

CHARACTER: Final = "sharp"  # the player that decisions are compared with


@dataclass(frozen=True, slots=True)
class Decision:
    """A bid or a challenge: action number `seq` of its match (from 1), decided from `position`."""

    seq: int
    position: Position
    action: MakeBid | Challenge


def decisions_of(first: Match, actions: Iterable[Action]) -> tuple[Decision, ...]:
    """Return the bids and challenges of a log. `first` is the match before the first action.

    Raises `RuleViolation` if an action breaks a rule.
    """
    match, memory = first, Memory(CHARACTER, 0)
    decisions: list[Decision] = []
    for action in actions:
        memory = remember(memory, view_of(match))
        after = apply(match, action)  # first, since an action that the rules refuse is no decision
        if isinstance(action, MakeBid | Challenge):
            position = position_of(match, action.seat, memory.rounds)
            assert position is not None  # the seat acted, so it had something to decide
            decisions.append(Decision(after.seq, position, action))
        match = after
    return tuple(decisions)


def position_of(match: Match, seat: int, rounds: tuple[ShownRound, ...]) -> Position | None:
    """Return the position from which `seat` decides, with a seed made for this decision.

    None if the seat has nothing to decide. `rounds` are the ended rounds of the match.
    """
    seal = match.round.commitment if match.round is not None else ""
    about = f"coach {match.seq} {seal}".encode()
    seed = int.from_bytes(hashlib.sha256(about).digest()[:8], "big")
    return observe(view_of(match, seat), Memory(CHARACTER, seed, rounds))


ASKED: Final = 5  # how often to ask the sharp player, which draws among the actions it likes


@dataclass(frozen=True, slots=True)
class Tried:
    """An action that the coach tried: the bid with `key`, or a challenge if `key` is None.

    If `waits`, it isn't the player's turn and they don't challenge the bid; `key` is None too.
    `wins` is the chance to win the match after the action, 0 to 1. `sharp` is how many times
    out of `ASKED` the sharp player chose it.
    """

    key: str | None
    wins: float
    sharp: int
    waits: bool = False


@dataclass(frozen=True, slots=True)
class Advice:
    """The coach's advice on one decision; `seq` is its action's number in the log.

    `chance` is exact, given the player's own cards; `estimate` (0 to 1) uses the earlier bids as
    well. Both are for the bid that was made or challenged. `chosen` is the player's action, `best`
    the best action in `tried`, `sharp` the action that the sharp player chose most often. `cost` is
    the difference between `best` and `chosen` in the chance to win the match; a cost up to `error`
    counts as none.
    """

    seq: int
    seat: int
    chance: Chance
    estimate: float
    chosen: Tried
    best: Tried
    sharp: Tried
    error: float
    tried: tuple[Tried, ...]

    @property
    def cost(self) -> float:
        """The chance to win the match that the decision gave away, 0 to 1."""
        return self.best.wins - self.chosen.wins

    @property
    def clear(self) -> bool:
        """Whether the cost is greater than its error."""
        return self.cost > self.error
