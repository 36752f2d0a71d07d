"""Time Three Card Poker: counting against enumeration, seat two, and the command's first answer.

    python benchmarks/three_card.py

Everything runs on one thread; figures are medians of several runs. "From nothing" builds every
table again; "tables in memory" is the time of a second question. The enumeration tries all 22,100 x
22,100 pairs of hands in a compiled loop, like the program that this project started from, and must
give the same net.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np

from engine.odds.compiling import njit
from engine.odds.three_card import advice, house_edge, seat_two, showdowns
from engine.odds.three_card.hands import (
    all_hands,
    count_showdowns,
    prefix_counts,
    queen_high,
    suit_classes,
)

GOAL = {"from nothing": 3e-3, "tables in memory": 0.5e-3, "seat two": 0.15}


def median(call: Callable[[], object], runs: int) -> float:
    """Return the median seconds of `runs` calls, after one that is not counted."""
    call()
    seconds = []
    for _ in range(runs):
        started = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - started)
    return statistics.median(seconds)


@njit()
def enumerate_deals(bits: np.ndarray, strength: np.ndarray, qualifies: int) -> np.ndarray:
    """Return what each hand wins with ante and play, in antes, summed over all dealer hands."""
    net = np.zeros(len(bits), dtype=np.int64)
    for player in range(len(bits)):
        total = 0
        for dealer in range(len(bits)):
            if bits[player] & bits[dealer]:
                continue
            if strength[dealer] < qualifies:
                total += 1
            elif strength[dealer] < strength[player]:
                total += 2
            elif strength[dealer] > strength[player]:
                total -= 2
        net[player] = total
    return net


def forget() -> None:
    """Empty the caches of all tables."""
    for table in (suit_classes, prefix_counts, all_hands):
        table.cache_clear()


def from_nothing() -> None:
    forget()
    count_showdowns(suit_classes(), prefix_counts(), queen_high())


def seat_two_from_nothing() -> None:
    forget()
    played = count_showdowns(suit_classes(), prefix_counts(), queen_high())
    seat_two(played)


def show(label: str, seconds: float, goal: float | None = None) -> None:
    aim = "" if goal is None else f"   goal {goal * 1e3:g} ms"
    print(f"{label:<58}{seconds * 1e3:>10.3f} ms{aim}")


def main() -> None:
    print("407,170,400 showdowns")
    counted = median(from_nothing, 31)
    show("  counted, from nothing", counted, GOAL["from nothing"])
    classes, counts, played = suit_classes(), prefix_counts(), showdowns()
    again = median(lambda: count_showdowns(classes, counts, played.qualifies), 101)
    show("  counted, tables in memory", again, GOAL["tables in memory"])
    show("  the whole house edge, tables in memory", median(house_edge, 101))
    hands = all_hands()
    enumerated = median(lambda: enumerate_deals(hands.bits, hands.strength, played.qualifies), 3)
    show("  enumerated in a compiled loop", enumerated)
    net = enumerate_deals(hands.bits, hands.strength, played.qualifies)
    assert (net == played.net[hands.suit_class]).all()
    print(f"  counting from nothing is {enumerated / counted:,.0f} times the enumeration's speed")
    print("6,180,846,672,000 showdowns")
    show("  seat two, tables in memory", median(lambda: seat_two(played), 9), GOAL["seat two"])
    show("  seat two, from nothing", median(seat_two_from_nothing, 9), GOAL["seat two"])
    print("one hand")
    show("  advice", median(lambda: advice("Qs 6h 4d"), 31))
    show("  advice with three cards seen", median(lambda: advice("Qs 6h 4d", seen="Ah Kd 2c"), 31))
    print("a new process")
    bluffhouse = [sys.executable, "-m", "bot", "odds", "three-card"]
    for words, command in (
        ("  python -c pass", [sys.executable, "-c", "pass"]),
        ("  python -c 'import numpy'", [sys.executable, "-c", "import numpy"]),
        ("  bluffhouse odds three-card", bluffhouse),
        ("  bluffhouse odds three-card --hand", [*bluffhouse, "--hand", "Qs 6h 4d"]),
        ("  bluffhouse odds three-card --seat 2", [*bluffhouse, "--seat", "2"]),
    ):
        call = [*command]
        show(words, median(lambda: subprocess.run(call, check=True, capture_output=True), 7))  # noqa: B023


if __name__ == "__main__":
    main()
