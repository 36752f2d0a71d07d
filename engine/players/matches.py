"""Fields of compiled players, measured on duplicate deals in every seating.

Who sits after whom matters more than strength, so each deal is played in all orders of the field.
A deal with all its seatings is one observation: its matches depend on each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import factorial, prod, sqrt
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.players.arrays import Floats, Ints, RuleArrays
from engine.players.kernels.cards import random_bits, table_of
from engine.players.kernels.deciding import (
    CAREFUL,
    HIDER,
    NETWORK,
    PLAYER,
    RANDOM,
    THRESHOLD,
    TRUTHFUL,
)
from engine.players.kernels.features import workspace
from engine.players.kernels.match import (
    BIDS,
    BLUFFS,
    CHALLENGES,
    COUNTED,
    DECISIONS,
    FALSE,
    LOST,
    RIGHT,
    ROUNDS,
    play_field,
)
from engine.players.networks import Network

SURE: Final = 1.96  # standard errors to either side that hold 95 %
MOST_SEATINGS: Final = 720  # of a larger number of orders so many are drawn


@dataclass(frozen=True, eq=False)
class Entry:
    """A compiled player: one of the kinds of `kernels.deciding`.

    `parameter` is a threshold, or below which share of its top choice a network drops a choice;
    `sensible` and `many` say which bids a network considers (`kernels.features.look`), `weights`
    are a network's.
    """

    kind: int
    parameter: float = 0.0
    weights: Floats | None = None
    sensible: float = 0.03
    many: int = 40

    def row(self) -> tuple[float, ...]:
        """The player's numbers, as kernels take them."""
        return (self.kind, self.parameter, self.sensible, self.many)


BASELINES: Final[dict[str, Entry]] = {
    "random": Entry(RANDOM),
    "truthful": Entry(TRUTHFUL),
    "hider": Entry(HIDER),
    "threshold": Entry(THRESHOLD, 0.4),
    "careful": Entry(CAREFUL),
}


def entry_of(network: Network) -> Entry:
    """The entry that a network makes."""
    return Entry(NETWORK, network.cut, network.weights, network.sensible, network.many)


def rows(entries: Sequence[Entry]) -> tuple[NDArray[np.float64], Floats]:
    """The entries as kernels take them: (entries, PLAYER) numbers and (entries, weights)."""
    size = max((entry.weights.size for entry in entries if entry.weights is not None), default=1)
    nets = np.zeros((len(entries), size), np.float32)
    for place, entry in enumerate(entries):
        if entry.weights is not None:
            nets[place] = entry.weights
    players = np.array([entry.row() for entry in entries], np.float64)
    return players.reshape(-1, PLAYER), nets


def seatings(counts: Sequence[int], seed: int = 1) -> Ints:
    """Orders in which `counts[e]` copies of each entry e can sit: (orders, seats).

    All distinct ones if there are at most `MOST_SEATINGS`, else so many drawn by `seed`.
    """
    orders = factorial(sum(counts)) // prod(map(factorial, counts))
    if orders <= MOST_SEATINGS:
        return np.array(list(_orders(list(counts))), np.int64)
    everyone = [entry for entry, count in enumerate(counts) for _ in range(count)]
    rng = np.array([seed], np.uint64)
    drawn = np.empty((MOST_SEATINGS, len(everyone)), np.int64)
    with np.errstate(over="ignore"):  # wrapping is meant; only seen with the JIT off
        for order in drawn:
            order[:] = everyone
            for last in range(len(order) - 1, 0, -1):
                other = int(random_bits(rng)) % (last + 1)
                order[last], order[other] = order[other], order[last]
    return drawn


def _orders(left: list[int]) -> Iterator[tuple[int, ...]]:
    if not any(left):
        yield ()
    for entry, count in enumerate(left):
        if count:
            left[entry] -= 1
            for rest in _orders(left):
                yield (entry, *rest)
            left[entry] += 1


@dataclass(frozen=True, slots=True)
class Habits:
    """How an entry played: rates over all its seats."""

    bluffs: float  # of its bids, those with a chance under BLUFF by its own cards
    false: float  # of its bids, those that would not have held
    challenges: float  # of its decisions
    right: float  # of its challenges
    bids: float  # a round
    lost: float  # of its rounds


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

    `wins` has a row a deal, (deals, entries); `played` is how many matches that makes.
    """

    def __init__(
        self, g: RuleArrays, entries: Sequence[Entry], counts: Sequence[int], seed: int = 1
    ) -> None:
        self._g, self._seed, self._counts = g, np.uint64(seed) << np.uint64(32), tuple(counts)
        self._players, self._nets = rows(entries)
        self._seatings = seatings(counts, seed)
        self._table = table_of(sum(counts), g.rung.size)
        self._work = workspace(g.rung.size)
        self.wins = np.zeros((0, len(entries)))
        self.stats = np.zeros((len(entries), COUNTED))

    @property
    def seatings(self) -> int:
        """How many matches a deal makes."""
        return len(self._seatings)

    @property
    def played(self) -> int:
        """How many matches have been played."""
        return len(self.wins) * self.seatings

    def play(self, deals: int) -> None:
        """Play so many further deals, each in every seating. Compiled; lets go of the lock."""
        won = np.zeros((deals, self.wins.shape[1]))
        with np.errstate(over="ignore"):
            play_field(
                *(self._g, self._work, self._players, self._nets, self._seatings, self._table),
                *(self._seed, len(self.wins), won, self.stats),
            )
        self.wins = np.concatenate([self.wins, won])

    def scores(self) -> tuple[Score, ...]:
        """How the entries did, in their order. Needs a deal that was played."""
        return tuple(self._score(entry) for entry in range(len(self._counts)))

    def _score(self, entry: int) -> Score:
        shares = self.wins[:, entry] / self.seatings
        share = float(shares.mean())
        spread = float(shares.std(ddof=1)) if len(shares) > 1 else 1.0
        half = SURE * spread / sqrt(len(shares))
        seats, everybody = self._counts[entry], sum(self._counts)
        return Score(
            seats=seats,
            wins=float(self.wins[:, entry].sum()),
            share=share,
            low=max(0.0, share - half),
            high=min(1.0, share + half),
            fair=seats / everybody,
            habits=habits_of(self.stats[entry]),
        )


def habits_of(counted: NDArray[Any]) -> Habits:
    """Rates from counts; 0 where nothing was counted."""

    def rate(part: int, whole: int) -> float:
        return float(counted[part] / counted[whole]) if counted[whole] else 0.0

    return Habits(
        bluffs=rate(BLUFFS, BIDS),
        false=rate(FALSE, BIDS),
        challenges=rate(CHALLENGES, DECISIONS),
        right=rate(RIGHT, CHALLENGES),
        bids=rate(BIDS, ROUNDS),
        lost=rate(LOST, ROUNDS),
    )
