"""Logging: structlog over the standard library, so that discord.py's lines look like ours.

A line is an event with facts: readable on a terminal, JSON everywhere else. No line ever contains a
token: known secrets are cut out as the last step before it is written.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterable
from typing import Any, Final, Literal

import structlog
from structlog.typing import EventDict, Processor

from engine.errors import printable

Format = Literal["auto", "console", "json"]
Level = Literal["debug", "info", "warning", "error"]

# Libraries whose steps are interesting only when something is wrong with them.
_QUIET: Final = (
    *("discord", "sqlalchemy", "aiosqlite", "asyncpg", "alembic", "asyncio", "PIL"),
    "urllib3",
)
_CUT: Final = "[secret]"
_OF_LINES: Final = ("exception", "stack")


class Redactor:
    """Cuts every secret out of what leaves the process: log lines and error reports."""

    def __init__(self, secrets: Iterable[str]) -> None:
        # plain and as escaped in JSON; longest first, as one may be part of another
        forms = {form for text in secrets if text for form in (text, json.dumps(text)[1:-1])}
        self._forms = sorted(forms, key=len, reverse=True)

    def __call__(self, text: str) -> str:
        """Return `text` without the secrets."""
        for form in self._forms:
            text = text.replace(form, _CUT)
        return text

    def everywhere(self, value: Any) -> Any:
        """Return `value` with secrets cut out of every text in it, dictionary keys included.

        Tuples become lists.
        """
        match value:
            case str():
                return self(value)
            case dict():
                return {self.everywhere(key): self.everywhere(item) for key, item in value.items()}
            case list() | tuple():
                return [self.everywhere(item) for item in value]
            case _:
                return value


class Redacting(logging.Formatter):
    """Formats lines with another formatter, and cuts every secret out."""

    def __init__(self, inner: logging.Formatter, secrets: Iterable[str]) -> None:
        super().__init__()
        self._inner = inner
        self._cut = Redactor(secrets)

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, traceback included."""
        return self._cut(self._inner.format(record))


def configure(format: Format = "auto", level: Level = "info", secrets: Iterable[str] = ()) -> None:
    """Set up logging for the whole process. May be called again.

    `secrets` (the token, the database's password) appear in no line. Lines go to standard error.
    """
    people = format == "console" or (format == "auto" and sys.stderr.isatty())
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.PositionalArgumentsFormatter(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.StackInfoRenderer(),
    ]
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,  # loggers created at import must follow a later call
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Redacting(_formatter(people, shared), secrets))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for name in _QUIET:
        logging.getLogger(name).setLevel(max(root.level, logging.WARNING))


def _escape_facts(logger: object, name: str, facts: EventDict) -> EventDict:
    """Escape line breaks and control characters in facts, so that user input can't fake a line."""
    return {
        key: printable(fact) if isinstance(fact, str) and key not in _OF_LINES else fact
        for key, fact in facts.items()
    }


def _formatter(people: bool, shared: list[Processor]) -> logging.Formatter:
    last: list[Processor]
    if people:
        # plain, as the default prints local variables, such as cards and seeds
        plain = structlog.dev.plain_traceback
        last = [
            _escape_facts,
            structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=plain),
        ]
    else:
        last = [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=shared,
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last],
    )
