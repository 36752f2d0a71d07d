"""Look-ahead: what a few actions are worth against hands and habits drawn from a reading.

1. `read` guesses hands and models of every other seat from its bids.
2. Deals are drawn from these guesses, and the few actions that the network likes are tried on each:
   a challenge is judged, a bid is played on, everybody by their model and oneself by the network.
3. An action is drawn by (the network's chance) * exp(worth / heat).

Work is counted in looks of the network and bounded by `looks`, so that a decision takes about the
same time at any table, and the same position gives the same choice on any machine.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from engine.odds.compiling import njit
from engine.players.arrays import Ints, Masks, RuleArrays
from engine.players.kernels.cards import (
    CHALLENGE,
    NOBODY,
    PLAYING_OFF,
    Table,
    count_of,
    holds,
    limit_of,
    live_seats,
    next_live,
    random_bits,
    uniform,
)
from engine.players.kernels.deciding import decide, doubter, weigh
from engine.players.kernels.features import Work
from engine.players.kernels.reading import MODELS, Hands, Models, guess_hands

LET_STAND = -2  # an action beside bids and CHALLENGE: who may challenge out of turn does nothing
TRIED = 6  # actions at most
AGAIN = 8  # times a hand is drawn anew that shares a card with another
READING = 0.4  # of the looks are spent on guessing hands at most

_0 = np.uint64(0)
_1 = np.uint64(1)


class Reader(NamedTuple):
    """What a look-ahead needs besides the rules and the models."""

    looks: int  # of the network at most, about
    fewest: int  # deals at least
    deals: int  # at most
    heat: float  # worth of a round's loss that counts e-fold
    equity: Any  # (seats + 1, states, cards + 1) chance to win the match: `engine.players.reader`
    first_out: bool  # who is out first ends the match


class Found(NamedTuple):
    """What a look-ahead found: of `k[0]` actions the action, its prior chance, worth and chance."""

    k: Ints  # (3): actions tried, deals, looks
    action: Ints  # (TRIED)
    prior: Any  # (TRIED)
    worth: Any  # (TRIED)
    chance: Any  # (TRIED)


@njit(cache=True, nogil=True)
def look_ahead(
    g: RuleArrays,
    w: Work,
    r: Models,
    reader: Reader,
    t: Table,
    me: int,
    notes: Any,
    hands: Hands,
    rng: Masks,
    found: Found,
) -> Any:
    """The place of the bid that `me` makes in its turn, or CHALLENGE; fills `found`.

    Of `t.hands` only that of `me` is read; the others are spoilt.
    """
    made = t.state[1]
    found.k[:] = 0
    if made and g.above[t.bids[made - 1]] >= g.rung.size:
        return CHALLENGE
    n, m = weigh(g, w, r.players[0], r.nets[0], t, me)
    _candidates(w, n, m, found)
    if found.k[0] == 1:
        return found.action[0]
    looks = read(g, w, r, reader, t, me, notes, rng, hands)
    found.k[2] = _try(g, w, r, reader, t, me, hands, rng, found, looks)
    top = found.worth[: found.k[0]].max()
    total = 0.0
    for i in range(found.k[0]):
        found.chance[i] = found.prior[i] * np.exp((found.worth[i] - top) / reader.heat)
        total += found.chance[i]
    left = uniform(rng) * total
    i = 0
    while i < found.k[0] - 1 and left >= found.chance[i]:
        left -= found.chance[i]
        i += 1
    for j in range(found.k[0]):
        found.chance[j] /= total
    return found.action[i]


@njit(cache=True, nogil=True)
def _candidates(w: Work, n: int, m: int, found: Found) -> None:
    """The actions that the network likes best, and always the challenge if there is one."""
    k = 0
    while k < TRIED:
        best = -1
        for i in range(m):
            if w.chances[i] > 0 and (best < 0 or w.chances[i] > w.chances[best]):
                best = i
        if best < 0:
            break
        found.prior[k] = w.chances[best]
        found.action[k] = CHALLENGE if best == n else w.places[best]
        w.chances[best] = 0
        k += 1
    if m > n:
        there = False
        for i in range(k):
            there = there or found.action[i] == CHALLENGE
        if not there:
            if k == TRIED:
                k -= 1
            found.prior[k] = 0.01
            found.action[k] = CHALLENGE
            k += 1
    found.k[0] = k


@njit(cache=True, nogil=True)
def read(
    g: RuleArrays,
    w: Work,
    r: Models,
    reader: Reader,
    t: Table,
    me: int,
    notes: Any,
    rng: Masks,
    hands: Hands,
) -> int:
    """Guess what every other seat that was dealt in holds; how often the network looked."""
    made = t.state[1]
    acts = 0
    for at in range(made):
        acts += t.by[at] != me
    most = hands.cards.shape[1]
    if acts:
        most = max(8, min(most, np.int64(READING * reader.looks) // acts))
    some = Hands(hands.cards[:, :most], hands.weights, hands.used)
    looks = 0
    for seat in range(t.cards.size):
        if seat != me and t.cards[seat] > 0:
            looks += guess_hands(g, w, r, t, seat, me, notes, rng, some)
    return looks


@njit(cache=True, nogil=True)
def _try(
    g: RuleArrays,
    w: Work,
    r: Models,
    reader: Reader,
    t: Table,
    me: int,
    hands: Hands,
    rng: Masks,
    found: Found,
    looks: int,
) -> int:
    """Fill `found.worth` by trying each action on deal after deal; the looks spent so far."""
    own = t.hands[me]
    worths = np.zeros(t.cards.size + 1)  # last: of nobody's loss
    fill_worths(g, reader, t, me, worths)
    actions = found.action[: found.k[0]]
    losers = np.empty(actions.size, np.int64)
    found.worth[:] = 0
    deal = 0
    while deal < reader.deals and (deal < reader.fewest or looks < reader.looks):
        looks += _try_deal(g, w, r, t, me, me, hands, rng, actions, losers)
        for i in range(actions.size):
            found.worth[i] += worths[losers[i]]
        deal += 1
    for i in range(actions.size):
        found.worth[i] /= deal
    found.k[1] = deal
    t.hands[:] = _0
    t.hands[me] = own
    return looks


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
    for deal in range(losers.shape[0]):
        _try_deal(g, w, r, t, me, turn, hands, rng, actions, losers[deal])
    t.hands[:] = _0
    t.hands[me] = own


@njit(cache=True, nogil=True)
def _try_deal(
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
) -> int:
    """As `try_actions` on one deal, with the same luck for each; how often somebody decided.

    Everybody else plays on by the model that was drawn for them, and oneself by the network.
    """
    made = t.state[1]
    model = np.zeros(t.cards.size, np.int64)
    pool = draw_deal(g, t, me, hands, rng, model)
    luck, again = random_bits(rng), np.empty(1, np.uint64)
    decided = 0
    for i in range(actions.size):
        again[0] = luck
        if actions[i] == CHALLENGE:
            losers[i] = _loser(g, t, me, pool)
            continue
        after = turn
        if actions[i] != LET_STAND:
            t.bids[made], t.by[made] = actions[i], me
            t.state[1] = made + 1
            after = next_live(t.live, me)
        losers[i], steps = _play_on(g, w, r, t, after, pool, model, again)
        decided += steps
        t.state[1] = made
    return decided


@njit(cache=True, nogil=True)
def draw_deal(g: RuleArrays, t: Table, me: int, hands: Hands, rng: Masks, model: Ints) -> Any:
    """Deal the others' `t.hands` and draw their `model` from what was guessed; returns the pool.

    Hands that share a card are drawn anew, the latest bidder's first of all; a hand that finds no
    room is any of the cards left. What nobody holds of the cards in play is any too.
    """
    n = t.cards.size
    made = t.state[1]
    pool = t.hands[me]
    t.hands[:] = _0
    t.hands[me] = pool
    model[me] = 0
    start = t.by[made - 1] if made else me
    for step in range(n):
        seat = (start - step) % n
        if seat == me or t.cards[seat] == 0:
            continue
        weights = hands.weights[seat, : hands.used[seat] * MODELS]
        for _ in range(AGAIN):
            at = np.searchsorted(weights, uniform(rng) * weights[-1], side="right")
            at = min(at, weights.size - 1)
            model[seat] = at % MODELS
            hand = hands.cards[seat, at // MODELS]
            # without a bid of its own a seat may hold anything: not what was drawn to fill the row
            if hands.used[seat] > 1 and hand & pool == _0:
                t.hands[seat] = hand
                pool |= hand
                break
    hidden = t.state[2]
    for seat in range(n):
        hidden -= t.cards[seat]
        if t.hands[seat] == _0 and t.cards[seat] > 0:
            t.hands[seat] = _any_of(g, pool, t.cards[seat], rng)
            pool |= t.hands[seat]
    return pool | _any_of(g, pool, hidden, rng)


@njit(cache=True, nogil=True)
def _any_of(g: RuleArrays, pool: Any, wanted: int, rng: Masks) -> Any:
    """So many random cards that are not in `pool`."""
    cards = _0
    while count_of(cards) < wanted:
        card = _1 << np.uint64(g.deck[np.int64(random_bits(rng) % np.uint64(g.deck.size))])
        if card & pool == _0:
            cards |= card
    return cards


@njit(cache=True, nogil=True)
def _play_on(
    g: RuleArrays, w: Work, r: Models, t: Table, turn: int, pool: Any, model: Ints, rng: Masks
) -> Any:
    """Who loses the round if each seat plays on as its model; and how often somebody decided."""
    steps = 0
    while True:
        made = t.state[1]
        kind = model[turn]
        action = decide(g, w, r.players[kind], r.nets[kind], t, turn, rng)
        steps += 1
        challenger = turn if action == CHALLENGE else -1
        if g.anyone and challenger < 0:
            challenger = doubter(g, t)
        if challenger >= 0:
            return _loser(g, t, challenger, pool), steps
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


@njit(cache=True, nogil=True)
def fill_worths(g: RuleArrays, reader: Reader, t: Table, me: int, out: Any) -> None:
    """`out[seat]` = what it is worth to `me` that `seat` loses the round.

    -1 if it is oneself; the mean of the others is 1 over their number, as if the match were the
    round. With two live seats, and in a play-off, nothing else matters; with more, whose loss helps
    most is what the match equity says. A seat that has given up loses nothing, and nobody gains.
    """
    n = t.cards.size
    live = live_seats(t)
    others = 1.0 / (live - 1)
    for seat in range(n):
        out[seat] = -1.0 if seat == me else (others if t.live[seat] else 0.0)
    if live == 2 or t.state[PLAYING_OFF] or reader.equity.size == 0:
        return
    cards = np.zeros(live, np.int64)
    equities = np.zeros(n)
    mean = 0.0
    for loser in range(n):
        if not t.live[loser]:
            continue
        out_of_it = t.cards[loser] + 1 > limit_of(g, t)
        at = 0
        for seat in range(n):
            if t.live[seat] and not (out_of_it and seat == loser):
                cards[at] = t.cards[seat] + (seat == loser)
                at += 1
        held = t.cards[me] + (loser == me)
        if out_of_it and loser == me:
            continue
        if out_of_it and reader.first_out:
            fewest = cards[:at].min()
            equities[loser] = (held == fewest) / (cards[:at] == fewest).sum()
        else:
            equities[loser] = reader.equity[at, state_of(np.sort(cards[:at])), held]
    for loser in range(n):
        if loser != me:
            mean += equities[loser] * others
    if mean > equities[me]:
        scale = (others + 1) / (mean - equities[me])
        for loser in range(n):
            if t.live[loser]:
                out[loser] = (equities[loser] - equities[me]) * scale - 1


@njit(cache=True, nogil=True)
def state_of(cards: Ints) -> int:
    """The number of a state among those of as many seats: `cards` sorted, fewest first.

    The combinatorial number system: multisets in an order in which larger cards come later.
    """
    number = 0
    for place in range(cards.size):
        # C(cards - 1 + place, place + 1)
        ways = 1
        top = cards[place] - 1 + place
        for step in range(place + 1):
            ways = ways * (top - step) // (step + 1)
        number += ways
    return number
