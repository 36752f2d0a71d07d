"""Train the computer players' network: `python -m benchmarks.train_players thai --out thai.npy`.

Its two sets of weights are trained at the same time, each from scratch, by the shipped network's
recipe or by another recipe (`--recipe FILE.json`). A recipe gives the same bytes each time on the
same machine: each set has one thread and a fixed number of rounds. `--until` stops earlier. With
`--part`, the weights so far are saved at each report. `benchmarks.players` measures how well the
network plays.
"""

from __future__ import annotations

import argparse
import hashlib
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from benchmarks.training.league import CUT, MET, League, Plan, fresh
from benchmarks.training.practice import learner_of
from benchmarks.training.recipes import HEADS_UP, PARTS, SHIPPED, RecipeError, recipe_of
from engine.players.arrays import Floats, RuleArrays, arrays_of
from engine.players.forms import NETWORK
from engine.players.kernels.deciding import NETWORK as NETWORK_KIND
from engine.players.networks import Entry
from engine.players.simulation import Simulation
from engine.variants import by_short


def tables_of(short: str) -> list[tuple[RuleArrays, float]]:
    """Return the rulesets to train a game on, with their weights.

    They are the default ruleset, and a ruleset for each other choice that changes the odds.
    """
    variant = by_short(short)
    tables = [(arrays_of(variant.ruleset()), 4.0)]
    others = [(o.key, choice.value) for o in variant.odds_options for choice in o.choices[1:]]
    return tables + [(arrays_of(variant.ruleset(dict([option]))), 0.5) for option in others]


def train(short: str, part: str, plan: Plan, every: int, out: Path | None = None) -> Floats:
    """Train one set of weights and return it.

    Every `every` epochs and at the end, print a report, and save the weights to `out` if given.
    """
    tables, rules = tables_of(short), by_short(short).ruleset()
    seats = 2 if part == HEADS_UP else 4
    begin = time.process_time()
    epochs = 0

    def print_progress(league: League) -> None:
        nonlocal epochs
        epochs += 1
        if epochs % every and league.rounds_done < (plan.until or plan.rounds):
            return
        if out is not None:
            np.save(out, league.network.mean)
        used = time.process_time() - begin
        met = "; ".join(f"{m.name} {m.reward:+.2f}" for m in league.members)
        entry = Entry(NETWORK_KIND, CUT, league.network.mean, plan.sensible)
        shares = []
        for name in MET:
            names = [NETWORK, *[name] * (seats - 1)]
            simulation = Simulation(rules, names, seed=99, others={NETWORK: entry})
            simulation.play(400 // seats)
            shares.append(f"{simulation.results()[0].interval.share:.3f}")
        print(f"{part}: {league.rounds_done:>9} rounds, {used:6.0f} s CPU; {met}")
        print(f"{part}:     among {seats - 1}: {' '.join(shares)}", flush=True)

    return League(plan, tables, learner_of(fresh(plan.seed), plan.seed), print_progress).run()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", help="short name, such as thai")
    parser.add_argument("--out", type=Path, required=True, help="file for the weights (.npy)")
    parser.add_argument("--recipe", default=SHIPPED, help="shipped, or a JSON file")
    parser.add_argument("--part", choices=PARTS, help="train one set of weights alone")
    parser.add_argument("--until", type=int, help="stop early, after so many rounds of each plan")
    parser.add_argument("--every", type=int, default=60, help="epochs between two reports")
    options = parser.parse_args()
    try:
        recipe = recipe_of(by_short(options.game).key, options.recipe)
    except RecipeError as error:
        parser.error(str(error))
    if options.until:
        recipe = {part: replace(plan, until=options.until) for part, plan in recipe.items()}
    if options.part:
        weights = train(
            options.game, options.part, recipe[options.part], options.every, options.out
        )
    else:
        with ProcessPoolExecutor(len(PARTS), mp_context=get_context("spawn")) as pool:
            waiting = [
                pool.submit(train, options.game, part, recipe[part], options.every)
                for part in PARTS
            ]
            weights = np.concatenate([part.result() for part in waiting])
    np.save(options.out, weights)
    print(f"sha256 {hashlib.sha256(options.out.read_bytes()).hexdigest()}")


if __name__ == "__main__":
    main()
