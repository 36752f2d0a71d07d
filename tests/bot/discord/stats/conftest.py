"""Every test here is unhurried: what is looked at is what is said, not how soon."""

from __future__ import annotations

import pytest

from bot.sandbox.clock import ManualClock


@pytest.fixture(autouse=True)
def nobody_is_late(unhurried: ManualClock) -> None:
    """See `unhurried`."""
