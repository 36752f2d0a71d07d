"""Responses to *sharp*: both recipes give the same weights from the same seed."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from benchmarks import responses
from benchmarks.training.response import best_response
from benchmarks.training.tempers import SPREADS, best_temper, with_numbers
from engine.players.networks import DOUBT, OWN_CARDS, OWN_CHANCE, network_of
from engine.variants import ruleset

THAI = ruleset("thai_poker")
NETWORK = network_of(THAI.key)


def test_a_temper_adds_to_weights_and_scales_scores():
    numbers = {OWN_CHANCE: -16.0, OWN_CARDS: -6.0, DOUBT: 2.0}
    temper = np.array([*(numbers.get(weight, 0.0) for weight in SPREADS), 0.0])
    tempered = with_numbers(NETWORK, temper).weights
    assert (tempered == NETWORK.with_temper(-16.0, -6.0, 2.0).weights).all()
    temper[-1] = np.log(2)
    doubled = with_numbers(NETWORK, temper).weights
    is_doubled = np.isclose(doubled, 2 * tempered)
    assert 0 < is_doubled.sum() < is_doubled.size
    assert np.isclose(doubled, tempered)[~is_doubled].all()


def test_the_search_for_a_temper_is_reproducible():
    def search(seed):
        return best_temper(THAI, NETWORK, 2, seed, matches=4, opponent="careful").weights

    first = search(1)
    assert (search(1) == first).all()
    assert (search(2) != first).any()
    assert (NETWORK.weights != first).any()


@pytest.mark.long
def test_training_against_readers_is_reproducible():
    def train(looks):
        return best_response(THAI, NETWORK, 512, 1, seats=3, solved=True, looks=looks).weights

    first = train(8)
    assert (train(8) == first).all()
    assert (train(0) != first).any()


def test_the_command_judges_each_seed_and_the_best_again(monkeypatch, capsys):
    monkeypatch.setattr(responses, "SHARP", "careful")
    monkeypatch.setattr(responses, "best_temper", lambda *_, **__: NETWORK)
    arguments = ["responses", "thai", "--seed", "1", "--seed", "2", "--matches", "20"]
    monkeypatch.setattr(sys, "argv", arguments)
    responses.main()
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert all(" ± " in line for line in lines)
    assert lines[-1].startswith("seed ")
