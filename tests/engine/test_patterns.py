"""A pattern is compiled when first used, and then works like a pattern from `re.compile`."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import engine
from engine.patterns import compile_later

ENGINE = Path(engine.__path__[0])


def test_a_pattern_matches_and_has_its_attributes() -> None:
    pattern = compile_later(r"(?P<rank>[akq])\w", re.IGNORECASE)
    match = pattern.search("vs Kh")
    assert match is not None
    assert (match["rank"], pattern.pattern, pattern.groups) == ("K", r"(?P<rank>[akq])\w", 1)
    assert pattern.sub("-", "Ah Qd") == "- -"


def test_a_wrong_pattern_is_refused_when_used() -> None:
    wrong = compile_later("(")
    with pytest.raises(re.error, match="missing"):
        wrong.search("")


def modules() -> list[str]:
    """Return the names of the engine's modules that call `compile_later`."""
    files = (file for file in ENGINE.rglob("*.py") if "compile_later(" in file.read_text("utf-8"))
    names = (".".join(file.relative_to(ENGINE.parent).with_suffix("").parts) for file in files)
    return sorted(name for name in names if name != compile_later.__module__)


def patterns_of(value: object) -> Iterator[re.Pattern[str]]:
    """Yield the patterns in a module's constant, which may be a tuple of tuples."""
    if type(value) is type(compile_later("")):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from patterns_of(part)


def test_every_pattern_of_the_engine_compiles() -> None:
    patterns = [
        pattern
        for name in modules()
        for value in vars(importlib.import_module(name)).values()
        for pattern in patterns_of(value)
    ]
    assert len(patterns) > 100
    for pattern in patterns:
        assert pattern.groups >= 0
