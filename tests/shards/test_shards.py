"""Three processes on one PostgreSQL: one is killed, one paused, one cut off; nothing is lost."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from bot.discord.errors import sentence
from bot.tables import errors
from tests.bot.storage.conftest import postgres as postgres
from tests.shards.__main__ import report
from tests.shards.practice import REFUSED
from tests.shards.relay import Relay
from tests.shards.run import Plan, run
from tests.shards.setup import TimedWorld

pytestmark = [pytest.mark.process, pytest.mark.postgres]
FEW = Plan(
    matches=4,
    seed=4,
    kills=1,
    pauses=1,
    cuts=1,
    severed=1,
    pause_seconds=6.0,
    tables_a_shard=1,
    practices=0,  # they load compiled code in each process; `make shards` has some
)


@pytest.mark.long
@pytest.mark.usefixtures("postgres")  # skips if there is no PostgreSQL
async def test_a_few_matches_in_all_shards_while_each_kind_of_trouble_comes_once(
    tmp_path: Path,
) -> None:
    verdict = await run(tmp_path, FEW)
    assert verdict.case.clean, report(verdict)
    assert dict(verdict.faults) == {"kill": 1, "pause": 1, "cut": 1, "sever": 1}
    assert verdict.won_matches >= FEW.matches
    assert verdict.case.figures["acknowledged"] > 30
    assert verdict.by_clock > 0
    assert verdict.identifies_refused == 0


@pytest.mark.usefixtures("postgres")
async def test_in_a_rolling_update_under_play_every_press_is_answered_and_counts_once(
    tmp_path: Path,
) -> None:
    calm = replace(FEW, kills=0, pauses=0, cuts=0, severed=0, updates=1, unhurried=True)
    verdict = await run(tmp_path, calm)
    assert verdict.case.clean, report(verdict)
    assert dict(verdict.faults) == {"update": 1}
    assert (verdict.unanswered, verdict.turned_away) == (0, 0)
    assert verdict.case.figures["acknowledged"] > 30
    assert verdict.identifies_refused == 0


def test_what_the_bot_says_of_a_press_that_did_not_count_is_known_to_who_practises() -> None:
    for refusal in (errors.MovedOn(), errors.Repeated(), errors.StoreUnavailable()):
        assert any(words in sentence(refusal) for words in REFUSED), refusal


def test_a_press_is_late_by_what_it_takes_longer_than_a_bare_answer_of_that_time() -> None:
    world = TimedWorld("http://127.0.0.1:1")
    world._presses = [(0.0, 2.5), (10.0, 13.5), (20.0, 23.5)]
    world._bare = [(11.0, 11.25), (15.0, 19.0), (19.5, 21.0), (30.0, 34.0)]
    assert world.late == [3.5], "the machine held up the third"


async def test_a_relay_passes_on_until_it_is_cut_and_again_when_it_is_mended(
    tmp_path: Path,
) -> None:
    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(100):
            writer.write(data)
            await writer.drain()
        writer.close()

    server = await asyncio.start_unix_server(echo, tmp_path / "socket")
    relay = Relay(tmp_path / "socket")
    await relay.start()

    async def through() -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", relay.port)
        try:
            writer.write(b"hello")
            return await reader.read(5)
        except ConnectionError:
            return b""
        finally:
            writer.close()

    assert await through() == b"hello"
    relay.cut()
    assert await through() == b""
    relay.mend()
    assert await through() == b"hello"
    await relay.stop()
    server.close()
