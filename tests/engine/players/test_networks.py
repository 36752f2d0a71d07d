"""Networks: the shipped files, the two layouts of weights, and the players that use them."""

from __future__ import annotations

import hashlib
import json
from importlib.resources import files

import numpy as np
import pytest

from engine.players import networks
from engine.players.kernels.features import BID, FIRST, HEADS_UP, STATE, workspace
from engine.players.kernels.network import (
    BID_AT,
    DOUBT_LINEAR_AT,
    DOUBT_UNITS,
    LINEAR_AT,
    UNITS,
    WEIGHTS,
    draw_place,
    score,
    softmax,
)
from engine.players.networks import SETS, WeightsError, network_from, network_of
from engine.variants import VARIANTS, ruleset

FIRST_WEIGHTS = (
    FIRST * UNITS * 2 + 2 * UNITS + FIRST + FIRST * DOUBT_UNITS + 2 * DOUBT_UNITS + FIRST
)


def some_weights(size: int, seed: int = 3) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(size).astype(np.float32)


def slow_scores(work, n: int, p: np.ndarray) -> list[float]:
    """Return the scores of the `n` bids and the challenge, computed with matrices."""
    state, bids = work.state.astype(float), work.bids[:n].astype(float)
    at = 0

    def block(*shape: int) -> np.ndarray:
        nonlocal at
        at += int(np.prod(shape))
        return p[at - int(np.prod(shape)) : at].astype(float).reshape(shape)

    of_state, of_bid, bias, out = block(STATE, UNITS), block(BID, UNITS), block(UNITS), block(UNITS)
    linear, doubt, doubt_bias = block(BID), block(STATE, DOUBT_UNITS), block(DOUBT_UNITS)
    doubt_out, doubt_linear = block(DOUBT_UNITS), block(STATE)
    assert at == p.size
    hidden = np.maximum(state @ of_state + bids @ of_bid + bias, 0)
    last = np.maximum(state @ doubt + doubt_bias, 0) @ doubt_out + state @ doubt_linear
    return [*(hidden @ out + bids @ linear), last]


def test_scores_are_those_of_the_formula():
    rnd = np.random.default_rng(1)
    work, p = workspace(30), some_weights(WEIGHTS)
    work.state[:] = rnd.random(STATE)
    work.bids[:] = rnd.random((30, BID)) * (rnd.random((30, BID)) < 0.7)
    score(work, 7, True, p)
    assert work.scores[:8] == pytest.approx(slow_scores(work, 7, p), rel=1e-4, abs=1e-4)
    before = work.scores[3]
    score(work, 3, False, p)
    assert work.scores[3] == before


def test_chances_add_up_and_small_ones_are_dropped():
    work = workspace(8)
    work.scores[:4] = 1, 3, -2, 2.9
    softmax(work, 4, 0.05)
    weights = np.exp([1, 3, 2.9])
    assert work.chances[[0, 1, 3]] == pytest.approx(weights / weights.sum(), rel=1e-5)
    assert work.chances[2] == 0
    places = [draw_place(work.chances, 4, u) for u in (0.0, 0.06, 0.08, 0.5, 0.6, 0.999999)]
    assert places == [0, 0, 1, 1, 3, 3]
    assert draw_place(work.chances, 4, 1.0) == 3  # rounding may leave a little over


@pytest.mark.parametrize("game", VARIANTS)
def test_each_game_has_weights_whose_digest_and_recipe_are_written_down(game):
    entry = networks.index()["networks"][game]
    data = files("engine.players").joinpath("weights", entry["file"]).read_bytes()
    assert hashlib.sha256(data).hexdigest() == entry["sha256"]
    assert len(data) < 20_000
    assert {part: plan["seed"] for part, plan in entry["recipe"].items()}.keys() == {
        "more",
        "heads-up",
    }
    assert network_of(game).weights.shape == (SETS * WEIGHTS,)


def test_a_game_without_weights_plays_by_another_games():
    fallback = networks.index()["fallback"]
    assert fallback in VARIANTS
    assert (network_of("dacha_poker").weights == network_of(fallback).weights).all()


def test_damaged_weights_are_refused(monkeypatch):
    shipped = json.loads(json.dumps(networks.index()))
    game = next(iter(VARIANTS))
    shipped["networks"][game]["sha256"] = "0" * 64
    monkeypatch.setattr(networks, "index", lambda: shipped)
    network_of.cache_clear()
    with pytest.raises(WeightsError, match=f"weights in {game}.npy are not those"):
        network_of(game)
    network_of.cache_clear()


def test_weights_of_a_first_network_play_as_they_did():
    first = some_weights(FIRST_WEIGHTS)
    network = network_from(first)
    rules = ruleset("thai_poker")
    assert network.many > len(rules.ladder)
    work = workspace(len(rules.ladder))
    rnd = np.random.default_rng(5)
    work.state[:], work.bids[:4] = rnd.random(STATE), rnd.random((4, BID))
    score(work, 4, True, network.weights)
    scores = work.scores[:5].copy()
    work.state[FIRST:], work.bids[:4, FIRST:] = 9, 9  # what they did not look at changes nothing
    score(work, 4, True, network.weights)
    assert (work.scores[:5] == scores).all()
    # the formula of their own layout
    state, bids = work.state[:FIRST].astype(float), work.bids[:4, :FIRST].astype(float)
    of_state = first[: FIRST * UNITS].reshape(FIRST, UNITS)
    of_bid = first[FIRST * UNITS : 2 * FIRST * UNITS].reshape(FIRST, UNITS)
    bias, out = first[2 * FIRST * UNITS :][: 2 * UNITS].reshape(2, UNITS)
    linear = first[2 * FIRST * UNITS + 2 * UNITS :][:FIRST]
    expected = np.maximum(state @ of_state + bids @ of_bid + bias, 0) @ out + bids @ linear
    assert scores[:4] == pytest.approx(expected, rel=1e-4, abs=1e-4)


@pytest.mark.parametrize(
    "wrong",
    [
        np.zeros(7, np.float32),
        np.zeros(WEIGHTS),
        np.zeros((2, WEIGHTS), np.float32),
        np.full(WEIGHTS, np.nan, np.float32),
    ],
)
def test_other_numbers_are_no_network(wrong):
    with pytest.raises(WeightsError, match=f"expected {SETS * WEIGHTS} numbers of type.*Example"):
        network_from(wrong)


def test_the_second_set_of_weights_plays_heads_up_and_the_first_with_more_seats():
    both, work = some_weights(SETS * WEIGHTS), workspace(5)
    for live, of_set in ((0, both[:WEIGHTS]), (1, both[WEIGHTS:])):
        rnd = np.random.default_rng(2)
        work.state[:], work.bids[:] = rnd.random(STATE), rnd.random((5, BID))
        work.state[HEADS_UP] = live
        score(work, 5, True, network_from(both).weights)
        scores = work.scores[:6].copy()
        score(work, 5, True, of_set.copy())
        assert (work.scores[:6] == scores).all()
        score(work, 5, True, network_from(of_set).weights)  # one set plays whoever is left
        assert (work.scores[:6] == scores).all()


def test_a_temper_shifts_three_weights_of_each_set_and_leaves_the_network_as_it_was():
    network = network_from(some_weights(SETS * WEIGHTS))
    shifted = network.with_temper(1, 2, 3)
    changed = np.flatnonzero(shifted.weights != network.weights)
    of_a_set = [LINEAR_AT, LINEAR_AT + 8, DOUBT_LINEAR_AT]
    assert changed.tolist() == of_a_set + [WEIGHTS + place for place in of_a_set]
    moved = (shifted.weights - network.weights)[changed]
    assert moved == pytest.approx([1, 2, 3] * SETS, abs=1e-5)
    assert BID_AT == STATE * UNITS
