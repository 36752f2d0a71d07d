"""Serves until the process is stopped, then ends it in time even if something hangs."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import signal
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from dataclasses import astuple, dataclass
from typing import Any, Final

import structlog

from bot.operations.watchdog import run_watchdog

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class StopBudget:
    """Seconds that each step of a stop may take, in this order.

    Their sum is below the usual limit of process supervisors: ten seconds with `docker stop`; the
    files in deploy/ set other limits. A step that is cut short loses nothing: every acknowledged
    move is committed, and the next start does what was left.
    """

    deadline: float = 1.25  # finish a deadline just being served
    housekeeping: float = 0.5
    thinking: float = 0.25
    computing: float = 0.5
    drain: float = 2.25  # finish answers and redraws
    shards: float = 0.25  # release the shards, as another process may be waiting for them
    discord: float = 0.75
    library: float = 0.25  # end the client library, which may be asleep until it reconnects
    serving: float = 0.25
    store: float = 0.5
    reports: float = 0.5  # send pending error reports

    @property
    def whole(self) -> float:
        """The sum of all steps, in seconds."""
        return float(sum(astuple(self)))


STOP: Final = StopBudget()
# seconds from the signal to the end of the process, even if a step hangs
STOP_WITHIN: Final = STOP.whole + 0.25
# for the garbage collector: new objects, then collections, before it scans older generations
_THRESHOLDS: Final = (5_000, 10, 10)
_given_up: set[asyncio.Task[None]] = set()


async def at_most(seconds: float, work: Coroutine[Any, Any, None]) -> None:
    """Run `work`; after this many seconds, cancel and abandon it."""
    task = asyncio.create_task(work)
    try:
        await asyncio.wait({task}, timeout=seconds)
    finally:
        if not task.done():
            task.cancel()
            _given_up.add(task)  # keep a reference, or it may be collected before it ends
            task.add_done_callback(_given_up.discard)
    if task.done():
        task.result()


def collect_less_often() -> None:
    """Make the garbage collector's full scans rarer than by default.

    The bot can't answer during one (`python -m benchmarks.soak`, docs/reliability.md). Memory use
    doesn't grow: most objects are freed at once by their reference counts.
    """
    gc.set_threshold(*_THRESHOLDS)


def spare_what_lives() -> None:
    """Exempt all current objects from garbage collection.

    A full scan blocks answers, and most objects are the program itself, which never becomes
    garbage. Young objects are collected first, so that no garbage is kept.
    """
    gc.collect(1)
    gc.freeze()


async def serve(
    running: Coroutine[Any, Any, None],
    stop: Callable[[], Awaitable[None]],
    last_resort: Callable[[], object] = lambda: None,
    watches: Iterable[Callable[[], Coroutine[Any, Any, None]]] = (),
) -> None:
    """Await `running`, the bot, until SIGTERM, Ctrl-C, or an exception in a watch; then `stop` it.

    If `running` ends by itself or fails, stop too. An exception of `running` or of a watch is
    raised after the stop. A watch that returns stops nothing. `last_resort` is called once, just
    before `stop`.
    """
    collect_less_often()
    loop = asyncio.get_running_loop()
    stopping = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError):  # Windows raises KeyboardInterrupt instead
            loop.add_signal_handler(number, stopping.set)
    serving = asyncio.create_task(running, name="discord")
    waiting = asyncio.create_task(stopping.wait(), name="signals")
    watching = {asyncio.create_task(watch(), name="watch") for watch in watches}
    awaited: set[asyncio.Task[Any]] = {serving, waiting, *watching}
    async with run_watchdog():  # to the end: stopping needs threads too
        try:
            while not (serving.done() or waiting.done()):
                ended, awaited = await asyncio.wait(awaited, return_when=asyncio.FIRST_COMPLETED)
                for task in ended:
                    task.result()
        finally:
            for task in {waiting, *watching}:
                task.cancel()
            last_resort()
            await stop()
            # the client library may sleep for up to ten minutes before it reconnects
            serving.cancel()
            await asyncio.wait({serving}, timeout=STOP.library)


def end_in_time() -> None:
    """Start a timer that ends the process after `STOP_WITHIN` seconds, even if something hangs.

    Nothing is lost: every acknowledged move is committed, and the next start shows it.
    """

    def end() -> None:
        log.warning("bot: did not stop in time; what was under way is for the next start")
        logging.shutdown()
        os._exit(0)

    timer = threading.Timer(STOP_WITHIN, end)
    timer.daemon = True
    timer.start()
