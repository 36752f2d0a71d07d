"""Look-ahead: the worth of a few actions against hands and models drawn from a reading.

1. `read` guesses hands and models of every other seat from its bids.
2. Deals are drawn from these guesses, and a few actions that the network likes are tried on each. A
   challenge is judged. After a bid, the round is played on: the seat itself by the network, the
   others by their models.
3. An action is drawn with a chance proportional to (the network's chance) * exp(worth / heat).
4. At some numbers of cards, some openings are another bid (`Reader.others`), so that opponents
   can't rely on the usual bid.

Work is counted in evaluations of the network (looks). `Reader.looks` limits it, so that a
decision takes about the same time at any table, and the same position gives the same choice
on any machine.
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
    RoundArrays,
    count_of,
    holds,
    limit_of,
    live_seats,
    lowest_bid,
    next_live,
    random_bits,
    uniform,
)
from engine.players.kernels.deciding import decide, doubter, weigh
from engine.players.kernels.features import Work
from engine.players.kernels.reading import MODELS, Hands, Models, guess_hands

LET_STAND = -2  # one more action besides bids and CHALLENGE: not to challenge out of turn
TRIED = 6  # the most actions
AGAIN = 8  # how often to redraw a hand that shares a card with another
PLAUSIBLE = 0.3  # the least chance, by the opener's own cards, of a bid that varies the opening
READING = 0.4  # the most that guessing hands may take, as a fraction of all looks

_0 = np.uint64(0)
_1 = np.uint64(1)


class Reader(NamedTuple):
    """The settings of a look-ahead, in addition to the rules and the models."""

    looks: int  # the most evaluations of the network, roughly
    fewest: int  # the fewest deals
    deals: int  # the most deals
    heat: float  # a difference in worth that changes a chance by a factor of e
    equity: Any  # (seats + 1, states, cards + 1) chance to win the match: `engine.players.reader`
    first_out: bool  # whether the match ends with the first player out
    # by live seats and cards in play (`engine.players.reader`):
    others: Any  # (seats + 1, cards + 1, bids) whether a bid may vary an opening
    varied: Any  # (seats + 1, cards + 1) how often it does, if there is such a bid


class Outlook(NamedTuple):
    """The result of a look-ahead: for each of `k[0]` actions, its prior chance, worth and chance.

    `chance` is the chance that the action is taken.
    """

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
    t: RoundArrays,
    me: int,
    notes: Any,
    hands: Hands,
    rng: Masks,
    outlook: Outlook,
) -> Any:
    """Return the index of the bid that `me` makes on its turn, or CHALLENGE.

    Fill `outlook` if actions were tried. None are tried if only one is worth trying, or if the
    opening is varied; then `outlook.k[0]` is 0 or 1. Only the hand of `me` in `t.hands` is
    read; the other hands are overwritten.
    """
    outlook.k[:] = 0
    if lowest_bid(g, t) >= g.rung.size:
        return CHALLENGE
    n, m = weigh(g, w, r.players[0], r.nets[0], t, me)
    opening = other_opening(w, n, reader, t)
    if opening != NOBODY and uniform(rng) < reader.varied[live_seats(t), t.state[2]]:
        return opening
    _candidates(w, n, m, outlook)
    if outlook.k[0] == 1:
        return outlook.action[0]
    looks = read(g, w, r, reader, t, me, notes, rng, hands)
    outlook.k[2] = _try(g, w, r, reader, t, me, hands, rng, outlook, looks)
    top = outlook.worth[: outlook.k[0]].max()
    total = 0.0
    for i in range(outlook.k[0]):
        outlook.chance[i] = outlook.prior[i] * np.exp((outlook.worth[i] - top) / reader.heat)
        total += outlook.chance[i]
    left = uniform(rng) * total
    i = 0
    while i < outlook.k[0] - 1 and left >= outlook.chance[i]:
        left -= outlook.chance[i]
        i += 1
    for j in range(outlook.k[0]):
        outlook.chance[j] /= total
    return outlook.action[i]


@njit(cache=True, nogil=True)
def other_opening(w: Work, n: int, reader: Reader, t: RoundArrays) -> Any:
    """Return the opening with the best score among `reader.others`.

    `n` bids have scores in `w`. Bids with a chance under `PLAUSIBLE` don't count. Return NOBODY if
    no bid is left, or if a bid stands.
    """
    if t.state[1]:
        return NOBODY
    others = reader.others[live_seats(t), t.state[2]]
    best = NOBODY
    for i in range(n):
        place = w.places[i]
        if others[place] and w.views[0, place] >= PLAUSIBLE:
            if best == NOBODY or w.scores[i] > w.scores[best]:
                best = i
    return best if best == NOBODY else w.places[best]


@njit(cache=True, nogil=True)
def _candidates(w: Work, n: int, m: int, outlook: Outlook) -> None:
    """Fill `outlook` with the network's likeliest actions, and the challenge if `m` > `n`.

    `n` is the number of bids, `m` the number of actions. Overwrites `w.chances`.
    """
    k = 0
    while k < TRIED:
        best = -1
        for i in range(m):
            if w.chances[i] > 0 and (best < 0 or w.chances[i] > w.chances[best]):
                best = i
        if best < 0:
            break
        outlook.prior[k] = w.chances[best]
        outlook.action[k] = CHALLENGE if best == n else w.places[best]
        w.chances[best] = 0
        k += 1
    if m > n:
        has_challenge = False
        for i in range(k):
            has_challenge = has_challenge or outlook.action[i] == CHALLENGE
        if not has_challenge:
            if k == TRIED:
                k -= 1
            outlook.prior[k] = 0.01
            outlook.action[k] = CHALLENGE
            k += 1
    outlook.k[0] = k


@njit(cache=True, nogil=True)
def read(
    g: RuleArrays,
    w: Work,
    r: Models,
    reader: Reader,
    t: RoundArrays,
    me: int,
    notes: Any,
    rng: Masks,
    hands: Hands,
) -> int:
    """Guess the `hands` of every other seat that was dealt in; return the number of looks."""
    bid_count = t.state[1]
    acts = 0
    for at in range(bid_count):
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
    t: RoundArrays,
    me: int,
    hands: Hands,
    rng: Masks,
    outlook: Outlook,
    looks: int,
) -> int:
    """Fill `outlook.worth` by trying each action on one deal after another.

    Set `outlook.k[1]` to the number of deals. `looks`: the number of network evaluations so far.
    Return the new number.
    """
    my_hand = t.hands[me]
    worths = np.zeros(t.cards.size + 1)  # the last entry: for nobody's loss
    fill_worths(g, reader, t, me, worths)
    actions = outlook.action[: outlook.k[0]]
    losers = np.empty(actions.size, np.int64)
    outlook.worth[:] = 0
    deal = 0
    while deal < reader.deals and (deal < reader.fewest or looks < reader.looks):
        looks += _try_deal(g, w, r, t, me, me, hands, rng, actions, losers)
        for i in range(actions.size):
            outlook.worth[i] += worths[losers[i]]
        deal += 1
    for i in range(actions.size):
        outlook.worth[i] /= deal
    outlook.k[1] = deal
    t.hands[:] = _0
    t.hands[me] = my_hand
    return looks


@njit(cache=True, nogil=True)
def try_actions(
    g: RuleArrays,
    w: Work,
    r: Models,
    t: RoundArrays,
    me: int,
    turn: int,
    hands: Hands,
    rng: Masks,
    actions: Ints,
    losers: Ints,
) -> None:
    """Fill `losers[deal, i]` with the seat that loses the round if `me` takes `actions[i]`.

    An action is a bid's index, CHALLENGE or LET_STAND; `turn` is the seat in turn. The loser is
    NOBODY if a bidder who has left the match would lose. `hands` is the result of `read`. Only the
    hand of `me` in `t.hands` is read; the other hands become empty.
    """
    my_hand = t.hands[me]
    for deal in range(losers.shape[0]):
        _try_deal(g, w, r, t, me, turn, hands, rng, actions, losers[deal])
    t.hands[:] = _0
    t.hands[me] = my_hand


@njit(cache=True, nogil=True)
def _try_deal(
    g: RuleArrays,
    w: Work,
    r: Models,
    t: RoundArrays,
    me: int,
    turn: int,
    hands: Hands,
    rng: Masks,
    actions: Ints,
    losers: Ints,
) -> int:
    """Try each of `actions` on one deal; set `losers[i]` to the seat that loses after `actions[i]`.

    All tries use the same random numbers. `me` plays on by the network, the other seats by the
    models drawn for them. Return the number of decisions made.
    """
    bid_count = t.state[1]
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
            t.bids[bid_count], t.by[bid_count] = actions[i], me
            t.state[1] = bid_count + 1
            after = next_live(t.live, me)
        losers[i], steps = _play_on(g, w, r, t, after, pool, model, again)
        decided += steps
        t.state[1] = bid_count
    return decided


@njit(cache=True, nogil=True)
def draw_deal(g: RuleArrays, t: RoundArrays, me: int, hands: Hands, rng: Masks, model: Ints) -> Any:
    """Draw the other seats' `t.hands` and their `model` from `hands`; return all cards in play.

    The latest bidder's hand is drawn first. Each hand is drawn up to `AGAIN` times, until it
    shares no card with earlier hands. If none fits, or if the seat has made no bid, its cards
    are random. Cards that no seat holds are random too.
    """
    n = t.cards.size
    bid_count = t.state[1]
    pool = t.hands[me]
    t.hands[:] = _0
    t.hands[me] = pool
    model[me] = 0
    start = t.by[bid_count - 1] if bid_count else me
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
            # a seat that has made no bid may hold anything, not just the one hand in its row
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
def _any_of(g: RuleArrays, pool: Any, count: int, rng: Masks) -> Any:
    """Return `count` random cards that are not in `pool`."""
    cards = _0
    while count_of(cards) < count:
        card = _1 << np.uint64(g.deck[np.int64(random_bits(rng) % np.uint64(g.deck.size))])
        if card & pool == _0:
            cards |= card
    return cards


@njit(cache=True, nogil=True)
def _play_on(
    g: RuleArrays, w: Work, r: Models, t: RoundArrays, turn: int, pool: Any, model: Ints, rng: Masks
) -> Any:
    """Play the rest of the round by the seats' models; return the loser and the decision count."""
    steps = 0
    while True:
        bid_count = t.state[1]
        kind = model[turn]
        action = decide(g, w, r.players[kind], r.nets[kind], t, turn, rng)
        steps += 1
        challenger = turn if action == CHALLENGE else -1
        if g.anyone and challenger < 0:
            challenger = doubter(g, t)
        if challenger >= 0:
            return _loser(g, t, challenger, pool), steps
        t.bids[bid_count], t.by[bid_count] = action, turn
        t.state[1] = bid_count + 1
        turn = next_live(t.live, turn)


@njit(cache=True, nogil=True)
def _loser(g: RuleArrays, t: RoundArrays, challenger: int, pool: Any) -> Any:
    """Return the seat that loses if `challenger` challenges; NOBODY if that seat has left."""
    last = t.state[1] - 1
    if holds(g, t.bids[last], pool):
        return challenger
    return t.by[last] if t.live[t.by[last]] else NOBODY


@njit(cache=True, nogil=True)
def fill_worths(g: RuleArrays, reader: Reader, t: RoundArrays, me: int, out: Any) -> None:
    """Fill `out[seat]` with how much `me` gains if `seat` loses the round.

    The gain is -1 if `me` loses. It averages 1 / (number of other live seats) over these seats,
    so `out` sums to 0. It is equal for them with two live seats, in a play-off, or without
    `reader.equity`; otherwise it depends on match equity. For a seat that isn't live it is 0.
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
            fewest, sharing = cards[0], 0
            for i in range(at):
                if cards[i] < fewest:
                    fewest, sharing = cards[i], 0
                sharing += cards[i] == fewest
            equities[loser] = (held == fewest) / sharing
        else:
            # by insertion: numba's sort takes a second to compile, and these are ten at most
            for i in range(1, at):
                count, place = cards[i], i
                while place and cards[place - 1] > count:
                    cards[place] = cards[place - 1]
                    place -= 1
                cards[place] = count
            equities[loser] = reader.equity[at, state_of(cards[:at]), held]
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
    """Return the index of a state among all states with this many live seats.

    A state is `cards`: the number of cards of each live seat, in ascending order. The index is that
    of the combinatorial number system: a state with a larger largest number comes later.
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
