"""A progress bar on a terminal's standard error, for what takes longer than a second."""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

QUIET_SECONDS: Final = 1.0


class Bar:
    """Shows how much of some deals is done, or of the `limit` in seconds, whichever is more.

    Nothing in the first second, and nothing at all where standard error is no terminal. `close` it.
    """

    def __init__(self, limit: float, clock: Callable[[], float] = monotonic) -> None:
        self._limit = limit
        self._clock = clock
        self._began = clock()
        self._shown: tuple[Progress, TaskID] | None = None

    def __call__(self, done: int, total: int) -> None:
        """So many of so many deals, as far as can be said by now."""
        elapsed = self._clock() - self._began
        if elapsed < QUIET_SECONDS or not sys.stderr.isatty():
            return
        if self._shown is None:
            self._shown = _started()
        progress, task = self._shown
        part = min(1.0, max(done / total, elapsed / self._limit))
        progress.update(task, completed=part, description=f"{done:,} deals")

    def close(self) -> None:
        """Take it away."""
        if self._shown is not None:
            self._shown[0].stop()


def _started() -> tuple[Progress, TaskID]:
    from rich.console import Console  # a first answer does without
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

    progress = Progress(
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.description}"),
        console=Console(stderr=True),
        transient=True,
    )
    task = progress.add_task("", total=1.0)
    progress.start()
    return progress, task
