"""Writes settings, and reads what is said of those that are refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bot.settings.config import ConfigError, load

Write = Callable[[str], Path]


def refusal(path: Path | None = None) -> str:
    with pytest.raises(ConfigError) as refused:
        load(path)
    sentence = str(refused.value)
    assert "\n" not in sentence
    return sentence
