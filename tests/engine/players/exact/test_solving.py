"""Small rounds: what they leave out, and that CFR+ finds their equilibrium."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from io import BytesIO
from itertools import combinations, product

import numpy as np
import pytest

from engine import variants
from engine.bids import holds
from engine.cards import Cards
from engine.ladder import Ladder
from engine.players.exact import solving
from engine.players.exact.response import worth
from engine.players.exact.small_round import small_round
from engine.players.exact.solving import Solver, solve
from engine.players.exact.strategy import Strategy
from engine.variants import ruleset
from tests.third_game import VARIANT

THAI = ruleset("thai_poker")


def small(rules, cards):
    """The round, which must be one that can be solved."""
    found = small_round(rules, cards)
    assert found is not None
    return found


@pytest.fixture
def third(monkeypatch):
    monkeypatch.setitem(variants.VARIANTS, VARIANT.key, VARIANT)
    return ruleset(VARIANT.key)


@pytest.mark.long
@pytest.mark.parametrize("cards", [(1, 1), (1, 2), (2, 1)])
def test_a_small_round_has_the_chances_and_truths_of_all_its_deals(cards):
    solved = small(THAI, cards)
    deals: Counter[tuple[int, ...]] = Counter()
    truths: dict[tuple[int, ...], set] = {}
    for one in combinations(THAI.deck.order, cards[0]):
        rest = [card for card in THAI.deck.order if card not in one]
        for other in combinations(rest, cards[1]):
            each = Cards.of(one), Cards.of(other)
            hands = tuple(solved.hand_of(who, hole.bits) for who, hole in enumerate(each))
            deals[hands] += 1
            truths.setdefault(hands, set()).add(
                tuple(holds(THAI.ladder.at(place), each[0] | each[1]) for place in solved.bids)
            )
    total = sum(deals.values())
    for hands in product(*map(range, map(len, solved.hands))):
        assert solved.chance[hands] == pytest.approx(deals[hands] / total)
        if deals[hands]:
            assert truths[hands] == {tuple(solved.true[:, *hands])}


def test_it_leaves_out_only_bids_that_so_few_cards_cannot_make():
    solved = small(THAI, (1, 1))
    pools = [Cards.of(pool) for pool in combinations(THAI.deck.order, 2)]
    possible = [n for n, bid in enumerate(THAI.ladder) if any(holds(bid, p) for p in pools)]
    assert list(solved.bids) == possible
    assert solved.above == tuple(range(1, 13))


def test_jokers_are_cards_of_a_kind_of_their_own(monkeypatch):
    monkeypatch.setitem(variants.VARIANTS, VARIANT.key, VARIANT)
    solved = small(ruleset(VARIANT.key, {"jokers": 1}), (1, 2))
    assert len(solved.kinds) == 5
    joker = solved.hand_of(0, Cards.parse("*").bits)
    # three jacks: two of them and the joker
    jacks = solved.hand_of(1, Cards.parse("Jc Jd").bits)
    assert solved.true[4, joker, jacks]
    assert not solved.true[5, joker, jacks]


def test_bids_on_one_rung_do_not_follow_each_other(third):
    jack, queen, king, ace = (third.ladder.at(place) for place in range(4))
    solved = small(replace(third, ladder=Ladder(((jack, queen), (king, ace)))), (1, 1))
    assert solved.above == (2, 2, 4, 4)
    told = worth(solve(solved, 200))
    assert abs(told.exploitability) < 0.001


@pytest.mark.parametrize("cards", [(6, 6), (1, 5), (0, 0)])
def test_rounds_that_are_too_large_or_have_no_bids_are_not_solved(cards):
    assert small_round(THAI, cards) is None


def test_rounds_of_too_many_hands_are_not_solved(third):
    assert small_round(third, (2, 2)) is not None
    many = small_round(third, (1, 7))
    assert many is None  # eight cards can make every bid, but seven are held in too many ways


@pytest.mark.long
def test_both_seats_come_near_an_equilibrium():
    solved = small(THAI, (1, 1))
    solver, told = Solver(solved), []
    for times in (10, 20):
        solver.iterate(times)
        told.append(worth(solver.average()))
    assert 0 < told[1].exploitability < told[0].exploitability < 0.02
    assert told[1].value == pytest.approx(-0.0725, abs=0.005)


def test_a_round_with_one_bid_is_worth_what_its_truth_is(third):
    # the opener must claim an ace, and the other must doubt: no ace in two of 16 cards, 12/16 11/15
    solved = small(replace(third, ladder=Ladder(((third.ladder.at(3),),))), (1, 1))
    told = worth(solve(solved, 1))
    assert told.value == pytest.approx(1 - 2 * 0.55)
    assert told.best == pytest.approx((-0.1, 0.1))


def test_room_for_more_nodes_is_made_when_it_is_needed(monkeypatch):
    solved = small(THAI, (1, 1))
    usual = solve(solved, 5)
    monkeypatch.setattr(solving, "FIRST_NODES", 20)
    again = solve(solved, 5)
    assert (again.keys == usual.keys).all()
    assert (again.chances == usual.chances).all()


def test_solving_stops_when_it_is_told_to():
    solver = Solver(small(THAI, (1, 1)))
    asked = []

    def stopped():
        asked.append(solver.iterations)
        return len(asked) > 2

    solver.iterate(10, stopped)
    assert asked == [0, 1, 2]


def test_what_a_strategy_leaves_out_is_a_challenge():
    solved = small(THAI, (1, 1))
    strategy = Strategy.of(solved, [(0b1, 2, 3, 0.25), (0b1, 2, None, 0.75), (0b1, 3, 4, 0.0)])
    assert strategy.at((0,), 3) == ((None, 1.0),)
    assert strategy.at((), 3) == ((0, 1.0),)  # nothing stands that could be challenged
    assert dict(strategy.at((0,), 2)) == pytest.approx({3: 0.25, None: 0.75}, abs=1e-4)
    assert len(Strategy.of(solved, []).keys) == 0


def test_a_strategy_is_found_again_in_its_packed_form():
    solved = small(THAI, (1, 1))
    strategy = solve(solved, 5)
    file = BytesIO()
    strategy.write(file)
    file.seek(0)
    again = Strategy.read(solved, file)
    for name in ("keys", "actions", "chances"):
        assert np.array_equal(getattr(again, name), getattr(strategy, name))
