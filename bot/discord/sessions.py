"""The gateway's side of a bot: why Discord ended a session for good, and how a lost one is said.

Close codes: https://discord.com/developers/docs/topics/opcodes-and-status-codes#gateway
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import discord
import structlog
from discord.http import Route

from bot.shards import Shards

log = structlog.get_logger(__name__)

FIRST_WITHIN: Final = 300.0  # seconds from the start to the first session


@dataclass(frozen=True, slots=True)
class Ended:
    """Why there is no session: one sentence for the host, and whether starting again may help."""

    sentence: str
    lasting: bool


class NoSession(Exception):
    """The gateway gave no session in time, though Discord's other interface answers."""


class NotDiscord(Exception):
    """Something else answers at Discord's address; `str()` is a sentence fit to be shown."""


@contextmanager
def as_discord(client: discord.Client) -> Iterator[None]:
    """Raises `NotDiscord` where the answer to who the bot is cannot be read by the library."""
    try:
        yield
    except (KeyError, TypeError, ValueError) as error:
        if client.user is not None:  # a later mistake is our own
            raise
        raise NotDiscord(
            f"{Route.BASE} does not answer as Discord does; look at discord.api_url"
        ) from error


# 4004 and the others by which Discord says that the same session would be refused again
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
    """What an error that ended `discord.Client.connect` means to a host."""
    if isinstance(error, NoSession):
        return Ended(str(error), lasting=False)
    code = 4014 if isinstance(error, discord.PrivilegedIntentsRequired) else error.code
    if code in _LASTING:
        return Ended(_LASTING[code], lasting=True)
    return Ended(f"Discord closed the session ({code}); start again", lasting=False)


@dataclass(frozen=True, slots=True)
class Advised:
    """What `/gateway/bot` says: how many shards, and how many of them may identify at once."""

    shards: int
    max_concurrency: int


async def advised(client: discord.Client, served: Shards) -> Advised:
    """Ask Discord. Raises `NoSession` where it allows fewer sessions today than are to begin."""
    shards, _, limit = await client.http.get_bot_gateway()
    wanted = len(served.ids) or shards
    if limit["remaining"] < wanted:
        hours = limit["reset_after"] / 3_600_000
        raise NoSession(
            f"Discord allows {limit['remaining']} more sessions today and {wanted} are to begin:"
            f" start again in {hours:.1f} hours"
        )
    if served.count and served.count < shards:
        log.info("discord: more shards are advised", advised=shards, count=served.count)
    return Advised(max(1, shards), max(1, limit["max_concurrency"]))


def listing(state: Any) -> None:
    """Have a new session's list of servers be the whole truth of its shard.

    The library forgets no server that has removed the bot while a shard was away.
    """
    parse = state.parsers["READY"]

    def ready(event: Any) -> None:
        shard = event["shard"][0]
        listed = {int(guild["id"]) for guild in event["guilds"]}
        for guild in [one for one in state.guilds if one.shard_id == shard]:
            if guild.id not in listed:
                state._remove_guild(guild)
        parse(event)

    state.parsers["READY"] = ready


_SAID: Final = ("Attempting a reconnect", "Failed to connect for shard_id")


class ReconnectInOneLine(logging.Filter):
    """Says in one line what the library says with a traceback when it has to connect again."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Called by logging for every line."""
        error = record.exc_info[1] if isinstance(record.exc_info, tuple) else None
        if error is None or not str(record.msg).startswith(_SAID):
            return True
        seconds = record.args[-1] if isinstance(record.args, tuple) and record.args else None
        log.warning(
            "gateway: lost, trying again",
            error=type(error).__name__,
            why=str(error) or None,
            seconds=round(seconds, 1) if isinstance(seconds, float) else None,
        )
        return False


def quieten() -> None:
    """Have it said so from now on; may be called again."""
    for name in ("discord.client", "discord.shard"):
        lines = logging.getLogger(name)
        if not any(isinstance(one, ReconnectInOneLine) for one in lines.filters):
            lines.addFilter(ReconnectInOneLine())
