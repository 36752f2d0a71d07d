"""A pattern is compiled when first used, and is then what `re.compile` returns."""

from __future__ import annotations

import re

import pytest

from engine.patterns import compile_later


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
