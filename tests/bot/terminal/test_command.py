"""The command that opens a match in the terminal: what it refuses, and a real terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios

import pytest
from click.testing import CliRunner

from bot.cli import app as command_line
from tests.bot.cli.refused import one_sentence

runner = CliRunner()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--game thai --against sharpe", "did you mean sharp? There are careful"),
        ("--game thai --against hider", 'there is no computer player "hider"; there are careful'),
        ("--game thai --against " + ",".join(["sly"] * 10), "9 at most can play against you"),
        ("--game thai", "--against is required: who is to play against you. Example: --against"),
        ("--game thai --daily --seed 3", "--daily says itself who plays, which cards are dealt"),
        ("--game thai --daily", "a match is played in a terminal, with keys; here is none"),
        ("--game whist --against sly", '--game is liars or thai, not "whist"'),
        ("--game thai --against sly --seed x", '--seed is a whole number, not "x"'),
        ("--game thai --against sly", "a match is played in a terminal, with keys; here is none"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(words: str, said: str) -> None:
    result = runner.invoke(command_line, ["play", *words.split()])
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in one_sentence(result.stderr)


def test_the_command_opens_in_a_real_terminal_and_leaves_it() -> None:
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    command = "play --game thai --against careful,careful --seed 3 --option length=one_more"
    process = subprocess.Popen(
        [sys.executable, "-m", "bot", *command.split()],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=os.environ | {"TERM": "xterm-256color"},
        start_new_session=True,
    )
    os.close(theirs)
    wait_for(ours, b"Round 1")
    os.write(ours, b"q")
    wait_for(ours, b"Leave the match?")
    os.write(ours, b"y")
    assert process.wait() == 0
    os.close(ours)


def wait_for(terminal: int, words: bytes) -> None:
    """Read what is drawn until these words are there."""
    drawn = b""
    while words not in drawn:
        drawn += os.read(terminal, 4096)


def test_other_commands_do_not_wait_for_the_screen() -> None:
    program = (
        "import sys; from click.testing import CliRunner; from bot.cli import app;"
        "CliRunner().invoke(app, ['play', '--help']); CliRunner().invoke(app, ['--help']);"
        "CliRunner().invoke(app, ['play', '--game', 'thai', '--against', 'sly']);"
        "print({'numba', 'numpy', 'textual', 'discord', 'sqlalchemy'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "set()"
