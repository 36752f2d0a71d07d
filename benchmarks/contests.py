"""Fields of compiled players, measured on duplicate deals in the orders of `seatings`.

A deal with all its seatings is one observation: its matches depend on each other. `Simulation` is
the same for players by name; here they are entries, such as networks in training.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.players.arrays import RuleArrays
from engine.players.kernels.match import COUNTED
from engine.players.matches import (
    Entry,
    Habits,
    Seatings,
    habits_of,
    play_deals,
    quick_loop,
    reading_loop,
)
from engine.players.reader import Reading
from engine.players.simulation import interval


@dataclass(frozen=True, slots=True)
class Score:
    """An entry's share of all matches, won by any of its seats, with a 95 % interval.

    `seats` is how many it had; `fair` the share that equal players would have.
    """

    seats: int
    wins: float
    share: float
    low: float
    high: float
    fair: float
    habits: Habits


class Contest:
    """A field of entries at one table, `counts[e]` seats for each; deals are added as it goes.

    `wins` has a row a deal, (deals, entries); `stats` the counts of each entry; `played` is how
    many matches that makes. Entries that read, if there are any, do so by `reading`, which must be
    one of the same rules.
    """

    def __init__(
        self,
        g: RuleArrays,
        entries: Sequence[Entry],
        counts: Sequence[int],
        seed: int = 1,
        reading: Reading | None = None,
    ) -> None:
        seats = sum(counts)
        self._loop = (
            reading_loop(reading, entries, seats)
            if reading is not None
            else quick_loop(g, entries, seats)
        )
        self._seed, self._counts = seed, tuple(counts)
        self._seatings = Seatings(counts, duplicate=True, seed=seed)
        self.wins = np.zeros((0, len(entries)))
        self.stats = np.zeros((len(entries), COUNTED))

    @property
    def seatings(self) -> int:
        """How many matches a deal makes."""
        return self._seatings.of_a_deal

    @property
    def played(self) -> int:
        """How many matches have been played."""
        return len(self.wins) * self.seatings

    def play(self, deals: int) -> None:
        """Play so many further deals. Compiled; lets go of the lock."""
        won = np.zeros((deals, self.wins.shape[1]))
        play_deals(self._loop, self._seatings, self._seed, len(self.wins), won, self.stats)
        self.wins = np.concatenate([self.wins, won])

    def scores(self) -> tuple[Score, ...]:
        """How the entries did, in their order. Raises ValueError before the first deal."""
        return tuple(self._score(entry) for entry in range(len(self._counts)))

    def _score(self, entry: int) -> Score:
        share, low, high = interval(self.wins[:, entry] / self.seatings)
        seats = self._counts[entry]
        return Score(
            seats=seats,
            wins=float(self.wins[:, entry].sum()),
            share=share,
            low=low,
            high=high,
            fair=seats / sum(self._counts),
            habits=habits_of(self.stats[entry]),
        )
