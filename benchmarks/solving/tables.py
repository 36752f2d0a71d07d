"""Turn solved tables into strategies: chances are rounded, and avoided situations left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from benchmarks.solving.graph import Graph
from engine.players.blueprint.abstraction import Abstraction
from engine.players.blueprint.strategy import CHALLENGE, Plan, Strategy

Array = np.ndarray[Any, Any]

# the choices in a situation: the seat in turn, the remembered bids as bits, the standing bid or -1,
# the actions, and their weights by hand, (hands, actions)
Choices = tuple[int, int, int, Array, Array]

LEVELS = 31  # levels to which chances are rounded
COMES = 0.01  # in situations that a seat's own choices bring less often, it plays safe


def strategy_from(
    abstraction: Abstraction,
    memory: int,
    choices: Iterable[Choices],
    buckets: Array | None = None,
) -> Strategy:
    """Return the strategy of `choices`; leave out choices whose only action is the safe one.

    A bid that is certainly true is never challenged; a bid that can't be true always is.
    """
    usual = [_usual(abstraction, seat) for seat in (0, 1)]
    likely = [_likely(abstraction, seat) for seat in (0, 1)]
    rows: tuple[list[Any], list[Any]] = ([], [])
    for seat, situation, standing, actions, weights in choices:
        if standing >= 0:
            weights[likely[seat][:, standing] > 1 - 1e-9, -1] = 0
            weights[likely[seat][:, standing] < 1e-9, :-1] = 0
        else:
            weights[:, -1] = 0
        alone = (weights > 0).sum(axis=1) == 1
        weights[alone & (actions[weights.argmax(axis=1)] == usual[seat][:, standing + 1])] = 0
        hand, action = np.nonzero(weights)
        if len(hand):
            rows[seat].append((situation, hand, actions[action], weights[hand, action]))
    opener, replier = (
        _plan(sorted(of_seat, key=lambda each: each[0]), usual[seat])
        for seat, of_seat in enumerate(rows)
    )
    return Strategy(memory, (opener, replier), buckets)


def _plan(rows: list[Any], usual: Array) -> Plan:
    situations, hands, actions, weights = zip(*rows, strict=True)
    return Plan(
        np.array(situations, np.uint64),
        np.cumsum([0, *map(len, hands)]),
        np.concatenate(hands).astype(np.uint16),
        np.concatenate(actions).astype(np.uint8),
        np.concatenate(weights).astype(np.uint16),
        usual,
    )


def _likely(abstraction: Abstraction, seat: int) -> Array:
    """Return the chance that each bid holds, for each hand of `seat`: (hands, bids)."""
    chance, true = abstraction.chance, abstraction.true
    if seat == 1:
        chance, true = chance.T, true.transpose(0, 2, 1)
    likely: Array = (chance * true).sum(axis=2).T / chance.sum(axis=1)[:, None]
    return likely


def _usual(abstraction: Abstraction, seat: int) -> Array:
    """Return a safe action for each hand at the opening and for each standing bid.

    The shape is (hands, 1 + bids). The opening is the likeliest bid. A standing bid is challenged;
    if that must lose, the action is the likeliest higher bid. If no higher bid is known, the action
    is the standing bid itself.
    """
    likely = _likely(abstraction, seat)
    hands, n = likely.shape
    usual = np.full((hands, n + 1), CHALLENGE, np.uint8)
    usual[:, 0] = likely.argmax(axis=1)
    for bid in range(n):
        best = bid + 1 + likely[:, bid + 1 :].argmax(axis=1) if bid + 1 < n else bid
        usual[:, bid + 1] = np.where(likely[:, bid] > 1 - 1e-9, best, CHALLENGE)
    return usual


def choices_of(
    graph: Graph, tables: tuple[Array, Array], levels: int = LEVELS, comes: float = COMES
) -> Iterator[Choices]:
    """Yield the choices of the two seats' solved tables, (hands, cells) each.

    Weights are whole numbers, `levels` for the likeliest action. They are 0 in situations that the
    seat, with its hand, rarely chooses to reach: with a chance below `comes`.
    """
    n = graph.bids
    for seat, table in enumerate(tables):
        # how often a seat makes a bid after one of a bucket, at most, over all earlier bids
        reached = np.zeros((len(table), int(graph.bucket.max()) + 1, n + 1))
        reached[:, 0, 0] = 1
        for i in range(len(graph.standing)):
            s, own_bid, third = int(graph.standing[i]), int(graph.own_bid[i]), int(graph.third[i])
            if (s == 0 and seat == 1) or (s > 0 and own_bid == 0 and seat == 0):
                continue
            row = table[:, graph.row[i] : graph.row[i] + n - s + 1].astype(float)
            weights = np.rint(row / np.maximum(row.max(axis=1, keepdims=True), 1e-9) * levels)
            reach, then = reached[:, third, own_bid], reached[:, graph.bucket[s], s + 1 :]
            weights[reach < comes] = 0
            share = weights / np.maximum(weights.sum(axis=1, keepdims=True), 1)
            np.maximum(then, reach[:, None] * share[:, :-1], out=then)
            yield seat, int(graph.situation[i]), s - 1, np.array([*range(s, n), CHALLENGE]), weights
