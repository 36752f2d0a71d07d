"""Manage gateway sessions: when a shard may identify, why a session ended, and reconnects.

Discord takes one identify every five seconds for each `shard_id % max_concurrency`, across
processes; an identify that comes too soon is refused, and still counts towards the day's thousand.

Sources: https://discord.com/developers/docs/events/gateway#rate-limiting, close codes:
https://discord.com/developers/docs/topics/opcodes-and-status-codes#gateway
"""

from __future__ import annotations

import asyncio
import copy
import logging
import random
import re
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final

import discord
import structlog
from discord.gateway import DiscordWebSocket, ReconnectWebSocket
from discord.http import Route
from discord.shard import EventItem, EventType

from bot.retry import RetryPolicy
from bot.settings.proxies import proxy_for
from bot.settings.shards import Processes, Shards

log = structlog.get_logger(__name__)

FIRST_WITHIN: Final = 300.0  # seconds from the start to the first session
# seconds to wait for a session: about a thousand times the usual, and long enough that constant
# retries stay within a day's thousand
SESSION_WITHIN: Final = 90.0
IDENTIFY_SECONDS: Final = 5.25  # Discord's five seconds, plus a margin for the network
_LOCK: Final = "identify"


@dataclass(frozen=True, slots=True)
class Ended:
    """Why there is no session: a sentence for the host. `lasting`: a restart won't help."""

    sentence: str
    lasting: bool


class NoSession(Exception):
    """The gateway gave no session in time, though Discord's HTTP API answers."""


class NotDiscord(Exception):
    """Something other than Discord answers at its address; `str()` is a sentence to show."""


@contextmanager
def as_discord(client: discord.Client) -> Iterator[None]:
    """Raise `NotDiscord` if the block's login gets a reply that discord.py can't read."""
    try:
        yield
    except (KeyError, TypeError, ValueError) as error:
        if client.user is not None:  # an error after that is a mistake of our own
            raise
        raise NotDiscord(
            f"{Route.BASE} does not answer as Discord does; look at discord.api_url"
        ) from error


# 4004 and the other codes that mean a new session would be refused again
_LASTING: Final = {
    4004: "Discord does not take the token any more (4004): copy it anew from the Bot page of your"
    " application",
    4010: "Discord refuses the shard (4010): this Bluffhouse asks for one that is not there; look"
    " at shards.count and shards.ids",
    4011: "Discord asks for more shards (4011): the bot is in too many servers for so few; raise"
    " shards.count, for all processes alike",
    4012: "Discord does not speak this version of its gateway any more (4012): install the newest"
    " Bluffhouse",
    4013: "Discord does not know the intents that were asked for (4013): install the newest"
    " Bluffhouse, and look at discord.gateway_url",
    4014: "Discord refuses the intents that were asked for (4014). Bluffhouse asks for none that is"
    " privileged: install the newest, and look at discord.gateway_url",
}


def why_ended(
    error: discord.ConnectionClosed | discord.PrivilegedIntentsRequired | NoSession,
) -> Ended:
    """Return what to tell the host about an error that ended or prevented a gateway session."""
    if isinstance(error, NoSession):
        return Ended(str(error), lasting=False)
    code = 4014 if isinstance(error, discord.PrivilegedIntentsRequired) else error.code
    if code in _LASTING:
        return Ended(_LASTING[code], lasting=True)
    return Ended(f"Discord closed the session ({code}); start again", lasting=False)


@dataclass(frozen=True, slots=True)
class GatewayAdvice:
    """The answer of `/gateway/bot`: how many shards, and how many may identify at once.

    `remaining`: how many more sessions may begin today.
    """

    shards: int
    max_concurrency: int
    remaining: int


FEWEST_LEFT: Final = 50  # sessions of a day's thousand that a start must leave
# seconds until Discord is asked again, as the day's count may have been reset
ASKED_AGAIN: Final = 3600.0
_MOMENT: Final = 60.0
_SECONDS: Final = re.compile(r"\d{1,9}(\.\d+)?")


class Waits:
    """The waits that Discord demands before a session begins.

    `why`: the reason of the current wait, or None. `ended`: when the last wait ended, in seconds on
    the loop's clock.
    """

    def __init__(self, sleep: Callable[[float], Awaitable[object]] = asyncio.sleep) -> None:
        self.why: str | None = None
        self.ended = float("-inf")
        self._sleep = sleep

    async def wait(self, seconds: float, why: str) -> None:
        """Wait for `seconds`; until then, the attribute `Waits.why` is the given reason."""
        log.warning(
            "discord: waiting before the session begins", why=why, minutes=round(seconds / 60, 1)
        )
        self.why = why
        try:
            await self._sleep(seconds)
        finally:
            self.why = None
            self.ended = asyncio.get_running_loop().time()


async def gateway_advice(client: discord.Client, served: Shards, waits: Waits) -> GatewayAdvice:
    """Wait until enough sessions are left today, then return Discord's advice.

    If a session begins when none is left, Discord resets the token. Raises Discord's errors.
    """
    while True:
        try:
            shards, _, limit = await client.http.get_bot_gateway()
        except discord.RateLimited as error:
            await waits.wait(error.retry_after, f"Discord asks for {error.retry_after:.0f} seconds")
            continue
        needed = len(served.ids) or shards
        if limit["remaining"] >= max(FEWEST_LEFT, needed):
            break
        until = limit["reset_after"] / 1000
        why = (
            f"Discord allows {limit['remaining']} more sessions today, and resets the token of a"
            f" bot that begins more; it counts anew in {until / 3600:.1f} hours"
        )
        await waits.wait(min(until + 1.0, ASKED_AGAIN), why)
    if served.count and served.count < shards:
        log.info("discord: more shards are advised", advised=shards, count=served.count)
    return GatewayAdvice(max(1, shards), max(1, limit["max_concurrency"]), limit["remaining"])


def requested_wait(error: discord.RateLimited | discord.HTTPException) -> float | None:
    """Return how many seconds Discord asks to wait, 60 if it gives no number.

    Return None if the error isn't about a rate limit.
    """
    if isinstance(error, discord.RateLimited):
        return error.retry_after
    if error.status != 429:
        return None
    header = str(error.response.headers.get("Retry-After", ""))
    return float(header) if _SECONDS.fullmatch(header) else _MOMENT


RETRY: Final = RetryPolicy(first=2.0, longest=30.0)
# for tries that begin sessions: half of these waits on average, so a day needs fewer than a
# thousand
RETRY_IDENTIFY: Final = RetryPolicy(first=2.0, longest=200.0)
RESUMES: Final = 5  # resumes in a row that the gateway closes before their session is given up
LINE_SECONDS: Final = 60.0  # seconds between two log lines that say the same
_WELL_FOR: Final = 120.0  # seconds after which a lost connection counts as new trouble


class Backoff:
    """The wait before the next try to connect: the more failures in a row, the longer.

    If the previous try was long ago, the next one is made at once. Other waits are random, so
    that many bots don't all return at the same moment after an outage. Each wait is counted
    from the previous try.
    """

    def __init__(
        self,
        now: Callable[[], float] = time.monotonic,
        chance: Callable[[float, float], float] = random.uniform,
    ) -> None:
        self._now = now
        self._chance = chance
        self._tried = float("-inf")
        self._failed = 0

    def delay(self, policy: RetryPolicy | None = None) -> float:
        """Return the seconds until the next try. discord.py calls this if it can't connect.

        `policy`: how the waits grow; by default, `RETRY`.
        """
        now = self._now()
        if now - self._tried > _WELL_FOR:
            self._failed, self._tried = 0, now
            return 0.0
        self._failed += 1
        pause = self._chance(0.0, (policy or RETRY).pause(self._failed))
        pause = max(0.0, self._tried + pause - now)
        self._tried = now + pause
        return pause


_leaving: Final[set[asyncio.Task[None]]] = set()


def persevere(shard: Any, is_away: Callable[[], bool]) -> None:
    """Make one of discord.py's shards reconnect soon after an outage, and resume its session.

    By default, the library waits for up to 1,024 s if it can't connect, doesn't wait if the
    gateway closed the connection, and gives up the session after the first failed try. Here,
    the shard's `Backoff` decides every wait. The shard tries to resume its session, alternately
    at the session's own address and at the default address. It stops when Discord says that the
    session is over, or has closed `RESUMES` tries in a row. The shard leaves a gateway that
    gives no session within `SESSION_WITHIN` seconds. `is_away` returns whether the shard has no
    session.
    """
    resume_address = common = DiscordWebSocket.DEFAULT_GATEWAY
    backoff = shard._backoff = Backoff()
    resuming = False  # whether the latest try was a RESUME
    closed = 0  # tries to resume in a row that the gateway closed
    due: ReconnectWebSocket | None = None  # the reconnect whose wait is over

    async def reconnect() -> None:
        """Try again without a wait: the library has waited already, after it failed to connect."""
        nonlocal resuming
        if shard.ws.session_id is not None:
            try_elsewhere()
            await resume_or_identify()
            return
        resuming = False
        await type(shard).reconnect(shard)
        limit()

    async def reidentify(why: ReconnectWebSocket) -> None:
        """Reconnect, now or later, after the gateway closed a connection or asked to reconnect."""
        nonlocal closed, due
        if why is due:
            due = None
            await resume_or_identify()
            return
        has_failed = is_away()
        closed = closed + 1 if has_failed and why.resume and resuming else 0
        if closed >= RESUMES:
            log.warning("gateway: does not resume the session, beginning another", shard=shard.id)
            shard.ws.session_id = shard.ws.sequence = None
        elif closed:
            try_elsewhere()
        anew = shard.ws.session_id is None
        pause = 0.0
        if not (anew and resuming):  # switch from one address to the other at once
            pause = backoff.delay(RETRY_IDENTIFY if anew else RETRY)
        if _is_due(("again", shard.id), has_failed):
            log.warning("gateway: still lost, trying again", shard=shard.id, seconds=round(pause))
        if not pause:
            await resume_or_identify()
            return
        shard._dispatch("disconnect")
        shard._dispatch("shard_disconnect", shard.id)
        due = why
        shard._task = asyncio.create_task(come_back(why, pause), name=f"gateway-{shard.id}")

    async def come_back(why: ReconnectWebSocket, pause: float) -> None:
        await asyncio.sleep(pause)
        kind = EventType.resume if why.resume else EventType.identify
        shard._queue_put(EventItem(kind, shard, why))  # other shards use the queue meanwhile

    async def resume_or_identify() -> None:
        nonlocal resuming
        resuming = shard.ws.session_id is not None
        await type(shard).reidentify(shard, ReconnectWebSocket(shard.id, resume=resuming))
        limit()

    def try_elsewhere() -> None:
        nonlocal resume_address
        if shard.ws.gateway == common:
            shard.ws.gateway = resume_address
        else:
            resume_address, shard.ws.gateway = shard.ws.gateway, common

    def limit() -> None:
        asyncio.get_running_loop().call_later(SESSION_WITHIN, leave, shard.ws)

    def leave(socket: Any) -> None:
        if socket is not shard.ws or not socket.open or not is_away():
            return
        log.warning("gateway: gave no session, trying another", shard=shard.id)
        socket.session_id = socket.sequence = None
        _leaving.add(task := asyncio.create_task(socket.close()))
        task.add_done_callback(_leaving.discard)

    shard.reconnect, shard.reidentify = reconnect, reidentify
    limit()


def gateway_by_its_proxy(client: discord.Client) -> None:
    """Make the client connect to the gateway through the gateway's own proxy.

    discord.py has only one proxy setting for the gateway and for requests.
    """
    http = client.http

    async def connect(url: str, *, compress: int = 0) -> Any:
        proxied = copy.copy(http)
        proxied.proxy = proxy_for(url)
        return await type(http).ws_connect(proxied, url, compress=compress)

    http.ws_connect = connect  # type: ignore[method-assign]


def listing(state: Any) -> None:
    """Make the client forget a shard's servers that are missing from a new session's list.

    The library would keep servers that removed the bot while a shard was away. If Discord doesn't
    name the session's shard, take the shard whose connection has the session id.
    """
    parse = state.parsers["READY"]

    def ready(event: Any) -> None:
        if "shard" not in event:
            event = {**event, "shard": [_shard_of(state, event), state.shard_count]}
        shard = event["shard"][0]
        listed = {int(guild["id"]) for guild in event["guilds"]}
        for guild in [known for known in state.guilds if known.shard_id == shard]:
            if guild.id not in listed:
                state._remove_guild(guild)
        parse(event)

    state.parsers["READY"] = ready


def _shard_of(state: Any, event: Any) -> int:
    """Return the shard that has an event's session. Raises `LookupError` if no shard has it."""
    for shard in state.shard_ids:
        with suppress(KeyError):  # it has no connection yet
            if state._get_websocket(shard_id=shard).session_id == event["session_id"]:
                return int(shard)
    raise LookupError("a session of no shard")


# beginnings of the library's log lines that one line of our own replaces, by logger
LINES: Final = {
    "discord.shard": (
        "Attempting a reconnect for shard ID",
        "Failed to connect for shard_id",
    ),
    "discord.client": ("Attempting a reconnect in",),
}
_LINE_STARTS: Final = (*LINES["discord.shard"], *LINES["discord.client"])


_logged_at: Final[dict[object, float]] = {}  # by subject, when a line was last written


def _is_due(about: object, wanted: bool = True) -> bool:
    """Return whether to log a line about a subject now: at most one a minute.

    If not `wanted`, return False, and allow no line about the subject for the next minute.
    """
    now = time.monotonic()
    if wanted and now - _logged_at.get(about, float("-inf")) < LINE_SECONDS:
        return False
    _logged_at[about] = now
    return wanted


def _in_one_line(record: logging.LogRecord) -> bool:
    """Return whether to log a record; log one line instead of a reconnection's traceback."""
    error = record.exc_info[1] if isinstance(record.exc_info, tuple) else None
    if error is None or not str(record.msg).startswith(_LINE_STARTS):
        return True
    arguments = record.args if isinstance(record.args, tuple) else ()
    if not _is_due((record.msg, arguments[:1] if record.name == "discord.shard" else ())):
        return False
    seconds = arguments[-1] if arguments else None
    log.warning(
        "gateway: lost, trying again",
        error=type(error).__name__,
        why=str(error) or None,
        seconds=round(seconds, 1) if isinstance(seconds, float) else None,
    )
    return False


def quieten() -> None:
    """Log reconnections in one line from now on."""
    _logged_at.clear()
    for name in LINES:
        logging.getLogger(name).addFilter(_in_one_line)


class Gate:
    """Lets shards identify one by one, in each of Discord's `max_concurrency` groups of shards."""

    def __init__(self, processes: Processes) -> None:
        self._processes = processes
        self.max_concurrency = 1
        self._entered: set[int] = set()  # shards that hold their lock and have not identified yet
        self._resting: set[asyncio.Task[None]] = set()

    async def enter(self, shard: int) -> None:
        """Wait for the shard's turn, which ends some seconds after `passes` or `gives_up`."""
        if shard not in self._entered:
            await self._processes.lock(_LOCK, shard % self.max_concurrency)
            self._entered.add(shard)

    async def passes(self, shard: int) -> None:
        """End the shard's turn `IDENTIFY_SECONDS` from now. Called when the shard identifies.

        The turn lasts until then even if this process ends earlier.
        """
        if shard in self._entered:
            bucket = shard % self.max_concurrency
            await self._processes.outlast(_LOCK, bucket, IDENTIFY_SECONDS)
        self._rest_of(shard)

    def _rest_of(self, shard: int) -> None:
        if shard in self._entered:
            self._entered.discard(shard)
            task = asyncio.create_task(self._rest(shard), name=f"identify-{shard}")
            self._resting.add(task)
            task.add_done_callback(self._resting.discard)

    def gives_up(self, shard: int) -> None:
        """End the turn, if any, of a shard that couldn't connect, after `IDENTIFY_SECONDS`."""
        self._rest_of(shard)

    async def _rest(self, shard: int) -> None:
        try:
            await asyncio.sleep(IDENTIFY_SECONDS)
        finally:
            await self._processes.unlock(_LOCK, shard % self.max_concurrency)

    def close(self) -> None:
        """End at once the turn of every shard that has identified or given up.

        The turns of other shards end with the process.
        """
        for task in list(self._resting):
            task.cancel()
