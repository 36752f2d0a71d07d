"""Files that a command writes: refused in a sentence before the work, not after it."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

import typer

from bot.cli.failing import refuse, shown


def check_file(file: Path | None, ending: str, example: str = "odds") -> None:
    """Refuse a file that could not be written, before anything is computed: it is tried.

    A file that is there keeps its content, a new one is made and removed. `example` is a file's
    name without its ending.
    """
    if file is None:
        return
    if file.suffix.lower() != ending:
        raise refuse(f"{shown(file)} does not end in {ending}. Example: {example}{ending}")
    try:
        there = file.absolute().parent.is_dir()
    except OSError:  # a name that is too long
        there = False
    if not there:
        raise refuse(f"there is no folder {shown(file.parent)}. Example: {example}{ending}")
    try:
        place = Path(os.path.realpath(file))  # what a link leads to need not be there either
        new = not place.exists()
        place.open("ab").close()
        if new:
            place.unlink()
    except OSError as error:
        raise unwritable(file, error, example) from None


def check_drawn(chart: Path | None) -> None:
    """Refuse a chart where matplotlib, which only charts need, is not installed."""
    if chart is not None and find_spec("matplotlib") is None:
        raise refuse(
            "charts are drawn by matplotlib, which is not installed here. Example: make extras"
            " EXTRAS=charts, or python -m pip install matplotlib"
        )


def unwritable(file: Path, error: OSError, example: str = "odds") -> typer.Exit:
    """The refusal of a file that could not be written; raise it."""
    return refuse(
        f"{shown(file)} cannot be written: {error.strerror}."
        f" Example: {example}{file.suffix.lower()}"
    )


def write_file(file: Path, content: bytes, *, err: bool = False, own: bool = False) -> None:
    """Write it and say so, on standard error if `err`: beside JSON, for example.

    `own`: people are named in it, so nobody else on the machine may read it.
    """
    from bot.storage.files import write_own

    try:
        if own:
            write_own(file, content)
        else:
            file.write_bytes(content)
    except OSError as error:
        raise unwritable(file, error) from None
    typer.echo(f"Wrote {file}", err=err)
