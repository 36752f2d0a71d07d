"""Short runs of the kinds of odd input in `kinds`, and proof that each kind notices a fault."""

from __future__ import annotations

import pytest

from bot.cli import groups
from bot.discord.odds import questions as asked
from bot.language import words
from bot.replays import match_file
from bot.settings.config import Settings
from tests.fuzz import commands, names
from tests.fuzz.kinds import run

pytestmark = pytest.mark.thorough

SEED = 20261122


@pytest.mark.parametrize(
    ("kind", "many", "became"),
    [
        ("settings", 400, {"read", "refused", "the defaults"}),
        ("files", 100, {"read", "refused", "found untrue"}),
        ("questions", 400, {"bids: answered", "showdown: counted", "three_card: answered"}),
        (
            "names",
            200,
            set(names._BOARDS),
        ),
        ("commands", 40, {"ended with 0", "ended with 2"}),
    ],
)
def test_what_is_odd_is_read_or_refused_in_a_sentence_and_harms_nothing(
    kind: str, many: int, became: set[str]
) -> None:
    verdict = run(kind, SEED, 0, many, print)
    assert not verdict.failures
    assert became <= set(verdict.outcomes)


@pytest.mark.parametrize(
    ("kind", "many", "owner", "name", "broken", "evidence"),
    [
        (
            "settings",
            200,
            Settings,
            "__repr__",
            lambda self: str(self.secrets),
            "a secret is shown",
        ),
        ("files", 10, match_file, "_entry", lambda number, line: line["at"], "Error: "),
        ("questions", 60, asked, "_letters", lambda held: "ab"[: len(held)], "not read back"),
        ("names", 400, words, "escape_markdown", lambda text: text, "is called"),
        ("commands", 3, groups, "refuse", lambda *_: ValueError("traced"), "traced"),
    ],
)
def test_a_kind_finds_what_is_broken_and_says_what_repeats_it(
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    many: int,
    owner: object,
    name: str,
    broken: object,
    evidence: str,
) -> None:
    monkeypatch.setattr(owner, name, broken)
    monkeypatch.setattr(commands, "_COMMANDS", (("odds", "liars", "--nonsense"),))
    lines: list[str] = []
    verdict = run(kind, SEED, 0, many, lines.append)
    assert any(evidence in line for line in lines), lines
    assert verdict.failures[0] in lines[0]
