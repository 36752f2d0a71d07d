"""Numba's cache notices only edits of the file a kernel stands in; a version makes up for that.

Kernels compile in what they call from other files. So each file of kernels names a digest of them
all; `python -m tests.engine.players.test_kernel_versions` writes it into each.
"""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parents[3]
ROOMS = ("engine/players/kernels", "benchmarks/training")
COMPILED_IN = ("engine/odds/bids/kernels.py",)
COMPILES_THEM_IN = ("engine/players/coaching/kernels.py",)  # and none of them compiles it in
VERSION = re.compile(r'^KERNELS_VERSION = "(\w*)"$', re.MULTILINE)


def kernel_files() -> list[Path]:
    """Every file of the rooms that has something compiled in it."""
    found = [path for room in ROOMS for path in sorted((ROOT / room).glob("*.py"))]
    return [path for path in found if "\n@njit" in path.read_text("utf-8")]


def versioned_files() -> list[Path]:
    """Every file that has to notice when one of the kernels changes."""
    return [*kernel_files(), *(ROOT / name for name in COMPILES_THEM_IN)]


def digest() -> str:
    """Of all files of kernels and what they compile in, apart from the versions themselves."""
    paths = [*kernel_files(), *(ROOT / name for name in COMPILED_IN)]
    plain = "".join(VERSION.sub("", path.read_text("utf-8")) for path in paths)
    return sha256(plain.encode()).hexdigest()[:12]


def test_every_file_of_kernels_names_the_version_of_all_of_them() -> None:
    versions = {}
    for path in versioned_files():
        named = VERSION.search(path.read_text("utf-8"))
        versions[str(path.relative_to(ROOT))] = named and named[1]
    assert len(versions) >= 6
    wanted = digest()
    assert versions == dict.fromkeys(versions, wanted), f'write KERNELS_VERSION = "{wanted}"'


if __name__ == "__main__":
    version = digest()
    for kernels in versioned_files():
        text = kernels.read_text("utf-8")
        kernels.write_text(VERSION.sub(f'KERNELS_VERSION = "{version}"', text), "utf-8")
    print(version)
