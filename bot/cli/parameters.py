"""Kinds of options: each takes what was typed, or refuses it in a sentence, before any work."""

from __future__ import annotations

import os
import re
from importlib.util import find_spec
from math import inf
from pathlib import Path
from typing import Final

import click

from bot.cli.output import refuse, refuse_file, shown
from bot.language.words import listed
from engine.ruleset import Option, OptionValue, Variant
from engine.variants import VARIANTS

_WHOLE: Final = re.compile(r"[+-]?[0-9]+")
_MOST_DIGITS: Final = 30  # far beyond any number asked for, and cheap to read


def option_name(param: click.Parameter | None) -> str:
    """How an option is typed, in its longest form."""
    return "" if param is None else max(param.opts, key=len)


class WholeNumber(click.ParamType[int]):
    """A whole number from `least` to `most`; without these a command judges it itself."""

    name = "whole number"

    def __init__(self, example: int, least: float = -inf, most: float = inf) -> None:
        self.example = example
        self._least = least
        self._most = most

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """How help shows it."""
        return "N"

    def convert(
        self, value: str | int, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
        """The number; anything else is refused."""
        name = option_name(param)
        example = f"Example: {name} {self.example}"
        written = str(value).strip()
        if not _WHOLE.fullmatch(written):
            raise refuse(f"{name} must be a whole number, not {shown(value)}. {example}")
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
        """The number; anything else is refused."""
        try:
            return float(value)
        except ValueError:
            name = option_name(param)
            raise refuse(
                f"{name} must be a number, not {shown(value)}. Example: {name} {self.example}"
            ) from None


class OutFile(click.ParamType[Path]):
    """A file that a command writes: it is tried before anything is computed.

    One that is there keeps its content, a new one is made and removed. `example` is a name, whose
    ending every name must have; `drawn`: matplotlib draws it, which not everybody has installed.
    """

    name = "file"

    def __init__(self, example: str, *, drawn: bool = False) -> None:
        self.example = example
        self._stem, dot, ending = example.partition(".")
        self._ending = f"{dot}{ending}"
        self._drawn = drawn

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """How help shows it."""
        return f"FILE{self._ending}"

    def convert(
        self, value: str | Path, param: click.Parameter | None, ctx: click.Context | None
    ) -> Path:
        """The file; one that could not be written is refused."""
        file = Path(value)
        example = f"Example: {self.example}"
        if file.suffix.lower() != self._ending:
            raise refuse(f"{shown(file)} doesn't end in {self._ending}. {example}")
        try:
            there = file.absolute().parent.is_dir()
        except OSError:  # a name that is too long
            there = False
        if not there:
            raise refuse(f"there's no folder {shown(file.parent)}. {example}")
        try:
            place = Path(os.path.realpath(file))  # what a link leads to need not be there either
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
        """A game."""
        return next(iter(VARIANTS.values())).short

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """How help shows it."""
        return "|".join(variant.short for variant in VARIANTS.values())

    def convert(
        self, value: str | Variant, param: click.Parameter | None, ctx: click.Context | None
    ) -> Variant:
        """The game; anything else is refused."""
        if isinstance(value, Variant):
            return value
        for variant in VARIANTS.values():
            if value in (variant.short, variant.key):
                return variant
        known = listed((variant.short for variant in VARIANTS.values()), "or")
        name = option_name(param)
        raise refuse(f"{name} is {known}, not {shown(value)}. Example: {name} {self.example}")


class HouseRule(click.ParamType[OptionValue]):
    """A choice of one of a game's options, as it is typed: `--jokers 0`."""

    name = "choice"

    def __init__(self, option: Option) -> None:
        self._option = option

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """How help shows it."""
        return "|".join(self._typed())

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> OptionValue:
        """The value of the choice; anything else is refused."""
        for choice in self._option.choices:
            if typed(choice.value) == value:
                return choice.value
        name = option_name(param)
        raise refuse(
            f"{name} is {listed(self._typed(), 'or')}, not {shown(value)}."
            f" Example: {name} {typed(self._option.default)}"
        )

    def _typed(self) -> list[str]:
        """What may be typed: numbers from low to high, words in their order."""
        values = [choice.value for choice in self._option.choices]
        numbers = [value for value in values if type(value) is int]
        return [*map(typed, sorted(numbers) if len(numbers) == len(values) else values)]


def house_rule(option: Option) -> click.Option:
    """The option of a command for one of a game's options, with what each choice means."""
    meanings = [f"{typed(choice.value)} ({choice.label})" for choice in option.choices]
    return click.Option(
        [flag(option), option.key],
        type=HouseRule(option),
        default=typed(option.default),
        help=f"{option.label}: {listed(meanings, 'or')}.",
    )


def flag(option: Option) -> str:
    """A game's option on the command line, `--flush-card`."""
    return f"--{option.key.replace('_', '-')}"


def typed(value: OptionValue) -> str:
    """A choice as it is typed."""
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
