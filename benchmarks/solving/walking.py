"""Compute how much the best opponent of a compiled player wins per round.

This works like `response`, but computes the player's chances again after each list of bids,
for some suited hands of each combination of ranks. The responder knows its own ranks, all
bids, and the exact chance of each of these hands at every point.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from benchmarks.solving.response import Response
from engine.errors import RulesetError
from engine.odds.compiling import njit
from engine.players.arrays import Floats, Masks, RuleArrays, arrays_of
from engine.players.kernels.cards import CHALLENGE, RoundArrays, holds, round_arrays
from engine.players.kernels.deciding import CAREFUL, NETWORK, THRESHOLD, decide, weigh
from engine.players.kernels.features import Work, workspace
from engine.players.networks import Entry, rows
from engine.ruleset import Ruleset

Array = np.ndarray[Any, Any]


def best_response(
    rules: Ruleset,
    cards: tuple[int, int],
    player: Entry | None,
    suited: int,
    least: float,
    seed: int = 1,
) -> Response:
    """Return what the best response to `player` wins in each seat.

    For each combination of ranks, `suited` hands of the player are tried (0: all). The search is
    cut after a bid of the player if the chance that the player makes all its bids so far is below
    `least`. Raises RulesetError for a player whose chances can't be computed.
    """
    if player is None or player.kind not in (NETWORK, CAREFUL, THRESHOLD):
        raise RulesetError("it does not say how likely it does what")
    walks = [_Walk(rules, cards, me, player, suited, least, seed) for me in (0, 1)]
    (low, high), (other_low, other_high) = (walk.worth() for walk in walks)
    return Response((low, other_low), (high, other_high), sum(walk.nodes for walk in walks))


class _Walk:
    def __init__(
        self,
        rules: Ruleset,
        cards: tuple[int, int],
        me: int,
        player: Entry,
        suited: int,
        least: float,
        seed: int,
    ) -> None:
        self.me, self.least, self.nodes = me, least, 0
        self.g = arrays_of(rules)
        self.bids = self.g.rung.size
        self.players, self.nets = rows([player])
        self.work, self.table = workspace(self.bids), round_arrays(2, self.bids)
        self.table.cards[:] = cards
        self.table.state[2] = sum(cards)
        own_hands = _by_ranks(rules, cards[me])
        rng = np.random.default_rng(seed)
        hands, weights = [], []
        for alike in _by_ranks(rules, cards[1 - me]).values():
            some = min(suited or len(alike), len(alike))
            hands += rng.choice(np.array(alike, np.uint64), some, replace=False).tolist()
            weights += [len(alike) / some] * some
        self.hands = np.array(hands, np.uint64)
        mine = np.array([bits for alike in own_hands.values() for bits in alike], np.uint64)
        rank = np.repeat(np.arange(len(own_hands)), [len(alike) for alike in own_hands.values()])
        self.chance = np.zeros((len(own_hands), len(hands)))
        self.signed = np.zeros((self.bids, len(own_hands), len(hands)))
        _count(self.g, mine, rank, self.hands, np.array(weights), self.chance, self.signed)
        # bids that no cards can hold are left out: they are always challenged
        self.possible = np.flatnonzero((self.signed > -self.chance).any(axis=(1, 2)))
        total = self.chance.sum()
        self.chance /= total
        self.signed /= total

    def worth(self) -> tuple[float, float]:
        """Return the bounds of what the responder wins."""
        all_hands = np.ones(len(self.hands))
        after = self.respond if self.me == 0 else self.answer
        low, high = after((), all_hands)
        return float(low.sum()), float(high.sum())

    def respond(self, bids: tuple[int, ...], reach: Array) -> tuple[Array, Array]:
        """Take the responder's turn after `bids`; return bounds of each hand's winnings.

        `reach`: for each hand of the player, the chance that the player makes its bids so far.
        """
        self.nodes += 1
        low = -(self.signed[bids[-1]] @ reach) if bids else np.full(len(self.chance), -1e9)
        high = low
        for bid in self.possible[self.possible >= (self.g.above[bids[-1]] if bids else 0)]:
            worst, best = self.answer((*bids, int(bid)), reach)
            low, high = np.maximum(low, worst), np.maximum(high, best)
        return low, high

    def answer(self, bids: tuple[int, ...], reach: Array) -> tuple[Array, Array]:
        """Take the player's turn after `bids`; return bounds of what the responder's hands win."""
        weights = self.chances(bids, reach) * reach[:, None]
        low = self.signed[bids[-1]] @ weights[:, self.bids] if bids else np.zeros(len(self.chance))
        high = low
        often = self.chance.sum(axis=0) @ weights[:, : self.bids]
        for bid in np.flatnonzero(often):
            after = weights[:, bid]
            if often[bid] < self.least:
                worst, best = -(self.signed[bid] @ after), self.chance @ after
            else:
                worst, best = self.respond((*bids, int(bid)), after)
            low, high = low + worst, high + best
        return low, high

    def chances(self, bids: tuple[int, ...], reach: Array) -> Array:
        """Return the player's chances of each bid and, last, of a challenge: (hands, bids + 1)."""
        table = self.table
        table.state[1] = len(bids)
        for at, bid in enumerate(bids):
            table.bids[at], table.by[at] = bid, at % 2
        out = np.zeros((len(self.hands), self.bids + 1))
        with np.errstate(over="ignore"):  # wrapping is meant; only seen with the JIT off
            _ask(
                *(self.g, self.work, self.players[0], self.nets[0], table),
                *(1 - self.me, self.hands, reach, np.zeros(1, np.uint64), out),
            )
        return out


def _by_ranks(rules: Ruleset, held: int) -> dict[str, list[int]]:
    """Return all hands of `held` cards, as bits, by their ranks; jokers are a rank of their own."""
    hands: dict[str, list[int]] = {}
    for cards in combinations(sorted(rules.deck.order, key=lambda card: card.number), held):
        key = "".join(sorted(str(card)[0] for card in cards))
        hands.setdefault(key, []).append(sum(1 << card.number for card in cards))
    return hands


@njit(cache=True)
def _ask(
    g: RuleArrays,
    w: Work,
    player: Any,
    p: Floats,
    t: RoundArrays,
    seat: int,
    hands: Masks,
    reach: Array,
    rng: Masks,
    out: Array,
) -> None:
    count = g.rung.size
    count_made = t.state[1]
    for i in range(hands.size):
        if reach[i] <= 0:
            continue
        t.hands[:] = np.uint64(0)
        t.hands[seat] = hands[i]
        if player[0] != NETWORK or (count_made and g.above[t.bids[count_made - 1]] >= count):
            action = decide(g, w, player, p, t, seat, rng)
            out[i, count if action == CHALLENGE else action] = 1
            continue
        n, m = weigh(g, w, player, p, t, seat)
        for j in range(n):
            out[i, w.places[j]] = w.chances[j]
        if m > n:
            out[i, count] = w.chances[n]


@njit(cache=True)
def _count(
    g: RuleArrays,
    mine: Masks,
    rank: Array,
    theirs: Masks,
    weight: Array,
    chance: Array,
    signed: Array,
) -> None:
    for i in range(mine.size):
        for o in range(theirs.size):
            if mine[i] & theirs[o]:
                continue
            chance[rank[i], o] += weight[o]
            for b in range(g.rung.size):
                good = holds(g, b, mine[i] | theirs[o])
                signed[b, rank[i], o] += weight[o] if good else -weight[o]
