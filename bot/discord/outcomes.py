"""Translate the errors of Discord, its library and the network into one of five outcomes.

Source of the codes: https://discord.com/developers/docs/topics/opcodes-and-status-codes#json
"""

from __future__ import annotations

from enum import Enum, auto
from http import HTTPStatus
from typing import Final

import aiohttp
import discord


class RequestOutcome(Enum):
    """The outcome of a request to Discord: every error becomes one of these."""

    TAKEN = auto()
    MAYBE = auto()  # no reply: it may have been taken
    NOT_YET = auto()  # not taken, but may be later
    GONE = auto()  # the message is gone, or cannot be edited any more
    REFUSED = auto()  # understood, and always refused


# errors that a request to Discord may raise; OSError includes timeouts
NOT_TAKEN: Final = (
    discord.HTTPException,
    discord.RateLimited,
    discord.InteractionResponded,
    aiohttp.ClientError,
    OSError,
    MemoryError,  # while reading Discord's reply
)
UNKNOWN_CHANNEL: Final = 10003
UNKNOWN_MESSAGE: Final = 10008
UNKNOWN_INTERACTION: Final = 10062
# too many direct messages were opened at once; this one may not be closed
OPENED_TOO_FAST: Final = 40003
ANSWERED: Final = 40060  # the interaction has an answer already, possibly this one
TOO_OLD_TO_EDIT: Final = 30046  # Discord limits the edits of messages older than an hour
HAS_THREAD: Final = 160004  # the message already has a thread
ARCHIVED: Final = 50083  # a change in a thread that is archived or locked
MISSING: Final = frozenset({50001, 50013})  # the bot may not see the channel, or not do that
# seconds to wait before opening another one; each try would lengthen the wait
TOO_FAST_FOR: Final = 30.0

_BY_CODE: Final = {
    UNKNOWN_MESSAGE: RequestOutcome.GONE,
    TOO_OLD_TO_EDIT: RequestOutcome.GONE,
    OPENED_TOO_FAST: RequestOutcome.NOT_YET,
    ANSWERED: RequestOutcome.MAYBE,
}


def outcome_of(error: Exception) -> RequestOutcome:
    """Return the outcome that `error` means for the request that raised it."""
    match error:
        case discord.RateLimited():
            return RequestOutcome.NOT_YET
        case discord.InteractionResponded():
            return RequestOutcome.REFUSED
        case discord.HTTPException(code=code) if code in _BY_CODE:
            return _BY_CODE[code]
        case discord.HTTPException(status=HTTPStatus.TOO_MANY_REQUESTS):
            return RequestOutcome.NOT_YET
        case discord.HTTPException(status=status) if 400 <= status < 500:
            return RequestOutcome.REFUSED
        case _:  # a fault of Discord's own, or no reply at all
            return RequestOutcome.MAYBE


def is_refused(error: Exception) -> bool:
    """Return whether a retry is useless: Discord refuses for good, or already has an answer."""
    return (
        outcome_of(error) in (RequestOutcome.REFUSED, RequestOutcome.GONE)
        or code_of(error) == ANSWERED
    )


def code_of(error: Exception) -> int:
    """Return Discord's code of an error; 0 if it has none, such as when Discord didn't reply."""
    return error.code if isinstance(error, discord.HTTPException) else 0


class NotYet(Exception):
    """Discord did not take a request now, but may later.

    Retrying is useless before `after` seconds have passed.
    """

    def __init__(self, after: float = 0.0) -> None:
        super().__init__(after)
        self.after = after


def not_yet(error: Exception) -> NotYet:
    """Return the `NotYet` to raise for an error that is not a refusal."""
    if code_of(error) == OPENED_TOO_FAST:
        return NotYet(TOO_FAST_FOR)
    return NotYet(error.retry_after if isinstance(error, discord.RateLimited) else 0.0)
