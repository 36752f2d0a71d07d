"""How long a question may be worked at, by a clock that is passed in."""

from __future__ import annotations

from bot.computing.deadline import deadline


def test_a_deadline_is_over_once_its_seconds_are() -> None:
    now = 100.0
    over = deadline(30, lambda: now)
    assert not over()
    now = 129.9
    assert not over()
    now = 130.0
    assert over()
