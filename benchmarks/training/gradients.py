"""Compiled loops for the gradients of the network and of its critic, and for Adam."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.odds.compiling import njit
from engine.players.arrays import Floats
from engine.players.kernels.features import BID, STATE
from engine.players.kernels.network import (
    BIAS_AT,
    BID_AT,
    DOUBT_AT,
    DOUBT_BIAS_AT,
    DOUBT_LINEAR_AT,
    DOUBT_OUT_AT,
    DOUBT_UNITS,
    LINEAR_AT,
    OUT_AT,
    TOGETHER,
    UNITS,
    add_products,
)

INSIGHT = 6  # the critic's inputs about hidden cards, in addition to the position's
SEEN = STATE + INSIGHT
CRITIC_UNITS = 24
CRITIC_BIAS_AT = SEEN * CRITIC_UNITS
CRITIC_OUT_AT = CRITIC_BIAS_AT + CRITIC_UNITS
CRITIC_LINEAR_AT = CRITIC_OUT_AT + CRITIC_UNITS
CRITIC_WEIGHTS = CRITIC_LINEAR_AT + SEEN

_SUMS = {"reassoc", "contract", "nsz"}
LEAST = 1e-9  # smaller chances count as 0
_LITTLE = 1e-5  # smaller gradients of a score are skipped


@njit(cache=True, nogil=True, fastmath=_SUMS)
def critic(x: Floats, v: Floats, hidden: Floats) -> Any:
    """Return the critic's guess of a reward, and fill `hidden` with its hidden units."""
    out = np.float32(0)
    for j in range(CRITIC_UNITS):
        hidden[j] = v[CRITIC_BIAS_AT + j]
    for k in range(SEEN):
        out += x[k] * v[CRITIC_LINEAR_AT + k]
        for j in range(CRITIC_UNITS):
            hidden[j] += x[k] * v[k * CRITIC_UNITS + j]
    for j in range(CRITIC_UNITS):
        out += max(hidden[j], np.float32(0)) * v[CRITIC_OUT_AT + j]
    return out


@njit(cache=True, nogil=True, fastmath=_SUMS)
def add_critic_gradient(x: Floats, v: Floats, hidden: Floats, d: Any, gv: Floats) -> None:
    """Add `d` times the critic's gradient to `gv`; `hidden`, filled by `critic`, is overwritten."""
    for k in range(SEEN):
        gv[CRITIC_LINEAR_AT + k] += d * x[k]
    for j in range(CRITIC_UNITS):
        if hidden[j] > 0:
            gv[CRITIC_OUT_AT + j] += d * hidden[j]
            hidden[j] = d * v[CRITIC_OUT_AT + j]
            gv[CRITIC_BIAS_AT + j] += hidden[j]
        else:
            hidden[j] = 0
    for k in range(SEEN):
        if x[k] != 0:
            for j in range(CRITIC_UNITS):
                gv[k * CRITIC_UNITS + j] += hidden[j] * x[k]


@njit(cache=True, nogil=True, fastmath=_SUMS)
def add_policy_gradient(
    state: Floats,
    bids: Floats,
    n: int,
    m: int,
    chances: Floats,
    anchors: Floats,
    action: int,
    advantage: Any,
    heat: Any,
    pull: Any,
    p: Floats,
    gp: Floats,
) -> None:
    """Add the gradient of -advantage * log(chance of the action) - heat * entropy + pull * KL.

    It is added to `gp`. `n` bids were scored, and the challenge too if `m` is n + 1. KL is the
    divergence of `chances` from `anchors`, the chances of the policy towards which this one is
    pulled.
    """
    entropy = away = np.float32(0)
    for i in range(m):
        if chances[i] > LEAST:
            entropy -= chances[i] * np.log(chances[i])
            if pull > 0:
                away += chances[i] * np.log(chances[i] / max(anchors[i], np.float32(LEAST)))
    h = np.empty(UNITS, np.float32)
    dh = np.zeros(UNITS, np.float32)
    z = np.empty(UNITS, np.float32)
    for j in range(UNITS):
        h[j] = p[BIAS_AT + j]
    for k in range(0, STATE, TOGETHER):
        add_products(state, k, p, 0, h, h)
    for i in range(m):
        d = advantage * chances[i]
        if i == action:
            d -= advantage
        if chances[i] > LEAST:
            d += heat * chances[i] * (np.log(chances[i]) + entropy)
            if pull > 0:
                moved = np.log(chances[i] / max(anchors[i], np.float32(LEAST)))
                d += pull * chances[i] * (moved - away)
        if abs(d) < _LITTLE:
            continue
        if i == n:
            _add_doubt_gradient(state, d, p, gp)
            continue
        add_products(bids[i], 0, p, BID_AT, h, z)
        for k in range(TOGETHER, BID, TOGETHER):
            add_products(bids[i], k, p, BID_AT, z, z)
        for k in range(BID):
            gp[LINEAR_AT + k] += d * bids[i, k]
        for j in range(UNITS):
            if z[j] > 0:
                gp[OUT_AT + j] += d * z[j]
                z[j] = d * p[OUT_AT + j]
                dh[j] += z[j]
            else:
                z[j] = 0
        for k in range(BID):
            x = bids[i, k]
            if x != 0:
                for j in range(UNITS):
                    gp[BID_AT + k * UNITS + j] += x * z[j]
    for j in range(UNITS):
        gp[BIAS_AT + j] += dh[j]
    for k in range(STATE):
        if state[k] != 0:
            for j in range(UNITS):
                gp[k * UNITS + j] += state[k] * dh[j]


@njit(cache=True, nogil=True, fastmath=_SUMS)
def _add_doubt_gradient(state: Floats, d: Any, p: Floats, gp: Floats) -> None:
    h = np.empty(DOUBT_UNITS, np.float32)
    for j in range(DOUBT_UNITS):
        h[j] = p[DOUBT_BIAS_AT + j]
    for k in range(STATE):
        gp[DOUBT_LINEAR_AT + k] += d * state[k]
        for j in range(DOUBT_UNITS):
            h[j] += state[k] * p[DOUBT_AT + k * DOUBT_UNITS + j]
    for j in range(DOUBT_UNITS):
        if h[j] > 0:
            gp[DOUBT_OUT_AT + j] += d * h[j]
            h[j] = d * p[DOUBT_OUT_AT + j]
            gp[DOUBT_BIAS_AT + j] += h[j]
        else:
            h[j] = 0
    for k in range(STATE):
        if state[k] != 0:
            for j in range(DOUBT_UNITS):
                gp[DOUBT_AT + k * DOUBT_UNITS + j] += state[k] * h[j]


@njit(cache=True, nogil=True)
def adam(p: Floats, gradient: Floats, m: Floats, v: Floats, step: int, rate: float) -> None:
    """Change the weights `p` by one step of Adam (Kingma and Ba, 2015), number `step` from 1.

    Update the moments `m` and `v` too. The norm of the gradient is limited to 1.
    """
    norm = np.float64(0)
    for i in range(p.size):
        norm += gradient[i] * gradient[i]
    scale = np.float32(1 / max(1.0, np.sqrt(norm)))
    first, second = 1 - 0.9**step, 1 - 0.999**step
    for i in range(p.size):
        x = gradient[i] * scale
        m[i] = np.float32(0.9) * m[i] + np.float32(0.1) * x
        v[i] = np.float32(0.999) * v[i] + np.float32(0.001) * x * x
        p[i] -= np.float32(rate * (m[i] / first) / (np.sqrt(v[i] / second) + 1e-8))
