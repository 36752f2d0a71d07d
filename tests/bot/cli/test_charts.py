"""Charts are an extra: where matplotlib is missing, they are refused before the work."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from bot.cli import app
from tests.bot.cli.refused import one_sentence


@pytest.mark.parametrize(
    "command",
    [
        "analyze liars",
        "analyze three-card",
        "odds showdown --game holdem AhKd QcQs",
        "simulate --game thai --players careful,sly --matches 2000000",
    ],
)
def test_a_chart_without_matplotlib_is_refused_in_one_sentence_before_the_work(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)  # as where it is not installed
    chart = tmp_path / "chart.png"
    done = CliRunner().invoke(app, [*command.split(), "--chart", str(chart)])
    assert done.exit_code == 2
    assert "make extras EXTRAS=charts" in one_sentence(done.stderr)
    assert done.stdout == ""
    assert not chart.exists()
