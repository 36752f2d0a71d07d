"""Make these tests' questions importable in the computing process."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def findable(monkeypatch: pytest.MonkeyPatch) -> None:
    """The questions of these tests are modules for the process too."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
