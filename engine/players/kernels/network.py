"""The network: one small set of weights scores every bid, and the challenge, from the features.

A bid's score is a linear function of its own features plus a layer of hidden units that see the
position and the bid; the challenge has a smaller layer that sees the position. A softmax over the
scores draws the action. Weights are one flat float32 array; `*_AT` say where each block begins.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.odds.compiling import njit
from engine.players.arrays import Floats
from engine.players.kernels.features import BID, STATE, Work

UNITS = 32  # hidden units that score bids
DOUBT_UNITS = 16  # hidden units that score the challenge

BID_AT = STATE * UNITS  # before it: position -> hidden (STATE, UNITS); here: bid -> hidden
BIAS_AT = BID_AT + BID * UNITS
OUT_AT = BIAS_AT + UNITS
LINEAR_AT = OUT_AT + UNITS  # bid -> score
DOUBT_AT = LINEAR_AT + BID  # position -> hidden (STATE, DOUBT_UNITS)
DOUBT_BIAS_AT = DOUBT_AT + STATE * DOUBT_UNITS
DOUBT_OUT_AT = DOUBT_BIAS_AT + DOUBT_UNITS
DOUBT_LINEAR_AT = DOUBT_OUT_AT + DOUBT_UNITS  # position -> score
WEIGHTS = DOUBT_LINEAR_AT + STATE

_SUMS = {"reassoc", "contract", "nsz"}  # sums may be taken in another order: lanes side by side


@njit(cache=True, nogil=True, fastmath=_SUMS)
def score(w: Work, n: int, may_challenge: bool, p: Floats) -> None:
    """Scores of the `n` bids and, if one may challenge, last that of the challenge."""
    h, z = w.hidden[0], w.hidden[1]
    for j in range(UNITS):
        h[j] = p[BIAS_AT + j]
    for k in range(STATE):
        x = w.state[k]
        if x != 0:
            for j in range(UNITS):
                h[j] += x * p[k * UNITS + j]
    for i in range(n):
        out = np.float32(0)
        for j in range(UNITS):
            z[j] = h[j]
        for k in range(BID):
            x = w.bids[i, k]
            out += x * p[LINEAR_AT + k]
            if x != 0:
                for j in range(UNITS):
                    z[j] += x * p[BID_AT + k * UNITS + j]
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
    """Chances from the first `m` scores; those below `cut` of the greatest become 0."""
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
def drawn(chances: Floats, m: int, u: float) -> int:
    """The place among the first `m` on which the random number `u` of [0, 1) falls."""
    last = 0
    for i in range(m):
        if chances[i] > 0:
            last = i
            u -= chances[i]
            if u < 0:
                return i
    return last
