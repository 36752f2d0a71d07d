"""What is counted and timed, and that it means what its name says."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from bot.operations.metrics import REMEMBERED, BotStatus, Meters
from bot.storage.store import SqlStore
from tests.bot.storage.asking import transaction
from tests.people import until

CALLBACK = "/api/v10/interactions/{}/token/callback"


def sample(meters: Meters, name: str, **labels: str) -> float | None:
    for family in text_string_to_metric_families(meters.text().decode()):
        for one in family.samples:
            if one.name == name and one.labels == labels:
                return one.value
    return None


def test_an_answer_is_timed_from_its_arrival_once_and_only_when_it_is_taken() -> None:
    at = [10.0]
    meters = Meters(lambda: at[0])
    meters.arrived(123_456)
    at[0] = 10.5
    meters.requested("POST", CALLBACK.format(123_456), 429)
    assert sample(meters, "bluffhouse_answer_seconds_count") == 0
    at[0] = 12.0
    meters.requested("POST", CALLBACK.format(123_456), 204)
    meters.requested("POST", CALLBACK.format(123_456), 204)
    meters.requested("POST", CALLBACK.format(999_999), 204)
    assert sample(meters, "bluffhouse_answer_seconds_count") == 1
    assert sample(meters, "bluffhouse_answer_seconds_sum") == 2.0
    assert sample(meters, "bluffhouse_discord_trouble_total", code="429") == 1
    assert sample(meters, "bluffhouse_discord_requests_total", method="POST", status="204") == 3


def test_answers_that_never_come_are_forgotten() -> None:
    meters = Meters()
    for number in range(REMEMBERED + 10):
        meters.arrived(number)
    assert len(meters._arrived) == REMEMBERED
    meters.requested("POST", CALLBACK.format(3), 204)
    assert sample(meters, "bluffhouse_answer_seconds_count") == 0


def test_only_troubles_that_mean_something_are_counted_by_code() -> None:
    meters = Meters()
    for code in (10062, 40060, 40060, 50013, 0):
        meters.not_taken(code)
    assert sample(meters, "bluffhouse_discord_trouble_total", code="40060") == 2
    assert sample(meters, "bluffhouse_discord_trouble_total", code="10062") == 1
    assert sample(meters, "bluffhouse_discord_trouble_total", code="50013") is None


def test_what_stands_is_read_when_it_is_asked_for() -> None:
    meters = Meters()
    meters.standing = lambda: BotStatus({"playing": 3, "lobby": 1}, 7, {0: 0.04, 2: 0.05})
    assert sample(meters, "bluffhouse_tables", status="playing") == 3
    assert sample(meters, "bluffhouse_people") == 7
    assert sample(meters, "bluffhouse_shard_latency_seconds", shard="2") == 0.05


async def test_the_loops_lag_is_looked_at() -> None:
    meters = Meters()
    watching = asyncio.create_task(meters.watch_loop())
    try:
        await until(lambda: bool(sample(meters, "bluffhouse_loop_lag_seconds_count")))
    finally:
        watching.cancel()


async def test_transactions_are_timed_and_those_that_fail_are_not(tmp_path: Path) -> None:
    store = await SqlStore.open(f"sqlite:///{tmp_path / 'house.db'}")
    meters = Meters()
    store.database.timed = meters.waiting
    try:
        await store.servers.note_listener(1, 2, listens=True)
        assert sample(meters, "bluffhouse_database_wait_seconds_count") == 1
        assert sample(meters, "bluffhouse_database_commit_seconds_count") == 1
        with pytest.raises(ZeroDivisionError):
            async with transaction(store.database):
                raise ZeroDivisionError
        assert sample(meters, "bluffhouse_database_wait_seconds_count") == 2
        assert sample(meters, "bluffhouse_database_commit_seconds_count") == 1
    finally:
        await store.close()
