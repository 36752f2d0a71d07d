"""Metrics, and the pages that show whether the bot is alive and ready."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import asyncpg
import pytest
from prometheus_client.parser import text_string_to_metric_families

from bot.app import looks
from bot.operations.health import CannotServe, HealthServer, Look, serving
from bot.operations.metrics import REMEMBERED, BotStatus, Meters
from bot.operations.watchdog import STOOD_STILL, Watchdog, run_watchdog
from bot.settings import schema
from bot.settings.config import Settings
from bot.storage.store import SqlStore
from tests.bot.conftest import Seat
from tests.bot.harness import running_bot, settings
from tests.bot.storage.asking import transaction
from tests.bot.storage.conftest import postgres as postgres
from tests.bot.troubled import another_move
from tests.people import PATIENCE, until

# -- /livez, /readyz and /metrics of a real bot that is being played at ----------------------------

THAI = "Thai Poker"
FULL = """
CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE 'could not extend file: No space left on device' USING ERRCODE = '53100';
END $$;
CREATE TRIGGER full_disk BEFORE INSERT ON actions EXECUTE FUNCTION full_disk();
"""


async def fetch(address: str, path: str) -> tuple[int, str]:
    async with aiohttp.ClientSession() as session, session.get(address + path) as answer:
        return answer.status, await answer.text()


@asynccontextmanager
async def serve_health(meters: Meters, **looks: Look) -> AsyncIterator[HealthServer]:
    """Serve the health pages on a free port; `looks`: checks of the bot's readiness, by name."""
    server = HealthServer("127.0.0.1", 0, meters, looks)
    await server.start()
    try:
        yield server
    finally:
        await server.stop()


def values(text: str) -> dict[tuple[str, ...], float]:
    """Return the value of every sample by its name and its labels' values."""
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


async def test_a_table_being_played_is_counted_and_nobody_is_named(table: Seat) -> None:
    at = await table(2)
    bot = at.bot
    async with serve_health(bot.meters, discord=bot.why_not_ready) as server:
        assert (await fetch(server.address, "/readyz"))[0] == 200
        await at.start(THAI)
        await another_move(at)
        await another_move(at)
        await at.settle()
        status, text = await fetch(server.address, "/metrics")
        assert status == 200
        samples = values(text)
        assert samples["bluffhouse_tables", "playing"] == 1
        assert samples["bluffhouse_people",] == 2
        # joining, starting and the two moves; a lobby is opened by no change of a table
        assert samples["bluffhouse_moves_total", "stored"] == 4
        assert samples["bluffhouse_moves_total", "refused"] == 0
        answered = samples["bluffhouse_answer_seconds_count",]
        assert answered >= 5
        assert samples["bluffhouse_discord_requests_total", "POST", "200"] >= answered
        for person in at.people:
            assert person.id not in text
            assert person.name not in text
        assert str(at.channel.id) not in text
        await bot.client.on_shard_disconnect(0)
        assert await bot.why_not_ready() == "the gateway's connection is lost"
        bot.client.in_session.clear()
        assert await bot.why_not_ready() == "no session yet"


async def test_readyz_names_the_trouble_while_livez_still_succeeds(tmp_path: Path) -> None:
    store = await SqlStore.open(f"sqlite:///{tmp_path / 'house.db'}")

    async def broken() -> str | None:
        raise ValueError("a secret")

    async with serve_health(Meters(), database=store.why_not_writing, other=broken) as server:
        status, body = await fetch(server.address, "/readyz")
        assert (status, '"other": "ValueError"' in body) == (503, True)
        assert "database" not in body
        assert "secret" not in body
        await store.close()
        status, body = await fetch(server.address, "/readyz")
        assert status == 503
        assert "the database is closed" in body
        assert (await fetch(server.address, "/livez"))[0] == 200
        server.leave()
        assert "stopping" in (await fetch(server.address, "/readyz"))[1]
        assert (await fetch(server.address, "/livez"))[0] == 200


@pytest.mark.thorough
@pytest.mark.postgres
async def test_a_full_disk_that_takes_the_probe_and_no_move_makes_it_unready(
    table: Seat, tmp_path: Path, postgres: str
) -> None:
    """Raise PostgreSQL's full-disk error for new actions only. The probe still updates its row."""
    at = await table(2, serve=False)
    chosen = settings(tmp_path).model_dump()
    chosen["database"]["url"] = postgres
    async with running_bot(at.world, Settings.model_validate(chosen)) as at.bot:
        store = at.bot._store
        assert isinstance(store, SqlStore)
        await at.start(THAI)
        connection = await asyncpg.connect(postgres)
        async with serve_health(at.bot.meters, **looks(at.bot, store)) as server:
            await connection.execute(FULL)
            for _ in range(6):  # more than joining, starting and whatever else was stored
                out = await at.call(at.turn())
                assert "database isn't available" in out.text
            status, body = await fetch(server.address, "/readyz")
            assert (status, "were not stored" in body) == (503, True)
            await connection.execute("DROP TRIGGER full_disk ON actions")
            for _ in range(6):
                await another_move(at)
            assert (await fetch(server.address, "/readyz"))[0] == 200
        await connection.close()


async def test_livez_and_a_metric_report_how_long_the_gateway_has_been_lost() -> None:
    meters = Meters()
    meters.standing = lambda: BotStatus({}, 0, {}, lost_for=75.2)
    async with serve_health(meters) as server:
        status, body = await fetch(server.address, "/livez")
        assert (status, json.loads(body)["gateway_lost_seconds"]) == (200, 75)
    assert sample(meters, "bluffhouse_gateway_lost_seconds") == 75.2


async def test_a_port_is_served_while_the_block_lasts_and_a_taken_one_is_one_sentence() -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        taken = schema.ServingSettings(port=listener.getsockname()[1])
        with pytest.raises(CannotServe, match="cannot be listened on"):
            async with serving(taken, Meters(), {}):
                raise AssertionError("it listens")
    async with serving(schema.ServingSettings(), Meters(), {}) as leave:
        leave()
    assert settings(Path()).serving.port == 0

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    async with serving(schema.ServingSettings(port=port), Meters(), {}):
        assert (await fetch(f"http://127.0.0.1:{port}", "/readyz"))[0] == 200
    with pytest.raises(aiohttp.ClientConnectionError):
        await fetch(f"http://127.0.0.1:{port}", "/readyz")
    with pytest.raises(CannotServe, match="choose others, for example 127"):  # no host's name
        await HealthServer("é" * 100, 9418, Meters(), {}).start()


# -- what is counted means what its name says ------------------------------------------------------

CALLBACK = "/api/v10/interactions/{}/token/callback"


def sample(meters: Meters, name: str, **labels: str) -> float | None:
    for family in text_string_to_metric_families(meters.text().decode()):
        for entry in family.samples:
            if entry.name == name and entry.labels == labels:
                return entry.value
    return None


def test_an_answer_is_timed_from_its_arrival_once_and_only_when_it_is_taken() -> None:
    at = [10.0]
    meters = Meters(lambda: at[0])
    meters.note_interaction(123_456)
    at[0] = 10.5
    meters.note_request("POST", CALLBACK.format(123_456), 429)
    assert sample(meters, "bluffhouse_answer_seconds_count") == 0
    at[0] = 12.0
    meters.note_request("POST", CALLBACK.format(123_456), 204)
    meters.note_request("POST", CALLBACK.format(123_456), 204)
    meters.note_request("POST", CALLBACK.format(999_999), 204)
    assert sample(meters, "bluffhouse_answer_seconds_count") == 1
    assert sample(meters, "bluffhouse_answer_seconds_sum") == 2.0
    assert sample(meters, "bluffhouse_discord_trouble_total", code="429") == 1
    assert sample(meters, "bluffhouse_discord_requests_total", method="POST", status="204") == 3


def test_answers_that_never_come_are_forgotten_and_only_troubles_that_mean_something_counted() -> (
    None
):
    meters = Meters()
    for number in range(REMEMBERED + 10):
        meters.note_interaction(number)
    assert len(meters._arrived) == REMEMBERED
    meters.note_request("POST", CALLBACK.format(3), 204)
    assert sample(meters, "bluffhouse_answer_seconds_count") == 0
    assert sample(meters, "bluffhouse_discord_trouble_total", code="10062") == 0
    for code in (10062, 40060, 40060, 50013, 0):
        meters.note_refused_answer(code)
    assert sample(meters, "bluffhouse_discord_trouble_total", code="40060") == 2
    assert sample(meters, "bluffhouse_discord_trouble_total", code="10062") == 1
    assert sample(meters, "bluffhouse_discord_trouble_total", code="50013") is None


def test_current_values_are_read_when_metrics_are_requested() -> None:
    meters = Meters()
    meters.standing = lambda: BotStatus({"playing": 3, "lobby": 1}, 7, {0: 0.04, 2: 0.05})
    assert sample(meters, "bluffhouse_tables", status="playing") == 3
    assert sample(meters, "bluffhouse_people") == 7
    assert sample(meters, "bluffhouse_shard_latency_seconds", shard="2") == 0.05


async def test_the_loops_lag_is_measured() -> None:
    meters = Meters()
    watching = asyncio.create_task(meters.watch_loop())
    try:
        await until(lambda: bool(sample(meters, "bluffhouse_loop_lag_seconds_count")))
    finally:
        watching.cancel()


async def test_only_successful_transactions_are_timed(tmp_path: Path) -> None:
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


# -- a loop that stands still is found out ---------------------------------------------------------

ROOT = Path(__file__).parents[3]


async def test_a_stuck_loop_is_reported_with_the_place() -> None:
    found_event, places = threading.Event(), []

    def end(place: str) -> None:
        places.append(place)
        found_event.set()

    async with run_watchdog(end, beat=0.01, missed=3):
        assert found_event.wait(PATIENCE)
        await asyncio.sleep(0.1)
    assert len(places) == 1  # said once
    assert "test_health.py:" in places[0]


def test_a_stuck_process_is_ended_even_without_memory_to_report(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    places: list[str] = []

    def without_memory(_: object) -> str:
        raise MemoryError

    def end(place: str) -> None:
        places.append(place)
        if len(places) == 1:
            raise MemoryError

    monkeypatch.setattr("bot.operations.watchdog.where", without_memory)
    Watchdog(end, beat=0.0, missed=3).watch()
    assert places == ["a place that is not known"] * 2  # the first try to end it failed too


async def test_a_running_loop_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The loop beats at least once in each wait of the watcher, however slow the machine."""
    dog = Watchdog(pytest.fail, beat=0.0, missed=1)
    loop = asyncio.get_running_loop()
    waits = 0

    def wait(_: float) -> None:
        nonlocal waits
        waits += 1
        moved = threading.Event()
        loop.call_soon_threadsafe(lambda: loop.call_later(0.01, moved.set))
        assert moved.wait(PATIENCE)
        if waits == 20:
            dog.stop()

    monkeypatch.setattr("bot.operations.watchdog.time.sleep", wait)
    beating = asyncio.create_task(dog.beating())
    await asyncio.to_thread(dog.watch)
    beating.cancel()
    assert waits == 20


STANDS = """
import asyncio, threading
from bot.operations import process_lifetime, watchdog

class Bot:
    async def run(self, token):
        print("running", flush=True)
        threading.Event().wait()
    async def stop(self): ...

watchdog.run_watchdog.__wrapped__.__kwdefaults__.update(beat=0.1, missed=20)
bot = Bot()
asyncio.run(process_lifetime.serve(bot.run("token"), bot.stop))
"""


@pytest.mark.process
def test_a_stuck_process_ends_and_reports_the_place_without_handling_signals() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", STANDS],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "running\n"
    process.send_signal(signal.SIGTERM)
    _, output = process.communicate(timeout=PATIENCE)
    assert process.returncode == STOOD_STILL
    assert output.startswith("bluffhouse: nothing moved for 60 seconds at threading.py:")
    assert output.endswith("; please start it again\n")
    assert "<string>:8" in output
