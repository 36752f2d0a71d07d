"""Compiled players of a field, as kernels take them, and the habits that are counted of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.players.arrays import Floats
from engine.players.kernels.deciding import (
    CAREFUL,
    HIDER,
    NETWORK,
    PLAYER,
    RANDOM,
    THRESHOLD,
    TRUTHFUL,
)
from engine.players.kernels.match import (
    BIDS,
    BLUFFS,
    CHALLENGES,
    DECISIONS,
    FALSE,
    LOST,
    RIGHT,
    ROUNDS,
)
from engine.players.networks import Network


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


@dataclass(frozen=True, slots=True)
class Habits:
    """How an entry played: rates over all its seats."""

    bluffs: float  # of its bids, those with a chance under BLUFF by its own cards
    false: float  # of its bids, those that would not have held
    challenges: float  # of its decisions
    right: float  # of its challenges
    bids: float  # a round
    lost: float  # of its rounds


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
