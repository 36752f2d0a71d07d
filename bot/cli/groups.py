"""Groups of commands: each command is imported when used, and errors are one sentence.

Computing the chance of a bid takes less time than importing all commands. So a group knows where
each of its commands is, and imports a command when it is used; help imports them all. Some groups
have a command for each game.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Final

import click
from click.exceptions import MissingParameter, NoArgsIsHelpError, NoSuchCommand

from bot.cli.output import BAD_INPUT, TRY_LATER, quote_input, refuse
from bot.cli.parameters import option_name
from bot.garbage import without_garbage_collection
from bot.language.words import truncate
from engine.errors import printable
from engine.ruleset import Variant
from engine.variants import VARIANTS

# characters of click's own error messages, which may repeat input of any length
_LONGEST: Final = 200
_IN_QUOTES: Final = re.compile(r"'([^']*)'")  # as click quotes


class LazyGroup(click.Group):
    """A group of commands, each imported when it is asked for by name; help imports all.

    `homes` says where each command is, as `module.name` in `bot.cli`, in the order of the help.
    """

    def __init__(self, name: str, *, homes: Mapping[str, str], **options: Any) -> None:
        super().__init__(name, **options)
        self.homes = homes

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, imported or not."""
        return [*self.homes]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command with this name, importing it if necessary; None if there is none."""
        if cmd_name not in self.homes:
            return None
        module, name = self.homes[cmd_name].split(".")
        with without_garbage_collection():
            command: click.Command = getattr(import_module(f"bot.cli.{module}"), name)
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Return the name and the command that `args` begin with, and the remaining arguments.

        Raises `NoSuchCommand`, which suggests similar names.
        """
        try:
            return super().resolve_command(ctx, args)
        except NoSuchCommand:
            raise NoSuchCommand(args[0], None, self.list_commands(ctx), ctx) from None


class GamesGroup(LazyGroup):
    """A group with one command for each game, before its other commands.

    `of_game` makes the commands from `VARIANTS`, so a new game gets its command without being named
    here. A game's command is named by its `short` name.
    """

    def __init__(
        self, name: str, *, of_game: Callable[[Variant], click.Command], **options: Any
    ) -> None:
        super().__init__(name, **options)
        self.of_game = of_game

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the games by their short names, then the other commands."""
        return [*(variant.short for variant in VARIANTS.values()), *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a game's command by its short name, or another command of the group.

        None if there is no such command.
        """
        for variant in VARIANTS.values():
            if variant.short == cmd_name:
                return self.of_game(variant)
        return super().get_command(ctx, cmd_name)


class OneSentenceGroup(LazyGroup):
    """The root of the commands. It also turns click's own errors into one sentence."""

    def make_context(self, *arguments: Any, **options: Any) -> click.Context:
        """Parse the root's own options; report errors in one sentence."""
        with _in_one_sentence():
            return super().make_context(*arguments, **options)

    def invoke(self, ctx: click.Context) -> Any:
        """Parse and run a command below the root; report errors in one sentence."""
        with _in_one_sentence():
            return super().invoke(ctx)


@contextmanager
def _in_one_sentence() -> Iterator[None]:
    try:
        yield
    except NoArgsIsHelpError:  # the help of a group that was called without a command
        raise
    except click.UsageError as error:
        sentence = _IN_QUOTES.sub(r'"\1"', printable(" ".join(error.format_message().split())))
        sentence = truncate(f"{sentence[:1].lower()}{sentence[1:].rstrip('.')}", _LONGEST)
        end = "" if sentence.endswith("?") else "."
        raise refuse(f"{sentence}{end} Example: {_example(error)}", BAD_INPUT) from None
    except UnicodeEncodeError as error:  # printing raises none (bot.__main__)
        raise refuse(
            f"{quote_input(error.object)} can't be a file's name. Example: odds.csv"
        ) from None
    except BrokenPipeError:  # the reader closed the pipe, which click handles
        raise
    except OSError as error:
        target = "the answer" if error.filename is None else str(error.filename)
        raise refuse(f"{target} can't be written: {error.strerror or error}", TRY_LATER) from None


def _example(error: click.UsageError) -> str:
    """Return an example of the missing option or argument, or else how to ask for help."""
    if isinstance(error, MissingParameter) and error.param is not None:
        example = getattr(error.param.type, "example", None)
        if example is not None:
            return f"{option_name(error.param)} {example}"
    command = "bluffhouse" if error.ctx is None else error.ctx.command_path
    return f"{command} --help"
