"""Regular expressions that are compiled when first used: most questions need few of them."""

from __future__ import annotations

import re
from typing import Any, cast


class _Pattern:
    """A pattern that compiles itself when one of its attributes is first used."""

    def __init__(self, text: str, flags: int) -> None:
        self._source = text, flags

    def __getattr__(self, name: str) -> Any:
        value = getattr(re.compile(*self._source), name)
        setattr(self, name, value)
        return value


def compile_later(text: str, flags: int = 0) -> re.Pattern[str]:
    """Return a pattern like `re.compile`, but compile it when it is first used.

    Raises `re.error` only then.
    """
    return cast("re.Pattern[str]", _Pattern(text, flags))
