"""Logging: structlog over the standard library, so that discord.py's lines look like ours.

A line is an event with facts: for people on a terminal, JSON everywhere else. No line ever holds a
token: what is known to be secret is cut out of every line as the last thing before it is written.
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

# Libraries whose every step is of interest only when something is wrong with them.
_QUIET: Final = (
    *("discord", "sqlalchemy", "aiosqlite", "asyncpg", "alembic", "asyncio", "PIL"),
    "urllib3",
)
_CUT: Final = "[secret]"
_OF_LINES: Final = ("exception", "stack")


class Redactor:
    """Cuts every secret out of what leaves the process: lines, and what is reported elsewhere."""

    def __init__(self, secrets: Iterable[str]) -> None:
        # as they are, and as they are inside a JSON string; one may be part of another
        forms = {form for text in secrets if text for form in (text, json.dumps(text)[1:-1])}
        self._forms = sorted(forms, key=len, reverse=True)

    def __call__(self, text: str) -> str:
        """`text` without them."""
        for form in self._forms:
            text = text.replace(form, _CUT)
        return text

    def everywhere(self, value: Any) -> Any:
        """`value` with every text in its lists and dictionaries, keys too, without them."""
        match value:
            case str():
                return self(value)
            case dict():
                return {self.everywhere(key): self.everywhere(one) for key, one in value.items()}
            case list() | tuple():
                return [self.everywhere(one) for one in value]
            case _:
                return value


class Redacting(logging.Formatter):
    """Writes lines as another formatter does, with every secret cut out."""

    def __init__(self, inner: logging.Formatter, secrets: Iterable[str]) -> None:
        super().__init__()
        self._inner = inner
        self._cut = Redactor(secrets)

    def format(self, record: logging.LogRecord) -> str:
        """The line, traceback included."""
        return self._cut(self._inner.format(record))


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


def _spelt_out(logger: object, name: str, facts: EventDict) -> EventDict:
    """Facts in one line, so that what somebody typed adds no line and turns no terminal red."""
    return {
        key: printable(fact) if isinstance(fact, str) and key not in _OF_LINES else fact
        for key, fact in facts.items()
    }


def _formatter(people: bool, shared: list[Processor]) -> logging.Formatter:
    last: list[Processor]
    if people:
        # plain, as the default writes out every local variable: cards and seeds are among them
        plain = structlog.dev.plain_traceback
        last = [
            _spelt_out,
            structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=plain),
        ]
    else:
        last = [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=shared,
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last],
    )
