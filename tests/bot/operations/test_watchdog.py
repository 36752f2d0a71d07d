"""A loop that stands still is found out, one that is only busy or paused is not."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from bot.operations.watchdog import STOOD_STILL, Watchdog, watched
from tests.people import PATIENCE

ROOT = Path(__file__).parents[3]


async def test_a_loop_that_stands_still_is_told_with_the_place() -> None:
    found, places = threading.Event(), []

    def end(place: str) -> None:
        places.append(place)
        found.set()

    async with watched(end, beat=0.01, missed=3):
        assert found.wait(PATIENCE)
        await asyncio.sleep(0.1)
    assert len(places) == 1  # said once
    assert "test_watchdog.py:" in places[0]


def test_it_is_ended_without_memory_to_say_where(monkeypatch: pytest.MonkeyPatch) -> None:
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


async def test_a_loop_that_moves_on_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each wait of the watcher is answered by a beat before the next: however slow both are."""
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

watchdog.watched.__wrapped__.__kwdefaults__.update(beat=0.1, missed=20)
asyncio.run(process_lifetime.serve(Bot(), "token"))
"""


@pytest.mark.process
def test_a_process_that_stands_still_ends_and_says_where_though_it_hears_no_signal() -> None:
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
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == STOOD_STILL
    assert said.startswith("bluffhouse: nothing moved for 60 seconds at threading.py:")
    assert said.endswith("; please start it again\n")
    assert "<string>:8" in said
