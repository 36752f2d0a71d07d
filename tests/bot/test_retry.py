"""The pauses between retries."""

from __future__ import annotations

from itertools import islice

from bot.retry import RetryPolicy


def test_pauses_grow_up_to_the_longest_and_never_end() -> None:
    policy = RetryPolicy(first=0.5, longest=8.0)
    assert list(islice(policy.pauses(), 7)) == [0.5, 1.0, 2.0, 4.0, 8.0, 8.0, 8.0]
    assert policy.pause(10**6) == 8.0


def test_the_first_retries_may_be_made_at_once_and_it_may_give_up() -> None:
    policy = RetryPolicy(first=0.1, longest=2.0, factor=5.0, at_once=1, retries=4)
    assert list(policy.pauses()) == [0.0, 0.1, 0.5, 2.0]
