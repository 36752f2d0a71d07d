"""Requests to a table: who asks, from which button, at what time and under which limits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class At:
    """The state of the match that a button or form was drawn for."""

    match_id: int
    seq: int


@dataclass(frozen=True, slots=True)
class Place:
    """The place where a button was used; `message_id` is None for a private message.

    `direct_to`: the person, if the place is somebody's direct messages.
    """

    channel_id: int
    message_id: int | None
    direct_to: int | None = None


@dataclass(frozen=True, slots=True)
class Ask:
    """A request by a player.

    `at` is the state that the match must be in, `place` the place where a button was used. If
    one is None, it isn't checked.
    """

    player: int
    interaction_id: int | None
    at: At | None = None
    place: Place | None = None
    moderator: bool = False


NOBODY: Final = Ask(0, None)  # the asker of automatic events


@dataclass(frozen=True, slots=True)
class Limits:
    """Waits, and the most tables that a server and a person may have.

    Waits are in milliseconds, except `turn_seconds`, the clock of new tables. `next_round`:
    from a round's end to the next deal. `lobby`: until an idle lobby closes; None: never.
    `computers`: whether tables may have computer players. `computer_pause`: the shortest pause
    before computer players act. `tables_at_once` limits the live tables that a person hosts,
    `tables_per_hour` the tables they open; 0: no limit.
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
    """The time of a request, and what else a plan needs: limits, and a source of secrets.

    `now` is in wall-clock milliseconds; `draw_seed` gives 32 secret bytes.
    """

    now: int
    limits: Limits
    draw_seed: Callable[[], bytes]
