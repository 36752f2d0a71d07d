"""Runs a Python command in a copy of the tree, as a fork of this process.

The libraries are imported once, before the first fork (pytest's plugins excepted, which it wants to
import itself); nothing of the house is, so a copy's own modules are the ones that its command
imports. That saves a second for each.
"""

from __future__ import annotations

import importlib
import os
import runpy
import signal
import sys
import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

HOUSE: Final = ("bot", "engine", "migrations", "tests", "benchmarks")
LIBRARIES: Final = (
    "pytest", "discord", "discord.ext.commands",
    "discord.app_commands", "aiohttp", "aiosqlite", "sqlalchemy.ext.asyncio", "alembic.command",
    "structlog", "click", "pydantic_settings", "babel", "PIL.Image", "PIL.ImageDraw",
    "openskill.models", "multidict", "yarl",
)  # fmt: skip
IMPORTED: Final = 3  # exit code: the house was imported from somewhere else
PATIENCE: Final = 1200.0  # seconds for one command, on a machine that is busy


@dataclass(frozen=True)
class Ran:
    """What a command ended with (None: it took too long), and everything it said."""

    code: int | None
    said: str


def warm() -> None:
    """Import the libraries. Raises RuntimeError if the house was imported with them."""
    for name in LIBRARIES:
        importlib.import_module(name)
    loaded = [name for name in ("bot", "engine") if name in sys.modules]
    if loaded:
        raise RuntimeError(f"{', '.join(loaded)} must not be imported before a copy is made")


def run(tree: Path, command: Sequence[str], log: Path) -> Ran:
    """Run `command`, a module with its arguments, in `tree`; its output goes to `log`."""
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child == 0:
        _become(tree, command, log)  # never returns
    code = _awaited(child)
    return Ran(code, log.read_text(errors="replace"))


def _awaited(child: int) -> int | None:
    ends = time.monotonic() + PATIENCE
    while True:
        found, status = os.waitpid(child, os.WNOHANG)
        if found:
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() > ends:
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return None
        time.sleep(0.01)


def _become(tree: Path, command: Sequence[str], log: Path) -> None:
    """Be that command, to the end of this process."""
    code = 1
    try:
        os.setpgid(0, 0)
        with log.open("wb") as out:
            os.dup2(out.fileno(), 1)
            os.dup2(out.fileno(), 2)
        os.chdir(tree)
        os.environ["PYTHONPATH"] = str(tree)  # of what it starts itself
        for name in [name for name in sys.modules if name.split(".")[0] in HOUSE]:
            del sys.modules[name]
        here = Path(__file__).resolve().parents[2]
        sys.path[:] = [str(tree), *(one for one in sys.path if one and Path(one) != here)]
        importlib.invalidate_caches()
        for name in ("bot", "engine"):
            found = Path(importlib.import_module(name).__file__ or "")
            if not found.is_relative_to(tree):
                print(f"{name} was imported from {found}, not from {tree}")
                _end(IMPORTED)
        module, *arguments = command
        sys.argv[:] = [module, *arguments]
        runpy.run_module(module, run_name="__main__", alter_sys=True)
        code = 0
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else int(error.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        _end(code)


def _end(code: int) -> None:
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
