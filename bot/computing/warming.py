"""Loads the kernels of heavy odds and of computer players before anybody asks.

`python -m bot.computing.warming` compiles them into numba's cache and ends: a process that has
compiled keeps about 150 MB more than one that loads what lies in the cache.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from typing import Final

# one question for each kind of kernel, and whether it is counted or sampled
QUESTIONS: Final = (
    ("AhKd vs QcQs", True),
    ("AhKd vs QcQs vs random", False),
    ("omaha AsAhKsKh vs random", False),
    ("draw AsAhKsKh vs 9c9d8h8s", True),
)
_SAMPLED: Final = 1500  # more than one block of deals: whole blocks and the rest differ in kernels


def load_kernels() -> None:
    """Ask one small question of each kind, and one decision of each game."""
    from engine.odds import Effort, parse_question, showdown_odds
    from engine.players.sharp import prepare
    from engine.variants import VARIANTS

    for variant in VARIANTS.values():
        prepare(variant.ruleset())

    for text, exact in QUESTIONS:
        effort = Effort(exact=True) if exact else Effort(deals=_SAMPLED)
        showdown_odds(parse_question(text), effort)


def compile_apart() -> None:
    """Have another process fill the cache, and wait for it; it ends when this process does."""
    command = [sys.executable, "-m", "bot.computing.warming"]
    # the pipe stays open until the child has ended, or this process has
    pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(command, stdin=pipe, stdout=nowhere, stderr=nowhere) as child:
        child.wait()


def _end_with_parent() -> None:
    sys.stdin.buffer.read()
    os._exit(1)


if __name__ == "__main__":
    threading.Thread(target=_end_with_parent, daemon=True).start()
    load_kernels()
    os._exit(0)  # without waiting for the thread that reads
