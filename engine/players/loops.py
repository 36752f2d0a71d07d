"""A field's compiled loop: the quick one, or the one for fields in which somebody reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.players.arrays import arrays_of
from engine.players.kernels.cards import table_of
from engine.players.kernels.features import workspace
from engine.players.kernels.match import play_field
from engine.players.kernels.reading_match import READER, play_reading_field
from engine.players.matches import Entry, rows
from engine.players.reader import found, reading_of
from engine.ruleset import Ruleset


class Loop(Protocol):
    """Plays deals with the players in every one of some orders."""

    def __call__(
        self,
        orders: NDArray[Any],
        seed: np.uint64,
        first: int,
        wins: NDArray[Any],
        counted: NDArray[Any],
    ) -> None:
        """Play as many deals as `wins` has rows, from number `first` on, and add to both."""


def loop_of(rules: Ruleset, entries: Sequence[Entry], seats: int) -> Loop:
    """The loop for a field of these players in so many seats."""
    reads = any(entry.kind == READER for entry in entries)
    reading = reading_of(rules, seats) if reads else None
    g = arrays_of(rules) if reading is None else reading.arrays
    players, nets = rows(entries)
    table, work = table_of(seats, g.rung.size), workspace(g.rung.size)
    if reading is None:

        def quick(orders: Any, seed: Any, first: int, wins: Any, counted: Any) -> None:
            play_field(g, work, players, nets, orders, table, seed, first, wins, counted)

        return quick
    seen, hands, scratch = table_of(seats, g.rung.size), reading.hands(seats), found()

    def with_readers(orders: Any, seed: Any, first: int, wins: Any, counted: Any) -> None:
        play_reading_field(
            *(g, work, reading.models, reading.reader, players, nets, orders, table, seen),
            *(hands, scratch, seed, first, wins, counted),
        )

    return with_readers
