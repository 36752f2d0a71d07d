"""Wrap the parsers of events in discord.py.

An error in a parser ends the connection, and with it the bot for everybody. So an event that the
library can't read, such as one in a new format, is skipped with a line in the log. Channel fields
that the bot never uses are removed before parsing, since the library would keep them in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping
from typing import Any, Final

import structlog

log = structlog.get_logger(__name__)
Parser = Callable[[Any], None]

_WITH_CHANNELS: Final = frozenset({"GUILD_CREATE", "CHANNEL_CREATE", "CHANNEL_UPDATE"})
# a session that cannot begin must not be mistaken for one that has begun
_MUST_BE_READ: Final = frozenset({"READY", "RESUMED"})
# the permissions of a server's 45 channels are half of what the library keeps of it
_UNUSED: Final[Mapping[str, Any]] = {"permission_overwrites": [], "topic": None}


def wrap_parsers(parsers: MutableMapping[str, Parser]) -> None:
    """Make the library's parsers (by event) skip unreadable events and unused channel fields.

    Leave the parsers of `_MUST_BE_READ` as they are.
    """
    for event, parse in parsers.items():
        if event not in _MUST_BE_READ:
            parsers[event] = _wrap(event, parse)


def _wrap(event: str, parse: Parser) -> Parser:
    def parse_safely(data: Any) -> None:
        try:
            parse(_without_unused(data) if event in _WITH_CHANNELS else data)
        except Exception as error:  # whatever the error, everybody else's game must go on
            kind = type(error).__name__
            log.warning("discord: an event was not read", event_type=event, error=kind)

    return parse_safely


def _without_unused(place: dict[str, Any]) -> dict[str, Any]:
    """Return the data of a server or channel, with the unused channel fields emptied."""
    changed = {name: value for name, value in _UNUSED.items() if name in place}
    if "channels" in place:
        changed["channels"] = [_without_unused(channel) for channel in place["channels"]]
    return place | changed
