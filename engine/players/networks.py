"""Compiled players: the simple players, and networks, which play by weights.

Weights are shipped with the package: `weights/index.json` has each game's file, its SHA-256 and how
it was trained. A game without weights of its own uses the fallback game's: a network's inputs are
chances, which mean the same in every game.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import IO, Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.errors import EngineError
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
from engine.players.kernels.features import BID, FIRST, STATE
from engine.players.kernels.network import (
    DOUBT_LINEAR_AT,
    DOUBT_UNITS,
    LINEAR_AT,
    UNITS,
    WEIGHTS,
)

CUT: Final = 0.05  # drop choices below this fraction of the top one
SENSIBLE: Final = 0.03
MANY: Final = 40
ALL: Final = 1 << 20  # no game has so many bids

SETS: Final = 2  # sets of weights: for three or more live seats, and for heads-up
OWN_CHANCE: Final = LINEAR_AT  # index of the weight of a bid's chance by the seat's own cards
OWN_CARDS: Final = LINEAR_AT + 8  # index of the weight of own cards in the bid
DOUBT: Final = DOUBT_LINEAR_AT  # index of the bias of the challenge


class WeightsError(EngineError, ValueError):
    """Invalid weights or a damaged file of weights; `str()` of the error is a sentence to show."""


@dataclass(frozen=True, eq=False)
class Entry:
    """A compiled player: one of the kinds of `kernels.deciding`, or `kernels.match.READER`.

    `parameter` is a threshold. A network drops a choice whose chance is below this fraction of
    its top choice's chance. `sensible` and `many` decide which bids a network considers
    (`kernels.features.look`). `weights`, (SETS * WEIGHTS,), are a network's. The first set is
    for three or more live seats, the second for heads-up.
    """

    kind: int
    parameter: float = 0.0
    weights: Floats = field(default_factory=lambda: np.zeros(0, np.float32))
    sensible: float = SENSIBLE
    many: int = MANY

    def row(self) -> tuple[float, ...]:
        """Return the player as the `PLAYER` numbers that kernels take."""
        return (self.kind, self.parameter, self.sensible, self.many)

    def with_temper(self, own_chance: float, own_cards: float, doubt: float) -> Entry:
        """Return this network with each number added to one weight in every set of weights.

        `own_chance` changes the weight of a bid's chance by own cards, `own_cards` the weight of
        own cards in the bid, and `doubt` the bias of the challenge.
        """
        weights = self.weights.copy()
        for of_set in weights.reshape(SETS, WEIGHTS):
            of_set[OWN_CHANCE] += own_chance
            of_set[OWN_CARDS] += own_cards
            of_set[DOUBT] += doubt
        return replace(self, weights=weights)


BASELINES: Final[dict[str, Entry]] = {
    "random": Entry(RANDOM),
    "truthful": Entry(TRUTHFUL),
    "hider": Entry(HIDER),
    "threshold": Entry(THRESHOLD, 0.4),
    "careful": Entry(CAREFUL),
}


def rows(entries: Sequence[Entry]) -> tuple[NDArray[np.float64], Floats]:
    """Return the entries as arrays for kernels: (entries, PLAYER), and (entries, weights)."""
    size = max((entry.weights.size for entry in entries), default=0) or 1
    nets = np.zeros((len(entries), size), np.float32)
    for place, entry in enumerate(entries):
        if entry.weights.size:
            nets[place] = entry.weights
    players = np.array([entry.row() for entry in entries], np.float64)
    return players.reshape(-1, PLAYER), nets


def network_from(weights: NDArray[Any]) -> Entry:
    """Return the network with these weights: two sets, or one set for any number of seats.

    A single set may also have the layout of the first networks. Raises WeightsError for any other
    array.
    """
    flat = np.asarray(weights)
    if flat.ndim == 1 and flat.dtype == np.float32 and np.isfinite(flat).all():
        if flat.size == SETS * WEIGHTS:
            return Entry(NETWORK, CUT, flat.copy())
        if flat.size == WEIGHTS:
            return Entry(NETWORK, CUT, np.tile(flat, SETS))
        if flat.size == sum(rows * width for rows, width in _blocks(FIRST, FIRST)):
            return Entry(NETWORK, CUT, np.tile(_widen(flat), SETS), sensible=0.02, many=ALL)
    raise WeightsError(
        f"these are no weights of a network: expected {SETS * WEIGHTS} numbers of type float32, or"
        f" {WEIGHTS} for any number of seats, got {flat.dtype} in the shape {flat.shape}."
        " Example: those that `python -m benchmarks.train_players` writes"
    )


def _blocks(state: int, bid: int) -> tuple[tuple[int, int], ...]:
    """Return the shapes (rows, columns) of a network's weights, given its numbers of inputs."""
    return (
        *((state, UNITS), (bid, UNITS), (1, UNITS), (1, UNITS), (bid, 1)),
        *((state, DOUBT_UNITS), (1, DOUBT_UNITS), (1, DOUBT_UNITS), (state, 1)),
    )


def _widen(first: Floats) -> Floats:
    """Return the weights of an early network in today's layout, with 0 for missing inputs."""
    blocks = []
    at = 0
    for (rows, width), (all_rows, _) in zip(
        _blocks(FIRST, FIRST), _blocks(STATE, BID), strict=True
    ):
        block = np.zeros((all_rows, width), np.float32)
        block[:rows] = first[at : at + rows * width].reshape(rows, width)
        at += rows * width
        blocks.append(block.ravel())
    return np.concatenate(blocks)


@cache
def index() -> dict[str, Any]:
    """Return the index of the shipped networks.

    Its `networks` maps a game's key to the `file`, its `sha256` and the training recipe;
    `fallback` is the key of the game whose network plays all games without a network.
    """
    text = files("engine.players").joinpath("weights/index.json").read_text("utf-8")
    read: dict[str, Any] = json.loads(text)
    return read


@cache
def network_of(game: str) -> Entry:
    """Return the network of the game with this key, or else the fallback game's.

    Raises WeightsError for a damaged file.
    """
    shipped = index()["networks"]
    entry = shipped.get(game) or shipped[index()["fallback"]]
    with shipped_file(entry) as file:
        return network_from(np.load(file))


def shipped_file(entry: Mapping[str, Any]) -> IO[bytes]:
    """Open the `file` of an entry of the index. Raises WeightsError if its digest is wrong."""
    source = files("engine.players").joinpath("weights", entry["file"])
    if hashlib.sha256(source.read_bytes()).hexdigest() != entry["sha256"]:
        raise WeightsError(f"the weights in {entry['file']} are not those that were shipped")
    return source.open("rb")
