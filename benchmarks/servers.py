"""Measure the memory that an idle Discord server takes in the client library's cache.

    python -m benchmarks.servers [--servers 2500]

Each server has 45 channels in categories, each with four permission overwrites, 25 roles, 50 emoji,
five stickers, three threads, and 1,200 members, of whom Discord sends only the bot. Servers come as
GUILD_CREATE events, parsed once by the library and once as the bot does (`event_parsers`).
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import discord

from bot.discord.event_parsers import wrap_parsers

BOT: Final = "999"
CATEGORY, VOICE, TEXT = 4, 2, 0
WORDS: Final = "a topic of some forty characters, as channels have"


def channels(first: int) -> Iterator[dict[str, Any]]:
    """Yield the channels of the server with the id `first`."""
    overwrites = [
        {"id": str(first + role), "type": 0, "allow": "1024", "deny": "2048"} for role in range(4)
    ]
    for place in range(45):
        kind = CATEGORY if place % 9 == 0 else VOICE if place % 4 == 0 else TEXT
        parent = None if kind == CATEGORY else str(first + 1000 + place // 9 * 9)
        shape: dict[str, Any] = {
            "id": str(first + 1000 + place),
            "type": kind,
            "name": f"channel-{place}",
        }
        shape |= {"position": place, "parent_id": parent, "permission_overwrites": overwrites}
        if kind == TEXT:
            shape |= {"topic": WORDS, "last_message_id": str(first + 2000 + place)}
        if kind == VOICE:
            shape |= {"bitrate": 64_000, "user_limit": 0}
        yield shape


def server(number: int) -> Any:
    """Return a server's GUILD_CREATE event, parsed from JSON so that events share no values."""
    first = 10**18 + number * 10**6
    roles: list[dict[str, Any]] = [
        {"id": str(first + role), "name": f"role {role}", "permissions": "1071698660929"}
        | {"position": role, "color": 0, "hoist": False, "managed": False, "mentionable": False}
        for role in range(25)
    ]
    emoji = [{"id": str(first + 3000 + number), "name": f"emoji{number}"} for number in range(50)]
    sticker = {"type": 2, "format_type": 1, "description": "", "tags": "x", "available": True}
    stickers = [
        sticker
        | {"id": str(first + 4000 + number), "name": f"sticker{number}", "guild_id": str(first)}
        for number in range(5)
    ]
    archived = {"archived": False, "auto_archive_duration": 60, "locked": False}
    since = "2026-11-01T00:00:00+00:00"
    threads = [
        {
            "id": str(first + 5000 + number),
            "parent_id": str(first + 1001),
            "owner_id": "5",
            "type": 11,
        }
        | {
            "guild_id": str(first),
            "name": f"thread {number}",
            "message_count": 1,
            "member_count": 1,
        }
        | {"thread_metadata": archived | {"archive_timestamp": since}}
        for number in range(3)
    ]
    user = {"id": BOT, "username": "bot", "discriminator": "0", "avatar": None}
    me = {"user": user, "roles": [], "joined_at": since, "deaf": False, "mute": False, "flags": 0}
    whole: dict[str, Any] = {
        "id": str(first),
        "name": f"server {number}",
        "owner_id": str(first + 7),
    }
    whole |= {"roles": roles, "channels": list(channels(first)), "threads": threads}
    whole |= {"emojis": emoji, "stickers": stickers, "members": [me], "member_count": 1200}
    whole |= {"features": ["COMMUNITY", "NEWS"], "icon": "a" * 32, "preferred_locale": "en-US"}
    return json.loads(json.dumps(whole))


def resident() -> int:
    """Return the bytes that this process holds in memory."""
    gc.collect()
    pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


async def measure(servers: int, *, guarded: bool) -> float:
    """Return the KiB that a client takes per server; `guarded`: with the bot's own parsers."""
    client = discord.AutoShardedClient(
        intents=discord.Intents(guilds=True),
        member_cache_flags=discord.MemberCacheFlags.none(),
        chunk_guilds_at_startup=False,
        max_messages=None,
    )
    state: Any = client._connection
    if guarded:
        wrap_parsers(state.parsers)
    before = resident()
    for number in range(servers):
        state.parsers["GUILD_CREATE"](server(number))
    memory = resident() - before
    assert len(client.guilds) == servers
    return memory / servers / 1024


def main() -> int:
    """Measure the library's parser and the bot's, each in its own process; print the results."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--servers", type=int, default=2_500)
    parser.add_argument("--as", dest="way", choices=["library", "bot"])
    options = parser.parse_args()
    if options.way is None:
        again = [sys.executable, "-m", "benchmarks.servers", f"--servers={options.servers}"]
        return max(
            os.spawnv(os.P_WAIT, again[0], [*again, f"--as={way}"]) for way in ("library", "bot")
        )
    memory = asyncio.run(measure(options.servers, guarded=options.way == "bot"))
    print(f"as the {options.way} reads it: {memory:.1f} kB a server, {options.servers:,} servers")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
