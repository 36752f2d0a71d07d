"""`njit` for the kernels: numba's, with a cache on disk that no edit leaves stale.

Numba keeps a compiled kernel until the file that it stands in changes. But tables, constants,
helpers and the order of a tuple's fields are compiled in from other files, and a kernel with the
old ones in it would go on playing. So the kernels of a room are kept in a folder that is named by
a digest of every source they may take something from: with any other source it is another one.

The folders lie in NUMBA_CACHE_DIR, beside the engine's sources where that is not set, or else in
the user's cache. Where none of them takes files, as in a container with a read-only file system,
kernels compile anew in each process.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, Final

import numba
from numba.core import event

from engine.odds.loading import COMPILING

ENGINE: Final = Path(__file__).parents[1]
NAMED: Final = "kernels-"
KEPT: Final = (
    4  # folders of a room, those used last: of the sources before an edit, or of another branch
)
# Rooms with kernels, and which of these each may import from (the contracts in pyproject.toml hold
# it): whoever edits a showdown does not wait for the computer players' kernels.
ROOMS: Final[dict[str, tuple[str, ...]]] = {
    "odds/bids": (),
    "odds/showdown": (),
    "players": ("odds/bids",),
}


class _Compiling(event.Listener):
    """Passes on when numba compiles; what lies in the cache is loaded, which is no event."""

    def on_start(self, event: Any) -> None:
        for told in COMPILING:
            told(True)

    def on_end(self, event: Any) -> None:
        for told in COMPILING:
            told(False)


event.register("numba:compile", _Compiling())  # type: ignore[no-untyped-call]


def njit(*, cache: bool = False, **options: Any) -> Callable[[Callable[..., Any]], Any]:
    """A decorator that compiles a kernel at its first call, and keeps the result if it can."""

    def compiled(kernel: Callable[..., Any]) -> Any:
        folder = kernel_folder(*_place_of(kernel)) if cache and not _plain() else None
        if folder is None:
            return numba.njit(**options)(kernel)
        with _kept_in(folder):
            return numba.njit(cache=True, **options)(kernel)

    return compiled


@cache
def kernel_folder(package: Path, room: str = "") -> Path | None:
    """Where the kernels of a room of `package` are kept, made if need be; None for nowhere.

    The folders of other sources are removed then, but for those used last.
    """
    named = f"{NAMED}{room.rpartition('/')[2] or package.name}-"
    for place in _places():
        folder = place / f"{named}{digest(package, room)}"
        try:
            new = not folder.exists()
            folder.mkdir(parents=True, exist_ok=True)
            TemporaryFile(dir=folder).close()
            os.utime(folder)  # used now
        except OSError:
            continue
        if new:
            _remove_older(place, named)
        return folder
    return None


@cache
def digest(package: Path, room: str = "") -> str:
    """Of every source of the engine that `room` may import (all without one), and of `package`."""
    unknown = [ENGINE / other for other in ROOMS if room and other not in (room, *ROOMS[room])]
    seen = sha256()
    for root in dict.fromkeys((ENGINE, package)):
        for source in sorted(root.rglob("*.py")):
            if not any(source.is_relative_to(other) for other in unknown):
                content = source.read_bytes()
                seen.update(f"{source.relative_to(root)} {len(content)}\n".encode() + content)
    return seen.hexdigest()[:16]


def _place_of(kernel: Callable[..., Any]) -> tuple[Path, str]:
    """The package that a kernel belongs to, and its room in the engine.

    A package is the engine or one beside it; else it is the kernel's folder.
    """
    source = Path(kernel.__code__.co_filename)
    beside = (folder for folder in source.parents if folder.parent == ENGINE.parent)
    rooms = (room for room in ROOMS if source.is_relative_to(ENGINE / room))
    return next(beside, source.parent), next(rooms, "")


def _plain() -> bool:
    """Whether numba is told not to compile."""
    return bool(vars(numba.config)["DISABLE_JIT"])


def _places() -> Iterator[Path]:
    """Where the folder may lie, the first that takes files."""
    told: str = vars(numba.config)["CACHE_DIR"]
    if told:
        yield Path(told)
        return
    yield ENGINE / "__pycache__"
    try:
        yield Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "bluffhouse"
    except RuntimeError:  # whoever runs this has no home
        return


@contextmanager
def _kept_in(folder: Path) -> Iterator[None]:
    """While kernels are decorated, numba is told this folder."""
    config: Any = numba.config
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        config.CACHE_DIR = before


def _remove_older(place: Path, named: str) -> None:
    """Remove all but the `KEPT` folders used last of those whose name begins with `named`.

    A process that uses one of the others compiles anew.
    """

    def used(folder: Path) -> float:
        try:
            return folder.stat().st_mtime
        except OSError:  # another process removes it
            return 0.0

    folders = sorted(place.glob(f"{named}*"), key=used, reverse=True)
    for folder in folders[KEPT:]:
        shutil.rmtree(folder, ignore_errors=True)
