"""The gateway, version 10: one websocket per shard, JSON, optionally compressed.

A session outlives its socket: events are stored meanwhile and sent on RESUME. Compression by zstd
needs a library, which any client that asks for zstd has too (Python 3.14 includes one). Source:
https://discord.com/developers/docs/events/gateway
"""

import asyncio
import importlib
import json
import logging
import re
import secrets
import zlib
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from aiohttp import WSMsgType, web

from bot.sandbox.clock import shard_of
from bot.sandbox.core import Core
from bot.sandbox.discord_state import Json
from bot.sandbox.errors import ApiError, BodyErrors
from bot.sandbox.limits import Admission
from bot.sandbox.payloads import guild_payload, own_user_payload
from bot.sandbox.rules import bodies

log = logging.getLogger(__name__)

DISPATCH, HEARTBEAT, IDENTIFY, PRESENCE = 0, 1, 2, 3
RESUME, RECONNECT, INVALID_SESSION, HELLO, ACK = 6, 7, 9, 10, 11
LEAVING = (1000, 1001)  # close codes of a client after which it must not resume
SESSION_ENDING = (4007, 4009)  # Discord's close codes that end the session

GUILDS = 1 << 0  # the only intent whose events are emulated
PRIVILEGED = 1 << 1 | 1 << 8 | 1 << 15  # members, presences, message content

# A client library records that it sent a heartbeat only afterwards, in a separate thread. Over
# loopback, an immediate answer can arrive before that and is then taken for the answer to the
# previous heartbeat: "41.3s behind". So the answer takes as long as over a fast network. In case a
# busy machine needs longer still, heartbeats are less than 10 s apart, the delay at which
# discord.py begins to warn (Discord itself asks for one every 41.25 s).
HEARTBEAT_INTERVAL_MS = 8_000
ACK_SECONDS = 0.1
REPLAY_KEPT = 1000
RESUMABLE_SECONDS = 180.0  # Discord gives no figure; in practice a few minutes

_EMPTY: Json = {"t": None, "s": None, "op": None, "d": None}  # each frame has all four

Send = Callable[[], Awaitable[None]]
Compress = Callable[[bytes], bytes]  # one stream per connection, flushed after each message
ZLIB, ZSTD = "zlib-stream", "zstd-stream"
_REAL_TOKEN = re.compile(r"[A-Za-z0-9_=-]+\.[A-Za-z0-9_=-]+\.[A-Za-z0-9_=-]+")


@dataclass
class GatewaySession:
    """One identified shard of the bot. `intents`: `GUILDS`, or 0 for interactions only."""

    id: str
    intents: int
    shard: tuple[int, int]
    connection: "Connection | None"
    sequence: int = 0
    lost_at: float | None = None  # when its connection broke
    sent: deque[Json] = field(default_factory=lambda: deque(maxlen=REPLAY_KEPT))


class Connection:
    """One websocket. Compresses everything it sends as one stream if requested."""

    def __init__(
        self,
        socket: web.WebSocketResponse,
        transport: asyncio.Transport | None,
        compress: Compress | None,
    ) -> None:
        self.socket = socket
        self.transport = transport
        self.session: GatewaySession | None = None
        self.deaf = False  # whether it sends and answers nothing
        self.ordered = False  # whether a fault has closed it
        self._compress = compress
        self._order = asyncio.Lock()

    async def send(self, message: Json) -> None:
        """Send a message; calls keep their order. A broken socket is only logged."""
        if self.deaf:
            return
        text = json.dumps(_EMPTY | message, separators=(",", ":"))
        async with self._order:
            try:
                if self._compress is None:
                    await self.socket.send_str(text)
                else:
                    await self.socket.send_bytes(self._compress(text.encode()))
            except (ConnectionError, RuntimeError) as error:
                log.info("gateway: a message could not be sent: %s", error)

    async def close(self, code: int, reason: str) -> None:
        """Close with a gateway close code: one of Discord's, 4000 to 4014, or 1001."""
        log.info("gateway: closing with %d (%s)", code, reason)
        await self.socket.close(code=code, message=reason.encode())


class Gateway:
    """All sessions of the bot."""

    def __init__(self, core: Core, admission: Admission | None = None) -> None:
        self._core = core
        self.admission = admission or Admission()
        self._background: set[asyncio.Task[None]] = set()
        self._sessions: dict[str, GatewaySession] = {}
        self._connections: set[Connection] = set()
        self._doubled = 0  # how many events to send twice
        self._reversed = 0  # how many to hold back and send in reverse
        self._held: list[tuple[GatewaySession, Json]] = []
        self._ignored = 0  # how many session requests to ignore
        self.cut = 0  # how many RESUMEs lose their connection
        self._silent = False  # whether new sessions get no servers
        self._without_guilds: list[GatewaySession] = []
        self.connected = asyncio.Event()

    @property
    def online(self) -> bool:
        """Whether any shard of the bot is connected."""
        return any(session.connection is not None for session in self._sessions.values())

    async def handle(self, request: web.Request) -> web.WebSocketResponse:
        """Serve one websocket until it closes: HELLO, then the bot's messages."""
        socket = web.WebSocketResponse(max_msg_size=4096 * 4)
        await socket.prepare(request)
        try:
            compress = compressor(request.query.get("compress"))
        except NotSpoken as kind:
            await Connection(socket, request.transport, None).close(
                4000, f"The compression {kind} is not emulated here"
            )
            return socket
        connection = Connection(socket, request.transport, compress)
        if request.query.get("v") != "10" or request.query.get("encoding") != "json":
            await connection.close(4012, "Only version 10 with JSON is emulated")
            return socket
        await self.converse(connection)
        return socket

    async def converse(self, connection: Connection) -> None:
        """Send HELLO, then answer the bot's messages until the connection closes."""
        self._connections.add(connection)
        await connection.send({"op": HELLO, "d": {"heartbeat_interval": HEARTBEAT_INTERVAL_MS}})
        try:
            await self._read(connection)
        finally:
            self._connections.discard(connection)
            self._detach(connection)

    async def _read(self, connection: Connection) -> None:
        async for frame in connection.socket:
            if frame.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
                await connection.close(4002, "Error while decoding payload.")
                return
            try:
                message = json.loads(frame.data)
                operation, body = message["op"], message.get("d")
                _check(operation, body)
            except (ValueError, KeyError, TypeError, RecursionError, ApiError):
                await connection.close(4002, "Error while decoding payload.")
                return
            await self._receive(connection, operation, body)

    async def _receive(self, connection: Connection, operation: int, body: Json) -> None:
        if operation == HEARTBEAT:
            self.later(lambda: _acknowledge(connection))
        elif operation in (IDENTIFY, RESUME) and self._ignored:
            self._ignored -= 1
        elif operation == RESUME and self.cut:
            self.cut -= 1
            if connection.transport is not None:
                connection.transport.abort()
        elif operation == IDENTIFY:
            await self._identify(connection, body)
        elif operation == RESUME:
            await self._resume(connection, body)
        elif connection.session is None:
            await connection.close(4003, "Not authenticated.")
        elif operation != PRESENCE:
            await connection.close(4001, "Unknown opcode.")

    async def _identify(self, connection: Connection, body: Json) -> None:
        if connection.session is not None:
            await connection.close(4005, "Already authenticated.")
            return
        if not is_sandbox_token(body["token"].removeprefix("Bot ")):
            await connection.close(4004, "Authentication failed.")
            return
        if body["intents"] & PRIVILEGED:
            await connection.close(4014, "Disallowed intent(s).")
            return
        if body["intents"] not in (0, GUILDS):
            log.error("gateway: only the intent of guilds is emulated, not %d", body["intents"])
            await connection.close(4013, "Invalid intent(s).")
            return
        number, count = body.get("shard") or (0, 1)
        if not 0 <= number < count:
            await connection.close(4010, "Invalid shard.")
            return
        served = sum(
            guild.has_bot and shard_of(guild.id, count) == number
            for guild in self._core.state.guilds.values()
        )
        if served > self.admission.guilds_a_shard:
            await connection.close(4011, "Sharding required.")
            return
        now = self._core.clock.now()
        if not self.admission.remaining(now):
            log.warning("gateway: all sessions of today are used up")
            await connection.close(4004, "Authentication failed.")  # Discord resets the token
            return
        if not self.admission.admits(number, now):
            log.warning("gateway: shard %d identifies too soon", number)
            await connection.send({"op": INVALID_SESSION, "d": False})
            return
        self._forget_lost()
        session = GatewaySession(
            secrets.token_hex(16), body["intents"], (number, count), connection
        )
        connection.session = session
        self._sessions[session.id] = session
        await self._ready(session)
        self._publish_presence()

    def _forget_lost(self) -> None:
        since = self._core.clock.now() - RESUMABLE_SECONDS
        for session in list(self._sessions.values()):
            if session.lost_at is not None and session.lost_at < since:
                del self._sessions[session.id]

    async def _ready(self, session: GatewaySession) -> None:
        state = self._core.state
        guilds = [g for g in state.guilds.values() if g.has_bot and _serves(session, g.id)]
        ready: Json = {
            "v": 10,
            "user": own_user_payload(state.bot),
            "guilds": [{"id": guild.id, "unavailable": True} for guild in guilds],
            "session_id": session.id,
            "resume_gateway_url": self._core.gateway_url,
            "shard": list(session.shard),
            "application": {"id": state.bot.id, "flags": 0},
            "private_channels": [],
        }
        await self._send(session, "READY", ready)
        if self._silent:
            self._without_guilds.append(session)
        else:
            await self._send_guilds(session)

    async def _send_guilds(self, session: GatewaySession) -> None:
        """Send the servers' contents, one by one, as Discord does some seconds after READY.

        A session without intents gets none.
        """
        if not session.intents:
            return
        for guild in list(self._core.state.guilds.values()):
            if guild.has_bot and not guild.down and _serves(session, guild.id):
                shape = guild_payload(self._core.state, guild)
                await self._send(session, "GUILD_CREATE", shape)

    async def _resume(self, connection: Connection, body: Json) -> None:
        self._forget_lost()
        session = self._sessions.get(body["session_id"])
        if not is_sandbox_token(body["token"].removeprefix("Bot ")):
            await connection.close(4004, "Authentication failed.")
            return
        sequence = body.get("seq") or 0
        missed = [m for m in session.sent if m["s"] > sequence] if session else []
        lost = session is not None and session.sequence - sequence != len(missed)
        if session is None or lost:
            await connection.send({"op": INVALID_SESSION, "d": False})
            return
        connection.session, session.connection, session.lost_at = session, connection, None
        for message in missed:
            await connection.send(message)
        await self._send(session, "RESUMED", {})
        self._publish_presence()

    def _detach(self, connection: Connection) -> None:
        session = connection.session
        if session is None or session.connection is not connection:
            return
        session.connection = None
        session.lost_at = self._core.clock.now()
        if connection.socket.close_code in LEAVING and not connection.ordered:
            self._sessions.pop(session.id, None)
        self._publish_presence()

    def _publish_presence(self) -> None:
        if self.online:
            self.connected.set()
        else:
            self.connected.clear()
        self._core.stream.publish({"type": "bot", "online": self.online})

    async def _send(self, session: GatewaySession, event: str, body: Json) -> None:
        session.sequence += 1
        message = {"op": DISPATCH, "t": event, "s": session.sequence, "d": body}
        session.sent.append(message)
        if self._reversed:
            self._reversed -= 1
            self._held.append((session, message))
            if not self._reversed:
                await self._release()
            return
        await self._deliver(session, message)

    async def _deliver(self, session: GatewaySession, message: Json) -> None:
        times = 2 if self._doubled else 1
        self._doubled = max(0, self._doubled - 1)
        for _ in range(times):
            if session.connection is not None:
                await session.connection.send(message)

    async def _release(self) -> None:
        held, self._held = self._held, []
        for session, message in reversed(held):
            await self._deliver(session, message)

    async def dispatch(self, event: str, body: Json, guild_id: str | None) -> None:
        """Send an event to every session that serves the server with the id `guild_id`.

        If `guild_id` is None, send the event to the sessions of shard 0. Sessions without intents
        get only INTERACTION_CREATE.
        """
        for session in list(self._sessions.values()):
            hears = session.intents or event == "INTERACTION_CREATE"
            if hears and _serves(session, guild_id):
                await self._send(session, event, body)

    async def drop_sockets(self) -> None:
        """Cut every connection without a close frame; the sessions can be resumed."""
        for connection in list(self._connections):
            if connection.transport is not None:
                connection.transport.abort()

    async def reconnect(self) -> None:
        """Ask the bot, on every connection, to reconnect (opcode 7) and resume."""
        for connection in list(self._connections):
            await connection.send({"op": RECONNECT, "d": None})

    async def close_gateway(self, code: int) -> None:
        """Close every connection with `code`; a code in `SESSION_ENDING` ends the sessions too."""
        for connection in list(self._connections):
            connection.ordered = True
            if connection.session is not None and code in SESSION_ENDING:
                self._sessions.pop(connection.session.id, None)
            await connection.close(code, "closed to order")

    def deafen_gateway(self) -> None:
        """Send nothing more on open connections. Connections opened later work normally."""
        for connection in self._connections:
            connection.deaf = True

    def duplicate_events(self, times: int = 1) -> None:
        """Send the next `times` events twice."""
        self._doubled += times

    def reverse_events(self, count: int = 2) -> None:
        """Hold back the next `count` events, then send them in reverse order."""
        self._reversed += count

    def ignore_sessions(self, times: int = 1) -> None:
        """Don't answer the next `times` IDENTIFY or RESUME messages; still answer heartbeats."""
        self._ignored += times

    def cut_resumes(self, times: int = 1) -> None:
        """Close the connection, without a close code, at each of the next `times` RESUMEs."""
        self.cut += times

    def keep_guilds(self) -> None:
        """Don't send servers to new sessions until `behave`."""
        self._silent = True

    def behave(self) -> None:
        """Stop all faults of the gateway, and send the events and servers that were held back."""
        self._silent, self._ignored, self.cut = False, 0, 0
        waiting_sessions, self._without_guilds = self._without_guilds, []
        for session in waiting_sessions:
            self.later(partial(self._send_guilds, session))
        self._doubled = self._reversed = 0
        if self._held:
            self.later(self._release)

    async def invalidate_sessions(self, resumable: bool = False) -> None:
        """Send INVALID_SESSION on every connection; forget the sessions unless `resumable`."""
        for connection in list(self._connections):
            if connection.session is not None and not resumable:
                self._sessions.pop(connection.session.id, None)
            await connection.send({"op": INVALID_SESSION, "d": resumable})

    def later(self, send: Send) -> None:
        """Run `send` in the background. `stop` cancels it."""

        async def run() -> None:
            await send()

        task = asyncio.create_task(run())
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    async def stop(self) -> None:
        """Drop unsent background messages, and close every connection with 1001."""
        for task in list(self._background):
            task.cancel()
        await asyncio.gather(*self._background, return_exceptions=True)
        for connection in list(self._connections):
            await connection.close(1001, "The local Discord stops")


def is_sandbox_token(token: str) -> bool:
    """Return whether the token is for the local Discord: a part of it begins with "sandbox".

    A token shaped like a real one, three parts separated by dots, is refused and logged. Some
    client libraries read the bot's id from the first part: for these use "MTIz.sandbox", where
    "MTIz" is "123" in base64.
    """
    if _REAL_TOKEN.fullmatch(token):
        log.error(
            "refused a token that looks like a real Discord token: this is a simulation; "
            'start the bot with a token such as "sandbox" instead'
        )
        return False
    return any(part.startswith("sandbox") for part in token.split("."))


def _check(operation: object, body: object) -> None:
    """Raise TypeError or ApiError for a message that no client would send."""
    if type(operation) is not int:
        raise TypeError(operation)
    schema = {IDENTIFY: bodies.IDENTIFY, RESUME: bodies.RESUME}.get(operation)
    if schema is not None:
        form = BodyErrors()
        schema.check(form, (), body)
        form.raise_if_wrong()


async def _acknowledge(connection: Connection) -> None:
    await asyncio.sleep(ACK_SECONDS)  # network time, independent of the world's clock
    if not connection.socket.closed:
        await connection.send({"op": ACK})


def _serves(session: GatewaySession, guild_id: str | None) -> bool:
    number, count = session.shard
    return shard_of(guild_id, count) == number


class NotSpoken(Exception):
    """A compression that Discord lacks, or whose library is missing."""


def compressor(kind: str | None) -> Compress | None:
    """Return the compressor of a connection's frames; None (plain text) if there is no `kind`.

    Raises `NotSpoken` for an unknown `kind`, or if the library for it is missing.
    """
    if not kind:
        return None
    if kind == ZLIB:
        deflate = zlib.compressobj()
        return lambda data: deflate.compress(data) + deflate.flush(zlib.Z_SYNC_FLUSH)
    if kind == ZSTD:
        return _zstd()
    raise NotSpoken(kind)


def _zstd() -> Compress:
    try:
        ours: Any = importlib.import_module("compression.zstd")
    except ImportError:
        return _zstandard()
    stream = ours.ZstdCompressor()
    return lambda data: bytes(stream.compress(data, mode=stream.FLUSH_BLOCK))


def _zstandard() -> Compress:
    try:
        library: Any = importlib.import_module("zstandard")
    except ImportError as error:
        raise NotSpoken(ZSTD) from error
    stream = library.ZstdCompressor().compressobj()
    end = library.COMPRESSOBJ_FLUSH_BLOCK
    return lambda data: bytes(stream.compress(data) + stream.flush(end))
