"""The solved rounds that are shipped with the package, as plain data: no numpy, no compiler."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

from engine.ruleset import Ruleset


@cache
def index() -> dict[str, Any]:
    """Return the entry of each game's solved rounds, by the game's key.

    An entry has the name of the `file`, its `sha256`, and each round's `exploitability`; "1-2" is
    the round in which the opener has one card and the other seat two.
    """
    text = files("engine.players").joinpath("weights/blueprints.json").read_text("utf-8")
    read: dict[str, Any] = json.loads(text)
    return read


def has_blueprints(rules: Ruleset) -> bool:
    """Return whether any heads-up round of the game was solved and is shipped."""
    return rules.key in index()
