"""The simulation of several databases agrees with queueing theory, and loses no table."""

from __future__ import annotations

from random import Random
from statistics import fmean

import pytest

from benchmarks.partition import MOVES, TABLES, TRIPS, dealt_out, queue_waits, simulate

pytestmark = pytest.mark.thorough


def test_with_one_core_the_mean_wait_is_that_of_pollaczek_and_khinchine() -> None:
    moves, processor = 500, 0.9
    result = simulate(moves, 1, processor=processor, seconds=400)
    a_trip = processor * MOVES / sum(trips * often for trips, often in TRIPS)
    requests = sum(often for _, often in TRIPS)
    mean = sum(trips * often for trips, often in TRIPS) * a_trip / requests
    # the variance of a sum of this many exponential times
    square = sum((trips + trips**2) * often for trips, often in TRIPS) * a_trip**2 / requests
    rate = moves * requests / MOVES / 1000
    assert result.busy[0] == pytest.approx(rate * mean, rel=0.03)
    assert fmean(result.waits) == pytest.approx(rate * square / 2 / (1 - rate * mean), rel=0.1)


def test_whoever_comes_first_is_served_first_by_the_core_that_is_free_first() -> None:
    arrivals = [(0.0, 5.0), (1.0, 9.0), (2.0, 1.0), (3.0, 1.0), (20.0, 1.0)]
    assert queue_waits(arrivals, 2) == [0.0, 0.0, 3.0, 3.0, 0.0]


def test_every_table_is_in_one_database_and_the_load_is_as_uneven_as_the_tables() -> None:
    assert sum(dealt_out(TABLES, 4, Random(5))) == TABLES
    result = simulate(2_000, 4)
    share = max(result.busy) / fmean(result.busy)
    assert share == pytest.approx(result.uneven, rel=0.03)
    assert 1 < result.uneven < 2, "all have some"
