"""The odds, exactly where counting can do it: the public Python API (`import engine.odds`).

Names are loaded when first used, so that asking for the chance of one bid does not wait for the
compiler that the heavy kernels need.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

# public name -> module below this package that defines it
_EXPORTS: Final[dict[str, str]] = {
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
