"""The local Discord without the standstills of its garbage collector: `soak` measures the bot's.

    python -m benchmarks.steady_discord [ARGUMENTS OF bot.sandbox]

With a thousand tables in memory to look through everything takes 0.3 to 0.4 s every half a minute,
in which no press reaches the bot. What is young is looked through as ever.
"""

from __future__ import annotations

import gc
import runpy
from typing import Final

_THRESHOLDS: Final = (10_000, 50, 1_000_000)  # the last: so many times, before it is everything

if __name__ == "__main__":
    gc.set_threshold(*_THRESHOLDS)
    runpy.run_module("bot.sandbox", run_name="__main__", alter_sys=True)
