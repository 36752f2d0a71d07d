"""A field's compiled loop: the quick one, or the one for fields in which somebody reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.players.arrays import RuleArrays, arrays_of
from engine.players.kernels.cards import table_of
from engine.players.kernels.features import workspace
from engine.players.kernels.match import play_field
from engine.players.kernels.reading_match import READER, play_reading_field
from engine.players.matches import Entry, rows
from engine.players.reader import Reading, found, reading_of
from engine.players.seatings import Seatings
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
    if any(entry.kind == READER for entry in entries):
        return reading_loop(reading_of(rules, seats), entries, seats)
    return quick_loop(arrays_of(rules), entries, seats)


def quick_loop(g: RuleArrays, entries: Sequence[Entry], seats: int) -> Loop:
    """The loop for a field in which nobody reads."""
    players, nets = rows(entries)
    table, work = table_of(seats, g.rung.size), workspace(g.rung.size)

    def quick(orders: Any, seed: Any, first: int, wins: Any, counted: Any) -> None:
        play_field(g, work, players, nets, orders, table, seed, first, wins, counted)

    return quick


def reading_loop(reading: Reading, entries: Sequence[Entry], seats: int) -> Loop:
    """The loop for any field; all who read do so by `reading`."""
    g = reading.arrays
    players, nets = rows(entries)
    table, seen = table_of(seats, g.rung.size), table_of(seats, g.rung.size)
    work, hands, scratch = workspace(g.rung.size), reading.hands(seats), found()

    def with_readers(orders: Any, seed: Any, first: int, wins: Any, counted: Any) -> None:
        play_reading_field(
            *(g, work, reading.models, reading.reader, players, nets, orders, table, seen),
            *(hands, scratch, seed, first, wins, counted),
        )

    return with_readers


def play_deals(
    loop: Loop,
    seatings: Seatings,
    seed: int,
    first: int,
    wins: NDArray[Any],
    counted: NDArray[Any],
) -> None:
    """Play a deal for each row of `wins`, from number `first` on, in its orders; add to both."""
    deals = len(wins)
    blocks = seatings.block(first, deals)
    step = max(1, deals) if seatings.complete else 1  # drawn orders differ from deal to deal
    with np.errstate(over="ignore"):  # wrapping is meant; only seen with the JIT off
        for at in range(0, deals, step):
            own = wins[at : at + step]
            loop(blocks[at], np.uint64(seed << 32), first + at, own, counted)
