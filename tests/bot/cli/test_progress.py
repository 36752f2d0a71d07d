"""The progress bar: only on a terminal, only after a second, by deals or by the time."""

from __future__ import annotations

import io
import re

import pytest

from bot.cli.output import ProgressBar


class Terminal(io.StringIO):
    """What is written to a terminal."""

    def isatty(self) -> bool:
        return True


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def per_cents(terminal: Terminal) -> list[str]:
    return re.findall(r"\d+%", terminal.getvalue())


@pytest.fixture
def clock() -> Clock:
    return Clock()


def shown(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    return terminal


def test_nothing_is_shown_in_the_first_second(
    monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    terminal = shown(monkeypatch)
    bar = ProgressBar("deals", 30, clock=clock)
    clock.now = 0.9
    bar(1, 2)
    bar.close()
    assert terminal.getvalue() == ""


@pytest.mark.parametrize(("now", "deals", "said"), [(3.0, 500, "50%"), (24.0, 500, "80%")])
def test_the_bar_shows_the_deals_or_the_time_whichever_is_further(
    monkeypatch: pytest.MonkeyPatch, clock: Clock, now: float, deals: int, said: str
) -> None:
    terminal = shown(monkeypatch)
    bar = ProgressBar("deals", 30, clock=clock)
    clock.now = now
    bar(deals, 1_000)
    bar(deals, 1_000)
    bar.close()
    assert per_cents(terminal)[-1] == said
    assert f"{deals:,} deals" in terminal.getvalue()


def test_what_is_no_terminal_gets_no_bar(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    plain = io.StringIO()
    monkeypatch.setattr("sys.stderr", plain)
    bar = ProgressBar("deals", 30, clock=clock)
    clock.now = 9.0
    bar(1, 2)
    bar.close()
    assert plain.getvalue() == ""
