"""Recipes: how the network of a game is trained, as data beside its weights.

A recipe has a plan for each set of weights, by the fields of `Plan` that differ from the usual. The
two sets are trained apart, each from nothing, so they can be trained side by side.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

from benchmarks.training.league import Plan
from engine.players.networks import index

SHIPPED: Final = "shipped"
MORE: Final = "more"  # three and more live seats
HEADS_UP: Final = "heads-up"
PARTS: Final = (MORE, HEADS_UP)  # in the order of a network's sets

Recipe = dict[str, Plan]


class RecipeError(ValueError):
    """A recipe that cannot be followed; `str()` of it is a sentence fit to be shown."""


def recipe_of(game: str, named: str) -> Recipe:
    """The recipe of the shipped network of the game with this key, or one in a JSON file.

    Raises RecipeError if there is none or it is not understood.
    """
    if named != SHIPPED:
        path = Path(named)
        if not path.is_file():
            raise RecipeError(
                f"there is no recipe {named}; expected {SHIPPED} or a file. Example: my.json"
            )
        try:
            return recipe_from(json.loads(path.read_text("utf-8")))
        except json.JSONDecodeError as error:
            raise RecipeError(f"{named} is no JSON: {error}. Example: {example()}") from None
    entry = index()["networks"].get(game)
    if entry is None:
        known = ", ".join(index()["networks"])
        raise RecipeError(f"no network is shipped for {game}, only for {known}")
    return recipe_from(entry["recipe"])


def recipe_from(read: Any) -> Recipe:
    """The plans that were read, by part. Raises RecipeError for anything but plans."""
    if not isinstance(read, Mapping) or set(read) != set(PARTS):
        raise RecipeError(f"a recipe has the parts {' and '.join(PARTS)}. Example: {example()}")
    known = {field.name for field in fields(Plan)}
    recipe = {}
    for part in PARTS:
        plan = read[part]
        unknown = sorted(set(plan) - known) if isinstance(plan, Mapping) else [str(plan)]
        if unknown or "rounds" not in plan:
            wrong = f"{', '.join(unknown)} means nothing" if unknown else "rounds are missing"
            raise RecipeError(f"in the part {part}, {wrong}. Example: {example()}")
        recipe[part] = Plan(**{name: _frozen(value) for name, value in plan.items()})
    return recipe


def example() -> str:
    """A recipe as it may be written."""
    return json.dumps({part: {"rounds": 1_000_000, "seed": 1} for part in PARTS})


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
