"""The token bucket: a burst at once, then an even rate, in limited memory."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.operations.fair_use import TokenBucket

ANN, BOB = 11, 12


class Clock:
    at = 1000.0

    def __call__(self) -> float:
        return self.at


def test_a_bucket_allows_a_burst_and_then_refills_evenly() -> None:
    clock = Clock()
    allowance = TokenBucket(3, 60, clock)
    assert [allowance.take(ANN) for _ in range(3)] == [0.0, 0.0, 0.0]
    assert round(allowance.take(ANN), 3) == 20
    assert allowance.take(BOB) == 0.0, "others have their own"
    clock.at += 19.9
    assert round(allowance.take(ANN), 3) == 0.1
    clock.at += 0.1
    assert allowance.take(ANN) == 0.0
    assert allowance.take(ANN) > 0, "asking in vain takes nothing, and gives nothing"


def test_a_refusal_tells_the_exact_wait_and_costs_nothing() -> None:
    clock = Clock()
    allowance = TokenBucket(1, 60, clock)
    allowance.take(ANN)
    for _ in range(50):
        wait = allowance.take(ANN)
    clock.at += wait
    assert allowance.take(ANN) == 0.0


def test_zero_means_no_limit() -> None:
    allowance = TokenBucket(0, 60, Clock())
    assert not any(allowance.take(ANN) for _ in range(1000))


def test_the_number_of_people_remembered_is_limited() -> None:
    clock = Clock()
    allowance = TokenBucket(1, 60, clock, people=10)
    for person in range(1000):
        assert allowance.take(person) == 0.0
    assert len(allowance._full_at) == 10
    assert allowance.take(999) > 0, "the latest are remembered"


@given(st.integers(1, 20), st.lists(st.floats(0, 30), max_size=80))
def test_never_more_than_the_allowance_in_any_period(number: int, pauses: list[float]) -> None:
    clock = Clock()
    allowance = TokenBucket(number, 60, clock)
    taken = []
    for pause in pauses:
        clock.at += pause
        if not allowance.take(ANN):
            taken.append(clock.at)
    for first in taken:  # at once, and what comes back meanwhile
        assert sum(first <= at < first + 60 for at in taken) <= 2 * number
        assert sum(at == first for at in taken) <= number
