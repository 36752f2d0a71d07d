"""Kernels compile with a cache or without, and a kernel compiled from older sources isn't used."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import pytest

from engine.odds import compiling, kernel_folders
from engine.odds.loading import COMPILING

ROOT = Path(__file__).parents[3]


def add(a: int, b: int) -> int:
    return a + b


# a kernel that compiles in a constant, and a tuple's fields, that are defined in other files
KERNEL = """
import numpy as np
from engine.odds.compiling import njit
from engine.players.arrays import MOST_TRUSTED
from engine.players.kernels.cards import RoundArrays, round_arrays

@njit(cache=True)
def told(t):
    return MOST_TRUSTED, t.bids[0]

if __name__ == "__main__":
    table = round_arrays(1, 1)
    table.bids[0], table.by[0] = 9, 8
    print(*told(table), told.stats.cache_path, sum(told.stats.cache_hits.values()))
"""


@pytest.fixture(name="copy")
def _copy(tmp_path: Path) -> Path:
    """Copy the engine's sources, without compiled files, and add a kernel of our own."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "engine", tmp_path / "engine", ignore=ignored)
    (tmp_path / "engine" / "told.py").write_text(KERNEL)
    return tmp_path


def run(copy: Path, *words: str, **environment: str) -> list[str]:
    """Run Python with `words` as arguments on the copied sources; return the words it prints."""
    ended = subprocess.run(
        [sys.executable, *words],
        cwd=copy,
        env={"PATH": os.environ["PATH"], "HOME": str(copy), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.split()


def edit(file: Path, *changes: tuple[str, str]) -> None:
    text = file.read_text("utf-8")
    for before, after in changes:
        assert text.count(before) == 1
        text = text.replace(before, after)
    file.write_text(text, "utf-8")


@pytest.mark.long
def test_a_kernel_never_plays_on_with_what_was_compiled_in_from_another_file(copy: Path) -> None:
    first = run(copy, "-m", "engine.told")
    again = run(copy, "-m", "engine.told")
    assert (first[:2], first[3], again[3]) == (["6", "9"], "0", "1"), "the second time it is loaded"
    assert first[2] == again[2]
    edit(copy / "engine/players/arrays.py", ("MOST_TRUSTED: Final = 6", "MOST_TRUSTED: Final = 5"))
    # two fields of one type change places: the kernel's own file and its signature stay the same
    fields = (
        "    bids: Ints  # places of the bids made\n",
        "    by: Ints  # seats of the bids made\n",
    )
    edit(copy / "engine/players/kernels/cards.py", ("".join(fields), "".join(reversed(fields))))
    edited = run(copy, "-m", "engine.told")
    assert edited[:2] == ["5", "9"]
    assert edited[2] != first[2]


def test_an_edit_makes_anew_the_kernels_of_the_rooms_that_may_import_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Edit one file after another; check which digests of sources change.

    The last digest is that of the benchmarks, which covers their own sources and the engine's.
    """
    engine, benchmarks = tmp_path / "engine", tmp_path / "benchmarks"
    sources = {
        "bids": engine / "odds" / "bids" / "a.py",
        "showdown": engine / "odds" / "showdown" / "a.py",
        "players": engine / "players" / "kernels" / "a.py",
        "ground": engine / "cards.py",
        "benchmarks": benchmarks / "training" / "a.py",
    }
    for source in sources.values():
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_text("ONE = 1")
    monkeypatch.setattr(kernel_folders, "ENGINE", engine)

    def digests() -> list[str]:
        kernel_folders.digest.cache_clear()
        parts = [kernel_folders.digest(engine, part) for part in kernel_folders.PARTS]
        return [*parts, kernel_folders.digest(benchmarks)]

    assert list(kernel_folders.PARTS) == ["odds/bids", "odds/showdown", "players"]
    anew = {}
    for name, source in sources.items():
        before = digests()
        source.write_text("ONE = 2")
        anew[name] = [old != new for old, new in zip(before, digests(), strict=True)]
    assert anew == {
        "bids": [True, False, True, True],
        "showdown": [False, True, False, True],
        "players": [False, False, True, True],
        "ground": [True, True, True, True],
        "benchmarks": [False, False, False, True],
    }
    known = [digests()]
    sources["ground"].rename(engine / "card.py")
    known.append(digests())
    (engine / "new.py").write_text("")
    known.append(digests())
    assert len({names[-1] for names in known}) == 3
    cached = engine / "__pycache__" / "kernels-old" / "a.py"  # another process may be removing it
    cached.parent.mkdir(parents=True)
    cached.write_text("")
    assert digests() == known[-1]
    (engine / "new.py").unlink()
    (engine / "notes.txt").write_text("no source")
    assert digests() == known[1]


def test_only_the_folders_used_last_are_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for age in range(6):
        folder = tmp_path / f"kernels-engine-{age}"
        folder.mkdir()
        os.utime(folder, (1_000_000 - age, 1_000_000 - age))
    others = {"something else", "kernels-another-0"}
    for old in others:
        (tmp_path / old).mkdir()
    (tmp_path / "kernels-engine-gone").symlink_to(
        tmp_path / "nowhere"
    )  # as one that is being removed
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    kernel_folders.kernel_folder.cache_clear()
    new = kernel_folders.kernel_folder(kernel_folders.ENGINE)
    kernel_folders.kernel_folder.cache_clear()
    again = kernel_folders.kernel_folder(kernel_folders.ENGINE)
    kernel_folders.kernel_folder.cache_clear()
    assert new is not None
    assert new == again
    left = {folder.name for folder in tmp_path.iterdir() if folder.is_dir()}
    assert left == {new.name, "kernels-engine-0", "kernels-engine-1", "kernels-engine-2"} | others


def test_a_kernel_is_compiled_for_its_folder_and_numbas_own_is_as_before(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(compiling, "_plain", lambda: False)
    kernel_folders.kernel_folder.cache_clear()
    kernel = compiling.njit(cache=True, nogil=True)(add)
    kernel_folders.kernel_folder.cache_clear()
    assert kernel(2, 3) == 5
    assert vars(numba.config)["CACHE_DIR"] == str(tmp_path)
    folders = [folder.name for folder in tmp_path.iterdir()]
    assert folders == [f"kernels-tests-{kernel_folders.digest(ROOT / 'tests')}"]


@pytest.mark.skipif(compiling._plain(), reason="nothing is compiled")
def test_who_waits_is_told_when_a_kernel_is_compiled_and_not_when_it_is_there() -> None:
    notices: list[bool] = []
    COMPILING.append(notices.append)
    try:
        kernel = compiling.njit()(add)
        assert kernel(2, 3) == kernel(3, 2) == 5
    finally:
        COMPILING.remove(notices.append)
    assert notices == [True, False]


def test_a_kernel_without_a_place_for_its_cache_compiles_all_the_same(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Block each folder by a file of its name, and try a user without a home folder."""
    monkeypatch.setattr(compiling, "_plain", lambda: False)
    blocked = tmp_path / "blocked"
    blocked.touch()
    for setting in ("", str(blocked)):
        monkeypatch.setenv("NUMBA_CACHE_DIR", setting)
        monkeypatch.setattr(kernel_folders, "ENGINE", blocked)
        monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
        kernel_folders.kernel_folder.cache_clear()
        kernel = compiling.njit(cache=True, nogil=True)(add)
        kernel_folders.kernel_folder.cache_clear()
        assert kernel(2, 3) == 5

    def no_home() -> Path:
        raise RuntimeError

    monkeypatch.setenv("NUMBA_CACHE_DIR", "")
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "home", no_home)
    assert kernel_folders.kernel_folder(blocked) is None
    kernel_folders.kernel_folder.cache_clear()


@pytest.mark.long
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
        ended = subprocess.run(
            [sys.executable, "-c", everything],
            cwd=tmp_path,
            env=environment | cache,
            capture_output=True,
            text=True,
            check=False,
        )
        assert ended.returncode == 0, ended.stderr
