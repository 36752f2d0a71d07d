"""Compare our speed at showdowns with other libraries, in one run, as ratios.

    python -m benchmarks.showdown [--quick] [--program NAME=COMMAND] [--json FILE]

The peers are Python packages, the `peers` dependency group; install them best in an
environment of their own, with numpy, numba and click. A peer that can't be imported is
reported as missing. A peer that is no Python module takes part as a program (`--program`,
once for each; see `racing`).

Everything runs on one thread unless the printed line says two threads. Figures are medians
of several rounds, in which we and the peers take turns. The first call of each contender is
not counted. Wall time and processor time are shown; ratios and goals are of processor time.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.racing import PROGRAMS, Line, Program, line, time_runs
from engine.cards import Cards
from engine.odds.showdown import evaluator
from engine.odds.showdown.equity import Effort, showdown_odds
from engine.odds.showdown.evaluator import evaluate_many
from engine.odds.showdown.games import PRESETS
from engine.odds.showdown.kernels import score as kernels_score
from engine.odds.showdown.preflop import matchup
from engine.odds.showdown.scenario import parse_scenario
from engine.variants import VARIANTS

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
THREE_RANGES = [
    "22+, A2s+, KTs+, AJo+",
    "88+, ATs+, KQs, AQo+",
    "77+, A9s+, KTs+, QJs, ATo+",
]


def present() -> dict[str, Any]:
    """Import the peers; return those that are installed, by name, and print which are missing."""
    modules = {}
    for name in PEERS:
        try:
            modules[name] = importlib.import_module(name)
        except ImportError as problem:
            print(f"missing: {name} ({problem})")
    return modules


def random_sevens(peers: dict[str, Any], rounds: int) -> Line:
    """Time the evaluation of random 7-card hands, converted to each evaluator's form beforehand."""
    count = 1 << 20
    order = np.argsort(np.random.default_rng(1).random((count, 52)), axis=1)[:, :7]
    hands = order.astype(np.uint8)
    texts = [[RANKS[card % 13] + SUITS[card // 13] for card in hand] for hand in hands[:20_000]]
    contenders: dict[str, tuple[Callable[[], object], float]] = {
        "ours": (lambda: evaluate_many(hands), 1.0)
    }

    def add(name: str, evaluate: Callable[[Any], object], forms: list[Any]) -> None:
        def work() -> None:
            for form in forms:
                evaluate(form)

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
        evaluator = peers["holdem_hand_evaluator"].evaluate_hand
        add("holdem_hand_evaluator", evaluator, ["".join(text) for text in texts])
    if "pokerfast" in peers:
        from pokerfast import equity  # type: ignore[import-not-found,unused-ignore]

        rows = ["".join(text) for text in texts]
        contenders["pokerfast (from text)"] = (lambda: equity.evaluate(rows), len(rows) / count)
    return line(
        "random 7-card evaluations", contenders, rounds, "random sevens", count, unit="M/s",
        goal="100 x eval7 in batch", goal_peer="eval7", goal_ratio=100,
    )  # fmt: skip


def all_sevens(rounds: int) -> list[Line]:
    """Time the count of all 7-card hands by class, which no Python peer offers."""

    def halves() -> None:
        cards = np.arange(52, dtype=np.uint8)
        pairs = [(a, b) for a in range(46) for b in range(a + 1, 47)]

        def part(first: int) -> None:
            totals = np.zeros(7463, np.int64)
            for a, b in pairs[first::2]:
                kernels_score.count_sevens(cards, a, b, False, totals)

        with ThreadPoolExecutor(2) as pool:
            list(pool.map(part, range(2)))

    single = line(
        "all 7-card hands, counted by class", {"ours": (evaluator.seven_card_classes, 1.0)},
        rounds, "all sevens by class", ALL_SEVENS, unit="M/s",
    )  # fmt: skip
    two = line(
        "the same on two threads", {"ours": (halves, 1.0)}, rounds, amount=ALL_SEVENS, unit="M/s"
    )
    return [single, two]


def exact_answers(peers: dict[str, Any], rounds: int, quick: bool) -> list[Line]:
    anew = Effort(exact=True, ranked=False, table=False)
    anew_ranked = Effort(exact=True, table=False)
    lines = []

    def exact(work: str, question: str, players: list[str], peers_too: Any, **goals: Any) -> None:
        """Time a question here and in other programs, without and then with the preflop tables."""
        scenario = parse_scenario(players)
        times = 1 if quick else rounds
        contenders: dict[str, tuple[Callable[[], object], float]] = {
            "ours": (lambda: showdown_odds(scenario, anew), 1.0),
            "ours with hand ranks": (lambda: showdown_odds(scenario, anew_ranked), 1.0),
        }
        lines.append(
            line(f"{work}, counted anew", contenders | peers_too, times, question, **goals)
        )
        plain = Effort(ranked=False)
        contenders = {
            "ours": (lambda: showdown_odds(scenario, plain), 1.0),
            "ours with hand ranks": (lambda: showdown_odds(scenario), 1.0),
        }
        if work == "exact AA-KK before the flop":
            hand, opposing = (Cards.parse(player) for player in players)
            contenders["ours, `matchup` alone"] = (lambda: matchup(hand, opposing), 1.0)
        lines.append(line(f"{work}, from the table", contenders | peers_too, times, question))

    known: dict[str, Any] = {}
    if "pokerfast" in peers:
        from pokerfast import equity  # type: ignore[import-not-found,unused-ignore]

        known["pokerfast"] = (lambda: equity.equity(["AdAc", "KhKs"]), 1.0)
    if "poker_equity" in peers:
        from_text = peers["poker_equity"].exact_from_text
        known["poker_equity"] = (lambda: from_text("holdem", ["AdAc", "KhKs"]), 1.0)
    exact("exact AA-KK before the flop", "aces against kings", ["AdAc", "KhKs"], known,
          goal="15 x pokerfast", goal_peer="pokerfast", goal_ratio=15)  # fmt: skip
    known = {}
    if "pokerfast" in peers:
        known["pokerfast"] = (lambda: equity.equity_vs_random("AhKh"), 1.0)
    exact("exact hand against a random one", "hand against random", ["AhKh", ""], known,
          goal="25 x pokerfast", goal_peer="pokerfast", goal_ratio=25)  # fmt: skip
    exact("exact AA,KK,AKs against 22+", "range against pairs", ["AA,KK,AKs", "22+"], {},
          goal="10 x OMPEval", goal_peer="ompeval", goal_ratio=10)  # fmt: skip
    plain = Effort(ranked=False)
    hands = ["AsAhKsKh", "8c7d6c5d"]
    omaha = parse_scenario(hands, rules=PRESETS["omaha"])
    contenders: dict[str, tuple[Callable[[], object], float]] = {
        "ours": (lambda: showdown_odds(omaha, plain), 1.0),
        "ours with hand ranks": (lambda: showdown_odds(omaha), 1.0),
    }
    if "poker_equity" in peers:
        contenders["poker_equity"] = (lambda: from_text("omaha", hands), 1.0)
    lines.append(
        line("exact Omaha heads-up before the flop", contenders, rounds,
             goal="170 x poker-equity (stretch 400)", goal_peer="poker_equity", goal_ratio=170)
    )  # fmt: skip
    return lines


def sampled_answers(peers: dict[str, Any], rounds: int) -> list[Line]:
    deals = 1 << 22
    scenario = parse_scenario(["AsKs", "", ""])

    def ours(threads: int = 1, ranked: bool = False) -> Callable[[], object]:
        effort = Effort(deals=deals, ranked=ranked, threads=threads)
        return lambda: showdown_odds(scenario, effort)

    contenders: dict[str, tuple[Callable[[], object], float]] = {
        "ours": (ours(), 1.0),
        "ours with hand ranks": (ours(ranked=True), 1.0),
        "ours on two threads": (ours(2), 1.0),
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
    ranges = parse_scenario(THREE_RANGES)
    drawn = Effort(deals=deals, exact=False, ranked=False)
    lines = [
        line("ranges, sampled: three players",
             {"ours": (lambda: showdown_odds(ranges, drawn), 1.0)}, rounds, "three ranges", deals,
             unit="M/s",
             goal="1.5 x OMPEval", goal_peer="ompeval", goal_ratio=1.5),
        line("Monte Carlo, three-handed hold'em", contenders, rounds, "three-handed", deals,
             unit="M/s", goal="14 x poker-equity", goal_peer="poker_equity", goal_ratio=14)
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
        line("Monte Carlo, heads-up hold'em", contenders, rounds, amount=deals, unit="M/s")
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


FIRST_ANSWERS = {
    "a board counted": ["showdown", "--game", "holdem", "-p", "2c3d4h", "AdAc", "KhKs", "--json"],
    "two hands, from the table": ["showdown", "--game", "holdem", "AdAc", "KhKs", "--json"],
    "a random hand, from the table": ["showdown", "--game", "holdem", "AhKh", "", "--json"],
    **{game.short: [game.short, "--in-play", "9"] for game in VARIANTS.values()},
}


def first_answers(rounds: int) -> list[Line]:
    """Time commands in new processes: the first without cached kernels, then all with them."""

    def ask(cache: str, words: list[str]) -> None:
        subprocess.run(
            [sys.executable, "-m", "bot", "odds", *words],
            env=os.environ | {"NUMBA_CACHE_DIR": cache},
            check=True,
            stdout=subprocess.DEVNULL,
        )

    lines = []
    with tempfile.TemporaryDirectory() as cache:
        for name, words in FIRST_ANSWERS.items():
            most = 1.0 if "counted" in name else 0.5 if words[0] == "showdown" else 0.15
            if name == "a board counted":
                cold = time_runs(partial(ask, cache, words), 1)
                lines.append(Line(f"first answer, cold: {name}", cold, goal="8 s", goal_ratio=8))
                print(lines[-1].show(), flush=True)
            lines.append(
                line(
                    f"first answer: {name}",
                    {"ours": (partial(ask, cache, words), 1.0)},
                    rounds,
                    goal=f"{most} s",
                    goal_ratio=most,
                )
            )
    return lines


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("--quick", action="store_true", help="fewer rounds")
    options.add_argument("--json", type=Path, help="write the figures here too")
    options.add_argument(
        "--program", action="append", default=[], metavar="NAME=COMMAND", help="a peer of its own"
    )
    chosen = options.parse_args()
    PROGRAMS.extend(Program(*program.split("=", 1)) for program in chosen.program)
    rounds = 5 if chosen.quick else 9
    peers = present()
    lines = [random_sevens(peers, rounds), *all_sevens(rounds)]
    lines += exact_answers(peers, rounds, chosen.quick)
    lines += sampled_answers(peers, rounds)
    lines += first_answers(rounds)
    if chosen.json:
        chosen.json.write_text(json.dumps([asdict(result) for result in lines], indent=2) + "\n")


if __name__ == "__main__":
    main()
