"""Commands that there are once for every game: made from `VARIANTS`, so a new game has them too.

No game is named here. What people type for a game is its `short` name, and which of its options a
command takes is found out from the decks and ladders that they give (`Variant.odds_options`).
"""

from __future__ import annotations

import inspect
from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Any

import typer
from typer.models import CommandInfo

from bot.cli.failing import refuse, shown
from bot.cli.lazily import LazyGroup, made
from bot.language.words import listed
from engine.ruleset import Option, OptionValue, Variant
from engine.variants import VARIANTS, ruleset

Given = dict[str, Any]  # what was given on the command line, by parameter
Parameter = tuple[str, Any, Any]  # name, annotation, default
HELP = frozenset({"-h", "--help"})


class GamesGroup(LazyGroup):
    """A group with one command for each game, before its other commands."""

    @abstractmethod
    def command_of(self, variant: Variant, words: Sequence[str]) -> Any:
        """The command for a game; `words` are what follows its name on the command line."""

    def list_commands(self, ctx: Any) -> list[str]:
        """The games by their short names, then the other commands."""
        return [*(variant.short for variant in VARIANTS.values()), *super().list_commands(ctx)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of this name, as it is listed."""
        return self._of_game(cmd_name, ()) or super().get_command(ctx, cmd_name)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that `args` begin with, its name, and the further words."""
        name, words = args[0], args[1:]
        command = self._of_game(name, words)
        return super().resolve_command(ctx, args) if command is None else (name, command, words)

    def _of_game(self, name: str, words: Sequence[str]) -> Any:
        found = (variant for variant in VARIANTS.values() if variant.short == name)
        variant = next(found, None)
        return None if variant is None else self.command_of(variant, words)


def command(
    name: str, function: Callable[[Given], None], parameters: Iterable[Parameter], about: str
) -> Any:
    """A command that calls `function` with what was given for its `parameters`."""

    def run(**given: Any) -> None:
        function(given)

    listed_parameters = [
        inspect.Parameter(key, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)
        for key, kind, default in parameters
    ]
    run.__signature__ = inspect.Signature(listed_parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {key: kind for key, kind, _ in parameters}
    return made(CommandInfo(name, help=about, short_help=about.partition("\n")[0], callback=run))


def option_parameters(options: Iterable[Option]) -> list[Parameter]:
    """The parameters of a game's options: `--jokers 0|2`, with what each choice means."""
    return [
        (
            option.key,
            Annotated[
                str,
                typer.Option(flag(option), metavar="|".join(_values(option)), help=_about(option)),
            ],
            typed(option.default),
        )
        for option in options
    ]


def options_asked(variant: Variant, words: Sequence[str]) -> tuple[Option, ...]:
    """The options that change a chance: all of them for help, else those that `words` mention.

    To find all of them out takes a quarter as long as a whole answer, so nobody waits for it who
    asks without options; the rulesets made here are those that the answer needs.
    """
    if HELP.intersection(words):
        return variant.odds_options
    mentioned = {word.partition("=")[0] for word in words}
    return tuple(
        option
        for option in variant.options
        if flag(option) in mentioned and _changes_odds(variant, option)
    )


def _changes_odds(variant: Variant, option: Option) -> bool:
    """Whether it is one of `Variant.odds_options`, found out from rulesets that are kept."""
    usual = ruleset(variant.key)
    others = (ruleset(variant.key, {option.key: choice.value}) for choice in option.choices[1:])
    return any((other.deck, other.ladder) != (usual.deck, usual.ladder) for other in others)


def flag(option: Option) -> str:
    """The option's name on the command line, `--flush-card`."""
    return f"--{option.key.replace('_', '-')}"


def typed(value: OptionValue) -> str:
    """A choice as it is typed."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def chosen(options: Iterable[Option], given: Given) -> dict[str, OptionValue]:
    """The value given for each option; anything but its choices is refused in a sentence."""
    values = {}
    for option in options:
        text = given[option.key]
        found = [choice.value for choice in option.choices if typed(choice.value) == text]
        if not found:
            raise refuse(
                f"{flag(option)} is {listed(_values(option), 'or')}, not {shown(text)}. "
                f"Example: {flag(option)} {typed(option.default)}"
            )
        values[option.key] = found[0]
    return values


def _values(option: Option) -> list[str]:
    """What may be typed: numbers from low to high, words in their order."""
    values = [choice.value for choice in option.choices]
    numbers = [value for value in values if type(value) is int]
    return [typed(value) for value in (sorted(numbers) if len(numbers) == len(values) else values)]


def _about(option: Option) -> str:
    meanings = [f"{typed(choice.value)} ({choice.label})" for choice in option.choices]
    return f"{option.label}: {listed(meanings, 'or')}."
