"""The decisions of a match that is over, each with what its player could see at the time.

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
