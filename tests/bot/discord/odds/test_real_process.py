# ruff: noqa: ASYNC110 - other processes tell by what can be seen
"""Ask `/odds` of a real bot process that has its own computing process.

The time this takes depends on the machine. If an answer never comes, pytest's time-out ends
the test.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
from pathlib import Path

import pytest

from benchmarks.setup import Setup, open_setup
from bot.sandbox.screen import SeenMessage
from tests.bot.harness import plain

pytestmark = pytest.mark.process

COMPILED = ("numba", "llvmlite", "numpy")
QUESTIONS: list[tuple[str, dict[str, object], str]] = [
    ("odds liars", {"in_play": 12, "cards": "Ah Kd *", "bid": "33"}, "likely"),
    ("odds thai", {"in_play": 9, "bid": "big straight"}, "likely"),
    ("odds three-card", {"hand": "Qs 6h 4d"}, "Expected value"),
    ("odds three-card", {}, "House edge"),
    ("odds showdown", {"hands": "AhKd vs QQ", "board": "9c 8d 2s"}, "exact"),
    ("odds showdown", {"hands": "AhKd", "opponents": 4}, "standard error"),
]


def loaded_packages(pid: int) -> set[str]:
    """Return which of the `COMPILED` packages a process has loaded (Linux only)."""
    maps = Path(f"/proc/{pid}/maps").read_text()
    return {name for name in COMPILED if f"/site-packages/{name}" in maps}


async def ask_until_answered(
    setup: Setup, command: str, options: dict[str, object], says: str
) -> None:
    """Send a command, and wait until the channel's last message contains `says`."""
    await setup.people[0].slash(setup.channel, command, **options)
    while says not in plain((await last(setup)).text):
        await asyncio.sleep(0.02)


async def last(setup: Setup) -> SeenMessage:
    return (await setup.people[0].visible(setup.channel))[-1]


def workers(setup: Setup) -> list[int]:
    """Return the ids of the computing processes that the bot's log names."""
    log = (setup.folder / f"bot-{setup.starts}.log").read_text()
    return [int(pid) for pid in re.findall(r'computing: started.*?pid[\'"=: ]+(\d+)', log)] or [
        int(pid) for pid in re.findall(r'"pid": (\d+), "event": "computing: started"', log)
    ]


async def test_the_bot_never_loads_compiled_code_and_replaces_the_process_that_does(
    tmp_path: Path,
) -> None:
    async with open_setup(tmp_path, players=1) as setup:
        await setup.start()
        assert setup.bot is not None
        assert not loaded_packages(setup.bot.pid)
        for command, options, says in QUESTIONS:
            await ask_until_answered(setup, command, options, says)
        for option in ("bonus", "cards"):
            command = "odds three-card" if option == "bonus" else "odds liars"
            await setup.people[0].autocomplete(setup.channel, command, option, "")
        assert not loaded_packages(setup.bot.pid)
        # numba only if a kernel has to be compiled first
        assert loaded_packages(workers(setup)[-1]) >= {"llvmlite", "numpy"}
        os.kill(workers(setup)[-1], signal.SIGKILL)
        await ask_until_answered(setup, "odds three-card", {"hand": "Qs 6h 3d"}, "Fold")
        first, second = workers(setup)
        assert first != second
        code, _ = await setup.terminate()
        assert code == 0
        while Path(f"/proc/{second}/exe").exists():
            await asyncio.sleep(0.01)
