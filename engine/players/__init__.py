"""Computer players: given what a seat sees, they return a bid or a challenge.

Names are listed in `__init__.pyi` and loaded when first used, like those of the odds: observing a
seat needs neither numpy nor a compiler; choosing for it may need both. docs/computer-players.md
explains how they are made, trained and measured.
"""

from engine.odds.loading import names_when_used

__getattr__, __dir__, __all__ = names_when_used(__name__)
