"""Wrap the client library's parsers of events.

An error in one of them ends the connection, and with it the bot for everybody. So an event that the
library can't read, such as one of a new form, is left out with a line in the log. And fields of
channels that are never used here are removed first, as the library would keep them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping
from typing import Any, Final

import structlog

log = structlog.get_logger(__name__)
Parser = Callable[[Any], None]

_WITH_CHANNELS: Final = frozenset({"GUILD_CREATE", "CHANNEL_CREATE", "CHANNEL_UPDATE"})
# a session that cannot begin must not pass for one that has
_MUST_BE_READ: Final = frozenset({"READY", "RESUMED"})
# who may see the channels of a server with 45 of them is half of what the library keeps
_UNUSED: Final[Mapping[str, Any]] = {"permission_overwrites": [], "topic": None}


def wrap_parsers(parsers: MutableMapping[str, Parser]) -> None:
    """Make the library's parsers (by event) survive what they can't read, and keep less."""
    for event, parse in parsers.items():
        if event not in _MUST_BE_READ:
            parsers[event] = _wrap(event, parse)


def _wrap(event: str, parse: Parser) -> Parser:
    def parse_safely(data: Any) -> None:
        try:
            parse(_without_unused(data) if event in _WITH_CHANNELS else data)
        except Exception as error:  # whatever it is, everybody else's game goes on
            kind = type(error).__name__
            log.warning("discord: an event was not read", event_type=event, error=kind)

    return parse_safely


def _without_unused(place: dict[str, Any]) -> dict[str, Any]:
    """Return a server or a channel without the channel fields that are never used."""
    changed = {name: value for name, value in _UNUSED.items() if name in place}
    if "channels" in place:
        changed["channels"] = [_without_unused(channel) for channel in place["channels"]]
    return place | changed
