"""Logging: one format for the bot's and its libraries' entries, without secrets."""

from __future__ import annotations

import io
import json
import logging
import sys
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
import structlog

from bot.operations import logs

TOKEN = "MTIzNDU2.Gabcde.secret"


class Terminal(io.StringIO):
    """A stream that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def logging_as_it_was() -> Iterator[None]:
    """Restore what `configure` changes for the whole process."""
    root = logging.getLogger()
    handlers, level, before = root.handlers[:], root.level, structlog.get_config()
    yield
    root.handlers[:], root.level = handlers, level
    for name in logs._QUIET:
        logging.getLogger(name).setLevel(logging.NOTSET)
    structlog.configure(**before)


@dataclass
class Written:
    """A standard error that isn't a terminal, and all that has been written to it so far."""

    capture: pytest.CaptureFixture[str]
    so_far: str = ""

    def getvalue(self) -> str:
        self.so_far += self.capture.readouterr().err
        return self.so_far


@pytest.fixture
def err(capsys: pytest.CaptureFixture[str]) -> Written:
    return Written(capsys)


def lines(err: Written) -> list[dict[str, object]]:
    return [json.loads(line) for line in err.getvalue().splitlines()]


def test_without_a_terminal_a_line_is_one_json_object(err: Written) -> None:
    logs.configure()
    log = structlog.get_logger("bot.tables")
    log.info("match %s: bid", 7, seq=3)
    logging.getLogger("bot.other").warning("by seat %d", 2)
    ours, theirs = lines(err)
    assert (ours["event"], ours["seq"], ours["level"]) == ("match 7: bid", 3, "info")
    assert ours["logger"] == "bot.tables"
    assert str(ours["timestamp"]).endswith("Z")
    assert (theirs["event"], theirs["level"]) == ("by seat 2", "warning")


def test_on_a_terminal_a_line_is_for_people(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    logs.configure()
    structlog.get_logger("bot").info("ready", tables=4)
    assert "ready" in terminal.getvalue()
    assert not terminal.getvalue().startswith("{")


@pytest.mark.parametrize(("format", "first"), [("json", "{"), ("console", "2")])
def test_the_format_can_be_chosen(format: logs.Format, first: str, err: Written) -> None:
    logs.configure(format)
    structlog.get_logger("bot").info("ready")
    assert err.getvalue()[0] == first


def test_only_the_level_and_above_is_logged_and_a_logger_follows_a_later_call(err: Written) -> None:
    log = structlog.get_logger("bot")
    logs.configure("json", "warning")
    log.info("no")
    log.warning("yes")
    logging.getLogger("bot.x").info("no")
    logs.configure("json", "info")
    log.info("now too")
    assert [line["event"] for line in lines(err)] == ["yes", "now too"]


def test_libraries_are_quiet_even_at_debug(err: Written) -> None:
    logs.configure("json", "debug")
    for name in ("discord.gateway", "discord.http", "sqlalchemy.engine", "aiosqlite", "alembic"):
        logging.getLogger(name).info("chatter")
        logging.getLogger(name).warning("trouble")
    structlog.get_logger("bot").debug("ours")
    assert [line["event"] for line in lines(err)] == ["trouble"] * 5 + ["ours"]


@pytest.mark.parametrize("format", ["json", "console"])
def test_a_secret_is_removed_wherever_it_appears(format: logs.Format, err: Written) -> None:
    awkward = 'pa"ss\\word'
    logs.configure(format, secrets=(TOKEN, awkward, ""))
    log = structlog.get_logger("bot")
    log.info(f"in the event {TOKEN}", fact=TOKEN, nested={"deep": [TOKEN, awkward]})
    logging.getLogger("discord.http").warning("of a library: %s %s", TOKEN, awkward)
    try:
        raise RuntimeError(f"in a traceback {TOKEN} {awkward}")
    except RuntimeError:
        log.exception("failed")
    written = err.getvalue()
    assert written.count("[secret]") >= 6
    assert TOKEN not in written
    assert "ss\\word" not in written
    if format == "json":
        assert len(lines(err)) == 3  # still JSON


@pytest.mark.parametrize("format", ["json", "console"])
def test_a_traceback_shows_no_local_variables(format: logs.Format, err: Written) -> None:
    def deal() -> None:
        hole_cards = "queen" + " of hearts"
        raise RuntimeError(len(hole_cards))

    logs.configure(format)
    try:
        deal()
    except RuntimeError:
        structlog.get_logger("bot").exception("failed")
    assert "RuntimeError: 15" in err.getvalue()
    assert "queen of hearts" not in err.getvalue()


def test_typed_text_adds_no_line_and_no_colour(err: Written) -> None:
    logs.configure("console")
    structlog.get_logger("bot").info("met\n", name="Ann\r\n\x85\u2028\x1b[31m\u202e")
    (line,) = err.getvalue().splitlines()
    assert r"Ann\r\n\x85\u2028\x1b[31m\u202e" in line
