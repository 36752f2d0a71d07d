"""`/livez`, `/readyz` and `/metrics` of a real bot that is being played at."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import aiohttp
import asyncpg
import pytest
from prometheus_client.parser import text_string_to_metric_families

from bot.app import looks
from bot.operations.health import CannotServe, HealthServer, serving
from bot.operations.metrics import BotStatus, Meters
from bot.settings import schema
from bot.settings.config import Settings
from bot.storage.store import SqlStore
from tests.bot.conftest import Seat
from tests.bot.house import running_bot, settings
from tests.bot.storage.conftest import postgres as postgres
from tests.bot.troubled import another_move

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


def values(text: str) -> dict[tuple[str, ...], float]:
    """Every sample by its name and the values of its labels."""
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


async def test_a_table_being_played_is_counted_and_nobody_is_named(table: Seat) -> None:
    at = await table(2)
    bot = at.bot
    server = HealthServer("127.0.0.1", 0, bot.meters, {"discord": bot.why_not_ready})
    await server.start()
    try:
        assert (await fetch(server.address, "/readyz"))[0] == 200
        await at.start(THAI)
        await another_move(at)
        await another_move(at)
        await at.settle()
        status, text = await fetch(server.address, "/metrics")
        assert status == 200
        found = values(text)
        assert found["bluffhouse_tables", "playing"] == 1
        assert found["bluffhouse_people",] == 2
        # joining, starting and the two moves; a lobby is opened by no change of a table
        assert found["bluffhouse_moves_total", "stored"] == 4
        assert found["bluffhouse_moves_total", "refused"] == 0
        answered = found["bluffhouse_answer_seconds_count",]
        assert answered >= 5
        assert found["bluffhouse_discord_requests_total", "POST", "200"] >= answered
        for person in at.people:
            assert person.id not in text
            assert person.name not in text
        assert str(at.channel.id) not in text
    finally:
        await server.stop()


async def test_what_is_wrong_is_named_and_the_bot_is_alive_all_the_same(tmp_path: Path) -> None:
    store = await SqlStore.open(f"sqlite:///{tmp_path / 'house.db'}")

    async def broken() -> str | None:
        raise ValueError("a secret")

    server = HealthServer(
        "127.0.0.1", 0, Meters(), {"database": store.why_not_writing, "other": broken}
    )
    await server.start()
    try:
        status, said = await fetch(server.address, "/readyz")
        assert (status, '"other": "ValueError"' in said) == (503, True)
        assert "database" not in said
        assert "secret" not in said
        await store.close()
        status, said = await fetch(server.address, "/readyz")
        assert status == 503
        assert "the database is closed" in said
        assert (await fetch(server.address, "/livez"))[0] == 200
        server.leave()
        assert "stopping" in (await fetch(server.address, "/readyz"))[1]
        assert (await fetch(server.address, "/livez"))[0] == 200
    finally:
        await server.stop()


@pytest.mark.postgres
async def test_a_full_disk_that_takes_the_probe_and_no_move_makes_it_unready(
    table: Seat, tmp_path: Path, postgres: str
) -> None:
    """PostgreSQL's message and code; what is updated in place finds room all the while."""
    at = await table(2, serve=False)
    chosen = settings(tmp_path).model_dump()
    chosen["database"]["url"] = postgres
    async with running_bot(at.world, Settings.model_validate(chosen)) as at.bot:
        store = at.bot._store
        assert isinstance(store, SqlStore)
        server = HealthServer("127.0.0.1", 0, at.bot.meters, looks(at.bot, store))
        await server.start()
        await at.start(THAI)
        connection = await asyncpg.connect(postgres)
        try:
            await connection.execute(FULL)
            for _ in range(6):  # more than joining, starting and whatever else was stored
                out = await at.call(at.turn())
                assert "database is not available" in out.text
            status, said = await fetch(server.address, "/readyz")
            assert (status, "were not stored" in said) == (503, True)
            await connection.execute("DROP TRIGGER full_disk ON actions")
            for _ in range(6):
                await another_move(at)
            assert (await fetch(server.address, "/readyz"))[0] == 200
        finally:
            await connection.close()
            await server.stop()


async def test_for_how_long_the_gateway_is_lost_is_told_by_livez_and_a_metric() -> None:
    meters = Meters()
    meters.standing = lambda: BotStatus({}, 0, {}, lost_for=75.2)
    server = HealthServer("127.0.0.1", 0, meters, {})
    await server.start()
    try:
        status, said = await fetch(server.address, "/livez")
        assert (status, json.loads(said)["gateway_lost_seconds"]) == (200, 75)
        _, text = await fetch(server.address, "/metrics")
        assert values(text)["bluffhouse_gateway_lost_seconds",] == 75.2
    finally:
        await server.stop()


async def test_a_bot_that_has_no_session_is_not_ready(table: Seat) -> None:
    at = await table(1)
    assert await at.bot.why_not_ready() is None
    await at.bot.client.on_shard_disconnect(0)
    assert await at.bot.why_not_ready() == "the gateway's connection is lost"
    at.bot.client.in_session.clear()
    assert await at.bot.why_not_ready() == "no session yet"


async def test_a_port_that_is_taken_is_one_sentence_and_0_serves_nothing() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = schema.ServingSettings(port=other.getsockname()[1])
        with pytest.raises(CannotServe, match="cannot be listened on"):
            async with serving(taken, Meters(), {}):
                raise AssertionError("it listens")
    async with serving(schema.ServingSettings(), Meters(), {}) as leave:
        leave()
    assert settings(Path()).serving.port == 0


async def test_it_is_served_while_the_block_lasts() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    async with serving(schema.ServingSettings(port=port), Meters(), {}):
        assert (await fetch(f"http://127.0.0.1:{port}", "/readyz"))[0] == 200
    with pytest.raises(aiohttp.ClientConnectionError):
        await fetch(f"http://127.0.0.1:{port}", "/readyz")


async def test_a_name_that_no_host_can_have_is_one_sentence() -> None:
    with pytest.raises(CannotServe, match="choose others, for example 127"):
        await HealthServer("é" * 100, 9418, Meters(), {}).start()
