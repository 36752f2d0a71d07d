"""Files that commands write: what cannot be written is told before any work is done."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from bot.cli import app
from bot.cli.parameters import OutFile
from tests.bot.cli.every_command import every_command
from tests.bot.cli.refused import one_sentence

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
