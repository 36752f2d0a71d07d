"""The odds, exactly where counting can do it: the public Python API (`import engine.odds`).

Names are loaded when first used, so that asking for the chance of one bid does not wait for the
compiler that the heavy kernels need.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:  # the same names for type checkers, which cannot follow `_EXPORTS`
    from engine.odds.bids.advice import Advice as Advice
    from engine.odds.bids.advice import BidOdds as BidOdds
    from engine.odds.bids.advice import advise as advise
    from engine.odds.bids.advice import seat_odds as seat_odds
    from engine.odds.bids.exact import bid_chance as bid_chance
    from engine.odds.bids.exact import ladder_chances as ladder_chances
    from engine.odds.bids.kinds import kind_chances as kind_chances
    from engine.odds.bids.kinds import kind_table as kind_table
    from engine.odds.bids.sampling import Estimate as Estimate
    from engine.odds.bids.sampling import Trial as Trial
    from engine.odds.bids.sampling import sample_bids as sample_bids
    from engine.odds.bids.sampling import sample_kinds as sample_kinds
    from engine.odds.bids.tables import BidTable as BidTable
    from engine.odds.bids.tables import holdings as holdings
    from engine.odds.bids.tables import thai_table as thai_table
    from engine.odds.chance import Chance as Chance
    from engine.odds.chance import OddsError as OddsError
    from engine.odds.combinations import combination_at as combination_at
    from engine.odds.combinations import combination_index as combination_index
    from engine.odds.combinations import three_of_52_index as three_of_52_index
    from engine.odds.showdown.equity import Effort as Effort
    from engine.odds.showdown.equity import PlayerOdds as PlayerOdds
    from engine.odds.showdown.equity import Showdown as Showdown
    from engine.odds.showdown.equity import ShowdownCancelled as ShowdownCancelled
    from engine.odds.showdown.equity import showdown_odds as showdown_odds
    from engine.odds.showdown.evaluator import evaluate as evaluate
    from engine.odds.showdown.evaluator import evaluate_many as evaluate_many
    from engine.odds.showdown.evaluator import rank_of_dense as rank_of_dense
    from engine.odds.showdown.evaluator import seven_card_classes as seven_card_classes
    from engine.odds.showdown.games import HOLDEM as HOLDEM
    from engine.odds.showdown.games import PRESETS as PRESETS
    from engine.odds.showdown.games import ShowdownRules as ShowdownRules
    from engine.odds.showdown.question import parse_question as parse_question
    from engine.odds.showdown.ranges import Range as Range
    from engine.odds.showdown.ranking import HandRank as HandRank
    from engine.odds.showdown.ranking import Ranking as Ranking
    from engine.odds.showdown.ranking import Score as Score
    from engine.odds.showdown.scenario import Scenario as Scenario
    from engine.odds.showdown.scenario import parse_scenario as parse_scenario
    from engine.odds.three_card import best_fold_line as best_fold_line
    from engine.odds.three_card import house_edge as house_edge
    from engine.odds.three_card import seat_two as seat_two

# public name -> module below this package that defines it
_EXPORTS: Final[dict[str, str]] = {
    "evaluate": "showdown.evaluator",
    "evaluate_many": "showdown.evaluator",
    "rank_of_dense": "showdown.evaluator",
    "seven_card_classes": "showdown.evaluator",
    "parse_question": "showdown.question",
    "Range": "showdown.ranges",
    "HandRank": "showdown.ranking",
    "Ranking": "showdown.ranking",
    "Score": "showdown.ranking",
    "Scenario": "showdown.scenario",
    "parse_scenario": "showdown.scenario",
    "Effort": "showdown.equity",
    "PlayerOdds": "showdown.equity",
    "Showdown": "showdown.equity",
    "ShowdownCancelled": "showdown.equity",
    "showdown_odds": "showdown.equity",
    "HOLDEM": "showdown.games",
    "PRESETS": "showdown.games",
    "ShowdownRules": "showdown.games",
    "Advice": "bids.advice",
    "BidOdds": "bids.advice",
    "BidTable": "bids.tables",
    "Chance": "chance",
    "Estimate": "bids.sampling",
    "OddsError": "chance",
    "Trial": "bids.sampling",
    "advise": "bids.advice",
    "bid_chance": "bids.exact",
    "holdings": "bids.tables",
    "kind_chances": "bids.kinds",
    "kind_table": "bids.kinds",
    "ladder_chances": "bids.exact",
    "sample_bids": "bids.sampling",
    "sample_kinds": "bids.sampling",
    "seat_odds": "bids.advice",
    "thai_table": "bids.tables",
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
