"""The chances that models give to actions, and hands guessed from actions by Bayes' rule."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from engine.cards import Cards
from engine.players.kernels.cards import CHALLENGE, NOBODY, next_live
from engine.players.kernels.deciding import decide
from engine.players.kernels.reading import (
    CAREFUL_MODEL,
    CLEAR,
    MODELS,
    Hands,
    explain,
    guess_hands,
    note_round,
)
from engine.players.reader import MIXTURE
from engine.variants import ruleset
from tests.engine.players.reading.tables import bid as bid_of
from tests.engine.players.reading.tables import deal_round, reading

THAI = ruleset("thai_poker")


def explanation(setup, t, w, seat, action):
    out = np.empty(MODELS)
    looked = explain(setup.arrays, w, setup.models, t, seat, action, out)
    return out, looked


@pytest.mark.long
@pytest.mark.parametrize("key", ["thai_poker", "liars_poker"])
@pytest.mark.parametrize("model", range(MODELS), ids=list(MIXTURE))
def test_a_model_says_how_often_its_player_does_each_thing(key, model):
    setup = reading(key, floor=0.0)
    for seed in range(12):
        t, w, rng, turn = deal_round(setup, seed=seed, bids=seed % 4)
        tries = 600
        player, net = setup.models.players[model], setup.models.nets[model]
        counts = Counter(decide(setup.arrays, w, player, net, t, turn, rng) for _ in range(tries))
        for action, times in counts.items():
            chance = min(1.0, float(explanation(setup, t, w, turn, action)[0][model]))
            # five standard errors, and what 32-bit chances may be off
            assert times / tries == pytest.approx(
                chance, abs=5 * (chance * (1 - chance) / tries) ** 0.5 + 0.02
            )


def test_everybody_sometimes_does_what_no_model_says():
    setup = reading(floor=0.05)
    t, w, _, turn = deal_round(setup, bids=0, cards=[1, 1, 1])
    t.hands[turn] = Cards.parse("9c").bits
    chances, _ = explanation(setup, t, w, turn, len(THAI.ladder) - 1)
    assert (chances > 0).all()
    assert chances.max() < 0.01


def test_a_bid_that_cannot_hold_is_challenged_by_every_model():
    setup = reading(floor=0.05)
    t, w, _, _ = deal_round(setup, seats=2, bids=0, cards=[1, 1])
    place = THAI.ladder.place
    turn = int(next_live(t.live, int(t.state[0])))
    t.hands[turn] = Cards.parse("9c").bits
    t.bids[0], t.by[0], t.state[1] = place(bid_of(THAI, "pair:A")), t.state[0], 1
    assert explanation(setup, t, w, turn, CHALLENGE)[0] == pytest.approx(1)
    assert explanation(setup, t, w, turn, place(bid_of(THAI, "three:A")))[0].max() < 0.01


def test_who_counts_challenges_where_no_higher_bid_can_hold():
    setup = reading(floor=0.0)
    t, w, _, _ = deal_round(setup, seats=2, bids=0, cards=[1, 1])
    turn = 1 - int(t.state[0])
    t.hands[turn] = Cards.parse("Ac").bits
    t.bids[0], t.by[0], t.state[1] = THAI.ladder.place(bid_of(THAI, "pair:A")), 1 - turn, 1
    chances, _ = explanation(setup, t, w, turn, CHALLENGE)
    assert list(chances[3:]) == [1.0] * 4


def test_on_the_top_rung_there_is_nothing_to_explain():
    setup = reading()
    t, w, _, _ = deal_round(setup, bids=0)
    t.bids[0], t.by[0], t.state[1] = len(THAI.ladder) - 1, 0, 1
    chances, looked = explanation(setup, t, w, 1, CHALLENGE)
    assert (list(chances), looked) == ([1.0] * MODELS, False)


def test_rounds_that_were_shown_tell_who_is_careful():
    setup = reading(started=3)
    notes = np.zeros((3, MODELS))
    for seed in range(8):
        t, w, rng, _ = deal_round(setup, seed=seed, bids=0, cards=[2, 2, 2])
        turn, challenger = int(t.state[0]), NOBODY
        while challenger == NOBODY:
            model = CAREFUL_MODEL if turn == 1 else 0
            player = setup.models.players[model], setup.models.nets[model]
            action = decide(setup.arrays, w, *player, t, turn, rng)
            if action == CHALLENGE:
                challenger = turn
            else:
                t.bids[t.state[1]], t.by[t.state[1]] = action, turn
                t.state[1] += 1
                turn = int(next_live(t.live, turn))
        before = t.state[1]
        note_round(setup.arrays, w, setup.models, t, challenger, 2, notes)
        assert t.state[1] == before
    assert notes[1].argmax() == CAREFUL_MODEL
    assert notes[0].argmax() != CAREFUL_MODEL
    assert (notes[2] == 0).all()  # one's own seat is not read
    assert notes.max() == 0
    assert notes.min() >= -CLEAR


def test_a_challenge_out_of_turn_tells_nothing():
    setup = reading(started=3)
    told_something = 0
    for seed in range(8):
        t, w, _, turn = deal_round(setup, seed=seed, bids=1, cards=[2, 2, 2])
        notes = [np.zeros((3, MODELS)) for _ in range(3)]
        out_of_turn = next(seat for seat in range(3) if seat not in (turn, t.by[0]))
        for challenger, note in zip((turn, out_of_turn, NOBODY), notes, strict=True):
            note_round(setup.arrays, w, setup.models, t, challenger, NOBODY, note)
        told_something += bool((notes[0][turn] != 0).any())
        assert (notes[1] == notes[2]).all()
    assert told_something  # in turn, unless every model would have challenged


@pytest.mark.long
@pytest.mark.parametrize("bid", ["high_card:A", "pair:K"])
def test_guessed_hands_have_the_chances_that_bayes_rule_says(bid):
    setup = reading()
    t, w, rng, _ = deal_round(setup, seats=2, bids=0, cards=[1, 1])
    me, rival = 1, 0
    t.state[0] = rival
    mine = Cards.parse("Kd").bits
    place = THAI.ladder.place(bid_of(THAI, bid))
    t.bids[0], t.by[0], t.state[1] = place, rival, 1
    # every card that the other may hold, by how likely each model bids like that with it
    true: dict[int, float] = {}
    out = np.empty(MODELS)
    for card in THAI.deck.order:
        if not mine >> card.number & 1:
            t.hands[rival], t.state[1] = np.uint64(1 << card.number), 0
            explain(setup.arrays, w, setup.models, t, rival, place, out)
            true[1 << card.number] = float((out * np.exp(setup.models.prior)).sum())
    total, t.state[1] = sum(true.values()), 1
    t.hands[:] = 0
    t.hands[me] = mine
    many = 20_000
    hands = Hands(
        np.zeros((2, many), np.uint64), np.zeros((2, many * MODELS)), np.zeros(2, np.int64)
    )
    notes = np.zeros((2, MODELS))
    looks = guess_hands(setup.arrays, w, setup.models, t, rival, me, notes, rng, hands)
    assert (looks, hands.used[rival]) == (many, many)
    assert (t.hands[rival], t.state[1]) == (0, 1)
    guessed: dict[int, float] = dict.fromkeys(true, 0.0)
    steps = np.diff(hands.weights[rival], prepend=0).reshape(many, MODELS).sum(axis=1)
    for hand, weight in zip(hands.cards[rival], steps, strict=True):
        guessed[int(hand)] += weight / steps.sum()
    for hand, weight in true.items():
        assert guessed[hand] == pytest.approx(weight / total, abs=0.02)


@pytest.mark.thorough
def test_a_seat_that_has_not_bid_may_hold_anything():
    setup = reading()
    t, w, rng, turn = deal_round(setup, seats=3, bids=1, cards=[2, 2, 2])
    silent = next(seat for seat in range(3) if seat not in (turn, t.by[0]))
    hands = setup.hands(3)
    looks = guess_hands(
        setup.arrays, w, setup.models, t, silent, turn, np.zeros((3, MODELS)), rng, hands
    )
    assert (looks, hands.used[silent]) == (0, 1)
    steps = np.diff(hands.weights[silent][:MODELS], prepend=0)
    assert steps == pytest.approx(np.exp(setup.models.prior))
