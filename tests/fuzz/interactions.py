"""Random interactions in batches; each batch is sent to a new bot.

A batch that fails is reported with the command that repeats it. The bot and its Discord are in
`setup`, the checks in `judge`. In addition, no error may be logged or raised.
"""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any, Final
from unittest.mock import patch

import structlog
from structlog.testing import capture_logs

from bot.sandbox.errors import CannotDo
from tests.fuzz.judge import Judge
from tests.fuzz.kinds import Report, Verdict
from tests.fuzz.setup import InteractionSetup
from tests.sessions.run import virtual

AT_ONCE: Final = 250  # payloads to one bot
REPEAT: Final = "python -m tests.fuzz payloads --seed {seed} --first {first} --payloads {payloads}"


@contextmanager
def listening() -> Iterator[Callable[[], list[str]]]:
    """Yield a function that returns the errors logged so far, by the bot and by libraries."""
    lines: list[str] = []
    handler = logging.Handler(logging.ERROR)
    handler.emit = lambda record: lines.append(handler.format(record))  # type: ignore[method-assign]
    root = logging.getLogger()
    root.addHandler(handler)
    try:
        with capture_logs() as entries:
            wrong = ("error", "critical")
            yield (
                lambda: (
                    lines + [_error_line(entry) for entry in entries if entry["log_level"] in wrong]
                )
            )
    finally:
        root.removeHandler(handler)


def _error_line(entry: Any) -> str:
    error = entry.get("exc_info")
    if not isinstance(error, BaseException):
        return str(entry)
    frames = traceback.extract_tb(error.__traceback__, limit=-4)
    where = " ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames)
    return f"{entry['event']}: {error!r} at {where}"


async def _open_tables(setup: InteractionSetup) -> None:
    """Start a match of each game, and open a lobby in the other server."""
    ann, bob, cleo, dan, mal = setup.people
    first, second, far = setup.channels
    for channel, host, others, game in (
        (first, ann, (bob, cleo), "Liars' Poker"),
        (second, bob, (dan,), "Thai Poker"),
    ):
        out = await (await host.slash(channel, "play", game=game)).settle()
        for guest in others:
            await guest.click(out.seen, "Join")
        await host.click(out.seen, "Start")
    await mal.slash(far, "play", game="Thai Poker", computers=2)
    await asyncio.sleep(5)


async def _send(folder: Path, chance: Random, many: int, verdict: Verdict) -> None:
    setup = InteractionSetup(folder, chance)
    with patch.object(setup.world.interactions, "callback", setup.count_answers):
        async with setup.active():
            await setup.open()
            await asyncio.wait_for(_open_tables(setup), 60)
            judge = Judge(setup, chance, verdict)
            for _ in range(many):
                with suppress(CannotDo):
                    await judge.judge_next()
                assert setup.alive, "the bot has stopped"


def batch(seed: int, number: int, many: int, verdict: Verdict) -> str | None:
    """Send `many` interactions to a new bot; return what went wrong, or None.

    All choices follow from `seed` and `number`, the number of the first interaction. Outcomes are
    counted in `verdict`.
    """
    with virtual() as (loop, folder), listening() as heard:
        try:
            loop.run_until_complete(_send(folder, Random(f"{seed} {number}"), many, verdict))
            return "\n".join(heard()) or None
        except Exception as error:
            return "\n".join((f"{type(error).__name__}: {error}", *heard()))


def run(seed: int, first: int, payloads: int, report: Report) -> Verdict:
    """Send `payloads` interactions from number `first` on; report how to repeat failures."""
    verdict = Verdict()
    for number in range(first, first + payloads, AT_ONCE):
        many = min(AT_ONCE, first + payloads - number)
        wrong = batch(seed, number, many, verdict)
        if wrong is not None:
            repeat = REPEAT.format(seed=seed, first=number, payloads=many)
            verdict.failures.append(repeat)
            report(f"{wrong}\n    {repeat}")
    return verdict


def quiet() -> None:
    """Print nothing that the bot logs."""
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory())
