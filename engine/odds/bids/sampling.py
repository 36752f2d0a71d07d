"""Chances by sampling: a check of the exact counts, and the answer if there is no closed form.

Deals are numbered, and a deal's cards depend only on the seed and its number (counter-based random
numbers), so the answer is the same for any number of threads. Every sampled pool is judged by the
rule of the showdown: jokers replace the cards that a bid's classes lack.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import sqrt
from threading import Event
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.bids import Kind
from engine.cards import Cards
from engine.errors import Reason
from engine.odds.bids.exact import NOTHING_KNOWN
from engine.odds.bids.kernels import count_groups, random_bits
from engine.odds.chance import OddsError, check_question
from engine.ruleset import Ruleset

BLOCK: Final = 1 << 14  # deals that a thread judges in one job
MOST_SAMPLES: Final = 10**9


@dataclass(frozen=True, slots=True)
class Estimate:
    """The outcome of a sample: `hits` of `samples` random deals."""

    hits: int
    samples: int

    @property
    def probability(self) -> float:
        """The share of deals that hit."""
        return self.hits / self.samples

    @property
    def standard_error(self) -> float:
        """The estimated standard deviation of `probability`.

        Never 0: a share of 0 or 1 is treated as if half a deal had gone the other way.
        """
        share = min(max(self.hits, 0.5), self.samples - 0.5) / self.samples
        return sqrt(share * (1 - share) / self.samples)


@dataclass(frozen=True, slots=True)
class Trial:
    """The settings of a sample: `samples` deals of the stream `seed`, on `threads` threads.

    Raises `OddsError` unless there are 1 to `MOST_SAMPLES` samples, a seed from 0 to 2**64 - 1, and
    at least one thread.
    """

    samples: int
    seed: int = 0
    threads: int = 1

    def __post_init__(self) -> None:
        if not 1 <= self.samples <= MOST_SAMPLES:
            raise OddsError(
                Reason(
                    "1 to {most} deals can be sampled, not {given}",
                    most=MOST_SAMPLES,
                    given=self.samples,
                ),
                "10000",
            )
        if not 0 <= self.seed < 1 << 64:
            raise OddsError(
                Reason(
                    "a seed is 0 to {most}, not {given}", most=str((1 << 64) - 1), given=self.seed
                ),
                "7",
            )
        if self.threads < 1:
            raise OddsError(
                Reason("at least one thread is needed, not {given}", given=self.threads), "2"
            )


def sample_bids(
    ruleset: Ruleset, in_play: int, trial: Trial, known: Cards = NOTHING_KNOWN
) -> tuple[Estimate, ...]:
    """Return how often each bid of the game holds among random deals, weakest first.

    Raises `OddsError` as `bid_chance` does.
    """
    each = np.arange(1, len(ruleset.ladder) + 1)
    return _estimates(ruleset, in_play, trial, known, each)


def sample_kinds(
    ruleset: Ruleset, in_play: int, trial: Trial, known: Cards = NOTHING_KNOWN
) -> dict[Kind, Estimate]:
    """Return how often some bid of each kind holds among random deals.

    Raises `OddsError` as `bid_chance` does.
    """
    kinds = [bid.kind for bid in ruleset.ladder]
    ends = [kinds.index(kind) + kinds.count(kind) for kind in ruleset.ladder.kinds]
    estimates = _estimates(ruleset, in_play, trial, known, np.array(ends))
    return dict(zip(ruleset.ladder.kinds, estimates, strict=True))


def _estimates(
    ruleset: Ruleset, in_play: int, trial: Trial, known: Cards, ends: NDArray[np.int64]
) -> tuple[Estimate, ...]:
    """Return for each group of bids in how many random deals at least one of its bids holds.

    A group is a run of neighbouring bids; group g ends before bid `ends[g]`. The result does
    not depend on the number of threads. Raises `OddsError` as `bid_chance` does.
    """
    check_question(ruleset.deck, in_play, known)
    unseen = [1 << card.number for card in ruleset.deck.order if card not in known]
    # integer overflow is intended; numpy warns about it only with the JIT off
    with np.errstate(over="ignore"):
        # the deck and the number in play are part of the key, so that samples for different ones
        # are independent
        key = random_bits(np.uint64(trial.seed), np.uint64(ruleset.deck.size << 8 | in_play))
    deals = np.array(unseen, np.uint64), in_play - len(known), np.uint64(known.bits)
    needs = _needs(ruleset)
    given_up = Event()

    def judge(worker: int) -> NDArray[np.int64]:
        hits = np.zeros(len(ends), np.int64)
        for first in range(worker * BLOCK, trial.samples, trial.threads * BLOCK):
            if given_up.is_set():
                break
            count = min(BLOCK, trial.samples - first)
            with np.errstate(over="ignore"):
                count_groups(np.uint64(key), first, count, *deals, *needs, ends, hits)
        return hits

    if trial.threads == 1:
        total = judge(0)
    else:
        with ThreadPoolExecutor(trial.threads) as pool:
            try:
                total = np.sum(list(pool.map(judge, range(trial.threads))), axis=0)
            finally:
                given_up.set()  # interrupted: the pool waits for its threads, so make them end
    return tuple(Estimate(int(count), trial.samples) for count in total)


def _needs(ruleset: Ruleset) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the masks and counts of all needs, in the order of the bids.

    The third array has, for each bid, the index after its last need.
    """
    needs = [need for bid in ruleset.ladder for need in bid.needs]
    return (
        np.array([need.cards.bits for need in needs], np.uint64),
        np.array([need.count for need in needs], np.int64),
        np.cumsum([len(bid.needs) for bid in ruleset.ladder]),
    )
