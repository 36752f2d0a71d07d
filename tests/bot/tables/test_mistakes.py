"""A costly decision is asked again after 1, 3 and 7 days, until it was answered well twice."""

from __future__ import annotations

from bot.tables.mistakes import DAY, answered
from bot.tables.model import Mistake

FIRST = Mistake(1, 2, 3, 0, 0, 0)


def test_it_is_asked_again_after_one_day_three_and_every_seven() -> None:
    mistake, waits = FIRST, []
    for now in (100, 200, 300, 400):
        mistake = answered(mistake, well=False, now=now)
        assert mistake.due_at is not None
        waits.append((mistake.due_at - now) / DAY)
    assert waits == [1, 3, 7, 7]
    assert (mistake.asked, mistake.right) == (4, 0)


def test_it_is_not_asked_any_more_once_it_was_answered_well_twice() -> None:
    once = answered(answered(FIRST, well=True, now=0), well=False, now=0)
    assert (once.right, once.due_at) == (1, 3 * DAY)
    assert answered(once, well=True, now=0).due_at is None
