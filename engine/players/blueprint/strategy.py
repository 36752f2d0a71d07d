"""A solved strategy for a heads-up round: the chance of each action, by hand and the bids so far.

A situation is the set of bids that a seat remembers: the last few, or all. Bids only go up, so the
set gives their order. Only situations that a seat's own choices can lead to are stored. In any
other situation the seat plays safe: it challenges, or makes its likeliest bid if the standing bid
is certain.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

CHALLENGE: Final = 255  # stands for a challenge in columns of actions, next to bids

# (bid or None for a challenge, its chance); chances add up to 1
Chances = tuple[tuple[int | None, float], ...]


@dataclass(frozen=True)
class Plan:
    """One seat's strategy. Bids and hands are indexes in the lists of its `Abstraction`.

    `hands`, `actions` and `chances` have one entry for each stored choice; `chances` are weights.
    The choices in `situations[i]` (a set of bids, as bits) begin at index `first[i]` and are sorted
    by hand. Where no choice is stored for a hand, `usual[hand, 1 + bid]` is the choice while `bid`
    stands, and `usual[hand, 0]` the opening bid.
    """

    situations: NDArray[np.uint64]
    first: NDArray[np.int64]
    hands: NDArray[np.uint16]
    actions: NDArray[np.uint8]
    chances: NDArray[np.uint16]
    usual: NDArray[np.uint8]

    def at(self, situation: int, standing: int | None) -> NDArray[np.float64]:
        """Return the chances of the seat's actions, (hands, bids + 1), with the challenge last.

        `standing` is the standing bid, None for the opening.
        """
        hands, columns = self.usual.shape
        usual = self.usual[:, 0 if standing is None else 1 + standing]
        chances = np.zeros((hands, columns))
        chances[np.arange(hands), np.where(usual == CHALLENGE, columns - 1, usual)] = 1
        place = int(np.searchsorted(self.situations, np.uint64(situation)))
        if place < len(self.situations) and self.situations[place] == situation:
            stored = slice(self.first[place], self.first[place + 1])
            hand, action, weight = self.hands[stored], self.actions[stored], self.chances[stored]
            chances[hand] = 0
            chances[hand, np.where(action == CHALLENGE, columns - 1, action)] = (
                weight / np.bincount(hand, weight)[hand]
            )
        return chances


@dataclass(frozen=True)
class Strategy:
    """Plans of the opener and of the other seat, which remember the last `memory` bids (0: all).

    A bucket is a range of bids. With `buckets`, only the bucket of the third last bid is
    remembered: `buckets[bid]`, the bucket's lowest bid, replaces `bid`.
    """

    memory: int
    plans: tuple[Plan, Plan]
    buckets: NDArray[np.uint8] | None = None

    @property
    def third(self) -> NDArray[np.uint8]:
        """The bid that a situation has in place of each possible third last bid, (bids,)."""
        bids = self.plans[0].usual.shape[1] - 1
        return np.arange(bids, dtype=np.uint8) if self.buckets is None else self.buckets

    def at(self, history: Sequence[int | None], hand: int) -> Chances:
        """Return each action of the seat in turn after `history`, with its chance.

        `hand` is the number of the seat's hand. An action is a bid, or None for a challenge;
        actions that the seat never takes are left out.
        """
        chances = self.all_at(history)[hand]
        return tuple(
            (None if action == len(chances) - 1 else int(action), float(chances[action]))
            for action in np.flatnonzero(chances)
        )

    def all_at(self, history: Sequence[int | None]) -> NDArray[np.float64]:
        """Return the chances of each action after `history`, shape (hands, bids + 1).

        The bids come first, the challenge last. In `history`, None is a bid that the abstraction
        leaves out; it may not be the last one.
        """
        known = list(history[-self.memory :])
        # otherwise an older bid would be mistaken for the seat's own
        if len(known) > 2 and known[-2] is None:
            known[:-2] = []
        known[:-2] = [None if bid is None else int(self.third[bid]) for bid in known[:-2]]
        situation = sum(1 << bid for bid in known if bid is not None)
        return self.plans[len(history) % 2].at(situation, history[-1] if history else None)

    def columns(self) -> dict[str, NDArray[Any]]:
        """Return the strategy as named arrays to store; `of` rebuilds it."""
        arrays: dict[str, NDArray[Any]] = {"memory": np.array(self.memory, np.uint8)}
        for side, plan in enumerate(self.plans):
            steps = np.diff(plan.situations, prepend=np.uint64(0))
            lengths = np.diff(plan.first).astype(np.uint16)
            arrays |= {f"{side}/situations": steps, f"{side}/first": lengths}
            arrays |= {f"{side}/{name}": getattr(plan, name) for name in _AS_THEY_ARE}
        return arrays if self.buckets is None else arrays | {"buckets": self.buckets}

    @staticmethod
    def of(columns: Mapping[str, NDArray[Any]]) -> Strategy:
        """Return the strategy stored as these `columns`."""
        opener, second = (
            Plan(
                np.cumsum(columns[f"{side}/situations"], dtype=np.uint64),
                np.concatenate([[0], np.cumsum(columns[f"{side}/first"], dtype=np.int64)]),
                *(columns[f"{side}/{name}"] for name in _AS_THEY_ARE),
            )
            for side in (0, 1)
        )
        return Strategy(int(columns["memory"]), (opener, second), columns.get("buckets"))


_AS_THEY_ARE: Final = ("hands", "actions", "chances", "usual")
