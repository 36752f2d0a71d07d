"""One name, one meaning: no two classes in `bot` and `engine` have the same name."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]


def _classes(*rooms: str) -> dict[str, list[str]]:
    """Return the places of each class name in these packages, as path:line."""
    places = defaultdict(list)
    for room in rooms:
        for path in sorted((ROOT / room).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef):
                    places[node.name].append(f"{path.relative_to(ROOT).as_posix()}:{node.lineno}")
    return places


def test_no_two_classes_have_one_name():
    twice = {name: places for name, places in _classes("bot", "engine").items() if places[1:]}
    assert twice == {}, "rename all but one of each"
