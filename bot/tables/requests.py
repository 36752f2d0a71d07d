"""Requests to a table: who asks, drawn for which state; and when, within which limits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class At:
    """The state that a button or form was drawn for."""

    match_id: int
    seq: int


@dataclass(frozen=True, slots=True)
class Place:
    """Where a control was used; `message_id` is None on a private message.

    `letter_to`: whose direct messages that is in.
    """

    channel_id: int
    message_id: int | None
    letter_to: int | None = None


@dataclass(frozen=True, slots=True)
class Ask:
    """Who asks, by which interaction, for which state and where (None: whatever is current)."""

    player: int
    interaction_id: int | None
    at: At | None = None
    place: Place | None = None
    moderator: bool = False


NOBODY: Final = Ask(0, None)  # asks for what happens by itself


@dataclass(frozen=True, slots=True)
class Limits:
    """How long things wait, in milliseconds, and how many tables a guild has, and a person.

    `lobby`: None for as long as somebody may yet start. `turn_seconds` is the clock of new tables.
    `computers`: whether tables may have computer players. `computer_pause` is the shortest they
    wait before they act. `tables_at_once` are live ones that a person hosts, `tables_per_hour`
    those that they open; 0: as many as they like.
    """

    next_round: int
    lobby: int | None
    turn_seconds: int
    tables_per_guild: int
    computers: bool = True
    computer_pause: int = 1200
    tables_at_once: int = 0
    tables_per_hour: int = 0


@dataclass(frozen=True, slots=True)
class Moment:
    """When a request is judged, and what a plan has of the world: limits, and fresh secrets.

    `now` is in wall-clock milliseconds; `draw_seed` gives 32 secret bytes.
    """

    now: int
    limits: Limits
    draw_seed: Callable[[], bytes]
