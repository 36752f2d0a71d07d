"""The odds, exactly where counting can do it: the public Python API (`import engine.odds`).

Names are loaded when first used, so that asking for the chance of one bid does not wait for the
compiler that the heavy kernels need.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:  # the same names for type checkers, which cannot follow `_EXPORTS`
    from engine.odds.advice import Advice as Advice
    from engine.odds.advice import BidOdds as BidOdds
    from engine.odds.advice import advise as advise
    from engine.odds.advice import seat_odds as seat_odds
    from engine.odds.bid_tables import BidTable as BidTable
    from engine.odds.bid_tables import holdings as holdings
    from engine.odds.bid_tables import thai_table as thai_table
    from engine.odds.bids import bid_chance as bid_chance
    from engine.odds.bids import ladder_chances as ladder_chances
    from engine.odds.chance import Chance as Chance
    from engine.odds.chance import OddsError as OddsError
    from engine.odds.combinations import combination_at as combination_at
    from engine.odds.combinations import combination_index as combination_index
    from engine.odds.combinations import three_of_52_index as three_of_52_index
    from engine.odds.evaluator import evaluate as evaluate
    from engine.odds.evaluator import evaluate_many as evaluate_many
    from engine.odds.evaluator import rank_of_dense as rank_of_dense
    from engine.odds.evaluator import seven_card_classes as seven_card_classes
    from engine.odds.kinds import kind_chances as kind_chances
    from engine.odds.kinds import kind_table as kind_table
    from engine.odds.question import parse_question as parse_question
    from engine.odds.ranges import Range as Range
    from engine.odds.ranking import HandRank as HandRank
    from engine.odds.ranking import Ranking as Ranking
    from engine.odds.ranking import Score as Score
    from engine.odds.sampling import Estimate as Estimate
    from engine.odds.sampling import Trial as Trial
    from engine.odds.sampling import sample_bids as sample_bids
    from engine.odds.sampling import sample_kinds as sample_kinds
    from engine.odds.scenario import Scenario as Scenario
    from engine.odds.scenario import parse_scenario as parse_scenario
    from engine.odds.showdown import Effort as Effort
    from engine.odds.showdown import PlayerOdds as PlayerOdds
    from engine.odds.showdown import Showdown as Showdown
    from engine.odds.showdown import ShowdownCancelled as ShowdownCancelled
    from engine.odds.showdown import showdown_odds as showdown_odds
    from engine.odds.showdown_rules import HOLDEM as HOLDEM
    from engine.odds.showdown_rules import PRESETS as PRESETS
    from engine.odds.showdown_rules import ShowdownRules as ShowdownRules
    from engine.odds.three_card import best_fold_line as best_fold_line
    from engine.odds.three_card import house_edge as house_edge
    from engine.odds.three_card import seat_two as seat_two

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
    "Advice": "advice",
    "BidOdds": "advice",
    "BidTable": "bid_tables",
    "Chance": "chance",
    "Estimate": "sampling",
    "OddsError": "chance",
    "Trial": "sampling",
    "advise": "advice",
    "bid_chance": "bids",
    "holdings": "bid_tables",
    "kind_chances": "kinds",
    "kind_table": "kinds",
    "ladder_chances": "bids",
    "sample_bids": "sampling",
    "sample_kinds": "sampling",
    "seat_odds": "advice",
    "thai_table": "bid_tables",
    "best_fold_line": "three_card",
    "combination_at": "combinations",
    "combination_index": "combinations",
    "house_edge": "three_card",
    "seat_two": "three_card",
    "three_of_52_index": "combinations",
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
