"""Computer players: they take what a seat sees, and return a bid or a challenge.

Names are listed in `__init__.pyi` and loaded when first used, like those of the odds: observing a
seat needs neither numpy nor a compiler, choosing for it may need both. See docs/computer-players.md
for how they are made, trained and measured.
"""

from engine.odds.loading import names_when_used

__getattr__, __dir__, __all__ = names_when_used(__name__)
