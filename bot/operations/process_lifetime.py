"""The life of a process: served until it is to stop, and over in time whatever hangs."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import signal
import threading
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import astuple, dataclass
from typing import Any, Final, Protocol

import structlog

from bot.operations.watchdog import watched

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class StopBudget:
    """Seconds that each step of a stop may take; they follow one another, in this order.

    Together they are less than whoever supervises processes gives: ten seconds with `docker stop`,
    and what deploy/ says elsewhere. What is not finished by then is committed or was never
    acknowledged, and the next start goes on.
    """

    deadline: float = 1.25  # what a clock has just begun
    housekeeping: float = 0.5
    thinking: float = 0.25
    computing: float = 0.5
    drain: float = 2.25  # whoever is being answered, and what is being shown
    shards: float = 0.25  # which another process may wait for
    discord: float = 0.75
    library: float = 0.25  # the client library, perhaps asleep until it connects again
    serving: float = 0.25
    store: float = 0.5
    reports: float = 0.5  # errors that are unsent

    @property
    def whole(self) -> float:
        """All of them."""
        return float(sum(astuple(self)))


STOP: Final = StopBudget()
# seconds from the signal to the end of the process, whatever hangs between the steps
STOP_WITHIN: Final = STOP.whole + 0.25
# of the garbage collector: so many young objects, so many times, before it looks at older ones
_THRESHOLDS: Final = (5_000, 10, 10)
_given_up: set[asyncio.Task[None]] = set()


class Service(Protocol):
    """What is run, and stopped."""

    async def run(self, token: str) -> None:
        """Serve until stopped."""

    async def stop(self) -> None:
        """Finish what was asked, and leave."""


async def at_most(seconds: float, work: Coroutine[Any, Any, None]) -> None:
    """Do `work`, and give it up when it takes longer: it is cancelled, and not waited for."""
    task = asyncio.create_task(work)
    try:
        await asyncio.wait({task}, timeout=seconds)
    finally:
        if not task.done():
            task.cancel()
            _given_up.add(task)  # or it might be collected before it has ended
            task.add_done_callback(_given_up.discard)
    if task.done():
        task.result()


def collect_less_often() -> None:
    """Have the garbage collector look through everything more rarely than it does by itself.

    Nobody is answered while it does (`python -m benchmarks.soak`, docs/reliability.md). The bot
    holds no more memory for it: most of what is done with goes at once, as nothing refers to it.
    """
    gc.set_threshold(*_THRESHOLDS)


def spare_what_lives() -> None:
    """Have the garbage collector look through nothing that lives by now.

    It looks through everything every so often, and nobody is answered meanwhile (as above). Most of
    that is the program itself, which never becomes garbage. To collect before would be such a
    pause; only what is young is worth it.
    """
    gc.collect(1)
    gc.freeze()


async def serve(
    bot: Service,
    token: str,
    last_resort: Callable[[], object] = lambda: None,
    watches: Iterable[Callable[[], Coroutine[Any, Any, None]]] = (),
) -> None:
    """Run a bot until SIGTERM or Ctrl-C, or until a watch raises, which is raised when it stopped.

    A watch that returns has seen what it waited for. `last_resort` is called once when it is to
    stop.
    """
    collect_less_often()
    loop = asyncio.get_running_loop()
    stopping = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError):  # Windows raises KeyboardInterrupt instead
            loop.add_signal_handler(number, stopping.set)
    running = asyncio.create_task(bot.run(token), name="discord")
    waiting = asyncio.create_task(stopping.wait(), name="signals")
    watching = {asyncio.create_task(watch(), name="watch") for watch in watches}
    awaited: set[asyncio.Task[Any]] = {running, waiting, *watching}
    async with watched():  # to the end: stopping needs threads too
        try:
            while not (running.done() or waiting.done()):
                ended, awaited = await asyncio.wait(awaited, return_when=asyncio.FIRST_COMPLETED)
                for one in ended:
                    one.result()
        finally:
            for one in {waiting, *watching}:
                one.cancel()
            last_resort()
            await bot.stop()
            # the client library may be asleep until it connects again, for as long as ten minutes
            running.cancel()
            await asyncio.wait({running}, timeout=STOP.library)


def end_in_time() -> None:
    """Have the process end within `STOP_WITHIN` seconds from now, whatever hangs.

    That costs nothing: what was acknowledged is committed, and the next start shows it.
    """

    def end() -> None:
        log.warning("bot: did not stop in time; what was under way is for the next start")
        logging.shutdown()
        os._exit(0)

    timer = threading.Timer(STOP_WITHIN, end)
    timer.daemon = True
    timer.start()
