"""Fit and measure the estimate of a bid's chance: `python -m benchmarks.estimate thai --fit`.

Two to ten computer players play whole matches. Each seat's player is drawn at random: at *mixed*
tables from network, truthful, hider, threshold and careful, at *strong* tables from network, sly
and wild, and at *tempered* tables from all of these. A random quarter of the decisions give two
cases each: the standing bid and another bid, as the player in turn sees them. The weights are
fitted on the same number of cases from each sort of table, and measured on other matches. `--fit`
writes the shipped weights.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import engine.players
from benchmarks.training.cases import collect
from engine.players.estimate import INPUTS, design, estimates, for_estimates, weights_of
from engine.players.kernels.cards import round_arrays
from engine.players.kernels.estimating import CHANCES, FACTS
from engine.players.kernels.features import workspace
from engine.players.kernels.reading import MODELS, TEMPERS
from engine.players.reader import reading_of
from engine.ruleset import Ruleset
from engine.variants import by_short

FILE = Path(engine.players.__file__).parent / "weights" / "estimate.json"
FALLBACK = "liars"
ENOUGH = 500  # cases; a tenth with fewer is not reported
RIDGE = 3.0
TABLES = {  # the models of the reader that a seat is drawn from, and a number for the seed
    "mixed": ((0, *range(TEMPERS, MODELS)), 2),
    "tempered": (tuple(range(MODELS)), 0),
    "strong": (tuple(range(TEMPERS)), 1),
}
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Cases:
    """Bids, one per row: the estimate's inputs (`chances`, `facts`), and `held`, 1 if true."""

    chances: Floats
    facts: Floats
    held: Floats

    @property
    def standing(self) -> NDArray[np.bool_]:
        return np.equal(self.facts[:, 1], 1)


def play_cases(rules: Ruleset, rows: int, seed: int, tables: str) -> Cases:
    """Play matches at tables of the sort `tables`, a key of `TABLES`; return `rows` cases."""
    kinds, number = TABLES[tables]
    chances, facts = np.zeros((rows, CHANCES)), np.zeros((rows, FACTS))
    held = np.zeros(rows)
    rng = np.array([seed * 7919 + number], np.uint64)
    at = 0
    while at < rows:
        # tables of two to six mostly, as people's are
        players = (2, 3, 4, 5, 6, 2, 3, 4, 5, 8, 10)[draw_seed(rng) % 11]
        reading = for_estimates(reading_of(rules, players))
        g, r = reading.arrays, reading.models
        at = collect(
            *(g, workspace(g.rung.size), r, reading.reader, np.array(kinds)),
            *(round_arrays(players, g.rung.size), round_arrays(players, g.rung.size)),
            *(reading.hands(players), rng, chances, facts, held, at),
        )
    return Cases(chances, facts, held)


def draw_seed(rng: NDArray[np.uint64]) -> int:
    """Return the next random 31-bit number from `rng`."""
    from engine.players.kernels.cards import random_bits

    return int(random_bits(rng) >> np.uint64(33))


def fit(cases: Cases, rounds: int = 12) -> Floats:
    """Return the weights of the logistic model, fitted by Newton's method with a ridge penalty.

    `rounds` is the number of Newton steps. Bids that are certain or impossible from the player's
    own cards are left out.
    """
    open_ones = (cases.chances[:, 0] > 0) & (cases.chances[:, 0] < 1)
    inputs, held = design(cases.chances, cases.facts)[open_ones], cases.held[open_ones]
    beta = np.zeros(INPUTS)
    for _ in range(rounds):
        estimate = 1 / (1 + np.exp(-inputs @ beta))
        gradient = inputs.T @ (held - estimate) - RIDGE * beta
        curve = (inputs * (estimate * (1 - estimate))[:, None]).T @ inputs
        beta += np.linalg.solve(curve + RIDGE * np.eye(INPUTS), gradient)
    return beta


def score_lines(estimate: Floats, held: Floats) -> Iterator[str]:
    """Yield a line of scores (Brier, log loss, the worst bin's error), then a line of bins.

    The bins are the estimates from 0 to 0.1, from 0.1 to 0.2, and so on. A bin with at least
    `ENOUGH` cases shows its mean estimate, its share of true bids, and its number of cases.
    """
    brier = float(((estimate - held) ** 2).mean())
    clipped = np.clip(estimate, 0.001, 0.999)
    loss = float(-(held * np.log(clipped) + (1 - held) * np.log(1 - clipped)).mean())
    tenth = np.minimum((estimate * 10).astype(int), 9)
    rows = []
    for t in range(10):
        of = tenth == t
        if of.sum() >= ENOUGH:
            rows.append((float(estimate[of].mean()), float(held[of].mean()), int(of.sum())))
    worst = max((abs(expected - true) for expected, true, _ in rows), default=0.0)
    yield f"Brier {brier:.4f}, log loss {loss:.4f}, worst tenth {worst:.3f}, {len(held)} cases"
    yield "    " + " ".join(f"{expected:.2f}>{true:.2f}({n})" for expected, true, n in rows)


def report_lines(rules: Ruleset, rows: int, seed: int, tables: str) -> Iterator[str]:
    """Yield score lines for the shipped estimate on `rows` cases; `tables` is a key of `TABLES`."""
    cases = play_cases(rules, rows, seed, tables)
    estimate = estimates(weights_of(rules.key), cases.chances, cases.facts)
    own_chance = cases.chances[:, 0]
    for which, chosen in (("standing", cases.standing), ("other", ~cases.standing)):
        where = f"{tables} tables, {which} bids"
        open_ones = chosen & (own_chance > 0) & (own_chance < 1)
        for name, estimated, of in (
            (f"{where}, own cards alone", own_chance, chosen),
            (where, estimate, chosen),
            (f"{where}, those that are not certain", estimate, open_ones),
        ):
            first, *others = score_lines(estimated[of], cases.held[of])
            yield f"{name}: {first}"
            yield from others


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", help="short name, such as thai")
    parser.add_argument("--rows", type=int, default=40_000, help="of each sort of table, to fit")
    parser.add_argument("--test", type=int, default=40_000, help="and to measure")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fit", action="store_true", help="write the weights that are shipped")
    parser.add_argument("--tables", nargs="+", choices=TABLES, help="to measure; all by default")
    options = parser.parse_args()
    rules = by_short(options.game).ruleset()
    if options.fit:
        parts = [play_cases(rules, options.rows, options.seed, tables) for tables in TABLES]
        both = Cases(
            *(np.concatenate([getattr(part, name) for part in parts]) for name in vars(parts[0]))
        )
        weights = fit(both)
        shipped = json.loads(FILE.read_text()) if FILE.exists() else {"weights": {}}
        shipped["fallback"] = by_short(FALLBACK).key
        shipped["recipe"] = "python -m benchmarks.estimate GAME --fit"
        shipped.setdefault("fitted", {})[rules.key] = {"rows": options.rows, "seed": options.seed}
        shipped["weights"][rules.key] = [round(float(weight), 4) for weight in weights]
        FILE.write_text(json.dumps(shipped) + "\n")
    for tables in options.tables or TABLES:
        for line in report_lines(rules, options.test, options.seed + 1000, tables):
            print(f"{options.game}, {line}", flush=True)


if __name__ == "__main__":
    main()
