"""Measure how fast the odds of bids are computed: `python benchmarks/bids.py`.

Figures are medians, on one thread unless the printed line says two. tests/engine/odds checks the
results. "Cold" means without caches from earlier questions.
"""

from __future__ import annotations

import platform
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np

from bot.boards.bid_odds import advice_chart
from engine.bids import Bid
from engine.cards import Cards
from engine.odds import (
    BidTable,
    Trial,
    advise,
    bid_chance,
    bid_table,
    holdings,
    kind_chances,
    kind_table,
    ladder_chances,
    sample_bids,
    sample_kinds,
)
from engine.odds.bids import exact as bids_module
from engine.odds.bids import kinds as kinds_module
from engine.variants import ruleset

LIARS = ruleset("liars_poker")
DECKS = (LIARS, ruleset("liars_poker", {"jokers": 0}))
THAI = ruleset("thai_poker")
FRESH_LADDER = """
import time; start = time.perf_counter()
from engine.odds import ladder_chances
from engine.variants import ruleset
rules = ruleset("liars_poker")
ladder_chances(rules.ladder, rules.deck, 12)
print(time.perf_counter() - start)
"""


def median_time(work: Callable[[], object], times: int = 31) -> float:
    """Run `work` `times` times; return the median seconds of a run."""
    taken = []
    for _ in range(times):
        start = perf_counter()
        work()
        taken.append(perf_counter() - start)
    return median(taken)


def forget() -> None:
    """Empty every cache of the exact counts."""
    for cached in (
        bids_module.terms,
        kinds_module._without,
        kinds_module._every_rank_at_most,
        kinds_module._two_fullest,
        kinds_module._rank_sets_without_run,
        bids_module.choices,
    ):
        cached.cache_clear()


def show(label: str, value: str, goal: str = "") -> None:
    print(f"{label:<66}{value:>14}   {goal}")


def single_bids() -> None:
    """Time the chance of a bid of each kind, for hands of 0 to 5 cards."""
    random = Random(1)
    seats = [Cards.of(random.sample(LIARS.deck.order, held)) for held in (0, 2, 3, 5) * 5]
    bids = [next(bid for bid in LIARS.ladder if bid.kind is kind) for kind in LIARS.ladder.kinds]
    questions = [(bid, known) for bid in bids for known in seats]
    each = [median_time(partial(bid_chance, b, LIARS.deck, 15, k), 15) for b, k in questions]
    show("one bid from Python, median of 200 questions", f"{median(each) * 1e6:.1f} µs", "≤ 20 µs")
    show("one bid from Python, slowest of 200 questions", f"{max(each) * 1e6:.1f} µs")

    def time_cold(bid: Bid, known: Cards) -> object:
        bids_module.terms.cache_clear()
        return bid_chance(bid, LIARS.deck, 15, known)

    each = [median_time(partial(time_cold, b, k), 15) for b, k in questions]
    show("the same cold", f"{median(each) * 1e6:.1f} µs")


def ladders() -> None:
    """Time the chances of all 385 bids for a seat, the advice to a seat, and the bot's chart."""
    random = Random(2)
    seats = [Cards.of(random.sample(LIARS.deck.order, held)) for held in (2, 3, 4, 5) * 5]
    each = [
        median_time(partial(ladder_chances, LIARS.ladder, LIARS.deck, 15, k), 11) for k in seats
    ]
    show("a seat's whole ladder, 385 bids", f"{median(each) * 1e3:.2f} ms", "≤ 1 ms")

    def cold_ladder(known: Cards) -> object:
        forget()
        return ladder_chances(LIARS.ladder, LIARS.deck, 15, known)

    each = [median_time(partial(cold_ladder, k), 11) for k in seats]
    show("the same cold", f"{median(each) * 1e3:.2f} ms", "≤ 1 ms")
    each = [median_time(partial(advise, LIARS, 15, k), 11) for k in seats]
    show("advice for a seat (ladder, best bids, strongest)", f"{median(each) * 1e3:.2f} ms")
    chart = advice_chart(LIARS, advise(LIARS, 15, seats[0]))
    show("the bot's chart as PNG", f"{median_time(chart.png) * 1e3:.1f} ms", "≤ 100 ms")
    run = [sys.executable, "-c", FRESH_LADDER]
    root = Path(__file__).resolve().parents[1]
    fresh = [
        float(subprocess.run(run, capture_output=True, text=True, check=True, cwd=root).stdout)
        for _ in range(7)
    ]
    show("first ladder in a fresh process, imports included", f"{median(fresh) * 1e3:.0f} ms")


def kinds() -> None:
    """Time the chances of all kinds of hand, for 6 to 35 cards in play and for one known hand."""

    def table() -> None:
        for rules in DECKS:
            kind_table(LIARS.ladder.kinds, rules.deck, range(6, 36))

    def ask_cold() -> None:
        forget()
        table()

    show("Liars' full table, 2 decks × 30 × 10", f"{median_time(table) * 1e3:.2f} ms", "≤ 4 ms")
    show("the same cold", f"{median_time(ask_cold) * 1e3:.2f} ms", "≤ 4 ms")
    known = Cards.parse("As Kd 8c *")

    def seat() -> None:
        forget()
        kind_chances(LIARS.ladder.kinds, LIARS.deck, 15, known)

    show("a seat's ten kinds, cold", f"{median_time(seat) * 1e3:.2f} ms")


def thai_tool() -> None:
    """Measure Thai Poker's table of bid chances: its size, and the time to build and to read it."""
    show("Thai tool: tables", f"{bid_table(THAI).nbytes / 1000:.0f} KB", "≤ 200 KB")
    build = median_time(lambda: BidTable(THAI.ladder, THAI.deck), 9)
    show("Thai tool: building them", f"{build * 1e3:.1f} ms")
    table = bid_table(THAI)
    held = holdings(THAI.deck, 6)
    out = np.zeros((held.size, 25), np.int32)
    table.ways_of_bid(0, held, out)

    def everything() -> None:
        for number in range(68):
            table.ways_of_bid(number, held, out)

    show(
        f"Thai tool: all 68 × 25 × {held.size:,} answers, one thread",
        f"{median_time(everything, 5) * 1e3:.0f} ms",
        "≤ 1.1 s",
    )
    random = np.random.default_rng(1)
    size = 20_000
    numbers, in_play = random.integers(0, 68, size), random.integers(6, 25, size)
    known = held[random.integers(0, held.size, size)]
    queries = list(zip(numbers.tolist(), in_play.tolist(), known.tolist(), strict=True))

    def from_python() -> None:
        for question in queries:
            table.ways(*question)

    show(
        "Thai tool: a query from Python",
        f"{median_time(from_python, 7) / len(queries) * 1e9:.0f} ns",
    )


def sampler() -> None:
    """Measure how many random deals are judged per second, with 20 of 54 cards in play."""
    samples = 400_000
    for threads in (1, 2):
        trial = Trial(samples, 1, threads)
        sample_kinds(LIARS, 20, trial)
        kinds_time = median_time(partial(sample_kinds, LIARS, 20, trial), 5)
        sample_bids(LIARS, 20, trial)
        bids_time = median_time(partial(sample_bids, LIARS, 20, trial), 5)
        plural = "threads" if threads > 1 else "thread"
        rate = f"{samples / kinds_time / 1e6:.2f} M/s"
        show(f"sampler: deals judged for all ten kinds, {threads} {plural}", rate)
        rate = f"{samples / bids_time / 1e6:.2f} M/s"
        show(f"sampler: deals judged for all 385 bids, {threads} {plural}", rate)


if __name__ == "__main__":
    print(f"Python {platform.python_version()}, {platform.machine()}, medians of one run\n")
    single_bids()
    ladders()
    kinds()
    thai_tool()
    sampler()
