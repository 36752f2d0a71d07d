"""The view of one seat: hidden cards are not in it, and don't change it."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.actions import Challenge, Forfeit, MakeBid
from engine.bids import Bid, proof
from engine.cards import Card, Cards
from engine.play import start
from engine.ruleset import Ruleset
from engine.state import Phase
from engine.variants import ruleset
from engine.view import EndedRound, RoundView, view_of
from tests.dealing import Chooser, Habits, fair_deal, next_action, play, seed_from, stacked_deal

RULESETS = [
    ruleset("liars_poker"),
    ruleset("liars_poker", {"middle_hand": True, "challengers": "anyone"}),
    ruleset("thai_poker"),
]


def cards_in(value):
    """Return all cards and sets of cards in `value`, except the classes of bids."""
    if isinstance(value, Cards):
        return [value]
    if isinstance(value, Card):
        return [Cards.of([value])]
    if isinstance(value, Bid | Ruleset):
        return []
    if isinstance(value, tuple | list | frozenset):
        return [cards for item in value for cards in cards_in(item)]
    if is_dataclass(value):
        return [c for field in fields(value) for c in cards_in(getattr(value, field.name))]
    return []


@st.composite
def rounds(draw):
    """Draw a match during the bidding, a viewer (a seat or None), and a random `Chooser`."""
    rules = draw(st.sampled_from(RULESETS))
    players = draw(st.integers(2, rules.most_players))
    chooser = Chooser(f"view {draw(st.integers(0, 10**6))}")
    match = start(rules, range(players))
    habits = Habits(leave=3)
    for _ in range(draw(st.integers(1, 40))):
        following = play(match, next_action(match, chooser, habits))
        if following.phase is Phase.OVER:
            break
        match = following
    while match.phase is not Phase.BIDDING:
        match = play(match, fair_deal(match, seed_from(str(chooser.below(1000)))))
    return match, draw(st.one_of(st.none(), st.integers(0, players - 1))), chooser


@pytest.mark.thorough
@given(rounds())
def test_hidden_cards_are_in_no_view_and_change_nothing_in_it(case):
    match, seat, chooser = case
    current, sight = match.round, view_of(match, seat)
    own_cards = current.hands[seat] if seat is not None else Cards()
    assert all(not cards - own_cards for cards in cards_in(sight))
    assert (own_cards in cards_in(sight)) == bool(own_cards)
    assert "order" not in {field.name for field in fields(RoundView)}
    hidden = list(match.ruleset.deck.cards - own_cards)
    hidden.sort(key=lambda card: chooser.below(1 << 30))
    dealt = iter(hidden)
    hands = tuple(
        cards if number == seat else Cards.of(next(dealt) for _ in cards)
        for number, cards in enumerate(current.hands)
    )
    middle = Cards.of(next(dealt) for _ in current.middle)
    redealt = replace(match, round=replace(current, hands=hands, middle=middle))
    assert view_of(redealt, seat) == sight
    assert repr(view_of(redealt, seat)) == repr(sight)


def test_a_seat_sees_its_own_cards_and_how_many_the_others_have():
    match = start(RULESETS[1], range(3), 0)
    deal = stacked_deal(match, {0: "Ac 2d", 1: "Ad 3h", 2: "4s 5c"})
    match = play(match, deal, MakeBid(0, "pair:A"))
    sight = view_of(match, 1)
    assert str(sight.round.hole) == "Ad 3h"
    assert (sight.round.dealt, sight.round.middle_size, sight.round.in_play) == ((2, 2, 2), 2, 8)
    for hidden in ("hands", "middle", "outcome", "judgement"):
        assert not hasattr(sight.round, hidden)
    assert (sight.round.turn, sight.round.standing.bid.key) == (1, "pair:A")
    assert (sight.seat, sight.phase, sight.seq, sight.winner) == (1, Phase.BIDDING, 2, None)
    assert sight.legal.challengers == {1, 2}


def test_an_onlooker_sees_no_cards():
    match = play(start(RULESETS[0], range(2)), fair_deal(start(RULESETS[0], range(2)), b"0" * 32))
    sight = view_of(match)
    assert sight.round.hole is None
    assert sight.round.standing is None
    assert cards_in(sight) == []


def test_at_a_showdown_everything_is_shown_to_everybody():
    match = start(RULESETS[1], range(3), 0)
    match = play(match, fair_deal(match, b"0" * 32), MakeBid(0, "pair:A"), Challenge(1))
    for seat in (None, 0, 1, 2):
        sight = view_of(match, seat)
        assert sight.round.hands == match.round.hands
        assert sight.round.middle == match.round.middle
        assert sight.round.outcome == match.round.outcome
        assert sight.round.turn is None
        assert isinstance(sight.round, EndedRound)
        assert (sight.round.bids, sight.round.in_play) == (match.round.bids, 8)
        judged = sight.round.judgement
        assert (judged.challenger, judged.standing) == (1, match.round.standing)
        assert judged.proof == proof(match.ruleset.ladder.bid("pair:A"), match.round.pool)


@pytest.mark.parametrize("bids", [[], [MakeBid(0, "pair:A")]])
def test_a_round_that_ends_without_a_showdown_shows_its_cards_and_judges_nothing(bids):
    match = start(RULESETS[0], range(2), 0)
    match = play(match, fair_deal(match, b"0" * 32), *bids)
    assert match.round.judgement is None
    match = play(match, Forfeit(0))
    sight = view_of(match, 1).round
    assert sight.hands == match.round.hands
    assert (sight.outcome, sight.judgement) == (match.round.outcome, None)


def test_before_the_first_deal_there_is_no_round_to_see_and_who_is_out_has_no_cards():
    match = start(RULESETS[0], range(3), 2)
    sight = view_of(match, 0)
    assert (sight.round, sight.opener, sight.phase) == (None, 2, Phase.DEAL)
    match = play(match, Forfeit(1))
    match = play(match, fair_deal(match, b"0" * 32))
    assert view_of(match, 1).round.hole is None
    assert view_of(match, 0).round.hole == match.round.hands[0]
    for state in (start(RULESETS[0], range(3), 0), match):
        for seat in (-1, 3):
            with pytest.raises(IndexError, match=f"no seat {seat}"):
                view_of(state, seat)
