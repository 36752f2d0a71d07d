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
from engine.players.memory import Memory, remember
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
        if isinstance(action, MakeBid | Challenge):
            position = _position(match, action.seat, memory)
            after, _ = apply(match, action)  # raises for what is not allowed: before it is kept
            if position is not None:
                found.append(Decision(after.seq, position, action))
            match = after
        else:
            match, _ = apply(match, action)
    return tuple(found)


def _position(match: Match, seat: int, memory: Memory) -> Position | None:
    """What `seat` decided from; None where a forged log asks a seat that has nothing to decide."""
    current = match.round
    if current is None or not 0 <= seat < len(match.seats):
        return None
    about = f"coach {match.seq} {current.commitment}".encode()
    seed = int.from_bytes(hashlib.sha256(about).digest()[:8], "big")
    return observe(view(match, seat), Memory(memory.character, seed, memory.shown))
