"""The rules of play, each as a sentence. Numbers are those of docs/rules.md."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine import errors
from engine.actions import Challenge, Deal, Forfeit, MakeBid
from engine.cards import Cards
from engine.play import apply, legal, start
from engine.state import MadeBid, Phase, SeatStatus
from engine.variants import ruleset
from tests.dealing import fair_deal, play, seed_of, stacked_deal
from tests.engine.rounds import (
    ANYONE,
    BAD,
    GOOD,
    HANDS,
    LIARS,
    THAI,
    dealt,
    refused,
    table,
    with_cards,
)

# 1. cards, and bidding clockwise


def test_everybody_gets_their_number_of_cards_and_nobody_anothers():
    match = dealt()
    assert [str(cards) for cards in match.round.hands] == ["Ac 2d", "Ad 3h", "5c 4s"]
    assert len(match.round.pool) == 6
    assert match.round.middle == Cards()


def test_cards_are_dealt_one_at_a_time_from_the_opener_to_the_left():
    match = with_cards(table(opener=2), 1, 3, 2)
    order = LIARS.deck.order
    match = play(match, Deal(order, "c" * 64, 1, 0))
    number = [[card.number for card in hand] for hand in match.round.hands]
    # 2, 0, 1, then 2, 1 (seat 0 has its card), then 1
    assert [sorted(cards) for cards in number] == [[1], [2, 4, 5], [0, 3]]


def test_a_round_has_its_number_its_opener_and_the_deals_commitment():
    match = table(opener=1)
    deal = fair_deal(match, seed_of("one"))
    after = apply(match, deal)
    dealt_round = after.round
    assert (after.seq, dealt_round.number, dealt_round.opener) == (1, 1, 1)
    assert dealt_round.commitment == deal.commitment
    assert after.phase is Phase.BIDDING


def test_bidding_goes_clockwise_from_the_opener():
    match = dealt(opener=2)
    turns = [match.round.turn]
    for key in ("high_card:2", "high_card:3", "high_card:4"):
        match = play(match, MakeBid(match.round.turn, key))
        turns.append(match.round.turn)
    assert turns == [2, 0, 1, 2]


def test_nobody_bids_out_of_turn():
    error = refused(dealt(), MakeBid(1, GOOD), errors.NotYourTurn)
    assert (error.seat, error.turn) == (1, 0)


def test_players_who_are_out_get_no_cards_and_no_turn():
    match = play(table(players=4), Forfeit(1))
    match = play(match, fair_deal(match, seed_of("x")), MakeBid(0, "high_card:2"))
    assert match.round.hands[1] == Cards()
    assert match.round.turn == 2
    assert refused(match, MakeBid(1, GOOD), errors.NotInMatch).seat == 1


# 2. the opener must bid; then strictly higher, or a challenge


def test_the_opener_must_bid():
    match = dealt()
    refused(match, Challenge(0), errors.NothingToChallenge)
    assert legal(match).challengers == frozenset()
    assert legal(match).rungs == LIARS.ladder.rungs


def test_the_opener_may_make_any_bid():
    for key in ("high_card:2", "five:A"):
        after = apply(dealt(), MakeBid(0, key))
        assert after.round.standing == MadeBid(0, LIARS.ladder.bid(key))


@pytest.mark.parametrize("key", ["pair:A", "pair:K", "high_card:A"])
def test_a_bid_must_be_strictly_higher_than_the_standing_one(key):
    match = play(dealt(), MakeBid(0, "pair:A"))
    error = refused(match, MakeBid(1, key), errors.BidTooLow)
    assert (error.bid, error.standing) == (key, "pair:A")


def test_a_flush_of_the_same_card_in_another_suit_is_not_higher_in_liars_poker():
    match = play(dealt(), MakeBid(0, "flush:8c"))
    refused(match, MakeBid(1, "flush:8s"), errors.BidTooLow)
    assert play(match, MakeBid(1, "flush:9c")).round.standing.bid.key == "flush:9c"


def test_a_flush_in_a_higher_suit_is_higher_in_thai_poker():
    match = dealt(THAI, hands={})
    match = play(match, MakeBid(0, "flush:d"))
    refused(match, MakeBid(1, "flush:c"), errors.BidTooLow)
    assert play(match, MakeBid(1, "flush:h")).round.turn == 2


def test_a_bid_that_the_ladder_lacks_is_refused():
    assert refused(dealt(THAI, hands={}), MakeBid(0, "two_pair:A,K"), errors.UnknownBid).key == (
        "two_pair:A,K"
    )


def test_on_the_top_rung_the_next_player_must_challenge():
    match = play(dealt(), MakeBid(0, "five:A"))
    allowed = legal(match)
    assert allowed.rungs == ()
    assert allowed.challengers == {1}
    refused(match, MakeBid(1, "five:A"), errors.BidTooLow)


def test_only_the_next_player_in_turn_may_challenge():
    match = play(dealt(), MakeBid(0, GOOD))
    assert legal(match).challengers == {1}
    assert refused(match, Challenge(2), errors.NotYourTurn).turn == 1
    assert refused(match, Challenge(0), errors.OwnBid).seat == 0


def test_if_the_house_says_so_anyone_live_but_the_bidder_may_challenge():
    match = play(dealt(ANYONE, players=4), MakeBid(0, GOOD), Forfeit(3))
    assert legal(match).challengers == {1, 2}
    refused(match, Challenge(0), errors.OwnBid)
    refused(match, Challenge(3), errors.NotInMatch)
    after = play(match, Challenge(2))
    assert after.round.outcome.challenger == 2
    assert after.round.outcome.loser == 2


def test_before_a_bid_stands_nobody_may_challenge_even_where_anyone_may():
    match = dealt(ANYONE)
    refused(match, Challenge(1), errors.NotYourTurn)
    refused(match, Challenge(0), errors.NothingToChallenge)


# 3. the showdown


def test_if_the_bid_holds_the_challenger_loses():
    match = play(dealt(), MakeBid(0, GOOD))
    after = apply(match, Challenge(1))
    judged = after.round.judgement
    assert (judged.challenger, judged.made) == (1, MadeBid(0, LIARS.ladder.bid(GOOD)))
    assert str(judged.proof.cards) == "Ad Ac"
    assert [seat.cards for seat in after.seats] == [2, 3, 2]
    assert after.round.outcome.loser == 1


def test_if_the_bid_fails_the_bidder_loses():
    match = play(dealt(), MakeBid(0, BAD))
    after = apply(match, Challenge(1))
    assert not after.round.judgement.proof.holds
    assert [seat.cards for seat in after.seats] == [3, 2, 2]
    assert after.round.outcome.loser == 0


def test_the_whole_pool_counts_the_middle_hand_too():
    rules = ruleset("liars_poker", {"middle_hand": True})
    match = table(rules)
    match = play(match, stacked_deal(match, HANDS, middle="Kc Kd"), MakeBid(0, BAD), Challenge(1))
    assert match.round.outcome.loser == 1


def test_the_middle_hand_is_as_large_as_the_largest_live_hand_and_dealt_last():
    rules = ruleset("liars_poker", {"middle_hand": True})
    match = with_cards(table(rules, players=4), 2, 4, 3, 5)
    match = play(match, Forfeit(3))
    match = play(match, Deal(rules.deck.order, "c" * 64, 1, 0))
    assert len(match.round.middle) == 4
    assert sorted(card.number for card in match.round.middle) == [9, 10, 11, 12]


def test_between_rounds_there_is_nothing_to_bid_on_or_to_challenge():
    match = play(dealt(), MakeBid(0, GOOD), Challenge(1))
    assert match.phase is Phase.DEAL
    assert legal(match).bidder is None
    refused(match, MakeBid(1, "five:A"), errors.NotDealt)
    refused(match, Challenge(2), errors.NotDealt)
    refused(table(), MakeBid(0, GOOD), errors.NotDealt)


# 4. one more card, or out


def test_the_loser_gets_one_more_card_from_the_next_round_on():
    match = play(dealt(), MakeBid(0, BAD), Challenge(1))
    assert len(match.round.hands[0]) == 2
    match = play(match, fair_deal(match, seed_of("next")))
    assert [len(cards) for cards in match.round.hands] == [3, 2, 2]


def test_who_would_exceed_the_card_limit_is_out_of_the_match():
    match = with_cards(table(), 5, 5, 2)
    match = play(match, fair_deal(match, seed_of("a")), MakeBid(0, "five:A"))
    after = apply(match, Challenge(1))
    assert after.seats[0].standing is SeatStatus.OUT
    assert after.seats[0].cards == 5
    assert after.live == (1, 2)
    assert after.round.outcome.eliminated
    refused(after, Forfeit(0), errors.NotInMatch)


def test_five_cards_are_not_too_many_in_liars_poker():
    match = with_cards(table(), 4, 5, 2)
    after = play(match, fair_deal(match, seed_of("a")), MakeBid(0, "five:A"), Challenge(1))
    assert after.seats[0].cards == 5
    assert after.seats[0].live


def test_the_last_player_left_wins():
    match = with_cards(table(players=2), 5, 2)
    match = play(match, fair_deal(match, seed_of("a")), MakeBid(0, "five:A"))
    after = apply(match, Challenge(1))
    assert (after.winner, after.phase, after.opener) == (1, Phase.OVER, 1)
    for action in (fair_deal(match, seed_of("b")), MakeBid(1, GOOD), Challenge(1), Forfeit(1)):
        assert refused(after, action, errors.MatchIsOver).winner == 1
    assert legal(after) == replace(legal(after), bidder=None, rungs=())


@pytest.mark.parametrize(
    ("options", "out_before", "survives"),
    [
        ({}, 0, False),  # five are in: the limit is four
        ({}, 1, True),  # four are in: five
        ({"limit_counts": "starting"}, 1, False),
    ],
)
def test_thai_pokers_limit_counts_who_is_in_with_the_loser_still_counted(
    options, out_before, survives
):
    match = with_cards(table(ruleset("thai_poker", options), players=5), 4, 1, 1, 1, 1)
    for seat in range(4, 4 - out_before, -1):
        match = play(match, Forfeit(seat))
    match = play(match, fair_deal(match, seed_of("a")), MakeBid(0, "royal_flush:s"), Challenge(1))
    assert match.seats[0].live is survives


def test_who_forfeited_in_this_round_no_longer_counts_for_the_limit():
    match = with_cards(table(THAI, players=5), 4, 1, 1, 1, 1)
    match = play(match, fair_deal(match, seed_of("a")), MakeBid(0, "royal_flush:s"), Forfeit(4))
    match = apply(match, Challenge(1))
    assert (match.seats[0].live, match.seats[0].cards) == (True, 5)


@pytest.mark.parametrize(("limit", "survives"), [(6, False), (7, True)])
def test_the_last_two_of_thai_poker_may_hold_six_cards_or_seven(limit, survives):
    rules = ruleset("thai_poker", {"two_player_limit": limit})
    match = play(with_cards(table(rules), 6, 3, 3), Forfeit(2))
    match = play(match, fair_deal(match, seed_of("a")), MakeBid(0, "royal_flush:s"), Challenge(1))
    assert match.seats[0].live is survives


# 5. who opens


def test_the_loser_opens_the_next_round_with_one_more_card():
    match = play(dealt(), MakeBid(0, "high_card:2"), MakeBid(1, BAD), Challenge(2))
    assert match.opener == 1
    match = play(match, fair_deal(match, seed_of("next")))
    assert match.round.opener == match.round.turn == 1
    assert match.round.number == 2
    assert len(match.round.hands[1]) == 3


def test_if_the_loser_is_out_the_next_live_player_to_their_left_opens():
    match = with_cards(table(players=4), 2, 5, 2, 2)
    match = play(match, Forfeit(2), fair_deal(match, seed_of("a")))
    match = play(match, MakeBid(0, "high_card:2"), MakeBid(1, "five:A"), Challenge(3))
    assert not match.seats[1].live
    assert match.opener == 3


# 6. the first opener


def test_the_previous_winner_opens_the_first_round():
    match = table(opener=2)
    deal = fair_deal(match, seed_of("a"))
    assert play(match, replace(deal, drawn=0)).round.opener == 2


@pytest.mark.parametrize("drawn", [0, 1, 2])
def test_without_a_previous_winner_the_first_opener_is_drawn(drawn):
    match = table(opener=None)
    match = play(match, replace(fair_deal(match, seed_of("a")), drawn=drawn))
    assert match.round.opener == match.opener == drawn


def test_the_draw_is_among_those_who_are_still_in():
    match = play(table(players=4, opener=None), Forfeit(1))
    deal = fair_deal(match, seed_of("a"))
    assert play(match, replace(deal, drawn=1)).round.opener == 2
    refused(match, replace(deal, drawn=3), errors.BadDeal)
    refused(match, replace(deal, drawn=-1), errors.BadDeal)


# starting, dealing, and what is not there


@pytest.mark.parametrize("players", [0, 1, 11])
def test_a_match_takes_two_to_ten_players(players):
    with pytest.raises(errors.RulesetError, match=f"takes 2 to 10 players, not {players}"):
        start(LIARS, range(players))


def test_ten_cannot_play_with_a_middle_hand():
    with pytest.raises(errors.RulesetError, match="takes 2 to 9 players, not 10"):
        start(ruleset("liars_poker", {"middle_hand": True}), range(10))


def test_a_player_has_one_seat():
    with pytest.raises(errors.RulesetError, match="one seat, not two"):
        start(LIARS, [7, 8, 7])


@pytest.mark.parametrize("opener", [-1, 3])
def test_only_a_seat_at_the_table_can_open(opener):
    with pytest.raises(errors.RulesetError, match="the seats are 0 to 2"):
        start(LIARS, range(3), opener)


def test_players_keep_the_order_of_joining():
    match = start(LIARS, [30, 10, 20])
    assert [match.seat_of(player) for player in (30, 10, 20, 40)] == [0, 1, 2, None]


def test_a_round_that_is_being_played_is_not_dealt_again():
    match = dealt()
    refused(match, fair_deal(match, seed_of("again")), errors.AlreadyDealt)


def test_a_deal_must_be_of_this_games_whole_deck():
    match = table()
    deal = fair_deal(match, seed_of("a"))
    for order in (deal.order[:-1], deal.order[:-1] + deal.order[:1], THAI.deck.order, ()):
        error = refused(match, replace(deal, order=order), errors.BadDeal)
        assert "not one of this game's deck" in error.reason


@pytest.mark.parametrize("seat", [-1, 3, 99])
def test_a_seat_that_does_not_exist_cannot_act(seat):
    for action in (MakeBid(seat, GOOD), Challenge(seat), Forfeit(seat)):
        assert refused(dealt(), action, errors.NotInMatch).seat == seat


def test_every_applied_action_counts_and_a_refused_one_does_not():
    match = dealt()
    assert match.seq == 1
    refused(match, MakeBid(1, GOOD), errors.NotYourTurn)
    assert match.seq == 1
    assert play(match, MakeBid(0, GOOD)).seq == 2
