"""A solved strategy for a heads-up round: what a seat does after which bids with which hand.

A seat remembers its situation: the last bids made, or all of them. Bids only go up, so a set of
them tells their order. Stored is what a seat comes to by its own choices; elsewhere it does what is
safe: it challenges, or where what stands is certain it makes its likeliest bid.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

CHALLENGE: Final = 255  # beside bids in columns of actions

Chances = tuple[tuple[int | None, float], ...]  # bid (None: a challenge) and its chance; sum 1


@dataclass(frozen=True)
class Plan:
    """What one seat does. Bids and hands are places in the lists of its `Abstraction`.

    The choices in `situations[i]` (a set of bids, as bits) are those from `first[i]` up to
    `first[i + 1]`, sorted by hand; `chances` are weights. `usual[hand, 1 + bid]` is what is done
    with a hand for which there are none while the bid stands; `usual[hand, 0]` opens.
    """

    situations: NDArray[np.uint64]
    first: NDArray[np.int64]
    hands: NDArray[np.uint16]
    actions: NDArray[np.uint8]
    chances: NDArray[np.uint16]
    usual: NDArray[np.uint8]

    def at(self, situation: int, standing: int | None) -> NDArray[np.float64]:
        """The chances of what the seat does, (hands, 1 + bids): each bid, and last a challenge."""
        hands, many = self.usual.shape
        usual = self.usual[:, 0 if standing is None else 1 + standing]
        chances = np.zeros((hands, many))
        chances[np.arange(hands), np.where(usual == CHALLENGE, many - 1, usual)] = 1
        place = int(np.searchsorted(self.situations, np.uint64(situation)))
        if place < len(self.situations) and self.situations[place] == situation:
            stored = slice(self.first[place], self.first[place + 1])
            hand, action, weight = self.hands[stored], self.actions[stored], self.chances[stored]
            chances[hand] = 0
            chances[hand, np.where(action == CHALLENGE, many - 1, action)] = (
                weight / np.bincount(hand, weight)[hand]
            )
        return chances


@dataclass(frozen=True)
class Strategy:
    """Plans of the opener and of the other seat, which remember the last `memory` bids (0: all).

    Of a third last bid they may remember less, its bucket: `buckets[bid]` is the lowest bid in it,
    and stands for `bid` in a situation.
    """

    memory: int
    plans: tuple[Plan, Plan]
    buckets: NDArray[np.uint8] | None = None

    @property
    def third(self) -> NDArray[np.uint8]:
        """Which bid stands for each in a situation, once two more have been made; (bids)."""
        bids = self.plans[0].usual.shape[1] - 1
        return np.arange(bids, dtype=np.uint8) if self.buckets is None else self.buckets

    def at(self, made: Sequence[int | None], hand: int) -> Chances:
        """What the seat to act does after the bids `made`, holding hand `hand`."""
        chances = self.all_at(made)[hand]
        return tuple(
            (None if action == len(chances) - 1 else int(action), float(chances[action]))
            for action in np.flatnonzero(chances)
        )

    def all_at(self, made: Sequence[int | None]) -> NDArray[np.float64]:
        """What the seat to act does after the bids `made`, lowest first: (hands, 1 + bids).

        The challenge comes last. None is a bid that is not known, and not the last one.
        """
        known = list(made[-self.memory :])
        if len(known) > 2 and known[-2] is None:  # or another one would pass for one's own
            known[:-2] = []
        known[:-2] = [None if bid is None else int(self.third[bid]) for bid in known[:-2]]
        situation = sum(1 << bid for bid in known if bid is not None)
        return self.plans[len(made) % 2].at(situation, made[-1] if made else None)

    def columns(self) -> dict[str, NDArray[Any]]:
        """Arrays to keep, small once they are compressed; `of` reads them back."""
        kept: dict[str, NDArray[Any]] = {"memory": np.array(self.memory, np.uint8)}
        for who, plan in enumerate(self.plans):
            steps = np.diff(plan.situations, prepend=np.uint64(0))
            lengths = np.diff(plan.first).astype(np.uint16)
            kept |= {f"{who}/situations": steps, f"{who}/first": lengths}
            kept |= {f"{who}/{name}": getattr(plan, name) for name in _AS_THEY_ARE}
        return kept if self.buckets is None else kept | {"buckets": self.buckets}

    @staticmethod
    def of(kept: Mapping[str, NDArray[Any]]) -> Strategy:
        """The strategy that gave these `columns`."""
        one, other = (
            Plan(
                np.cumsum(kept[f"{who}/situations"], dtype=np.uint64),
                np.concatenate([[0], np.cumsum(kept[f"{who}/first"], dtype=np.int64)]),
                *(kept[f"{who}/{name}"] for name in _AS_THEY_ARE),
            )
            for who in (0, 1)
        )
        return Strategy(int(kept["memory"]), (one, other), kept.get("buckets"))


_AS_THEY_ARE: Final = ("hands", "actions", "chances", "usual")
