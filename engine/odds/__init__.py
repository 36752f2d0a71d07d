"""The odds, exactly where counting can do it: the public Python API (`import engine.odds`).

Names are loaded when first used, so that asking for the chance of one bid does not wait for the
compiler that the heavy kernels need.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

# public name -> module below this package that defines it
_EXPORTS: Final[dict[str, str]] = {
    "evaluate": "evaluator",
    "evaluate_many": "evaluator",
    "rank_of_dense": "evaluator",
    "seven_card_classes": "evaluator",
    "parse_question": "question",
    "Range": "ranges",
    "HandRank": "ranking",
    "Ranking": "ranking",
    "Score": "ranking",
    "Scenario": "scenario",
    "parse_scenario": "scenario",
    "Effort": "showdown",
    "PlayerOdds": "showdown",
    "Showdown": "showdown",
    "ShowdownCancelled": "showdown",
    "showdown_odds": "showdown",
    "HOLDEM": "showdown_rules",
    "PRESETS": "showdown_rules",
    "ShowdownRules": "showdown_rules",
}

__all__ = sorted(_EXPORTS)


def __getattr__(name: str) -> Any:
    try:
        module = _EXPORTS[name]
    except KeyError:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
    return getattr(import_module(f"{__name__}.{module}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_EXPORTS])
