"""`run` and `sandbox` where they cannot start: one sentence and an exit code."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot.cli import app
from tests.bot.cli.refused import one_sentence

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

    monkeypatch.setattr("bot.cli.local.socket.socket", Refusing)
    assert "port 80 is not permitted to you" in refused("sandbox", "--port", "80", code=78)
