"""Reading a refusal on standard error: one sentence, wrapped for a terminal of 80 columns."""

from __future__ import annotations

from bot.cli.paragraphs import WIDTH, columns


def one_sentence(stderr: str) -> str:
    """The sentence without its line ends; only a single word may be wider than the terminal."""
    assert stderr.startswith("bluffhouse: ")
    assert stderr.endswith("\n")
    lines = stderr.splitlines()
    for line in lines:
        assert columns(line) <= WIDTH or " " not in line.strip(), line
        assert line.strip(), "one paragraph has no empty lines"
    assert "Traceback" not in stderr
    return " ".join(lines)
