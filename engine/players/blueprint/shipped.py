"""The rounds that come solved with the package, as plain data without numpy or a compiler."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

from engine.ruleset import Ruleset


@cache
def index() -> dict[str, Any]:
    """Return the shipped rounds by game: file, digest, and the exploitability of each round."""
    text = files("engine.players").joinpath("weights/blueprints.json").read_text("utf-8")
    read: dict[str, Any] = json.loads(text)
    return read


def has_blueprints(rules: Ruleset) -> bool:
    """Return whether any heads-up round of the game comes solved with the package."""
    return rules.key in index()
