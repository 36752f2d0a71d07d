"""How the hands of ranges are drawn: seat by seat, with weights where all anew would take for ever.

A seat draws some hands of its range and takes the first that shares no card with the seats before.
Which part of those that were drawn did so is what the deal's weight is multiplied by: on average
that is the chance of a hand that fits, so every set of different hands counts as often as its
weights say, however the seats stand in each other's way. (The weights of M. N. and A. W.
Rosenbluth, 1955, with an estimate in place of the count.) A deal in which somebody finds no hand
is drawn anew. Where hardly any is, every seat draws once, and all deals weigh the same.

A hand that weighs little may be the one that leaves the others theirs. So half of the hands of a
range with weights are drawn as if it had none, and a hand's weight over how often it is drawn is
a factor of the deal's.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, prod
from typing import TYPE_CHECKING, Any, Final

from engine.odds.showdown.ranges import Range
from engine.odds.showdown.scenario import Scenario

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FAIR_CHANCE: Final = 0.05  # that hands drawn all at once share no card: below, seats draw in turn
_FITTING: Final = 8  # hands of each draw that are to fit
_MOST_TRIES: Final = 1024
_PILOTS: Final = 512
_PILOT_TRIES: Final = 64
_FRACTION: Final = 2.0**-53


@dataclass(frozen=True, slots=True)
class HandSampler:
    """The hands of all ranges, and how each player draws.

    `chance` is about how often hands that are drawn all at once share no card. `arrays` is what
    `kernels.deal.sample_deals` takes: the seats with ranges in the order in which they draw;
    per player where the hands begin and how many they are (none without a range), the way in which
    they are drawn, how many are tried, and by what those that fit are multiplied; the hands, and
    the running sums of a range's weights, empty if all are even.
    """

    chance: float
    arrays: tuple[NDArray[Any], ...]

    @property
    def tries(self) -> int:
        """How many hands of ranges are drawn for a deal in which every seat finds one."""
        _, _, sizes, _, tries, *_ = self.arrays
        return int(tries[sizes > 0].sum())

    @property
    def weighs(self) -> bool:
        """Whether the deals differ in weight."""
        return self.chance < FAIR_CHANCE


@dataclass(frozen=True, slots=True)
class _Hands:
    """A range's hands that can be held, and the running sums of their weights, None if even."""

    bits: NDArray[np.uint64]
    sums: NDArray[np.uint64] | None


def hand_sampler(scenario: Scenario) -> HandSampler:
    """How the ranges of `scenario` are drawn. The same scenario is always drawn in the same way."""
    import numpy as np

    from engine.odds.showdown.kernels.deal import HALVES, WEIGHED

    found: dict[int, _Hands] = {}  # by identity: players with the same range share its hands
    of_seat: dict[int, _Hands] = {}
    for seat, held in enumerate(scenario.players):
        if isinstance(held, Range):
            if id(held) not in found:
                found[id(held)] = _hands(scenario, seat)
            of_seat[seat] = found[id(held)]
    order = sorted(of_seat, key=lambda seat: len(of_seat[seat].bits))
    in_order = [of_seat[seat] for seat in order]
    chance = prod(fits for fits, _ in _pilot(in_order, halves=False))
    seen = _pilot(in_order, halves=True) if chance < FAIR_CHANCE else [(1.0, 1)] * len(order)
    players = len(scenario.players)
    begins, sizes = np.zeros(players, np.int64), np.zeros(players, np.int64)
    ways, tries = np.zeros(players, np.int64), np.ones(players, np.int64)
    scales = np.ones(players)
    places, at = {}, 0
    for one in found.values():
        places[id(one)] = at
        at += len(one.bits)
    for seat, own, (fits, tried) in zip(order, in_order, seen, strict=True):
        begins[seat], sizes[seat] = places[id(own)], len(own.bits)
        if own.sums is not None:
            ways[seat] = HALVES if chance < FAIR_CHANCE else WEIGHED
        tries[seat] = tried
        scales[seat] = 1 / (tried * fits)
    none = np.zeros(0, np.uint64)
    combos = np.concatenate([none, *(one.bits for one in found.values())])
    weighed = [one.sums if one.sums is not None else one.bits for one in found.values()]
    sums = np.concatenate(weighed) if ways.any() else none
    return HandSampler(
        chance, (np.array(order, np.int64), begins, sizes, ways, tries, scales, combos, sums)
    )


def _hands(scenario: Scenario, seat: int) -> _Hands:
    import numpy as np

    held = scenario.players[seat]
    if not (isinstance(held, Range) and held.weights):
        return _Hands(np.array(scenario.combos(seat), np.uint64), None)
    bits, weights = (np.array(some, np.uint64) for some in scenario.weighed(seat))
    return _Hands(bits, None if (weights == weights[:1]).all() else np.cumsum(weights))


def _tries(fits: float) -> int:
    """How many hands a seat draws of which that part fits beside those before it.

    The part of the tries that fit then differs from deal to deal by about a third at most.
    """
    return min(_MOST_TRIES, max(1, ceil(_FITTING * (1 - fits) / fits)))


def _pilot(hands: list[_Hands], *, halves: bool) -> list[tuple[float, int]]:
    """About which part of each range fits beside hands of those before it, and how many to try.

    A few hundred deals are drawn side by side: those in which a seat finds no hand are replaced
    by others, in proportion to what they found.
    """
    import numpy as np

    from engine.odds.showdown.kernels.draw import STEP, mixed

    counters = np.arange(1, 2 * _PILOTS * _PILOT_TRIES + 1, dtype=np.uint64)
    taken = np.zeros(_PILOTS, np.uint64)
    told = []
    for number, own in enumerate(hands):
        words = mixed((counters + np.uint64(number << 32)) * STEP)  # type: ignore[no-untyped-call]
        chance, coin = np.split((words >> np.uint64(11)).astype(np.float64) * _FRACTION, 2)
        places = (chance * len(own.bits)).astype(np.intp)
        if own.sums is not None:
            by_weight = np.searchsorted(own.sums, chance * float(own.sums[-1]), side="right")
            places = np.where((coin < 0.5) & halves, places, by_weight)
        drawn = own.bits[places].reshape(_PILOTS, _PILOT_TRIES)
        free = drawn & taken[:, None] == 0
        fits = float(free.mean())
        if not fits:
            told.append((1 / _MOST_TRIES**2, _MOST_TRIES))
            continue
        told.append((fits, _tries(fits)))
        found = np.cumsum(free.sum(axis=1))
        steps = (np.arange(_PILOTS) + 0.5) / _PILOTS * found[-1]
        chosen = np.searchsorted(found, steps, side="right")
        taken = taken[chosen] | drawn[chosen, free[chosen].argmax(axis=1)]
    return told
