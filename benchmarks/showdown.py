"""Showdowns: our speeds beside the peers of the Python package index, in one run, as ratios.

    python -m benchmarks.showdown [--quick] [--json FILE]

Peers are the `peers` dependency group and, where they install, `pokerfast` and `poker-equity`.
One that cannot be imported is reported as missing. All on one thread unless the line says two.
Medians of several rounds, ours and theirs by turns; the first call of each is not counted.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from engine.odds.showdown import evaluator
from engine.odds.showdown.equity import Effort, showdown_odds
from engine.odds.showdown.evaluator import evaluate_many
from engine.odds.showdown.games import PRESETS
from engine.odds.showdown.kernels import score as kernels_score
from engine.odds.showdown.scenario import parse_scenario

PEERS = (
    "pokerfast",
    "poker_equity",
    "holdem_hand_evaluator",
    "eval7",
    "phevaluator",
    "treys",
    "pokerkit",
)
RANKS, SUITS = "23456789TJQKA", "cdhs"
ALL_SEVENS = 133_784_560
SHORTEST = 0.05


@dataclass
class Line:
    """One piece of work: seconds for all of it by us and by each peer that can do it."""

    work: str
    ours: float
    unit: str = ""
    amount: float = 1.0
    peers: dict[str, float] = field(default_factory=dict)
    goal: str = ""
    goal_peer: str = ""
    goal_ratio: float = 0.0

    def show(self) -> str:
        rows = [f"{self.work}\n    {'ours':<24}{self._speed(self.ours):>16}"]
        for peer, seconds in self.peers.items():
            ratio = seconds / self.ours
            rows.append(f"    {peer:<24}{self._speed(seconds):>16}   ours is {ratio:,.1f} x")
        if self.goal:
            met = "not measured: the peer is missing"
            if self.goal_peer in self.peers:
                ratio = self.peers[self.goal_peer] / self.ours
                met = "met" if ratio >= self.goal_ratio else "NOT met"
            elif not self.goal_peer:
                met = "met" if self.ours <= self.goal_ratio else "NOT met"
            rows.append(f"    goal: {self.goal}: {met}")
        return "\n".join(rows)

    def _speed(self, seconds: float) -> str:
        if self.unit:
            return f"{self.amount / seconds / 1e6:,.3f} {self.unit}"
        return f"{seconds * 1e3:,.3f} ms"


def present() -> dict[str, Any]:
    """The peers that can be imported."""
    found = {}
    for name in PEERS:
        try:
            found[name] = importlib.import_module(name)
        except ImportError as problem:
            print(f"missing: {name} ({problem})")
    return found


def race(
    contenders: dict[str, tuple[Callable[[], object], float]], rounds: int
) -> dict[str, float]:
    """Median seconds of the whole work, of which a contender does `share` per call.

    Short work is repeated for some hundredths of a second, so that nobody pays for the caches
    that the one before has filled.
    """
    times: dict[str, list[float]] = {name: [] for name in contenders}
    repeats = {}
    for name, (work, _) in contenders.items():
        work()
        start = perf_counter()
        work()
        repeats[name] = 1 + int(SHORTEST / (perf_counter() - start))
    for _ in range(rounds):
        for name, (work, share) in contenders.items():
            start = perf_counter()
            for _ in range(repeats[name]):
                work()
            times[name].append((perf_counter() - start) / repeats[name] / share)
    return {name: statistics.median(seconds) for name, seconds in times.items()}


def line(
    work: str,
    contenders: dict[str, tuple[Callable[[], object], float]],
    rounds: int,
    **more: Any,
) -> Line:
    seconds = race(contenders, rounds)
    made = Line(work, seconds.pop("ours"), peers=seconds, **more)
    print(made.show(), flush=True)
    return made


def random_sevens(peers: dict[str, Any], rounds: int) -> Line:
    """The same random hands, in each evaluator's own form beforehand."""
    count = 1 << 20
    order = np.argsort(np.random.default_rng(1).random((count, 52)), axis=1)[:, :7]
    hands = order.astype(np.uint8)
    texts = [[RANKS[card % 13] + SUITS[card // 13] for card in hand] for hand in hands[:20_000]]
    contenders: dict[str, tuple[Callable[[], object], float]] = {
        "ours": (lambda: evaluate_many(hands), 1.0)
    }

    def add(name: str, one: Callable[[Any], object], forms: list[Any]) -> None:
        def work() -> None:
            for form in forms:
                one(form)

        contenders[name] = (work, len(forms) / count)

    if "eval7" in peers:
        eval7 = peers["eval7"]
        add("eval7", eval7.evaluate, [[*map(eval7.Card, text)] for text in texts])
    if "phevaluator" in peers:
        numbers = [[4 * (card % 13) + card // 13 for card in map(int, h)] for h in hands[:20_000]]
        evaluate = peers["phevaluator"].evaluate_cards
        add("phevaluator", lambda form: evaluate(*form), numbers)
    if "treys" in peers:
        treys = peers["treys"]
        forms = [[*map(treys.Card.new, text)] for text in texts[:5_000]]
        judge = treys.Evaluator()
        add("treys", lambda form: judge.evaluate(form[:2], form[2:]), forms)
    if "pokerkit" in peers:
        high = peers["pokerkit"].StandardHighHand
        parsed = ["".join(text) for text in texts[:200]]
        add("pokerkit", lambda form: high.from_game(form), parsed)
    if "holdem_hand_evaluator" in peers:
        one = peers["holdem_hand_evaluator"].evaluate_hand
        add("holdem_hand_evaluator", one, ["".join(text) for text in texts])
    if "pokerfast" in peers:
        from pokerfast import equity  # type: ignore[import-not-found,unused-ignore]

        rows = ["".join(text) for text in texts]
        contenders["pokerfast (from text)"] = (lambda: equity.evaluate(rows), len(rows) / count)
    return line(
        "random 7-card evaluations", contenders, rounds, unit="M/s", amount=count,
        goal="100 x eval7 in batch", goal_peer="eval7", goal_ratio=100,
    )  # fmt: skip


def all_sevens(rounds: int) -> list[Line]:
    """Every hand counted by its class; no peer on the index offers this loop."""

    def halves() -> None:
        cards = np.arange(52, dtype=np.uint8)
        pairs = [(a, b) for a in range(46) for b in range(a + 1, 47)]

        def part(first: int) -> None:
            totals = np.zeros(7463, np.int64)
            for a, b in pairs[first::2]:
                kernels_score.count_sevens(cards, a, b, False, totals)

        with ThreadPoolExecutor(2) as pool:
            list(pool.map(part, range(2)))

    one = line(
        "all 7-card hands, counted by class", {"ours": (evaluator.seven_card_classes, 1.0)},
        rounds, unit="M/s", amount=ALL_SEVENS,
    )  # fmt: skip
    two = line(
        "the same on two threads", {"ours": (halves, 1.0)}, rounds, unit="M/s", amount=ALL_SEVENS
    )
    return [one, two]


def exact_answers(peers: dict[str, Any], rounds: int, quick: bool) -> list[Line]:
    aces = parse_scenario(["AdAc", "KhKs"])
    plain = Effort(ranked=False)
    contenders: dict[str, tuple[Callable[[], object], float]] = {
        "ours": (lambda: showdown_odds(aces, plain), 1.0),
        "ours with hand ranks": (lambda: showdown_odds(aces), 1.0),
    }
    if "pokerfast" in peers:
        from pokerfast import equity  # type: ignore[import-not-found,unused-ignore]

        contenders["pokerfast"] = (lambda: equity.equity(["AdAc", "KhKs"]), 1.0)
    if "poker_equity" in peers:
        exact = peers["poker_equity"].exact_from_text
        contenders["poker_equity"] = (lambda: exact("holdem", ["AdAc", "KhKs"]), 1.0)
    lines = [
        line("exact AA-KK before the flop", contenders, 3 * rounds,
             goal="7 x pokerfast (stretch 15)", goal_peer="pokerfast", goal_ratio=7)
    ]  # fmt: skip
    random_one = parse_scenario(["AhKh", ""])
    contenders = {"ours": (lambda: showdown_odds(random_one, plain), 1.0)}
    contenders["ours with hand ranks"] = (lambda: showdown_odds(random_one), 1.0)
    if "pokerfast" in peers:
        contenders["pokerfast"] = (lambda: equity.equity_vs_random("AhKh"), 1.0)
    lines.append(
        line("exact hand against a random one", contenders, 1 if quick else rounds,
             goal="2.2 x pokerfast (stretch 8)", goal_peer="pokerfast", goal_ratio=2.2)
    )  # fmt: skip
    hands = ["AsAhKsKh", "8c7d6c5d"]
    omaha = parse_scenario(hands, rules=PRESETS["omaha"])
    contenders = {"ours": (lambda: showdown_odds(omaha, plain), 1.0)}
    contenders["ours with hand ranks"] = (lambda: showdown_odds(omaha), 1.0)
    if "poker_equity" in peers:
        contenders["poker_equity"] = (lambda: exact("omaha", hands), 1.0)
    lines.append(
        line("exact Omaha heads-up before the flop", contenders, rounds,
             goal="170 x poker-equity (stretch 400)", goal_peer="poker_equity", goal_ratio=170)
    )  # fmt: skip
    return lines


def sampled_answers(peers: dict[str, Any], rounds: int) -> list[Line]:
    deals = 1 << 22
    scenario = parse_scenario(["AsKs", "", ""])

    def ours(lanes: bool | None, threads: int = 1, ranked: bool = False) -> Callable[[], object]:
        effort = Effort(deals=deals, ranked=ranked, lanes=lanes, threads=threads)
        return lambda: showdown_odds(scenario, effort)

    contenders: dict[str, tuple[Callable[[], object], float]] = {
        "ours": (ours(None), 1.0),
        "ours, portable kernel": (ours(False), 1.0),
        "ours with hand ranks": (ours(None, ranked=True), 1.0),
        "ours on two threads": (ours(None, 2), 1.0),
    }
    some = 200_000
    if "holdem_hand_evaluator" in peers:
        calculate = peers["holdem_hand_evaluator"].calculate_equity
        contenders["holdem_hand_evaluator"] = (
            lambda: calculate("AsKs", "", 2, some), some / deals
        )  # fmt: skip
    if "poker_equity" in peers:
        chunk = peers["poker_equity"].chunk_from_text
        contenders["poker_equity"] = (
            lambda: chunk("holdem", ["AsKs", "**", "**"], samples=some, threads=1), some / deals
        )  # fmt: skip
    lines = [
        line("Monte Carlo, three-handed hold'em", contenders, rounds, unit="M/s", amount=deals,
             goal="14 x poker-equity", goal_peer="poker_equity", goal_ratio=14)
    ]  # fmt: skip
    sharp = Effort(error=0.0005, exact=False, ranked=False)
    contenders = {"ours": (lambda: showdown_odds(scenario, sharp), 1.0)}
    if "pokerfast" in peers:
        from pokerfast import equity  # type: ignore[import-not-found,unused-ignore]

        seats = ["AsKs", "random", "random"]
        contenders["pokerfast"] = (
            lambda: equity.equity(seats, exact=False, stdev=0.0005), 1.0
        )  # fmt: skip
    lines.append(
        line("the same until the standard error is 0.0005", contenders, rounds,
             goal="1.4 x pokerfast (OMPEval)", goal_peer="pokerfast", goal_ratio=1.4)
    )  # fmt: skip
    two = parse_scenario(["AsKs", ""])
    heads_up = Effort(deals=deals, exact=False, ranked=False)
    contenders = {"ours": (lambda: showdown_odds(two, heads_up), 1.0)}
    if "eval7" in peers:
        eval7 = peers["eval7"]
        hand = [eval7.Card("As"), eval7.Card("Ks")]
        every = eval7.HandRange("22+,A2+,K2+,Q2+,J2+,T2+,92+,82+,72+,62+,52+,42+,32")
        contenders["eval7"] = (
            lambda: eval7.py_hand_vs_range_monte_carlo(hand, every, [], some), some / deals
        )  # fmt: skip
    lines.append(
        line("Monte Carlo, heads-up hold'em", contenders, rounds, unit="M/s", amount=deals)
    )
    example = parse_scenario(["ad,kh", "2c,7d", "", "", ""], board="9c")
    effort = Effort(deals=100_000)
    lines.append(
        line("MonteCarlo-Poker's example, 100,000 deals with hand ranks",
             {"ours": (lambda: showdown_odds(example, effort), 1.0)}, 3 * rounds,
             goal="50 x its own 0.13 s at -O3 on the machine of the goals: at most 2.6 ms",
             goal_ratio=0.0026)
    )  # fmt: skip
    return lines


FIRST_ANSWER = ["odds", "showdown", "--game", "holdem", "AdAc", "KhKs", "--json"]


def first_answers(rounds: int) -> list[Line]:
    """The command in a fresh process, with the compiled kernels in the cache and without."""

    def ask(cache: str) -> None:
        subprocess.run(
            [sys.executable, "-m", "bot", *FIRST_ANSWER],
            env=os.environ | {"NUMBA_CACHE_DIR": cache},
            check=True,
            stdout=subprocess.DEVNULL,
        )

    with tempfile.TemporaryDirectory() as cache:
        start = perf_counter()
        ask(cache)
        cold = Line(
            "first answer of the command, cold", perf_counter() - start, goal="8 s", goal_ratio=8
        )
        print(cold.show(), flush=True)
        bare = [sys.executable, "-c", "import numba"]
        warm = line(
            "first answer of the command, warm cache",
            {
                "ours": (lambda: ask(cache), 1.0),
                "`import numba` alone": (lambda: subprocess.run(bare, check=True), 1.0),
            },
            rounds,
            goal="0.5 s", goal_ratio=0.5,
        )  # fmt: skip
    return [cold, warm]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("--quick", action="store_true", help="fewer rounds")
    options.add_argument("--json", type=Path, help="write the figures here too")
    given = options.parse_args()
    rounds = 3 if given.quick else 7
    peers = present()
    lines = [random_sevens(peers, rounds), *all_sevens(rounds)]
    lines += exact_answers(peers, rounds, given.quick)
    lines += sampled_answers(peers, rounds)
    lines += first_answers(rounds)
    if given.json:
        given.json.write_text(json.dumps([asdict(one) for one in lines], indent=2) + "\n")


if __name__ == "__main__":
    main()
