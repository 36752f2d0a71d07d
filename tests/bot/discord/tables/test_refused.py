"""Refusals at a table, each in one sentence: out of turn, stale, forged, repeated, malformed."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any
from unittest.mock import patch

import discord
import pytest
from structlog.testing import capture_logs

from bot.discord.client import UNKNOWN_COMMAND
from bot.sandbox import interactions
from bot.sandbox.discord_state import Interaction, State
from bot.sandbox.interactions import AUTOCOMPLETE, COMMAND, COMPONENT, MODAL_SUBMIT
from bot.sandbox.payloads import interaction_payload
from engine.variants import ruleset
from tests.bot.conftest import Seat
from tests.bot.harness import (
    Table,
    bid_by_form,
    is_news,
    open_form,
    private_reply,
    private_texts,
    running_bot,
    send_cards_directly,
    settings,
)
from tests.people import until

LIARS, THAI = "Liars' Poker", "Thai Poker"
MOVED_ON = "The table has moved on."


async def test_a_player_out_of_turn_is_told_whose_turn_it_is(table: Seat) -> None:
    at = await table(3)
    message = await at.start(THAI)
    turn = at.turn()
    waiting = next(person for person in at.people if person is not turn)
    refusal = f"It isn't your turn. Waiting for <@{turn.id}>."
    assert await private_reply(at.call(waiting)) == refusal
    assert await private_reply(waiting.click(message, "Type…")) == refusal
    assert await private_reply(waiting.slash(at.channel, "bid", hand="99")) == refusal
    assert await private_reply(waiting.slash(at.channel, "challenge")) == refusal
    opener = await private_reply(turn.slash(at.channel, "challenge"))
    assert opener == "There's nothing to challenge yet. You open the round with any bid."
    assert at.standing() == "No bid yet"


async def test_an_onlooker_can_press_every_button_and_changes_nothing(table: Seat) -> None:
    at = await table(3)
    onlooker = at.people.pop()
    message = await at.start(THAI)
    await at.call(at.turn())
    before = at.message().text
    for label in ("Type…", "Challenge"):
        reply = await private_reply(onlooker.click(message, label))
        assert reply == "You're not at this table."
    value = at.message().select()["options"][0]["value"]
    assert await private_reply(onlooker.select(at.message(), None, value)) == (
        "You're not at this table."
    )
    assert await private_reply(onlooker.slash(at.channel, "leave")) == ("You're not at this table.")
    assert at.message().text == before


async def test_a_button_of_an_older_round_is_stale(table: Seat) -> None:
    at = await table(2)
    first = await at.start(THAI)
    stale = dict(at.controls().items())
    await at.call(at.turn())
    await at.challenge(at.turn())
    await at.press("Next round")
    now = at.message()
    assert (await at.host.current(first)).buttons == ["Bidding"]
    for label in ("Type…", "Challenge"):
        reply = await private_reply(at.turn().forge(first, stale[label]))
        assert reply.startswith(MOVED_ON)
        assert now.id in reply
    assert at.standing() == "No bid yet"


FORGED = (
    "bh:challenge:999999999999999:1:1",
    "bh:challenge:1:999999999999999:1",
    "bh:challenge:1:1:999999999",
    "bh:challenge:99999999999999999999999999:1:1",
    "bh:pick:1:1:1",
    "bh:start:1:0:0",
    "bh:join:1:0:0",
    "bh:again:1:1:1",
    "bh:next:1:1:1",
    "bh:form:1:1:0",
    "bh:constructor:1:1:1",
    "bh:challenge:-1:1:1",
    "bh:challenge:1:1:1\n",
    "bh::::",
    "bh",
    "💥" * 50,
    "'; DROP TABLE tables; --",
    "bhf:bid:1:1:1",
)


async def test_a_forged_button_is_answered_and_changes_nothing(table: Seat) -> None:
    at = await table(2)
    message = await at.start(THAI)
    before = at.message().text
    for custom_id in FORGED:
        for person in at.people:
            reply = await private_reply(person.forge(message, custom_id))
            assert reply.count("\n") == 0
    await at.settle()
    assert at.message().text == before


async def test_a_button_of_another_table_is_not_taken_here(table: Seat) -> None:
    at = await table(2)
    table_message = await at.start(THAI)
    elsewhere = at.elsewhere(at.world.server("The Snug").add_text_channel("two"))
    await elsewhere.start(THAI)
    select = elsewhere.message().select()
    person = elsewhere.turn()
    reply = await private_reply(
        person.forge(table_message, select["custom_id"], [select["options"][0]["value"]])
    )
    assert reply == MOVED_ON
    assert elsewhere.channel.id not in reply
    assert elsewhere.standing() == "No bid yet"
    assert at.standing() == "No bid yet"


async def test_a_forged_choice_is_no_bid(table: Seat) -> None:
    at = await table(2, plays=THAI)
    person = at.turn()
    for key in ("", "pair:2", "five:7", "two_pair:9,T", "x" * 4000, "pair:9\x00"):
        reply = await private_reply(
            person.forge(at.message(), at.message().select()["custom_id"], [key])
        )
        assert reply == "There's no such bid in Thai Poker."
        assert at.standing() == "No bid yet"


async def test_a_bid_that_is_not_higher_is_refused_with_one_that_is(table: Seat) -> None:
    at = await table(2, plays=THAI)
    await bid_by_form(at, at.turn(), text="pair of kings")
    person = at.turn()
    reply = await private_reply(bid_by_form(at, person, text="99"))
    assert reply == (
        '"pair of nines" is not higher than "pair of kings". Bid higher, such as "pair of'
        ' aces", or challenge.'
    )
    reply = await private_reply(
        person.forge(at.message(), at.message().select()["custom_id"], ["pair:K"])
    )
    assert "is not higher than" in reply
    assert at.standing() == "Pair of kings"


async def test_a_text_that_is_no_bid_is_refused_with_one_that_can_be_made(table: Seat) -> None:
    at = await table(2, plays=THAI)
    reply = await private_reply(bid_by_form(at, at.turn(), text="xyzzy"))
    assert reply == '"xyzzy" is not a bid here. Example: "pair of nines" or "99"'
    await bid_by_form(at, at.turn(), text="pair of kings")
    higher = 'Bid higher, such as "pair of aces", or challenge.'
    for typed, why in (
        ("xyzzy", '"xyzzy" is not a bid here'),
        (" ", "Expected a bid"),
        ("qq jj", "Thai Poker has no two pair"),
    ):
        assert await private_reply(bid_by_form(at, at.turn(), text=typed)) == f"{why}. {higher}"
    await bid_by_form(at, at.turn(), text="royal flush spades")
    reply = await private_reply(at.turn().slash(at.channel, "bid", hand="xyzzy"))
    assert reply == '"xyzzy" is not a bid here. Nothing is higher: you must challenge.'


@pytest.mark.thorough
async def test_of_fifty_simultaneous_presses_one_is_accepted_and_all_are_answered(
    table: Seat,
) -> None:
    at = await table(2, plays=THAI)
    person = at.turn()
    values = [option["value"] for option in at.message().select()["options"]]
    select = at.message().select()["custom_id"]
    outs = await asyncio.gather(
        *(person.forge(at.message(), select, [values[n % len(values)]]) for n in range(50))
    )
    assert [out.kind for out in outs].count("update") == 1
    refused = [out for out in outs if out.kind == "message"]
    assert len(refused) == 49
    assert all(out.message is not None and out.message.ephemeral for out in refused)
    live = await at.live()
    assert live.match is not None
    assert live.match.round is not None
    assert len(live.match.round.bids) == 1


async def test_fifty_people_who_press_start_deal_once(table: Seat) -> None:
    at = await table(2)
    await send_cards_directly(at, THAI)
    await at.open(THAI)
    outs = await asyncio.gather(*(at.host.click(at.message(), "Start") for _ in range(50)))
    assert sum(is_news(out) for out in outs) == 1
    await at.settle()
    rounds = [message for message in at.public() if "Round 1" in message.text]
    assert len(rounds) == 1
    assert all(len(person.dm_messages()) == 2 for person in at.people)


async def test_an_interaction_that_is_delivered_twice_is_applied_once(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(2, plays=THAI)
    admit, served = at.bot.client.admit, []

    async def record_admission(interaction: discord.Interaction[Any]) -> bool:
        served.append(await admit(interaction))
        return served[-1]

    monkeypatch.setattr(at.bot.client, "admit", record_admission)
    at.world.faults.duplicate_interactions(1)
    person = at.turn()
    await at.call(person)
    out = await at.call(at.turn(), option=2)
    person.repeat(out)
    await until(lambda: len(served) == 4)
    assert served == [True, False, True, False]
    await at.settle()
    live = await at.live()
    assert live.match is not None
    assert live.match.round is not None
    assert len(live.match.round.bids) == 2
    assert at.turn() is person
    await at.call(person)  # the table goes on


async def test_a_form_opened_before_a_restart_is_still_taken(table: Seat, tmp_path: Path) -> None:
    at = await table(2, serve=False)
    async with running_bot(at.world, settings(tmp_path)) as bot:
        at.bot = bot
        await at.start(THAI)
        person = at.turn()
        modal = await open_form(at, person)
        stale_for = next(player for player in at.people if player is not person)
    async with running_bot(at.world, settings(tmp_path)) as bot:
        at.bot = bot
        out = await person.submit(modal, {"text": "pair of jacks"})
        assert out.kind == "update"
        assert at.standing() == "Pair of jacks"
        assert at.turn() is stale_for


HOSTILE = (
    "x" * 10_000,
    "@everyone @here <@1> <#2> <@&3> " * 20,
    "**bold** _it_ `code` ~~no~~ ||spoil|| > quote\n# head [a](http://evil.example)",
    "\u202epair\u0000😀" * 500,
    "９９ 𝟡𝟡 ⑨ ٩٩",
    " ",
    "{0.__class__} %s %n $(reboot) ${PATH}",
)


async def test_hostile_text_in_a_form_and_a_command_gets_a_harmless_sentence(table: Seat) -> None:
    at = await table(2, plays=THAI)
    person = at.turn()
    modal = await open_form(at, person)
    for text in HOSTILE:
        field = {"type": 4, "id": 1, "custom_id": "text", "value": text}
        part = {"type": 18, "id": 2, "component": field}
        forged = person.forge_submit(
            at.channel, modal.payload["custom_id"], [part], message=at.message().id
        )
        reply = await private_reply(forged)
        _, asked_back, notice = reply.partition("\n> ")  # in the seat, where something may be meant
        reply = notice.partition("\n")[0] if asked_back else reply
        assert len(reply) < 600
        by_command = await private_reply(person.slash(at.channel, "bid", hand=text[:100]))
        for text_shown in (reply, by_command):
            assert not re.search(r"(?<!\\)[*_~`|>\[]|<[@#]|@everyone", text_shown), text_shown
        await person.autocomplete(at.channel, "bid", "hand", text[:100])
        assert at.standing() == "No bid yet"


# -- what no client of Discord's sends -------------------------------------------------------------


async def answer(at: Table, kind: int, body: dict[str, Any]) -> str:
    """Send an interaction of type `kind` as the player in turn; return the private reply."""
    person = at.turn()
    before = len(private_texts(person, at.channel))
    interaction = at.world.interactions.open(
        kind, person.id, at.channel, body, message_id=at.message().id
    )
    await at.world.interactions.wait_for_answer(interaction)
    await until(lambda: len(private_texts(person, at.channel)) > before)
    return private_texts(person, at.channel)[-1]


async def test_a_form_that_came_from_no_message_is_answered_by_a_new_one(table: Seat) -> None:
    at = await table(2, plays=THAI)
    person = at.turn()
    interaction = at.world.interactions.open(
        MODAL_SUBMIT, person.id, at.channel, {"custom_id": "bh:me:0:0:0", "components": []}
    )
    await at.world.interactions.wait_for_answer(interaction)
    assert "Your settings" in private_texts(person, at.channel)[-1]


async def test_a_command_of_another_version_is_one_sentence_and_no_traceback(
    table: Seat, caplog: pytest.LogCaptureFixture
) -> None:
    at = await table(2, plays=THAI)
    gone = {"type": 1, "name": "gone", "options": []}
    with capture_logs() as logged:
        for name, options in (("shuffle", []), ("odds", [gone])):
            body = {"id": "1", "type": 1, "name": name, "options": options}
            assert await answer(at, COMMAND, body) == UNKNOWN_COMMAND
    assert not [line for line in logged if line["log_level"] == "error"]
    assert not [record for record in caplog.records if record.exc_info]


async def test_an_event_that_cannot_be_read_is_left_out_and_the_bot_goes_on(table: Seat) -> None:
    at = await table(2, plays=THAI)
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


async def test_a_number_beyond_its_limits_is_refused_and_seats_nobody(table: Seat) -> None:
    at = await table(2, plays=THAI)
    options = [
        {"name": "game", "type": 3, "value": "thai_poker"},
        {"name": "computers", "type": 4, "value": 2**53},
    ]
    body = {"id": "1", "type": 1, "name": "play", "options": options}
    assert "All 10 seats are taken." in await answer(at, COMMAND, body)


async def test_in_a_channel_of_an_unknown_kind_nothing_is_done_and_nothing_is_sent_elsewhere(
    table: Seat,
) -> None:
    at = await table(2, plays=THAI)
    replies: list[str] = []

    def envelope(state: State, interaction: Interaction) -> dict[str, Any]:
        return interaction_payload(state, interaction) | {"channel": {"id": "7", "type": 99}}

    refused = "Discord didn't say which channel this is, so nothing happened. Please try again."
    turn = at.turn()
    before = at.message().id
    with patch.object(interactions, "interaction_payload", envelope):
        for name, options in (
            ("play", {"game": "thai_poker"}),
            ("bid", {"hand": "99"}),
            ("challenge", {}),
            ("table", {}),
        ):
            replies.append(await private_reply(turn.slash(at.channel, name, **options)))
    assert replies == [refused] * 4
    assert at.message().id == before
    assert not [request for request in at.world.state.requests if "/channels/0" in request.path]


async def test_a_keystroke_in_no_command_or_option_gets_no_suggestions(table: Seat) -> None:
    at = await table(2, plays=THAI)
    typed = {"type": 3, "name": "gone", "value": "a", "focused": True}
    player = {"type": 6, "name": "player", "value": "a", "focused": True}
    subcommand = {"type": 1, "name": "liars", "options": [typed]}
    with capture_logs() as logged:
        for name, options in (
            ("gone", [typed]),
            ("bid", [typed]),
            ("odds", [subcommand]),
            ("stats", [player]),
        ):
            body = {"id": "1", "type": 1, "name": name, "options": options}
            interaction = at.world.interactions.open(AUTOCOMPLETE, at.turn().id, at.channel, body)
            await at.world.interactions.wait_for_answer(interaction)  # raises where nobody answers
    assert not [line for line in logged if line["log_level"] == "error"]


async def test_no_form_opens_for_a_bid_above_the_highest(table: Seat) -> None:
    at = await table(2, plays=THAI)
    highest = ruleset("thai_poker").ladder.rungs[-1][0]
    bid_text = ruleset("thai_poker").wording.say(highest)
    await (await at.turn().slash(at.channel, "bid", hand=bid_text)).settle()
    await at.settle()
    assert "Challenge" in at.message().buttons
    check = at.message().button("Challenge").split(":")
    forged = ":".join((check[0], "form", *check[2:5]))
    assert (
        await answer(at, COMPONENT, {"custom_id": forged, "component_type": 2})
        == "The table has moved on."
    )
