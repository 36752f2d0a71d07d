"""Numba's cache notices only edits of the file a kernel stands in; these rules make up for that."""

from __future__ import annotations

import re
from hashlib import sha256
from importlib.resources import files

SHARED = ("scoring.py", "score_tables.py", "ranking.py")
KERNELS = (
    "kernels/count.py",
    "kernels/deal.py",
    "kernels/sample.py",
    "kernels/score.py",
    "kernels/vector.py",
)
VERSION = re.compile(r'^TABLE_VERSION = "(\w+)"$', re.MULTILINE)


def test_every_showdown_kernel_file_names_the_version_of_what_it_compiles_in() -> None:
    room = files("engine.odds.showdown")
    sources = {name: (room / name).read_text("utf-8") for name in SHARED + KERNELS}
    plain = "".join(VERSION.sub("", source) for source in sources.values())
    digest = sha256(plain.encode()).hexdigest()[:12]
    found = {name: VERSION.search(sources[name]) for name in KERNELS}
    versions = {name: match and match[1] for name, match in found.items()}
    assert versions == dict.fromkeys(KERNELS, digest), f'write TABLE_VERSION = "{digest}"'
