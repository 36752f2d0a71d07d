"""Odd command lines: a documented exit code, one sentence on standard error, no traceback.

Every command runs in this process, in an empty folder. Commands that serve, measure for long or
draw a match in a terminal are called only in ways that they refuse. Showdowns are in `questions`.
"""

from __future__ import annotations

import os
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final
from unittest.mock import patch

from click.testing import CliRunner

from bot.cli import app
from tests.fuzz import odd

CODES: Final = (0, 1, 2, 75, 78)
_ODD: Final = ("--no-such", "-x", "--", "--in-play", "--config", "--config=none.toml", "-h", "''")
_VALUES: Final = (
    "12", "0", "-1", "9" * 40, "1e3", "½", "Ah Kd", "Ah Ah", "*", "pair of nines", "99", "liars",
    "thai", "careful,sly", "genius", "length=one_more", "a.csv", "a.png", "/none/a.png", "x" * 300,
    "match.json", ".", "81384788765712384", "queen", "best", "1/4/5", "Qs 6h 4d", "",
)  # fmt: skip
# each with the fewest arguments; more are added at random
_COMMANDS: Final = (
    ("odds", "liars", "--in-play", "12"),
    ("odds", "thai", "--in-play", "9", "--bid", "pair of nines"),
    ("odds", "liars", "--in-play", "9", "--kinds", "--json"),
    ("odds", "three-card", "--hand", "Qs 6h 4d"),
    ("odds", "showdown"),
    ("odds",),
    ("store",),
    ("people",),
    ("analyze",),
    ("analyze", "thai", "--min", "x"),
    ("analyze", "three-card", "--seat", "9"),
    ("play", "--game", "thai", "--against", "sly"),
    ("simulate", "--game", "snap", "--players", "sly,careful"),
    ("simulate", "--game", "thai", "--players", "nobody"),
    ("replay", "match.json"),
    ("verify", "match.json"),
    ("replay", "7"),
    ("run",),
    ("store", "migrate"),
    ("store", "backup", "copy.db"),
    ("store", "doctor"),
    ("store", "repair"),
    ("store", "rebuild"),
    ("people", "export", "81384788765712384"),
    ("people", "delete", "81384788765712384", "--yes"),
    ("--version",),
    (),
)
_FLAGS: Final = {
    "odds": ("--known", "--bid", "--in-play", "--kinds", "--json", "--jokers", "--bonus", "--seen"),
    "replay": ("--json", "--html", "--config"),
    "play": ("--seed", "--option", "--game"),
}


def judge(chance: Random) -> str:
    """Run one odd command line; return its exit code in words.

    Raises AssertionError if the exit code or the output is wrong.
    """
    command = chance.choice(_COMMANDS)
    arguments = [*command, *_more(chance, command)]
    if len(arguments) > len(command) and chance.random() < 0.3:
        at = chance.randrange(len(command), len(arguments))
        arguments[at] = odd.text(chance, _VALUES, 300)
    before = Path.cwd()
    with TemporaryDirectory(prefix="commands") as folder:
        os.chdir(folder)
        try:
            with patch.dict(os.environ, _environment(), clear=True):
                result = CliRunner().invoke(
                    app, [argument.replace("\x00", "") for argument in arguments]
                )
        finally:
            os.chdir(before)
    ended = f"{arguments!r} ends with {result.exit_code}"
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise AssertionError(f"{ended} and {result.exception!r}") from result.exception
    assert result.exit_code in CODES, f"{ended}: {result.stderr[:300]!r}"
    assert "Traceback" not in result.output, f"{ended} and a traceback"
    if result.exit_code in (75, 78) or (
        result.exit_code == 2 and not result.stderr.startswith("Usage")
    ):
        _one_sentence(result.stderr, ended)
    elif result.exit_code in (1, 2):
        assert result.output.strip(), f"{ended} without a word"
    return f"ended with {result.exit_code}"


def _one_sentence(stderr: str, ended: str) -> None:
    """Check that standard error is one paragraph from `bluffhouse`, of at most 1,200 characters."""
    # the rest may be a word that is wider than a line
    assert stderr.split()[:1] == ["bluffhouse:"], f"{ended}: {stderr[:300]!r}"
    assert all(line.strip() for line in stderr.splitlines()), f"{ended}: {stderr[:300]!r}"
    assert len(stderr) <= 1_200, f"{ended} with {len(stderr)} characters"


def _more(chance: Random, command: tuple[str, ...]) -> list[str]:
    """Return further words for the command: its flags, values, and words that are neither."""
    flags = _FLAGS.get(command[0], ()) if command else ()
    words: list[str] = []
    for _ in range(chance.choice((0, 1, 1, 2, 3))):
        if flags and chance.random() < 0.6:
            words += [chance.choice(flags), chance.choice(_VALUES)]
        else:
            words.append(chance.choice((*_ODD, *_VALUES)))
    return words


def _environment() -> dict[str, str]:
    """Return this process's environment without the bot's settings."""
    ours = ("BLUFFHOUSE_", "DISCORD_")
    return {name: value for name, value in os.environ.items() if not name.startswith(ours)}
