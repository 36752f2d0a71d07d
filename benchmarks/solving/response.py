"""What the best opponent wins a round from a solved strategy: exactly, by walking all histories.

The responder knows its suited cards, all bids, and how likely the strategy is to hold each hand by
now. It may make every bid of the game; those that a strategy does not know it always challenges.
Where few of the strategy's hands can have come, the walk may be cut: there the responder is taken
to challenge for a lower bound, and to win for an upper one. Both are added up over the whole walk,
so what is true lies between them.
"""

from __future__ import annotations

from itertools import combinations, permutations
from typing import Any, NamedTuple

import numpy as np

from engine.odds.compiling import njit
from engine.players.arrays import RuleArrays, arrays_of
from engine.players.blueprint.abstraction import Abstraction
from engine.players.blueprint.strategy import CHALLENGE, Plan, Strategy
from engine.players.kernels.cards import holds

Array = np.ndarray[Any, Any]
NEVER = -1e9


class Walk(NamedTuple):
    """The responder's side of a round and the plan that it meets.

    H hands of the responder by ranks, C of them by suits too, O of the plan, n bids.
    """

    memory: int
    situations: Array
    first: Array
    hands: Array
    actions: Array
    chances: Array  # shares
    usual: Array
    chance: Array  # (O, H) of the deal
    signed: Array  # (n, O, H) the same, with a minus where the bid fails
    often: Array  # (O) how often the plan holds each hand
    hand: Array  # (C) the hand by ranks
    strange: Array  # (X, C, O) the same of each bid that the plan does not know
    after: Array  # (X) the first bid that is above it
    hopes: Array  # (C) the largest chance that any of them holds
    least: float  # how often the plan must come here for the walk to go on


class Scratch(NamedTuple):
    """Memory of a walk, a row for each bid made."""

    made: Array
    low: Array  # (depth, C)
    high: Array
    worst: Array  # the same of a bid that is looked at
    best: Array
    lost: Array  # (depth, H)
    won: Array
    reach: Array  # (depth, n + 1, O) after each bid of the plan; last what is challenged
    mass: Array  # (depth, n + 1)
    known: Array  # (depth, O)
    nodes: Array  # (1) the responder's decisions so far


@njit(cache=True, inline="always")
def _find(situations: Array, wanted: Any) -> int:
    low, high = 0, situations.size
    while low < high:
        middle = (low + high) // 2
        if situations[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low if low < situations.size and situations[low] == wanted else -1


@njit(cache=True, fastmath=True)
def _times(rows: Array, reach: Array, alive: Array, out: Array) -> None:
    """`out` = the sum of the rows of hands that are alive, each by its reach."""
    out[:] = 0
    for at in range(alive.size):
        share = reach[alive[at]]
        row = rows[alive[at]]
        for h in range(out.size):
            out[h] += share * row[h]


@njit(cache=True, fastmath=True)
def answer(w: Walk, k: Scratch, depth: int, reach: Array, alive: Array) -> None:
    """Fill `k.reach[depth]` and `k.mass[depth]`: the plan's hands after each thing it may do.

    Rows of actions with no mass are not filled.
    """
    n = w.signed.shape[0]
    key = np.uint64(0)
    for at in range(max(0, depth - w.memory) if w.memory else 0, depth):
        key |= np.uint64(1) << np.uint64(k.made[at])
    mass, after, known = k.mass[depth], k.reach[depth], k.known[depth]
    mass[:] = 0
    known[:] = False
    place = _find(w.situations, key)
    if place >= 0:
        for e in range(w.first[place], w.first[place + 1]):
            o = w.hands[e]
            if reach[o] > 0:
                a = n if w.actions[e] == CHALLENGE else w.actions[e]
                if mass[a] == 0:
                    after[a] = 0
                after[a, o] = reach[o] * w.chances[e]
                mass[a] += w.often[o] * after[a, o]
                known[o] = True
    standing = k.made[depth - 1] + 1 if depth else 0
    for at in range(alive.size):
        o = alive[at]
        if not known[o]:
            a = n if w.usual[o, standing] == CHALLENGE else w.usual[o, standing]
            if mass[a] == 0:
                after[a] = 0
            after[a, o] = reach[o]
            mass[a] += w.often[o] * reach[o]


@njit(cache=True, fastmath=True)
def respond(w: Walk, k: Scratch, depth: int, reach: Array) -> None:
    """The responder's turn: fills `k.low[depth]` and `k.high[depth]`, what each hand wins.

    `k.made[:depth]` are the bids, the last one the plan's; `reach` is the chance of each of its
    hands to have come here.
    """
    k.nodes[0] += 1
    n = w.signed.shape[0]
    low, high = k.low[depth], k.high[depth]
    worst, best = k.worst[depth], k.best[depth]
    lost, won = k.lost[depth], k.won[depth]
    standing = k.made[depth - 1] if depth else -1
    alive = np.flatnonzero(reach)
    _times(w.chance, reach, alive, won)
    if depth:
        _times(w.signed[standing], reach, alive, lost)
        for c in range(low.size):
            low[c] = -lost[w.hand[c]]
    else:
        low[:] = NEVER
    for c in range(low.size):
        if low[c] < won[w.hand[c]] * (2 * w.hopes[c] - 1):
            for x in range(w.after.size):
                if w.after[x] > standing:
                    worth = 0.0
                    for at in range(alive.size):
                        worth += w.strange[x, c, alive[at]] * reach[alive[at]]
                    low[c] = max(low[c], worth)
    high[:] = low
    for b in range(standing + 1, n):
        k.made[depth] = b
        answer(w, k, depth + 1, reach, alive)
        mass, after = k.mass[depth + 1], k.reach[depth + 1]
        lost[:] = 0
        if mass[n] > 0:
            _times(w.signed[b], after[n], alive, lost)
        for c in range(low.size):
            worst[c] = lost[w.hand[c]]
            best[c] = worst[c]
        for a in range(b, n):  # no bid is worth more than winning whatever is not challenged
            if mass[a] > 0:
                _times(w.chance, after[a], alive, won)
                for c in range(low.size):
                    best[c] += won[w.hand[c]]
        if (best <= low).all():
            continue
        for a in range(b, n):
            if mass[a] <= 0:
                continue
            _times(w.chance, after[a], alive, won)
            if a == b:  # it must go on and knows no bid
                for c in range(low.size):
                    worst[c] -= won[w.hand[c]]
            elif mass[a] < w.least:
                _times(w.signed[a], after[a], alive, lost)
                for c in range(low.size):
                    worst[c] -= lost[w.hand[c]]
            else:
                k.made[depth + 1] = a
                respond(w, k, depth + 2, after[a])
                for c in range(low.size):
                    worst[c] += k.low[depth + 2, c]
                    best[c] += k.high[depth + 2, c] - won[w.hand[c]]
        for c in range(low.size):
            low[c] = max(low[c], worst[c])
            high[c] = max(high[c], best[c])


class Response(NamedTuple):
    """What the best responder wins a round as opener and as the other, at least and at most."""

    low: tuple[float, float]
    high: tuple[float, float]
    nodes: int  # its decisions that were looked at

    @property
    def exploitability(self) -> float:
        """The mean of both seats, at least; 0 for an equilibrium."""
        return sum(self.low) / 2

    @property
    def cut(self) -> float:
        """How much more it may be."""
        return (sum(self.high) - sum(self.low)) / 2


def best_response(abstraction: Abstraction, strategy: Strategy, least: float = 0.0) -> Response:
    """The best response to a strategy in each seat, walking on where `least` of it comes."""
    each = [_respond_as(me, abstraction, strategy, least) for me in (0, 1)]
    low, high, nodes = zip(*each, strict=True)
    return Response((low[0], low[1]), (high[0], high[1]), sum(nodes))


def walk_of(
    me: int, abstraction: Abstraction, strategy: Strategy, least: float
) -> tuple[Walk, Scratch, Array]:
    """What a walk of the responder `me` needs, and the share of each of its suited hands."""
    hand, share, strange, after = _suited(abstraction, me)
    chance, true = abstraction.chance, abstraction.true
    if me == 1:
        chance, true = chance.T, true.transpose(0, 2, 1)
    plan: Plan = strategy.plans[1 - me]
    total = np.zeros(len(plan.hands))
    for low, high in zip(plan.first[:-1], plan.first[1:], strict=True):
        hands = plan.hands[low:high]
        weights = plan.chances[low:high].astype(float)
        total[low:high] = weights / np.bincount(hands, weights)[hands]
    n, held, others = len(abstraction.bids), chance.shape[0], chance.shape[1]
    walk = Walk(
        *(strategy.memory, plan.situations, plan.first, plan.hands, plan.actions, total),
        *(plan.usual, np.ascontiguousarray(chance.T)),
        np.ascontiguousarray(np.where(true, chance, -chance).transpose(0, 2, 1)),
        *(chance.sum(axis=0), hand, (2 * strange - 1) * chance[hand], after),
        *(strange.max(axis=(0, 2), initial=0.0), least),
    )
    depth, classes = n + 4, len(hand)
    scratch = Scratch(
        made=np.zeros(depth, np.int64),
        low=np.zeros((depth, classes)),
        high=np.zeros((depth, classes)),
        worst=np.zeros((depth, classes)),
        best=np.zeros((depth, classes)),
        lost=np.zeros((depth, held)),
        won=np.zeros((depth, held)),
        reach=np.zeros((depth, n + 1, others)),
        mass=np.zeros((depth, n + 1)),
        known=np.zeros((depth, others), np.bool_),
        nodes=np.zeros(1, np.int64),
    )
    return walk, scratch, share


def _respond_as(
    me: int, abstraction: Abstraction, strategy: Strategy, least: float
) -> tuple[float, float, int]:
    walk, scratch, share = walk_of(me, abstraction, strategy, least)
    others, n = len(walk.often), len(walk.signed)
    reach = np.ones(others)
    if me == 0:
        respond(walk, scratch, 0, reach)
        worth = scratch.low[0] @ share, scratch.high[0] @ share
    else:
        answer(walk, scratch, 0, reach, np.arange(others))
        worth = 0.0, 0.0
        for bid in np.flatnonzero(scratch.mass[0, :n]):
            scratch.made[0] = bid
            respond(walk, scratch, 1, scratch.reach[0, bid])
            worth = worth[0] + scratch.low[1] @ share, worth[1] + scratch.high[1] @ share
    return float(worth[0]), float(worth[1]), int(scratch.nodes[0])


def _suited(abstraction: Abstraction, me: int) -> tuple[Array, Array, Array, Array]:
    """The responder's hands that differ but for the names of suits, and bids no plan knows.

    Returns the number by ranks of each, its share of the hands with these ranks, and how likely it
    makes each such bid, (bids, own hands, other's hands); and the first known bid above each.
    """
    rules = abstraction.ruleset
    g = arrays_of(rules)
    in_play = sum(abstraction.cards)
    places = [
        place
        for place, bid in enumerate(rules.ladder)
        if place not in abstraction.places and sum(need.count for need in bid.needs) <= in_play
    ]
    after = np.searchsorted(np.array(abstraction.bids), places)
    own, theirs = abstraction.cards[me], abstraction.cards[1 - me]
    suits = sorted({card.suit for card in rules.deck.order if not card.is_joker})
    number = {(card.rank, card.suit): card.number for card in rules.deck.order}
    swaps = []
    for order in permutations(suits) if places else ():
        other = dict(zip(suits, order, strict=True))
        swaps.append({n: number[rank, other[suit]] for (rank, suit), n in number.items()})
    alike: dict[int, list[int]] = {}
    for cards in combinations([card.number for card in rules.deck.order], own):
        bits = sum(1 << card for card in cards)
        if not places:  # suits tell nothing: hands by ranks
            least = abstraction.hand_of(me, bits)
        else:
            least = min(sum(1 << swap[card] for card in cards) for swap in swaps)
        alike.setdefault(least, []).append(bits)
    first = np.array([bits[0] for bits in alike.values()], np.uint64)
    hand = np.array([abstraction.hand_of(me, int(bits)) for bits in first])
    size = np.array([len(bits) for bits in alike.values()], float)
    share = size / np.bincount(hand, size)[hand]
    if not places:
        return hand, share, np.zeros((0, len(hand), len(abstraction.hands[1 - me]))), after
    other_hands = np.array(
        [sum(1 << card for card in cards) for cards in combinations(number.values(), theirs)],
        np.uint64,
    )
    ranks = np.array([abstraction.hand_of(1 - me, int(bits)) for bits in other_hands])
    strange = np.zeros((len(places), len(hand), len(abstraction.hands[1 - me])))
    count_held(g, np.array(places), first, other_hands, ranks, strange)
    return hand, share, strange, after


@njit(cache=True)
def count_held(
    g: RuleArrays, places: Array, hands: Array, others: Array, ranks: Array, out: Array
) -> None:
    """`out[x, c, o]`: the share of the other's hands with ranks `o` with which bid `x` holds."""
    met = np.zeros(out.shape[2])
    for c in range(hands.size):
        met[:] = 0
        for i in range(others.size):
            if hands[c] & others[i]:
                continue
            o = ranks[i]
            met[o] += 1
            for x in range(places.size):
                if holds(g, places[x], hands[c] | others[i]):
                    out[x, c, o] += 1
        for o in range(met.size):
            if met[o] > 0:
                for x in range(places.size):
                    out[x, c, o] /= met[o]
