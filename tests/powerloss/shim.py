"""The disk under a process: `disk.c`, built when it is first needed and loaded by LD_PRELOAD."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

SOURCE: Final = Path(__file__).with_name("disk.c")
NO_COMPILER: Final = "the disk that loses power is C: it needs Linux and a C compiler (gcc or cc)"


def compiler() -> str | None:
    """Return the path of this machine's C compiler; None without a compiler or outside Linux."""
    named = os.environ.get("CC", "")
    paths = (shutil.which(name) for name in (named, "gcc", "cc", "clang") if name)
    return next((path for path in paths if path), None) if sys.platform == "linux" else None


# CI must have a compiler: there, the tests fail instead of being skipped
needs_compiler = pytest.mark.skipif(
    compiler() is None and "CI" not in os.environ, reason=NO_COMPILER
)


@functools.cache
def build_library() -> Path:
    """Build the shared library once and return its path.

    Raises RuntimeError if there is no C compiler, or if the compilation fails.
    """
    gcc = compiler()
    if gcc is None:
        raise RuntimeError(NO_COMPILER)
    library = Path(tempfile.mkdtemp(prefix="disk-")) / "disk.so"
    flags = ("-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-pthread")
    compilation = subprocess.run(
        [gcc, *flags, "-o", str(library), str(SOURCE)], capture_output=True, text=True, check=False
    )
    if compilation.returncode:
        raise RuntimeError(f"{SOURCE.name} could not be built:\n{compilation.stderr}")
    return library


@dataclass(frozen=True)
class Shim:
    """A folder on a disk that keeps a journal of changes and fails when `order` says so.

    `aside`: the folder of the journal and of the file with the orders.
    """

    folder: Path
    aside: Path

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        self.aside.mkdir(parents=True, exist_ok=True)
        self.order("")

    @property
    def journal(self) -> Path:
        """The file with all changes to the folder's files, in order."""
        return self.aside / "journal"

    @property
    def orders(self) -> Path:
        """The file that says what is wrong with the disk just now."""
        return self.aside / "orders"

    def order(self, words: str) -> None:
        """Make the disk `full`, `broken`, `slow 2000` and so on (`disk.c`); "" ends the fault."""
        self.orders.write_text(words)

    def environment(self, *, records: bool, cut: str = "") -> dict[str, str]:
        """Return the environment variables that make a process use this disk.

        `records`: keep a journal. `cut`: the sync at which the disk kills the process, such as "2
        before" for just before the second sync; "" for none.
        """
        chosen = {
            "LD_PRELOAD": str(build_library()),
            "DISK_FOLDER": str(self.folder.resolve()),
            "DISK_ORDERS": str(self.orders),
        }
        if records:
            chosen["DISK_JOURNAL"] = str(self.journal)
        if cut:
            chosen["DISK_CUT"] = cut
        return chosen
