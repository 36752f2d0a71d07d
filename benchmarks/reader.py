"""What the reader adds to the network: `python -m benchmarks.players --row reader`, or `strangers`.

Shares of matches won by one network, and by one reader, among equal opponents, heads-up and of
four, on the same deals in all seatings, with 95 % intervals, and processor time for each decision
of the reader, those of its opponents included. Strangers are none of the reader's models: one kind
at a time, and at tables of four one of each of three.
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
    """A share and its interval."""
    return f"{share.share:.3f} [{share.low:.3f}, {share.high:.3f}]"


def rows(rules: Ruleset, others: dict[str, Entry], players: list[int], deals: int) -> Iterator[str]:
    """A line for each number of players and each opponent."""
    for seats in players:
        for name, opponent in others.items():
            yield row(rules, f"{seats} players, {name}", [opponent] * (seats - 1), deals)


def row(rules: Ruleset, name: str, others: Sequence[Entry], deals: int) -> str:
    """One network, and one reader, at a table with `others`, one a seat."""
    met = {f"other {others.index(opponent)}": opponent for opponent in others}
    names = [f"other {others.index(opponent)}" for opponent in others]
    alone, read = (
        Simulation(rules, [player, *names], seed=7, others=met) for player in (NETWORK, READING)
    )
    alone.play(deals)
    begin = time.process_time()
    read.play(deals)
    used = time.process_time() - begin
    # as a share from 0 to 1, which is what intervals are of: a half is no difference
    gained = interval((read.wins[:, 0] - alone.wins[:, 0]) / alone.seatings.of_a_deal / 2 + 0.5)
    network, reader = (simulation.results()[0].interval for simulation in (alone, read))
    return (
        f"{name}: network {share_text(network)}, reader {share_text(reader)},"
        f" gains {' '.join(f'{2 * share - 1:+.3f}' for share in gained)}, {alone.matches} matches,"
        f" {1000 * used / read.counted[0, DECISIONS]:.1f} ms a decision"
    )


def stranger_rows(rules: Ruleset, deals: int) -> Iterator[str]:
    """Heads-up against each stranger, and one among three of them in all seatings."""
    met = strangers(rules)
    yield from rows(rules, met, [2], deals)
    first, second, third, _ = met
    name = f"4 players, {first}, {second} and {third}"
    yield row(rules, name, [met[first], met[second], met[third]], max(1, deals // 30))


def strangers(rules: Ruleset) -> dict[str, Entry]:
    """Players that are none of the reader's models, by name.

    Two are networks that were trained otherwise: the one the project began with, and the one that
    was shipped before today's. The others are one of them with a temper that no model has, and a
    threshold that believes more than the models' one.
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
    """The players that are met, by name."""
    network = network_of(rules.key)
    return {
        "network": network,
        "wild": network.with_temper(*TEMPERS["wild"]),
        **{name: BASELINES[name] for name in ("truthful", "hider", "threshold", "careful")},
    }
