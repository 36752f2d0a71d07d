"""The next seat in turn, and the penalty for a lost round."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rotation import card_limit, dealing_order, next_live, penalise
from engine.state import Seat, SeatStatus
from engine.variants import ruleset

LIARS = ruleset("liars_poker")
THAI = ruleset("thai_poker")


def seats(live, cards=2):
    return tuple(
        Seat(number, cards, SeatStatus.IN if alive else SeatStatus.OUT)
        for number, alive in enumerate(live)
    )


@given(st.lists(st.booleans(), min_size=1, max_size=10), st.data())
def test_the_next_live_seat_is_the_nearest_one_to_the_left(live, data):
    after = data.draw(st.integers(0, len(live) - 1))
    table = seats(live)
    if not any(live):
        with pytest.raises(ValueError, match="nobody is left"):
            next_live(table, after)
        return
    following = next_live(table, after)
    assert table[following].live
    between = (following - after) % len(live) or len(live)
    assert not any(live[(after + step) % len(live)] for step in range(1, between))


@given(st.lists(st.booleans(), min_size=1, max_size=10), st.data())
def test_dealing_goes_once_round_the_live_seats_from_the_opener(live, data):
    opener = data.draw(st.integers(0, len(live) - 1))
    order = dealing_order(seats(live), opener)
    assert sorted(order) == [number for number, alive in enumerate(live) if alive]
    distances = [(number - opener) % len(live) for number in order]
    assert distances == sorted(distances)


def test_a_lost_round_costs_one_card_until_the_limit():
    table = seats([True] * 3, cards=4)
    once = penalise(LIARS, table, 1)
    assert once == (table[0], Seat(1, 5), table[2])
    twice = penalise(LIARS, once, 1)
    assert twice == (table[0], Seat(1, 5, SeatStatus.OUT), table[2])
    for live, limit in ((2, 6), (4, 5), (5, 4), (8, 2)):
        assert card_limit(THAI, seats([True] * live + [False] * (10 - live))) == limit
