"""Kernels compile with or without a folder for numba's cache."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numba
import pytest

from engine.odds import compiling

ROOT = Path(__file__).parents[3]


def add(one: int, other: int) -> int:
    return one + other


def test_a_kernel_without_a_place_for_its_cache_compiles_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []
    real = numba.njit

    def refusing(**options: object) -> object:
        asked.append(options)
        if options.get("cache"):
            raise RuntimeError("cannot cache function 'add': no locator available")
        return real(**options)  # type: ignore[call-overload]

    monkeypatch.setattr(compiling, "numba", SimpleNamespace(njit=refusing))
    assert compiling.njit(cache=True, nogil=True)(add)(2, 3) == 5
    assert asked == [{"cache": True, "nogil": True}, {"nogil": True}]


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")
def test_every_kernel_loads_where_no_folder_takes_files(tmp_path: Path) -> None:
    # a file in the place of each folder refuses even the superuser
    package = tmp_path / "engine"
    shutil.copytree(ROOT / "engine", package, ignore=shutil.ignore_patterns("__pycache__"))
    for folder in [package, *package.rglob("*/")]:
        (folder / "__pycache__").touch()
    blocked = tmp_path / "blocked"
    blocked.touch()
    kernels = [
        ".".join(module.relative_to(tmp_path).with_suffix("").parts)
        for module in sorted(package.rglob("*.py"))
        if "kernels" in (module.stem, module.parent.stem) and module.stem != "__init__"
    ]
    assert {"engine.odds.bids.kernels", "engine.odds.showdown.kernels.count"} <= set(kernels)
    everything = "\n".join(f"import {module}" for module in kernels)
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(blocked),
        "XDG_CACHE_HOME": str(blocked),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    for cache in ({}, {"NUMBA_CACHE_DIR": str(blocked / "cache")}):
        done = subprocess.run(
            [sys.executable, "-c", everything],
            cwd=tmp_path,
            env=environment | cache,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
