"""Rows of `benchmarks.players` that show what the reader adds to the network.

    python -m benchmarks.players --row reader       (or `--row strangers`)

One network, and then one reader, plays against the same opponents, heads-up and at tables
of four, on the same deals in all seatings. A line has both shares of matches won and the
reader's gain, with 95 % intervals, and the processor time of the reader's table per
decision of the reader. Strangers are players outside the reader's models; at tables of
four, the reader meets three of them.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from engine.players.forms import NETWORK, READING
from engine.players.kernels.deciding import THRESHOLD
from engine.players.kernels.match import DECISIONS
from engine.players.learned import TEMPERS
from engine.players.networks import BASELINES, Entry, network_from, network_of
from engine.players.simulation import Interval, Simulation, interval
from engine.ruleset import Ruleset
from engine.variants import VARIANTS

NETWORKS: Final = Path(__file__).resolve().parent / "networks"


def share_text(share: Interval) -> str:
    """Return a share and its interval as text."""
    return f"{share.share:.3f} [{share.low:.3f}, {share.high:.3f}]"


def rows(rules: Ruleset, others: dict[str, Entry], players: list[int], deals: int) -> Iterator[str]:
    """Yield a line of results for each number of players and each opponent in `others`."""
    for seats in players:
        for name, opponent in others.items():
            yield row(rules, f"{seats} players, {name}", [opponent] * (seats - 1), deals)


def row(rules: Ruleset, name: str, others: Sequence[Entry], deals: int) -> str:
    """Play a network, then a reader, against the players `others`; return a line of results."""
    met = {f"other {others.index(opponent)}": opponent for opponent in others}
    names = [f"other {others.index(opponent)}" for opponent in others]
    alone, read = (
        Simulation(rules, [player, *names], seed=7, others=met) for player in (NETWORK, READING)
    )
    alone.play(deals)
    begin = time.process_time()
    read.play(deals)
    used = time.process_time() - begin
    # as a share from 0 to 1, since an interval is of shares: a half means no difference
    gained = interval((read.wins[:, 0] - alone.wins[:, 0]) / alone.seatings.of_a_deal / 2 + 0.5)
    network, reader = (simulation.results()[0].interval for simulation in (alone, read))
    return (
        f"{name}: network {share_text(network)}, reader {share_text(reader)},"
        f" gains {' '.join(f'{2 * share - 1:+.3f}' for share in gained)}, {alone.matches} matches,"
        f" {1000 * used / read.counted[0, DECISIONS]:.1f} ms a decision"
    )


def stranger_rows(rules: Ruleset, deals: int) -> Iterator[str]:
    """Yield a result line for each of the `strangers` heads-up, and one for three at a table."""
    met = strangers(rules)
    yield from rows(rules, met, [2], deals)
    first, second, third, _ = met
    name = f"4 players, {first}, {second} and {third}"
    yield row(rules, name, [met[first], met[second], met[third]], max(1, deals // 30))


def strangers(rules: Ruleset) -> dict[str, Entry]:
    """Return players outside the reader's models, by name.

    Two are networks with other training. The third is a threshold player that believes more
    bids than the threshold player in the models. The fourth is the second network, with a
    temper that no model has.
    """
    short = VARIANTS[rules.key].short
    first, second = (
        network_from(np.load(NETWORKS / f"{which}_{short}.npy")) for which in ("first", "second")
    )
    return {
        "the first network": first,
        "the second network": second,
        "threshold .25": Entry(THRESHOLD, 0.25),
        "the second, trusting": second.with_temper(0, 0, -2),
    }


def opponents(rules: Ruleset) -> dict[str, Entry]:
    """Return the reader's opponents in `--row reader`, by name."""
    network = network_of(rules.key)
    return {
        "network": network,
        "wild": network.with_temper(*TEMPERS["wild"]),
        **{name: BASELINES[name] for name in ("truthful", "hider", "threshold", "careful")},
    }
