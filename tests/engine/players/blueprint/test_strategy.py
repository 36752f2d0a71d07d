"""A solved strategy: its chances in each situation, and its form in a file."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.players.blueprint.strategy import CHALLENGE, Plan, Strategy

USUAL = np.array([[0, CHALLENGE, CHALLENGE, CHALLENGE], [1, 2, CHALLENGE, CHALLENGE]], np.uint8)
OPENER = Plan(
    np.array([0, 0b110], np.uint64),
    np.array([0, 2, 4]),
    np.array([0, 0, 1, 1], np.uint16),
    np.array([0, 1, 2, CHALLENGE], np.uint8),
    np.array([3, 1, 10, 30], np.uint16),
    USUAL,
)
OTHER = Plan(
    *(np.array([0b1], np.uint64), np.array([0, 1]), np.array([1], np.uint16)),
    *(np.array([1], np.uint8), np.array([9], np.uint16), USUAL),
)


@pytest.mark.parametrize(
    ("bids", "hand", "chances"),
    [
        ((), 0, ((0, 0.75), (1, 0.25))),
        ((), 1, ((1, 1.0),)),  # usual: opens with its likeliest bid
        ((0,), 1, ((1, 1.0),)),  # the other seat's own plan
        ((0,), 0, ((None, 1.0),)),  # usual: a challenge
        ((0, 0, 1, 2), 1, ((2, 0.25), (None, 0.75))),  # the last two are remembered
        ((0, 1), 1, ((None, 1.0),)),  # a situation that is not there
        ((1, 0), 1, ((2, 1.0),)),  # what stands is certain: not challenged
        ((None, 0), 0, ((None, 1.0),)),  # a bid that is not known is no part of a situation
    ],
    ids=str,
)
def test_what_a_seat_does_depends_on_the_last_bids_and_its_hand(bids, hand, chances):
    assert Strategy(2, (OPENER, OTHER)).at(bids, hand) == chances


def test_all_bids_may_be_remembered():
    whole = Plan(
        *(np.array([0b111], np.uint64), np.array([0, 1]), np.array([1], np.uint16)),
        *(np.array([2], np.uint8), np.array([9], np.uint16), USUAL),
    )
    strategy = Strategy(0, (OPENER, whole))
    assert strategy.at((0, 1, 2), 1) == ((2, 1.0),)
    assert Strategy(2, (OPENER, whole)).at((0, 1, 2), 1) == ((None, 1.0),)


def test_of_a_third_bid_its_bucket_may_be_remembered():
    usual = np.full((1, 5), CHALLENGE, np.uint8)
    plan = Plan(
        *(np.array([0b1101], np.uint64), np.array([0, 1]), np.array([0], np.uint16)),
        *(np.array([3], np.uint8), np.array([9], np.uint16), usual),
    )
    strategy = Strategy(3, (plan, plan), np.array([0, 0, 2, 2], np.uint8))
    stored, none = ((3, 1.0),), ((None, 1.0),)
    assert strategy.at((0, 2, 3), 0) == stored
    assert strategy.at((1, 2, 3), 0) == stored  # 1 is remembered as 0
    assert strategy.at((0, 1, 2, 3), 0) == stored  # a fourth is forgotten
    assert strategy.at((0, 1, 3), 0) == none  # the last two are remembered as they are
    assert strategy.at((2, None, 3), 0) == none
    third = replace(plan, situations=np.array([0b1100], np.uint64))
    alone = Strategy(3, (third, third), strategy.buckets)
    assert alone.at((2, 3), 0) == stored
    assert alone.at((2, None, 3), 0) == none  # a third bid does not pass for one's own


@pytest.mark.parametrize("buckets", [None, np.array([0, 0, 2], np.uint8)], ids=["bids", "buckets"])
def test_it_is_found_again_in_the_columns_that_are_kept(buckets):
    strategy = Strategy(3, (OPENER, OTHER), buckets)
    again = Strategy.of(strategy.columns())
    assert again.memory == 3
    assert np.array_equal(again.third, strategy.third)
    for plan, plan_again in zip(strategy.plans, again.plans, strict=True):
        for name in ("situations", "first", "hands", "actions", "chances", "usual"):
            assert np.array_equal(getattr(plan, name), getattr(plan_again, name)), name
