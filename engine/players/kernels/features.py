"""The network's inputs: numbers that mean the same in every game, mostly chances.

`STATE` numbers describe a position, and `BID` numbers each bid worth considering. The oldest
networks use only the first 16 numbers of each. `tests/naive_features.py` computes the same
numbers in a slow, simple way.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from engine.odds.compiling import njit
from engine.players.arrays import MOST_TRUSTED, Floats, Ints, Masks, RuleArrays
from engine.players.kernels.cards import (
    RoundArrays,
    count_of,
    fill_chances,
    live_seats,
    lowest_bid,
    next_live,
)

STATE = 32
BID = 24
HEADS_UP = 2  # index of the number that is 1 if two seats are left
FIRST = 16  # of each, the number of inputs of the first networks
HALF = 2  # of the cards that a bid names, trust that every second one is there ...
WHOLE = 1  # ... or every one
NEXT = 10  # how many next bids to consider whatever their chances, if many are sensible

_0 = np.uint64(0)
_1 = np.uint64(1)


class Work(NamedTuple):
    """Scratch memory of a decision. B is the number of bids."""

    # (5, B) chances given: the own cards; these and half of what the bids name; these and all of
    # it; half of it without own cards, as the next player and as an onlooker see it
    views: Floats
    rows: Ints  # (5, B) the same bids' rows in the odds
    known: Masks  # (5) the cards taken as known in each view
    # (2, B + 1) the most credible bid on a higher rung: for the next player, by own cards
    room: Floats
    state: Floats  # (STATE)
    bids: Floats  # (B, BID) the inputs of each bid considered
    places: Ints  # (B) the indexes of the bids considered
    scores: Floats  # (B + 1) scores, with one more for the challenge
    chances: Floats  # (B + 1)
    hidden: Floats  # (2, the most hidden units)


def workspace(bids: int) -> Work:
    """Return scratch memory for a game of `bids` bids."""
    real = np.float32
    return Work(
        np.zeros((5, bids), real),
        np.zeros((5, bids), np.int64),
        np.zeros(5, np.uint64),
        np.zeros((2, bids + 1), real),
        np.zeros(STATE, real),
        np.zeros((bids, BID), real),
        np.zeros(bids, np.int64),
        np.zeros(bids + 1, real),
        np.zeros(bids + 1, real),
        np.zeros((2, 64), real),
    )


@njit(inline="always")
def trusted_cards(
    g: RuleArrays, t: RoundArrays, elsewhere: Any, but: int, share: int, each: int, most: int
) -> Any:
    """Return the cards that bidders except `but` seem to hold, trusting the newest bids first.

    From each class of a bid, take one of every `share` cards that the bid needs (rounded up), but
    at most `each` cards for a bidder and `most` in all. Cards in `elsewhere` can't be taken. Bids
    with more than two classes say too little, and are skipped.
    """
    trusted = _0
    trusted_count = np.zeros(t.cards.size, np.int64)
    total = 0
    for at in range(t.state[1] - 1, -1, -1):
        bidder, b = t.by[at], t.bids[at]
        if bidder == but or g.needs[b] > 2:
            continue
        for i in range(g.needs[b]):
            for _ in range((g.counts[b, i] + share - 1) // share):
                free = g.masks[b, i] & ~(elsewhere | trusted)
                if (
                    free == _0
                    or trusted_count[bidder] >= min(each, t.cards[bidder])
                    or total >= most
                ):
                    break
                trusted |= free & (~free + _1)
                trusted_count[bidder] += 1
                total += 1
    return trusted


@njit(cache=True, nogil=True)
def look(g: RuleArrays, w: Work, t: RoundArrays, seat: int, sensible: float, many: int) -> int:
    """Fill `w` with the inputs of the position and of each bid to consider; return their number.

    Consider the bids with a chance of at least `sensible` in one of the first two `w.views`; if
    there are none, consider up to six of the next bids. If there are more than `many`, choose
    the first few bids and those that are likelier than all later bids in some view, and keep
    the `many` lowest of them. Call it only if there is a bid above the standing one.
    """
    count = g.rung.size
    hand = t.hands[seat]
    bid_count, in_play = t.state[1], t.state[2]
    standing = t.bids[bid_count - 1] if bid_count else -1
    low = lowest_bid(g, t)
    know = standing if bid_count else 0
    after = next_live(t.live, seat)
    most = min(MOST_TRUSTED, in_play - t.cards[seat])
    w.known[0] = hand
    for view in range(5):
        if view == 1 or view == 2:
            share, each = (HALF, 2) if view == 1 else (WHOLE, 3)
            w.known[view] = hand | trusted_cards(g, t, hand, seat, share, each, most)
        elif view > 2:
            but = after if view == 3 else -1
            w.known[view] = trusted_cards(g, t, _0, but, HALF, 2, MOST_TRUSTED)
        same = view
        for earlier in range(view):
            if w.known[earlier] == w.known[view]:
                same = earlier
        if same < view:
            for b in range(know, count):
                w.views[view, b] = w.views[same, b]
                w.rows[view, b] = w.rows[same, b]
        else:
            fill_chances(g, w.known[view], in_play, know, w.views[view], w.rows[view])
    mine, trust, public = w.views[0], w.views[1], w.views[3]
    w.room[0, count] = 0
    w.room[1, count] = 0
    top_public = best_public = np.float32(0)
    top_mine = best_mine = np.float32(0)
    for b in range(count - 1, low - 1, -1):
        if b + 1 < count and g.rung[b + 1] > g.rung[b]:
            top_public, top_mine = best_public, best_mine
        w.room[0, b] = top_public
        w.room[1, b] = top_mine
        best_public = max(best_public, public[b])
        best_mine = max(best_mine, mine[b])
    n = 0
    best_own = best_trust = np.float32(0)
    for b in range(low, count):
        if mine[b] >= sensible or trust[b] >= sensible:
            best_own = max(best_own, mine[b])
            best_trust = max(best_trust, trust[b])
            w.places[n] = b
            n += 1
    if n == 0:
        while n < 6 and low + n < count:
            w.places[n] = low + n
            n += 1
    if n > many:
        n = _thin_out(w, n, many)
    _state(g, w, t, seat, after, standing, low, best_own, best_trust)
    _bids(g, w, t, seat, after, standing, n)
    return n


@njit(cache=True, nogil=True)
def _thin_out(w: Work, n: int, many: int) -> int:
    """Keep at most `many` bids, the lowest; return how many are kept. Overwrites `w.scores`.

    Only the first `NEXT` of the `n` bids can be kept, and bids that are likelier than every
    later bid in some view.
    """
    best = np.zeros(5, np.float32)
    for i in range(n - 1, -1, -1):
        b = w.places[i]
        w.scores[i] = i < NEXT
        for view in range(5):
            if w.views[view, b] > best[view]:
                best[view] = w.views[view, b]
                w.scores[i] = 1
    left = 0
    for i in range(n):
        if w.scores[i] > 0 and left < many:
            w.places[left] = w.places[i]
            left += 1
    return left


@njit(inline="always")
def _logs(g: RuleArrays, w: Work, view: int, in_play: int) -> Any:
    """Return the logarithms of chances, given a view's known cards; `w.rows` has their indexes."""
    known = w.known[view]
    held = count_of(known)
    return g.logs[count_of(known & g.wild), held, max(0, in_play - held)]


@njit(inline="always")
def _state(
    g: RuleArrays,
    w: Work,
    t: RoundArrays,
    seat: int,
    after: int,
    standing: int,
    low: int,
    best_own: float,
    best_trust: float,
) -> None:
    bid_count, in_play = t.state[1], t.state[2]
    hand = t.hands[seat]
    live = live_seats(t)
    # as in the matches that the network was trained on, which had no play-offs: with their real
    # limit it plays worse (docs/computer-players.md)
    limit = g.limits[t.live.size if g.by_start else live]
    s = w.state
    s[:] = 0
    s[0] = 1
    s[1] = live / 6
    s[HEADS_UP] = 1 if live == 2 else 0
    s[3] = 2 * in_play / g.deck.size
    s[4] = t.cards[seat] / in_play
    s[5] = t.cards[after] / in_play
    s[11] = best_own
    s[12] = best_trust
    s[13] = min(bid_count, 10) / 5
    s[15] = w.room[0, low]
    s[16] = 1 if t.cards[seat] >= limit else 0
    s[17] = 1 if t.cards[after] >= limit else 0
    s[18] = count_of(hand & g.wild) / 2
    s[19] = 1 if live > 2 else 0
    if not bid_count:
        return
    bidder = t.by[bid_count - 1]
    s[6] = 1
    for view in range(2):
        s[7 + view] = w.views[view, standing]
    s[9] = w.views[3, standing]
    s[10] = g.prior[in_play, standing]
    s[14] = count_of(hand & g.used[standing]) / g.total[standing]
    s[20] = w.views[2, standing]
    s[21] = _logs(g, w, 0, in_play)[w.rows[0, standing]]
    s[22] = _logs(g, w, 2, in_play)[w.rows[2, standing]]
    s[23] = 1 if bidder == after else 0
    s[24] = t.cards[bidder] / in_play
    s[25] = 1 if t.cards[bidder] >= limit else 0
    s[26] = g.rung[standing] / g.rung[g.rung.size - 1]
    before = t.bids[bid_count - 2] if bid_count > 1 else -1
    s[27] = min(40, g.rung[standing] - (g.rung[before] if bid_count > 1 else 0)) / 40
    for at in range(bid_count - 1, -1, -1):
        if t.by[at] == seat:
            s[28] = 1
            s[29] = 1 if g.masks[t.bids[at], 0] == g.masks[standing, 0] else 0
            s[30] = count_of(hand & g.used[t.bids[at]]) / g.total[t.bids[at]]
            break
    earlier = 0
    for at in range(bid_count - 1):
        earlier += t.by[at] == bidder
    s[31] = min(earlier, 5) / 5


@njit(inline="always")
def _bids(
    g: RuleArrays, w: Work, t: RoundArrays, seat: int, after: int, standing: int, n: int
) -> None:
    bid_count, in_play = t.state[1], t.state[2]
    hand = t.hands[seat]
    own_named, others, of_next = _0, _0, _0
    for at in range(bid_count):
        first = g.masks[t.bids[at], 0]
        if t.by[at] == seat:
            own_named |= first
        else:
            others |= first
            if t.by[at] == after:
                of_next |= first
    logs_mine, logs_trust = _logs(g, w, 0, in_play), _logs(g, w, 1, in_play)
    logs_wholly, logs_shown = _logs(g, w, 2, in_play), _logs(g, w, 3, in_play)
    logs_told = _logs(g, w, 4, in_play)
    stands = g.rung[standing] if bid_count else 0
    for i in range(n):
        b = w.places[i]
        f = w.bids[i]
        first = g.masks[b, 0]
        second = g.masks[b, 1] if g.needs[b] == 2 else _0
        support = count_of(hand & g.used[b])
        f[0] = w.views[0, b]
        f[1] = w.views[1, b]
        f[2] = g.prior[in_play, b]
        f[3] = w.views[3, b]
        f[4] = logs_mine[w.rows[0, b]]
        f[5] = logs_trust[w.rows[1, b]]
        f[6] = logs_shown[w.rows[3, b]]
        f[7] = w.room[0, b]
        f[8] = min(5, support) / g.total[b]
        f[9] = 1 if bid_count and first == g.masks[standing, 0] else 0
        f[10] = 1 if first & own_named != _0 else 0
        f[11] = 1 if first & others != _0 else 0
        f[12] = 1 if second & others != _0 else 0
        f[13] = min(40, g.rung[b] - stands) / 40
        f[14] = g.kind[b] / 9
        f[15] = 1 if w.views[0, b] > 0.999 else 0
        f[16] = w.views[2, b]
        f[17] = logs_wholly[w.rows[2, b]]
        f[18] = w.views[4, b]
        f[19] = logs_told[w.rows[4, b]]
        f[20] = w.room[1, b]
        f[21] = 1 if first & of_next != _0 else 0
        f[22] = 1 if bid_count and g.used[standing] & ~g.used[b] == _0 else 0
        f[23] = min(i, 20) / 20
