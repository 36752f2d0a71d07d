"""Which rounds come solved with the package, as plain data: neither numpy nor a compiler needed."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

from engine.ruleset import Ruleset


@cache
def index() -> dict[str, Any]:
    """What is shipped, by game: file, digest, and the exploitability of each round in it."""
    text = files("engine.players").joinpath("weights/blueprints.json").read_text("utf-8")
    read: dict[str, Any] = json.loads(text)
    return read


def has_blueprints(rules: Ruleset) -> bool:
    """Whether any heads-up round of the game comes solved with the package."""
    return rules.key in index()
