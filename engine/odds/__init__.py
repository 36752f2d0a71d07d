"""The odds, exact wherever counting is feasible: the public Python API (`import engine.odds`).

Its names are listed in `__init__.pyi` and nowhere else. Each is loaded when first used, so that
asking for the chance of one bid does not wait for the compiler that the heavy kernels need.
"""

from engine.odds.loading import names_when_used

__getattr__, __dir__, __all__ = names_when_used(__name__)
