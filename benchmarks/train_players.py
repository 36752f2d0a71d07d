"""Train the computer players' network: `python -m benchmarks.train_players thai --out thai.npy`.

Reproducible from its seed to the same weights on the same machine: one thread, and a count of
rounds decides. The weights so far are saved all the time. How well they play: `benchmarks.players`.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

from benchmarks.training.league import CUT, MET, League, Plan, fresh
from benchmarks.training.practice import learner_of
from engine.players.arrays import RuleArrays, arrays_of
from engine.players.contests import Contest
from engine.players.kernels.deciding import NETWORK
from engine.players.matches import BASELINES, Entry
from engine.variants import by_short


def tables_of(short: str) -> list[tuple[RuleArrays, float]]:
    """The rulesets to train a game on: the usual one, and every choice that changes the odds."""
    variant = by_short(short)
    tables = [(arrays_of(variant.ruleset()), 4.0)]
    others = [(o.key, choice.value) for o in variant.odds_options for choice in o.choices[1:]]
    return tables + [(arrays_of(variant.ruleset(dict([other]))), 0.5) for other in others]


def main() -> None:
    """Read the arguments, train, save."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", help="short name, such as thai")
    parser.add_argument("--out", type=Path, required=True, help="file for the weights (.npy)")
    parser.add_argument("--rounds", type=int, default=8_000_000, help="rounds of the network")
    parser.add_argument("--until", type=int, help="stop early, after so many rounds of the plan")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path, help="weights to start from, such as another game's")
    parser.add_argument("--blend", type=float, default=1.0, help="share of the way from --start")
    parser.add_argument("--middle", type=float, default=0.0, help="how often a middle hand lies")
    parser.add_argument("--every", type=int, default=60, help="epochs between two reports")
    parser.add_argument("--warm-up", type=float, default=Plan.warm_up)
    parser.add_argument("--alone", type=float, default=Plan.alone)
    parser.add_argument("--baselines", type=float, default=Plan.baselines)
    parser.add_argument("--life", type=int, default=Plan.life)
    parser.add_argument("--rate", type=float, nargs=2, default=Plan.rate)
    parser.add_argument("--heat", type=float, nargs=2, default=Plan.heat)
    asked = parser.parse_args()
    plan = Plan(
        rounds=asked.rounds,
        seed=asked.seed,
        middle=asked.middle,
        warm_up=asked.warm_up,
        alone=asked.alone,
        baselines=asked.baselines,
        life=asked.life,
        rate=tuple(asked.rate),
        heat=tuple(asked.heat),
        until=asked.until or asked.rounds,
    )
    tables = tables_of(asked.game)
    begin = time.process_time()
    epochs = 0

    def told(league: League) -> None:
        nonlocal epochs
        epochs += 1
        if epochs % asked.every and league.done < plan.until:
            return
        np.save(asked.out, league.network.mean)
        used = time.process_time() - begin
        print(f"{league.done:>9} rounds, {used:6.0f} s CPU;", end=" ")
        print("; ".join(f"{m.name} {m.reward:+.2f}" for m in league.members))
        entry = Entry(NETWORK, CUT, league.network.mean, plan.sensible)
        shares = []
        for name in MET:
            contest = Contest(tables[0][0], [entry, BASELINES[name]], [1, 1], seed=99)
            contest.play(200)
            shares.append(contest.scores()[0].share)
        print("    heads-up", " ".join(f"{share:.3f}" for share in shares), flush=True)

    start = np.load(asked.start) if asked.start else fresh(asked.seed)
    weights = League(plan, tables, learner_of(start, asked.seed), told).run()
    np.save(asked.out, start + (weights - start) * np.float32(asked.blend))


if __name__ == "__main__":
    main()
