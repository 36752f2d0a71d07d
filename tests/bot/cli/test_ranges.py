"""`bluffhouse odds ranges`, which keeps named ranges in a plain text file, for `odds showdown`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bot.cli.odds_ranges import ranges_file
from tests.bot.cli.refused import json_of, refusal, run_and_print

run, answer = partial(run_and_print, "odds", "ranges"), partial(json_of, "odds", "ranges")
ask, answer_of = partial(run_and_print, "odds", "showdown"), partial(json_of, "odds", "showdown")
refusal_of = partial(refusal, "odds", "showdown")


@pytest.fixture
def file(config_home: Path) -> Path:
    return config_home / "bluffhouse" / "ranges.txt"


def values_of(document: Any) -> list[float]:
    return [player["value"] for player in document["players"]]


def test_a_range_is_kept_in_a_file_and_used_by_name(file: Path) -> None:
    assert "No range has a name" in run()
    reply = ask("btn", "=", "22+,", "A2s+")  # as a shell without quotation marks gives it
    assert reply == f"btn = 22+, A2s+\n126 combos, 9.5% of hands, saved in\n{file}\n"
    assert file.read_text(encoding="utf-8") == "btn = 22+, A2s+\n"
    named = answer_of("btn vs QQ, board 9h 5h 2c")
    typed = answer_of("22+, A2s+ vs QQ, board 9h 5h 2c")
    assert named["players"][0]["name"] == "btn"
    assert [player["value"] for player in named["players"]] == [
        player["value"] for player in typed["players"]
    ]
    assert [player["cards"] for player in answer_of("btn", "QQ", "-p", "9h5h2c")["players"]] == [
        "22+, A2s+",
        "QQ",
    ]


def test_a_name_again_replaces_its_line_and_keeps_comments(file: Path) -> None:
    file.parent.mkdir(parents=True)
    file.write_text("# my ranges\nBTN = 22+\n\nco = QQ+\n", encoding="utf-8")
    assert "btn = KK+" in ask("btn = KK+")
    assert file.read_text(encoding="utf-8") == "# my ranges\n\nco = QQ+\nbtn = KK+\n"
    assert run() == "co = QQ+\nbtn = KK+\n"
    assert answer() == {"file": str(file), "ranges": {"co": "QQ+", "btn": "KK+"}}
    assert run("--delete", "CO") == "Deleted: co = QQ+\n"
    assert file.read_text(encoding="utf-8") == "# my ranges\n\nbtn = KK+\n"


def test_another_file_can_be_chosen(file: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "other.txt"
    ask("btn = AA", "--ranges", str(elsewhere))
    assert not file.exists()
    assert elsewhere.read_text(encoding="utf-8") == "btn = AA\n"
    assert run("--ranges", str(elsewhere)) == "btn = AA\n"
    players = answer_of("btn vs QQ, board 9h 5h 2c", "--ranges", str(elsewhere))["players"]
    assert players[0]["cards"] == "AA"


def test_a_name_may_be_made_of_others() -> None:
    ask("btn = 22+")
    ask("late = btn, AKs")
    assert answer()["ranges"]["late"] == "22+, AKs"


def test_what_is_wrong_is_refused_in_one_sentence(file: Path) -> None:
    assert '"btn" is neither cards nor a range that you named' in refusal_of("btn vs QQ")
    assert '"AKs" already means something' in refusal_of("AKs = QQ")
    ask("co = QQ+")
    assert '"btn" is neither cards nor one of your ranges: co' in refusal_of("btn vs QQ")
    unknown = refusal("odds", "ranges", "--delete", "btn")
    assert unknown.startswith('"btn" isn\'t the name of a range')
    assert unknown.endswith("Example: bluffhouse odds ranges --delete co")
    file.write_text("co = QQ+\nnonsense\n", encoding="utf-8")
    assert f"line 2 of {file} names no range" in refusal_of("btn vs QQ").replace("\n", " ")
    assert "can't be read" in refusal("odds", "ranges", "--ranges", str(file / "no"))


def test_the_file_is_only_read_if_a_question_needs_it(file: Path) -> None:
    file.parent.mkdir(parents=True)
    file.write_text("nonsense\n", encoding="utf-8")
    assert answer_of("AhKh vs QQ, board 9h 5h 2c")["exact"]


def test_without_a_configuration_folder_it_is_in_the_home(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("XDG_CONFIG_HOME")
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert ranges_file() == tmp_path / ".config" / "bluffhouse" / "ranges.txt"
