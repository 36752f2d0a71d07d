"""The network: it scores every bid, and the challenge, from the inputs that `features` computes.

A bid's score is a linear function of its own features plus a layer of hidden units that see the
position and the bid; the challenge has a smaller layer that sees the position. The action is drawn
by a softmax over the scores. Weights are one flat float32 array; the `*_AT` constants are the
starts of its blocks.

There may be two sets of weights, one after the other: the first plays with three or more live
seats, the second heads-up, where an opponent who studies the player has the most to gain.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.odds.compiling import njit
from engine.players.arrays import Floats
from engine.players.kernels.features import BID, HEADS_UP, STATE, Work

UNITS = 32  # hidden units that score bids
DOUBT_UNITS = 16  # hidden units that score the challenge
TOGETHER = 8  # inputs to multiply at once; STATE and BID are multiples of it

# before this index: position -> hidden (STATE, UNITS); from it on: bid -> hidden
BID_AT = STATE * UNITS
BIAS_AT = BID_AT + BID * UNITS
OUT_AT = BIAS_AT + UNITS
LINEAR_AT = OUT_AT + UNITS  # bid -> score
DOUBT_AT = LINEAR_AT + BID  # position -> hidden (STATE, DOUBT_UNITS)
DOUBT_BIAS_AT = DOUBT_AT + STATE * DOUBT_UNITS
DOUBT_OUT_AT = DOUBT_BIAS_AT + DOUBT_UNITS
DOUBT_LINEAR_AT = DOUBT_OUT_AT + DOUBT_UNITS  # position -> score
WEIGHTS = DOUBT_LINEAR_AT + STATE  # number of weights in one set

# sums may be reordered, so that they can use vector instructions
_SUMS = {"reassoc", "contract", "nsz"}


@njit(inline="always")
def add_products(x: Floats, k: int, p: Floats, at: int, before: Floats, after: Floats) -> None:
    """Set `after` to `before` plus the inputs `x[k]` to `x[k + 7]`, each times its weights.

    Each input has a row of UNITS weights; `p[at]` is the first weight of `x[0]`. Taking eight
    inputs at once saves writing each sum to memory after every input.
    """
    x0, x1, x2, x3 = x[k], x[k + 1], x[k + 2], x[k + 3]
    x4, x5, x6, x7 = x[k + 4], x[k + 5], x[k + 6], x[k + 7]
    row = at + k * UNITS
    for j in range(UNITS):
        after[j] = (
            before[j]
            + x0 * p[row + j]
            + x1 * p[row + UNITS + j]
            + x2 * p[row + 2 * UNITS + j]
            + x3 * p[row + 3 * UNITS + j]
            + x4 * p[row + 4 * UNITS + j]
            + x5 * p[row + 5 * UNITS + j]
            + x6 * p[row + 6 * UNITS + j]
            + x7 * p[row + 7 * UNITS + j]
        )


@njit(cache=True, nogil=True, fastmath=_SUMS)
def score(w: Work, n: int, may_challenge: bool, p: Floats) -> None:
    """Fill `w.scores` with the `n` bids' scores, then the challenge's score if allowed."""
    if p.size > WEIGHTS and w.state[HEADS_UP] > 0:
        p = p[WEIGHTS:]
    h, z = w.hidden[0], w.hidden[1]
    for j in range(UNITS):
        h[j] = p[BIAS_AT + j]
    for k in range(0, STATE, TOGETHER):
        add_products(w.state, k, p, 0, h, h)
    for i in range(n):
        x = w.bids[i]
        add_products(x, 0, p, BID_AT, h, z)
        for k in range(TOGETHER, BID, TOGETHER):
            add_products(x, k, p, BID_AT, z, z)
        out = np.float32(0)
        for k in range(BID):
            out += x[k] * p[LINEAR_AT + k]
        for j in range(UNITS):
            out += max(z[j], np.float32(0)) * p[OUT_AT + j]
        w.scores[i] = out
    if may_challenge:
        w.scores[n] = _doubt(w, p)


@njit(cache=True, nogil=True, fastmath=_SUMS)
def _doubt(w: Work, p: Floats) -> Any:
    out = np.float32(0)
    h = w.hidden[1]
    for j in range(DOUBT_UNITS):
        h[j] = p[DOUBT_BIAS_AT + j]
    for k in range(STATE):
        x = w.state[k]
        out += x * p[DOUBT_LINEAR_AT + k]
        if x != 0:
            for j in range(DOUBT_UNITS):
                h[j] += x * p[DOUBT_AT + k * DOUBT_UNITS + j]
    for j in range(DOUBT_UNITS):
        out += max(h[j], np.float32(0)) * p[DOUBT_OUT_AT + j]
    return out


@njit(cache=True, nogil=True)
def softmax(w: Work, m: int, cut: float) -> None:
    """Fill `w.chances` from the first `m` scores.

    A chance that would be less than `cut` times the greatest becomes 0.
    """
    top = w.scores[0]
    for i in range(1, m):
        top = max(top, w.scores[i])
    total = np.float32(0)
    for i in range(m):
        value = np.exp(w.scores[i] - top)
        w.chances[i] = value if value >= cut else 0
        total += w.chances[i]
    for i in range(m):
        w.chances[i] /= total


@njit(cache=True, nogil=True)
def draw_place(chances: Floats, m: int, u: float) -> int:
    """Return the index, below `m`, at which the sum of `chances` so far exceeds `u`.

    `u` is a random number from 0 to less than the sum of all chances.
    """
    last = 0
    for i in range(m):
        if chances[i] > 0:
            last = i
            u -= chances[i]
            if u < 0:
                return i
    return last
