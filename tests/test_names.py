"""One name, one meaning: no two classes of the product are called alike."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
# why each of them stands twice
TWICE: Final = {
    "Table": "a channel's table, and all that compiled players see of one, as arrays",
}


def _classes(*rooms: str) -> dict[str, list[str]]:
    """Where a class of each name is."""
    places = defaultdict(list)
    for room in rooms:
        for path in sorted((ROOT / room).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef):
                    places[node.name].append(f"{path.relative_to(ROOT).as_posix()}:{node.lineno}")
    return places


def test_no_two_classes_have_one_name():
    twice = {name: places for name, places in _classes("bot", "engine").items() if places[1:]}
    alike = {name: places for name, places in twice.items() if name not in TWICE}
    assert alike == {}, f"rename all but one of each, or say in TWICE why it stays: {alike}"
    assert twice.keys() == TWICE.keys(), "TWICE names a class that stands once"
