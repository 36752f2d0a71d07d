"""Every request of the library's to Discord: held back until its turn, and told to who counts.

By what Discord says of the time it is seen how far this machine's clock is from its.
"""

from __future__ import annotations

import time
from types import SimpleNamespace

import aiohttp

from bot.discord.duplicate_instance import DuplicateInstances
from bot.discord.pacing import Pace, counts
from bot.language.moments import host_clock
from bot.operations.metrics import Meters


def tracing(meters: Meters, duplicates: DuplicateInstances, pace: Pace) -> aiohttp.TraceConfig:
    """What discord.py is to be given as `http_trace`."""
    trace = aiohttp.TraceConfig()

    async def began(
        _: aiohttp.ClientSession, here: SimpleNamespace, request: aiohttp.TraceRequestStartParams
    ) -> None:
        asked = here.began = time.perf_counter()
        if counts(request.url):
            await pace.turn()
            here.began = time.perf_counter()
            meters.held_back(here.began - asked)
        here.at = time.time()

    async def ended(
        _: aiohttp.ClientSession, here: SimpleNamespace, request: aiohttp.TraceRequestEndParams
    ) -> None:
        duplicates.requested(request.url.path)
        took = time.perf_counter() - here.began
        meters.requested(request.method, request.url.path, request.response.status, took)
        host_clock.answered(request.response.headers.get("Date"), here.at, time.time())

    async def failed(
        _: aiohttp.ClientSession,
        here: SimpleNamespace,
        request: aiohttp.TraceRequestExceptionParams,
    ) -> None:
        duplicates.requested(request.url.path)
        took = time.perf_counter() - here.began
        meters.requested(request.method, request.url.path, 0, took)

    trace.on_request_start.append(began)
    trace.on_request_end.append(ended)
    trace.on_request_exception.append(failed)
    return trace
