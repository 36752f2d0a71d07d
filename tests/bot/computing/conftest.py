"""Make the questions of these tests importable in the computing process."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def findable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the repository's root on the computing process's path."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
