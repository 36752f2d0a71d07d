"""Find every command and group of `bluffhouse`, with the words that call it."""

from __future__ import annotations

from collections.abc import Iterator

import click

from bot.cli import app


def every_command(
    group: click.Group = app, words: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Yield (words, command) for the group, then for everything in it, in the help texts' order."""
    yield words, group
    context = click.Context(group)
    for name in group.list_commands(context):
        subcommand = group.get_command(context, name)
        assert subcommand is not None, name
        if isinstance(subcommand, click.Group):
            yield from every_command(subcommand, (*words, name))
        else:
            yield (*words, name), subcommand
