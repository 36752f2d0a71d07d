"""A fixture for all board tests: a third game that exists only in tests."""

from __future__ import annotations

import pytest

from engine import variants
from tests.third_game import VARIANT


@pytest.fixture(autouse=True)
def third_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(variants.VARIANTS, VARIANT.key, VARIANT)
