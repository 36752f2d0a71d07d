"""Exact odds of Three Card Poker: house edge, best play, what seeing another hand is worth.

`__init__.pyi` lists the names.

    house_edge(parse_line("Q64")).expected_value     # -0.0337298... of the ante
    advice("Qs 6h 4d").play                          # True
    advice("Qs 6h 4d", seen="Ah Kd 2c").expected_value

Strengths are integers from 0, for the weakest hand (5-3-2), without gaps. Expected values are per
unit staked and negative for the player's loss. docs/three-card.md explains the counting.
"""

from engine.odds.loading import names_when_used

__getattr__, __dir__, __all__ = names_when_used(__name__)
