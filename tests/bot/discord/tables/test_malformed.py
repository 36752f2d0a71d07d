"""Presses and forms that no client of Discord's sends: each gets one sentence, nothing changes."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import pytest
from structlog.testing import capture_logs

from bot.discord.client import UNKNOWN_COMMAND
from bot.sandbox import interactions
from bot.sandbox.discord_state import Interaction, State
from bot.sandbox.interactions import AUTOCOMPLETE, COMMAND, COMPONENT, MODAL_SUBMIT
from bot.sandbox.payloads import interaction_payload
from engine.variants import ruleset
from tests.bot.conftest import Seat
from tests.bot.house import Table, said_to
from tests.people import until

THAI = "Thai Poker"


def nested(depth: int) -> dict[str, Any]:
    part: dict[str, Any] = {"type": 4, "custom_id": "text", "value": "99"}
    for _ in range(depth):
        part = {"type": 18, "component": part}
    return part


NO_VALUES: list[object] = [None, 7, "pair:9", {"pair:9": 1}, [None], [[]], [{"a": "b"}], []]
ODD_IDS: list[object] = [None, 7, "bh", ["bh"], {"bh": 1}, [[]]]
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
        for odd in ODD_IDS:
            for kind in (3, None, [3]):
                body = {"custom_id": odd, "component_type": kind, "values": None}
                assert await answer(at, COMPONENT, body) == "The table has moved on."
        assert await answer(at, COMPONENT, {}) == "The table has moved on."
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
        for odd in ODD_IDS:
            body = {"custom_id": odd, "components": []}
            assert await answer(at, MODAL_SUBMIT, body) == "The table has moved on."
    assert not [line for line in logged if line["log_level"] == "error"]
    assert at.standing() == "No bid yet"


ODD_COMMANDS: list[Any] = [
    {"name": ["play"]},
    {"name": "play", "options": [{"type": 3, "value": "thai"}]},
    {"name": "play", "options": [{"type": 3, "name": "game", "value": ["thai"]}]},
    {"name": "odds", "options": [{"type": 1, "name": ["thai"]}]},
    {"name": "bid", "options": [{"type": [3], "name": "hand", "value": "99"}]},
    {"name": "play", "type": ["1"]},
    {"name": "play", "resolved": 7},
]


@pytest.mark.parametrize("body", ODD_COMMANDS)
async def test_a_command_of_nonsense_is_one_sentence_and_no_traceback(
    table: Seat, body: Any, caplog: pytest.LogCaptureFixture
) -> None:
    at = await table(2)
    await at.start(THAI)
    with capture_logs() as logged:
        assert await answer(at, COMMAND, {"id": "1", "type": 1} | body) == UNKNOWN_COMMAND
        at.world.interactions.open(AUTOCOMPLETE, at.turn().id, at.channel, body)
        assert await answer(at, COMMAND, body) == UNKNOWN_COMMAND
    assert not [line for line in logged if line["log_level"] == "error"]
    assert not [record for record in caplog.records if record.exc_info]


async def test_an_event_that_cannot_be_read_is_left_out_and_the_bot_goes_on(table: Seat) -> None:
    at = await table(2)
    await at.start(THAI)
    events: list[tuple[str, Any]] = [
        ("INTERACTION_CREATE", None),
        ("INTERACTION_CREATE", {"type": 3, "data": {"custom_id": "bh"}}),
        ("CHANNEL_DELETE", {"id": None}),
        ("GUILD_CREATE", []),
        ("THREAD_DELETE", 7),
    ]
    with capture_logs() as logged:
        for name, body in events:
            await at.world.gateway.dispatch(name, body, at.channel.guild_id)
        out = await at.call(at.turn())  # delivered after them
    assert out.kind == "update"
    left_out = [line for line in logged if line["event"] == "discord: an event was not read"]
    assert [line["event_type"] for line in left_out] == [name for name, _ in events]


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


async def test_a_number_beyond_its_limits_is_refused_and_seats_nobody(table: Seat) -> None:
    at = await table(2)
    await at.start(THAI)
    options = [
        {"name": "game", "type": 3, "value": "thai_poker"},
        {"name": "computers", "type": 4, "value": 2**53},
    ]
    body = {"id": "1", "type": 1, "name": "play", "options": options}
    assert "All 10 seats are taken." in await answer(at, COMMAND, body)


@pytest.mark.parametrize("locale", [None, 7, ["pl"]])
async def test_a_press_in_no_language_is_answered_in_english(table: Seat, locale: Any) -> None:
    at = await table(2)
    await at.start(THAI)

    def envelope(state: State, interaction: Interaction) -> dict[str, Any]:
        odd = {"locale": locale, "guild_locale": locale}
        return interaction_payload(state, interaction) | odd

    with patch.object(interactions, "interaction_payload", envelope), capture_logs() as logged:
        assert await answer(at, COMPONENT, {"custom_id": "bh"}) == "The table has moved on."
        asked = await (await at.host.slash(at.channel, "records", what="leaderboard")).settled()
        assert asked.message is not None
        assert "Leaderboard" in asked.message.text
    assert not [line for line in logged if line["log_level"] == "error"]


@pytest.mark.parametrize("kind", [COMMAND, COMPONENT])
async def test_what_comes_from_nobody_is_no_error(
    table: Seat, kind: int, caplog: pytest.LogCaptureFixture
) -> None:
    at = await table(2)
    await at.start(THAI)

    def envelope(state: State, interaction: Interaction) -> dict[str, Any]:
        made = interaction_payload(state, interaction)
        return {key: value for key, value in made.items() if key not in ("member", "user")}

    body = {"id": "1", "type": 1, "name": "table", "custom_id": "bh", "component_type": 2}
    with patch.object(interactions, "interaction_payload", envelope), capture_logs() as logged:
        at.world.interactions.open(kind, at.turn().id, at.channel, body)
        await until(lambda: any(line["event"].endswith("of nobody") for line in logged))
    assert not [record for record in caplog.records if record.exc_info]


@pytest.mark.parametrize("name", ["gone", "bid"])
async def test_a_keystroke_in_no_command_or_option_gets_no_suggestions(
    table: Seat, name: str
) -> None:
    at = await table(2)
    await at.start(THAI)
    body = {"id": "1", "type": 1, "name": name, "options": []}
    with capture_logs() as logged:
        made = at.world.interactions.open(AUTOCOMPLETE, at.turn().id, at.channel, body)
        await at.world.interactions.answered(made)  # raises where nobody answers
    assert not [line for line in logged if line["log_level"] == "error"]


async def test_a_form_for_a_bid_above_the_highest_is_none(table: Seat) -> None:
    at = await table(2)
    await at.start(THAI)
    highest = ruleset("thai_poker").ladder.rungs[-1][0]
    said = ruleset("thai_poker").wording.say(highest)
    await (await at.turn().slash(at.channel, "bid", hand=said)).settled()
    await at.settle()
    assert "Check bid" in at.shown().buttons
    check = at.shown().button("Check bid").split(":")
    forged = ":".join((check[0], "form", *check[2:5]))
    assert await answer(at, COMPONENT, {"custom_id": forged}) == "The table has moved on."
