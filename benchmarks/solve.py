"""Solve heads-up rounds and ship them: `python -m benchmarks.solve thai 2-2 3-3 --save`.

2-2 means 2 cards for the opener and 2 for the other player; without such arguments, all shipped
rounds are solved. This prints what the best opponent of the stored strategy wins a round
(`benchmarks.exploitability`). --save writes the game's file and its digest, with these figures;
other rounds in the file stay as they are. All random numbers come from --seed, so the result is
always the same. In the rounds in `MENDED`, replies to openings are then mended
(`benchmarks.solving.mending`); --mend instead mends the shipped table of any round, without
solving it. Three cards each take three minutes on one core, five a quarter of an hour, six twenty
minutes; all of Thai Poker takes two hours, Liars' Poker a quarter of an hour.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import time
import zipfile
from io import BytesIO
from math import prod
from pathlib import Path
from typing import Any, Final

import numpy as np

import engine.players
from benchmarks.solving import graph, tree
from benchmarks.solving.mending import mend_replies
from benchmarks.solving.response import Response, best_response, sampled_response
from benchmarks.solving.tables import LEVELS, choices_of, strategy_from
from engine.players.blueprint.abstraction import Abstraction, abstraction_of
from engine.players.blueprint.playing import blueprint_of
from engine.players.blueprint.strategy import Strategy
from engine.ruleset import Ruleset
from engine.variants import by_short

Array = np.ndarray[Any, Any]
WEIGHTS: Final = Path(engine.players.__file__).parent / "weights"
INDEX: Final = WEIGHTS / "blueprints.json"
MOST: Final = {"thai_poker": 6, "liars_poker": 3}  # the most cards of a seat in a shipped round
LEARNT: Final = {(3, 3): 700, (4, 4): 571, (6, 6): 400}  # iterations that differ from the usual
SOME: Final = 250  # hands of a seat; with more, chances are rounded to `COARSE` levels
COARSE: Final = 15  # not with six cards each, where that would lose .013 more
# With six cards each a table nearly always opens with an ace-high straight or above. An opponent
# who opens lower gains if only two bids are remembered, so a bucket of the third one is too.
OPENS: Final = {(6, 6): "straight:A"}
MENDED: Final = frozenset({("thai_poker", (3, 3))})  # more cards take many minutes each
MANY: Final = 20_000  # pairs of hands; with more, only `DRAWN` hands of each seat are tried
DRAWN: Final = 20


def plan_of(abstraction: Abstraction) -> tuple[int, int]:
    """Return how many bids a seat remembers (0: all), and the number of iterations."""
    cards, (few, most) = abstraction.cards, sorted(abstraction.cards)
    if abstraction.ruleset.key == "liars_poker":
        return 2, 800
    if most <= 2:
        return 0, 2500 if few == 2 else 2000
    if sum(cards) == 4 or cards in OPENS:
        return 3, LEARNT.get(cards, 800)
    return 2, LEARNT.get(cards, 1600 if few > 4 else 800 if most > 5 else 400)


def solve(abstraction: Abstraction, memory: int, iterations: int, seed: int) -> Strategy:
    """Solve the round by CFR+, and mend the replies in the rounds in `MENDED`."""
    if memory == 0:
        exact = tree.Solver(abstraction)
        exact.iterate(iterations)
        return exact.average()
    few = min(abstraction.cards)
    buckets = buckets_of(abstraction) if memory == 3 else None
    # in an iteration; more iterations with fewer deals solve six cards each less well
    deals = 8192 if few > 5 else 2048 if few > 4 else 1024 if few > 2 else 512
    solver = graph.Solver(abstraction.chance, abstraction.true, memory, seed, deals, buckets)
    solver.iterate(iterations)
    choices = choices_of(solver.graph, solver.average(), levels_of(abstraction))
    strategy = strategy_from(abstraction, memory, choices, buckets)
    if (abstraction.ruleset.key, abstraction.cards) in MENDED:
        strategy = mend_replies(abstraction, strategy, levels_of(abstraction))
    return strategy


def levels_of(abstraction: Abstraction) -> int:
    """Return the number of levels to which the chances of a round's table are rounded."""
    many = max(map(len, abstraction.hands)) > SOME
    return COARSE if many and min(abstraction.cards) < 6 else LEVELS


def buckets_of(abstraction: Abstraction) -> Array | None:
    """Return the lowest bid of each bid's bucket; None if the round has no buckets.

    There are two buckets: the bids below the bid in `OPENS`, and all higher bids. A seat remembers
    only the bucket of the third last bid.
    """
    opens = OPENS.get(abstraction.cards)
    if abstraction.ruleset.key != "thai_poker" or opens is None:
        return None
    ladder = abstraction.ruleset.ladder
    lowest = [ladder.at(place).key for place in abstraction.bids].index(opens)
    return np.where(np.arange(len(abstraction.bids)) < lowest, 0, lowest).astype(np.uint8)


def has_many_hands(abstraction: Abstraction) -> bool:
    """Return whether trying all hands of the opponent would take many minutes or hours."""
    return prod(map(len, abstraction.hands)) > MANY


def measure(
    abstraction: Abstraction,
    strategy: Strategy,
    least: float | None = None,
    drawn: int | None = None,
) -> Response:
    """Return what the best opponent of `strategy` wins.

    `drawn`: the number of hands to sample for each seat; 0 means all hands. None means `DRAWN` if
    the round `has_many_hands`, else 0. `least`: as in `best_response`; None or 0 means a default.
    """
    many = has_many_hands(abstraction)
    if drawn is None:
        drawn = DRAWN if many else 0
    if drawn:
        return sampled_response(abstraction, strategy, least or 1e-2, drawn)
    return best_response(abstraction, strategy, least or (1e-4 if many else 1e-5))


def save(rules: Ruleset, cards: tuple[int, int], strategy: Strategy, figure: float) -> int:
    """Write the strategy into the game's shipped file, and `figure` into the index.

    `figure` is what the best opponent wins. Return the file's size in bytes.
    """
    index = json.loads(INDEX.read_text("utf-8"))
    entry = index.setdefault(
        rules.key, {"file": f"{rules.key}-heads-up.npz", "sha256": "", "exploitability": {}}
    )
    file, name = WEIGHTS / entry["file"], "{}-{}".format(*cards)
    columns_kept: dict[str, Any] = {}
    if file.exists():
        with np.load(file) as before:
            columns_kept = {
                key: before[key] for key in before.files if not key.startswith(f"{name}/")
            }
    abstraction = abstraction_of(rules, cards)
    assert abstraction is not None
    columns = {"round": abstraction.facts()} | strategy.columns()
    columns_kept |= {f"{name}/{key}": column for key, column in columns.items()}
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_LZMA) as archive:  # a fifth less than deflated
        for key, column in sorted(columns_kept.items()):
            with archive.open(f"{key}.npy", "w") as member:
                np.lib.format.write_array(member, column)
    file.write_bytes(packed.getvalue())
    entry["sha256"] = hashlib.sha256(packed.getvalue()).hexdigest()
    entry["exploitability"] = dict(sorted((entry["exploitability"] | {name: figure}).items()))
    INDEX.write_text(json.dumps(index, indent=2) + "\n", "utf-8")
    return len(packed.getvalue())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", help="short name, such as thai")
    parser.add_argument(
        "cards", nargs="*", help="cards of the opener and of the other, such as 1-2"
    )
    parser.add_argument("--memory", type=int, choices=(0, 2, 3), help="bids remembered; 0: all")
    parser.add_argument("--iterations", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mend", action="store_true", help="mend the shipped tables")
    parser.add_argument("--save", action="store_true", help="write the files that are shipped")
    options = parser.parse_args()
    rules = by_short(options.game).ruleset()
    held = range(min(rules.starting_cards[2:]), MOST.get(rules.key, 0) + 1)
    every = [f"{first_cards}-{second_cards}" for first_cards in held for second_cards in held]
    for text in options.cards or every:
        opener, _, replier = text.partition("-")
        if not opener.isdigit() or not replier.isdigit():
            parser.error(f"{text} are no cards of the opener and of the other, such as 1-2")
        cards = int(opener), int(replier)
        abstraction = abstraction_of(rules, cards)
        if abstraction is None:
            parser.error(f"{text} is too large to be solved; 1-2, for example, is not")
        memory, iterations = plan_of(abstraction)
        memory = memory if options.memory is None else options.memory
        began = time.process_time()
        if options.mend:
            blueprint = blueprint_of(rules, cards)
            if blueprint is None:
                parser.error(f"{text} isn't shipped, so it can't be mended; 3-3, for example, is")
            if not blueprint[1].memory:
                continue  # all bids are remembered, and the table is nearly perfect
            strategy = mend_replies(*blueprint, levels_of(abstraction))
        else:
            strategy = solve(abstraction, memory, options.iterations or iterations, options.seed)
        used = time.process_time() - began
        met = measure(abstraction, strategy)
        error = f" ± {met.error:.4f}" if met.error else ""
        report = f"exploitability {met.exploitability:.4f}{error}, at most {met.cut:.4f} more"
        if options.save:
            size = save(rules, cards, strategy, round(met.exploitability, 4))
            report += f"; {size:,} bytes in all"
        work = "mended" if options.mend else f"{options.iterations or iterations} iterations"
        print(
            f"{options.game} {text}: {len(abstraction.bids)} bids,"
            f" {work} in {used:.0f} s; {report}",
            flush=True,
        )


if __name__ == "__main__":
    main()
