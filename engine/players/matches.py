"""Matches in compiled loops: seating orders for a field of players, and the compiled loop.

Each deal is played in several orders, so that no player has an advantage: the order matters
more than strength, and rotating one order is not enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from math import factorial, prod
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.players.arrays import arrays_of
from engine.players.kernels.cards import round_arrays
from engine.players.kernels.features import workspace
from engine.players.kernels.match import (
    BIDS,
    BLUFFS,
    CHALLENGES,
    DECISIONS,
    FALSE,
    LOST,
    READER,
    RIGHT,
    ROUNDS,
    Readers,
    play_field,
)
from engine.players.kernels.reading import MODELS
from engine.players.networks import Entry, rows
from engine.players.reader import new_outlook, reading_of
from engine.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Habits:
    """An entry's way of playing: rates over all its seats."""

    bluffs: float  # fraction of its bids with a chance under BLUFF by its own cards
    false: float  # fraction of its bids that would not have held
    challenges: float  # fraction of its decisions that are challenges
    right: float  # fraction of its challenges that it wins
    bids: float  # bids per round
    lost: float  # fraction of its rounds that it loses


def habits_of(counted: NDArray[Any]) -> Habits:
    """Return a player's rates, from the `COUNTED` counts; a rate is 0 if its divisor is 0."""

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


ALL_UP_TO: Final = 120  # distinct orders; the number for five different players
Order = tuple[int, ...]


class Seatings:
    """The orders in which a field of players sits, for each deal.

    Player p has `counts[p]` seats. Without `duplicate`, each deal has one random order. With
    `duplicate`, each deal is played in every distinct order, if there are at most `ALL_UP_TO`;
    otherwise in one random circle, clockwise and counterclockwise, starting at each seat. So in
    each deal every player plays every hand equally often, and has each neighbour equally often to
    the left and to the right. Orders depend only on `seed` and the deal's number.
    """

    def __init__(self, counts: Sequence[int], duplicate: bool, seed: int) -> None:
        self._everyone = [player for player, seats in enumerate(counts) for _ in range(seats)]
        self._seed = seed
        self._duplicate = duplicate
        self.distinct = factorial(len(self._everyone)) // prod(map(factorial, counts))
        self.complete = duplicate and self.distinct <= ALL_UP_TO
        self._all = list(_orders(list(counts))) if self.complete else []

    @property
    def of_a_deal(self) -> int:
        """The number of matches played with each deal."""
        if not self._duplicate:
            return 1
        return self.distinct if self.complete else 2 * len(self._everyone)

    def block(self, first: int, deals: int) -> NDArray[np.int64]:
        """Return the orders of `deals` deals from `first` on: (deals, `of_a_deal`, seats)."""
        if self.complete:
            return np.array([self._all] * deals, np.int64)
        return np.array([self._draw_orders(first + number) for number in range(deals)], np.int64)

    def _draw_orders(self, deal: int) -> list[Order]:
        circle = list(self._everyone)
        numbers = _numbers(self._seed, deal)
        for last in range(len(circle) - 1, 0, -1):
            swapped = next(numbers) % (last + 1)
            circle[last], circle[swapped] = circle[swapped], circle[last]
        if not self._duplicate:
            return [tuple(circle)]
        return [
            (*way[start:], *way[:start])
            for way in (circle, circle[::-1])
            for start in range(len(circle))
        ]


def _orders(left: list[int]) -> Iterator[Order]:
    """Yield the distinct orders of `left[p]` copies of each player p."""
    if not any(left):
        yield ()
    for player, seats in enumerate(left):
        if seats:
            left[player] -= 1
            for others in _orders(left):
                yield (player, *others)
            left[player] += 1


def _numbers(seed: int, deal: int) -> Iterator[int]:
    """Yield random 32-bit numbers for the seat orders of one deal, without end."""
    at = 0
    while True:
        block = blake2b(f"seats {seed} {deal} {at}".encode()).digest()
        yield from (int.from_bytes(block[i : i + 4], "big") for i in range(0, len(block), 4))
        at += 1


def loop_of(rules: Ruleset, entries: Sequence[Entry], seats: int) -> Callable[..., None]:
    """Return `play_field` for these players, with all arguments set except the last five."""
    g = arrays_of(rules)
    players, nets = rows(entries)
    table, work, readers = round_arrays(seats, g.rung.size), workspace(g.rung.size), None
    if any(entry.kind == READER for entry in entries):
        reading, sight = reading_of(rules, seats), round_arrays(seats, g.rung.size)
        notes = np.zeros((seats, MODELS))
        readers = Readers(
            *(reading.models, reading.reader, sight, notes, reading.hands(seats), new_outlook())
        )
    return partial(play_field, g, work, players, nets, readers, table)
