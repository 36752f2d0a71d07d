"""`bluffhouse odds ranges`: the ranges that questions may use by name, kept in a plain text file.

Each line of the file is a range, such as "btn = 22+, A2s+", a comment, or empty. `odds showdown`
reads the file only if a question doesn't make sense without it.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Final

import click

from bot.boards.showdown_words import range_size
from bot.cli.output import one_sentence, paragraph, quote_input, refuse, refuse_file
from bot.cli.parameters import version_option

EXAMPLE: Final = 'bluffhouse odds showdown "btn = 22+, A2s+"'
_WHERE: Final = (
    "The file of named ranges [default: bluffhouse/ranges.txt in $XDG_CONFIG_HOME or ~/.config]."
)


def ranges_file() -> Path:
    """Return the default path of the file of named ranges."""
    folder = os.environ.get("XDG_CONFIG_HOME")
    return (Path(folder) if folder else Path.home() / ".config") / "bluffhouse" / "ranges.txt"


ranges_option: Final = click.option(
    "--ranges",
    "file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    default=None,
    help=_WHERE,
)


@click.command("ranges")
@click.option("--delete", metavar="NAME", help="Delete the range of this name.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead.")
@ranges_option
@version_option
def ranges(delete: str | None, as_json: bool, file: Path | None) -> None:
    """List your named ranges, or delete one.

    Name one with: bluffhouse odds showdown "btn = 22+, A2s+". Then ask: "btn vs QQ+".
    """
    file = file or ranges_file()
    with one_sentence():
        named = read_ranges(file)
    if delete is not None:
        _delete(file, delete, named)
        return
    if as_json:
        click.echo(json.dumps({"file": str(file), "ranges": named}, indent=2))
        return
    if not named:
        click.echo(f"No range has a name in\n{file}\nExample: {EXAMPLE}")
        return
    for name, hands in named.items():
        click.echo(paragraph(f"{name} = {hands}", hanging="  "))


def read_ranges(file: Path) -> dict[str, str]:
    """Return the hands of each named range; empty if there's no file.

    Raises `TextError` for a line that names no range. An unreadable file ends the command.
    """
    from engine.errors import Reason, TextError
    from engine.odds.showdown.question_words import DEFINITION_EXAMPLE

    named = {}
    for number, line in enumerate(_lines(file), start=1):
        if _is_comment(line):
            continue
        name, hands = _name_of(line), line.partition("=")[2].strip()
        if not hands:
            reason = Reason("line {number} of {file} names no range", number=number, file=str(file))
            raise TextError(line, reason, DEFINITION_EXAMPLE)
        named[name] = hands
    return named


def keep_range(file: Path, typed: str) -> None:
    """Store the range that a text defines in the file, and print the range.

    Raises `TextError` if the text defines no range, or if a line of the file names no range. A file
    that can't be read or written ends the command.
    """
    from bot.language.questions import parse_typed_definition

    named = parse_typed_definition(typed, read_ranges(file))
    _write(file, [*_lines_without(file, named.name), str(named)])
    size = range_size(named.range)
    click.echo(f"{paragraph(str(named), hanging='  ')}\n{size}, saved in\n{file}")


def _delete(file: Path, name: str, named: dict[str, str]) -> None:
    from engine.odds.showdown.named_ranges import name_key

    known = next((held for held in named if name_key(held) == name_key(name.strip())), None)
    if known is None:
        names = ", ".join(named) or "none"
        example = f"bluffhouse odds ranges --delete {next(iter(named))}" if named else EXAMPLE
        raise refuse(
            f"{quote_input(name)} isn't the name of a range in {file}, which has: {names}."
            f" Example: {example}"
        )
    _write(file, _lines_without(file, known))
    click.echo(paragraph(f"Deleted: {known} = {named[known]}", hanging="  "))


def _lines_without(file: Path, name: str) -> list[str]:
    """Return the lines of the file except those that define `name`."""
    from engine.odds.showdown.named_ranges import name_key

    return [
        line
        for line in _lines(file)
        if _is_comment(line) or name_key(_name_of(line)) != name_key(name)
    ]


def _name_of(line: str) -> str:
    return line.partition("=")[0].strip().lower()


def _is_comment(line: str) -> bool:
    return not line.strip() or line.lstrip().startswith("#")


def _lines(file: Path) -> list[str]:
    """Return the lines of the file; an empty list if there is no file.

    An unreadable file ends the command.
    """
    try:
        return file.read_text(encoding="utf-8-sig", errors="replace").splitlines()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise refuse(
            f"{quote_input(file)} can't be read: {error.strerror}. Example: --ranges ranges.txt"
        ) from None


def _write(file: Path, lines: list[str]) -> None:
    """Replace the file in one step, so that a crash leaves the old one or the new one.

    A file that can't be written ends the command.
    """
    new = file.with_name(f"{file.name}.new")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        new.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        new.replace(file)
    except OSError as error:
        raise refuse_file(file, error, file.stem) from None
