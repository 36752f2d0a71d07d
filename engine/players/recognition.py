"""Whether somebody plays by a simple rule, as far as shown rounds tell.

Each bid and challenge of a shown round has a likelihood under the reader's simple models, with the
cards that were held, and under an unknown player: one who mostly does what a solved strategy does
(what the network does where none is), and now and then anything. Bayes' rule weighs them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.players.blueprint.playing import chances_of
from engine.players.kernels.cards import CHALLENGE
from engine.players.kernels.features import workspace
from engine.players.kernels.reading import MODELS, TEMPERS, explain
from engine.players.memory import Shown
from engine.players.position import Position
from engine.players.reader import MOST_NOTED, reading_of, table_shown
from engine.ruleset import Ruleset

PRIOR: Final = 0.5  # that somebody plays simply
SURE: Final = 0.9
FAITHFUL: Final = 0.7  # how often an unknown player does what a strategy does
OTHERWISE: Final = 0.06  # how likely any one thing is that it does besides


def plays_simply(position: Position, rules: Ruleset, seat: int) -> bool:
    """Whether `seat` is as good as known to play by a simple rule.

    The latest shown rounds count, so the answer may change after each.
    """
    if not position.shown:
        return False
    logs = sum(likelihoods(rules, shown)[seat] for shown in position.shown[-MOST_NOTED:])
    shares = np.exp(logs - np.max(logs)) * (
        [PRIOR / (MODELS - TEMPERS)] * (MODELS - TEMPERS) + [1 - PRIOR]
    )
    return bool(shares[:-1].sum() > SURE * shares.sum())


@lru_cache(maxsize=512)
def likelihoods(rules: Ruleset, shown: Shown) -> NDArray[np.float64]:
    """The logarithms of how likely each seat did what it did in a shown round, (seats, models).

    The models are the simple ones of `kernels.reading`, and last the unknown player. Kept for the
    rounds of the latest matches, as each decision of a match asks for the same ones.
    """
    table = table_shown(shown)
    seats = len(shown.hands)
    reading, out = reading_of(rules, seats), np.empty(MODELS)
    work = workspace(reading.arrays.rung.size)
    logs = np.zeros((seats, MODELS - TEMPERS + 1))
    dealt = [hand.bit_count() for hand in shown.hands]
    places = [place for _, place in shown.bids]
    acts: list[tuple[int, int | None]] = list(shown.bids)
    in_turn = shown.bids and shown.challenger == _after(shown)
    if in_turn and shown.challenger is not None:
        acts.append((shown.challenger, None))
    for at, (seat, place) in enumerate(acts):
        table.state[1] = at
        action = CHALLENGE if place is None else place
        explain(reading.arrays, work, reading.models, table, seat, action, out)
        if out.min() >= 1:
            continue  # nothing was left but to challenge
        chances = dict(
            chances_of(rules, dealt, shown.opener, seat, shown.hands[seat], places[:at])
            if not shown.middle
            else ()
        )
        likely = chances.get(place, 0.0) if chances else out[0]
        logs[seat] += np.log([*out[TEMPERS:], FAITHFUL * likely + OTHERWISE])
    return logs


def _after(shown: Shown) -> int:
    """The seat in turn after the last bid."""
    seats = len(shown.hands)
    bidder = shown.bids[-1][0]
    return next(
        seat % seats for seat in range(bidder + 1, bidder + seats + 1) if shown.hands[seat % seats]
    )
