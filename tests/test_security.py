"""SECURITY.md names a test for each thing that somebody could try; each of them is there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_every_test_that_the_threat_model_names_is_there() -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", (ROOT / "SECURITY.md").read_text("utf-8"))
    assert len(named) > 20
    for file, name in named:
        tree = ast.parse((ROOT / file).read_text("utf-8"))
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
        found = {one.name for one in tree.body if isinstance(one, kinds)}
        assert name in found, f"{file} has no {name}"


def test_everybody_who_could_try_something_has_a_test() -> None:
    text = (ROOT / "SECURITY.md").read_text("utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| ") and "could try" not in line]
    assert len(rows) > 12
    for row in rows:
        assert "::test_" in row, row


def test_the_base_image_is_pinned_to_a_full_version() -> None:
    images = re.findall(r"^FROM (\S+)", (ROOT / "Dockerfile").read_text("utf-8"), re.MULTILINE)
    assert len(set(images)) == 1
    assert re.fullmatch(r"python:3\.\d+\.\d+-slim-\w+", images[0])
