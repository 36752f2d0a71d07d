"""Computer players: given what a seat sees, they return a bid or a challenge.

Names are listed in `__init__.pyi` and loaded when first used, so that a program that only observes
positions loads no numpy and no compiler. docs/computer-players.md explains how the players are
made, trained and measured.
"""

from engine.odds.loading import names_when_used

__getattr__, __dir__, __all__ = names_when_used(__name__)
