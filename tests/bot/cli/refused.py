"""Reading a refusal on standard error: one sentence, at a terminal's width or in one line."""

from __future__ import annotations

from bot.cli.output import WIDTH, columns


def one_sentence(stderr: str) -> str:
    """The sentence without its line ends.

    If it has several lines they are wrapped at 80 columns: only a single word may be wider.
    """
    assert stderr.startswith("bluffhouse: ")
    assert stderr.endswith("\n")
    lines = stderr.splitlines()
    for line in lines:
        assert len(lines) == 1 or columns(line) <= WIDTH or " " not in line.strip(), line
        assert line.strip(), "one paragraph has no empty lines"
    assert "Traceback" not in stderr
    return " ".join(lines)
