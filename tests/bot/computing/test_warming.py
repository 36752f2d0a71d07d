"""The computing process loads all that a hint needs before it is asked for one."""

from __future__ import annotations

import subprocess
import sys

import pytest

# in a process of its own: other tests have loaded the same kernels here
SCRIPT = """
from bot.computing.warming import load_players
from engine.players.kernels.estimating import describe
from engine.players.kernels.search import look_ahead, try_actions

load_players()
print(all(kernel.signatures for kernel in (describe, look_ahead, try_actions)))
"""


@pytest.mark.process
def test_a_first_hint_waits_for_no_kernel() -> None:
    command = [sys.executable, "-c", SCRIPT]
    assert subprocess.run(command, check=True, capture_output=True, text=True).stdout == "True\n"


# arrays count as long as no kernel is loaded
ALL_KERNELS = """
from bot.computing.warming import load_kernels
from engine.odds.machine_code import Kernel
from engine.odds.showdown import compiled

load_kernels()
kernels = [kernel for kernel in vars(compiled).values() if isinstance(kernel, Kernel)]
print([kernel._name for kernel in kernels if not kernel._runs])
"""


@pytest.mark.process
def test_a_question_of_each_kind_runs_every_kernel() -> None:
    command = [sys.executable, "-c", ALL_KERNELS]
    assert subprocess.run(command, check=True, capture_output=True, text=True).stdout == "[]\n"
