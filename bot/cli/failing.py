"""Bad input ends in one sentence on standard error and exit code 2, never in a traceback."""

from collections.abc import Iterator
from contextlib import contextmanager

import typer

from engine.errors import EngineError

BAD_INPUT = 2


def refuse(sentence: str, code: int = BAD_INPUT) -> typer.Exit:
    """Print `sentence` to standard error; raise what this returns."""
    typer.echo(f"bluffhouse: {sentence}", err=True)
    return typer.Exit(code)


@contextmanager
def one_sentence() -> Iterator[None]:
    """Turn an `EngineError` raised inside into its sentence and exit code 2."""
    try:
        yield
    except EngineError as error:
        raise refuse(str(error)) from None
