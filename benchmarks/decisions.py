"""Measure a computer player's decision: `python -m benchmarks.decisions [thai] [--of 400]`.

The character *sharp* plays whole matches. In each position before its actions, every character
makes a decision. This prints the mean, the 99th percentile and the maximum of the processor time of
`engine.players.choose`, in milliseconds. The process first loads what the bot's computing process
loads at its start.
"""

from __future__ import annotations

import argparse
import hashlib
import time
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from bot.computing.warming import load_players
from engine.actions import Deal
from engine.play import apply, start
from engine.players import CHARACTERS, Memory, choose, observe, remember
from engine.players.position import Position
from engine.ruleset import Ruleset
from engine.shuffle import VERSION, commitment, shuffle
from engine.state import Match, Phase
from engine.variants import VARIANTS, by_short
from engine.view import view_of

SIZES = (2, 4, 10)


def dealt(match: Match, name: str) -> Match:
    """Return the match with its next round dealt; `name` seeds the deal."""
    seed = hashlib.sha256(name.encode()).digest()
    shuffled = shuffle(seed, match.ruleset.deck.order, len(match.live))
    return apply(match, Deal(shuffled.order, commitment(seed), VERSION, shuffled.drawn))


def positions(rules: Ruleset, seats: int) -> Iterator[Position]:
    """Play matches of *sharp* players without end; yield the position before each action."""
    number = 0
    while True:
        match = start(rules, range(seats))
        memories = [Memory("sharp", number * seats + seat) for seat in range(seats)]
        while match.phase is not Phase.OVER:
            match = dealt(match, f"decisions {number} {match.seq}")
            while match.round is not None and match.phase is Phase.BIDDING:
                seat = match.round.turn
                position = observe(view_of(match, seat), memories[seat])
                if position is None:
                    raise ValueError(f"seat {seat} has nothing to decide in its turn")
                yield position
                action = choose(position, rules).action
                if action is None:
                    raise ValueError(f"seat {seat} chose nothing in its turn")
                match = apply(match, action)
            memories = [
                remember(memory, view_of(match, seat)) for seat, memory in enumerate(memories)
            ]
        number += 1


def cost(position: Position, rules: Ruleset) -> float:
    """Return the milliseconds of processor time that the decision in `position` takes."""
    began = time.thread_time()
    choose(position, rules)
    return 1000 * (time.thread_time() - began)


def costs(rules: Ruleset, seats: int, decisions: int) -> Iterator[str]:
    """Yield a line of times for each character, measured in the same `decisions` positions."""
    took: dict[str, list[float]] = {name: [] for name in CHARACTERS}
    for _, position in zip(range(decisions), positions(rules, seats), strict=False):
        for name, each in took.items():
            each.append(cost(replace(position, character=name), rules))
    for name, each in took.items():
        times = np.array(each)
        yield (
            f"{name}: mean {times.mean():.1f}, 99 of 100 under {np.percentile(times, 99):.1f},"
            f" most {times.max():.1f} ms"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="*", help="short name, such as thai; all by default")
    parser.add_argument("--of", type=int, default=400, help="decisions for each size")
    parser.add_argument("--players", type=int, nargs="+", default=list(SIZES))
    options = parser.parse_args()
    load_players()
    for short in options.game or [variant.short for variant in VARIANTS.values()]:
        rules = by_short(short).ruleset()
        for seats in options.players:
            print(f"{rules.title}, {seats} players, {options.of} decisions:")
            for line in costs(rules, seats, options.of):
                print(f"  {line}", flush=True)


if __name__ == "__main__":
    main()
