"""A pattern is compiled when first used, and then works like a pattern from `re.compile`."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.patterns import compile_later, has_any

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


def test_a_text_without_a_patterns_words_does_not_compile_it() -> None:
    wrong = compile_later("(", words=("vs", "%"))
    assert wrong.search("AhKh") is wrong.fullmatch("") is None
    assert (wrong.sub("-", "QQ"), list(wrong.finditer("QQ+"))) == ("QQ", [])
    with pytest.raises(re.error, match="missing"):
        wrong.search("AA VS KK")


def test_words_are_found_in_any_case_as_patterns_find_them() -> None:
    assert has_any("SİX PLUS", ("six",))
    assert has_any("ſix", ("six",))
    assert not has_any("SEVEN", ("six", "8"))


def modules() -> list[str]:
    """Return the names of the engine's modules that call `compile_later`."""
    files = (file for file in ENGINE.rglob("*.py") if "compile_later(" in file.read_text("utf-8"))
    names = (".".join(file.relative_to(ENGINE.parent).with_suffix("").parts) for file in files)
    return sorted(name for name in names if name != compile_later.__module__)


def patterns_of(value: object) -> Iterator[re.Pattern[str]]:
    """Yield the patterns in a module's constant, which may be a tuple of tuples or a dictionary."""
    if type(value) is type(compile_later("")):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from patterns_of(part)
    elif isinstance(value, dict):
        yield from patterns_of((*value, *value.values()))


def engine_patterns() -> Iterator[tuple[str, re.Pattern[str]]]:
    """Yield the patterns of all modules, each with a name."""
    for module in modules():
        for name, value in vars(importlib.import_module(module)).items():
            for number, pattern in enumerate(patterns_of(value)):
                yield f"{module}.{name}-{number}", pattern


PATTERNS = dict(engine_patterns())
WITH_WORDS = {name: pattern for name, pattern in PATTERNS.items() if vars(pattern)["words"]}


def test_every_pattern_of_the_engine_compiles() -> None:
    assert len(PATTERNS) > 100
    for pattern in PATTERNS.values():
        assert pattern.groups >= 0


@pytest.mark.parametrize("name", WITH_WORDS)
@settings(max_examples=10)
@given(data=st.data())
def test_every_text_that_a_pattern_matches_has_one_of_its_words(
    name: str, data: st.DataObject
) -> None:
    pattern = WITH_WORDS[name]
    text = data.draw(st.from_regex(re.compile(pattern.pattern, pattern.flags)))
    assert has_any(text, vars(pattern)["words"])
