"""A session that ended for good, and one that is lost for a while, as a host reads of them."""

from __future__ import annotations

import logging
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest
from structlog.testing import capture_logs

from bot.discord import sessions
from bot.discord.sessions import NoSession, why_ended


def closed(code: int) -> discord.ConnectionClosed:
    return discord.ConnectionClosed(cast(Any, SimpleNamespace()), shard_id=None, code=code)


@pytest.mark.parametrize("code", [4004, 4010, 4011, 4012, 4013, 4014])
def test_what_would_be_refused_again_is_said_with_its_code_and_is_lasting(code: int) -> None:
    ended = why_ended(closed(code))
    assert ended.lasting
    assert f"({code})" in ended.sentence


def test_the_librarys_own_error_for_intents_is_4014() -> None:
    ended = why_ended(discord.PrivilegedIntentsRequired(None))
    assert ended == why_ended(closed(4014))


def test_any_other_end_may_pass() -> None:
    assert not why_ended(closed(4999)).lasting
    assert why_ended(NoSession("none came")) == sessions.Ended("none came", lasting=False)


@pytest.mark.parametrize(
    ("name", "line", "given"),
    [
        ("discord.client", "Attempting a reconnect in %.2fs", (1.25,)),
        ("discord.shard", "Attempting a reconnect for shard ID %s in %.2fs", (3, 1.25)),
        ("discord.shard", "Failed to connect for shard_id: %s. Retrying...", (3,)),
    ],
)
def test_connecting_again_is_one_line(
    name: str, line: str, given: tuple[object, ...], caplog: pytest.LogCaptureFixture
) -> None:
    sessions.quieten()
    sessions.quieten()
    with capture_logs() as said:
        try:
            raise ConnectionRefusedError("nobody listens")
        except OSError:
            logging.getLogger(name).exception(line, *given)
    assert caplog.records == []
    (told,) = said
    assert (told["error"], told["why"]) == ("ConnectionRefusedError", "nobody listens")
    assert told["seconds"] == (1.2 if "%.2f" in line else None)


def test_the_librarys_other_lines_are_left_alone(caplog: pytest.LogCaptureFixture) -> None:
    sessions.quieten()
    logging.getLogger("discord.client").warning("something else")
    assert [record.message for record in caplog.records] == ["something else"]
