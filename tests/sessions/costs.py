"""What a session costs: the bot's requests by the event that led to them, and needless edits.

Events are deals, bids, challenges and reminders. A needless edit leaves a message as it was.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections import defaultdict, deque
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from benchmarks.reading import ROUND
from bot.sandbox.discord_state import DM_CHANNEL, Message, RecordedRequest
from bot.sandbox.emulator import Emulator
from bot.sandbox.screen import SeenMessage

MINUTE: Final = 60.0
TOO_MANY: Final = 429


@dataclass
class Event:
    """A deal, a bid, a challenge or a reminder, and how many requests it led to.

    `by_tokens` counts requests by interaction tokens, except in direct messages. `by_bot`
    counts requests by the bot's own token. A reminder's `round` is 0.
    """

    kind: str
    round: int
    at: float  # Unix seconds
    by_tokens: int = 0
    by_bot: int = 0


@dataclass
class Costs:
    """The requests of a session, without answers to presses.

    `refused`: requests by interaction tokens that Discord answered with 429. `busiest`: the
    most requests by the tokens of one channel in any minute.
    """

    events: list[Event] = field(default_factory=list)
    refused: int = 0
    busiest: int = 0

    def by_tokens(self, kind: str, number: int | None = None) -> list[int]:
        """Return each `kind` event's number of requests by interaction tokens, in order.

        If `number` is given, return only those of that round.
        """
        return [event.by_tokens for event in self._events(kind, number)]

    def by_bot(self, kind: str, number: int | None = None) -> list[int]:
        """Return the same counts as `by_tokens`, for requests by the bot's own token."""
        return [event.by_bot for event in self._events(kind, number)]

    def _events(self, kind: str, number: int | None) -> list[Event]:
        return [
            event for event in self.events if event.kind == kind and number in (None, event.round)
        ]


def count(world: Emulator, file: Path) -> Costs:
    """Count the requests of a session whose matches are stored in `file`."""
    requests = list(world.state.requests)
    events = [*_actions(file), *_reminders(requests)]
    costs = Costs(sorted(events, key=lambda event: event.at))
    sent: dict[str, deque[float]] = defaultdict(deque)  # by channel, within the last minute
    for request in requests:
        by_token = request.route.startswith("/webhooks/")
        if by_token and request.status == TOO_MANY:
            costs.refused += 1
            continue
        event = _cause(request, costs.events, by_token=by_token)
        if by_token:
            channel = world.state.by_token[request.path.split("/")[3]].channel_id
            minute = sent[channel]
            minute.append(request.at)
            while minute[0] <= request.at - MINUTE:
                minute.popleft()
            costs.busiest = max(costs.busiest, len(minute))
            # each person's direct messages are a channel, and a budget, of their own
            if event is not None and world.state.channels[channel].type != DM_CHANNEL:
                event.by_tokens += 1
        elif event is not None and not request.route.startswith("/interactions/"):
            event.by_bot += 1
    return costs


def _cause(request: RecordedRequest, events: list[Event], *, by_token: bool) -> Event | None:
    """Return the event that a request is counted for: the latest at or before it, or None.

    The post or deletion of a seat, even late, is counted for a deal or reminder, never for a
    bid or challenge.
    """
    moves_seat = by_token and request.method in ("POST", "DELETE")
    kinds = ("deal", "reminder") if moves_seat else ("deal", "bid", "challenge", "reminder")
    earlier = [event for event in events if event.at <= request.at and event.kind in kinds]
    return earlier[-1] if earlier else None


def _actions(file: Path) -> list[Event]:
    """Return an event for each stored action, at the time when it was stored."""
    with closing(sqlite3.connect(file)) as store:
        rows = store.execute("SELECT body, at FROM actions ORDER BY match_id, seq").fetchall()
    events, number = [], 0
    for body, at in rows:
        kind = json.loads(body)["kind"]
        number += kind == "deal"
        events.append(Event(kind, number, at / 1000))
    return events


def _reminders(requests: Iterable[RecordedRequest]) -> list[Event]:
    """Return an event for each reminder, the only new messages with plain text."""
    return [
        Event("reminder", 0, request.at)
        for request in requests
        if (request.method, request.route) == ("POST", "/channels/{channel_id}/messages")
        and request.body.get("content")
    ]


def watch_edits(world: Emulator, redrawn: list[str]) -> None:
    """Add a line to `redrawn` at each edit that leaves a message as it was."""
    edit = world.messages.edit

    def noting(message: Message, *args: Any, **kwargs: Any) -> Message:
        before = _drawing(message)
        edited = edit(message, *args, **kwargs)
        if _drawing(edited) == before:
            user = world.state.users.get(edited.visible_to or "")
            whose = f"{user.name}'s seat" if user is not None else "a message for all"
            rounds = ROUND.findall(SeenMessage(edited.payload).text)
            at = asyncio.get_running_loop().time()
            redrawn.append(f"{at:.1f} s: {whose}, {rounds[0] if rounds else 'no round'}")
        return edited

    world.messages.edit = noting  # type: ignore[method-assign]


def _drawing(message: Message) -> str:
    """Return a message as people see it, as JSON.

    A file sent again gets another address but keeps its name, a digest of the picture; so only
    the name counts.
    """
    keys = ("content", "components", "attachments", "flags")
    parts = [message.payload[key] for key in keys]
    return json.dumps(_without_addresses(parts), sort_keys=True)


def _without_addresses(part: Any) -> Any:
    if isinstance(part, list):
        return [_without_addresses(item) for item in part]
    if isinstance(part, dict):
        if "url" in part:  # a file
            return part["url"].rsplit("/", 1)[-1]
        return {key: _without_addresses(value) for key, value in part.items()}
    return part
