"""Three Card Poker, counted: house edge, best play, seat two. The public names of the package.

    house_edge(parse_line("Q64")).expected_value     # -0.0337298... of the ante
    advice("Qs 6h 4d").play                          # True
    advice("Qs 6h 4d", seen="Ah Kd 2c").expected_value

Strengths are dense integers, 0 the weakest hand (5-3-2); expected values are per unit staked and
negative for the player's loss. How it is counted: docs/three-card.md.
"""

from engine.odds.three_card.advising import ThreeCardAdvice, advice
from engine.odds.three_card.heads_up import Showdowns, showdowns
from engine.odds.three_card.house import (
    BEST,
    MOST_SEATS,
    BlindSeats,
    FoldLine,
    HouseEdge,
    Outcomes,
    PlayingLine,
    TableOdds,
    best_fold_line,
    blind_seats,
    house_edge,
    parse_line,
    parse_qualifying,
    played_values,
    seventeen_outcomes,
    survey,
)
from engine.odds.three_card.pay import (
    AnteBonus,
    PairPlus,
    PayTable,
    SixCardBonus,
    TableRules,
    parse_pay,
)
from engine.odds.three_card.seats import SeatTwo, seat_two
from engine.odds.three_card.strength import Category, three_cards

__all__ = [
    "BEST",
    "MOST_SEATS",
    "AnteBonus",
    "BlindSeats",
    "Category",
    "FoldLine",
    "HouseEdge",
    "Outcomes",
    "PairPlus",
    "PayTable",
    "PlayingLine",
    "SeatTwo",
    "Showdowns",
    "SixCardBonus",
    "TableOdds",
    "TableRules",
    "ThreeCardAdvice",
    "advice",
    "best_fold_line",
    "blind_seats",
    "house_edge",
    "parse_line",
    "parse_pay",
    "parse_qualifying",
    "played_values",
    "seat_two",
    "seventeen_outcomes",
    "showdowns",
    "survey",
    "three_cards",
]
