"""`run` and `sandbox` where they cannot start: one sentence and an exit code."""

from __future__ import annotations

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
