"""Run the real bot as a process: to its end, or with a local Discord with a stopped clock.

Unless a test depends on how the bot's code is loaded, a fork server forks the bot: loading
the code takes most of the processor time of a start. Each process that runs tests has a
fork server.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import functools
import itertools
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from benchmarks import setup as started
from benchmarks.setup import PATIENCE, ROOT, Running, Setup, environment, open_setup
from bot.sandbox.driver import ActOutcome
from bot.sandbox.errors import InteractionFailed

FORKS: Final = sys.platform == "linux"
# read when a process begins or loads its code, so not by one that is forked
WHERE_LOADED: Final = ("LD_PRELOAD", "SSL_CERT_FILE", "PYTHONPATH")
UNWARMED: Final = ("tests.bot.hurried", "run")
_asking = threading.Lock()
_numbers = itertools.count(1)


@functools.cache
def _fork_server() -> subprocess.Popen[str]:
    """Start the bot's fork server, and end it when this process ends."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.crash.fork_server"],
        cwd=ROOT,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,  # Ctrl-C is for the run, not for the bot
    )

    def end() -> None:
        process.communicate()

    atexit.register(end)
    return process


class Forked:
    """A process made by the fork server, with some methods of `subprocess.Popen`."""

    def __init__(
        self,
        module: Sequence[str],
        variables: dict[str, str],
        log: Path,
        errors: Path | None = None,
    ) -> None:
        name, *arguments = module
        request = {
            "module": "bot.__main__" if name == "bot" else name,
            "arguments": arguments,
            "environment": variables,
            "log": str(log),
        } | ({"errors": str(errors)} if errors else {})
        log.touch()
        with _asking:
            source = _fork_server()
            assert source.stdin is not None
            assert source.stdout is not None
            source.stdin.write(json.dumps(request) + "\n")
            source.stdin.flush()
            self.pid = int(source.stdout.readline())
        self.returncode: int | None = None
        self._told = log.with_name(f"ended-{self.pid}")

    def poll(self) -> int | None:
        """Return the process's exit code, or None while it runs."""
        if self.returncode is None and self._told.exists():
            self.returncode = int(self._told.read_text())
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait until the process ends; return its exit code.

        Raises `subprocess.TimeoutExpired` after `timeout` seconds.
        """
        ends = None if timeout is None else time.monotonic() + timeout
        while (code := self.poll()) is None:
            if ends is not None and time.monotonic() > ends:
                raise subprocess.TimeoutExpired("bluffhouse", timeout or 0)
            time.sleep(0.005)
        return code

    def send_signal(self, sig: int) -> None:
        """Send the process a signal if it still runs."""
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, sig)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def _may_fork(variables: dict[str, str]) -> bool:
    return FORKS and all(variables.get(name) == environment().get(name) for name in WHERE_LOADED)


def launch(module: Sequence[str], folder: Path, variables: dict[str, str], log: Path) -> Running:
    """Start the bot, forked unless its environment or log folder rules that out."""
    if _may_fork(variables) and log.parent == folder:
        return Forked(module, variables, log)
    return started.launch(module, folder, variables, log)


def command(folder: Path, *arguments: str, **extra: str) -> subprocess.CompletedProcess[str]:
    """Run `bluffhouse` with these arguments to its end; `extra`: environment variables."""
    variables = environment(**extra)
    if _may_fork(variables):
        number = next(_numbers)
        out, errors = (folder / f"{stream}-{number}" for stream in ("said", "errors"))
        ended = Forked(("bot", *arguments), variables, out, errors)
        try:
            code = ended.wait(PATIENCE)
        finally:
            ended.kill()
        completed = subprocess.CompletedProcess(
            arguments, code, out.read_text(), errors.read_text()
        )
        for file in (out, errors, folder / f"ended-{ended.pid}"):
            file.unlink()
        return completed
    return subprocess.run(
        [sys.executable, "-m", "bot", *arguments],
        cwd=folder,
        env=variables,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


@asynccontextmanager
async def wait_patiently(folder: Path, players: int) -> AsyncIterator[Setup]:
    """Yield a bot and a Discord whose clock stands still, so a slow machine misses no time limit.

    Only `outcome_of` moves that clock. The bot starts without loading compiled code; to change
    this, a test sets `module`.
    """
    async with open_setup(folder, players, "tests.bot.standing_discord") as setup:
        setup.module = UNWARMED
        setup.launch = launch
        yield setup


def is_answered(out: ActOutcome) -> bool:
    """Return whether a press at a table was answered by an edit or by a new public message."""
    news = out.message is not None and not out.message.ephemeral
    return out.kind in ("update", "deferred_update") or (out.kind == "message" and news)


async def outcome_of(setup: Setup, act: asyncio.Task[ActOutcome]) -> ActOutcome | None:
    """Move Discord's clock beyond the time limit for an answer, until `act` ends.

    Return its outcome, or None if it was never answered.
    """
    while not act.done():
        setup.discord.send_signal(signal.SIGUSR1)
        await asyncio.wait({act}, timeout=0.05)
    try:
        return act.result()
    except InteractionFailed:
        return None
