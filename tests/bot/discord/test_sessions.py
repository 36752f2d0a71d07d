"""Gateway sessions that end or are lost, and two processes with one token."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from itertools import count
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest
from structlog.testing import capture_logs

from bot.discord import sessions
from bot.discord.duplicate_instance import FEWEST, WITHIN, AnotherAnswers, DuplicateInstances
from bot.discord.sessions import NoSession, why_ended
from bot.settings.shards import Processes
from tests.bot.conftest import Seat

# -- as a host reads of them -----------------------------------------------------------------------


def closing_error(code: int) -> discord.ConnectionClosed:
    return discord.ConnectionClosed(cast(Any, SimpleNamespace()), shard_id=None, code=code)


@pytest.mark.parametrize("code", [4004, 4010, 4011, 4012, 4013, 4014])
def test_a_permanent_refusal_is_reported_with_its_code_as_lasting(code: int) -> None:
    ended = why_ended(closing_error(code))
    assert ended.lasting
    assert f"({code})" in ended.sentence


def test_the_librarys_own_error_for_intents_is_4014() -> None:
    ended = why_ended(discord.PrivilegedIntentsRequired(None))
    assert ended == why_ended(closing_error(4014))


def test_any_other_end_of_a_session_is_not_lasting() -> None:
    assert not why_ended(closing_error(4999)).lasting
    assert why_ended(NoSession("none came")) == sessions.Ended("none came", lasting=False)


@pytest.mark.parametrize(
    ("name", "line", "arguments"),
    [
        ("discord.client", "Attempting a reconnect in %.2fs", (1.25,)),
        ("discord.shard", "Attempting a reconnect for shard ID %s in %.2fs", (3, 1.25)),
        ("discord.shard", "Failed to connect for shard_id: %s. Retrying...", (3,)),
    ],
)
def test_connecting_again_is_one_line(
    name: str, line: str, arguments: tuple[object, ...], caplog: pytest.LogCaptureFixture
) -> None:
    sessions.quieten()
    sessions.quieten()
    with capture_logs() as log:
        try:
            raise ConnectionRefusedError("nobody listens")
        except OSError:
            logging.getLogger(name).exception(line, *arguments)
    assert caplog.records == []
    (entry,) = log
    assert (entry["error"], entry["why"]) == ("ConnectionRefusedError", "nobody listens")
    assert entry["seconds"] == (1.2 if "%.2f" in line else None)


def test_the_librarys_other_lines_are_left_alone(caplog: pytest.LogCaptureFixture) -> None:
    sessions.quieten()
    logging.getLogger("discord.client").warning("something else")
    assert [record.message for record in caplog.records] == ["something else"]


# -- two processes with one token: the younger finds out and goes ----------------------------------

DISCORD_EPOCH = 1_420_070_400.0  # ids count from it
CALLBACK = "https://discord.com/api/v10/interactions/{}/token/callback"


def test_a_session_that_does_not_name_its_shard_is_that_of_its_connection() -> None:
    read: list[Any] = []
    connections = {1: SimpleNamespace(session_id="one"), 2: SimpleNamespace(session_id="two")}

    def connection(*, shard_id: int) -> Any:
        return connections[shard_id]

    gone: list[Any] = []
    state = SimpleNamespace(
        parsers={"READY": read.append},
        guilds=[SimpleNamespace(id=7, shard_id=2), SimpleNamespace(id=8, shard_id=1)],
        shard_ids=[0, 1, 2],
        shard_count=3,
        _get_websocket=connection,
        _remove_guild=gone.append,
    )
    sessions.listing(state)
    state.parsers["READY"]({"session_id": "two", "guilds": [{"id": "9"}]})
    assert [event["shard"] for event in read] == [[2, 3]]
    assert [guild.id for guild in gone] == [7]
    state.parsers["READY"]({"session_id": "two", "guilds": [], "shard": [1, 3]})
    assert read[1]["shard"] == [1, 3]
    with pytest.raises(LookupError, match="a session of no shard"):
        state.parsers["READY"]({"session_id": "three", "guilds": []})


def born(now: Callable[[], float], at: float = DISCORD_EPOCH) -> DuplicateInstances:
    """Return a new `DuplicateInstances` of a process that began `at`, in Unix seconds.

    By default the process began long ago.
    """
    return DuplicateInstances(now, lambda: at)


def refusal_error(interaction: int, code: int = 40060) -> discord.HTTPException:
    url = CALLBACK.format(interaction)
    response = cast(Any, SimpleNamespace(status=400, reason="Bad Request", url=url))
    return discord.HTTPException(response, {"code": code, "message": "already acknowledged"})


def beaten(duplicates: DuplicateInstances, interactions: range) -> None:
    for number in interactions:
        duplicates.note_request(f"/api/v10/interactions/{number}/token/callback", taken=False)
        duplicates.note_refusal(refusal_error(number))


async def gone(duplicates: DuplicateInstances) -> bool:
    try:
        async with asyncio.timeout(0):
            await duplicates.watch()
    except TimeoutError:
        return False
    except AnotherAnswers:
        return True
    raise AssertionError


def answer_alone(duplicates: DuplicateInstances, interactions: range) -> None:
    for number in interactions:
        duplicates.note_request(f"/api/v10/interactions/{number}/token/callback", taken=True)


async def test_after_a_few_lost_races_the_newcomer_stops_and_the_older_process_stays() -> None:
    newcomer, older = born(lambda: 0.0), born(lambda: 0.0)
    answer_alone(older, range(50_000, 50_040))
    with capture_logs() as logged:
        for duplicates in (newcomer, older):
            beaten(duplicates, range(100_000, 100_000 + FEWEST - 1))
            assert not await gone(duplicates)
            beaten(duplicates, range(200_000, 200_001))
    assert await gone(newcomer)
    assert not await gone(older)
    assert [line["log_level"] for line in logged] == ["error", "error"]
    beaten(older, range(300_000, 300_000 + 40))
    assert await gone(older)  # the other did not go: it is better to have none than two


async def test_answers_in_dispute_earn_no_patience() -> None:
    now = [0.0]
    duplicates = born(lambda: now[0])
    beaten(duplicates, range(100_000, 100_001))
    answer_alone(duplicates, range(200_000, 200_100))
    now[0] += WITHIN - 1
    beaten(duplicates, range(300_000, 300_000 + FEWEST))
    assert await gone(duplicates)


async def test_a_process_that_takes_over_in_an_update_is_no_rival(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot, ids = (await table(1)).bot, count(2**62)  # made after the process began
    answered = {
        "in doubt": (Processes, "in_doubt", property(lambda _: True)),
        "beside": (bot.client, "_beside_until", float("inf")),
        "alone": (bot.client, "_theirs", dict.fromkeys(bot.client._served.ids, 1)),
    }
    for state, (where, attribute, value) in answered.items():
        with monkeypatch.context() as patch:
            if state == "alone":  # the process before has said which its last answers were
                patch.setattr(bot.client, "_beside_until", float("inf"))
            patch.setattr(where, attribute, value)
            for _ in range(2 * FEWEST):
                number = next(ids)
                bot.duplicates.note_request(
                    f"/api/v10/interactions/{number}/token/callback", taken=False
                )
                bot._not_taken(refusal_error(number))
        assert await gone(bot.duplicates) == (state == "alone")


async def test_repeated_and_old_interactions_prove_no_second_process() -> None:
    at = [0.0]
    duplicates = born(lambda: at[0])
    for number in range(100_000, 100_050):
        for _ in range(2):
            duplicates.note_request(f"/api/v10/interactions/{number}/token/callback", taken=False)
        duplicates.note_refusal(refusal_error(number))
        duplicates.note_refusal(refusal_error(number + 500))  # of which nothing is known
        duplicates.note_refusal(refusal_error(number, code=10062))
        duplicates.note_refusal(OSError())
    assert not await gone(duplicates)
    for number in range(200_000, 200_050):
        at[0] += WITHIN
        beaten(duplicates, range(number, number + 1))
    assert not await gone(duplicates)


async def test_an_interaction_answered_by_the_previous_process_proves_no_rival() -> None:
    began = DISCORD_EPOCH + 5_000.0
    duplicates = born(lambda: 0.0, began)
    before, after = ((seconds * 1000) << 22 for seconds in (4_999, 5_001))
    beaten(duplicates, range(before, before + 50))
    assert not await gone(duplicates)
    beaten(duplicates, range(after, after + FEWEST))
    assert await gone(duplicates)
