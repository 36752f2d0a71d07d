"""Features common to all commands: look-up, options, width, progress and files."""

from __future__ import annotations

import io
import os
import re
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

import bot
import bot.cli
from bot.cli import app
from bot.cli.groups import LazyGroup
from bot.cli.output import ProgressBar, columns, paragraph
from bot.cli.parameters import Number, OutFile, WholeNumber, house_rule
from engine.ruleset import Option, OptionChoice
from engine.variants import VARIANTS
from tests.bot.cli.every_command import every_command
from tests.bot.cli.refused import one_sentence, refusal, run_and_print

# -- commands imported when asked for --------------------------------------------------------------


def test_every_command_that_a_module_has_is_called_by_some_words() -> None:
    modules = {
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
    assert modules == listed | of_groups
    assert ("store", "doctor") in of_groups
    assert ("odds_showdown", "showdown") in listed


def test_a_group_lists_and_explains_commands_that_are_not_imported() -> None:
    help_text = CliRunner().invoke(app, ["--help"]).stdout
    lines = [line.split()[0] for line in help_text.splitlines() if line.startswith("  ")]
    assert [name for name in lines if name in app.homes] == [*app.homes]
    assert "Serve a real Discord server." in help_text


@pytest.mark.parametrize(
    ("typed", "meant"),
    [(["rnu"], "run"), (["odds", "showdwon"], "showdown"), (["odds", "thia"], "thai")],
)
def test_an_unknown_command_gets_the_most_similar_one_suggested(
    typed: list[str], meant: str
) -> None:
    errors = CliRunner().invoke(app, typed).stderr
    assert f'no such command "{typed[-1]}". Did you mean "{meant}"?' in " ".join(errors.split())


def test_a_group_without_a_command_shows_its_help() -> None:
    process = CliRunner().invoke(app, ["store"])
    assert process.exit_code == 2
    assert process.stderr == CliRunner().invoke(app, ["store", "--help"]).stdout


SLOW = {"matplotlib", "numba", "discord", "sqlalchemy", "pydantic", "structlog", "textual"}


@pytest.mark.parametrize(
    ("commands", "absent"),
    [
        (
            [
                ["odds", "liars", "--in-play", "12", "--known", "Ah Kd"],
                ["odds", "liars", "--in-play", "12", "--kinds"],
                ["odds", "thai", "--in-play", "9", "--bid", "big straight", "--json"],
            ],
            {*SLOW, "numpy", "PIL", "rich", "asyncio"},
        ),
        ([["odds", "showdown", "--game", "holdem", "AdAc", "KhKs"]], {*SLOW, "rich", "asyncio"}),
        ([["odds", "three-card", "--json"]], {"numba", "matplotlib", "discord", "sqlalchemy"}),
        (
            [
                ["--help"],
                *([name, "--help"] for name in ("play", "simulate")),
                ["odds", "showdown", "--help"],
                ["play", "--game", "thai", "--against", "sly"],
                ["simulate", "--game", "whist", "--players", "a,b"],
            ],
            {*SLOW, "numpy"},
        ),
    ],
    ids=["bids", "showdown", "three-card", "help"],
)
def test_commands_do_not_import_heavy_modules_they_do_not_need(
    commands: list[list[str]], absent: set[str]
) -> None:
    program = f"""
import sys
from bot.__main__ import main
for one in {commands!r}:
    sys.argv = ["bluffhouse", *one]
    try:
        main()
    except SystemExit:
        pass
print("loaded:", sorted({absent!r} & set(sys.modules)))
"""
    process = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert process.stdout.splitlines()[-1] == "loaded: []"


# -- kinds of options, and the one sentence that refuses anything else -----------------------------


@click.command(context_settings={"show_default": True})
@click.option("--many", "-m", type=WholeNumber(7), help="How many.")
@click.option("--some", type=WholeNumber(5, 1, 9), default=3, help="Some.")
@click.option("--part", type=Number(0.5), help="A part.")
def command(many: int | None, some: int, part: float | None) -> None:
    """Print the options."""
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
def test_a_whole_number_is_parsed(line: str, taken: tuple[object, ...]) -> None:
    assert CliRunner().invoke(command, line).stdout == f"{taken!r}\n"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("--many seven", '--many must be a whole number, not "seven". Example: --many 7'),
        ("-m 7.0", '--many must be a whole number, not "7.0". Example: --many 7'),
        ("--many ''", '--many must be a whole number, not "". Example: --many 7'),
        ("--many ٣", '--many must be a whole number, not "٣". Example: --many 7'),
        (f"--many {'9' * 31}", "--many is too large. Example: --many 7"),
        ("--some 0", "--some is 1 to 9, not 0. Example: --some 5"),
        ("--some 1000", "--some is 1 to 9, not 1,000. Example: --some 5"),
        ("--part x", '--part must be a number, not "x". Example: --part 0.5'),
    ],
)
def test_an_invalid_number_is_refused_with_an_example(line: str, reason: str) -> None:
    process = CliRunner().invoke(command, line)
    assert (process.exit_code, process.stdout) == (2, "")
    assert one_sentence(process.stderr) == f"bluffhouse: {reason}"


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


@pytest.mark.parametrize(
    ("now", "terminal", "percents"),
    [(0.9, True, []), (9.0, False, []), (3.0, True, ["50%"]), (24.0, True, ["80%"])],
    ids=["in the first second", "no terminal", "the deals are further", "the time is further"],
)
def test_the_bar_shows_the_deals_or_the_time_whichever_is_further(
    monkeypatch: pytest.MonkeyPatch, now: float, terminal: bool, percents: list[str]
) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(stream, "isatty", lambda: terminal)
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    times = iter((0.0, now, now))
    bar = ProgressBar("deals", 30, clock=lambda: next(times))
    bar(500, 1_000)
    bar(500, 1_000)
    bar.close()
    assert re.findall(r"\d+%", stream.getvalue())[-1:] == percents
    assert ("500 deals" in stream.getvalue()) == bool(percents)


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
    "odds three-card --seats 6 --seat 2",
    "odds three-card --hand '6s 6d 6c' --play-from Q64",
    "odds showdown --game holdem -i 100 '' '' '' '' '' '' '' '' '' ''",
    f"odds showdown --game holdem -i 100 AhKh '{PAIRS}, AKs, AQs, AJs, ATs, A9s'",
    "analyze liars --min 6 --max 8 --samples 100",
    "analyze three-card --seat 2 --mini-royal 50 --mini-royal-bonus 5",
)


def written() -> list[str]:
    """Return, sorted, the pages' `odds` and `analyze` commands that a test can run.

    The comments after the commands are removed.
    """
    examples = [line for page in PAGES for line in COMMAND.findall(page.read_text())]
    plain = [re.split(r"\s{2,}|  #", line)[0].strip() for line in examples]
    commands = {line for line in plain if len(line.split()) > 2 or line.endswith("three-card")}
    left_out = ("|", "FILE", "--json", TOO_LONG)
    return sorted(line for line in commands if not any(part in line for part in left_out))


def lines_shown(*words: str) -> list[str]:
    result = CliRunner().invoke(app, words, env={"COLUMNS": "80"}, prog_name="bluffhouse")
    assert result.exit_code == 0, result.output
    assert result.stdout.strip()
    return result.stdout.splitlines()


def test_the_pages_have_questions_to_ask() -> None:
    assert len(written()) > 8


@pytest.mark.parametrize("question", [*written(), *MORE])
@pytest.mark.usefixtures("workdir")  # some questions write files
def test_no_answer_is_wider_than_80_columns(question: str) -> None:
    for line in lines_shown(*shlex.split(question)):
        assert columns(line) <= 80 or Path(line).is_file(), line


@pytest.mark.parametrize(
    "path", [words for words, _ in every_command()], ids=lambda path: " ".join(path) or "bluffhouse"
)
def test_help_is_complete_and_80_columns_wide(path: tuple[str, ...]) -> None:
    lines = lines_shown(*path, "--help")
    for line in lines:
        assert columns(line) <= 80, line
        assert not re.search(r"[a-z,](\.\.\.|…)$", line), f"{line} is cut off"


def test_help_is_complete_in_a_terminal_too() -> None:
    """Check that a process's help fits 80 columns, a terminal's usual width, and is not cut off."""
    process = subprocess.run(
        [sys.executable, "-m", "bot", "--help"],
        cwd=ROOT,
        env=os.environ | {"COLUMNS": "80"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    assert "sandbox" in process.stdout
    for line in process.stdout.splitlines():
        assert columns(line) <= 80, line
        assert not re.search(r"[a-z,](\.\.\.|…)$", line), f"{line} is cut off"


def test_the_example_after_too_many_cards_in_play_can_be_typed() -> None:
    command = ["odds", "liars", "--in-play"]
    example = refusal(*command, "99").rpartition("Example: ")[2]
    assert run_and_print(*command, example)


def test_a_paragraph_is_wrapped_and_keeps_figures_whole() -> None:
    lines = paragraph("word " * 15 + "95.0% and more", indent="- ", hanging="  ").splitlines()
    assert [line[:2] for line in lines] == ["- ", "  "]
    assert lines[1].strip() == "95.0% and more"


def test_wide_and_combining_characters_are_counted_as_they_are_shown() -> None:
    assert columns("ab█♠") == 4
    assert columns("张伟") == 4
    assert columns("e\u0301") == 1


# -- an answer that cannot be written --------------------------------------------------------------


def run_process(*words: str, room: int | None = None, **streams: Any) -> tuple[int, str]:
    """Run a command in a new process; return its exit code and its standard error.

    `room`: the largest file that the process may write, in bytes. `streams`: arguments of
    `subprocess.run` that replace the pipes for standard output and error.
    """

    def limit() -> None:
        import resource

        if room is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | streams
    process = subprocess.run(
        [sys.executable, "-m", "bot", *words],
        text=True,
        check=False,
        preexec_fn=limit,
        env=os.environ | {"PYTHONPATH": str(Path(bot.__file__).parents[1])},
        **streams,
    )
    return process.returncode, process.stderr or ""


needs_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has it")


@pytest.mark.thorough
@needs_full
@pytest.mark.parametrize(
    "words",
    [("odds", "liars", "--in-play", "3", "--json"), ("store", "doctor"), ("--help",)],
)
def test_an_answer_that_cannot_be_printed_is_one_sentence(
    words: tuple[str, ...], workdir: Path
) -> None:
    with Path("/dev/full").open("w") as full:
        code, errors = run_process(*words, stdout=full)
        assert (code, one_sentence(errors)) == (
            75,
            "bluffhouse: the answer can't be written: No space left on device",
        )
        assert run_process(*words, stdout=full, stderr=full)[0] == 75


@needs_full
def test_a_refusal_that_cannot_be_printed_keeps_its_code() -> None:
    with Path("/dev/full").open("w") as full:
        assert run_process("odds", "nowhere", stderr=full)[0] == 2


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="there is no such limit")
@pytest.mark.parametrize("room", [0, 8192, 40960])
def test_a_database_without_room_is_one_sentence(room: int, workdir: Path) -> None:
    code, errors = run_process("store", "migrate", room=room)
    assert code == 75
    assert "that files may grow (ulimit -f)" in one_sentence(errors)
    run_and_print("store", "migrate")


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="there is no such limit")
@pytest.mark.parametrize("room", [8192, 40960])
def test_a_backup_without_room_is_one_sentence(room: int, workdir: Path) -> None:
    run_and_print("store", "migrate")
    code, errors = run_process("store", "backup", "copy.db", room=room)
    assert code == 75
    assert "could not be copied to copy.db" in one_sentence(errors)


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="there is no such limit")
def test_a_file_without_room_is_one_sentence(workdir: Path) -> None:
    code, errors = run_process("analyze", "thai", "--csv", "odds.csv", room=1)
    assert (code, one_sentence(errors)) == (
        75,
        'bluffhouse: "odds.csv" can\'t be written: File too large',
    )


# -- what cannot be written is told before any work is done ----------------------------------------

READ = {"--weights", "--config", "--data", "--ranges"}  # not written, or not by the command itself


def test_every_option_that_writes_a_file_tries_it_before_the_work() -> None:
    """Check that options for output files are of type `OutFile`, which tries a file at once."""
    written = [
        (" ".join(words), parameter.type)
        for words, command in every_command()
        for parameter in command.params
        if isinstance(parameter.type, OutFile | click.Path)
        and isinstance(parameter, click.Option)
        and not READ & {*parameter.opts}
    ]
    assert len(written) == 13
    assert [words for words, kind in written if not isinstance(kind, OutFile)] == []
    drawn = {words for words, kind in written if isinstance(kind, OutFile) and kind._drawn}
    games = {f"analyze {game.short}" for game in VARIANTS.values()}
    assert drawn == {"odds showdown", "analyze three-card", "simulate"} | games


def writing(file: Path, **options: bool) -> tuple[int, str, str]:
    """Run a command that prints "drawn" if its `OutFile` accepts `file`.

    `options`: arguments of the `OutFile`. Return the exit code, the output and the standard error.
    """

    @click.command
    @click.option("--chart", type=OutFile("odds.png", **options))
    def draw(chart: Path) -> None:
        click.echo("drawn")

    process = CliRunner().invoke(draw, ["--chart", str(file)])
    return process.exit_code, process.stdout, process.stderr


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("odds.bmp", "doesn't end in .png. Example: odds.png"),
        ("nowhere/odds.png", "there's no folder"),
        (f"{'x' * 5000}/odds.png", "there's no folder"),
        (f"{'x' * 300}.png", "can't be written: File name too long. Example: odds.png"),
        ("here.png", "can't be written: Is a directory. Example: odds.png"),
    ],
)
def test_a_file_that_cannot_be_written_is_refused(tmp_path: Path, name: str, reason: str) -> None:
    (tmp_path / "here.png").mkdir()
    code, output, refused = writing(tmp_path / name)
    assert (code, output) == (2, "")
    assert reason in one_sentence(refused)


def test_a_chart_without_matplotlib_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)  # as where it is not installed
    code, _, refused = writing(tmp_path / "chart.png", drawn=True)
    assert code == 2
    assert "make extras EXTRAS=charts" in one_sentence(refused)
    assert not (tmp_path / "chart.png").exists()


def test_checking_an_output_file_neither_creates_nor_changes_it(tmp_path: Path) -> None:
    existing, new = tmp_path / "kept.png", tmp_path / "new.png"
    link = tmp_path / "link.png"
    existing.write_bytes(b"a picture")
    link.symlink_to(tmp_path / "target.png")
    for file in (existing, new, link):
        assert writing(file) == (0, "drawn\n", "")
    assert existing.read_bytes() == b"a picture"
    assert not new.exists()
    assert link.is_symlink()
