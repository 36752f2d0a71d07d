"""Play again by wire: the others are asked and pinged, and tap in; latecomers are asked too."""

from __future__ import annotations

import json

from bot.sandbox.discord_state import EPHEMERAL
from bot.sandbox.interactions import MESSAGE
from tests.bot.conftest import Seat
from tests.bot.discord.tables.test_costs import Costs
from tests.bot.house import Table, seated, whispered

THAI = "Thai Poker"
ANSWER = "POST /interactions/{interaction_id}/{interaction_token}/callback"
POST = "POST /channels/{channel_id}/messages"


async def over(at: Table) -> None:
    """Play a match that all but the host leave at once."""
    await at.start(THAI)
    for person in at.people[1:]:
        await at.forfeit(person)
    await at.settle()


def pinged(at: Table) -> list[list[str]]:
    """Whom the bot's messages in the channel were allowed to ping, message by message."""
    said = []
    for one in at.world.state.requests:
        if f"{one.method} {one.route}" == POST and f"/channels/{at.channel.id}/" in one.path:
            said.append(one.body)
        elif f"{one.method} {one.route}" == ANSWER and one.body["type"] == MESSAGE:
            said += [] if one.body["data"].get("flags", 0) & EPHEMERAL else [one.body["data"]]
    return [[str(who) for who in body["allowed_mentions"].get("users", [])] for body in said]


async def test_play_again_asks_the_others_by_mention_and_starts_when_all_are_in(
    table: Seat,
) -> None:
    at = await table(3)
    await over(at)
    ann, bob, cleo = at.people
    for _ in range(2):  # twice within a minute: each lobby is a message of its own
        ended = at.shown()
        await bob.click(ended, "Play again")
        await at.settle()
        lobby = at.shown()
        assert lobby.id != ended.id
        assert "Play again" not in (await ann.current(ended)).buttons
        asked = next(line for line in lobby.text.splitlines() if "tap **I'm in**" in line)
        assert all(f"<@{one.id}>" in asked for one in (ann, cleo))
        assert sorted(pinged(at)[-1]) == sorted([ann.id, cleo.id])
        assert seated(at) == ["Bob"]
        await cleo.click(lobby, "I'm in")
        assert "It starts <t:" in at.shown().text
        assert seated(at) == ["Bob", "Cleo"]
        await ann.click(lobby, "I'm in")
        await at.settle()
        assert "Round 1" in at.shown().text
        assert at.turn() is ann  # who won the match before opens
        assert pinged(at)[-1] == []
        for person in (bob, cleo):
            await at.forfeit(person)
        await at.settle()
        assert f"<@{ann.id}> wins the match" in at.shown().text


async def test_not_this_time_is_not_waited_for(table: Seat) -> None:
    at = await table(3)
    await over(at)
    ann, bob, cleo = at.people
    await ann.click(at.shown(), "Play again")
    await at.settle()
    await bob.click(at.shown(), "Not this time")
    assert f"<@{bob.id}>" not in at.shown().text
    said = await whispered(bob.click(at.shown(), "Not this time"))
    assert said.startswith("You are not asked to play again here.")
    await cleo.click(at.shown(), "I'm in")
    await at.settle()
    assert "Round 1" in at.shown().text
    assert f"<@{bob.id}>" not in at.shown().text


async def test_tapping_in_is_one_request_while_ones_seat_is_open(table: Seat) -> None:
    at = await table(3)
    await over(at)
    ann, bob, _ = at.people
    await ann.click(at.shown(), "Play again")
    await at.settle()
    await at.bot.seats.settled()
    costs = Costs(at)
    await bob.click(at.shown(), "I'm in")
    asked = await costs.since()
    assert asked.pop(ANSWER) == 1
    # besides, only seats that people have open follow the table
    assert all("webhooks" in one for one in asked), asked


async def test_latecomers_join_the_next_match_from_a_running_table(table: Seat) -> None:
    at = await table(3)
    late = at.people.pop()
    await at.start(THAI)
    await at.call(at.turn())
    await at.challenge(at.turn())
    await at.settle()
    said = await whispered(late.click(at.shown(), "Join the next match"))
    assert said.startswith("You are in the next match: you are asked here when this one is over.")
    await at.settle()
    assert f"In the next match: <@{late.id}>" in at.shown().text
    said = await whispered(late.click(at.shown(), "Join the next match"))
    assert said == "You are not in the next match any more."
    await at.settle()
    assert "In the next match" not in at.shown().text
    await late.click(at.shown(), "Join the next match")
    player = at.people[1]
    said = await whispered(player.click(at.shown(), "Join the next match"))
    assert said == "You already have a seat here."
    await at.host.click(at.shown(), "Next round")
    await at.settle()
    assert f"In the next match: <@{late.id}>" in at.shown().text
    await at.forfeit(player)
    await at.settle()
    await at.host.click(at.shown(), "Play again")
    await at.settle()
    assert pinged(at)[-1] == [player.id, late.id]
    assert json.dumps(at.shown().payload).count("I'm in") == 2  # asked in words, and the button
