"""Output of commands besides their answers: refusals, lines of 80 columns, progress, files.

Bad input ends in one sentence on standard error and exit code 2, never in a traceback.
"""

from __future__ import annotations

import contextlib
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from textwrap import TextWrapper
from time import monotonic
from typing import TYPE_CHECKING, Final

import click

from bot.language.words import truncate
from bot.settings.paths import NO_ROOM
from engine.errors import EngineError, quote

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

FINDING: Final = 1  # exit code: the work is done, but a check found something wrong
BAD_INPUT: Final = 2
# EX_TEMPFAIL: the database is in use, a disk is full, or Discord can't be reached
TRY_LATER: Final = 75
WIDTH: Final = 80
_SHOWN: Final = 41  # characters of input that an error message repeats, at most


def refuse(sentence: str, code: int = BAD_INPUT) -> click.exceptions.Exit:
    """Print `sentence` to standard error and return the exit to raise.

    A sentence about bad input is for a person, and wrapped to a terminal's width. Other codes end a
    service: their sentence is one line, for logs and supervisors.
    """
    text = f"bluffhouse: {sentence}"
    typed_wrongly = code == BAD_INPUT
    with contextlib.suppress(OSError):  # standard error is closed; the exit code still tells
        for line in text.splitlines():
            click.echo(paragraph(line) if typed_wrongly else line, err=True)
    return click.exceptions.Exit(code)


@contextmanager
def one_sentence() -> Iterator[None]:
    """If the block raises an `EngineError`, print its sentence and exit with code 2."""
    try:
        yield
    except EngineError as error:
        raise refuse(str(error)) from None


def quote_input(text: object) -> str:
    """Quote typed input; cut it if it is too long to read."""
    return quote(truncate(str(text), _SHOWN))


def confirm(question: str) -> bool:
    """Ask a question until the answer is yes or no; Enter alone means no."""
    while True:
        reply = click.prompt(f"{question} [y/N]", default="", show_default=False).strip()
        if reply.lower() in ("y", "yes"):
            return True
        if reply.lower() in ("", "n", "no"):
            return False
        click.echo(paragraph(f"{quote_input(reply)} is neither yes nor no. Example: y"))


def paragraph(text: str, indent: str = "", hanging: str | None = None) -> str:
    """Return `text` in lines of at most 80 columns, unless a single word is longer.

    `indent` comes before the first line and `hanging` (by default the same) before the others.
    """
    wrapper = TextWrapper(
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent if hanging is None else hanging,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return wrapper.fill(text)


def columns(line: str) -> int:
    """Return how many terminal columns `line` takes."""
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in line)
    unseen = sum(unicodedata.combining(char) > 0 for char in line)
    return len(line) + wide - unseen


def write_file(
    file: Path, content: bytes, *, err: bool = False, own: bool = False, say: str = ""
) -> None:
    """Write a file and report it, on standard error if `err` (when JSON is printed, for example).

    `own`: the file contains people's data, so no one else on the machine may read it. `say`
    replaces the words "Wrote FILE". A file that can't be written ends the command.
    """
    from bot.storage.files import write_own

    try:
        if own:
            write_own(file, content)
        else:
            file.write_bytes(content)
    except OSError as error:
        raise refuse_file(file, error, file.stem) from None
    click.echo(say or f"Wrote {file}", err=err)


def write_lines(file: Path, lines: Iterable[str], *, err: bool = False) -> None:
    """Write a file of lines and report it."""
    write_file(file, "".join(f"{line}\n" for line in lines).encode(), err=err)


def refuse_file(file: Path, error: OSError, example: str) -> click.exceptions.Exit:
    """Print why a file could not be written, and return the exit to raise.

    `example`: a path without suffix to suggest.
    """
    sentence = f"{quote_input(file)} can't be written: {error.strerror}"
    if error.errno in NO_ROOM:
        return refuse(sentence, TRY_LATER)
    return refuse(f"{sentence}. Example: {example}{file.suffix.lower()}")


class ProgressBar:
    """A progress bar on a terminal's standard error, for work that takes longer than a second.

    It shows the share of the work that is done, or of the `limit` (in seconds) that has passed,
    whichever is larger. `unit`: what the work is counted in. It shows nothing in the first
    `quiet` seconds, or if standard error isn't a terminal. Must be closed.
    """

    def __init__(
        self,
        unit: str,
        limit: float = float("inf"),
        quiet: float = 1.0,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._unit = unit
        self._limit = limit
        self._quiet = quiet
        self._clock = clock
        self._began = clock()
        self._shown: tuple[Progress, TaskID] | None = None

    def __call__(self, done: int, total: int) -> None:
        """Show `done` of `total`, or the elapsed share of the time limit if that is larger."""
        elapsed = self._clock() - self._began
        if elapsed < self._quiet or not sys.stderr.isatty():
            return
        if self._shown is None:
            self._shown = _start_progress()
        progress, task = self._shown
        part = min(1.0, max(done / total, elapsed / self._limit))
        label = f"{done:,} {self._unit}" if done else "Starting"
        progress.update(task, completed=part, description=label)

    def close(self) -> None:
        """Remove the bar."""
        if self._shown is not None:
            self._shown[0].stop()


def _start_progress() -> tuple[Progress, TaskID]:
    from rich.console import Console  # imported only here, so that a first answer is fast
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
