"""Matches in compiled loops: who sits where, and the loop for a field.

Each deal is played in several orders of the seats, so that no player has the better ones: who sits
after whom matters more than strength, and to move everybody on by a seat is not enough.
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
from engine.players.kernels.cards import table_of
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
from engine.players.reader import found, reading_of
from engine.ruleset import Ruleset


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


ALL_UP_TO: Final = 120  # distinct orders, as many as five different players have
Order = tuple[int, ...]


class Seatings:
    """The orders in which a field of players sits, deal by deal.

    `counts[p]` seats are player p's. Without `duplicate` each deal has one order, drawn at random.
    With it each deal is played in every distinct order, if there are at most `ALL_UP_TO`; else in
    a circle drawn at random, from its left and from its right, begun at each seat. So in each deal
    everybody plays every hand equally often, and has each neighbour as often to the left as to
    the right. What is drawn depends on `seed` and the deal's number alone.
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
        """How many matches each deal makes."""
        if not self._duplicate:
            return 1
        return self.distinct if self.complete else 2 * len(self._everyone)

    def block(self, first: int, deals: int) -> NDArray[np.int64]:
        """The orders of `deals` deals from number `first` on: (deals, `of_a_deal`, seats)."""
        if self.complete:
            return np.array([self._all] * deals, np.int64)
        return np.array([self._drawn(first + number) for number in range(deals)], np.int64)

    def _drawn(self, deal: int) -> list[Order]:
        circle = list(self._everyone)
        numbers = _numbers(self._seed, deal)
        for last in range(len(circle) - 1, 0, -1):
            other = next(numbers) % (last + 1)
            circle[last], circle[other] = circle[other], circle[last]
        if not self._duplicate:
            return [tuple(circle)]
        return [
            (*way[start:], *way[:start])
            for way in (circle, circle[::-1])
            for start in range(len(circle))
        ]


def _orders(left: list[int]) -> Iterator[Order]:
    """Every distinct order of `left[p]` copies of each p."""
    if not any(left):
        yield ()
    for player, seats in enumerate(left):
        if seats:
            left[player] -= 1
            for rest in _orders(left):
                yield (player, *rest)
            left[player] += 1


def _numbers(seed: int, deal: int) -> Iterator[int]:
    """Random numbers of 32 bits, as many as are wanted."""
    at = 0
    while True:
        block = blake2b(f"seats {seed} {deal} {at}".encode()).digest()
        yield from (int.from_bytes(block[i : i + 4], "big") for i in range(0, len(block), 4))
        at += 1


def loop_of(rules: Ruleset, entries: Sequence[Entry], seats: int) -> Callable[..., None]:
    """The compiled loop of a field: `play_field` but for its last five arguments."""
    g = arrays_of(rules)
    players, nets = rows(entries)
    table, work, readers = table_of(seats, g.rung.size), workspace(g.rung.size), None
    if any(entry.kind == READER for entry in entries):
        reading, seen = reading_of(rules, seats), table_of(seats, g.rung.size)
        notes = np.zeros((seats, MODELS))
        readers = Readers(
            *(reading.models, reading.reader, seen, notes, reading.hands(seats), found())
        )
    return partial(play_field, g, work, players, nets, readers, table)
