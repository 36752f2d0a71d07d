"""What the reader adds to the network: `python -m benchmarks.reader thai [--deals 200]`.

Shares of matches won by one network, and by one reader, among equal opponents, heads-up and of
four, on the same deals in all seatings, with 95 % intervals, and processor time for each decision
of the reader, those of its opponents included. `--weights FILE` adds opponents by another network,
which is none of the reader's models. What a decision at a table costs: `benchmarks.decisions`.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from engine.players import reader
from engine.players.arrays import arrays_of
from engine.players.contests import Contest, Score
from engine.players.forms import reader_entry
from engine.players.learned import TEMPERS
from engine.players.matches import BASELINES, Entry, entry_of
from engine.players.networks import network_from, network_of
from engine.ruleset import Ruleset
from engine.variants import by_short


def told(score: Score) -> str:
    """A share and its interval."""
    return f"{score.share:.3f} [{score.low:.3f}, {score.high:.3f}]"


def rows(rules: Ruleset, others: dict[str, Entry], players: list[int], deals: int) -> Iterator[str]:
    """A line for each number of players and each opponent."""
    network = entry_of(network_of(rules.key))
    for seats in players:
        for name, other in others.items():
            counts = [1, seats - 1]
            alone = Contest(arrays_of(rules), [network, other], counts, 7)
            alone.play(deals)
            reading = reader.reading_of(rules, seats)
            read = Contest(reading.arrays, [reader_entry(rules), other], counts, 7, reading)
            begin = time.process_time()
            read.play(deals)
            used = time.process_time() - begin
            decisions = read.stats[0, 0]
            yield (
                f"{seats} players, {name}: network {told(alone.scores()[0])},"
                f" reader {told(read.scores()[0])}, {alone.played} matches,"
                f" {1000 * used / decisions:.1f} ms a decision"
            )


def opponents(rules: Ruleset) -> dict[str, Entry]:
    """The players that are met, by name."""
    network = network_of(rules.key)
    return {
        "sharp": entry_of(network),
        "wild": entry_of(network.shifted(*TEMPERS["wild"])),
        **{name: BASELINES[name] for name in ("truthful", "hider", "threshold", "careful")},
    }


def main() -> None:
    """Read the arguments and print the rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", help="short name, such as thai")
    parser.add_argument("--deals", type=int, default=100, help="each played in all seatings")
    parser.add_argument("--players", type=int, nargs="+", default=[2, 4])
    parser.add_argument("--against", nargs="+", help="names of opponents; all by default")
    parser.add_argument("--weights", type=Path, help="another network as an opponent (.npy)")
    asked = parser.parse_args()
    rules = by_short(asked.game).ruleset()
    others = opponents(rules)
    if asked.weights:
        others["weights"] = entry_of(network_from(np.load(asked.weights)))
    chosen = asked.against or list(others)
    met = {name: others[name] for name in chosen}
    for line in rows(rules, met, asked.players, asked.deals):
        print(line, flush=True)


if __name__ == "__main__":
    main()
