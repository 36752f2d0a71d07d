"""Suggestions while people type: in time, or quietly none."""

from __future__ import annotations

import asyncio
import logging

import pytest

from bot.computing.question import ProcessLost, QueueFull
from bot.discord.odds import handlers
from bot.discord.odds.questions import PayChoices
from tests.bot.conftest import Seat
from tests.bot.discord.odds.bench import Bench


async def test_suggestions_that_come_too_late_log_no_traceback(
    table: Seat, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    house = await table(1)
    bench = house.bot.computing
    assert isinstance(bench, Bench)
    bench.hold(PayChoices)
    typing = asyncio.create_task(
        house.host.autocomplete(house.channel, "odds three-card", "bonus", "")
    )
    await bench.begun.get()
    house.world.faults.expire_tokens()  # Discord's time is over
    bench.go.set()
    await house.bot.client.drained()
    typing.cancel()
    await asyncio.wait({typing})
    assert not [record for record in caplog.records if record.exc_info]
    assert "10062" in capsys.readouterr().out + caplog.text


def test_other_errors_of_suggestions_are_still_logged(caplog: pytest.LogCaptureFixture) -> None:
    from bot.discord.answers import quieten_late_suggestions

    quieten_late_suggestions()
    lines = logging.getLogger("discord.app_commands.tree")
    try:
        raise ZeroDivisionError
    except ZeroDivisionError:
        lines.exception("Ignoring exception in autocomplete")
    assert [record for record in caplog.records if record.exc_info]


@pytest.mark.parametrize("error", [ProcessLost(), QueueFull()])
async def test_without_the_computing_process_there_are_no_suggestions(
    table: Seat, error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    house = await table(1)
    house.bot.computing.raises[PayChoices] = error  # type: ignore[attr-defined]
    assert await house.host.autocomplete(house.channel, "odds three-card", "bonus", "") == []
    assert not [record for record in caplog.records if record.exc_info]


async def test_suggestions_do_not_wait_for_a_process_that_is_being_started(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handlers, "SUGGESTED_WITHIN", 0.01)
    house = await table(1)
    house.bot.computing.hold(PayChoices)  # type: ignore[attr-defined]
    assert await house.host.autocomplete(house.channel, "odds three-card", "bonus", "") == []
