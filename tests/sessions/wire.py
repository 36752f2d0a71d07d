"""The network between the bot and the local Discord, without sockets: slow, but in Discord's order.

The client library uses a stand-in for aiohttp's session. A request reaches the emulator's own
routes as aiohttp's server would hand it to them, so both ends are the real code.
"""

from __future__ import annotations

import asyncio
import io
import re
from collections.abc import Callable
from contextvars import Context, copy_context
from random import Random
from typing import Any, Final

import aiohttp
from aiohttp import web
from multidict import CIMultiDict, CIMultiDictProxy, MultiDict
from yarl import URL

from bot.sandbox.emulator import Emulator
from bot.sandbox.gateway import Connection
from bot.sandbox.rest import ROUTES
from bot.sandbox.rest.call import PREFIX, answering
from tests.sessions.loop import LIFE, Life

BASE: Final = f"http://discord.invalid{PREFIX}"
# seconds; if the way took longer, no answer would arrive within Discord's three
LONGEST: Final = 1.0
GATEWAY: Final = "ws://discord.invalid/gateway"
_JSON: Final = CIMultiDictProxy(CIMultiDict({"Content-Type": "application/json"}))


class Network:
    """Everything between one emulator and the bots that come and go."""

    def __init__(self, world: Emulator, chance: Random) -> None:
        self.world = world
        self.chance = chance
        self._context: Context = copy_context()
        self._context.run(LIFE.set, None)  # the server's work goes on when a bot dies
        self._routes = [
            (route.method, _pattern(route.template), answering(world, route)) for route in ROUTES
        ]
        world.base_url = "http://discord.invalid"

    async def travel(self) -> None:
        """Wait as long as one way over the network takes."""
        slow = 0.4 if self.chance.random() < 0.03 else 0.01
        await asyncio.sleep(min(LONGEST, self.chance.expovariate(1 / slow)))

    def on_server(self, work: Any) -> asyncio.Task[Any]:
        """Start work for the server; it goes on even if the bot that caused it dies."""
        return asyncio.get_running_loop().create_task(work, context=self._context)

    async def request(self, request: _Request) -> web.Response:
        """Have the matching route answer a request.

        Raises AssertionError if there is no such route.
        """
        for method, pattern, handler in self._routes:
            match = pattern.fullmatch(request.path.removeprefix(PREFIX))
            if method == request.method and match:
                request.match_info = match.groupdict()
                return await handler(request)  # type: ignore[arg-type]
        raise AssertionError(f"no such route: {request.method} {request.path}")


def _pattern(template: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", template)
    return re.compile(
        "".join(
            f"(?P<{part}>[^/]+)" if at % 2 else re.escape(part) for at, part in enumerate(parts)
        )
    )


class _Transport:
    """A request's connection. A fault aborts it, and the answer is lost."""

    def __init__(self, abort: Callable[[], None]) -> None:
        self.abort = abort


class _Request:
    """A request as the emulator's routes read it."""

    def __init__(self, method: str, url: str, data: Any, headers: Any, params: Any) -> None:
        self.method = method
        self.path = URL(url).path  # decoded, as a server reads it: `@original`, not `%40original`
        self.query = {key: str(value) for key, value in (params or {}).items()}
        self.headers = CIMultiDict(headers or {})
        self.match_info: dict[str, str] = {}
        self.cut = False
        self.transport = _Transport(self._abort)
        self._data = data
        form = isinstance(data, aiohttp.FormData)
        self.content_type = "multipart/form-data" if form else "application/json"

    def _abort(self) -> None:
        self.cut = True

    async def read(self) -> bytes:
        """Return the body of a request that is not a form."""
        return self._data.encode() if isinstance(self._data, str) else self._data or b""

    async def post(self) -> MultiDict[Any]:
        """Return the fields of a form."""
        fields: MultiDict[Any] = MultiDict()
        for options, headers, value in self._data._fields:
            name = options["name"]
            if "filename" in options:
                content = value.read() if hasattr(value, "read") else value
                kind = headers.get("Content-Type", "application/octet-stream")
                fields.add(
                    name, web.FileField(name, options["filename"], io.BytesIO(content), kind, _JSON)
                )
            else:
                fields.add(name, value)
        return fields


class _Response:
    """An answer as the client library reads it."""

    def __init__(self, answer: web.Response) -> None:
        self.status = answer.status
        self.reason = answer.reason
        self.headers = answer.headers
        self._body = answer.body if isinstance(answer.body, bytes) else b""

    async def text(self, encoding: str = "utf-8") -> str:
        return self._body.decode(encoding)

    async def read(self) -> bytes:
        return self._body


class _Asking:
    """The context manager of `async with session.request(...) as response`."""

    def __init__(self, session: Session, request: _Request) -> None:
        self._session = session
        self._request = request

    async def __aenter__(self) -> _Response:
        life, network = self._session.life, self._session.network
        life.check()
        await network.travel()
        life.check()
        served = network.on_server(network.request(self._request))
        answer = await asyncio.shield(served)
        await network.travel()
        life.check()
        if self._request.cut:
            raise aiohttp.ServerDisconnectedError
        return _Response(answer)

    async def __aexit__(self, *_: object) -> None:
        return None


class Session:
    """The part of aiohttp.ClientSession that the client library uses."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.life = LIFE.get() or Life()
        self.closed = False

    def request(self, method: str, url: Any, **how: Any) -> _Asking:
        """Return a context manager that carries out the request when it is entered."""
        request = _Request(method, str(url), how.get("data"), how.get("headers"), how.get("params"))
        return _Asking(self, request)

    async def ws_connect(self, url: str, **_: object) -> _ClientSocket:
        """Open a websocket to the gateway."""
        await self.network.travel()
        self.life.check()
        client = _ClientSocket(self.network, self.life)
        self.life.ends.append(client.cut)
        return client

    async def close(self) -> None:
        """Mark the session as closed; there is no connection to close."""
        self.closed = True


class _ClientSocket:
    """The bot's end of a websocket: frames arrive in the order in which they were sent."""

    def __init__(self, network: Network, life: Life) -> None:
        self._network = network
        self._life = life
        self._frames: asyncio.Queue[aiohttp.WSMessage] = asyncio.Queue()
        self._coming: asyncio.Queue[aiohttp.WSMessage | None] = asyncio.Queue()
        self._server = _ServerSocket(self._coming)
        self.close_code: int | None = None
        self.closed = False
        connection = Connection(self._server, _Transport(self.cut), compress=None)  # type: ignore[arg-type]
        network.on_server(network.world.gateway.converse(connection))
        network.on_server(self._carry())

    async def _carry(self) -> None:
        while (frame := await self._coming.get()) is not None:
            await self._network.travel()
            if not self.closed:
                self._receive(frame)

    def _receive(self, frame: aiohttp.WSMessage) -> None:
        if frame.type is aiohttp.WSMsgType.CLOSE:
            self.close_code, self.closed = frame.data, True
        self._frames.put_nowait(frame)

    async def receive(self, timeout: float | None = None) -> aiohttp.WSMessage:
        """Return the next frame; `timeout` is ignored, since the library's heartbeats are off."""
        self._life.check()
        return await self._frames.get()

    async def send_str(self, text: str) -> None:
        """Send a frame to the gateway."""
        self._life.check()
        await self._network.travel()
        self._server.hears(aiohttp.WSMessage(aiohttp.WSMsgType.TEXT, text, None))

    async def close(self, *, code: int = 1000, message: bytes = b"") -> bool:
        """Close the websocket, and tell the gateway."""
        self.close_code = self.close_code or code
        self._server.close_code = code
        self.cut()
        return True

    def cut(self) -> None:
        """Cut the line: nothing gets through any more, either way."""
        if not self.closed:
            self.closed = True
            self._frames.put_nowait(aiohttp.WSMessage(aiohttp.WSMsgType.CLOSED, None, None))
        self._server.gone()


class _ServerSocket:
    """The gateway's end of a websocket."""

    def __init__(self, out: asyncio.Queue[aiohttp.WSMessage | None]) -> None:
        self._out = out
        self._heard: asyncio.Queue[aiohttp.WSMessage | None] = asyncio.Queue()
        self.closed = False
        self.close_code: int | None = None

    def hears(self, frame: aiohttp.WSMessage) -> None:
        """Receive a frame from the bot."""
        self._heard.put_nowait(frame)

    def gone(self) -> None:
        """Record that the other end has closed the connection."""
        if not self.closed:
            self.closed = True
            self._heard.put_nowait(None)
            self._out.put_nowait(None)

    async def send_str(self, text: str) -> None:
        """Send a frame to the bot. Raises ConnectionResetError if the line is cut."""
        if self.closed:
            raise ConnectionResetError("the line is cut")
        self._out.put_nowait(aiohttp.WSMessage(aiohttp.WSMsgType.TEXT, text, None))

    async def close(self, *, code: int = 1000, message: bytes = b"") -> bool:
        """Close the websocket, and tell the bot."""
        self.close_code = code
        self._out.put_nowait(aiohttp.WSMessage(aiohttp.WSMsgType.CLOSE, code, None))
        self.gone()
        return True

    def __aiter__(self) -> _ServerSocket:
        return self

    async def __anext__(self) -> aiohttp.WSMessage:
        frame = await self._heard.get()
        if frame is None:
            raise StopAsyncIteration
        return frame
