"""Compute what the best opponent of a solved strategy, the responder, wins a round.

The responder knows its suited cards, all bids made, and at every point the chance of each
hand of the strategy. It may make every bid of the game; the strategy always challenges a
bid that it doesn't know.

The search takes the responder's hands by ranks one by one. It ends where a lower and an
upper bound are close. The lower bound is what the responder wins if from there on it
decides only by the situation: the bids that the strategy remembers. The upper bound is what
the responder wins if it makes its next bid and is then shown the strategy's ranks. These
bounds need a strategy that remembers two or three bids. Against other strategies, the lower
bound takes the rest of a round as lost by the responder, the upper bound as won. The result
lies between the sums of both bounds over the whole search.

If there are too many hands, some are drawn. If both seats play by the strategy, their gains
sum to 0, so it is enough to know how much more the responder wins with each drawn hand than
the strategy would. This difference varies far less from hand to hand than the gain itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations
from math import comb, hypot
from typing import Any, Final, NamedTuple

import numpy as np

from engine.odds.bids.kernels import popcount
from engine.odds.compiling import njit
from engine.players.blueprint.abstraction import Abstraction, by_ranks
from engine.players.blueprint.strategy import CHALLENGE, Strategy

Array = np.ndarray[Any, Any]
NEVER: Final = -1e9
GUESSES: Final = 2  # times that the responder of the lower bound improves its choices


class PlanArrays(NamedTuple):
    """A plan as arrays for the search, with O hands and n bids; see also `Plan` and `Strategy`."""

    memory: int
    third: Array  # (n) the bit that stands for each bid in a situation if it is the third last
    bucket: Array  # (n) the number of its bucket from 1, or 0 if no third bid is remembered
    situations: Array
    first: Array  # (situations, O + 1) the first choice of each hand; the end is the next one's
    actions: Array
    chances: Array  # they sum to 1 for each hand and situation
    usual: Array


class Holding(NamedTuple):
    """A responder's hand by ranks (C hands by suits), and what its bids win, from -1 to 1.

    A situation is what the plan remembers at the responder's turn: the plan's last bid and the
    bucket of the responder's last bid, each 0 for no bid. `situation_of` numbers the S
    situations.
    """

    chance: Array  # (O) the chance of each of the plan's hands
    holds: Array  # (n, O) 1 if a bid holds, else -1
    strange: Array  # (X, C, O) what each of the X bids wins that the plan does not know
    hopes: Array  # (C) the most that any of these wins
    after: Array  # (X) the first known bid above each of these
    bold: Array  # (n + 1, O) the most that any of these wins that is above the plan's last bid
    floor: Array  # (S, O, n) lower bound of what a bid wins against each of the plan's hands
    roof: Array  # (S, O, n) upper bound
    top: Array  # (S, O) upper bound of what a situation is worth
    close: float  # the search ends if the bounds differ by no more


class Scratch(NamedTuple):
    """Scratch memory of the search, with a row for each bid made."""

    bids: Array
    low: Array  # (depth, C)
    high: Array
    worst: Array  # the same for a single bid
    best: Array
    least: Array  # (depth, n) the bounds of each bid
    most: Array
    reach: Array  # (depth, n + 1, O) the hands' chances after each action of the plan
    mass: Array  # (depth, n + 1) their sums
    alive: Array  # (depth, O) the plan's hands that are possible
    nodes: Array  # (1) the responder's decisions so far


@njit(cache=True, inline="always")
def _find(situations: Array, situation: Any) -> int:
    low, high = 0, situations.size
    while low < high:
        middle = (low + high) // 2
        if situations[middle] < situation:
            low = middle + 1
        else:
            high = middle
    return low if low < situations.size and situations[low] == situation else -1


@njit(cache=True, inline="always")
def situation_of(bucket: int, own_bid: int, bids: int) -> int:
    """Return the number of a situation, from the last bids of both sides.

    `bucket`: the bucket of the responder's last bid. `own_bid`: the plan's last bid. Each is 0
    if there is no such bid. The plan knows `bids` bids.
    """
    return bucket * (bids + 1) + own_bid


@njit(cache=True, fastmath=True)
def answer(w: PlanArrays, k: Scratch, depth: int, reach: Array, alive: Array) -> None:
    """Take the plan's turn: fill `k.reach[depth]` and `k.mass[depth]` after each of its actions.

    `reach` is the chance, for each hand, that the plan has it and comes to this point. `alive`
    are the hands for which `reach` isn't 0. `k.mass` is the sum of `k.reach` over the hands.
    `k.reach` is filled only for the hands in `alive`, and only for actions with a positive
    mass.
    """
    n = w.usual.shape[1] - 1
    key = np.uint64(0)
    for at in range(max(0, depth - w.memory) if w.memory else 0, depth):
        key |= np.uint64(1) << np.uint64(k.bids[at]) if at > depth - 3 else w.third[k.bids[at]]
    mass, after = k.mass[depth], k.reach[depth]
    mass[:] = 0
    place = _find(w.situations, key)
    standing = k.bids[depth - 1] + 1 if depth else 0
    for o in alive:
        first, end = (w.first[place, o], w.first[place, o + 1]) if place >= 0 else (0, 0)
        for e in range(first, max(end, first + 1)):
            action = w.actions[e] if e < end else w.usual[o, standing]
            a = n if action == CHALLENGE else action
            if mass[a] == 0:
                for bid_before in alive:
                    after[a, bid_before] = 0
            after[a, o] = reach[o] * (w.chances[e] if e < end else 1.0)
            mass[a] += after[a, o]


@njit(cache=True, fastmath=True)
def respond(w: PlanArrays, r: Holding, k: Scratch, depth: int, reach: Array, before: Array) -> None:
    """Take the responder's turn: fill `k.low[depth]` and `k.high[depth]`.

    They are bounds on what each distinct hand of the responder wins, weighted by `reach`.
    `reach[o]` is the chance that the plan has hand `o` and makes the bids that it has made. It
    is 0 for hands that are not in `before`. `k.bids[:depth]` are the bids made; the plan made
    the last one.
    """
    k.nodes[0] += 1
    n = r.holds.shape[0]
    low, high, worst, best = k.low[depth], k.high[depth], k.worst[depth], k.best[depth]
    least, most = k.least[depth], k.most[depth]
    standing = k.bids[depth - 1] if depth else -1
    situation = situation_of(w.bucket[k.bids[depth - 2]] if depth > 1 else 0, standing + 1, n)
    least[:] = 0
    most[:] = 0
    doubt, comes, count = 0.0, 0.0, 0
    for o in before:
        share = reach[o]
        if share > 0:
            k.alive[depth, count] = o
            count += 1
            comes += share
            floor, roof = r.floor[situation, o], r.roof[situation, o]
            for b in range(standing + 1, n):
                least[b] += share * floor[b]
                most[b] += share * roof[b]
            if depth:
                doubt -= share * r.holds[standing, o]
    alive = k.alive[depth, :count]
    start = doubt if depth else NEVER
    for b in range(standing + 1, n):
        start = max(start, least[b])
    low[:] = start
    for c in range(low.size):
        if start < comes * r.hopes[c]:
            for x in range(r.after.size):
                if r.after[x] > standing:
                    worth = 0.0
                    for o in alive:
                        worth += r.strange[x, c, o] * reach[o]
                    low[c] = max(low[c], worth)
    # element by element: numba takes seconds to compile the assignment of whole arrays
    for c in range(low.size):
        high[c] = low[c]
    for _ in range(standing + 1, n):
        b = standing + 1 + int(np.argmax(most[standing + 1 :]))
        if most[b] <= low.min() + r.close:
            for c in range(high.size):
                high[c] = max(high[c], most[b])
            break
        most[b] = NEVER
        k.bids[depth] = b
        answer(w, k, depth + 1, reach, alive)
        mass, after = k.mass[depth + 1], k.reach[depth + 1]
        payoff = 0.0
        if mass[n] > 0:
            for o in alive:
                payoff += after[n, o] * r.holds[b, o]
        # an action equal to the standing bid: the plan must bid on, and knows no higher bid
        worst[:] = payoff - mass[b]
        best[:] = payoff + mass[b]
        for a in range(b + 1, n):
            if mass[a] > 0:
                k.bids[depth + 1] = a
                respond(w, r, k, depth + 2, after[a], alive)
                for c in range(low.size):
                    worst[c] += k.low[depth + 2, c]
                    best[c] += k.high[depth + 2, c]
        for c in range(low.size):
            low[c] = max(low[c], worst[c])
            high[c] = max(high[c], best[c])


class Moves(NamedTuple):
    """The actions of a plan that remembers two or three bids.

    Each entry is an action, a hand, and the chance that the plan takes this action with this
    hand. `first[s, b]` is the plan's first entry after the responder bids b in situation s (see
    `Holding`).
    """

    first: Array  # (S, n + 1); entries end at the next first one
    hands: Array
    actions: Array  # a bid, or n for a challenge
    chances: Array


@njit(cache=True)
def bound(m: Moves, r: Holding, bucket: Array, start: Array) -> None:
    """Fill the bounds `r.floor`, `r.roof` and `r.top` for all situations (see `Holding`).

    `start` is the chance of each first situation with each of the plan's hands, (S, O). For
    `r.floor`, the responder takes the action that is best on average over the plan's hands in that
    situation. To weigh these hands, the responder is assumed to make all bids equally often at
    first, and then its best bid half of the time.
    """
    n, hands = r.holds.shape
    situations = r.top.shape[0]
    pick = np.full(situations, -1)
    worth = np.zeros((situations, hands))
    for _ in range(GUESSES):
        come = start.copy()
        for own_bid in range(n):
            for situation in range(own_bid, situations, n + 1):
                for b in range(own_bid, n):
                    share = 1 / (n - own_bid)
                    if pick[situation] >= 0:
                        share = share / 2 + (0.5 if pick[situation] == b else 0.0)
                    for e in range(m.first[situation, b], m.first[situation, b + 1]):
                        o, action = m.hands[e], m.actions[e]
                        if b < action < n:
                            next_situation = situation_of(bucket[b], action + 1, n)
                            come[next_situation, o] += share * m.chances[e] * come[situation, o]
        r.floor[:] = 0
        r.roof[:] = 0
        for own_bid in range(n, -1, -1):
            for situation in range(own_bid, situations, n + 1):
                for b in range(own_bid, n):
                    for e in range(m.first[situation, b], m.first[situation, b + 1]):
                        o, action, chance = m.hands[e], m.actions[e], m.chances[e]
                        if action == n:
                            r.floor[situation, o, b] += chance * r.holds[b, o]
                            r.roof[situation, o, b] += chance * r.holds[b, o]
                        elif action == b:
                            r.floor[situation, o, b] -= chance
                            r.roof[situation, o, b] += chance
                        else:
                            next_situation = situation_of(bucket[b], action + 1, n)
                            r.floor[situation, o, b] += chance * worth[next_situation, o]
                            r.roof[situation, o, b] += chance * r.top[next_situation, o]
                best, pick[situation] = NEVER, n
                r.top[situation] = NEVER
                if own_bid > 0:
                    worth[situation] = -r.holds[own_bid - 1]
                    r.top[situation] = worth[situation]
                    best = (come[situation] * worth[situation]).sum()
                for b in range(own_bid, n):
                    average = (come[situation] * r.floor[situation, :, b]).sum()
                    if average > best:
                        best, pick[situation] = average, b
                        worth[situation] = r.floor[situation, :, b]
                    r.top[situation] = np.maximum(r.top[situation], r.roof[situation, :, b])
                r.top[situation] = np.maximum(r.top[situation], r.bold[own_bid])


@njit(cache=True)
def play(mine: Moves, theirs: Moves, bucket: Array, hand: int, holds: Array, worth: Array) -> None:
    """Fill `worth` with what `hand` wins against each hand of the other seat if both follow plans.

    `worth[turn, s, b]` has an entry for each of the other seat's hands, in situation `s` while
    bid `b` stands. `turn` is 0 if the seat with `hand` (plan `mine`) acts, 1 if the other seat
    (plan `theirs`) does.
    """
    n = holds.shape[0]
    worth[:] = 0
    for b in range(n - 1, -1, -1):
        for situation in range(worth.shape[1]):
            own_bid = situation % (n + 1)
            if own_bid > b:
                continue
            last = bucket[own_bid - 1] if own_bid else 0
            for e in range(mine.first[situation, b], mine.first[situation, b + 1]):
                if mine.hands[e] == hand:
                    action, chance = mine.actions[e], mine.chances[e]
                    if action == n:
                        worth[0, situation, b] -= chance * holds[b]
                    elif action == b:  # it must bid on, and knows no higher bid
                        worth[0, situation, b] -= chance
                    else:
                        next_situation = situation_of(last, b + 1, n)
                        worth[0, situation, b] += chance * worth[1, next_situation, action]
            for e in range(theirs.first[situation, b], theirs.first[situation, b + 1]):
                o, action, chance = theirs.hands[e], theirs.actions[e], theirs.chances[e]
                if action == n:
                    worth[1, situation, b, o] += chance * holds[b, o]
                elif action == b:
                    worth[1, situation, b, o] += chance
                else:
                    next_situation = situation_of(last, b + 1, n)
                    worth[1, situation, b, o] += chance * worth[0, next_situation, action, o]


class Response(NamedTuple):
    """Bounds of the best responder's winnings per round, as the opener and as the other seat."""

    low: tuple[float, float]
    high: tuple[float, float]
    nodes: int  # the decisions searched
    errors: tuple[float, float] = (0.0, 0.0)  # standard errors of `low`, if hands were drawn

    @property
    def error(self) -> float:
        """The standard error of `exploitability`."""
        return hypot(*self.errors) / 2

    @property
    def exploitability(self) -> float:
        """The responder's lower bound, averaged over both seats; 0 for an equilibrium."""
        return sum(self.low) / 2

    @property
    def cut(self) -> float:
        """The upper bound minus the lower bound, averaged over both seats."""
        return (sum(self.high) - sum(self.low)) / 2


def best_response(abstraction: Abstraction, strategy: Strategy, least: float = 0.0) -> Response:
    """Return what the best response to a strategy wins in each seat.

    The search ends where the bounds differ by at most `least`. The difference is averaged over
    the responder's hands, and weighted by the chance that the search's point is reached.
    """
    low, high, nodes = [], [], 0
    for me in (0, 1):
        responder = Responder(me, abstraction, strategy)
        at_least, at_most = responder.walk(least)
        low.append(float(responder.often @ at_least))
        high.append(float(responder.often @ at_most))
        nodes += int(responder.scratch.nodes[0])
    return Response((low[0], low[1]), (high[0], high[1]), nodes)


def sampled_response(
    abstraction: Abstraction, strategy: Strategy, least: float, drawn: int, seed: int = 1
) -> Response:
    """Estimate the result of `best_response` from `drawn` hands of each seat.

    In the result, `low` and `high` are the least and the most that the responder wins above
    what `strategy` itself would win there. The strategy must remember two or three bids.
    """
    rng = np.random.default_rng(seed)
    low, high, errors, nodes = [], [], [], 0
    for me in (0, 1):
        responder = Responder(me, abstraction, strategy)
        hands, times = np.unique(
            rng.choice(len(responder.often), drawn, p=responder.often), return_counts=True
        )
        gain = responder.walk(least, hands) - [responder.play_value(hand) for hand in hands]
        at_least, at_most = np.repeat(gain, times, axis=1)
        low.append(float(at_least.mean()))
        high.append(float(at_most.mean()))
        errors.append(float(at_least.std(ddof=1)) / drawn**0.5)
        nodes += int(responder.scratch.nodes[0])
    return Response((low[0], low[1]), (high[0], high[1]), nodes, (errors[0], errors[1]))


class Responder:
    """The best opponent of a strategy; the opponent sits in seat `me` (0: the opener).

    `often` is the chance of each of the opponent's hands by ranks.
    """

    def __init__(self, me: int, abstraction: Abstraction, strategy: Strategy) -> None:
        chance, true = abstraction.chance, abstraction.true
        if me == 1:
            chance, true = chance.T, true.transpose(0, 2, 1)
        self.often = chance.sum(axis=1)
        self._chance = chance / self.often[:, None]
        self._holds = np.ascontiguousarray(np.where(true, 1.0, -1.0).transpose(1, 0, 2))
        self._hand, self._share, self._after, self._held = _distinct_hands(abstraction, me)
        self._opens = me == 0
        n, others = len(abstraction.bids), chance.shape[1]
        self.plan = plan_arrays(strategy, 1 - me)
        self._opening = strategy.plans[1 - me].at(0, None)[:, :n].T
        self._own_opening = strategy.plans[me].at(0, None)[:, :n]
        self._moves = self._own_moves = None
        if strategy.memory:
            self._own_moves, self._moves = (_moves(strategy, seat) for seat in (me, 1 - me))
        self._bold = np.full((n + 1, others), -1.0)
        situations = (1 + int(self.plan.bucket.max())) * (n + 1)
        self._bounds = (
            np.full((situations, others, n), -1.0),
            np.full((situations, others, n), 1.0),
            np.ones((situations, others)),
        )
        depth, classes = n + 4, int(np.bincount(self._hand).max())
        self.scratch = Scratch(
            bids=np.zeros(depth, np.int64),
            low=np.zeros((depth, classes)),
            high=np.zeros((depth, classes)),
            worst=np.zeros((depth, classes)),
            best=np.zeros((depth, classes)),
            least=np.zeros((depth, n)),
            most=np.zeros((depth, n)),
            reach=np.zeros((depth, n + 1, others)),
            mass=np.zeros((depth, n + 1)),
            alive=np.zeros((depth, others), np.int64),
            nodes=np.zeros(1, np.int64),
        )

    def walk(self, least: float, hands: Iterable[int] | None = None) -> Array:
        """Return lower and upper bounds of what each hand wins, (2, hands).

        `hands`: only these hands; None for all. `least` is as in `best_response`.
        """
        chosen = range(len(self.often)) if hands is None else hands
        worth = [self._worth(h, least / (self.often[h] * len(self.often))) for h in chosen]
        return np.array(worth).T

    def play_value(self, hand: int) -> float:
        """Return the average gain of `hand` if both seats play by the strategy.

        The strategy must remember two or three bids.
        """
        assert self._own_moves is not None
        assert self._moves is not None
        holds, chance = self._holds[hand], self._chance[hand]
        n, others = holds.shape
        worth = np.zeros((2, len(self._bounds[0]), n, others))
        play(self._own_moves, self._moves, self.plan.bucket, hand, holds, worth)
        if self._opens:
            return float(self._own_opening[hand] @ worth[1, 0] @ chance)
        return float((self._opening * worth[0, 0]).sum(axis=0) @ chance)

    def _worth(self, hand: int, close: float) -> tuple[float, float]:
        mine = np.flatnonzero(self._hand == hand)
        strange = 2 * self._held(mine) - 1
        hopes = strange.max(axis=(0, 2), initial=-1.0)
        most = strange.max(axis=1, initial=-1.0)
        for a in range(len(self._bold)):
            self._bold[a] = most[self._after >= a].max(axis=0, initial=-1.0)
        holding = Holding(
            *(self._chance[hand], self._holds[hand], strange, hopes, self._after, self._bold),
            *self._bounds,
            close=close,
        )
        start = np.zeros(self._bounds[2].shape)
        if self._opens:
            start[0] = holding.chance
        else:
            start[1 : len(self._bold)] = self._opening * holding.chance
        if self._moves is not None:
            bound(self._moves, holding, self.plan.bucket, start)
        rows = {name: getattr(self.scratch, name)[:, : len(mine)] for name in _BY_SUITS}
        scratch, depth = self.scratch._replace(**rows), 0 if self._opens else 1
        low, high = 0.0, 0.0
        for bid in np.flatnonzero(start.sum(axis=1)):
            scratch.bids[0] = bid - 1
            respond(self.plan, holding, scratch, depth, start[bid], np.arange(len(start[bid])))
            low += float(scratch.low[depth] @ self._share[mine])
            high += float(scratch.high[depth] @ self._share[mine])
        return low, high


_BY_SUITS: Final = ("low", "high", "worst", "best")


def plan_arrays(strategy: Strategy, seat: int) -> PlanArrays:
    """Return the strategy's plan for `seat` as arrays for the search."""
    plan = strategy.plans[seat]
    others = len(plan.usual)
    key = np.repeat(np.arange(len(plan.situations)) * others, np.diff(plan.first)) + plan.hands
    keys = np.arange(len(plan.situations))[:, None] * others + np.arange(others + 1)
    sums = np.bincount(key, plan.chances)
    bucket = np.unique(strategy.third, return_inverse=True)[1]
    return PlanArrays(
        strategy.memory,
        np.uint64(1) << strategy.third.astype(np.uint64),
        bucket + 1 if strategy.memory == 3 else np.zeros_like(bucket),
        *(plan.situations, np.searchsorted(key, keys), plan.actions),
        *(plan.chances / sums[key], plan.usual),
    )


def _moves(strategy: Strategy, seat: int) -> Moves:
    plan = strategy.plans[seat]
    n = plan.usual.shape[1] - 1
    remembered = [0]  # as bits: no bid, and the lowest one of each bucket
    if strategy.memory == 3:
        remembered += [1 << int(bid) for bid in np.unique(strategy.third)]
    first = np.zeros((len(remembered) * (n + 1), n + 1), np.int64)
    entries, many = [], 0
    for bucket, third in enumerate(remembered):
        for own_bid in range(n + 1):
            situation = situation_of(bucket, own_bid, n)
            first[situation, :] = many
            if third and third >= 1 << own_bid >> 1:
                continue  # the responder's bid was below the plan's own
            for bid in range(own_bid, n):
                chances = plan.at(1 << bid | 1 << own_bid >> 1 | third, bid)
                hands, actions = np.nonzero(chances)
                entries.append((hands, actions, chances[hands, actions]))
                many += len(hands)
                first[situation, bid + 1 :] = many
    return Moves(first, *map(np.concatenate, zip(*entries, strict=True)))


def _distinct_hands(
    abstraction: Abstraction, me: int
) -> tuple[Array, Array, Array, Callable[[Array], Array]]:
    """Return facts about the responder's hands and about possible bids missing in `abstraction`.

    Hands are merged if they differ only by an exchange of suits. If all missing bids treat
    suits alike, hands with the same ranks are merged. Return (each hand's index by ranks; its
    share of the hands with these ranks; for each missing bid, the index of the next higher bid
    in `abstraction`; a function). The function takes the indexes of some hands, and returns the
    chance that each missing bid is true: (bids, own hands, other's hands).
    """
    ladder, deck = abstraction.ruleset.ladder, abstraction.ruleset.deck.order
    places = [
        place
        for place, bid in enumerate(ladder)
        if place not in abstraction.places
        and sum(need.count for need in bid.needs) <= sum(abstraction.cards)
    ]
    after = np.searchsorted(np.array(abstraction.bids), places)
    wild = sum(1 << card.number for card in deck if card.is_joker)
    natural = [card for card in deck if not card.is_joker]
    suits, ranks = {card.suit for card in natural}, {card.rank for card in natural}
    of_suit = [sum(1 << card.number for card in natural if card.suit is suit) for suit in suits]
    of_rank = [sum(1 << card.number for card in natural if card.rank is rank) for rank in ranks]
    unsuited = all(by_ranks(abstraction.ruleset, ladder.at(place)) for place in places)
    alike: dict[Any, list[int]] = {}
    for cards in combinations([card.number for card in deck], abstraction.cards[me]):
        bits = sum(1 << card for card in cards)
        if unsuited:
            key: Any = abstraction.hand_of(me, bits)
        else:
            suited = sorted(tuple(bool(bits & suit & rank) for rank in of_rank) for suit in of_suit)
            key = ((bits & wild).bit_count(), *suited)
        alike.setdefault(key, []).append(bits)
    first = np.array([bits[0] for bits in alike.values()], np.uint64)
    hand = np.array([abstraction.hand_of(me, int(bits)) for bits in first])
    size = np.array([len(bits) for bits in alike.values()], float)
    needs = [ladder.at(place).needs for place in places]
    most = max(map(len, needs), default=0)
    counts = np.zeros((len(places), most), np.int64)
    masks = np.zeros((len(places), most), np.uint64)
    for x, of_bid in enumerate(needs):
        counts[x, : len(of_bid)] = [need.count for need in of_bid]
        masks[x, : len(of_bid)] = [need.cards.bits for need in of_bid]
    ways = np.array([[comb(n, k) for k in range(len(deck) + 1)] for n in range(len(deck) + 1)])
    kinds, others = np.array(abstraction.kinds, np.uint64), np.array(abstraction.hands[1 - me])

    def held(some: Array) -> Array:
        chances = np.zeros((len(places), len(some), len(others)))
        count_held(
            *(counts, masks, kinds, np.uint64(wild), first[some]),
            *(others, ways.astype(float), chances),
        )
        return chances

    return hand, size / np.bincount(hand, size)[hand], after, held


@njit(cache=True)
def count_held(
    counts: Array,
    masks: Array,
    kinds: Array,
    wild: Any,
    own_cards: Array,
    others: Array,
    ways: Array,
    out: Array,
) -> None:
    """Fill `out[x, c, o]` with the chance that bid `x` holds with own hand `c` and other hand `o`.

    A bid needs `counts[x, i]` cards of each `masks[x, i]`, no two of which share a kind of card.
    `own_cards` are hands as bits, `others` numbers of cards by kind. `ways[n, k]` is n choose k.
    Cards in `wild` are jokers.
    """
    chance, following = np.zeros(ways.shape[0]), np.zeros(ways.shape[0])
    lacking, longer = np.zeros(ways.shape[0]), np.zeros(ways.shape[0])
    for x in range(out.shape[0]):
        for c in range(own_cards.size):
            for o in range(others.shape[0]):
                spare = np.int64(popcount(own_cards[c] & wild))
                for j in range(kinds.size):
                    if kinds[j] & wild:
                        spare += others[o, j]
                lacking[:] = 0
                lacking[0] = 1
                for i in range(counts.shape[1]):
                    lacks = counts[x, i] - np.int64(popcount(own_cards[c] & masks[x, i]))
                    if lacks <= 0:
                        continue
                    chance[:] = 0
                    chance[0] = 1
                    # chance[m]: that the other holds m of the needed cards, after each kind
                    for j in range(kinds.size):
                        drawn, remaining = others[o, j], kinds[j] & ~own_cards[c]
                        left, good = popcount(remaining), popcount(remaining & masks[x, i])
                        if not drawn or not good or drawn > left:
                            continue
                        following[:] = 0
                        for m in range(min(good, drawn) + 1):
                            if drawn - m <= left - good:
                                share = ways[good, m] * ways[left - good, drawn - m]
                                share /= ways[left, drawn]
                                for before in range(lacks):
                                    following[min(lacks, before + m)] += share * chance[before]
                        following[lacks] += chance[lacks]
                        chance[:] = following
                    longer[:] = 0
                    for missing in range(lacks + 1):
                        for before in range(spare - missing + 1):
                            longer[before + missing] += chance[lacks - missing] * lacking[before]
                    lacking[:] = longer
                out[x, c, o] = lacking[: spare + 1].sum()
