"""What all commands share: how they are found, their options, width, progress and files."""

from __future__ import annotations

import io
import os
import re
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import bot.cli
from bot.cli import app
from bot.cli.groups import LazyGroup
from bot.cli.output import ProgressBar, columns, paragraph
from bot.cli.parameters import Number, OutFile, WholeNumber, house_rule
from engine.ruleset import Option, OptionChoice
from tests.bot.cli.every_command import every_command
from tests.bot.cli.refused import one_sentence

# -- commands imported when asked for --------------------------------------------------------------


def test_every_command_that_a_module_has_is_called_by_some_words() -> None:
    made = {
        (path.stem, name)
        for path in Path(bot.cli.__path__[0]).glob("*.py")
        for name, value in vars(import_module(f"bot.cli.{path.stem}")).items()
        if isinstance(value, click.Command) and path.stem != "__init__"
    }
    listed = {
        tuple(home.split("."))
        for _, group in every_command()
        if isinstance(group, LazyGroup)
        for home in group.homes.values()
    }
    of_groups = {
        (group.name, command.name)
        for _, group in every_command()
        if isinstance(group, click.Group) and not isinstance(group, LazyGroup)
        for command in group.commands.values()
    }
    assert made == listed | of_groups
    assert ("store", "doctor") in of_groups
    assert ("odds_showdown", "showdown") in listed


def test_a_group_lists_and_explains_commands_that_are_not_imported() -> None:
    shown = CliRunner().invoke(app, ["--help"]).stdout
    lines = [line.split()[0] for line in shown.splitlines() if line.startswith("  ")]
    assert [name for name in lines if name in app.homes] == [*app.homes]
    assert "Serve a real Discord server." in shown


@pytest.mark.parametrize(
    ("typed", "meant"),
    [(["rnu"], "run"), (["odds", "showdwon"], "showdown"), (["odds", "thia"], "thai")],
)
def test_a_command_that_is_no_command_is_compared_with_all(typed: list[str], meant: str) -> None:
    said = CliRunner().invoke(app, typed).stderr
    assert f'no such command "{typed[-1]}". Did you mean "{meant}"?' in " ".join(said.split())


def test_a_group_without_a_command_shows_its_help() -> None:
    done = CliRunner().invoke(app, ["store"])
    assert done.exit_code == 2
    assert done.stderr == CliRunner().invoke(app, ["store", "--help"]).stdout


@pytest.mark.parametrize(
    ("arguments", "absent"),
    [
        (["odds", "liars", "--in-play", "12", "--known", "Ah Kd"], "numpy"),
        (["odds", "thai", "--in-play", "9", "--bid", "big straight", "--json"], "numpy"),
        (["odds", "showdown", "--game", "holdem", "-n", "2", "--seed", "1", "AhAd"], "matplotlib"),
        (["odds", "showdown", "--game", "holdem", "AdAc", "KhKs"], "numba"),
    ],
)
def test_an_answer_waits_for_no_machinery(arguments: list[str], absent: str) -> None:
    heavy = {"pydantic", "structlog", "rich", "asyncio", "discord", "sqlalchemy", absent}
    program = f"""
import sys
from bot.__main__ import main
sys.argv = ["bluffhouse", *{arguments!r}]
try:
    main()
finally:
    found = {heavy!r} & set(sys.modules)
    print(found, file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stderr.decode().strip() == "set()"


# -- kinds of options, and the one sentence that refuses anything else -----------------------------


@click.command(context_settings={"show_default": True})
@click.option("--many", "-m", type=WholeNumber(7), help="How many.")
@click.option("--some", type=WholeNumber(5, 1, 9), default=3, help="Some.")
@click.option("--part", type=Number(0.5), help="A part.")
def command(many: int | None, some: int, part: float | None) -> None:
    """Say what was given."""
    click.echo(repr((many, some, part)))


@pytest.mark.parametrize(
    ("line", "taken"),
    [
        ("", (None, 3, None)),
        ("--many 7", (7, 3, None)),
        ("-m -7", (-7, 3, None)),
        ("--many ' 007 '", (7, 3, None)),
        ("--many=+5 --some 1", (5, 1, None)),
        ("--some 9 --part 1.25", (None, 9, 1.25)),
        ("--part 1e-3", (None, 3, 0.001)),
        ("--part -2", (None, 3, -2.0)),
    ],
)
def test_a_number_is_taken(line: str, taken: tuple[object, ...]) -> None:
    assert CliRunner().invoke(command, line).stdout == f"{taken!r}\n"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("--many seven", '--many is a whole number, not "seven". Example: --many 7'),
        ("-m 7.0", '--many is a whole number, not "7.0". Example: --many 7'),
        ("--many ''", '--many is a whole number, not "". Example: --many 7'),
        ("--many ٣", '--many is a whole number, not "٣". Example: --many 7'),
        (f"--many {'9' * 31}", "--many is no such large number. Example: --many 7"),
        ("--some 0", "--some is 1 to 9, not 0. Example: --some 5"),
        ("--some 1000", "--some is 1 to 9, not 1,000. Example: --some 5"),
        ("--part x", '--part is a number, not "x". Example: --part 0.5'),
    ],
)
def test_what_is_no_number_is_refused_with_an_example(line: str, said: str) -> None:
    done = CliRunner().invoke(command, line)
    assert (done.exit_code, done.stdout) == (2, "")
    assert one_sentence(done.stderr) == f"bluffhouse: {said}"


@pytest.mark.parametrize(
    ("values", "typed"),
    [((2, 0, 1), "0|1|2"), (("next", "anyone"), "next|anyone"), ((False, True), "no|yes")],
)
def test_choices_are_shown_numbers_from_low_to_high_and_words_in_their_order(
    values: tuple[int | str, ...], typed: str
) -> None:
    option = Option("low_cards", "Low cards", tuple(OptionChoice(value, "x") for value in values))
    rule = house_rule(option)
    assert rule.make_metavar(click.Context(command)) == typed
    assert rule.opts == ["--low-cards"]


# -- the progress bar: only on a terminal, only after a second -------------------------------------


class Terminal(io.StringIO):
    """What is written to a terminal."""

    def isatty(self) -> bool:
        return True


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def per_cents(terminal: Terminal) -> list[str]:
    return re.findall(r"\d+%", terminal.getvalue())


@pytest.fixture
def clock() -> Clock:
    return Clock()


def shown(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    return terminal


def test_nothing_is_shown_in_the_first_second(
    monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    terminal = shown(monkeypatch)
    bar = ProgressBar("deals", 30, clock=clock)
    clock.now = 0.9
    bar(1, 2)
    bar.close()
    assert terminal.getvalue() == ""


@pytest.mark.parametrize(("now", "deals", "said"), [(3.0, 500, "50%"), (24.0, 500, "80%")])
def test_the_bar_shows_the_deals_or_the_time_whichever_is_further(
    monkeypatch: pytest.MonkeyPatch, clock: Clock, now: float, deals: int, said: str
) -> None:
    terminal = shown(monkeypatch)
    bar = ProgressBar("deals", 30, clock=clock)
    clock.now = now
    bar(deals, 1_000)
    bar(deals, 1_000)
    bar.close()
    assert per_cents(terminal)[-1] == said
    assert f"{deals:,} deals" in terminal.getvalue()


def test_what_is_no_terminal_gets_no_bar(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    plain = io.StringIO()
    monkeypatch.setattr("sys.stderr", plain)
    bar = ProgressBar("deals", 30, clock=clock)
    clock.now = 9.0
    bar(1, 2)
    bar.close()
    assert plain.getvalue() == ""


# -- everything reads well in a terminal of 80 columns ---------------------------------------------

ROOT = Path(__file__).parents[3]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
COMMAND = re.compile(r"(?:^|`)\s*bluffhouse ((?:odds|analyze) [^`\n]*)", re.MULTILINE)
TOO_LONG = "--exact -t 2"  # the page says that it takes eleven seconds
PAIRS = ", ".join(rank * 2 for rank in "23456789TJQKA")
MORE = (
    'odds liars --in-play 20 --known "2c 3c 4c 5c 7c"',
    "odds liars --in-play 27 --bid 'queen high diamond straight flush'",
    "odds liars --in-play 40 --known 2c3c4c5c6c7c8c9cTcJcQcKcAc2d3d4d5d6d7d8d9dTd",
    "odds liars --in-play 12 --kinds",
    "odds thai --in-play 9",
    "odds thai --in-play 5 --kinds",
    "odds three-card",
    "odds three-card --seats 6 --seat 2",
    "odds three-card --hand '6s 6d 6c' --play-from Q64",
    "odds showdown --game holdem -i 100 '' '' '' '' '' '' '' '' '' ''",
    f"odds showdown --game holdem -i 100 AhKh '{PAIRS}, AKs, AQs, AJs, ATs, A9s'",
    "analyze liars --min 6 --max 8 --samples 100",
    "analyze thai --max 24 --samples 100",
    "analyze three-card --seat 2 --mini-royal 50 --mini-royal-bonus 5",
)


def written() -> list[str]:
    """Every question of the odds in the README and the docs, without its remark."""
    found = [line for page in PAGES for line in COMMAND.findall(page.read_text())]
    plain = [re.split(r"\s{2,}|  #", line)[0].strip() for line in found]
    asked = {line for line in plain if len(line.split()) > 2 or line.endswith("three-card")}
    left_out = ("|", "FILE", "--json", TOO_LONG)
    return sorted(line for line in asked if not any(part in line for part in left_out))


def lines_shown(*words: str) -> list[str]:
    result = CliRunner().invoke(app, words, env={"COLUMNS": "80"}, prog_name="bluffhouse")
    assert result.exit_code == 0, result.output
    assert result.stdout.strip()
    return result.stdout.splitlines()


def test_the_pages_have_questions_to_ask() -> None:
    assert len(written()) > 8


@pytest.mark.parametrize("question", [*written(), *MORE])
@pytest.mark.usefixtures("here")  # some questions write files
def test_no_answer_is_wider_than_80_columns(question: str) -> None:
    for line in lines_shown(*shlex.split(question)):
        assert columns(line) <= 80, line


@pytest.mark.parametrize(
    "path", [words for words, _ in every_command()], ids=lambda path: " ".join(path) or "bluffhouse"
)
def test_help_is_whole_and_80_columns_wide(path: tuple[str, ...]) -> None:
    lines = lines_shown(*path, "--help")
    for line in lines:
        assert columns(line) <= 80, line
        assert not re.search(r"[a-z,](\.\.\.|…)$", line), f"{line} is cut off"


def test_help_is_whole_in_a_terminal_too() -> None:
    """The runner above is a little wider than a terminal of 80 columns gives the command."""
    done = subprocess.run(
        [sys.executable, "-m", "bot", "--help"],
        cwd=ROOT,
        env=os.environ | {"COLUMNS": "80"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    assert "sandbox" in done.stdout
    for line in done.stdout.splitlines():
        assert columns(line) <= 80, line
        assert not re.search(r"[a-z,](\.\.\.|…)$", line), f"{line} is cut off"


REFUSED = (
    "odds liars --in-play 99",
    "odds liars --in-play 12 --bid 'a bid that is not in this game at all'",
    "odds liars --in-play 12 --known 'Ah Zz'",
    "odds liars --in-play 12 --bid 33 --kinds",
    "odds thai --in-play 9 --known '*'",
    "odds showdown --game holdem AhKh AhQd",
    "odds three-card --hand 'Qs 6h'",
    "analyze liars --min 30 --max 2",
    "odds nothing",
    "nothing",
)


@pytest.mark.parametrize("question", REFUSED)
@pytest.mark.usefixtures("here")
def test_no_refusal_is_wider_than_80_columns(question: str) -> None:
    result = CliRunner().invoke(app, shlex.split(question), prog_name="bluffhouse")
    assert result.exit_code == 2
    assert one_sentence(result.stderr)
    assert all(columns(line) <= 80 for line in result.stderr.splitlines())


def test_the_example_after_too_many_cards_in_play_can_be_typed() -> None:
    command = ["odds", "liars", "--in-play"]
    refused = one_sentence(CliRunner().invoke(app, [*command, "99"]).stderr)
    example = refused.rpartition("Example: ")[2]
    assert CliRunner().invoke(app, [*command, example]).exit_code == 0


def test_a_paragraph_is_wrapped_and_keeps_figures_whole() -> None:
    lines = paragraph("word " * 15 + "95.0% and more", indent="- ", hanging="  ").splitlines()
    assert [line[:2] for line in lines] == ["- ", "  "]
    assert lines[1].strip() == "95.0% and more"


def test_wide_and_combining_characters_are_counted_as_they_are_shown() -> None:
    assert columns("ab█♠") == 4
    assert columns("张伟") == 4
    assert columns("e\u0301") == 1


# -- what cannot be written is told before any work is done ----------------------------------------

THAI = ("simulate", "--game", "thai", "--players", "careful,hider", "--matches", "2")
# each option that writes a file: the command, and what it does first once it works
WRITERS: dict[tuple[str, str], tuple[tuple[str, ...], str]] = {
    ("odds showdown", "--chart"): (
        ("odds", "showdown", "--game", "holdem", "AhKd", "QcQs"),
        "engine.odds.showdown.equity.showdown_odds",
    ),
    ("analyze three-card", "--chart"): (
        ("analyze", "three-card"),
        "engine.odds.three_card.house_edge",
    ),
    ("analyze preflop", "--chart"): (
        ("analyze", "preflop"),
        "engine.odds.showdown.preflop.kind_matchups",
    ),
    ("analyze preflop", "--csv"): (
        ("analyze", "preflop"),
        "engine.odds.showdown.preflop.kind_matchups",
    ),
    ("analyze liars", "--chart"): (("analyze", "liars"), "bot.cli.analyze._table"),
    ("analyze liars", "--csv"): (("analyze", "liars"), "bot.cli.analyze._table"),
    ("analyze thai", "--chart"): (("analyze", "thai"), "bot.cli.analyze._table_of_answers"),
    ("analyze thai", "--csv"): (
        ("analyze", "thai", "--answers", "{}/all.npy"),
        "bot.cli.analyze._table_of_answers",
    ),
    ("analyze thai", "--answers"): (
        ("analyze", "thai"),
        "bot.cli.analyze._table_of_answers",
    ),
    ("simulate", "--chart"): (THAI, "engine.players.simulation.Simulation.warm"),
    ("simulate", "--csv"): (THAI, "engine.players.simulation.Simulation.warm"),
    ("replay", "--html"): (("replay", "match.json"), "bot.cli.replay._whole"),
    ("store doctor", "--report"): (
        ("store", "doctor", "--discord", "1"),
        "bot.cli.discord_checks.try_out",
    ),
}
ENDINGS = {
    "--chart": ".png",
    "--csv": ".csv",
    "--html": ".html",
    "--answers": ".npy",
    "--report": ".txt",
}
READ = {"--weights", "--config", "--data"}  # not written, or not by the command itself


def test_no_option_that_writes_a_file_is_forgotten_here() -> None:
    found = {
        (" ".join(words), option)
        for words, command in every_command()
        for parameter in command.params
        for option in parameter.opts
        if isinstance(parameter.type, OutFile | click.Path)
        and isinstance(parameter, click.Option)
        and option not in READ
    }
    assert found == set(WRITERS)


def outcome(monkeypatch: pytest.MonkeyPatch, work: str, *words: str) -> tuple[int, str, str]:
    """Exit code, output and errors; the work ends the test."""

    def working(*_: object, **__: object) -> None:
        pytest.fail(f"{work} was done before the file was looked at")

    # modules are imported first: one imported with `working` in it would keep that for ever
    CliRunner().invoke(app, list(words))
    monkeypatch.setattr(work, working)
    done = CliRunner().invoke(app, list(words))
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.stdout, done.stderr


@pytest.mark.parametrize(("command", "option"), WRITERS)
@pytest.mark.parametrize("place", ["a folder of that name", "no such folder", "too long a name"])
def test_a_file_that_cannot_be_written_is_told_before_the_work(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, command: str, option: str, place: str
) -> None:
    words, work = WRITERS[command, option]
    ending = ENDINGS[option]
    file = {
        "a folder of that name": tmp_path / f"here{ending}",
        "no such folder": tmp_path / "nowhere" / f"here{ending}",
        "too long a name": tmp_path / f"{'x' * 300}{ending}",
    }[place]
    (tmp_path / f"here{ending}").mkdir()
    given = (word.format(tmp_path) for word in words)
    code, told, errors = outcome(monkeypatch, work, *given, option, str(file))
    assert (code, told) == (2, "")
    said = one_sentence(errors)
    assert "there is no folder" in said if place == "no such folder" else "be written" in said
    assert "Example: " in said
    assert ending in said


def test_what_is_only_looked_at_stays_as_it_was(tmp_path: Path) -> None:
    kept, new = tmp_path / "kept.png", tmp_path / "new.png"
    link = tmp_path / "link.png"
    kept.write_bytes(b"a picture")
    link.symlink_to(tmp_path / "target.png")
    for file in (kept, new, link):
        done = CliRunner().invoke(
            app, ["analyze", "three-card", "--seats", "7", "--chart", str(file)]
        )
        assert done.exit_code == 2
    done = CliRunner().invoke(
        app, ["odds", "showdown", "--chart", str(new), "-g", "holdem", "AhAh"]
    )
    assert done.exit_code == 2
    assert kept.read_bytes() == b"a picture"
    assert not new.exists()
    assert link.is_symlink()


# -- charts are an extra: refused before the work where matplotlib is missing ----------------------


@pytest.mark.parametrize(
    "command",
    [
        "analyze liars",
        "analyze three-card",
        "odds showdown --game holdem AhKd QcQs",
        "simulate --game thai --players careful,sly --matches 2000000",
    ],
)
def test_a_chart_without_matplotlib_is_refused_in_one_sentence_before_the_work(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)  # as where it is not installed
    chart = tmp_path / "chart.png"
    done = CliRunner().invoke(app, [*command.split(), "--chart", str(chart)])
    assert done.exit_code == 2
    assert "make extras EXTRAS=charts" in one_sentence(done.stderr)
    assert done.stdout == ""
    assert not chart.exists()
