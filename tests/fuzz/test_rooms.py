"""The short forms of what `telling.run` judges, and that each room would notice."""

from __future__ import annotations

import pytest

from bot.cli import groups
from bot.discord.odds import questions as asked
from bot.language import words
from bot.replays import match_file
from bot.settings.config import Settings
from tests.fuzz import commands, configuration, match_files, names, questions

SEED = 20261122


def test_odd_settings_are_read_or_refused_in_a_sentence() -> None:
    told = configuration.run(SEED, 0, 400, print)
    assert not told.failures
    assert set(told.became) == {"read", "refused", "the defaults"}


def test_a_secret_that_is_shown_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Settings, "__repr__", lambda self: str(self.secrets))
    said: list[str] = []
    told = configuration.run(SEED, 0, 200, said.append)
    assert "a secret is shown" in said[0]
    assert told.failures[0] in said[0]


def test_odd_files_of_matches_are_read_or_refused_in_a_sentence() -> None:
    told = match_files.run(SEED, 0, 100, print)
    assert not told.failures
    assert set(told.became) == {"read", "refused", "found untrue"}


def test_a_reader_that_trusts_its_file_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_file, "_entry", lambda number, line: line["at"])
    said: list[str] = []
    told = match_files.run(SEED, 0, 10, said.append)
    assert told.failures[0] in said[0]


def test_odd_questions_are_answered_or_refused_in_a_sentence() -> None:
    told = questions.run(SEED, 0, 400, print)
    assert not told.failures
    assert {"bids: answered", "showdown: counted", "three_card: answered"} <= set(told.became)


def test_a_button_that_asks_otherwise_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asked, "_letters", lambda held: "ab"[: len(held)])
    said: list[str] = []
    questions.run(SEED, 0, 60, said.append)
    assert any("asks otherwise" in one or "not read back" in one for one in said)


def test_boards_of_odd_names_are_taken_and_call_nobody() -> None:
    told = names.run(SEED, 0, 200, print)
    assert not told.failures
    assert len(told.became) == 7


def test_a_name_that_is_not_made_safe_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "escaped", lambda text: text)
    said: list[str] = []
    told = names.run(SEED, 0, 400, said.append)
    assert told.failures[0] in said[0]
    assert any("stays open" in one or "is called" in one for one in said)


def test_odd_command_lines_end_in_a_sentence() -> None:
    told = commands.run(SEED, 0, 40, print)
    assert not told.failures
    assert {"ended with 0", "ended with 2"} <= set(told.became)


def test_a_command_that_raises_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(groups, "refuse", lambda *_: ValueError("traced"))
    monkeypatch.setattr(commands, "_COMMANDS", (("odds", "liars", "--nonsense"),))
    said: list[str] = []
    commands.run(SEED, 0, 3, said.append)
    assert any("traced" in one for one in said)
