"""Bad input ends in one sentence on standard error and exit code 2, never in a traceback."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import typer

from bot.cli.lazily import LazyGroup
from bot.cli.paragraphs import paragraph
from bot.language.words import shortened
from engine.errors import EngineError, printable, quoted

BAD_INPUT = 2
_SHOWN: Final = 41  # characters of somebody's input that a sentence repeats
_SAID: Final = 200  # of the parser's own sentences, which may repeat input of any length
_WHOLE_NUMBER: Final = re.compile(r"[+-]?[0-9]+")
_IN_QUOTES: Final = re.compile(r"'([^']*)'")  # as the parser quotes
_MOST_DIGITS: Final = 30  # far beyond any number asked for, and cheap to read


def refuse(sentence: str, code: int = BAD_INPUT) -> typer.Exit:
    """Print `sentence` to standard error; raise what this returns.

    What was typed wrongly is answered to a person, at a terminal's width. Other codes end a
    service: that stays one line, as logs and supervisors want it.
    """
    said = f"bluffhouse: {sentence}"
    typed_wrongly = code == BAD_INPUT
    for line in said.splitlines():
        typer.echo(paragraph(line) if typed_wrongly else line, err=True)
    return typer.Exit(code)


@contextmanager
def one_sentence() -> Iterator[None]:
    """Turn an `EngineError` raised inside into its sentence and exit code 2."""
    try:
        yield
    except EngineError as error:
        raise refuse(str(error)) from None


def shown(text: object) -> str:
    """What was given, in quotes, cut where it is too long to be read."""
    return quoted(shortened(str(text), _SHOWN))


def whole_number(text: str | None, option: str, example: str) -> int:
    """The number given for `option`; anything else is refused in a sentence."""
    if text is None:
        raise refuse(f"{option} is missing: a whole number. Example: {option} {example}")
    written = text.strip()
    if not _WHOLE_NUMBER.fullmatch(written):
        raise refuse(f"{option} is a whole number, not {shown(text)}. Example: {option} {example}")
    if len(written) > _MOST_DIGITS:
        raise refuse(f"{option} is no such large number. Example: {option} {example}")
    return int(written)


class OneSentenceGroup(LazyGroup):
    """The root of the commands: what the parser itself refuses is one sentence as well."""

    def make_context(self, *arguments: Any, **options: Any) -> Any:
        """Parse the root's own options."""
        with _parser_in_one_sentence():
            return super().make_context(*arguments, **options)

    def invoke(self, ctx: Any) -> Any:
        """Parse and run a command below the root."""
        with _parser_in_one_sentence():
            return super().invoke(ctx)


@contextmanager
def _parser_in_one_sentence() -> Iterator[None]:
    try:
        yield
    except typer.TyperException as error:
        message = _IN_QUOTES.sub(r'"\1"', " ".join(error.format_message().split()))
        if error.exit_code != BAD_INPUT or message.startswith("Usage:"):
            raise  # not about bad input, or the help of a group called without a command
        said = shortened(printable(message), _SAID)
        context = getattr(error, "ctx", None)
        command = context.command_path if context is not None else "bluffhouse"
        said = f"{said[:1].lower()}{said[1:].rstrip('.')}"
        end = "" if said.endswith("?") else "."
        sentence = f"{said}{end} Example: {command} --help"
        raise refuse(sentence, error.exit_code) from None
