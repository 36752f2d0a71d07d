"""Logging: structlog over the standard library, so that discord.py's lines look like ours.

A line is an event with facts: for people on a terminal, JSON everywhere else. No line ever holds a
token: what is known to be secret is cut out of every line as the last thing before it is written.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterable
from typing import Final, Literal

import structlog
from structlog.typing import Processor

Format = Literal["auto", "console", "json"]
Level = Literal["debug", "info", "warning", "error"]

# Libraries whose every step is of interest only when something is wrong with them.
_QUIET: Final = ("discord", "sqlalchemy", "aiosqlite", "asyncpg", "alembic", "asyncio", "PIL")
_CUT: Final = "[secret]"


class Redacting(logging.Formatter):
    """Writes lines as another formatter does, with every secret cut out."""

    def __init__(self, inner: logging.Formatter, secrets: Iterable[str]) -> None:
        super().__init__()
        self._inner = inner
        # as they are, and as they are inside a JSON string
        self._secrets = {
            form for text in secrets if text for form in (text, json.dumps(text)[1:-1])
        }

    def format(self, record: logging.LogRecord) -> str:
        """The line, traceback included."""
        line = self._inner.format(record)
        for secret in self._secrets:
            line = line.replace(secret, _CUT)
        return line


def configure(format: Format = "auto", level: Level = "info", secrets: Iterable[str] = ()) -> None:
    """Set logging up, for the whole process; may be called again.

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
        cache_logger_on_first_use=False,  # loggers made at import must follow a later call
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Redacting(_formatter(people, shared), secrets))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for name in _QUIET:
        logging.getLogger(name).setLevel(max(root.level, logging.WARNING))


def _formatter(people: bool, shared: list[Processor]) -> logging.Formatter:
    last: list[Processor]
    if people:
        # plain, as the default writes out every local variable: cards and seeds are among them
        plain = structlog.dev.plain_traceback
        last = [
            structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=plain)
        ]
    else:
        last = [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=shared,
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last],
    )
