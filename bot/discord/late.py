"""Suggestions that come too late, said in one line.

While people type, Discord asks for suggestions and soon does not want them any more. discord.py
answers for an autocompletion itself, and logs a traceback when that is refused.
"""

from __future__ import annotations

import logging

import structlog

from bot.discord.answers import NOT_TAKEN

log = structlog.get_logger(__name__)


class LateSuggestions(logging.Filter):
    """Holds back the library's line about an answer that Discord did not take."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Called by logging for every line."""
        error = record.exc_info[1] if isinstance(record.exc_info, tuple) else None
        if not isinstance(error, NOT_TAKEN):
            return True
        code = getattr(error, "code", None)
        log.warning("suggestions: not taken", error=type(error).__name__, code=code)
        return False


def quieten() -> None:
    """Have it said so from now on; may be called again."""
    lines = logging.getLogger("discord.app_commands.tree")
    if not any(isinstance(one, LateSuggestions) for one in lines.filters):
        lines.addFilter(LateSuggestions())
