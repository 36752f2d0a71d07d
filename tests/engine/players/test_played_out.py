"""Compare the worth of a lost round with matches played to the end, ties included.

The matches have all lengths. The oracle plays by `engine.play`. In each round it tries each live
seat as the loser, until one seat has won. From the code it checks, it takes only the tilts: how
likely each seat is to lose a round.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from math import exp

import numpy as np
import pytest

from engine.actions import Challenge, Deal, Forfeit, MakeBid
from engine.play import apply, start
from engine.players import Memory, match_equity
from engine.players.coaching.advising import _worths, advise
from engine.players.coaching.decisions import decisions_of
from engine.players.kernels.search import fill_worths
from engine.players.reader import reading_of, table_to_play_on
from engine.shuffle import VERSION
from engine.state import Match, Seat, SeatStatus
from engine.variants import ruleset
from tests.dealing import Chooser, play, stacked_deal
from tests.engine.players.reading.tables import observe_seat

LENGTHS = ("whole", "one_more", "first_out")


def open_round(match):
    """Deal a round, and let the opener make the highest bid, which doesn't hold in this deal."""
    rules = match.ruleset
    top = rules.ladder.at(len(rules.ladder) - 1)
    named = {card for need in top.needs for card in need.cards}
    order = sorted(rules.deck.order, key=lambda card: (card in named or card.is_joker, card.number))
    return play(match, Deal(tuple(order), "0" * 64, VERSION, 0), MakeBid(match.opener, top.key))


def after_losing(rules, seats, loser):
    """Play a round that `loser` loses; return the seats afterwards."""
    match = open_round(Match(rules, seats, loser))
    after = apply(match, Challenge(match.round.turn))
    assert after.round.outcome.loser == loser
    return after.seats


def play_out(rules, started):
    """Return a function and a set.

    The function takes a match's seats, and returns the chance of each to win by trying every way to
    play on. The set gets the seats of every state that the function reaches.
    """
    tilt = match_equity(rules, started).tilt
    met = set()

    @cache
    def worth(seats):
        met.add(seats)
        live = [place for place, seat in enumerate(seats) if seat.live]
        if len(live) == 1:
            return np.eye(len(seats))[live[0]]
        weights = np.array([exp(tilt(len(live)) * seats[place].cards) for place in live])
        chances = weights / weights.sum()
        return sum(
            chance * worth(after_losing(rules, seats, place))
            for place, chance in zip(live, chances, strict=True)
        )

    return worth, met


def seats_at_start(rules, players):
    return start(rules, range(players), 0).seats


def playing_off(seats):
    return any(seat.standing is SeatStatus.OUT for seat in seats)


@cache
def states(game, length, players):
    """Return (rules, oracle, states to test, all states with a tie).

    A state is a match's seats. The states to test are up to sixty with a tie, and thirty drawn
    from all others.
    """
    rules = ruleset(game, {"length": length})
    worth, met = play_out(rules, players)
    worth(seats_at_start(rules, players))
    going_on = [seats for seats in met if sum(seat.live for seat in seats) > 1]
    ties = [seats for seats in going_on if length == "first_out" and playing_off(seats)]
    others = sorted((seat for seat in going_on if seat not in ties), key=repr)
    chooser = Chooser(f"{game} {length} {players}")
    some = [chooser.one_of(others) for _ in range(30)]
    return rules, worth, [*sorted(ties, key=repr)[:60], *some], ties


FIELDS = [
    *(("thai_poker", length, players) for length in LENGTHS for players in (2, 3)),
    ("thai_poker", "first_out", 6),
    *(("liars_poker", length, 3) for length in LENGTHS),
    ("liars_poker", "first_out", 4),
]


@pytest.mark.long
@pytest.mark.parametrize(("game", "length", "players"), FIELDS)
def test_the_coach_prices_a_lost_round_as_matches_played_out_do(game, length, players):
    rules, worth, cases, ties = states(game, length, players)
    if players == 6:
        assert {sum(seat.live for seat in seats) for seats in ties} == {2, 3, 4, 5}
    for seats in cases:
        match = open_round(
            Match(rules, seats, next(n for n, seat in enumerate(seats) if seat.live))
        )
        me = match.round.turn
        worths = _worths(observe_seat(match, me, Memory("sharp", 1)), rules)
        for loser in match.live:
            expected = worth(after_losing(rules, seats, loser))[me]
            assert worths[loser] == pytest.approx(expected), (seats, loser, me)
        assert worths[-1] == pytest.approx(worth(seats)[me]), "nobody has lost"


@pytest.mark.long
@pytest.mark.parametrize(("game", "length", "players"), FIELDS)
def test_the_reader_wants_those_to_lose_whose_loss_helps_it_when_played_out(game, length, players):
    rules, worth, cases, _ = states(game, length, players)
    reading = reading_of(rules, players)
    for seats in cases:
        match = open_round(
            Match(rules, seats, next(n for n, seat in enumerate(seats) if seat.live))
        )
        me, live = match.round.turn, match.live
        table = table_to_play_on(observe_seat(match, me, Memory("sharp", 1)), rules)
        out = np.zeros(players)
        fill_worths(reading.arrays, reading.reader, table, me, out)
        after = np.array([worth(after_losing(rules, seats, loser))[me] for loser in live])
        chances = out[list(live)]
        mine = live.index(me)
        # on another scale: from oneself losing, -1, to the mean of the others, 1 over their number
        scale = (1 + 1 / (len(live) - 1)) / (np.delete(after, mine).mean() - after[mine])
        assert chances == pytest.approx((after - after[mine]) * scale - 1), seats


def tied_seats(players=5, cards=3, live=2):
    """Return a `first_out` match of Liars' Poker in which `live` seats play off a tie."""
    rules = ruleset("liars_poker", {"length": "first_out"})
    seats = tuple(
        Seat(n, cards if n < live else 4, SeatStatus.IN if n < live else SeatStatus.OUT)
        for n in range(players)
    )
    return Match(rules, seats, 0)


@pytest.mark.thorough
@pytest.mark.parametrize(("bid", "wins"), [("pair:A", 0.0), ("five:A", 1.0)])
def test_who_is_right_in_a_play_off_of_two_has_won_and_who_is_wrong_is_out(bid, wins):
    first = tied_seats()
    deal = stacked_deal(first, {0: "Kd 7c 6c", 1: "Ah As Kh"})
    actions = (deal, MakeBid(0, bid), Challenge(1))
    ended = play(first, *actions)
    assert ended.winner == (0 if wins == 0 else 1)
    advice = advise(decisions_of(first, actions)[-1], first.ruleset, 2)
    assert advice.chosen.wins == wins


def test_a_match_from_which_somebody_has_only_gone_is_played_on_to_the_limit():
    rules = ruleset("liars_poker", {"length": "first_out"})
    first = start(rules, range(3), 0)
    left = play(first, Forfeit(2))
    match = open_round(left)
    position = observe_seat(match, 1, Memory("sharp", 1))
    assert not position.playing_off
    equity = match_equity(rules, 3)
    assert _worths(position, rules)[1] == equity.chances([2, 3])[1] > 0
    gone = replace(left.seats[2], standing=SeatStatus.OUT)
    off = open_round(replace(left, seats=(*left.seats[:2], gone)))
    assert observe_seat(off, 1, Memory("sharp", 1)).playing_off
