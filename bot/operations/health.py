"""The bot's state over HTTP, for monitoring: `/livez`, `/readyz` and `/metrics`.

Opt-in (`serving.port`), and on loopback by default, as there is no authentication. `/livez` fails
only when the process no longer answers; its body says for how long Discord's gateway has been lost.
`/readyz` fails while Discord or the database is lost, and while the bot stops.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Final

import structlog
from aiohttp import web

from bot.operations.metrics import Meters
from bot.operations.process_lifetime import STOP, at_most
from bot.settings import schema

log = structlog.get_logger(__name__)

WRITES_WITHIN: Final = 5.0  # seconds after which a database that does not answer counts as down
# returns None if all is well, or the trouble in a few words
Look = Callable[[], Awaitable[str | None]]


class CannotServe(Exception):
    """The port is not available. `str()` is a sentence to show."""


class HealthServer:
    """The HTTP server. `looks`: checks that must pass for the bot to be ready, by name."""

    def __init__(self, host: str, port: int, meters: Meters, looks: Mapping[str, Look]) -> None:
        self._host, self._port = host, port
        self._meters = meters
        self._looks = looks
        self._leaving = False
        self._runner: web.AppRunner | None = None

    @property
    def address(self) -> str:
        """The server's URL, once it is started."""
        assert self._runner is not None
        host, port = self._runner.addresses[0][:2]
        return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"

    async def start(self) -> None:
        """Start listening. Raises `CannotServe` if the port isn't available."""
        served = web.Application()
        served.router.add_get("/livez", self._livez)
        served.router.add_get("/readyz", self._readyz)
        served.router.add_get("/metrics", self._metrics)
        self._runner = web.AppRunner(served, access_log=None, shutdown_timeout=STOP.serving / 2)
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, self._host, self._port).start()
        except (OSError, UnicodeError) as error:  # the latter for an invalid host name
            await at_most(STOP.serving, self._runner.cleanup())
            self._runner = None
            detail = (error.strerror if isinstance(error, OSError) else None) or str(error)
            raise CannotServe(
                f"serving.host {self._host} and serving.port {self._port} cannot be listened on"
                f" ({detail}); choose others, for example 127.0.0.1 and 9418"
            ) from None

    def leave(self) -> None:
        """Report not ready from now on, as the bot is stopping."""
        self._leaving = True

    async def stop(self) -> None:
        """Stop listening."""
        if self._runner is not None:
            await at_most(STOP.serving, self._runner.cleanup())

    async def _livez(self, _: web.Request) -> web.Response:
        lost = round(self._meters.standing().lost_for)
        return web.json_response({"alive": True, "gateway_lost_seconds": lost})

    async def _readyz(self, _: web.Request) -> web.Response:
        wrong: dict[str, str] = {"bot": "stopping"}
        if not self._leaving:
            troubles = await asyncio.gather(*map(_trouble, self._looks.values()))
            wrong = {
                name: trouble
                for name, trouble in zip(self._looks, troubles, strict=True)
                if trouble is not None
            }
        return web.json_response({"ready": not wrong, "wrong": wrong}, status=503 if wrong else 200)

    async def _metrics(self, _: web.Request) -> web.Response:
        text = self._meters.text()
        headers = {"Content-Type": "text/plain; version=0.0.4; charset=utf-8"}
        return web.Response(body=text, headers=headers)


async def _trouble(look: Look) -> str | None:
    try:
        async with asyncio.timeout(WRITES_WITHIN):
            return await look()
    except TimeoutError:
        return "does not answer"
    except Exception as error:  # a probe must answer, whatever happens
        return type(error).__name__


@asynccontextmanager
async def serving(
    chosen: schema.ServingSettings, meters: Meters, looks: Mapping[str, Look]
) -> AsyncIterator[Callable[[], None]]:
    """Serve until the block ends, if `chosen` has a port.

    Yield a function that makes `/readyz` fail. Raises `CannotServe` if the port isn't available.
    """
    if not chosen.port:
        yield lambda: None
        return
    server = HealthServer(chosen.host, chosen.port, meters, looks)
    await server.start()
    log.info("serving: /livez, /readyz and /metrics", address=server.address)
    try:
        yield server.leave
    finally:
        await server.stop()
