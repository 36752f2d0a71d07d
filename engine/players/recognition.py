"""Recognise players who follow a simple rule, from the rounds shown.

Given the cards that were held, each bid and challenge of a shown round has a likelihood
under each of the reader's simple models, and under an unknown player, who mostly follows a
solved strategy (or the network, if there is none) and sometimes acts at random. Bayes' rule
combines the likelihoods.
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
from engine.players.memory import ShownRound
from engine.players.position import Position
from engine.players.reader import MOST_NOTED, reading_of, table_shown
from engine.ruleset import Ruleset

PRIOR: Final = 0.5  # prior probability that a player follows a simple rule
SURE: Final = 0.9
FAITHFUL: Final = 0.7  # fraction of the time that an unknown player follows the strategy
OTHERWISE: Final = 0.06  # the chance of each single other action


def plays_simply(position: Position, rules: Ruleset, seat: int) -> bool:
    """Return whether `seat` follows a simple rule, with a certainty above `SURE`.

    Only the latest `MOST_NOTED` shown rounds are used, so the answer may change after each
    round.
    """
    if not position.rounds:
        return False
    logs = sum(
        likelihoods(rules, shown_round)[seat] for shown_round in position.rounds[-MOST_NOTED:]
    )
    shares = np.exp(logs - np.max(logs)) * (
        [PRIOR / (MODELS - TEMPERS)] * (MODELS - TEMPERS) + [1 - PRIOR]
    )
    return bool(shares[:-1].sum() > SURE * shares.sum())


@lru_cache(maxsize=512)
def likelihoods(rules: Ruleset, ended: ShownRound) -> NDArray[np.float64]:
    """Return the log-likelihood of each seat's actions in a shown round, (seats, models).

    The models are the simple players of `kernels.reading`, then the unknown player. The result is
    cached, since the later decisions of a match need it again.
    """
    table = table_shown(ended)
    seats = len(ended.hands)
    reading, out = reading_of(rules, seats), np.empty(MODELS)
    work = workspace(reading.arrays.rung.size)
    logs = np.zeros((seats, MODELS - TEMPERS + 1))
    dealt = [hand.bit_count() for hand in ended.hands]
    places = [place for _, place in ended.bids]
    acts: list[tuple[int, int | None]] = list(ended.bids)
    in_turn = ended.bids and ended.challenger == _after(ended)
    if in_turn and ended.challenger is not None:
        acts.append((ended.challenger, None))
    for at, (seat, place) in enumerate(acts):
        table.state[1] = at
        action = CHALLENGE if place is None else place
        explain(reading.arrays, work, reading.models, table, seat, action, out)
        if out.min() >= 1:
            continue  # the challenge was the only action left, so it says nothing
        chances = dict(
            chances_of(rules, dealt, ended.opener, seat, ended.hands[seat], places[:at])
            if not ended.middle
            else ()
        )
        likely = chances.get(place, 0.0) if chances else out[0]
        logs[seat] += np.log([*out[TEMPERS:], FAITHFUL * likely + OTHERWISE])
    return logs


def _after(ended: ShownRound) -> int:
    """Return the seat whose turn it is after the last bid."""
    seats = len(ended.hands)
    bidder = ended.bids[-1][0]
    return next(
        seat % seats for seat in range(bidder + 1, bidder + seats + 1) if ended.hands[seat % seats]
    )
