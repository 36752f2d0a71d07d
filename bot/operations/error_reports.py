"""Error reports to Sentry, for hosts who turn them on (`reports.sentry_dsn`).

An error's message may name a card, a bid or a person, and so may a function's variables. Neither is
sent. A report holds the constant text of our log line, the match and its last action's number, the
type of each error, and the places in the code. For a log line of a library the report holds only
the logger and the place, since libraries may log anything. Finally, known secrets are cut out of
the whole report, as from every log line.
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

APART_SECONDS: Final = 60.0  # seconds between two reports of the same error
REMEMBERED: Final = 256
_FACTS: Final = ("table", "match", "seq", "shard", "code")
_PLAIN: Final = re.compile(r"[0-9A-Za-z_-]{1,40}")
_DEEPEST: Final = 5  # errors in a chain of causes
_NOT_REPORTED: Final = ("sentry_sdk", "urllib3")  # errors of reporting itself

Event = dict[str, Any]


class CannotReport(Exception):
    """Error reports are configured, but sentry-sdk isn't installed. `str()` is a sentence."""


class Reporting(logging.Handler):
    """Turns log lines of level error or above into reports, and passes these to `send`."""

    def __init__(self, send: Callable[[Event], object]) -> None:
        super().__init__(logging.ERROR)
        self._send = send
        self._reported_at = Recent[object, float](REMEMBERED)

    def emit(self, record: logging.LogRecord) -> None:
        """Report a log line. Called by `logging`.

        Leave out a line that was just reported, and the loggers in `_NOT_REPORTED`.
        """
        if record.name.partition(".")[0] in _NOT_REPORTED:
            return
        event = event_of(record)
        errors = event.get("exception", {}).get("values", ())
        same = (event["logger"], event["message"], *(error["type"] for error in errors))
        if record.created - self._reported_at.get(same, float("-inf")) < APART_SECONDS:
            return
        self._reported_at[same] = record.created
        self._send(event)


def event_of(record: logging.LogRecord) -> Event:
    """Return a log line as a Sentry event whose only texts are our own constants.

    The event also has the plain facts named in `_FACTS`, the types of the errors, and places in the
    code.
    """
    facts: Mapping[str, Any] = record.msg if isinstance(record.msg, dict) else {}
    message = facts.get("event") if facts else f"a line of {record.module}:{record.lineno}"
    event: Event = {
        "level": record.levelname.lower(),
        "logger": record.name,
        "message": message if isinstance(message, str) else "",
        "tags": {
            key: str(facts[key]) for key in _FACTS if _PLAIN.fullmatch(str(facts.get(key, "")))
        },
    }
    error = _error_of(record, facts)
    if error is not None:
        event["exception"] = {"values": [*reversed([*_chain(error)])]}
    return event


def _error_of(record: logging.LogRecord, facts: Mapping[str, Any]) -> BaseException | None:
    error = record.exc_info or facts.get("exc_info")
    if isinstance(error, tuple):
        error = error[1]
    return error if isinstance(error, BaseException) else None


def _chain(error: BaseException | None) -> Iterator[Event]:
    """Yield an error and its causes in Sentry's format: types and stack traces, no messages."""
    for _ in range(_DEEPEST):
        if error is None:
            return
        kind = type(error)
        yield {
            "type": kind.__name__,
            "module": kind.__module__,
            "value": "",  # the message stays here
            "stacktrace": {"frames": [_frame(*step) for step in walk_tb(error.__traceback__)]},
        }
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def _frame(frame: FrameType, line: int) -> Event:
    module = str(frame.f_globals.get("__name__", ""))
    return {
        "module": module,
        "function": frame.f_code.co_name,
        "filename": f"{module.replace('.', '/')}.py",  # an installation path may name a person
        "lineno": line,
        "in_app": module.partition(".")[0] in ("bot", "engine"),
    }


def client_of(dsn: str, cut: Redactor, **options: Any) -> Any:
    """Return a Sentry client that collects nothing by itself.

    `cut` removes secrets from each report. `options`: for tests. Raises `CannotReport`.
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
    """Report errors until the block ends, if configured. Raises `CannotReport`."""
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
