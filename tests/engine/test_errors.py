"""Errors have their facts as attributes; errors that people see are sentences."""

from __future__ import annotations

import inspect

import pytest

from engine import errors

VIOLATIONS = [
    kind
    for _, kind in inspect.getmembers(errors, inspect.isclass)
    if issubclass(kind, errors.RuleViolation) and kind is not errors.RuleViolation
]


@pytest.mark.parametrize("kind", VIOLATIONS)
def test_a_rule_violation_shows_its_kind_and_its_facts(kind):
    facts = list(inspect.signature(kind).parameters)
    error = kind(*range(len(facts)))
    assert isinstance(error, errors.EngineError)
    assert [getattr(error, fact) for fact in facts] == list(range(len(facts)))
    assert str(error).startswith(f"{kind.__name__}(")
    assert all(f"{fact}={number}" in str(error) for number, fact in enumerate(facts))


def test_a_text_error_is_a_sentence_with_an_example():
    error = errors.TextError("Zz", "'Zz' is not a card", '"Ah"')
    assert str(error) == "'Zz' is not a card. Example: \"Ah\""
    assert (error.text, error.reason, error.example) == ("Zz", "'Zz' is not a card", '"Ah"')
    assert isinstance(error, ValueError)
