"""Regular expressions that are compiled when first used: most questions need few of them.

Compiling takes most of the time of parsing a question. So a pattern may also have a list of words
and signs, one of which is in every text that it matches: other texts don't compile it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, Final, cast

# letters that match "i" and "s" where case doesn't matter, but that `str.lower` keeps
_ALIKE: Final = str.maketrans("ıİſ", "iis")


class _Pattern:
    """A pattern that compiles itself for the first text that has one of its words."""

    def __init__(self, text: str, flags: int, words: tuple[str, ...]) -> None:
        self.pattern = text
        self.words = words
        self._flags = flags

    @cached_property
    def _regex(self) -> re.Pattern[str]:
        return re.compile(self.pattern, self._flags)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._regex, name)

    def _may_match(self, text: str) -> bool:
        return not self.words or has_any(text, self.words)

    def search(self, text: str, start: int = 0) -> re.Match[str] | None:
        return self._regex.search(text, start) if self._may_match(text) else None

    def fullmatch(self, text: str, start: int = 0) -> re.Match[str] | None:
        return self._regex.fullmatch(text, start) if self._may_match(text) else None

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        return self._regex.finditer(text) if self._may_match(text) else iter(())

    def sub(self, meaning: Any, text: str) -> str:
        return self._regex.sub(meaning, text) if self._may_match(text) else text


def compile_later(text: str, flags: int = 0, *, words: Iterable[str] = ()) -> re.Pattern[str]:
    """Return a pattern like `re.compile`, but compile it when it is first used.

    `words` are words or signs in lower case, one of which is in every text that the pattern
    matches; without any, every text may match. Raises `re.error` only when it compiles the pattern.
    """
    return cast("re.Pattern[str]", _Pattern(text, flags, tuple(words)))


def has_any(text: str, words: Iterable[str]) -> bool:
    """Return whether a text has one of these words or signs, which are in lower case."""
    plain = (text if text.isascii() else text.translate(_ALIKE)).lower()
    return any(word in plain for word in words)
