"""Find the folder that keeps compiled kernels; its name changes whenever a source does.

Tables, constants, helpers and the order of a tuple's fields are compiled into a kernel from other
files. Therefore a package's kernels are stored in a folder named by a digest of every source that
they may depend on: any change of a source leads to another folder.

The folders are in NUMBA_CACHE_DIR. If that is not set, they are next to the engine's sources in a
checkout, else in the user's cache: an installation's files belong to its installer. If no folder is
writable, as in a container with a read-only file system, each process compiles the kernels again.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

ENGINE: Final = Path(__file__).parents[1]
NAMED: Final = "kernels-"
# folders to keep for each part: after undoing an edit or changing branches, nothing is compiled
KEPT: Final = 4
# The parts of the engine with kernels, and the parts that each may import (contracts in
# pyproject.toml enforce it): an edit in the showdown's part does not recompile the computer
# players' kernels.
PARTS: Final[dict[str, tuple[str, ...]]] = {
    "odds/bids": (),
    "odds/showdown": (),
    "players": ("odds/bids",),
}


@cache
def kernel_folder(package: Path, part: str = "") -> Path | None:
    """Return the folder for the kernels of `part`, or of `package` if `part` is empty.

    A part is a key of `PARTS`. If the folder is missing, create it, then remove all but the `KEPT`
    most recently used folders of the same part or package. Return None if no folder is writable.
    """
    named = f"{NAMED}{part.rpartition('/')[2] or package.name}-"
    for place in _places():
        folder = place / f"{named}{digest(package, part)}"
        try:
            new = not folder.exists()
            folder.mkdir(parents=True, exist_ok=True)
            _write_nothing(folder)
            os.utime(folder)  # marks it as used now
        except OSError:
            continue
        if new:
            _remove_older(place, named)
        return folder
    return None


@cache
def digest(package: Path, part: str = "") -> str:
    """Return a digest of the sources that a kernel may depend on, as 16 hexadecimal digits.

    These are the sources of `package` and of the engine. With a `part` (a key of `PARTS`), leave
    out the other parts that `part` may not import.
    """
    from hashlib import sha256  # slow, and only kernels need it

    unknown = tuple(
        f"{ENGINE / name}{os.sep}" for name in PARTS if part and name not in (part, *PARTS[part])
    )
    sha = sha256()
    for root in dict.fromkeys((ENGINE, package)):
        for source in _sources(root):
            if not source.startswith(unknown):
                content, name = Path(source).read_bytes(), source.removeprefix(str(root))
                sha.update(f"{name} {len(content)}\n".encode() + content)
    return sha.hexdigest()[:16]


def _write_nothing(folder: Path) -> None:
    """Create an empty file in a folder and remove it. Raises OSError if that isn't possible."""
    file = folder / f"empty.{os.getpid()}"  # importing `tempfile` takes longer than all else here
    file.touch()
    file.unlink(missing_ok=True)  # another thread may have removed it


def _sources(root: Path) -> list[str]:
    """Return the Python files below a folder, sorted.

    Caches are skipped, since another process may be removing old kernels there.
    """
    sources: list[str] = []  # `Path` would take longer than reading the files
    for folder, inside, names in os.walk(root):
        inside[:] = [name for name in inside if name != "__pycache__"]
        sources += [f"{folder}{os.sep}{name}" for name in names if name.endswith(".py")]
    return sorted(sources)


def place_of(source: Path) -> tuple[Path, str]:
    """Return the package of a kernel's source file, and its key of `PARTS` ("" if it has none).

    The package is the engine or a package next to it. For a kernel outside these packages, the
    folder of the kernel's file is returned instead.
    """
    beside = (folder for folder in source.parents if folder.parent == ENGINE.parent)
    parts = (part for part in PARTS if source.is_relative_to(ENGINE / part))
    return next(beside, source.parent), next(parts, "")


def _places() -> Iterator[Path]:
    """Yield the folders that may hold the cache, in order of preference."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        yield Path(chosen)
        return
    if (ENGINE.parent / "pyproject.toml").exists():
        yield ENGINE / "__pycache__"
    try:
        yield Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "bluffhouse"
    except RuntimeError:  # the user has no home folder
        return


def _remove_older(place: Path, named: str) -> None:
    """Remove all but the `KEPT` most recently used folders whose names begin with `named`.

    The folders are in `place`. A process that uses a removed folder compiles again.
    """

    def last_use(folder: Path) -> float:
        try:
            return folder.stat().st_mtime
        except OSError:  # another process is removing it
            return 0.0

    import shutil  # slow, and rarely needed

    folders = sorted(place.glob(f"{named}*"), key=last_use, reverse=True)
    for folder in folders[KEPT:]:
        shutil.rmtree(folder, ignore_errors=True)


def folder_for(source: Path) -> Path | None:
    """Return the folder for the kernels of a source file.

    None if no folder is writable, or if NUMBA_DISABLE_JIT is set: then nothing is compiled.
    """
    if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
        return None
    return kernel_folder(*place_of(source))


def write_whole(file: Path, content: bytes) -> None:
    """Write a file, if possible, so that other processes see all of it or none."""
    unfinished = file.with_name(f"{file.name}.{os.getpid()}")
    try:
        unfinished.write_bytes(content)
        unfinished.replace(file)
    except OSError:
        unfinished.unlink(missing_ok=True)
