"""Players who follow a simple rule are recognised from shown rounds, and sharp exploits them."""

from __future__ import annotations

from dataclasses import replace
from math import log

import numpy as np
import pytest

from engine.cards import Cards
from engine.play import start
from engine.players import reader, recognition, sharp
from engine.players.blueprint.playing import blueprint_choice, chances_of
from engine.players.careful import choose as careful
from engine.players.deciding import chosen_by
from engine.players.memory import Memory, ShownRound, remember
from engine.players.position import LETS_IT_STAND
from engine.players.recognition import FAITHFUL, OTHERWISE, likelihoods, plays_simply
from engine.state import Phase
from engine.variants import ruleset
from engine.view import view_of
from tests.dealing import fair_deal, play, seed_from
from tests.engine.players.reading.tables import observe_seat

THAI = ruleset("thai_poker")


def bits(cards):
    return Cards.parse(cards).bits


def by_table(position, rules):
    """Return the solved table's choice, or the careful player's if the table has none."""
    return blueprint_choice(position, rules) or careful(position, rules)


def after(rounds, player):
    """Return a position of seat 0 after `rounds` shown rounds of three cards each.

    Seat 1 played these rounds as `player`, seat 0 as `by_table`.
    """
    past: tuple[ShownRound, ...] = ()
    for number in range(rounds):
        match = start(THAI, range(2), number % 2)
        match = play(match, fair_deal(match, seed_from(f"simple {number}")))
        while match.phase is Phase.BIDDING:
            seat = match.round.turn
            position = observe_seat(match, seat, Memory("careful", 100 * seat + number))
            action = chosen_by(player if seat else by_table, position, THAI).action
            assert action is not None
            match = play(match, action)
        ended = remember(Memory("sharp", 1), view_of(match, 0)).rounds
        past += (replace(ended[0], number=number + 1),)
    match = start(THAI, range(2), 0)
    match = play(match, fair_deal(match, seed_from("next")))
    return replace(observe_seat(match, 0, Memory("sharp", 1, past)), number=rounds + 1)


def test_a_careful_player_is_recognised_by_shown_rounds_and_not_before():
    assert not plays_simply(after(0, careful), THAI, 1)
    assert plays_simply(after(4, careful), THAI, 1)


def test_one_who_plays_the_table_is_not():
    assert not plays_simply(after(4, by_table), THAI, 1)
    assert not plays_simply(after(4, careful), THAI, 0)


def test_it_is_looked_at_anew_after_each_round():
    position = after(4, careful)
    # two rounds in which seat 1 says what no simple player would
    wild = THAI.ladder.place(THAI.ladder.bid("four:9"))
    lies = ShownRound(5, 1, (bits("Kc Kd Ah"), bits("Tc Jd Qh")), 0, ((1, wild),), 0, 1)
    many = tuple(replace(lies, number=5 + n) for n in range(3))
    assert not plays_simply(replace(position, rounds=(*position.rounds, *many)), THAI, 1)


def test_sharp_exploits_whom_it_has_recognised(monkeypatch):
    position = after(4, careful)
    tabled = replace(position, rounds=())
    assert sharp.choose(tabled, THAI) == blueprint_choice(tabled, THAI)
    searched = []

    def read(*args):
        searched.append(args)
        return LETS_IT_STAND

    monkeypatch.setattr(reader, "choose", read)
    assert sharp.choose(position, THAI) is LETS_IT_STAND
    assert sharp.choose(tabled, THAI) is not LETS_IT_STAND
    assert len(searched) == 1


def test_an_unknown_player_mostly_does_as_the_table_and_now_and_then_anything():
    round_ = ShownRound(1, 0, (bits("9c Td Qh"), bits("Ac Ad Kh")), 0, ((0, 3),), None, None)
    plan = dict(chances_of(THAI, (3, 3), 0, 0, round_.hands[0], ()))
    expected = log(FAITHFUL * plan.get(3, 0.0) + OTHERWISE)
    assert likelihoods(THAI, round_)[0, -1] == pytest.approx(expected)
    assert (likelihoods(THAI, round_)[1] == 0).all(), "seat 1 has not acted"


def test_a_challenge_counts_in_turn_alone():
    hands = bits("9c Td Qh"), bits("Ac Ad Kh"), bits("Jc Jd Jh")
    bids = ((0, 40),)
    unasked = likelihoods(THAI, ShownRound(1, 0, hands, 0, bids, 2, 0))
    in_turn = likelihoods(THAI, ShownRound(1, 0, hands, 0, bids, 1, 0))
    assert (unasked[1:] == 0).all()
    assert (in_turn[1] != 0).any()
    assert (in_turn[2] == 0).all()


def test_where_nothing_is_solved_an_unknown_player_does_as_the_network(monkeypatch):
    hands = bits("9c Td Qh"), bits("Ac Ad Kh")

    def likelihood(middle):
        return likelihoods(THAI, ShownRound(1, 0, hands, middle, ((0, 3),), None, None))[0, -1]

    assert likelihood(bits("Jc Js")) != pytest.approx(likelihood(0))
    monkeypatch.setattr(recognition, "chances_of", lambda *_: ())
    likelihoods.cache_clear()
    assert np.isfinite(likelihood(0))
    assert log(OTHERWISE) <= likelihood(0) <= log(FAITHFUL + OTHERWISE)


@pytest.mark.parametrize("bid", ["royal_flush:s", "four:9"], ids=["the top", "impossible"])
def test_where_nothing_is_left_but_to_challenge_nothing_is_told(bid):
    place = THAI.ladder.place(THAI.ladder.bid(bid))
    round_ = ShownRound(1, 0, (bits("9c Td Qh"), bits("Ac Ad Kh")), 0, ((0, place),), 1, 0)
    assert (likelihoods(THAI, round_)[1] == 0).all()
    assert (likelihoods(THAI, round_)[0] < 0).any()
