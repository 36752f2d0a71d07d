"""A store that is empty."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.storage.store import SqlStore


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqlStore]:
    opened = await SqlStore.open(f"sqlite:///{tmp_path / 'house.db'}")
    yield opened
    await opened.close()
