"""The rules of play: each test's name is a rule. The numbers refer to docs/rules.md."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine import errors
from engine.actions import Challenge, Deal, Forfeit, MakeBid
from engine.cards import Cards
from engine.play import apply, legal, start
from engine.state import MadeBid, Phase, SeatStatus
from engine.variants import ruleset
from tests.dealing import fair_deal, play, seed_from, stacked_deal
from tests.engine.rounds import (
    ANYONE,
    BAD,
    GOOD,
    HANDS,
    LIARS,
    THAI,
    assert_refused,
    dealt,
    table,
    with_cards,
)

# 1. cards, and bidding clockwise


def test_cards_are_dealt_one_at_a_time_from_the_opener_to_the_left():
    match = with_cards(table(opener=2), 1, 3, 2)
    order = LIARS.deck.order
    match = play(match, Deal(order, "c" * 64, 1, 0))
    number = [[card.number for card in hand] for hand in match.round.hands]
    # 2, 0, 1, then 2, 1 (seat 0 has its card), then 1
    assert [sorted(cards) for cards in number] == [[1], [2, 4, 5], [0, 3]]


def test_a_round_has_its_number_its_opener_and_the_deals_commitment():
    match = table(opener=1)
    deal = replace(fair_deal(match, seed_from("one")), drawn=0)  # the previous winner opens
    after = apply(match, deal)
    dealt_round = after.round
    assert (after.seq, dealt_round.number, dealt_round.opener) == (1, 1, 1)
    assert dealt_round.commitment == deal.commitment
    assert after.phase is Phase.BIDDING
    assert_refused(after, fair_deal(after, seed_from("again")), errors.AlreadyDealt)
    stacked = dealt()
    assert [str(cards) for cards in stacked.round.hands] == ["Ac 2d", "Ad 3h", "5c 4s"]
    assert (len(stacked.round.pool), stacked.round.middle) == (6, Cards())


def test_bidding_goes_clockwise_from_the_opener():
    match = dealt(opener=2)
    turns = [match.round.turn]
    for key in ("high_card:2", "high_card:3", "high_card:4"):
        error = assert_refused(match, MakeBid((match.round.turn + 1) % 3, key), errors.NotYourTurn)
        assert error.turn == match.round.turn
        match = play(match, MakeBid(match.round.turn, key))
        turns.append(match.round.turn)
    assert turns == [2, 0, 1, 2]
    assert match.seq == 4  # a refused action does not count
    assert match.round.standing == MadeBid(1, LIARS.ladder.bid("high_card:4"))


# 2. the opener must bid; then strictly higher, or a challenge


def test_the_opener_must_bid():
    match = dealt()
    assert_refused(match, Challenge(0), errors.NothingToChallenge)
    assert legal(match).challengers == frozenset()
    assert legal(match).rungs == LIARS.ladder.rungs


@pytest.mark.parametrize(
    ("rules", "standing", "lower", "higher"),
    [
        (LIARS, "pair:A", ["pair:A", "pair:K", "high_card:A"], "two_pair:3,2"),
        (LIARS, "flush:8c", ["flush:8s", "flush:8c"], "flush:9c"),  # suits are not ranked
        (THAI, "flush:d", ["flush:d", "flush:c"], "flush:h"),  # they are
    ],
)
def test_a_bid_must_be_strictly_higher_than_the_standing_one(rules, standing, lower, higher):
    match = play(dealt(rules, hands={}), MakeBid(0, standing))
    for key in lower:
        error = assert_refused(match, MakeBid(1, key), errors.BidTooLow)
        assert (error.bid, error.standing) == (key, standing)
    assert assert_refused(match, MakeBid(1, "five:1"), errors.UnknownBid).key == "five:1"
    assert play(match, MakeBid(1, higher)).round.turn == 2


def test_on_the_top_rung_the_next_player_must_challenge():
    match = play(dealt(), MakeBid(0, "five:A"))
    allowed = legal(match)
    assert allowed.rungs == ()
    assert allowed.challengers == {1}
    assert_refused(match, MakeBid(1, "five:A"), errors.BidTooLow)


def test_only_the_next_player_in_turn_may_challenge():
    match = play(dealt(), MakeBid(0, GOOD))
    assert legal(match).challengers == {1}
    assert assert_refused(match, Challenge(2), errors.NotYourTurn).turn == 1
    assert assert_refused(match, Challenge(0), errors.OwnBid).seat == 0


def test_if_the_house_says_so_anyone_live_but_the_bidder_may_challenge():
    match = play(dealt(ANYONE, players=4), MakeBid(0, GOOD), Forfeit(3))
    assert legal(match).challengers == {1, 2}
    assert_refused(match, Challenge(0), errors.OwnBid)
    assert_refused(match, Challenge(3), errors.NotInMatch)
    after = play(match, Challenge(2))
    assert after.round.outcome.challenger == 2
    assert after.round.outcome.loser == 2


def test_before_a_bid_stands_nobody_may_challenge_even_where_anyone_may():
    match = dealt(ANYONE)
    assert_refused(match, Challenge(1), errors.NotYourTurn)
    assert_refused(match, Challenge(0), errors.NothingToChallenge)


# 3. the showdown


@pytest.mark.parametrize(
    ("key", "holds", "loser", "cards"), [(GOOD, True, 1, [2, 3, 2]), (BAD, False, 0, [3, 2, 2])]
)
def test_if_the_bid_holds_the_challenger_loses_else_the_bidder(key, holds, loser, cards):
    after = play(dealt(), MakeBid(0, key), Challenge(1))
    judged = after.round.judgement
    assert (judged.challenger, judged.standing) == (1, MadeBid(0, LIARS.ladder.bid(key)))
    assert judged.proof.holds is holds
    assert str(judged.proof.cards) == ("Ad Ac" if holds else "")
    assert [seat.cards for seat in after.seats] == cards
    assert after.round.outcome.loser == loser
    assert len(after.round.hands[loser]) == 2  # one more from the next round on
    following = play(after, fair_deal(after, seed_from("next")))
    assert [len(hand) for hand in following.round.hands] == cards


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
    assert_refused(match, MakeBid(1, "five:A"), errors.NotDealt)
    assert_refused(match, Challenge(2), errors.NotDealt)
    assert_refused(table(), MakeBid(0, GOOD), errors.NotDealt)


# 4. one more card, or out


def test_who_would_exceed_the_card_limit_is_out_of_the_match():
    for held, out in ((4, False), (5, True)):
        match = with_cards(table(), held, 5, 2)
        match = play(match, fair_deal(match, seed_from("a")), MakeBid(0, "five:A"))
        after = apply(match, Challenge(1))
        assert after.seats[0].standing is (SeatStatus.OUT if out else SeatStatus.IN)
        assert after.seats[0].cards == 5
        assert after.round.outcome.eliminated is out
    assert after.live == (1, 2)
    assert_refused(after, Forfeit(0), errors.NotInMatch)


def test_the_last_player_left_wins():
    match = with_cards(table(players=2), 5, 2)
    match = play(match, fair_deal(match, seed_from("a")), MakeBid(0, "five:A"))
    after = apply(match, Challenge(1))
    assert (after.winner, after.phase, after.opener) == (1, Phase.OVER, 1)
    for action in (fair_deal(match, seed_from("b")), MakeBid(1, GOOD), Challenge(1), Forfeit(1)):
        assert assert_refused(after, action, errors.MatchIsOver).winner == 1
    assert legal(after) == replace(legal(after), bidder=None, rungs=())


@pytest.mark.parametrize(
    ("options", "cards", "out_before", "out_then", "survives"),
    [
        ({}, (4, 1, 1, 1, 1), 0, 0, False),  # five are in: the limit is four
        ({}, (4, 1, 1, 1, 1), 1, 0, True),  # four are in: five
        ({}, (4, 1, 1, 1, 1), 0, 1, True),  # who forfeited in this round no longer counts
        ({"limit_counts": "starting"}, (4, 1, 1, 1, 1), 1, 0, False),
        ({"two_player_limit": 6}, (6, 3, 3), 1, 0, False),
        ({"two_player_limit": 7}, (6, 3, 3), 1, 0, True),
    ],
)
def test_thai_pokers_limit_counts_who_is_in_with_the_loser_still_counted(
    options, cards, out_before, out_then, survives
):
    last = len(cards) - 1
    match = with_cards(table(ruleset("thai_poker", options), players=len(cards)), *cards)
    match = play(match, *[Forfeit(last)] * out_before)
    match = play(match, fair_deal(match, seed_from("a")), MakeBid(0, "royal_flush:s"))
    match = play(match, *[Forfeit(last)] * out_then, Challenge(1))
    assert match.seats[0].live is survives


# 5. who opens


def test_the_loser_opens_the_next_round_with_one_more_card():
    match = play(dealt(), MakeBid(0, "high_card:2"), MakeBid(1, BAD), Challenge(2))
    assert match.opener == 1
    match = play(match, fair_deal(match, seed_from("next")))
    assert match.round.opener == match.round.turn == 1
    assert match.round.number == 2
    assert len(match.round.hands[1]) == 3


def test_if_the_loser_is_out_the_next_live_player_to_their_left_opens():
    match = with_cards(table(players=4), 2, 5, 2, 2)
    match = play(match, Forfeit(2), fair_deal(match, seed_from("a")))
    match = play(match, MakeBid(0, "high_card:2"), MakeBid(1, "five:A"), Challenge(3))
    assert not match.seats[1].live
    assert match.opener == 3


# 6. the first opener


@pytest.mark.parametrize("drawn", [0, 1, 2])
def test_without_a_previous_winner_the_first_opener_is_drawn(drawn):
    match = table(opener=None)
    match = play(match, replace(fair_deal(match, seed_from("a")), drawn=drawn))
    assert match.round.opener == match.opener == drawn


def test_the_draw_is_among_those_who_are_still_in():
    match = play(table(players=4, opener=None), Forfeit(1))
    deal = fair_deal(match, seed_from("a"))
    assert play(match, replace(deal, drawn=1)).round.opener == 2
    assert_refused(match, replace(deal, drawn=3), errors.BadDeal)
    assert_refused(match, replace(deal, drawn=-1), errors.BadDeal)


# starting, dealing, and what is not there


@pytest.mark.parametrize(
    ("options", "players", "opener", "sentence"),
    [
        ({}, range(1), None, "takes 2 to 10 players, not 1"),
        ({}, range(11), None, "takes 2 to 10 players, not 11"),
        ({"middle_hand": True}, range(10), None, "takes 2 to 9 players, not 10"),
        ({}, [7, 8, 7], None, "one seat, not two"),
        ({}, range(3), -1, "the seats are 0 to 2"),
        ({}, range(3), 3, "the seats are 0 to 2"),
    ],
)
def test_a_match_that_cannot_be_started_is_refused(options, players, opener, sentence):
    with pytest.raises(errors.RulesetError, match=sentence):
        start(ruleset("liars_poker", options), players, opener)


def test_players_keep_the_order_of_joining():
    match = start(LIARS, [30, 10, 20])
    assert [match.seat_of(player) for player in (30, 10, 20, 40)] == [0, 1, 2, None]


def test_a_deal_must_be_of_this_games_whole_deck():
    match = table()
    deal = fair_deal(match, seed_from("a"))
    for order in (deal.order[:-1], deal.order[:-1] + deal.order[:1], THAI.deck.order, ()):
        error = assert_refused(match, replace(deal, order=order), errors.BadDeal)
        assert "not one of this game's deck" in error.reason


@pytest.mark.parametrize("seat", [-1, 3, 99])
def test_a_seat_that_does_not_exist_cannot_act(seat):
    for action in (MakeBid(seat, GOOD), Challenge(seat), Forfeit(seat)):
        assert assert_refused(dealt(), action, errors.NotInMatch).seat == seat
