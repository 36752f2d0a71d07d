"""The engine's reasons for refusing a question: templates with facts, which can be translated."""

from __future__ import annotations

import ast
import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest

import engine
from engine.errors import Reason

_ROOT = Path(engine.__file__).parent
_SOURCES = [_ROOT / "cards.py", *sorted((_ROOT / "odds").rglob("*.py"))]


def _texts_without_facts(tree: ast.AST) -> Iterator[int]:
    """Yield the lines where an error's reason is a plain string or f-string, not a `Reason`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            at = {"TextError": 1, "OddsError": 0}.get(node.func.id)
            if at is not None and isinstance(node.args[at], (ast.Constant, ast.JoinedStr)):
                yield node.lineno
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.value, (ast.Constant, ast.JoinedStr))
            and any(isinstance(name, ast.Name) and name.id == "reason" for name in node.targets)
        ):
            yield node.lineno


@pytest.mark.parametrize("path", _SOURCES, ids=lambda path: str(path.relative_to(_ROOT)))
def test_every_reason_is_a_template_with_facts(path: Path) -> None:
    assert not list(_texts_without_facts(ast.parse(path.read_text("utf-8"))))


def test_a_reason_is_its_english_text_and_keeps_its_facts() -> None:
    reason = Reason(
        '"{word}" has {number} of {names}', word="a\u202e", number=1234, names=("x", "y")
    )
    assert reason == '"a\\u202e" has 1,234 of x, y'
    assert reason.facts == {"word": "a\\u202e", "number": 1234, "names": ("x", "y")}
    assert Reason("{braces} without facts") == "{braces} without facts"


def test_a_reason_goes_to_another_process_whole() -> None:
    reason = Reason("{card} is given twice", card="Ah")
    again = pickle.loads(pickle.dumps(reason))
    assert (again, again.template, again.facts) == (reason, reason.template, reason.facts)
