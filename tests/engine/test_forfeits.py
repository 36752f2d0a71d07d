"""Rule 7 of docs/rules.md: a player may leave a match at any time."""

from __future__ import annotations

from engine import errors
from engine.actions import Challenge, Forfeit, MakeBid
from engine.cards import Cards
from engine.play import apply, legal
from engine.state import Cause, SeatStatus
from tests.dealing import fair_deal, play, seed_from
from tests.engine.rounds import ANYONE, BAD, GOOD, assert_refused, dealt, table


def test_a_player_may_forfeit_at_any_time_and_is_out_at_once():
    for match in (table(), dealt(), play(dealt(), MakeBid(0, GOOD), Challenge(1))):
        for seat in range(3):
            after = apply(match, Forfeit(seat, Cause.DROPPED))
            assert after.seats[seat].standing is SeatStatus.FORFEITED
            assert_refused(after, Forfeit(seat), errors.NotInMatch)


def test_the_cards_of_who_forfeited_stay_in_the_pool_until_the_round_ends():
    match = play(dealt(), MakeBid(0, GOOD), Forfeit(1), Challenge(2))
    assert match.round.outcome.loser == 2  # the second ace is the leaver's
    match = play(match, fair_deal(match, seed_from("next")))
    assert match.round.hands[1] == Cards()


def test_if_who_forfeits_was_to_act_the_turn_passes_on():
    match = apply(play(dealt(), MakeBid(0, GOOD)), Forfeit(1))
    assert match.round.turn == 2
    assert legal(match).challengers == {2}
    assert apply(dealt(), Forfeit(2)).round.turn == 0  # it was not theirs


def test_if_the_opener_forfeits_the_next_live_player_must_open():
    match = play(dealt(players=4, hands={}), Forfeit(1), Forfeit(0))
    assert match.round.turn == 2
    assert_refused(match, Challenge(2), errors.NothingToChallenge)
    assert play(match, MakeBid(2, GOOD)).round.turn == 3


def test_if_the_bidder_forfeits_their_bid_stands():
    match = play(dealt(), MakeBid(0, GOOD), Forfeit(0))
    assert match.round.standing.seat == 0
    assert_refused(match, MakeBid(1, BAD), errors.BidTooLow)
    after = play(match, Challenge(1))
    assert after.round.outcome.loser == 1
    assert after.seats[1].cards == 3


def test_if_the_bid_of_who_forfeited_fails_nobody_gains_a_card_and_the_next_to_the_left_opens():
    match = dealt(players=4)
    match = play(match, MakeBid(0, "high_card:2"), MakeBid(1, BAD), Forfeit(1), Forfeit(2))
    after = apply(match, Challenge(3))
    assert after.round.judgement is not None
    assert after.round.outcome.loser is None
    assert [seat.cards for seat in after.seats] == [2, 2, 2, 2]
    assert after.opener == 3


def test_where_anyone_may_challenge_the_bid_of_who_forfeited_can_be_challenged_by_all():
    match = play(dealt(ANYONE, players=4), MakeBid(0, BAD), Forfeit(0))
    assert legal(match).challengers == {1, 2, 3}
    assert play(match, Challenge(3)).opener == 1


def test_if_the_opener_to_be_forfeits_between_rounds_the_next_live_player_opens():
    match = play(dealt(), MakeBid(0, GOOD), Challenge(1), Forfeit(1))
    assert match.opener == 2
    assert play(match, fair_deal(match, seed_from("next"))).round.turn == 2


def test_if_one_player_is_left_that_player_wins_at_once_without_a_showdown():
    match = play(dealt(), MakeBid(0, GOOD), Forfeit(0))
    after = apply(match, Forfeit(1))
    assert after.winner == 2
    outcome = after.round.outcome
    assert (outcome.challenger, outcome.proof, outcome.loser) == (None, None, None)
    before_a_deal = play(table(), Forfeit(2), Forfeit(0))
    assert (before_a_deal.winner, before_a_deal.round) == (1, None)
