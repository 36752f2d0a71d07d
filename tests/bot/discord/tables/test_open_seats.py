"""Open seats are found by their table, and none is kept longer than it can be edited."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from bot.discord.seats import following
from bot.discord.seats.following import OpenSeats


@dataclass
class Seat:
    until: float


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(following, "time", clock)
    return clock


def test_seats_are_found_by_their_table_until_they_cannot_be_edited(clock: Clock) -> None:
    seats = OpenSeats[Seat]()
    ann, bob, cleo = Seat(10), Seat(20), Seat(20)
    seats[1, 7], seats[1, 8], seats[2, 7] = ann, bob, cleo
    assert seats.of(1) == [((1, 7), ann), ((1, 8), bob)]
    assert seats.of(3) == []
    clock.now = 10
    assert seats.of(1) == [((1, 8), bob)]
    assert (1, 7) not in seats
    del seats[1, 8]
    assert seats.of(1) == []
    assert list(seats.items()) == [((2, 7), cleo)]


def test_seats_of_tables_where_nothing_happens_any_more_are_let_go(clock: Clock) -> None:
    seats = OpenSeats[Seat]()
    for table in range(5):
        seats[table, 7] = Seat(10 + table)
    seats[0, 7] = Seat(30)  # pressed again
    clock.now = 12
    seats[9, 7] = Seat(40)
    assert list(seats) == [(3, 7), (4, 7), (0, 7), (9, 7)]
    seats.clear()
    assert len(seats) == 0
    assert seats.of(9) == []
