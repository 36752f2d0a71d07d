"""The solved rounds that are shipped with the package, as plain data: no numpy, no compiler."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

from engine.ruleset import Ruleset


@cache
def index() -> dict[str, Any]:
    """Return by game the file of its solved rounds, its digest, and each round's exploitability."""
    text = files("engine.players").joinpath("weights/blueprints.json").read_text("utf-8")
    read: dict[str, Any] = json.loads(text)
    return read


def has_blueprints(rules: Ruleset) -> bool:
    """Return whether any heads-up round of the game was solved and is shipped."""
    return rules.key in index()
