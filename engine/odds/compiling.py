"""`njit` for the kernels: numba's, with a disk cache that never serves outdated kernels.

Numba keeps a compiled kernel until the file that defines it changes. But the kernel
contains code from other files too. So each kernel is kept in the folder that
`kernel_folders` finds for its sources.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numba
from numba import types
from numba.core import cgutils, event
from numba.extending import intrinsic

from engine.odds.kernel_folders import kernel_folder, place_of
from engine.odds.loading import COMPILING, LOADED


class _Compiling(event.Listener):
    """A listener that calls the functions in `COMPILING` when numba starts and stops compiling.

    Loading a kernel from the cache doesn't count as compiling.
    """

    def on_start(self, event: Any) -> None:
        for listener in COMPILING:
            listener(True)

    def on_end(self, event: Any) -> None:
        for listener in COMPILING:
            listener(False)


LOADED.add("kernels")
event.register("numba:compile", _Compiling())  # type: ignore[no-untyped-call]


def njit(*, cache: bool = False, **options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Return a decorator that compiles a kernel at its first call.

    `cache`: keep the compiled kernel on disk, if possible. `options` are those of numba's `njit`.
    """

    def compile_kernel(kernel: Callable[..., Any]) -> Any:
        folder = (
            kernel_folder(*place_of(Path(kernel.__code__.co_filename)))
            if cache and not _plain()
            else None
        )
        if folder is None:
            return numba.njit(**options)(kernel)
        with _cache_in(folder):
            return numba.njit(cache=True, **options)(kernel)

    return compile_kernel


def _plain() -> bool:
    """Return whether numba's compilation is switched off."""
    return bool(vars(numba.config)["DISABLE_JIT"])


@contextmanager
def _cache_in(folder: Path) -> Iterator[None]:
    """Make `folder` numba's cache inside the `with` block, for the kernels decorated there."""
    config: Any = numba.config
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        config.CACHE_DIR = before


@intrinsic
def as_pointer(_context: Any, _address: Any) -> Any:
    """Return an address, an int64, as a pointer, for use in compiled code."""

    def make(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], cgutils.voidptr_t)

    return types.voidptr(types.int64), make
