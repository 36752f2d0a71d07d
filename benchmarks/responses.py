"""Measure how far *sharp* can be beaten: `python -m benchmarks.responses liars --recipe temper`.

Each response starts from the shipped network. The recipe `temper` searches in whole matches against
*sharp* with its tables, its reader and its recognition of simple players (`training.tempers`). The
recipe `gradient` trains by single rounds, against a reader that looks ahead on fewer deals and
recognises no simple player (`training.response`). Every response is then judged in whole matches
against *sharp*, on deals in all seatings. The best of several seeds is judged again on new
deals, since the best of several figures is too high.
"""

from __future__ import annotations

import argparse
import time
from typing import Final

from benchmarks.players import share_text
from benchmarks.training.response import best_response
from benchmarks.training.tempers import best_temper, share_won
from engine.players.forms import SHARP
from engine.players.networks import Entry, network_of
from engine.ruleset import Ruleset
from engine.variants import by_short

RECIPES: Final = ("temper", "gradient")
JUDGED: Final = 1_000_000  # added to the seeds of deals, so that training has no deal of these
AGAIN: Final = 2_000_000


def train(rules: Ruleset, options: argparse.Namespace, seed: int) -> Entry:
    """Train a response by the recipe that the options name."""

    def report(generation: int, share: float) -> None:
        print(f"  generation {generation + 1}: {share:.3f}", flush=True)

    network = network_of(rules.key)
    seats, looks = options.seats, options.looks
    if options.recipe == "gradient":
        rounds = options.rounds
        return best_response(rules, network, rounds, seed, seats=seats, solved=True, looks=looks)
    tries, generations = options.tries, options.generations
    return best_temper(rules, network, generations, seed, seats=seats, matches=tries, report=report)


def main() -> None:
    """Train and judge a response for each seed, then judge the best again."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", help="short name, such as thai")
    parser.add_argument("--seats", type=int, default=2, help="at the table, one for the response")
    parser.add_argument("--recipe", choices=RECIPES, default=RECIPES[0])
    parser.add_argument("--seed", type=int, action="append", help="may be repeated; 1, 2 and 3")
    parser.add_argument("--generations", type=int, default=8, help="of the recipe temper")
    parser.add_argument("--tries", type=int, default=16, help="matches of each of its candidates")
    parser.add_argument("--rounds", type=int, default=100_000, help="of the recipe gradient")
    parser.add_argument("--looks", type=int, default=100, help="of its quick reader; 0: no reader")
    parser.add_argument("--matches", type=int, default=800, help="to judge each response")
    parser.add_argument("--again", type=int, help="matches to judge the best; --matches by default")
    options = parser.parse_args()
    rules = by_short(options.game).ruleset()
    judged: list[tuple[float, int, Entry]] = []
    for seed in options.seed or (1, 2, 3):
        begin = time.monotonic()
        response = train(rules, options, seed)
        trained = time.monotonic()
        share = share_won(rules, response, SHARP, options.seats, options.matches, JUDGED + seed)
        judged.append((share.share, seed, response))
        print(
            f"{rules.title}, {options.recipe}, seed {seed}: {share_text(share)}"
            f" (trained {(trained - begin) / 60:.1f} min,"
            f" judged {(time.monotonic() - trained) / 60:.1f} min)",
            flush=True,
        )
    if len(judged) == 1:
        return
    _, seed, response = max(judged, key=lambda each: each[:2])
    matches = options.again or options.matches
    share = share_won(rules, response, SHARP, options.seats, matches, AGAIN + seed)
    print(f"seed {seed} again: {share_text(share)}", flush=True)


if __name__ == "__main__":
    main()
