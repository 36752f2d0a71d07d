"""An empty directory and environment for each test of the settings."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.bot.configuration.refused import Write


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An empty directory, and an environment without settings."""
    for name in list(os.environ):
        if name.startswith(("BLUFFHOUSE_", "DISCORD_")):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write ./config.toml."""

    def config(text: str) -> Path:
        path = tmp_path / "config.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return config
