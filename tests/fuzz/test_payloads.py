"""Hundreds of random interactions: each is answered, no error is raised, and nobody cheats.

Also: the judge notices an unanswered press, an error, and a change in somebody else's name.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from random import Random
from unittest.mock import patch

import pytest
import structlog

from bot.discord.tables.seat_handlers import SeatHandlers
from bot.sandbox.interactions import COMPONENT
from bot.tables import plans
from bot.tables.live import LiveTable
from bot.tables.requests import Ask, Moment
from tests.fuzz import interactions, judge
from tests.fuzz.judge import is_forgetting
from tests.fuzz.payloads import Payload, Scene
from tests.fuzz.setup import StoredTable

pytestmark = pytest.mark.long

PAYLOADS = 400
SEED = 20261122
STRANGER = 1456074443980800013


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    before = structlog.get_config()
    interactions.quiet()
    yield
    structlog.configure(**before)


def only_my_seat_is_pressed() -> AbstractContextManager[object]:
    """Have every interaction be a press of My seat, so that a fault there is found for certain."""

    def press_seat(_: Random, scene: Scene) -> Payload:
        channel, message, part = next(
            control for control in scene.controls if control[2]["custom_id"].split(":")[1] == "seat"
        )
        body = {"custom_id": part["custom_id"], "component_type": part["type"], "id": 1}
        return Payload(COMPONENT, scene.people[0], channel, body, message)

    return patch.object(judge, "payload", press_seat)


def test_every_press_form_and_command_is_answered_and_harms_nothing() -> None:
    verdict = interactions.run(SEED, 0, PAYLOADS, print)
    assert not verdict.failures
    assert {"answered", "changed a table", "suggestions"} <= set(verdict.outcomes)
    assert verdict.outcomes["changed a table"] > 1


def test_a_press_that_is_not_answered_is_found_out() -> None:
    async def silent(*_: object) -> None:
        pass

    lines: list[str] = []
    with patch.object(SeatHandlers, "open", silent), only_my_seat_is_pressed():
        verdict = interactions.run(SEED, 0, 5, lines.append)
    assert "no answer to type 3" in lines[0]
    assert lines[0].endswith(verdict.failures[0])  # with what repeats it


def test_what_is_raised_is_found_out() -> None:
    async def broken(*_: object) -> None:
        raise KeyError("seats")

    lines: list[str] = []
    with patch.object(SeatHandlers, "open", broken), only_my_seat_is_pressed():
        interactions.run(SEED, 0, 5, lines.append)
    assert "KeyError('seats')" in lines[0]


def test_an_act_for_somebody_else_is_found_out() -> None:
    join = plans.join

    def another(live: LiveTable, ask: Ask, moment: Moment) -> plans.Plan:
        stranger = next(number for number in range(900, 999) if number not in live.table.players)
        return join(live, replace(ask, player=stranger), moment)

    lines: list[str] = []
    with patch.object(plans, "join", another):
        for seed in range(SEED, SEED + 20):  # some seeds seat nobody but hosts
            interactions.run(seed, 0, 200, lines.append)
            if lines:
                break
    assert any(" seated {" in line for line in lines), lines


def test_who_is_forgotten_changes_their_name_at_tables_after_the_lobby_and_nothing_else() -> None:
    press = Payload(3, "11", "2", {"custom_id": "l1.0.forgetyes"})
    then = StoredTable(4, 3, 11, "closed", (12, 11), "{}", 7, '[{"player":11}]', (11,), None, ())
    now = replace(then, version=5, host=5, players=(12, 5), absent=(5,), typed="[]")
    assert is_forgetting(press, then, now)
    for wrong in (
        replace(now, players=(5, 11)),  # somebody else's place is gone
        replace(now, typed=then.typed),  # what they cut with stays
        replace(now, options="{1}"),
        replace(now, host=STRANGER, players=(12, STRANGER), absent=(STRANGER,)),
    ):
        assert not is_forgetting(press, then, wrong)
    assert not is_forgetting(replace(press, body={"custom_id": "l1.0.forgetno"}), then, now)
    # the machine's judge knows whether somebody whose match goes on is out of it
    playing, lobby = replace(then, status="playing"), replace(then, status="lobby")
    assert is_forgetting(press, playing, replace(now, status="playing"))
    assert not is_forgetting(press, lobby, replace(now, status="lobby"))
