"""The catalogues: no text is missing, unused or too long, and no field or mark is lost."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from string import Formatter

import pytest
from discord import app_commands

from bot.language.catalogues import KEYS, fields_of, several, speaking, tr
from bot.language.wordings import GameWords, bid_text, game_words
from bot.sandbox.client_input import BUILT_IN
from bot.tables.preferences import PREFERENCES
from bot.tables.table_options import HOUSE_RULES
from engine.ruleset import EVERY_GAME
from engine.variants import VARIANTS
from tests import catalogues
from tests.catalogues import BOT, catalogue_of, commands, every_text, in_code, marked_text

OTHERS = KEYS[1:]
# a language may do without the game's own words where its grammar says the sentence otherwise
TERMS = {*GameWords.__slots__}
NAME = re.compile(r"[-_\w]{1,32}")
# what Discord takes of a literal text, by where it stands: (call, argument) -> characters
LIMITS = {
    ("Button", 1): 80,
    ("Menu", 1): 150,
    ("Label", "text"): 45,
    ("Label", "description"): 100,
    ("Modal", "title"): 45,
    ("_choice", 1): 45,
    ("_choice", 3): 100,
    ("_options_form", 1): 45,
    ("_shelf", 0): 80,
    ("_on", 0): 80,
    ("_turn", 0): 80,
}
MESSAGE = 2000  # characters of a plain message; boards have twice as much
RULES = [variant.ruleset() for variant in VARIANTS.values()]


def translations(key: str) -> Iterator[tuple[str | None, tuple[str, ...], tuple[str, ...]]]:
    """Yield the context, the English forms and the language's forms of every text."""
    for message in catalogue_of(key):
        if message.id:
            yield message.context, several(message.id), several(message.string or "")


def pages(key: str) -> list[tuple[str, str]]:
    """Return each form of each text as a pair: the form in English and in the language."""
    return [
        (english[min(at, len(english) - 1)], form)
        for _, english, forms in translations(key)
        for at, form in enumerate(forms)
    ]


@pytest.mark.parametrize("key", OTHERS)
def test_a_catalogue_has_every_text_of_the_code_and_no_other(key: str) -> None:
    in_catalogue = {
        (context, english if len(english) > 1 else english[0])
        for context, english, _ in translations(key)
    }
    in_code = set(every_text())
    assert in_code - in_catalogue == set(), (
        f"missing in {key}: run `make messages`, and translate them"
    )
    assert in_catalogue - in_code == set(), f"unused in {key}: run `make messages`"


@pytest.mark.parametrize("key", OTHERS)
def test_every_text_is_translated_in_all_its_forms(key: str) -> None:
    forms = catalogue_of(key).num_plurals
    empty = [
        english[0]
        for _, english, texts in translations(key)
        if not all(texts) or len(texts) != (forms if len(english) > 1 else 1)
    ]
    assert empty == []
    assert [message.id for message in catalogue_of(key) if message.fuzzy and message.id] == []


@pytest.mark.parametrize("key", OTHERS)
def test_no_field_is_lost_or_invented(key: str) -> None:
    for _, english, texts in translations(key):
        for at, text in enumerate(texts):
            assert fields_of(text) <= fields_of(*english), text
            left_out = fields_of(english[min(at, len(english) - 1)]) - fields_of(text)
            assert left_out <= TERMS, f"{text!r} leaves out {left_out}"


@pytest.mark.parametrize("key", OTHERS)
def test_marks_and_links_are_as_in_english(key: str) -> None:
    for english, text in pages(key):
        head = re.match(r"(?:-# |#+ |> )?", english)
        assert head is not None
        assert text.startswith(head[0]), text
        assert text.count("**") == english.count("**"), text
        assert text.count("](") == english.count("]("), text
        assert text.count("`") == english.count("`"), text
        assert text.count("\n") == english.count("\n"), text
        assert text == text.strip() or english != english.strip(), text


@pytest.mark.parametrize("key", KEYS)
def test_a_command_named_in_a_text_is_there_by_that_name(key: str) -> None:
    names = {command.name for command in commands()}
    english = (form for _, text in every_text() for form in several(text))
    for text in english if key == KEYS[0] else (text for _, text in pages(key)):
        named = set(re.findall(r"(?<![\w`])/(\w[\w-]*)(?=[\s)`,;.]|$)|`/(\w[\w-]*)", text))
        names_used = {name or brace for name, brace in named if not (name or brace)[0].isdigit()}
        names_used = {name for name in names_used if not re.search(rf"\w/{re.escape(name)}", text)}
        assert names_used <= names, text


def literal(node: ast.AST) -> str | tuple[str, str] | None:
    text = marked_text(node) if isinstance(node, ast.Call) else None
    return text[1] if text is not None else None


def limited_texts() -> Iterator[tuple[str, int]]:
    """Yield each literal text in the code that has a limit, with the limit in characters."""
    for path in sorted(BOT.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            arguments = [*enumerate(node.args), *((word.arg, word.value) for word in node.keywords)]
            for place, value in arguments:
                text = literal(value)
                if (name, place) in LIMITS and isinstance(text, str):
                    yield text, LIMITS[name, place]


def in_data() -> Iterator[tuple[str, int]]:
    options = [*EVERY_GAME, *HOUSE_RULES, *PREFERENCES]
    for variant in VARIANTS.values():
        options += variant.options
        yield variant.title, 45
    for option in options:
        yield option.label, 45
        yield option.about, 100
        yield from ((choice.label, 100) for choice in option.choices)
    for command in every_command():
        yield command.description, 100
        for parameter in getattr(command, "parameters", ()):
            yield str(parameter.description), 100
            yield from ((choice.name, 100) for choice in parameter.choices)


def every_command() -> Iterator[app_commands.Command | app_commands.Group]:
    for command in commands():
        if isinstance(command, app_commands.ContextMenu):  # its name is its only text
            continue
        yield command
        yield from getattr(command, "commands", ())


@pytest.mark.parametrize("key", KEYS)
def test_no_text_is_longer_than_discord_takes(key: str) -> None:
    texts = list(limited_texts())
    assert len(texts) > 50
    with speaking(key):
        long = [(tr(text), room) for text, room in (*texts, *in_data()) if text]
        assert [text for text, room in long if len(text) > room] == []
    if key in OTHERS:
        assert [text for _, text in pages(key) if len(text) > MESSAGE] == []


def button_labels() -> set[str]:
    """Return the button labels that are literal texts in the code."""
    return {
        text
        for path in BOT.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", "") == "Button"
        and len(node.args) > 1
        and isinstance(text := literal(node.args[1]), str)
    }


@pytest.mark.parametrize("key", OTHERS)
def test_a_button_named_in_a_text_has_the_same_name_in_every_language(key: str) -> None:
    labels = button_labels()
    assert "My seat" in labels
    with speaking(key):
        for english, text in pages(key):
            for name in labels.intersection(re.findall(r"\*\*(.+?)\*\*", english)):
                assert f"**{tr(name)}**" in text, english


def test_command_names_are_valid_for_discord_and_distinct() -> None:
    def check(names: list[str]) -> None:
        assert len(set(names)) == len(names), names
        for name in names:
            assert NAME.fullmatch(name), name
            assert name == name.lower()

    check(
        [
            command.name
            for command in commands()
            if not isinstance(command, app_commands.ContextMenu)
        ]
    )
    for command in every_command():
        if isinstance(command, app_commands.Group):
            check([inner.name for inner in command.commands])
        else:
            check([parameter.name for parameter in command.parameters])


def test_there_are_few_enough_commands_for_an_overview() -> None:
    assert [command.name for command in commands()] == [
        *("practice", "play", "bid", "challenge", "table", "leave", "help"),  # who is new begins so
        *("settings", "preferences", "stats", "matches", "turns", "night", "odds"),
        "Odds",  # in a message's menu
    ], "put a new command into this list, where Discord lists it"


def test_no_command_has_the_name_of_one_of_discords_own() -> None:
    """Compare with Discord's own commands, which take precedence: "/me" posts a message."""
    names = {command.name for command in commands()}
    assert names & BUILT_IN == set()


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.key)
def test_the_longest_bid_fits_the_buttons_and_lists_that_it_stands_on(rules, key: str) -> None:
    with speaking(key):
        bids = [bid_text(rules, bid) for bid in rules.ladder]
        longest = max(bids, key=len)
        bid = game_words(rules).bid
        assert len(tr('{bid} "{said}"', bid=bid, said=longest) + " · >99.9%") <= 80
        assert len(tr("{bid} next: {said}", bid=bid, said=longest) + " · >99.9%") <= 80
        assert len(longest) + 2 <= 100
        menu = "Pick one to {verb} it (more under {button})"
        assert len(tr(menu, verb=game_words(rules).verb, button=tr("Type…"))) <= 150
        assert len(tr("{bid} a hand", bid=bid)) <= 45


def test_a_text_between_the_braces_of_another_is_found() -> None:
    tree = ast.parse("f\"{tr('a text')} and more\"")
    texts = [marked_text(node) for node in ast.walk(tree) if isinstance(node, ast.Call)]
    assert texts == [(None, "a text")]


def test_every_text_is_marked_where_it_stands() -> None:
    """Check each literal in a call that marks texts: it isn't empty, and its fields are valid."""
    assert len(in_code()) > 300
    for path, line, (_, text) in in_code():
        for part in several(text):
            assert part, f"{path}:{line}"
            list(Formatter().parse(part))


def test_bringing_a_catalogue_up_to_date_loses_nothing(tmp_path, monkeypatch) -> None:
    folder = tmp_path / "locales" / "pl" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    written = (BOT / "locales" / "pl" / "LC_MESSAGES" / "bluffhouse.po").read_text("utf-8")
    (folder / "bluffhouse.po").write_text(written, "utf-8")
    monkeypatch.setattr(catalogues, "every_text", lambda texts=every_text(): texts)
    monkeypatch.setattr(catalogues, "BOT", tmp_path)
    assert catalogues.update("pl") == 0
    assert (folder / "bluffhouse.po").read_text("utf-8") == written
    assert catalogues.update("pl") == 0


def test_a_text_whose_words_change_keeps_its_translation_as_fuzzy(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(catalogues, "BOT", tmp_path)
    monkeypatch.setattr(catalogues, "every_text", lambda: [(None, "The table moved on.")])
    assert catalogues.update("pl") == 1
    path = tmp_path / "locales" / "pl" / "LC_MESSAGES" / "bluffhouse.po"
    text = path.read_text("utf-8")
    path.write_text(text.replace('on."\nmsgstr ""', 'on."\nmsgstr "Dalej."'), "utf-8")
    assert catalogues.update("pl") == 0
    monkeypatch.setattr(catalogues, "every_text", lambda: [(None, "The table has moved on.")])
    assert catalogues.update("pl") == 1
    (message,) = [entry for entry in catalogues.catalogue_of("pl") if entry.id]
    assert (message.string, message.fuzzy) == ("Dalej.", True)
