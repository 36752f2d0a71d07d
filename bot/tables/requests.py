"""Requests to a table: who asks for what, drawn for which state; and the limits they meet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from bot.tables.records import DeadlineKind


@dataclass(frozen=True, slots=True)
class At:
    """The state that a button or form was drawn for."""

    match_id: int
    seq: int


@dataclass(frozen=True, slots=True)
class Place:
    """The message on which a control was used."""

    channel_id: int
    message_id: int


@dataclass(frozen=True, slots=True)
class Ask:
    """Who asks, by which interaction, for which state and from where (None: whatever is current).

    `redraws`: the answer to this request redraws the table's message, so nobody else needs to.
    """

    player: int
    interaction_id: int | None
    at: At | None = None
    place: Place | None = None
    moderator: bool = False
    redraws: bool = False


@dataclass(frozen=True, slots=True)
class Limits:
    """How long things wait, in milliseconds (None: for ever), and how many tables a guild has."""

    next_round: int
    lobby: int | None
    turn: int | None
    tables_per_guild: int

    def wait(self, kind: DeadlineKind) -> int | None:
        """How long until what `kind` stands for happens by itself."""
        match kind:
            case DeadlineKind.LOBBY:
                return self.lobby
            case DeadlineKind.TURN:
                return self.turn
            case DeadlineKind.NEXT_ROUND:
                return self.next_round
            case _:
                assert_never(kind)
