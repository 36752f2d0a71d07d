"""Fixtures: an empty store, and tables over it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.storage.store import SqlStore
from tests.bot.harness import new_store
from tests.bot.tables.room import FakeClock, Room, Shown, tables_over


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqlStore]:
    opened = await new_store(tmp_path / "house.db")
    yield opened
    await opened.close()


@pytest.fixture
async def room(store: SqlStore, tmp_path: Path) -> Room:
    clock, screens = FakeClock(), Shown()
    return Room(store, clock, screens, tables_over(store, clock, screens), tmp_path / "house.db")
