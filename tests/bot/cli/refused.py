"""Run commands as typed; return what they print, or the one sentence that refuses them."""

from __future__ import annotations

import json
from typing import Any

from click.testing import CliRunner

from bot.cli import app
from bot.cli.output import WIDTH, columns


def run_and_print(*words: str, code: int = 0) -> str:
    """Return what a command prints; assert that it exits with this code."""
    result = CliRunner().invoke(app, words, prog_name="bluffhouse")
    assert result.exit_code == code, result.output
    return result.stdout


def json_of(*words: str) -> Any:
    """Return what a command prints as JSON, parsed."""
    return json.loads(run_and_print(*words, "--json"))


def refusal(*words: str, code: int = 2) -> str:
    """Return the sentence that refuses a command, without "bluffhouse: ".

    Assert the exit code, an empty standard output, and what `one_sentence` asserts; with code 2,
    even a single line must fit into 80 columns.
    """
    result = CliRunner().invoke(app, words, prog_name="bluffhouse")
    assert (result.exit_code, result.stdout) == (code, ""), result.output
    if code == 2:
        assert all(columns(line) <= WIDTH or " " not in line for line in result.stderr.splitlines())
    return one_sentence(result.stderr).removeprefix("bluffhouse: ")


def one_sentence(stderr: str) -> str:
    """Return the sentence on standard error as one line that begins with "bluffhouse: ".

    Assert this beginning, one paragraph and no traceback. If there are several lines, assert that
    they are at most 80 columns wide; only a line of a single word may be wider.
    """
    assert stderr.startswith("bluffhouse: ")
    assert stderr.endswith("\n")
    lines = stderr.splitlines()
    for line in lines:
        assert len(lines) == 1 or columns(line) <= WIDTH or " " not in line.strip(), line
        assert line.strip(), "one paragraph has no empty lines"
    assert "Traceback" not in stderr
    return " ".join(lines)
