"""Compute the inputs of an estimate of a bid's chance.

The inputs are exact chances, a chance from reading the other players' bids, and facts about
the round and the bid. `engine.players.estimate` applies weights to these numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.odds.compiling import njit
from engine.players.arrays import Ints, Masks, RuleArrays
from engine.players.kernels.cards import RoundArrays, count_of, holds, live_seats
from engine.players.kernels.features import Work, look
from engine.players.kernels.reading import MODELS, TEMPERS, Hands, Models
from engine.players.kernels.search import Reader, draw_deal, read

CHANCES = 7  # of a bid: five views, no card known, and the share of deals drawn where it holds
FACTS = 10  # of the state and the bid, the first of them 1

_0 = np.uint64(0)


@njit(cache=True, nogil=True)
def describe(
    g: RuleArrays,
    w: Work,
    r: Models,
    reader: Reader,
    t: RoundArrays,
    me: int,
    notes: Any,
    hands: Hands,
    rng: Masks,
    places: Ints,
    chances: Any,
    facts: Any,
) -> None:
    """Fill `chances[i]` (CHANCES) and `facts[i]` (FACTS) for each bid `places[i]`, as `me` sees it.

    `hands` is scratch memory. In `t.hands`, only the hand of `me` is read, and the other hands
    are emptied. Call it only if a bid stands.
    """
    bid_count, in_play = t.state[1], t.state[2]
    my_hand = t.hands[me]
    standing, bidder = t.bids[bid_count - 1], t.by[bid_count - 1]
    read(g, w, r, reader, t, me, notes, rng, hands)
    model = np.zeros(t.cards.size, np.int64)
    chances[:] = 0
    for _ in range(reader.deals):
        pool = draw_deal(g, t, me, hands, rng, model)
        for i in range(places.size):
            chances[i, 6] += holds(g, places[i], pool)
    t.hands[:] = _0
    t.hands[me] = my_hand
    network = 0.0
    if bidder != me:
        weights = hands.weights[bidder, : hands.used[bidder] * MODELS]
        before = 0.0
        for at in range(weights.size):
            if at % MODELS < TEMPERS:
                network += weights[at] - before
            before = weights[at]
        network /= before
    look(g, w, t, me, r.players[0, 2], np.int64(r.players[0, 3]))
    named_cards = _0
    for at in range(bid_count):
        if t.by[at] != me:
            named_cards |= g.masks[t.bids[at], 0]
    heads_up = live_seats(t) == 2
    for i in range(places.size):
        b = places[i]
        for view in range(5):
            chances[i, view] = w.views[view, b]
        chances[i, 5] = g.prior[in_play, b]
        chances[i, 6] /= reader.deals
        f = facts[i]
        f[0] = 1
        f[1] = 1 if b == standing else 0
        f[2] = 1 if g.masks[b, 0] & named_cards != _0 else 0
        f[3] = 1 if g.needs[b] == 2 and g.masks[b, 1] & named_cards != _0 else 0
        f[4] = 1 if heads_up else 0
        f[5] = min(bid_count, 8) / 4
        f[6] = in_play / g.deck.size
        f[7] = g.total[b] / 5
        f[8] = min(5, count_of(my_hand & g.used[b])) / g.total[b]
        f[9] = network
