"""The solved rounds that are shipped, against best responses that know nothing of the solver."""

from __future__ import annotations

from io import BytesIO

import pytest

from engine.cards import Cards
from engine.players.exact.response import worth
from engine.players.exact.small_round import small_round
from engine.players.exact.strategy import shipped
from engine.variants import ruleset
from tests.naive_exact import best_response, deals

THAI = ruleset("thai_poker")
SHIPPED = [(1, 1), (1, 2), (2, 1)]
RANKS = "9TJQKA"


def told_by(cards):
    """The worth of what is shipped."""
    strategy = shipped(THAI, cards)
    assert strategy is not None
    return worth(strategy)


def by_ranks(strategy):
    """The shipped strategy as a function of ranks, and the bids it knows."""
    small = strategy.small
    named = {}
    for number, place in enumerate(small.bids):
        kind, _, rank = THAI.ladder.at(place).key.partition(":")
        many = {"high_card": 1, "pair": 2, "three": 3, "four": 4}[kind]
        named[number] = (many, RANKS.index(rank))
    numbers = {bid: number for number, bid in named.items()}

    def plays(made, hand):
        held = [(rank, hand[:place].count(rank)) for place, rank in enumerate(hand)]
        bits = Cards.parse(" ".join(RANKS[rank] + "cdhs"[suit] for rank, suit in held)).bits
        who = len(made) % 2
        told = strategy.at([numbers[bid] for bid in made], small.hand_of(who, bits))
        return {None if bid is None else named[bid]: chance for bid, chance in told}

    return plays, sorted(named.values())


@pytest.mark.long
@pytest.mark.parametrize("cards", SHIPPED, ids=str)
def test_no_player_whatever_gains_a_ten_thousandth_of_a_round(cards):
    strategy = shipped(THAI, cards)
    plays, bids = by_ranks(strategy)
    dealt = deals(6, 4, *cards)
    best = [best_response(dealt, bids, plays, me) for me in (0, 1)]
    assert -1e-12 < sum(best) / 2 < 0.0001
    told = told_by(cards)
    assert told.best == pytest.approx(best)
    assert -best[1] - 1e-9 <= told.value <= best[0] + 1e-9


def test_to_open_with_a_card_each_costs_the_opener_seven_hundredths_of_a_round():
    assert told_by((1, 1)).value == pytest.approx(-0.07247, abs=0.00002)


@pytest.mark.long
def test_two_cards_each_are_solved_too():
    told = told_by((2, 2))  # the independent best responses would take minutes here
    assert 0 <= told.exploitability < 0.0001
    assert abs(told.value) < 0.001


@pytest.mark.long
def test_a_card_more_is_worth_more_than_speaking_last():
    assert told_by((1, 2)).value < -0.2
    assert told_by((2, 1)).value > 0.2


def test_the_card_limits_of_a_table_do_not_matter_to_what_is_shipped():
    other = ruleset("thai_poker", {"challengers": "anyone", "two_player_limit": 7})
    assert shipped(other, (1, 1)) is not None
    assert shipped(other, (1, 1)) is shipped(other, (1, 1))


def test_what_is_not_shipped_or_too_large_has_no_strategy():
    assert shipped(THAI, (6, 6)) is None
    assert shipped(ruleset("liars_poker"), (2, 2)) is None


def test_a_strategy_for_other_cards_or_bids_is_not_used():
    strategy = shipped(THAI, (1, 2))
    data = BytesIO()
    strategy.write(data)
    data.seek(0)
    again = type(strategy).read(strategy.small, data)
    assert again.at((), 0) == strategy.at((), 0)
    data.seek(0)
    other = small_round(THAI, (2, 1))
    assert other is not None
    assert type(strategy).read(other, data) is None
