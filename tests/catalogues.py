"""Collect every text to translate, from the code and from the games' data.

    python -m tests.catalogues [KEY ...]

This command updates the catalogues of the named languages (of all, if none is named) in
`bot/locales`, and creates missing catalogues. New texts have no translation yet, changed texts keep
their old translation, marked as fuzzy, and texts that are gone are removed.

`make messages` runs this command for all languages. `tests/bot/test_catalogues.py` checks that
nothing is missing, unused or too long.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import Mock

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po
from discord import app_commands

from bot.boards.showdown_words import OUTS_OF_RANK, OUTS_OF_SUIT
from bot.boards.talk import LINES
from bot.boards.three_card_odds import RESULTS
from bot.discord.handlers import Handlers
from bot.language.catalogues import CATALOGUE, KEYS, several
from bot.language.wordings import GameWords
from bot.language.words import NUMBERS, RANKS_LACKING, SUITS_LACKING
from bot.settings.schema import FairUseSettings
from bot.tables.preferences import PREFERENCES
from bot.tables.table_options import HOUSE_RULES
from engine.cutting import CUT_EXAMPLE
from engine.odds.showdown.games import GAMES
from engine.odds.showdown.made_hands import Draw, Made
from engine.odds.showdown.ranking import BADUGI_KINDS
from engine.odds.three_card import AnteBonus, PairPlus, SixCardBonus
from engine.players import CHARACTERS
from engine.ruleset import EVERY_GAME, Option
from engine.variants import VARIANTS

BOT = Path(__file__).parents[1] / "bot"
ENGINE = Path(__file__).parents[1] / "engine"
# not translated: the command line, the terminal and the local Discord's own page
ENGLISH_ONLY = ("cli", "sandbox", "terminal")
Text = tuple[str | None, str | tuple[str, str]]  # context, text or (one, several)


@cache
def in_code() -> tuple[tuple[Path, int, Text], ...]:
    """Return the file, line and text of each marked text.

    The texts are read from the syntax tree: before Python 3.12, a tokenizer doesn't see texts
    between the braces of an f-string.
    """
    return tuple(
        (path, node.lineno, message)
        for path in sorted(BOT.rglob("*.py"))
        if path.relative_to(BOT).parts[0] not in ENGLISH_ONLY
        for node in calls_in(path, "tr", "trc", "trn", "N_")
        if (message := marked_text(node)) is not None
    )


def calls_in(path: Path, *names: str) -> Iterator[ast.Call]:
    """Yield every call in a module; yield nothing if the module calls no function in `names`.

    A module without these calls is not parsed, since parsing all modules takes seconds.
    """
    text = path.read_text("utf-8")
    if re.search(rf"\b({'|'.join(names)})\s*\(", text):
        yield from (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call))


def marked_text(call: ast.Call) -> Text | None:
    """Return the text that a call marks for translation; None if it marks no literal text."""
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    texts = [arg.value for arg in call.args if isinstance(arg, ast.Constant)]
    match name, texts:
        case ("tr" | "N_", [str(text)]):
            return None, text
        case "trc", [str(context), str(text)]:
            return context, text
        case "trn", [str(one), str(several)]:
            return None, (one, several)
    return None


def reasons() -> Iterator[str]:
    """Yield the templates of the engine's refusals, read from the engine's syntax trees."""
    for path in sorted(ENGINE.rglob("*.py")):
        for node in calls_in(path, "Reason", "reason_template"):
            if isinstance(node.func, ast.Name):
                first = node.args[0] if node.args else None
                if node.func.id in ("Reason", "reason_template") and isinstance(
                    first, ast.Constant
                ):
                    yield str(first.value)


def in_data() -> Iterator[Text]:
    """Yield the texts in data and declarations, such as games, options, remarks and commands.

    The engine's refusals and the names in its odds are among them.
    """
    options: list[Option] = [*EVERY_GAME, *HOUSE_RULES, *PREFERENCES]
    for variant in VARIANTS.values():
        yield None, variant.title
        yield None, variant.summary
        if variant.published_words:
            yield None, variant.published_words
        options += variant.options
        for field in fields(GameWords):
            yield "term", getattr(variant.ruleset().terms, field.name)
    for option in options:
        yield None, option.label
        if option.about:
            yield None, option.about
        for choice in option.choices:
            yield None, choice.label
    for key, character in CHARACTERS.items():
        yield None, key
        yield None, character.about
    for character_lines in LINES.values():
        for lines in character_lines.values():
            yield from ((None, line) for line in lines)
    for words in RESULTS.values():
        yield "result", words
    for table in (AnteBonus, PairPlus, SixCardBonus):
        yield None, table.TITLE
        yield None, table.ENTRIES
    for number in NUMBERS:
        yield "number", number
        yield "lacking", number
    yield None, CUT_EXAMPLE
    for reason in reasons():
        yield None, (reason, reason) if "{number}" in reason else reason
    for game in GAMES.values():
        yield None, game.name
    for kind in (*BADUGI_KINDS, *Made, *Draw):
        yield None, kind.label
    for forms in (*OUTS_OF_RANK.values(), *OUTS_OF_SUIT.values()):
        yield None, forms
    for forms in (*RANKS_LACKING.values(), *SUITS_LACKING.values()):
        yield None, forms
    for command in commands():
        if not isinstance(command, app_commands.ContextMenu):  # its name is its only text
            yield from of_command(command)


def commands() -> Iterator[app_commands.Command | app_commands.Group | app_commands.ContextMenu]:
    """Yield every command of the bot, as it is registered."""
    parts: list[Any] = [*[Mock()] * 9, FairUseSettings()]  # none of these is used
    yield from Handlers(*parts).commands()


def of_command(command: app_commands.Command | app_commands.Group) -> Iterator[Text]:
    """Yield a command's texts that differ between languages: descriptions and choices' names.

    The names of commands and parameters are the same in all languages.
    """
    yield None, command.description
    if isinstance(command, app_commands.Group):
        for inner in command.commands:
            yield from of_command(inner)
        return
    for parameter in command.parameters:
        yield None, str(parameter.description)
        for choice in parameter.choices:
            yield None, choice.name


@cache
def every_text() -> tuple[Text, ...]:
    """Return each text once: first the code's texts, in their order, then the data's."""
    return tuple(dict.fromkeys([*(text for _, _, text in in_code()), *in_data()]))


def catalogue_of(key: str) -> Catalog:
    """Read a language's catalogue from its folder; return an empty one if there is none yet."""
    path = BOT / "locales" / key / CATALOGUE
    if not path.exists():
        return Catalog(locale=key)
    with path.open("rb") as file:
        return read_po(file, locale=key)


def update(key: str) -> int:
    """Update a language's catalogue file; return how many of its texts still need a translator.

    A text whose words have changed keeps its old translation, marked as fuzzy.
    """
    catalogue, template = catalogue_of(key), Catalog(locale=key)
    for context, text in every_text():
        template.add(text, context=context)
    catalogue.update(template, update_header_comment=False)
    path = BOT / "locales" / key / CATALOGUE
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, catalogue, width=100, sort_output=True, ignore_obsolete=True)
    _write_head(path)
    return sum(
        message.fuzzy or not all(several(message.string or ""))
        for message in catalogue
        if message.id
    )


def _write_head(path: Path) -> None:
    """Remove from a catalogue's head what changes at each writing: dates, tools, people."""
    lines = path.read_text("utf-8").lstrip("\n").splitlines()
    head = ['"Language: ', '"Plural-Forms: ', '"2);', '"MIME-Version: ', '"Content-T']
    body = lines.index("")
    head_lines = [line for line in lines[:body] if not line.startswith(("#", '"'))]
    head_lines += [line for line in lines[:body] if line.startswith(tuple(head))]
    path.write_text("\n".join([*head_lines, *lines[body:]]) + "\n", "utf-8")


def main(keys: Iterable[str]) -> None:
    for key in keys:
        print(f"{key}: {update(key)} texts wait for a translator")


if __name__ == "__main__":
    main(sys.argv[1:] or KEYS[1:])
