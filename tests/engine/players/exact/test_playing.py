"""Playing by a solved strategy: where it is asked, and that it draws what it says."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from math import log

import pytest

from engine.actions import Challenge, Forfeit, MakeBid
from engine.play import start
from engine.players.exact.playing import exact_choice as choice_by
from engine.players.exact.strategy import Strategy, shipped
from engine.players.memory import Memory
from engine.players.position import observe
from engine.state import Cause
from engine.variants import ruleset
from engine.view import view
from tests.dealing import play, stacked_deal
from tests.engine.rounds import with_cards

THAI = ruleset("thai_poker")
EVERYBODY = Memory("sharp", 7)


def exact_choice(position):
    return choice_by(position, THAI)


def two(one="Kc", other="Ad", seats=2, **hands):
    """A round of two with these cards, seat 0 to open."""
    match = start(THAI, range(seats), 0)
    match = with_cards(match, *(len(text.split()) for text in (one, other, *hands.values())))
    dealt = {0: one, 1: other, **{2 + n: text for n, text in enumerate(hands.values())}}
    return play(match, stacked_deal(match, dealt))


def at(match, seat, seed=7):
    return observe(view(match, seat), replace(EVERYBODY, seed=seed))


def chances_of(position, *bids):
    """What the strategy of one card each says in `position`, after these bids of it."""
    strategy = shipped(THAI, (1, 1))
    hand = strategy.small.hand_of(position.seat, position.hole)
    return {
        Challenge(position.seat)
        if bid is None
        else MakeBid(position.seat, THAI.ladder.at(strategy.small.bids[bid]).key): chance
        for bid, chance in strategy.at(bids, hand)
    }


@pytest.mark.parametrize(
    ("match", "bids", "actions"),
    [
        (two("9c", "Kd"), (), 5),
        (two("Tc", "Kd"), (), 5),
        (play(two("Kd", "9c"), MakeBid(0, "high_card:9")), (0,), 2),  # bids alone
        (play(two("Kd", "Tc"), MakeBid(0, "high_card:9")), (0,), 2),  # or a challenge
    ],
    ids=["a nine opens", "a ten opens", "a nine answers", "a ten answers"],
)
def test_it_draws_each_action_as_often_as_the_strategy_says(match, bids, actions):
    position = at(match, match.round.turn)
    chances = chances_of(position, *bids)
    assert len(chances) == actions
    drawn = Counter(exact_choice(replace(position, seed=seed)).action for seed in range(2000))
    assert set(drawn) == set(chances)
    for action, chance in chances.items():
        assert drawn[action] / 2000 == pytest.approx(chance, abs=0.04)


def test_the_same_position_gives_the_same_choice_and_its_openness(monkeypatch):
    position = at(two("Tc", "Kd"), 0)
    assert exact_choice(position) == exact_choice(position)
    openness = -sum(chance * log(chance) for chance in chances_of(position).values())
    assert openness > 0.5
    assert exact_choice(position).entropy == pytest.approx(openness)
    # of what the rules leave of the chances, the shares count
    monkeypatch.setattr(Strategy, "at", lambda *_: ((0, 0.2), (1, 0.1), (2, 0.1)))
    assert exact_choice(position).entropy == pytest.approx(1.5 * log(2))
    monkeypatch.setattr(Strategy, "at", lambda *_: ((0, 0.2),))
    assert exact_choice(position).entropy == 0


def test_it_answers_bids_of_the_other_seat():
    match = play(two("Kc", "Ad"), MakeBid(0, "high_card:A"))
    assert {type(exact_choice(at(match, 1, seed)).action) for seed in range(50)} <= {
        MakeBid,
        Challenge,
    }
    # a pair of aces cannot be with a king in hand; with an ace it may
    match = play(two("Kc", "9d"), MakeBid(0, "pair:A"))
    assert exact_choice(at(match, 1)).action == Challenge(1)


def test_what_the_rules_forbid_is_not_chosen():
    match = play(two("Kc", "9d"), MakeBid(0, "pair:A"))
    certain = replace(at(match, 1), challengers=())
    assert exact_choice(certain) is None


@pytest.mark.parametrize(
    "match",
    [
        two("Kc", "Ad", seats=3, third="9d"),  # three are live
        two("Kc Kd Kh Ks", "Ad Ac Ah"),  # too many cards to be shipped
        play(two("Kc", "Ad"), MakeBid(0, "royal_flush:s")),  # a bid that nobody makes
    ],
    ids=["three live", "many cards", "a strange bid"],
)
def test_elsewhere_it_says_nothing(match):
    assert exact_choice(at(match, match.round.turn)) is None


def test_cards_of_a_player_who_gave_up_are_in_play_and_it_says_nothing():
    match = play(two("Kc", "Ad", seats=3, third="9d"), Forfeit(2, Cause.WISH))
    assert len(match.live) == 2
    assert exact_choice(at(match, 0)) is None


def test_out_of_turn_it_says_nothing():
    position = at(two(), 0)
    assert exact_choice(replace(position, turn=1)) is None


def test_the_greatest_random_number_takes_the_last_action(monkeypatch):
    position = at(two("Ac", "Kd"), 0)
    monkeypatch.setattr(Strategy, "at", lambda self, made, hand: ((0, 0.5), (2, 0.5)))
    monkeypatch.setattr(type(position), "chance", (1 << 64) - 1)
    assert exact_choice(position).action == MakeBid(0, "high_card:J")
