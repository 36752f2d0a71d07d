"""Scheduled events of the local Discord: what Discord refuses is refused."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import pytest_asyncio

from tests.bot.sandbox.raw import Raw
from tests.people import Snug

NOW = datetime.now(UTC)
STARTS = NOW + timedelta(days=3)


def event(**other: Any) -> dict[str, Any]:
    rule = {"start": STARTS.isoformat(), "frequency": 2, "interval": 1}
    return {
        "name": "Game night",
        "scheduled_start_time": STARTS.isoformat(),
        "scheduled_end_time": (STARTS + timedelta(hours=3)).isoformat(),
        "privacy_level": 2,
        "entity_type": 3,
        "entity_metadata": {"location": "#poker-night"},
        "recurrence_rule": rule | {"by_weekday": [STARTS.weekday()]},
    } | other


@pytest_asyncio.fixture
async def raw(snug: Snug) -> AsyncIterator[Raw]:
    snug.world.state.guilds[snug.table.guild_id or ""].bot_makes_events = True
    async with Raw(snug.world) as speaking:
        yield speaking


def path(snug: Snug, number: str = "") -> str:
    return f"/guilds/{snug.table.guild_id}/scheduled-events" + (number and f"/{number}")


async def test_an_event_is_made_moved_and_deleted(snug: Snug, raw: Raw) -> None:
    status, made = await raw.api("POST", path(snug), event())
    assert (status, made["status"]) == (200, 1)
    later = STARTS + timedelta(hours=1)
    moved = {"scheduled_start_time": later.isoformat(), "recurrence_rule": None}
    status, now = await raw.api("PATCH", path(snug, made["id"]), moved)
    assert (status, now["scheduled_start_time"]) == (200, later.isoformat())
    assert now["name"] == "Game night"
    assert (await raw.api("DELETE", path(snug, made["id"])))[0] == 204
    for method, body in (("PATCH", moved), ("DELETE", None)):
        status, refused = await raw.api(method, path(snug, made["id"]), body)
        assert (status, refused["code"]) == (404, 10070)


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": ""},
        {"name": "n" * 101},
        {"description": "d" * 1001},
        {"privacy_level": 1},
        {"entity_metadata": {}},
        {"entity_metadata": {"location": "l" * 101}},
        {"scheduled_start_time": "tomorrow"},
        {"scheduled_start_time": "2031-01-01T20:00:00"},
        {"scheduled_start_time": (NOW - timedelta(hours=1)).isoformat()},
        {"scheduled_end_time": None},
        {"scheduled_end_time": STARTS.isoformat()},
        {"recurrence_rule": {"start": STARTS.isoformat(), "frequency": 2, "interval": 1}},
        {
            "recurrence_rule": {
                "start": STARTS.isoformat(),
                "frequency": 2,
                "interval": 1,
                "by_weekday": [(STARTS.weekday() + 1) % 7],
            }
        },
    ],
)
async def test_what_discord_does_not_take_is_refused(
    snug: Snug, raw: Raw, wrong: dict[str, Any]
) -> None:
    status, refused = await raw.api("POST", path(snug), event(**wrong))
    assert (status, refused["code"]) == (400, 50035)
    assert snug.world.state.events == {}


async def test_without_the_permission_there_is_none(snug: Snug, raw: Raw) -> None:
    snug.world.state.guilds[snug.table.guild_id or ""].bot_makes_events = False
    status, refused = await raw.api("POST", path(snug), event())
    assert (status, refused["code"]) == (403, 50013)
    status, refused = await raw.api("POST", "/guilds/1/scheduled-events", event())
    assert (status, refused["code"]) == (403, 50001)
