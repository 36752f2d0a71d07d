"""Presses and forms that no client of Discord's sends: each gets one sentence, nothing changes."""

from __future__ import annotations

from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.discord.client import UNKNOWN_COMMAND
from bot.sandbox.interactions import AUTOCOMPLETE, COMMAND, COMPONENT, MODAL_SUBMIT
from tests.bot.conftest import Seat
from tests.bot.house import Table, said_to
from tests.people import until

pytestmark = pytest.mark.usefixtures("unhurried")

THAI = "Thai Poker"


def nested(depth: int) -> dict[str, Any]:
    part: dict[str, Any] = {"type": 4, "custom_id": "text", "value": "99"}
    for _ in range(depth):
        part = {"type": 18, "component": part}
    return part


NO_VALUES: list[object] = [None, 7, "pair:9", {"pair:9": 1}, [None], [[]], [{"a": "b"}], []]
NO_COMPONENTS: list[object] = [None, 7, "text", [None], [7], [[[]]], [{"component": 7}]]
NO_COMPONENTS += [[{"component": None}], [nested(300)]]


async def answer(at: Table, kind: int, body: dict[str, Any]) -> str:
    """What is whispered to who sends an interaction with these data."""
    person = at.turn()
    before = len(said_to(person, at.channel))
    made = at.world.interactions.open(kind, person.id, at.channel, body, message_id=at.shown().id)
    await at.world.interactions.answered(made)
    await until(lambda: len(said_to(person, at.channel)) > before)
    return said_to(person, at.channel)[-1]


async def test_a_choice_of_nonsense_is_answered_and_changes_nothing(
    table: Seat,
) -> None:
    at = await table(2)
    await at.start(THAI)
    custom_id = at.shown().select()["custom_id"]
    with capture_logs() as logged:
        for values in NO_VALUES:
            body = {"custom_id": custom_id, "component_type": 3, "values": values}
            assert await answer(at, COMPONENT, body)
        for odd in (None, 7, "bh"):
            body = {"custom_id": odd, "component_type": 3, "values": None}
            assert await answer(at, COMPONENT, body) == "The table has moved on."
    assert not [line for line in logged if line["log_level"] == "error"]
    assert at.standing() == "No bid yet"


async def test_a_form_of_nonsense_is_answered_and_changes_nothing(
    table: Seat,
) -> None:
    at = await table(2)
    await at.start(THAI)
    seq = at.controls()["Bid…"].split(":", 2)[2]
    with capture_logs() as logged:
        for components in NO_COMPONENTS:
            body = {"custom_id": f"bh:bid:{seq}", "components": components}
            assert await answer(at, MODAL_SUBMIT, body)
    assert not [line for line in logged if line["log_level"] == "error"]
    assert at.standing() == "No bid yet"


@pytest.mark.parametrize("name", ["shuffle", "odds"])
async def test_a_command_of_another_version_is_one_sentence_and_no_error(
    table: Seat, name: str
) -> None:
    at = await table(2)
    await at.start(THAI)
    options = [{"type": 1, "name": "gone", "options": []}] if name == "odds" else []
    body = {"id": "1", "type": 1, "name": name, "options": options}
    with capture_logs() as logged:
        assert await answer(at, COMMAND, body) == UNKNOWN_COMMAND
        at.world.interactions.open(AUTOCOMPLETE, at.turn().id, at.channel, body)
        assert await answer(at, COMMAND, body) == UNKNOWN_COMMAND
    assert not [line for line in logged if line["log_level"] == "error"]
