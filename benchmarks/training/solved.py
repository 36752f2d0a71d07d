"""A game's shipped solved strategies as arrays, so that compiled loops can play them."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from engine.odds.compiling import njit
from engine.players.arrays import Ints, Masks, RuleArrays
from engine.players.blueprint.abstraction import MOST_BIDS
from engine.players.blueprint.playing import blueprint_of
from engine.players.blueprint.shipped import index
from engine.players.blueprint.strategy import CHALLENGE as CHALLENGED
from engine.players.kernels.cards import (
    CHALLENGE,
    RoundArrays,
    chance_of,
    count_of,
    lowest_bid,
    uniform,
)
from engine.ruleset import Ruleset

UNSOLVED: Final = -2
MOST_CARDS: Final = 53  # one more than the most cards of a seat
_BITS: Final = 3  # bits of each kind's count in a hand's code

_1 = np.uint64(1)


class Solved(NamedTuple):
    """R solved rounds, with two plans each: 2r is the opener's in round r, 2r + 1 the other seat's.

    The columns of `starts` are places in `codes` and `hands`, in `situations` and `first`, and
    in `usual`. Plan p has the places from `starts[p]` up to `starts[p + 1]`. Situation s has
    the choices from `first[s]` up to `first[s + 1]`, as in `strategy.Plan`.
    """

    rounds: Ints  # (MOST_CARDS, MOST_CARDS) the round by the opener's and the other's cards, or -1
    memory: Ints  # (R) bids remembered, 0: all
    sizes: Ints  # (R) number of bids
    bids: Ints  # (R, ladder) the bid at a place of the ladder, or -1
    places: Ints  # (R, MOST_BIDS) the place of a bid
    third: Masks  # (R, MOST_BIDS) the bit that stands for a bid if it is the third last
    kinds: Masks  # (R, kinds) the cards of each kind; 0 if there are fewer kinds
    starts: Ints  # (2 R + 1, 3)
    codes: Ints  # a hand's counts of each kind as one number; sorted within a plan
    hands: Ints  # the index of the hand with this code
    situations: Masks
    first: Ints
    held: Any  # the hand of a choice
    actions: Any
    weights: Any
    usual: Any


def solved_rounds(rules: Ruleset | None) -> Solved:
    """Return all solved rounds of `rules`; without rules, an empty `Solved`."""
    names = index()[rules.key]["exploitability"] if rules is not None else {}
    pairs = [(int(opener), int(replier)) for opener, replier in (name.split("-") for name in names)]
    blueprints = [blueprint_of(rules, pair) for pair in pairs] if rules is not None else []
    known_blueprints = [blueprint for blueprint in blueprints if blueprint is not None]
    rounds = np.full((MOST_CARDS, MOST_CARDS), -1, np.int64)
    for number, pair in enumerate(pairs):
        rounds[pair] = number
    bids = np.full(
        (len(known_blueprints), len(rules.ladder) if rules is not None else 0), -1, np.int64
    )
    places = np.zeros((len(known_blueprints), MOST_BIDS), np.int64)
    third = np.zeros((len(known_blueprints), MOST_BIDS), np.uint64)
    kinds = np.zeros(
        (
            len(known_blueprints),
            max((len(known.kinds) for known, _ in known_blueprints), default=0),
        ),
        np.uint64,
    )
    parts: list[list[Any]] = [[] for _ in range(8)]
    sizes, choices = [(0, 0, 0)], 0
    for number, (known, strategy) in enumerate(known_blueprints):
        bids[number, list(known.bids)] = range(len(known.bids))
        places[number, : len(known.bids)] = known.bids
        third[number, : len(known.bids)] = _1 << strategy.third.astype(np.uint64)
        kinds[number, : len(known.kinds)] = known.kinds
        for hands, plan in zip(known.hands, strategy.plans, strict=True):
            codes = np.array(
                [sum(held << _BITS * kind for kind, held in enumerate(hand)) for hand in hands]
            )
            order = np.argsort(codes)
            columns = (codes[order], order, plan.situations, plan.first[:-1] + choices)
            columns_here = (plan.hands, plan.actions, plan.chances, plan.usual.ravel())
            for part, column in zip(parts, (*columns, *columns_here), strict=True):
                part.append(column)
            choices += len(plan.hands)
            sizes.append((len(codes), len(plan.situations), plan.usual.size))
    parts[3].append(np.array([choices]))
    types = (np.int64, np.int64, np.uint64, np.int64, np.uint16, np.uint8, np.uint16, np.uint8)
    return Solved(
        rounds,
        np.array([strategy.memory for _, strategy in known_blueprints], np.int64),
        np.array([len(known.bids) for known, _ in known_blueprints], np.int64),
        bids,
        places,
        third,
        kinds,
        np.cumsum(sizes, axis=0, dtype=np.int64),
        *(
            np.concatenate(part).astype(kind) if part else np.zeros(0, kind)
            for part, kind in zip(parts, types, strict=True)
        ),
    )


@njit(cache=True, nogil=True)
def solved_action(g: RuleArrays, solved: Solved, t: RoundArrays, seat: int, rng: Any) -> Any:
    """Return the solved strategy's action for `seat` in turn: a bid's place, CHALLENGE or UNSOLVED.

    It is the action of *sharp* in `engine.players.deciding.choose`, against an opponent that it has
    not recognised; UNSOLVED if *sharp* would not play by a solved strategy here. Call it only if
    there is a bid above the standing one.
    """
    opener, bids_made = t.state[0], t.state[1]
    if t.cards.size != 2:
        return UNSOLVED
    which = solved.rounds[t.cards[opener], t.cards[1 - opener]]
    if which < 0:
        return UNSOLVED
    standing = t.bids[bids_made - 1] if bids_made else -1
    stands = chance_of(g, standing, t.hands[seat], t.state[2]) if bids_made else 1.0
    if stands <= 0 or (stands < 1 and solved.bids[which, standing] < 0):
        return CHALLENGE
    if bids_made and solved.bids[which, standing] < 0:
        return UNSOLVED
    situation = np.uint64(0)
    memory = solved.memory[which] if solved.memory[which] else bids_made
    if bids_made > 2 and solved.bids[which, t.bids[bids_made - 2]] < 0:
        memory = min(memory, 2)
    for at in range(max(0, bids_made - memory), bids_made):
        bid = solved.bids[which, t.bids[at]]
        if bid >= 0:
            situation |= solved.third[which, bid] if at < bids_made - 2 else _1 << np.uint64(bid)
    code = 0
    for kind in range(solved.kinds.shape[1]):
        code += count_of(t.hands[seat] & solved.kinds[which, kind]) << (_BITS * kind)
    plan = 2 * which + (seat != opener)
    start, end = solved.starts[plan], solved.starts[plan + 1]
    hand = solved.hands[start[0] + np.searchsorted(solved.codes[start[0] : end[0]], code)]
    place = start[1] + np.searchsorted(solved.situations[start[1] : end[1]], situation)
    total, action = 0.0, -1
    if place < end[1] and solved.situations[place] == situation:
        low, high = solved.first[place], solved.first[place + 1]
        low += np.searchsorted(solved.held[low:high], hand)
        last = low
        while last < high and solved.held[last] == hand:
            total += solved.weights[last]
            last += 1
        left = uniform(rng) * total
        while low < last:
            action = solved.actions[low]
            left -= solved.weights[low]
            if left < 0:
                break
            low += 1
    if total == 0:
        after = 1 + solved.bids[which, standing] if bids_made else 0
        action = solved.usual[start[2] + hand * (1 + solved.sizes[which]) + after]
    if action == CHALLENGED:
        return CHALLENGE if stands < 1 else UNSOLVED
    return max(solved.places[which, action], lowest_bid(g, t))
