"""Recipes: the settings with which a game's network is trained, stored with its weights.

A network has two sets of weights, and a recipe has a plan for each. In JSON, a plan has
only the fields of `Plan` that differ from the defaults. The sets are trained separately,
each from scratch, so they can be trained at the same time.
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
    """A missing or invalid recipe; `str()` of the error is a sentence to show."""


def recipe_of(game: str, named: str) -> Recipe:
    """Return the recipe in the JSON file `named`; for "shipped", the shipped network's recipe.

    Raises RecipeError if there is no such recipe, or it is invalid.
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
    """Return the recipe in parsed JSON: a plan for each part.

    Raises RecipeError if a part or its `rounds` are missing, or if a name is unknown.
    """
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
    """Return an example of a recipe, as JSON."""
    return json.dumps({part: {"rounds": 1_000_000, "seed": 1} for part in PARTS})


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
