"""Three Card Poker, counted: house edge, best play, seat two. The public names of the package.

    house_edge(parse_line("Q64")).expected_value     # -0.0337298... of the ante
    advice("Qs 6h 4d").play                          # True
    advice("Qs 6h 4d", seen="Ah Kd 2c").expected_value

Strengths are dense integers, 0 the weakest hand (5-3-2); expected values are per unit staked and
negative for the player's loss. How it is counted: docs/three-card.md.
"""

from engine.odds.three_card.advising import ThreeCardAdvice as ThreeCardAdvice
from engine.odds.three_card.advising import advice as advice
from engine.odds.three_card.hands import Category as Category
from engine.odds.three_card.hands import Showdowns as Showdowns
from engine.odds.three_card.hands import showdowns as showdowns
from engine.odds.three_card.hands import three_cards as three_cards
from engine.odds.three_card.house import (
    BEST as BEST,
)
from engine.odds.three_card.house import (
    MOST_SEATS as MOST_SEATS,
)
from engine.odds.three_card.house import (
    BlindSeats as BlindSeats,
)
from engine.odds.three_card.house import (
    FoldLine as FoldLine,
)
from engine.odds.three_card.house import (
    HouseEdge as HouseEdge,
)
from engine.odds.three_card.house import (
    Outcomes as Outcomes,
)
from engine.odds.three_card.house import (
    PlayingLine as PlayingLine,
)
from engine.odds.three_card.house import (
    TableOdds as TableOdds,
)
from engine.odds.three_card.house import (
    best_fold_line as best_fold_line,
)
from engine.odds.three_card.house import (
    blind_seats as blind_seats,
)
from engine.odds.three_card.house import (
    house_edge as house_edge,
)
from engine.odds.three_card.house import (
    parse_line as parse_line,
)
from engine.odds.three_card.house import (
    parse_qualifying as parse_qualifying,
)
from engine.odds.three_card.house import (
    played_values as played_values,
)
from engine.odds.three_card.house import (
    seventeen_outcomes as seventeen_outcomes,
)
from engine.odds.three_card.house import (
    survey as survey,
)
from engine.odds.three_card.pay import (
    AnteBonus as AnteBonus,
)
from engine.odds.three_card.pay import (
    PairPlus as PairPlus,
)
from engine.odds.three_card.pay import (
    PayTable as PayTable,
)
from engine.odds.three_card.pay import (
    SixCardBonus as SixCardBonus,
)
from engine.odds.three_card.pay import (
    TableRules as TableRules,
)
from engine.odds.three_card.pay import (
    parse_pay as parse_pay,
)
from engine.odds.three_card.seats import SeatTwo as SeatTwo
from engine.odds.three_card.seats import seat_two as seat_two
