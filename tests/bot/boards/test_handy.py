"""The table's list of bids: short, in order, and never 25 two pairs in a row."""

from __future__ import annotations

from collections import Counter

import pytest

from bot.boards.bidding import MOST_LISTED, handy_bids
from engine.bids import Bid, Kind
from engine.variants import VARIANTS, ruleset


def after(key: str, standing: str | None) -> list[Bid]:
    """The list once a bid stands."""
    ladder = ruleset(key).ladder
    bid = ladder.bid(standing) if standing is not None else None
    return handy_bids(ladder.above(bid), bid)


@pytest.mark.parametrize("key", list(VARIANTS))
def test_whatever_stands_the_list_is_legal_in_order_and_not_too_long(key: str) -> None:
    ladder = ruleset(key).ladder
    for standing in (None, *ladder):
        rungs = ladder.above(standing)
        listed = handy_bids(rungs, standing)
        numbers = [ladder.number(bid) for bid in listed]
        assert len(listed) <= MOST_LISTED
        assert numbers == sorted(numbers)
        assert {bid.key for bid in listed} <= {bid.key for rung in rungs for bid in rung}
        assert bool(listed) == bool(rungs)
        if rungs:
            assert set(rungs[0]) <= set(listed), "the quickest raise is always there"
        kinds = {rung[0].kind for rung in rungs}
        assert {bid.kind for bid in listed} == kinds, "one may leap to any kind"


def test_in_the_middle_of_the_two_pairs_there_is_one_for_each_rank() -> None:
    listed = after("liars_poker", "two_pair:5,2")
    assert [bid.key for bid in listed[:3]] == ["two_pair:5,3", "two_pair:5,4", "two_pair:6,2"]
    assert Counter(bid.kind for bid in listed)[Kind.TWO_PAIR] == 2 + 9


def test_the_opener_is_offered_every_kind_and_every_rank_of_the_first() -> None:
    listed = after("thai_poker", None)
    assert [bid.key for bid in listed[:6]] == [f"high_card:{rank}" for rank in "9TJQKA"]


def test_the_list_does_not_end_before_the_top() -> None:
    assert [bid.key for bid in after("thai_poker", "royal_flush:h")] == ["royal_flush:s"]
    assert after("thai_poker", "royal_flush:s") == []
