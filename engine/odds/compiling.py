"""`njit` for the kernels: numba's, except that a cache that cannot be written is done without.

Numba refuses to decorate a function with `cache=True` if neither the folder of its source nor the
user's cache folder takes files, as in a container with a read-only file system. The kernels then
compile anew in each process (set NUMBA_CACHE_DIR to a folder that can be written to avoid that).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba


def njit(*, cache: bool = False, **options: Any) -> Callable[[Callable[..., Any]], Any]:
    """A decorator that compiles a kernel at its first call, and keeps the result if it can."""

    def compiled(kernel: Callable[..., Any]) -> Any:
        try:
            return numba.njit(cache=cache, **options)(kernel)
        except RuntimeError:  # "cannot cache function ...: no locator available"
            return numba.njit(**options)(kernel)

    return compiled
