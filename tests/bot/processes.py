"""The real bot as a process: run to its end, or played at beside a Discord that keeps no time."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from benchmarks.premises import PATIENCE, Premises, environment, premises
from bot.sandbox.driver import ActOutcome
from bot.sandbox.errors import InteractionFailed


def command(folder: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run `bluffhouse` with these arguments to its end."""
    return subprocess.run(
        [sys.executable, "-m", "bot", *arguments],
        cwd=folder,
        env=environment(**more),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def unhurried(folder: Path, players: int) -> AbstractAsyncContextManager[Premises]:
    """Premises whose Discord waits for an answer until `outcome_of` says that it is too late."""
    return premises(folder, players, "tests.bot.standing_discord")


def answered(out: ActOutcome) -> bool:
    """Whether a press at a table was answered by it: in place, or by the message of its news."""
    news = out.message is not None and not out.message.ephemeral
    return out.kind in ("update", "deferred_update") or (out.kind == "message" and news)


async def outcome_of(here: Premises, act: asyncio.Task[ActOutcome]) -> ActOutcome | None:
    """How an act under way was answered; None if it met a killed bot, and never will be."""
    while not act.done():
        here.discord.send_signal(signal.SIGUSR1)
        await asyncio.wait({act}, timeout=0.05)
    try:
        return act.result()
    except InteractionFailed:
        return None
