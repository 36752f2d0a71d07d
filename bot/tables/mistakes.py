"""When a costly decision is asked again: after 1, 3 and 7 days, until answered well twice."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from bot.tables.model import Mistake

DAY: Final = 86_400_000  # milliseconds
WAITS: Final = (1, 3, 7)  # days after the first, second and every further answer
LEARNT: Final = 2  # good answers


def answered(mistake: Mistake, *, well: bool, now: int) -> Mistake:
    """The decision after an answer at `now` (ms)."""
    right = mistake.right + well
    wait = WAITS[min(mistake.asked, len(WAITS) - 1)] * DAY
    due = None if right >= LEARNT else now + wait
    return replace(mistake, asked=mistake.asked + 1, right=right, due_at=due)
