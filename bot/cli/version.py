"""`bluffhouse --version`."""

from typing import Annotated

import typer

from bot.cli import app


def _show(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"bluffhouse {version('bluffhouse')}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """The options of `bluffhouse` itself; its help is the group's."""
