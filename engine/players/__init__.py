"""Computer players: what a seat sees goes in, a bid or a challenge comes out.

Names are listed in `__init__.pyi` and loaded when first used, as those of the odds are: to observe
a seat neither numpy nor a compiler is needed, to choose for it both may be. How they are made,
trained and measured: docs/computer-players.md.
"""

from engine.odds.loading import names_when_used

__getattr__, __dir__, __all__ = names_when_used(__name__)
