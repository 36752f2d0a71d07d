"""The local Discord's REST API and gateway, used without a client library."""

import io
import json
import zlib
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

import aiohttp
import pytest

from bot.sandbox import Sandbox
from bot.sandbox.errors import ApiError
from tests import openapi

AUTHORIZATION = {"Authorization": "Bot sandbox"}
DESCRIPTION = openapi.load()


class Raw:
    """A client without a library: it sends requests and returns each answer as (status, JSON).

    `api` checks each answer against Discord's description of it.
    """

    def __init__(self, world: Sandbox) -> None:
        self.world = world

    async def __aenter__(self) -> Self:
        self.http = aiohttp.ClientSession()
        self.sockets: list[Socket] = []  # held, so that none is thrown away while it is open
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for socket in self.sockets:
            await socket.socket.close()
        await self.http.close()

    async def api(
        self,
        method: str,
        path: str,
        body: Any = None,
        files: list[tuple[str, bytes]] | None = None,
        headers: dict[str, str] = AUTHORIZATION,
    ) -> tuple[int, Any]:
        sent: dict[str, Any] = {"json": body} if body is not None else {}
        if files is not None:
            form = aiohttp.FormData(quote_fields=False)
            form.add_field("payload_json", json.dumps(body))
            for n, (name, content) in enumerate(files):
                form.add_field(
                    f"files[{n}]", io.BytesIO(content), filename=name, content_type="image/png"
                )
            sent = {"data": form}
        url = self.world.api_url + path
        async with self.http.request(method, url, headers=headers, **sent) as response:
            status = response.status
            answer = await response.json() if status != 204 else None
        address = path.partition("?")[0]
        for request in reversed(self.world.state.requests):
            if (request.method, request.path) == (method, address):
                assert DESCRIPTION.answer_faults(method, request.route, status, answer) == []
                break
        return status, answer

    async def page(self, method: str, path: str, body: Any = None, **query: str) -> tuple[int, Any]:
        url = self.world.base_url + path
        async with self.http.request(method, url, json=body, params=query) as response:
            return response.status, await response.json()

    async def send(self, channel_id: str, body: Any, **kwargs: Any) -> tuple[int, Any]:
        return await self.api("POST", f"/channels/{channel_id}/messages", body, **kwargs)


class Socket:
    """A gateway connection with a single zlib stream."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self._inflate = zlib.decompressobj()

    @classmethod
    async def connect(cls, raw: Raw) -> "Socket":
        url = raw.world.gateway_url + "?v=10&encoding=json&compress=zlib-stream"
        connection = cls(await raw.http.ws_connect(url))
        raw.sockets.append(connection)
        return connection

    @classmethod
    async def connect_and_greet(cls, raw: Raw) -> "Socket":
        """Return a connection that has received HELLO."""
        connection = await cls.connect(raw)
        assert (await connection.hear())["op"] == 10
        return connection

    async def say(self, operation: int, body: Any) -> None:
        await self.socket.send_json({"op": operation, "d": body})

    async def identify(self, **kwargs: Any) -> None:
        await self.say(2, {"token": "sandbox", "intents": 1, "properties": {}} | kwargs)

    async def hear(self) -> Any:
        """Return the next message, with its fields `op`, `d`, `s` and `t`, or the close code."""
        frame = await self.socket.receive()
        if frame.type is aiohttp.WSMsgType.CLOSE:
            return frame.data
        assert frame.data.endswith(b"\x00\x00\xff\xff")
        message = json.loads(self._inflate.decompress(frame.data))
        assert message.keys() == {"op", "d", "s", "t"}
        return message

    async def hear_event(self, name: str) -> Any:
        while True:
            message = await self.hear()
            if message["t"] == name:
                return message


def refusal(answer: tuple[int, Any]) -> tuple[int, int]:
    """Return the HTTP status and Discord's error code of a refusal."""
    status, body = answer
    return status, body["code"]


def error_of(check: Callable[..., object], *args: object) -> ApiError:
    with pytest.raises(ApiError) as caught:
        check(*args)
    return caught.value


def codes_at(error: ApiError, path: str) -> list[str]:
    """Return the codes at a dotted path in the nested errors of an error 50035."""
    assert (error.status, error.code, error.message) == (400, 50035, "Invalid Form Body")
    at: Any = error.errors
    for step in path.split("."):
        at = at[step]
    return [fault["code"] for fault in at["_errors"]]
