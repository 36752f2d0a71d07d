"""Short random runs of tables, and proof that the machine notices a fault."""

from __future__ import annotations

from unittest.mock import patch

import pytest

from tests.bot.storage.conftest import postgres as postgres
from tests.fuzz import machine

pytestmark = pytest.mark.long

RUNS = 8
SEED = 20261122


def test_tables_by_chance_are_what_their_logs_say() -> None:
    verdict = machine.run(SEED, 0, RUNS, print)
    assert not verdict.failures
    assert sum(verdict.outcomes.values()) > 100
    assert {"bid: done", "cut: done"} <= set(verdict.outcomes)


@pytest.mark.postgres
def test_tables_by_chance_are_what_their_logs_say_on_postgresql(postgres: str) -> None:
    verdict = machine.run_at(postgres, SEED, 0, RUNS // 2, print)
    assert not verdict.failures
    assert sum(verdict.outcomes.values()) > 50
    assert {"bid: done", "at once, join: refused"} <= set(verdict.outcomes)


def test_a_referee_who_sees_another_match_is_heard() -> None:
    lines: list[str] = []
    with patch.object(machine, "facts_by_referee", lambda *_: {}):
        machine.run(SEED, 0, 2, lines.append)
    assert "AssertionError" in lines[0]
    assert f"--seed {SEED} --first 0" in lines[0]
