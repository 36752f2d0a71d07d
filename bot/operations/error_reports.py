"""Errors told to Sentry, for hosts who ask for it (`reports.sentry_dsn`).

An error's own words may name a card, a bid or a person, and so may what a function had in hand.
Neither is sent: a report holds what our line in the log says in constant words, the match and its
last action's number, the kind of each error and the places in the code. Of a library's line it
holds who said it and where, since libraries put anything into their words. What is known to be
secret is cut out of the whole in the end, as it is out of every line of the log.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from traceback import walk_tb
from types import FrameType
from typing import Any, Final

from bot.operations.logs import Redactor
from bot.operations.process_lifetime import STOP
from bot.recent import Recent
from bot.settings.config import Settings

APART_SECONDS: Final = 60.0  # between two reports of the same error
REMEMBERED: Final = 256
_FACTS: Final = ("table", "match", "seq", "shard", "code")
_PLAIN: Final = re.compile(r"[0-9A-Za-z_-]{1,40}")
_DEEPEST: Final = 5  # errors that led to one another
_NOT_TOLD: Final = ("sentry_sdk", "urllib3")  # they would tell of themselves

Event = dict[str, Any]


class CannotReport(Exception):
    """What the settings ask for is not installed; `str()` is a sentence fit to be shown."""


class Reporting(logging.Handler):
    """Makes a report of every line of level error or above, and hands it to `send`."""

    def __init__(self, send: Callable[[Event], object]) -> None:
        super().__init__(logging.ERROR)
        self._send = send
        self._told = Recent[object, float](REMEMBERED)

    def emit(self, record: logging.LogRecord) -> None:
        """Called by logging for every line of that level."""
        if record.name.partition(".")[0] in _NOT_TOLD:
            return
        event = event_of(record)
        errors = event.get("exception", {}).get("values", ())
        same = (event["logger"], event["message"], *(one["type"] for one in errors))
        if record.created - self._told.get(same, float("-inf")) < APART_SECONDS:
            return
        self._told[same] = record.created
        self._send(event)


def event_of(record: logging.LogRecord) -> Event:
    """A line as Sentry's form of an event, of which nothing is anybody's words but ours."""
    facts: Mapping[str, Any] = record.msg if isinstance(record.msg, dict) else {}
    said = facts.get("event") if facts else f"a line of {record.module}:{record.lineno}"
    event: Event = {
        "level": record.levelname.lower(),
        "logger": record.name,
        "message": said if isinstance(said, str) else "",
        "tags": {
            key: str(facts[key]) for key in _FACTS if _PLAIN.fullmatch(str(facts.get(key, "")))
        },
    }
    error = _error_of(record, facts)
    if error is not None:
        event["exception"] = {"values": [*reversed([*_chain(error)])]}
    return event


def _error_of(record: logging.LogRecord, facts: Mapping[str, Any]) -> BaseException | None:
    given = record.exc_info or facts.get("exc_info")
    if isinstance(given, tuple):
        given = given[1]
    return given if isinstance(given, BaseException) else None


def _chain(error: BaseException | None) -> Iterator[Event]:
    """An error and those that led to it: kinds and places alone."""
    for _ in range(_DEEPEST):
        if error is None:
            return
        kind = type(error)
        yield {
            "type": kind.__name__,
            "module": kind.__module__,
            "value": "",  # its words stay here
            "stacktrace": {"frames": [_frame(*one) for one in walk_tb(error.__traceback__)]},
        }
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def _frame(frame: FrameType, line: int) -> Event:
    module = str(frame.f_globals.get("__name__", ""))
    return {
        "module": module,
        "function": frame.f_code.co_name,
        "filename": f"{module.replace('.', '/')}.py",  # where it is installed says who
        "lineno": line,
        "in_app": module.partition(".")[0] in ("bot", "engine"),
    }


def client_of(dsn: str, cut: Redactor, **options: Any) -> Any:
    """Sentry's client, without anything that it would find out by itself. `options`: for tests.

    Raises `CannotReport`.
    """
    try:
        import sentry_sdk
    except ImportError:
        raise CannotReport(
            "reports.sentry_dsn is set, but sentry-sdk isn't installed. Example: make extras"
            " EXTRAS=watching"
        ) from None
    return sentry_sdk.Client(
        dsn=dsn,
        release=version("bluffhouse"),
        server_name="bluffhouse",
        default_integrations=False,
        auto_enabling_integrations=False,
        auto_session_tracking=False,
        include_local_variables=False,
        include_source_context=False,
        send_client_reports=False,
        max_breadcrumbs=0,
        before_send=lambda event, _hint: cut.everywhere(event),
        **options,
    )


@contextmanager
def reporting(settings: Settings, **options: Any) -> Iterator[None]:
    """Report errors until the block ends, if the settings ask for it. Raises `CannotReport`."""
    dsn = settings.reports.sentry_dsn
    if dsn is None:
        yield
        return
    client = client_of(dsn, Redactor((*settings.secrets, dsn)), **options)
    handler = Reporting(client.capture_event)
    root = logging.getLogger()
    root.addHandler(handler)
    try:
        yield
    finally:
        root.removeHandler(handler)
        client.close(timeout=STOP.reports)
