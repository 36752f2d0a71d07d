"""The local Discord without the standstills of its garbage collector: `soak` measures the bot's.

    python -m benchmarks.steady_discord [ARGUMENTS OF bot.sandbox]

It keeps every message, so to look through what it has takes ever longer: at 300 tables 75 ms every
6 s even for what is young, and twice in three and a half minutes 0.2 and 0.45 s, in which no press
reaches the bot. What it would have collected is some 400 objects a second.
"""

from __future__ import annotations

import gc
import runpy

if __name__ == "__main__":
    gc.disable()
    runpy.run_module("bot.sandbox", run_name="__main__", alter_sys=True)
