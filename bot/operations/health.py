"""How the bot is, over HTTP for whoever watches it: `/livez`, `/readyz` and `/metrics`.

Opt-in (`serving.port`) and on loopback unless told otherwise: nothing here asks who is asking.
`/livez` fails only when nothing answers any more; that Discord or the database is away is
`/readyz`'s to say. The former tells for how long the gateway has been lost.
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

WRITES_WITHIN: Final = 5.0  # seconds until a database that does not answer is one that is away
Look = Callable[[], Awaitable[str | None]]  # None: well; else what is wrong, in a few words


class CannotServe(Exception):
    """The port cannot be listened on; `str()` is a sentence fit to be shown."""


class HealthServer:
    """The HTTP server. `looks`: what has to be well for the bot to be ready, by name."""

    def __init__(self, host: str, port: int, meters: Meters, looks: Mapping[str, Look]) -> None:
        self._host, self._port = host, port
        self._meters = meters
        self._looks = looks
        self._leaving = False
        self._runner: web.AppRunner | None = None

    @property
    def address(self) -> str:
        """Where it listens, once it does."""
        assert self._runner is not None
        host, port = self._runner.addresses[0][:2]
        return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"

    async def start(self) -> None:
        """Listen. Raises `CannotServe`."""
        served = web.Application()
        served.router.add_get("/livez", self._livez)
        served.router.add_get("/readyz", self._readyz)
        served.router.add_get("/metrics", self._metrics)
        self._runner = web.AppRunner(served, access_log=None, shutdown_timeout=STOP.serving / 2)
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, self._host, self._port).start()
        except (OSError, UnicodeError) as error:  # the latter of a name that no host has
            await at_most(STOP.serving, self._runner.cleanup())
            self._runner = None
            said = (error.strerror if isinstance(error, OSError) else None) or str(error)
            raise CannotServe(
                f"serving.host {self._host} and serving.port {self._port} cannot be listened on"
                f" ({said}); choose others, for example 127.0.0.1 and 9418"
            ) from None

    def leave(self) -> None:
        """Not ready from now on, since the bot is being stopped."""
        self._leaving = True

    async def stop(self) -> None:
        """Listen no more."""
        if self._runner is not None:
            await at_most(STOP.serving, self._runner.cleanup())

    async def _livez(self, _: web.Request) -> web.Response:
        lost = round(self._meters.standing().lost_for)
        return web.json_response({"alive": True, "gateway_lost_seconds": lost})

    async def _readyz(self, _: web.Request) -> web.Response:
        wrong: dict[str, str] = {"bot": "stopping"}
        if not self._leaving:
            found = await asyncio.gather(*map(_trouble, self._looks.values()))
            wrong = {
                name: said
                for name, said in zip(self._looks, found, strict=True)
                if said is not None
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
    except Exception as error:  # a probe answers, whatever it meets
        return type(error).__name__


@asynccontextmanager
async def serving(
    chosen: schema.ServingSettings, meters: Meters, looks: Mapping[str, Look]
) -> AsyncIterator[Callable[[], None]]:
    """Serve until the block ends, if the settings ask for it. What is yielded makes it not ready.

    Raises `CannotServe`.
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
