"""Who loses a round, deal by deal, after each of a few actions: loops for `advising`.

The deals are drawn as the reader draws them (`engine.players.kernels.search`). Every action is
tried on the same deals, and played on with the same luck, so that what differs is the action.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.odds.compiling import njit
from engine.players.arrays import Ints, Masks, RuleArrays
from engine.players.kernels.cards import CHALLENGE, NOBODY, Table, holds, next_live, random_bits
from engine.players.kernels.deciding import decide, doubter
from engine.players.kernels.features import Work
from engine.players.kernels.reading import Hands, Models
from engine.players.kernels.search import draw_deal

LET_STAND = -2  # who may challenge out of turn does nothing


@njit(cache=True, nogil=True)
def try_actions(
    g: RuleArrays,
    w: Work,
    r: Models,
    t: Table,
    me: int,
    turn: int,
    hands: Hands,
    rng: Masks,
    actions: Ints,
    losers: Ints,
) -> None:
    """Fill `losers[deal, i]`: the seat that loses the round if `me` does `actions[i]`.

    An action is a bid's place, CHALLENGE or LET_STAND; NOBODY loses where the bidder has left the
    match. `hands` is what was read of the others; of `t.hands` only that of `me` is read.
    """
    own = t.hands[me]
    made = t.state[1]
    model = np.zeros(t.cards.size, np.int64)
    again = np.empty(1, np.uint64)
    for deal in range(losers.shape[0]):
        pool = draw_deal(g, t, me, own, hands, rng, model)
        luck = random_bits(rng)
        for i in range(actions.size):
            again[0] = luck
            if actions[i] == CHALLENGE:
                loser = _loser(g, t, me, pool)
            elif actions[i] == LET_STAND:
                loser = _play_on(g, w, r, t, turn, pool, model, again)
            else:
                t.bids[made], t.by[made] = actions[i], me
                t.state[1] = made + 1
                loser = _play_on(g, w, r, t, next_live(t.live, me), pool, model, again)
            t.state[1] = made
            losers[deal, i] = loser
    t.hands[:] = np.uint64(0)
    t.hands[me] = own


@njit(cache=True, nogil=True)
def _play_on(
    g: RuleArrays, w: Work, r: Models, t: Table, turn: int, pool: Any, model: Ints, rng: Masks
) -> Any:
    """Who loses if each seat plays on as its model."""
    while True:
        kind = model[turn]
        action = decide(g, w, r.players[kind], r.nets[kind], t, turn, rng)
        challenger = turn if action == CHALLENGE else NOBODY
        if g.anyone and challenger < 0 and t.state[1] > 0:
            challenger = doubter(g, t)
        if challenger >= 0:
            return _loser(g, t, challenger, pool)
        made = t.state[1]
        t.bids[made], t.by[made] = action, turn
        t.state[1] = made + 1
        turn = next_live(t.live, turn)


@njit(cache=True, nogil=True)
def _loser(g: RuleArrays, t: Table, challenger: int, pool: Any) -> Any:
    """Who loses when the standing bid is challenged; NOBODY if its bidder is not there any more."""
    last = t.state[1] - 1
    if holds(g, t.bids[last], pool):
        return challenger
    return t.by[last] if t.live[t.by[last]] else NOBODY
