"""What the doctor finds beside a running bot, on each engine."""

from __future__ import annotations

import os

import pytest

from bot.settings.config import Settings
from bot.storage.doctor import examine
from bot.storage.migrate import known_revisions
from bot.storage.store import SqlStore


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("BLUFFHOUSE_")]:
        monkeypatch.delenv(name)


async def test_a_database_in_use_is_well_and_named_by_engine_and_schema(
    address: str, store: SqlStore
) -> None:
    findings = await examine(Settings.model_validate({"database": {"url": address}}), None)
    (found,) = [one for one in findings if one.subject == "database"]
    assert found.well
    assert ("PostgreSQL 1" in found.text) is address.startswith("postgresql")
    assert f"schema {known_revisions()[-1]} (the newest)" in found.text
