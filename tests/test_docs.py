"""The documents are right about settings, commands, tests, examples and files."""

from __future__ import annotations

import ast
import importlib.metadata
import re
import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from discord import app_commands

from bot.boards.board import ChartPicture
from bot.boards.stats import Statistics, stats_board
from bot.discord.fair_use import COMMANDS, LOOK, ODDS, POST
from bot.discord.links import PERMISSIONS
from bot.language.catalogues import speaking
from bot.language.wordings import bid_text, parse_typed_bid
from bot.language.words import TypedText
from bot.pictures.statistics import Scorecard
from bot.settings.config import Settings
from bot.stats.folding import Pair, PersonTotals, Scope
from bot.stats.match_record import Feat
from bot.stats.standings import LeaderboardRank
from engine.odds.showdown.games import GAMES
from engine.ruleset import EVERY_GAME, Variant
from engine.variants import VARIANTS, ruleset
from tests.catalogues import commands

ROOT = Path(__file__).parents[1]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
PLAYING = (ROOT / "docs/playing.md").read_text()
HOSTING = (ROOT / "docs/hosting.md").read_text()
SECURITY = (ROOT / "SECURITY.md").read_text()
LIBRARY = ROOT / "docs/library.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", LIBRARY.read_text(), re.DOTALL)
FAULT = re.compile(r"^\| (?P<fault>[^|]+) \|(?P<cells>.+)\| `(?P<test>\w+)` \|$")
FAULTS = 33  # the least number of lines in the table


def headings(page: Path) -> set[str]:
    """Return a page's headings as links name them behind `#`."""
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_heading_that_is_linked_is_there(page: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]*)#([^)\s]+)\)", page.read_text())
    inside = [(file, heading) for file, heading in links if "://" not in file]
    gone = [
        (file, heading)
        for file, heading in inside
        if heading not in headings(page.parent / file if file else page)
    ]
    assert gone == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_file_that_a_page_names_is_there(page: Path) -> None:
    examples = {
        "engine/variants/dacha_poker.py",
        "engine/players/timid.py",
    }  # by whoever follows it
    rooms = "engine|bot|tests|benchmarks|deploy|migrations"
    named = set(re.findall(rf"`((?:{rooms})/[\w./-]+)`", page.read_text())) - examples
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_picture_and_page_that_is_linked_is_there(page: Path) -> None:
    text = page.read_text()
    links = re.findall(r"\]\(([^)#\s]+)", text) + re.findall(r'src="([^"]+)"', text)
    gone = [link for link in links if "://" not in link and not (page.parent / link).exists()]
    assert gone == []


def test_no_picture_is_kept_that_no_page_shows() -> None:
    linked = {
        (page.parent / link).resolve()
        for page in PAGES
        for link in re.findall(r'(?:\]\(|src=")([^)"#:\s]+)', page.read_text())
    }
    files = [file for file in (ROOT / "docs/images").rglob("*") if file.is_file()]
    assert [file.name for file in files if file not in linked] == []


def test_every_short_form_in_the_page_for_players_means_what_it_says() -> None:
    rows = re.findall(r"^\| (`.+`) \| ([a-z ,]+) \|$", PLAYING, re.MULTILINE)
    wording = ruleset("liars_poker").wording
    examples = [(typed, means) for cell, means in rows for typed in re.findall(r"`([^`]+)`", cell)]
    bids = [(typed, means) for typed, means in examples if not typed.startswith("/")]
    assert len(bids) > 10
    assert [(typed, wording.say(wording.parse(typed))) for typed, _ in bids] == bids


def test_every_short_form_in_the_page_about_languages_means_what_it_says() -> None:
    text = (ROOT / "docs/languages.md").read_text()
    rows = re.findall(r"^\| (`.+`) \| ([^|]+) \|$", text, re.MULTILINE)
    rules = ruleset("liars_poker")
    typed = [(form, means) for cell, means in rows for form in re.findall(r"`([^`]+)`", cell)]
    assert len(typed) > 10
    with speaking("pl"):
        assert [(form, bid_text(rules, parse_typed_bid(rules, form))) for form, _ in typed] == typed


def test_every_command_is_in_the_page_for_players() -> None:
    for command in commands():
        if isinstance(command, app_commands.ContextMenu):
            assert f"**{command.name}** in a message's menu" in PLAYING
            continue
        inside = command.commands if isinstance(command, app_commands.Group) else [command]
        for each in inside:
            text = f"`/{each.qualified_name}`"
            assert text in PLAYING, f"say what {text} does in docs/playing.md"


def test_the_choices_that_the_page_for_players_names_are_those_of_the_commands() -> None:
    choices = {
        (command.name, parameter.name): [choice.name for choice in parameter.choices]
        for command in commands()
        if isinstance(command, app_commands.Command)
        for parameter in command.parameters
        if parameter.choices
    }
    named = re.findall(r"`/(\w+) (\w+):([^`]+)`", PLAYING)
    checked = [
        (command, option, name)
        for command, option, name in named
        if (command, option) in choices and name not in choices[command, option]
    ]
    assert any((command, option) in choices for command, option, _ in named)
    assert not checked, f"no such choices: {checked}"


def test_every_game_of_showdowns_is_in_the_page_about_them() -> None:
    page = (ROOT / "docs/showdown.md").read_text()
    cells = re.findall(r"^\| (`[^|]+`) \|", page, re.MULTILINE)
    missing = set(GAMES) - {name for cell in cells for name in re.findall(r"`([^`]+)`", cell)}
    assert not missing, f"add a row for {missing} to the table of games in docs/showdown.md"


def test_the_settings_table_for_hosts_has_every_setting_with_its_default() -> None:
    rows = dict(re.findall(r"^\| (`\w+\.\w+`[^|]*) \| ([^|]+) \|", HOSTING, re.MULTILINE))
    documented = {
        name: default.strip("` ")
        for cell, default in rows.items()
        for name in re.findall(r"`(\w+\.\w+)`", cell)
    }
    settings = Settings()
    real = {
        f"{section}.{key}": value
        for section in type(settings).model_fields
        for key, value in getattr(settings, section)
        if key != "token"
    }
    assert set(documented) == set(real)
    for name, value in real.items():
        if value is not None:
            text = f"{value:g}" if isinstance(value, int | float) else str(value)
            text = str(value).lower() if isinstance(value, bool) else text
            assert documented[name] == text, name


def test_hosts_read_which_commands_each_limit_is_about() -> None:
    rows = dict(re.findall(r"^\| `fair_use\.(\w+)` \| \d+ \| (.+) \|$", HOSTING, re.MULTILINE))
    example = (ROOT / "config.example.toml").read_text()
    comments = dict(reversed(pair) for pair in re.findall(r"((?:^#.+\n)+)^(\w+) = ", example, re.M))
    for kind, setting in ((ODDS, "odds"), (POST, "posts"), (LOOK, "looks")):
        names = {f"/{name}" for name, of in COMMANDS.items() if of == kind and name.islower()}
        limit = f"{setting}_per_minute"
        texts = {"config.example.toml": comments[limit]}
        if "and the like" not in rows[limit]:
            texts["docs/hosting.md"] = rows[limit]
        for file, text in texts.items():
            missing = sorted(name for name in names if not re.search(rf"{name}\b", text))
            assert not missing, f"{file}: say that {limit} limits {', '.join(missing)} too"


def test_the_permissions_for_hosts_are_those_of_the_invite_link() -> None:
    permissions = {name.replace("_", " ") for name, on in PERMISSIONS if on}
    text = HOSTING.replace("\n   ", " ").replace("view channels", "view channel")
    for name in permissions - {"read messages"}:
        assert name in text


def section(page: str, heading: str) -> str:
    """Return the text of a page of `docs` under a heading of the second level."""
    text = (ROOT / "docs" / page).read_text()
    assert f"\n## {heading}\n" in text, f"docs/{page} has no section: ## {heading}"
    return text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=lambda variant: variant.key)
def test_the_rules_name_every_option_of_a_game_and_its_choices(variant: Variant) -> None:
    rules = section("rules.md", "What both games share") + section("rules.md", variant.title)
    for option in variant.all_options:
        named = f"option `{option.key}`" + (", in every game" if option in EVERY_GAME else "")
        assert f"({named})" in " ".join(rules.split()), (
            f'docs/rules.md: say what {option.key} changes: "**Decision** ({named}): ..."'
        )
        values = [choice.value for choice in option.choices if isinstance(choice.value, str)]
        missing = [value for value in values if f"`{value}`" not in rules]
        assert missing == [], f"docs/rules.md: say after ({named}) what these choices do"


def test_the_page_about_a_new_game_names_the_options_of_every_game() -> None:
    page = " ".join((ROOT / "docs/adding-a-game.md").read_text().split())
    sentence = page.partition("Every game also has ")[2].partition(".")[0]
    labels = [option.label for option in EVERY_GAME]
    missing = [label for label in labels if label.lower() not in sentence]
    assert missing == [], f'docs/adding-a-game.md: name them in "Every game also has {sentence}"'


def test_every_figure_of_a_persons_stats_is_explained_to_players() -> None:
    feat = Feat(1, 1, "pair:3", 1)
    totals: dict[str, Any] = {
        field.name: feat if field.default is None else 20
        for field in fields(PersonTotals)
        if field.name not in ("mu", "sigma")
    }
    statistics = Statistics(
        PersonTotals(**totals), LeaderboardRank(1, 2), Pair(20, 21), Pair(20, 22)
    )
    board = stats_board(statistics, TypedText("Title"), Scope(), {}, {})
    (card,) = [block.chart for block in board.blocks if isinstance(block, ChartPicture)]
    assert isinstance(card, Scorecard)
    labels = [figure.label for figure in card.figures] + [share.words for share in card.shares]
    labels += [label for label, _ in card.remarks]
    bold = re.findall(r"\*\*(.+?)\*\*", section("records.md", "What is shown").lower())
    missing = [label for label in labels if label.lower() not in bold]
    assert missing == [], "docs/records.md: explain them under *What is shown*, each in bold"


def test_every_make_target_that_is_named_in_a_page_is_there() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = {
        (page.name, target)
        for page in PAGES
        for target in re.findall(r"`make ([a-z-]+)|^make ([a-z-]+)", page.read_text(), re.MULTILINE)
        for target in target
        if target
    }
    assert len(named) > 10
    assert {name for name in named if name[1] not in targets} == set()


def test_the_version_stands_in_one_place() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert importlib.metadata.version("bluffhouse") == version
    assert version not in (ROOT / "bot/cli/__init__.py").read_text()


def functions_in(file: Path) -> set[str]:
    """Return the names of the functions at the top level of a file, tests included."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return {node.name for node in ast.parse(file.read_text()).body if isinstance(node, kinds)}


def test_every_fault_of_the_table_has_a_test_that_there_is() -> None:
    page = (ROOT / "docs/reliability.md").read_text()
    section = page.partition("\n## Faults and recovery\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")][2:]
    rows = [row for line in lines if (row := FAULT.match(line))]
    assert len(rows) == len(lines) >= FAULTS
    tests = {name for file in (ROOT / "tests").rglob("test_*.py") for name in functions_in(file)}
    assert [row["test"] for row in rows if row["test"] not in tests] == []
    assert all(row["cells"].count("|") == 2 for row in rows)


def test_everybody_who_could_try_something_has_a_test_that_there_is() -> None:
    rows = [
        line for line in SECURITY.splitlines() if line.startswith("| ") and "could try" not in line
    ]
    assert len(rows) > 12
    assert [row for row in rows if "::test_" not in row] == []
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", SECURITY)
    assert len(named) > 20
    assert [
        reference for reference in named if reference[1] not in functions_in(ROOT / reference[0])
    ] == []


def test_there_are_ten_examples_of_the_library() -> None:
    assert len(EXAMPLES) == 10


@pytest.mark.parametrize("example", EXAMPLES, ids=range(1, len(EXAMPLES) + 1))
def test_an_example_runs_and_what_it_asserts_holds(example: str) -> None:
    assert "assert" in example
    exec(compile(example, str(LIBRARY), "exec"), {"__name__": "example"})
