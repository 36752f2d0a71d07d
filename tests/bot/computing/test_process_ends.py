# ruff: noqa: ASYNC110, ASYNC220 - other processes tell by what can be seen; starting one is quick
"""How the computing process ends: with the bot, however that goes."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bot.computing.process import Computing
from bot.computing.question import ProcessLost
from tests.bot.computing.a_process import appears, computing, gone
from tests.bot.computing.questions import (
    Echo,
    Hold,
    Where,
)

ROOT = Path(__file__).parents[3]


async def test_closing_ends_the_process_and_whoever_waits_is_told(tmp_path: Path) -> None:
    async with computing() as process:
        holds = [asyncio.create_task(process.ask(Hold(tmp_path, name))) for name in "abc"]
        (pid,) = await appears(tmp_path / "a.begun", 1)
        await process.close()
        assert gone(int(pid))
        for one in holds:
            with pytest.raises(ProcessLost):
                await one
        with pytest.raises(ProcessLost):
            await process.ask(Echo(1))


async def test_closing_what_was_never_asked_is_nothing() -> None:
    process = Computing()
    await process.close()
    process.start()
    assert process.pid is None


async def test_a_signal_to_the_whole_group_leaves_ending_to_the_bot(tmp_path: Path) -> None:
    async with computing() as process:
        pid, _, _ = await process.ask(Where())
        for number in (signal.SIGINT, signal.SIGTERM):
            os.kill(pid, number)
        asked = asyncio.create_task(process.ask(Hold(tmp_path, "a")))
        assert await appears(tmp_path / "a.begun", 1) == [str(pid)]
        (tmp_path / "a.go").touch()
        assert await asked == "a"


BOT = """
import asyncio
from pathlib import Path
from bot.computing.process import Computing
from tests.bot.computing.questions import Hold

async def main():
    await Computing().ask(Hold(Path({folder!r}), "a"))

asyncio.run(main())
"""


async def test_it_ends_when_the_bot_is_killed(tmp_path: Path) -> None:
    script = BOT.format(folder=str(tmp_path))
    bot = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.DEVNULL)
    try:
        (pid,) = await appears(tmp_path / "a.begun", 1)
        assert not gone(int(pid))
        bot.kill()
        bot.wait()
        while not gone(int(pid)):
            await asyncio.sleep(0.005)
    finally:
        bot.kill()
        bot.wait()


async def test_nothing_is_loaded_before_it_is_to_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    async with computing() as process:
        process.plan_warming()
        assert process.warming
        pid, _, _ = await process.ask(Where())
        assert not _children(pid)  # it runs, and compiles nothing by itself
        process.start(warm=True)
        while not _children(pid):
            await asyncio.sleep(0.005)
        assert process.warming


async def test_what_compiles_for_it_ends_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    async with computing() as process:
        process.start(warm=True)
        pid, _, _ = await process.ask(Where())
        while not (children := _children(pid)):
            await asyncio.sleep(0.005)
        await process.close()
        while not all(map(gone, children)):
            await asyncio.sleep(0.005)


def _children(pid: int) -> list[int]:
    told = [path.read_text() for path in Path(f"/proc/{pid}/task").glob("*/children")]
    return [int(child) for text in told for child in text.split()]
