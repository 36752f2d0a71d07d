"""Types of options: each parses its input, or refuses it in one sentence, before any work."""

from __future__ import annotations

import os
import re
from importlib.util import find_spec
from math import inf
from pathlib import Path
from typing import Final

import click

from bot.cli.output import quote_input, refuse, refuse_file
from bot.language.words import join_words
from engine.ruleset import Option, OptionValue, Variant
from engine.variants import VARIANTS

_WHOLE: Final = re.compile(r"[+-]?[0-9]+")
_MOST_DIGITS: Final = 30  # far more than any sensible number has, and fast to parse


def option_name(param: click.Parameter | None) -> str:
    """Return an option's longest form, as people type it; empty for None."""
    return "" if param is None else max(param.opts, key=len)


class WholeNumber(click.ParamType[int]):
    """A whole number from `least` to `most`; without limits, the command checks the number."""

    name = "whole number"

    def __init__(self, example: int, least: float = -inf, most: float = inf) -> None:
        self.example = example
        self._least = least
        self._most = most

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """Return the placeholder that help shows."""
        return "N"

    def convert(
        self, value: str | int, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
        """Parse the number; refuse anything else."""
        name = option_name(param)
        example = f"Example: {name} {self.example}"
        written = str(value).strip()
        if not _WHOLE.fullmatch(written):
            raise refuse(f"{name} must be a whole number, not {quote_input(value)}. {example}")
        if len(written) > _MOST_DIGITS:
            raise refuse(f"{name} is too large. {example}")
        number = int(written)
        if not self._least <= number <= self._most:
            limits = f"{self._least:,} to {self._most:,}"
            raise refuse(f"{name} is {limits}, not {number:,}. {example}")
        return number


class Number(click.ParamType[float]):
    """A number, with or without a point."""

    name = "number"

    def __init__(self, example: float) -> None:
        self.example = example

    def convert(
        self, value: str | float, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Parse the number; refuse anything else."""
        try:
            return float(value)
        except ValueError:
            name = option_name(param)
            raise refuse(
                f"{name} must be a number, not {quote_input(value)}. Example: {name} {self.example}"
            ) from None


class OutFile(click.ParamType[Path]):
    """A file that a command will write; checks that it can be written before anything is computed.

    An existing file keeps its content; a new one is created and removed again. Every file must
    have the suffix of `example`, a file name. `drawn`: the file needs matplotlib, which may not
    be installed.
    """

    name = "file"

    def __init__(self, example: str, *, drawn: bool = False) -> None:
        self.example = example
        self._stem, dot, ending = example.partition(".")
        self._ending = f"{dot}{ending}"
        self._drawn = drawn

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """Return the placeholder that help shows."""
        return f"FILE{self._ending}"

    def convert(
        self, value: str | Path, param: click.Parameter | None, ctx: click.Context | None
    ) -> Path:
        """Return the path, if the command can write the file.

        Refuse a wrong suffix, a file that can't be written, and a chart if matplotlib is missing.
        """
        file = Path(value)
        example = f"Example: {self.example}"
        if file.suffix.lower() != self._ending:
            raise refuse(f"{quote_input(file)} doesn't end in {self._ending}. {example}")
        try:
            has_folder = file.absolute().parent.is_dir()
        except OSError:  # the name is too long
            has_folder = False
        if not has_folder:
            raise refuse(f"there's no folder {quote_input(file.parent)}. {example}")
        try:
            place = Path(os.path.realpath(file))  # a link's target may be missing too
            new = not place.exists()
            place.open("ab").close()
            if new:
                place.unlink()
        except OSError as error:
            raise refuse_file(file, error, self._stem) from None
        if self._drawn and find_spec("matplotlib") is None:
            raise refuse(
                "charts need matplotlib, which isn't installed. Example: make extras"
                " EXTRAS=charts, or python -m pip install matplotlib"
            )
        return file


class GameName(click.ParamType[Variant]):
    """A game, by its short name or its key."""

    name = "game"

    @property
    def example(self) -> str:
        """The short name of the first game."""
        return next(iter(VARIANTS.values())).short

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """Return the placeholder that help shows."""
        return "|".join(variant.short for variant in VARIANTS.values())

    def convert(
        self, value: str | Variant, param: click.Parameter | None, ctx: click.Context | None
    ) -> Variant:
        """Return the game; refuse anything else."""
        if isinstance(value, Variant):
            return value
        for variant in VARIANTS.values():
            if value in (variant.short, variant.key):
                return variant
        known = join_words((variant.short for variant in VARIANTS.values()), "or")
        name = option_name(param)
        raise refuse(f"{name} is {known}, not {quote_input(value)}. Example: {name} {self.example}")


class HouseRule(click.ParamType[OptionValue]):
    """A choice of a game's option, as typed: `--jokers 0`."""

    name = "choice"

    def __init__(self, option: Option) -> None:
        self._option = option

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """Return the placeholder that help shows."""
        return "|".join(self._choice_texts())

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> OptionValue:
        """Return the choice's value; refuse anything else."""
        for choice in self._option.choices:
            if choice_text(choice.value) == value:
                return choice.value
        name = option_name(param)
        raise refuse(
            f"{name} is {join_words(self._choice_texts(), 'or')}, not {quote_input(value)}."
            f" Example: {name} {choice_text(self._option.default)}"
        )

    def _choice_texts(self) -> list[str]:
        """Return the choices as typed: numbers in ascending order, words in their given order."""
        values = [choice.value for choice in self._option.choices]
        numbers = [value for value in values if type(value) is int]
        return [*map(choice_text, sorted(numbers) if len(numbers) == len(values) else values)]


def house_rule(option: Option) -> click.Option:
    """Return a command's option for a game's option, with the meaning of each choice."""
    meanings = [f"{choice_text(choice.value)} ({choice.label})" for choice in option.choices]
    return click.Option(
        [flag(option), option.key],
        type=HouseRule(option),
        default=choice_text(option.default),
        help=f"{option.label}: {join_words(meanings, 'or')}.",
    )


def flag(option: Option) -> str:
    """Return a game's option as typed on the command line: `--flush-card`."""
    return f"--{option.key.replace('_', '-')}"


def choice_text(value: OptionValue) -> str:
    """Return a choice as people type it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


version_option: Final = click.version_option(
    package_name="bluffhouse",
    prog_name="bluffhouse",
    message="%(prog)s %(version)s",
    help="Show the version.",
)
json_option: Final = click.option(
    "--json", "as_json", is_flag=True, help="Print JSON, for programs."
)
