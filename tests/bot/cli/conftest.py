"""A place of its own for commands that read settings and make files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty directory, and an environment without settings."""
    for name in list(os.environ):
        if name.startswith(("BLUFFHOUSE_", "DISCORD_")):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    return tmp_path
