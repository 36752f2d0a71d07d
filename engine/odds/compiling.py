"""`njit` for the kernels: numba's, with a cache on disk that no edit leaves stale.

Numba keeps a compiled kernel until the file that it stands in changes. But tables, constants,
helpers and the order of a tuple's fields are compiled in from other files, and a kernel with the
old ones in it would go on playing. So all kernels are kept in one folder, which is named by a
digest of every source that they may take something from: with any other source it is another one.

It lies in NUMBA_CACHE_DIR, beside the engine's sources where that is not set, or else in the user's
cache. Where none of them takes files, as in a container with a read-only file system, kernels
compile anew in each process.
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

ENGINE: Final = Path(__file__).parents[1]
NAMED: Final = "kernels-"
KEPT: Final = 4  # folders, those used last: of the sources before an edit, or of another branch


def njit(*, cache: bool = False, **options: Any) -> Callable[[Callable[..., Any]], Any]:
    """A decorator that compiles a kernel at its first call, and keeps the result if it can."""

    def compiled(kernel: Callable[..., Any]) -> Any:
        folder = kernel_folder(_package(kernel)) if cache and not _plain() else None
        if folder is None:
            return numba.njit(**options)(kernel)
        with _kept_in(folder):
            return numba.njit(cache=True, **options)(kernel)

    return compiled


@cache
def kernel_folder(package: Path) -> Path | None:
    """Where the kernels of `package` are kept, a new folder made if need be; None for nowhere.

    The folders of other sources are removed then, but for those used last.
    """
    name = f"{NAMED}{digest(package)}"
    for place in _places():
        folder = place / name
        try:
            new = not folder.exists()
            folder.mkdir(parents=True, exist_ok=True)
            TemporaryFile(dir=folder).close()
            os.utime(folder)  # used now
        except OSError:
            continue
        if new:
            _remove_older(place)
        return folder
    return None


@cache
def digest(package: Path) -> str:
    """Of every source of the engine and of `package`, by name and content."""
    seen = sha256()
    for root in dict.fromkeys((ENGINE, package)):
        for source in sorted(root.rglob("*.py")):
            content = source.read_bytes()
            seen.update(f"{source.relative_to(root)} {len(content)}\n".encode() + content)
    return seen.hexdigest()[:16]


def _package(kernel: Callable[..., Any]) -> Path:
    """The engine, or the package beside it that the kernel belongs to; else the kernel's folder."""
    source = Path(kernel.__code__.co_filename)
    beside = (folder for folder in source.parents if folder.parent == ENGINE.parent)
    return next(beside, source.parent)


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


def _remove_older(place: Path) -> None:
    """Remove all but the `KEPT` folders used last; a process that uses one compiles anew."""

    def used(folder: Path) -> float:
        try:
            return folder.stat().st_mtime
        except OSError:  # another process removes it
            return 0.0

    folders = sorted(place.glob(f"{NAMED}*"), key=used, reverse=True)
    for folder in folders[KEPT:]:
        shutil.rmtree(folder, ignore_errors=True)
