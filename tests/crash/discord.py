"""`python -m tests.crash.discord --journal FILE`: a local Discord that writes down what it sees.

Its clock stands still, so that no answer is too late on a busy machine. The line `later` on
standard input lets Discord's three seconds pass for all unanswered clicks; the line `again` has
Discord deliver the latest interactions once more. The end of standard input ends this process.

With `--shards 6` each of six shards has a server with channels named after the shard. The limits on
identifying then follow the machine's clock.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final, TextIO

from bot.sandbox import web
from bot.sandbox.clock import ManualClock, shard_of
from bot.sandbox.core import Stream
from bot.sandbox.discord_state import EPHEMERAL, REQUESTS_KEPT, Json, RecordedRequest
from bot.sandbox.interactions import AUTOCOMPLETE
from bot.sandbox.limits import Admission
from bot.sandbox.payloads import walk
from bot.sandbox.screen import SeenMessage
from bot.sandbox.world import Sandbox

SEEN: Final = 8  # messages a person reads: reading fifty would take more time than the bot
# seconds by which its clock is slow at first: each `later` advances it more than time passes, and
# an interaction that is delivered again must be older than the start of the bot that gets it
BEHIND: Final = 600.0
TOO_LATE: Final = 4.0  # seconds; Discord waits for three
AGAIN: Final = 12  # interactions that are delivered once more
IDENTIFY_SECONDS: Final = 0.5
MAX_CONCURRENCY: Final = 2


class Journal:
    """A file with a line of JSON for each event, flushed before the next event."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def note(self, kind: str, **facts: object) -> None:
        """Add a line with an event's kind, its `facts` and the wall clock in milliseconds."""
        line = {"what": kind, "at": time.time() * 1000, **facts}
        self._file.write(json.dumps(line, ensure_ascii=False) + "\n")
        self._file.flush()


class WatchedStream(Stream):
    """A stream of events to people's pages; notes in the journal what was shown, and to whom."""

    def __init__(self, journal: Journal) -> None:
        super().__init__()
        self._journal = journal

    def reaches(self, people: Iterable[str]) -> bool:
        """Return True, so that each event is published, whether or not anybody has a page open."""
        return True

    def publish(self, event: Json, people: Iterable[str] | None = None) -> None:
        """Send an event to the pages of `people`; None: all.

        If the event shows or deletes a message, or shows components outside a message (a form),
        also note that in the journal.
        """
        seers = None if people is None else list(people)
        if event["type"] in ("message_create", "message_update"):
            message = SeenMessage(event["message"])
            self._journal.note(
                "shown",
                new=event["type"] == "message_create",
                id=message.id,
                channel=message.channel_id,
                private=message.ephemeral,
                to=sorted(seers or []),
                text=message.text,
                bot=bool(event["message"]["author"].get("bot")),
            )
        elif event["type"] == "message_delete":
            self._journal.note("deleted", id=event["id"], channel=event["channel_id"])
        elif "custom_id" in event and event.get("components") is not None:
            self._journal.note(
                "form", to=sorted(seers or []), text=component_text(event["components"])
            )
        super().publish(event, seers)


class WatchedRequests(deque[RecordedRequest]):
    """The bot's requests; each is written to the journal when it is answered."""

    def __init__(self, journal: Journal) -> None:
        super().__init__(maxlen=REQUESTS_KEPT)
        self._journal = journal

    def append(self, request: RecordedRequest) -> None:
        """Write a request to the journal, then append it."""
        body: dict[str, Any] = request.body if isinstance(request.body, dict) else {}
        inner = body.get("data") or body
        self._journal.note(
            "request",
            method=request.method,
            route=request.route,
            path=request.path,
            status=request.status,
            type=body.get("type"),
            private=bool(int(inner.get("flags") or 0) & EPHEMERAL),
            text="\n".join(
                (inner.get("content") or "", component_text(inner.get("components") or []))
            ).strip(),
            choices=[choice["name"] for choice in inner.get("choices") or []],
        )
        super().append(request)


def component_text(components: list[Json]) -> str:
    """Return all text in components."""
    shape: Json = {"content": "", "embeds": [], "attachments": [], "components": components}
    labels = (
        f"{part.get('label') or ''} {part.get('description') or ''}" for part in walk(components)
    )
    return "\n".join([SeenMessage(shape).text, *labels])


def deliver_again(world: Sandbox, journal: Journal) -> None:
    """Deliver the `AGAIN` latest interactions again, except those that have failed.

    Autocompletions don't count and aren't delivered.
    """
    known = [
        interaction
        for interaction in world.state.interactions.values()
        if interaction.type != AUTOCOMPLETE
    ]
    for interaction in known[-AGAIN:]:
        if not interaction.failed:
            journal.note("again", id=interaction.id, answered=interaction.callback is not None)
            world.interactions.deliver(interaction)


async def serve_watched(
    world: Sandbox, clock: ManualClock, journal: Journal, furnish: Callable[[], None]
) -> None:
    """Serve `world` and keep the journal, until standard input ends.

    `furnish` is called when the server is up, to add servers and channels.
    """
    web.PAGE_OF_MESSAGES = SEEN
    world.emoji_room = 0  # cards as text, so that they can be read off a screen
    world.stream = WatchedStream(journal)
    world.state.requests = WatchedRequests(journal)
    address = await world.start()
    furnish()
    print(f"The local Discord is at {address}", flush=True)
    reading = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reading), sys.stdin
    )
    while line := (await reading.readline()).decode().strip():
        if line == "later":
            clock.advance(TOO_LATE)
        elif line == "again":
            deliver_again(world, journal)
    await world.stop()


class RealTime(Admission):
    """Discord's limits on identifying, by the machine's clock."""

    def admits(self, shard: int, now: float) -> bool:
        """Return whether a shard may identify now."""
        return super().admits(shard, time.time())

    def remaining(self, now: float) -> int:
        """Return how many more sessions may begin today."""
        return super().remaining(time.time())


def add_servers(world: Sandbox, clock: ManualClock, shards: int, channels: int) -> None:
    """Add servers until each shard has one with channels named after the shard."""
    missing = set(range(shards))
    while missing:
        server = world.add_guild(f"Server {len(world.state.guilds)}")
        clock.advance(0.001)  # another millisecond gives another id, and so another shard
        shard = shard_of(server.id, shards)
        if shard in missing:
            missing.discard(shard)
            for number in range(channels):
                server.add_text_channel(f"shard-{shard}-{number}")


async def serve(journal_file: Path, shards: int, channels: int) -> None:
    """Serve until standard input ends.

    With `shards` 0, furnish the usual world; otherwise give each shard a server with `channels`
    channels.
    """
    clock = ManualClock(time.time() - (0.0 if shards else BEHIND))
    admission = None
    if shards:  # each fault begins sessions, and a run has hundreds of faults
        admission = RealTime(shards, MAX_CONCURRENCY, IDENTIFY_SECONDS, sessions_a_day=100_000)
    world = Sandbox(clock, admission=admission)

    def furnish() -> None:
        if shards:
            add_servers(world, clock, shards, channels)
        else:
            world.furnish()

    with journal_file.open("a", encoding="utf-8") as file:
        journal = Journal(file)
        await serve_watched(world, clock, journal, furnish)
        if admission is not None:
            journal.note("identified", refused=admission.refused)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.crash.discord", description=__doc__)
    parser.add_argument("--journal", type=Path, required=True)
    parser.add_argument("--shards", type=int, default=0)
    parser.add_argument("--channels", type=int, default=1)
    options = parser.parse_args()
    asyncio.run(serve(options.journal, options.shards, options.channels))


if __name__ == "__main__":
    main()
