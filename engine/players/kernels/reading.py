"""Read bids: how likely each model of a player is to make them, holding certain cards.

A model is a way to play: the network, its tempers (sly and wild), and the simple players. `notes`
are the logarithms of how well each model explains a seat's actions in rounds whose cards were
shown; `Hands` weighs hands that a seat may hold by its actions in this round.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from engine.odds.compiling import njit
from engine.players.arrays import Floats, Ints, Masks, RuleArrays
from engine.players.kernels.cards import (
    CHALLENGE,
    NOBODY,
    RoundArrays,
    count_of,
    lowest_bid,
    next_live,
    random_bits,
    uniform,
)
from engine.players.kernels.features import Work, look
from engine.players.kernels.network import score

# the models: the network's tempers first, then the simple players
TEMPERS = 3
TRUTHFUL_MODEL, HIDER_MODEL, THRESHOLD_MODEL, CAREFUL_MODEL = range(TEMPERS, TEMPERS + 4)
MODELS = TEMPERS + 4
CLEAR = 12.0  # nats by which one model may lead another at most: no model is ever ruled out

_0 = np.uint64(0)
_1 = np.uint64(1)


class Models(NamedTuple):
    """M models of a player, in the form of `kernels.deciding`, with the initial belief in each."""

    players: Any  # (M, PLAYER)
    nets: Floats  # (M, SETS * WEIGHTS)
    # (TEMPERS, 3) numbers added to the weights of own chance, own cards, and the challenge
    tempers: Any
    prior: Any  # (M) logarithms of the initial beliefs
    floor: float  # fraction of a player's actions that are random, as no model explains them


class Hands(NamedTuple):
    """K hands that each seat may hold, each with a weight for every model.

    The weight says how well the hand and the model explain the seat's actions.
    """

    cards: Masks  # (seats, K)
    weights: Any  # (seats, K * M) running sums: hand by hand, model by model
    used: Ints  # (seats) how many of the K hands are used


@njit(cache=True, nogil=True)
def explain(
    g: RuleArrays, w: Work, r: Models, t: RoundArrays, seat: int, action: int, out: Any
) -> bool:
    """Fill `out[m]` with the chance that model m takes `action` with the hand of `seat` in `t`.

    The chance includes random actions, a fraction `r.floor` of all. If no bid is above the standing
    one, each `out[m]` is 1. Return whether the network's inputs had to be computed, which takes
    most of the time.
    """
    bid_count = t.state[1]
    standing = t.bids[bid_count - 1] if bid_count else -1
    low = lowest_bid(g, t)
    count = g.rung.size
    out[:] = 1.0
    if low >= count:
        return False
    net = r.players[0]
    n = look(g, w, t, seat, net[2], np.int64(net[3]))
    mine = w.views[0]
    stands = mine[standing] if bid_count else np.float32(1)
    if stands <= 0:
        if action != CHALLENGE:
            out[:] = r.floor / count
        return True
    m = n + 1 if stands < 1 else n
    score(w, n, m > n, r.nets[0])
    place = n if action == CHALLENGE else -1
    if action != CHALLENGE:
        for i in range(n):
            if w.places[i] == action:
                place = i
    for k in range(TEMPERS):
        out[k] = _temper_chance(w, r.tempers[k], n, m, place, net[1])
    _counting(g, w, t, seat, action, standing, low, r.players[THRESHOLD_MODEL, 1], out)
    noise = r.floor / (m if 0 <= place < m else count)
    for k in range(MODELS):
        out[k] = (1 - r.floor) * out[k] + noise
    return True


@njit(cache=True, nogil=True)
def _temper_chance(w: Work, temper: Any, n: int, m: int, place: int, cut: float) -> float:
    """Return the chance of action number `place` if the network had the temper `temper`.

    The chance is computed as in `softmax`, from the scores of `n` bids and `m` actions in all.
    Actions with a chance below `cut` times the greatest are left out.
    """
    if not 0 <= place < m:
        return 0.0
    top = -1e30
    for i in range(m):
        w.chances[i] = w.scores[i]
        if i < n:
            w.chances[i] += temper[0] * w.bids[i, 0] + temper[1] * w.bids[i, 8]
        else:
            w.chances[i] += temper[2]
        top = max(top, np.float64(w.chances[i]))
    total = 0.0
    place_value = 0.0
    for i in range(m):
        value = np.exp(w.chances[i] - top)
        if value >= cut:
            total += value
            if i == place:
                place_value = value
    return place_value / total


@njit(cache=True, nogil=True)
def _counting(
    g: RuleArrays,
    w: Work,
    t: RoundArrays,
    seat: int,
    action: int,
    standing: int,
    low: int,
    threshold: float,
    out: Any,
) -> None:
    """Fill `out` with each simple player's chance to take `action`, the same as in `deciding`.

    `low`: the first bid above the `standing` one. `threshold`: the chance from which the
    threshold player trusts a bid.
    """
    mine = w.views[0]
    in_play = t.state[2]
    doubt = 1 - mine[standing] if standing >= 0 else np.float32(-1)
    best = low
    enough = -1
    truthful = hider = 0.0
    for b in range(low, g.rung.size):
        if mine[b] > mine[best]:
            best = b
        if enough < 0 and mine[b] >= threshold:
            enough = b
        weight = np.float64(mine[b]) ** 3
        truthful += weight
        hider += weight * g.prior[in_play - t.cards[seat], b] ** 2
    for model in (TRUTHFUL_MODEL, HIDER_MODEL):
        total = truthful if model == TRUTHFUL_MODEL else hider
        out[model] = 0.0
        if total <= 0:
            out[model] = 1.0 if action == (CHALLENGE if standing >= 0 else low) else 0.0
            continue
        for b in range(low, g.rung.size):
            doubted = standing >= 0 and doubt >= mine[b]
            if (action == CHALLENGE and doubted) or (action == b and not doubted):
                weight = np.float64(mine[b]) ** 3
                if model == HIDER_MODEL:
                    weight *= g.prior[in_play - t.cards[seat], b] ** 2
                out[model] += weight / total
    safest = CHALLENGE if standing >= 0 and doubt >= mine[best] else best
    out[CAREFUL_MODEL] = 1.0 if action == safest else 0.0
    if standing >= 0 and mine[standing] < threshold:
        enough = CHALLENGE
    elif enough < 0:
        enough = safest
    out[THRESHOLD_MODEL] = 1.0 if action == enough else 0.0


@njit(cache=True, nogil=True)
def note_round(
    g: RuleArrays, w: Work, r: Models, t: RoundArrays, challenger: int, but: int, notes: Any
) -> int:
    """Add to `notes[seat, model]` the evidence from a shown round about each seat.

    `t` is the table at the showdown with all cards. The evidence is all bids, and the challenge
    if it was made in turn. Actions of the seat `but` are left out. Then shift each seat's notes
    so that its best model has 0, and raise the others to at least -`CLEAR`. Return the number
    of evaluations of the network.
    """
    out = np.empty(MODELS)
    bid_count = t.state[1]
    looked = 0
    for at in range(bid_count + 1):
        seat = t.by[at] if at < bid_count else challenger
        if seat == but or seat == NOBODY:
            continue
        if at == bid_count and seat != next_live(t.live, t.by[at - 1]):
            continue
        t.state[1] = at
        looked += explain(g, w, r, t, seat, t.bids[at] if at < bid_count else CHALLENGE, out)
        for k in range(MODELS):
            notes[seat, k] += np.log(out[k])
    t.state[1] = bid_count
    for seat in range(t.cards.size):
        top = notes[seat].max()
        for k in range(MODELS):
            notes[seat, k] = max(notes[seat, k] - top, -CLEAR)
    return looked


@njit(cache=True, nogil=True)
def guess_hands(
    g: RuleArrays,
    w: Work,
    r: Models,
    t: RoundArrays,
    seat: int,
    me: int,
    notes: Any,
    rng: Masks,
    hands: Hands,
) -> int:
    """Fill `hands` with hands that `seat` may hold, as `me` sees it.

    Half of the hands, if possible, hold a card that the seat's own bids name; the others are
    random. Weights compensate for that. A seat without bids gets a single hand. Only the hand of
    `me` in `t.hands` is read; the hand of `seat` becomes empty. Return the number of evaluations of
    the network.
    """
    unseen = np.empty(g.deck.size, np.int64)
    free = 0
    for card in g.deck:
        if not t.hands[me] >> np.uint64(card) & _1:
            unseen[free] = card
            free += 1
    named = _0
    acts = 0
    bid_count = t.state[1]
    for at in range(bid_count):
        if t.by[at] == seat:
            acts += 1
            named |= g.masks[t.bids[at], 0]
    named &= ~t.hands[me]
    choices = count_of(named)
    held = t.cards[seat]
    k_all = hands.cards.shape[1] if acts else 1
    out = np.empty(MODELS)
    looked = 0
    total = 0.0
    belief = np.empty(MODELS)
    for k in range(MODELS):
        belief[k] = np.exp(notes[seat, k] + r.prior[k])
    for k in range(k_all):
        hand = _0
        at = 0
        if k % 2 and choices:
            i = -1
            for _ in range(1 + np.int64(uniform(rng) * choices)):
                i += 1
                while not named >> np.uint64(unseen[i]) & _1:
                    i += 1
            unseen[0], unseen[i] = unseen[i], unseen[0]
            hand = _1 << np.uint64(unseen[0])
            at = 1
        while at < held:
            j = at + np.int64(random_bits(rng) % np.uint64(free - at))
            unseen[at], unseen[j] = unseen[j], unseen[at]
            hand |= _1 << np.uint64(unseen[at])
            at += 1
        hands.cards[seat, k] = hand
        # the chance to draw the hand in this way, relative to a random deal
        drawn = 1.0
        if choices:
            drawn = 0.5 + 0.5 * count_of(hand & named) / choices * free / held
        weights = belief / drawn
        t.hands[seat] = hand
        for at in range(bid_count):
            if t.by[at] == seat:
                t.state[1] = at
                looked += explain(g, w, r, t, seat, t.bids[at], out)
                weights *= out
        t.state[1] = bid_count
        for m in range(MODELS):
            total += weights[m]
            hands.weights[seat, k * MODELS + m] = total
    t.hands[seat] = _0
    hands.used[seat] = k_all
    return looked
