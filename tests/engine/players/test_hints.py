"""Hints: exact chances given a seat's own cards, the careful player's action, and the reason."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest

from engine.actions import Challenge, MakeBid
from engine.bids import holds
from engine.cards import Cards
from engine.play import start
from engine.players import HintReason, Memory, decide, hint
from engine.state import Phase
from engine.variants import ruleset
from engine.view import view_of
from tests.dealing import play, stacked_deal
from tests.engine.players.tables import whole_match


def of_round(key: str, bids: list[str], hands: dict[int, str], options=None, seats: int = 3):
    """Return a match after these bids, made in turn from seat 0 on; `hands` are cards by seat."""
    match = start(ruleset(key, options), range(seats), 0)
    match = play(match, stacked_deal(match, hands))
    for number, text in enumerate(bids):
        bid = match.ruleset.wording.parse(text)
        match = play(match, MakeBid(number % seats, bid.key))
    return match


def test_the_chance_of_the_standing_bid_is_counted_deal_by_deal():
    match = of_round("thai_poker", ["pair of aces"], {1: "Ah 9c Td"}, seats=2)
    hinted = hint(view_of(match, 1))
    mine = Cards.parse("Ah 9c Td")
    bid = match.round.standing.bid
    unseen = [card for card in match.ruleset.deck.order if card not in mine]
    deals = [mine | Cards.of(three) for three in combinations(unseen, 3)]
    good = sum(holds(bid, pool) for pool in deals)
    assert Fraction(hinted.standing.chance.favourable, hinted.standing.chance.total) == Fraction(
        good, len(deals)
    )


@pytest.mark.parametrize("key", ["thai_poker", "liars_poker"])
@pytest.mark.parametrize("challengers", ["next", "anyone"])
def test_a_hint_is_what_the_careful_player_does_all_through_a_match(key, challengers):
    rules = ruleset(key, {"challengers": challengers})
    reasons = set()
    for match, _ in whole_match(rules, ["careful"] * 3):
        if match.phase is not Phase.BIDDING:
            continue
        for seat in range(3):
            sight = view_of(match, seat)
            hinted = hint(sight)
            if seat != sight.legal.bidder and seat not in sight.legal.challengers:
                assert hinted is None
                continue
            assert hinted.action == decide(sight, Memory("careful", 99))[0]
            reasons.add(hinted.reason)
            if isinstance(hinted.action, MakeBid):
                assert hinted.best.bid.key == hinted.action.key
                assert hinted.wins == hinted.best.chance
            elif isinstance(hinted.action, Challenge):
                stands = hinted.standing.chance
                assert hinted.wins.favourable == stands.total - stands.favourable
            else:
                assert hinted.wins is None
    assert {HintReason.CERTAIN, HintReason.LIKELIEST, HintReason.UNLIKELY} <= reasons
    assert (HintReason.NOT_ASKED in reasons) == (challengers == "anyone")


def test_the_opener_is_told_a_bid_its_own_cards_make_good():
    hinted = hint(view_of(of_round("thai_poker", [], {0: "9c 9d"}), 0))
    assert hinted.standing is None
    assert hinted.reason is HintReason.CERTAIN
    assert hinted.best.chance.favourable == hinted.best.chance.total
    assert hinted.action == MakeBid(0, hinted.best.bid.key)


@pytest.mark.parametrize(
    ("seats", "seat", "hands", "impossible"),
    [
        (2, 1, {0: "2c 3c", 1: "2d 3d"}, True),
        (3, 2, {1: "2d 3d", 2: "2h 3h"}, True),  # out of turn
        (3, 2, {1: "As Kd", 2: "Qs Js"}, False),  # three of it may be hidden
    ],
)
def test_a_bid_that_cannot_hold_is_said_to_be_impossible_also_out_of_turn(
    seats, seat, hands, impossible
):
    options = {"jokers": 0, "challengers": "anyone"}
    match = of_round("liars_poker", ["spades royal flush"], hands, options, seats)
    hinted = hint(view_of(match, seat))
    assert (hinted.reason is HintReason.IMPOSSIBLE) == impossible
    if impossible:
        assert hinted.action == Challenge(seat)
        assert hinted.wins.favourable == hinted.wins.total
        assert hinted.best is None


def test_on_the_top_rung_there_is_nothing_above():
    match = of_round("liars_poker", ["five aces"], {1: "Ac Ad", 2: "Kc Kd"})
    hinted = hint(view_of(match, 1))
    assert (hinted.reason, hinted.action, hinted.best) == (
        HintReason.NOTHING_ABOVE,
        Challenge(1),
        None,
    )


def test_a_doubtful_bid_is_challenged_with_the_chance_to_be_right():
    match = of_round("thai_poker", ["four nines"], {1: "Ac Kd"}, seats=3)
    hinted = hint(view_of(match, 1))
    assert (hinted.reason, hinted.action) == (HintReason.UNLIKELY, Challenge(1))
    assert hinted.wins.probability > 0.9
    assert hinted.best.chance.favourable <= hinted.wins.favourable


def test_whoever_has_nothing_to_decide_is_given_no_hint():
    match = of_round("thai_poker", ["pair of nines"], {})
    assert hint(view_of(match, 2)) is None
    assert hint(view_of(match)) is None
    assert hint(view_of(start(ruleset("thai_poker"), range(2)), 0)) is None


def test_other_hidden_cards_change_no_hint():
    first = of_round("thai_poker", ["pair of nines"], {0: "9c 9d", 1: "Ac Kd", 2: "Qc Qd"})
    second = of_round("thai_poker", ["pair of nines"], {0: "Ah Ad", 1: "Ac Kd", 2: "Jc Td"})
    assert hint(view_of(first, 1)) == hint(view_of(second, 1))
