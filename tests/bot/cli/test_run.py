"""`run` and `sandbox` where they cannot start: one sentence and an exit code."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from click.testing import CliRunner

from bot.cli import app
from tests.bot.cli.refused import one_sentence
from tests.bot.processes import command

pytestmark = pytest.mark.usefixtures("here")


def refused(*arguments: str, code: int) -> str:
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == code, result.output
    assert not result.stdout
    return one_sentence(result.stderr)


@pytest.mark.parametrize("port", ["-1", "65536", "many"])
def test_a_port_that_is_none_is_one_sentence(port: str, here: Path) -> None:
    assert "--port" in refused("sandbox", "--port", port, code=2)
    assert list(here.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_one_sentence(here: Path) -> None:
    (here / "file").touch()
    assert "file/inside cannot be made" in refused("sandbox", "--data", "file/inside", code=2)


def test_a_port_in_use_and_one_not_permitted_are_told_apart(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = other.getsockname()[1]
        assert f"port {taken} is in use" in refused("sandbox", "--port", str(taken), code=78)

    class Refusing(socket.socket):
        """Root is refused no port, so the test refuses it."""

        def bind(self, address: object, /) -> None:
            raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("bot.cli.run.socket.socket", Refusing)
    assert "port 80 is not permitted to you" in refused("sandbox", "--port", "80", code=78)


def test_a_folder_that_may_not_be_written_is_one_sentence(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.cli.run.os.access", lambda *_: False)  # root may write anywhere
    assert "cannot be written by this user" in refused("sandbox", code=2)


def test_a_state_file_that_is_none_is_said_once(here: Path) -> None:
    (here / "data" / "sandbox").mkdir(parents=True)
    (here / "data" / "sandbox" / "discord.json").write_text("{")
    ended = command(here, "sandbox", "--port", "0")
    assert ended.returncode == 78
    (line,) = ended.stderr.splitlines()
    assert "is not a state file of the local Discord" in line


@pytest.mark.parametrize("given", ["a\nb", "Bot abc", "aé"])
def test_what_cannot_be_a_token_is_said_before_anything_is_opened(
    given: str, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", given)
    assert "not a token Discord takes" in refused("run", code=78)
    assert list(here.iterdir()) == []
    said = CliRunner().invoke(app, ["store", "doctor", "--online"])
    assert said.exit_code == 1
    assert "BAD  token" in said.stdout
    assert "not asked" in said.stdout
