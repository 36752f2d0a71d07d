"""A machine whose clock differs from Discord's: reported once; times shown follow Discord's."""

from __future__ import annotations

import re
import socket
from email.utils import formatdate
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot.cli import discord_checks
from bot.discord import pacing
from bot.discord.delivery import budget
from bot.language import moments
from bot.language.moments import HostClock, seconds_ahead, stamp
from tests.bot.conftest import Seat
from tests.bot.harness import TOKEN, running_bot, settings


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> HostClock:
    """Use the clock of a machine that knows nothing of Discord's clock yet; return the clock."""
    clock = HostClock()
    for module in (moments, pacing, budget):
        monkeypatch.setattr(module, "host_clock", clock)
    return clock


async def test_a_turns_end_is_shown_by_discords_clock(
    table: Seat, tmp_path: Path, fresh: HostClock
) -> None:
    at = await table(2, serve=False)
    at.world.faults.set_clock(-60.0)  # this machine is a minute ahead
    with capture_logs() as log:
        async with running_bot(at.world, settings(tmp_path, turn_minutes=2)) as at.bot:
            await at.start("Thai Poker")
            live = await at.live()
            match = re.search(r"<t:(\d+):R>", at.message().text)
            assert match is not None
            ends = live.table.turn_ends
            assert ends is not None
            assert 57 <= ends / 1000 - int(match[1]) <= 63
            assert (await at.call(at.turn())).kind == "update"  # a seat's token is no older for it
    (line,) = [line for line in log if "clock is not Discord's" in line["event"]]
    assert 58 <= line["seconds_ahead"] <= 62


async def test_a_correct_clock_is_not_reported(
    table: Seat, tmp_path: Path, fresh: HostClock
) -> None:
    at = await table(1, serve=False)
    with capture_logs() as log:
        async with running_bot(at.world, settings(tmp_path)):
            pass
    assert fresh.ahead == 0
    assert not [line for line in log if "clock" in line["event"]]


def test_a_difference_of_a_second_and_a_slow_answer_are_ignored() -> None:
    clock = HostClock()
    with capture_logs() as log:
        clock.note_answer(formatdate(1000, usegmt=True), 1001.9, 1002.1)
        assert clock.ahead == 0
        clock.note_answer(formatdate(1000, usegmt=True), 1030.0, 1032.0)
        clock.note_answer("yesterday", 1030.0, 1030.1)
        clock.note_answer(None, 1030.0, 1030.1)
        assert clock.ahead == 0
        for _ in range(3):
            clock.note_answer(formatdate(1000, usegmt=True), 1030.4, 1030.6)
    assert clock.ahead == 30_000
    assert len(log) == 1
    assert seconds_ahead(formatdate(1000, usegmt=True), 990.5, 990.5) == -10.0


def test_a_moment_is_written_by_discords_clock(fresh: HostClock) -> None:
    assert stamp(90_000, "R") == "<t:90:R>"
    fresh.ahead = 30_000
    assert stamp(90_000, "R") == "<t:60:R>"


async def test_the_doctor_says_that_the_clock_is_off(table: Seat) -> None:
    at = await table(1, serve=False)
    at.world.faults.set_clock(90.0)
    findings = await discord_checks.look(TOKEN, at.world.api_url, at.world.gateway_url)
    (clock,) = [finding for finding in findings if finding.subject == "clock"]
    assert not clock.well
    assert "behind Discord's" in clock.text


async def test_the_doctor_says_where_there_is_no_ipv4(monkeypatch: pytest.MonkeyPatch) -> None:
    nowhere = "http://127.0.0.1:9/api/v10"
    (finding,) = await discord_checks.look(TOKEN, nowhere, None)
    assert "IPv4" not in finding.text

    class OnlyIPv6(socket.socket):
        def connect(self, address: object, /) -> None:
            raise OSError(101, "Network is unreachable")

    def without_ipv4(*_: object) -> socket.socket:
        raise OSError(97, "Address family not supported by protocol")

    for resolver in (OnlyIPv6, without_ipv4):
        with monkeypatch.context() as patched:
            patched.setattr(socket, "socket", resolver)
            assert not discord_checks.has_ipv4()
    monkeypatch.setattr(discord_checks, "has_ipv4", lambda: False)
    (finding,) = await discord_checks.look(TOKEN, nowhere, None)
    assert not finding.well
    assert "Discord has no IPv6" in finding.text
