"""Short matches: an extra card at the start, or a match that ends with the first player out."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from engine.actions import Challenge, Deal, Forfeit, MakeBid
from engine.errors import NotInMatch
from engine.play import apply, start
from engine.rotation import card_limit, playing_off
from engine.state import Match, Phase, SeatStatus
from engine.variants import VARIANTS, ruleset
from tests.dealing import fair_deal, play, seed_from, stacked_deal
from tests.engine.rounds import assert_refused, table, with_cards

FIRST_OUT = ruleset("liars_poker", {"length": "first_out"})
FALSE = "five:A"  # no three hands of two cards without a joker hold it
GAMES = sorted(VARIANTS)


def lost_by(match: Match, loser: int) -> Match:
    """Return the match after `loser` opens with a false bid, which is challenged at once."""
    naturals = dict.fromkeys(match.live, "")
    match = play(replace(match, opener=loser), stacked_deal(match, naturals))
    match = play(match, MakeBid(loser, FALSE))
    assert match.round is not None
    return apply(match, Challenge(match.round.turn))


# one card more at the start


@pytest.mark.parametrize("key", GAMES)
def test_one_card_more_at_the_start_stays_within_the_limit_at_every_table_size(key: str) -> None:
    usual, short = ruleset(key), ruleset(key, {"length": "one_more"})
    for players in range(2, usual.most_players + 1):
        before, limit = usual.starting_cards[players], usual.card_limits[players]
        assert short.starting_cards[players] == min(before + 1, limit)
        match = start(short, range(players))
        match = play(match, Deal(short.deck.order, "c" * 64, 1, 0))
        assert match.round is not None
        assert {len(hand) for hand in match.round.hands} == {short.starting_cards[players]}


def test_who_starts_at_the_limit_starts_there_still() -> None:
    usual = VARIANTS["thai_poker"]
    tight = tuple(min(cards, 1) for cards in usual.ruleset().card_limits)
    game = replace(
        usual,
        build=lambda options: replace(
            usual.build(options), card_limits=tight, starting_cards=tight
        ),
    )
    assert game.ruleset({"length": "one_more"}).starting_cards == tight


@pytest.mark.parametrize("key", GAMES)
def test_a_shorter_match_leaves_everything_else_as_it_is(key: str) -> None:
    usual = ruleset(key)
    for length in ("one_more", "first_out"):
        short = ruleset(key, {"length": length})
        assert short.length == length
        same = replace(
            short,
            length="whole",
            starting_cards=usual.starting_cards,
            options=usual.options,
        )
        assert same == usual
    assert ruleset(key, {"length": "first_out"}).starting_cards == usual.starting_cards


# the first out ends it


def test_when_the_first_is_out_who_holds_the_fewest_cards_wins_at_once() -> None:
    match = with_cards(table(FIRST_OUT, players=4), 5, 3, 2, 4)
    after = lost_by(match, 0)
    assert (after.winner, after.phase, after.opener) == (2, Phase.OVER, 2)
    assert [seat.standing for seat in after.seats] == [
        SeatStatus.OUT,
        SeatStatus.OUT,
        SeatStatus.IN,
        SeatStatus.OUT,
    ]


def test_a_tie_for_the_fewest_cards_is_played_off_and_whoever_loses_a_round_is_out() -> None:
    match = with_cards(table(FIRST_OUT, players=5), 5, 2, 3, 2, 2)
    after = lost_by(match, 0)
    assert (after.winner, after.live, after.phase) == (None, (1, 3, 4), Phase.DEAL)
    assert after.opener == 1  # the next live player to the left of who is out
    assert playing_off(FIRST_OUT, after.seats)
    assert card_limit(FIRST_OUT, after.seats) == 2
    assert_refused(after, Forfeit(2), NotInMatch)  # who is outdone has no further say
    dealt = play(after, fair_deal(after, seed_from("play-off")))
    assert dealt.round is not None
    assert [len(hand) for hand in dealt.round.hands] == [0, 2, 0, 2, 2]
    assert_refused(dealt, MakeBid(2, "pair:A"), NotInMatch)
    left = play(after, Forfeit(1))  # a play-off goes on without who leaves it
    assert (left.winner, left.live) == (None, (3, 4))
    assert play(left, Forfeit(4)).winner == 3
    after = lost_by(after, 3)
    assert (after.winner, after.live, after.opener) == (None, (1, 4), 4)
    after = lost_by(after, 4)
    assert (after.winner, after.seats[1].cards) == (1, 2)


def test_until_somebody_is_out_a_lost_round_costs_a_card_as_ever() -> None:
    match = play(with_cards(table(FIRST_OUT, players=4), 2, 2, 4, 5), Forfeit(3))
    assert (match.winner, match.live) == (None, (0, 1, 2))  # who forfeits is not the first out
    after = lost_by(match, 2)
    assert [seat.cards for seat in after.seats] == [2, 2, 5, 5]
    assert after.live == (0, 1, 2)
    assert not playing_off(FIRST_OUT, after.seats)
    assert card_limit(FIRST_OUT, after.seats) == 5
    usual = lost_by(with_cards(table(players=4), 5, 3, 2, 4), 0)
    assert usual.live == (1, 2, 3)  # a match of the usual length goes on


# as an option


@pytest.mark.parametrize("key", GAMES)
def test_a_match_stored_before_there_was_a_choice_is_of_the_usual_length(key: str) -> None:
    usual = ruleset(key)
    before = {name: value for name, value in usual.options if name != "length"}
    stored = ruleset(key, json.loads(json.dumps(before)), usual.version)
    assert stored is usual
    assert stored.length == "whole"
