"""Numba's cache notices only edits of the file a kernel stands in; these rules make up for that.

`python -m tests.engine.odds.showdown.test_kernel_versions` writes the version into each file.
"""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path

ROOM = Path(__file__).parents[4] / "engine/odds/showdown"
SHARED = ("scoring.py", "score_tables.py", "ranking.py")
VERSION = re.compile(r'^TABLE_VERSION = "(\w+)"$', re.MULTILINE)


def kernel_files() -> list[Path]:
    """Every file of kernels."""
    return [path for path in sorted((ROOM / "kernels").glob("*.py")) if path.stem != "__init__"]


def digest() -> str:
    """Of all files of kernels and what they compile in, apart from the versions themselves."""
    paths = [*(ROOM / name for name in SHARED), *kernel_files()]
    plain = "".join(VERSION.sub("", path.read_text("utf-8")) for path in paths)
    return sha256(plain.encode()).hexdigest()[:12]


def test_every_showdown_kernel_file_names_the_version_of_what_it_compiles_in() -> None:
    found = {path.name: VERSION.search(path.read_text("utf-8")) for path in kernel_files()}
    versions = {name: match and match[1] for name, match in found.items()}
    assert len(versions) >= 7
    wanted = digest()
    assert versions == dict.fromkeys(versions, wanted), f'write TABLE_VERSION = "{wanted}"'


if __name__ == "__main__":
    version = digest()
    for kernels in kernel_files():
        text = kernels.read_text("utf-8")
        kernels.write_text(VERSION.sub(f'TABLE_VERSION = "{version}"', text), "utf-8")
    print(version)
