"""Ladders: the order of bids, the rungs and the numbers of bids."""

from __future__ import annotations

from itertools import groupby

import pytest

from engine.ladder import Ladder
from engine.variants import ruleset
from tests import naive

LADDERS = {
    "54 cards": (ruleset("liars_poker").ladder, naive.liars_keys(2), naive.LIARS_KINDS, False),
    "52 cards": (
        ruleset("liars_poker", {"jokers": 0}).ladder,
        naive.liars_keys(0),
        naive.LIARS_KINDS,
        False,
    ),
    "24 cards": (ruleset("thai_poker").ladder, naive.thai_keys(), naive.THAI_KINDS, True),
}


@pytest.mark.parametrize("name", LADDERS)
def test_the_rungs_are_the_naive_order_of_the_naive_bids(name):
    ladder, keys, kinds, ranked = LADDERS[name]

    def strength(key):
        return naive.strength(key, kinds, suits_ranked=ranked)

    expected = [sorted(rung) for _, rung in groupby(sorted(keys, key=strength), key=strength)]
    assert [sorted(bid.key for bid in rung) for rung in ladder.rungs] == expected
    assert ladder.top == len(expected)
    assert len(ladder) == len(keys) == len(list(ladder))


def test_above_a_bid_lie_only_the_strictly_higher_rungs():
    ladder = LADDERS["54 cards"][0]
    flush = ladder.bid("flush:8c")
    assert ladder.above(None) == ladder.rungs
    assert len(ladder.above(flush)) == ladder.top - ladder.number(flush)
    assert all(ladder.number(bid) > ladder.number(flush) for r in ladder.above(flush) for bid in r)
    assert ladder.above(ladder.bid("five:A")) == ()


def test_a_bid_of_another_ladder_is_not_on_this_one():
    liars, thai = LADDERS["54 cards"][0], LADDERS["24 cards"][0]
    assert thai.bid("pair:A") in liars
    assert thai.bid("flush:c") not in liars
    assert liars.get("flush:c") is None
    with pytest.raises(KeyError):
        liars.bid("flush:c")
    with pytest.raises(KeyError):
        liars.number(thai.bid("flush:c"))


def test_a_ladder_with_an_empty_rung_or_a_bid_twice_cannot_be_made():
    pair = LADDERS["24 cards"][0].bid("pair:A")
    with pytest.raises(ValueError, match="rung 2 of the ladder is empty: leave it out"):
        Ladder(((pair,), ()))
    with pytest.raises(ValueError, match="twice"):
        Ladder(((pair,), (pair,)))


@pytest.mark.parametrize("name", LADDERS)
def test_a_place_is_the_number_of_weaker_bids_in_order(name):
    ladder = LADDERS[name][0]
    assert sorted({ladder.number(bid) for bid in ladder}) == list(range(1, ladder.top + 1))
    for place, bid in enumerate(ladder):
        assert ladder.at(place) == bid
        assert ladder.place(bid) == place
        above = [higher for rung in ladder.above(bid) for higher in rung]
        assert ladder.first_above(place) == len(ladder) - len(above)
    assert ladder.first_above(None) == 0
