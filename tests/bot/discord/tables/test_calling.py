"""Tell me when a table opens, by wire: who is pinged, how often, and one tap to stop."""

from __future__ import annotations

import pytest

from bot.discord.tables import lobby as lobbies
from bot.sandbox.driver import Person
from bot.sandbox.screen import SeenMessage
from bot.tables.errors import StoreUnavailable
from tests.bot.conftest import Seat
from tests.bot.discord.tables.clocked import SEND
from tests.bot.discord.tables.test_costs import Costs
from tests.bot.discord.tables.test_rematch import pinged
from tests.bot.house import Table, whispered

THAI = "Thai Poker"
TELL, HUSH = "Tell me when a table opens", "Don't tell me"
ANSWER = "POST /interactions/{interaction_id}/{interaction_token}/callback"
HOUR = 3600


class Stopped:
    """A clock that is moved by hand."""

    def __init__(self, at: int) -> None:
        self.at = at

    def now(self) -> int:
        return self.at


async def lobby(at: Table) -> SeenMessage:
    """A lobby of the host alone, everything said that is to be said."""
    out = await at.host.slash(at.channel, "play", game=THAI)
    await at.settle()
    assert out.message is not None
    return out.message


async def reopened(at: Table) -> None:
    """The channel's table is closed, and another opened."""
    await at.host.slash(at.channel, "leave", what="end")
    await lobby(at)


def told(at: Table) -> list[SeenMessage]:
    """The messages that tell of a new table."""
    seen = at.host.visible(at.channel)
    return [one for one in seen if not one.ephemeral and "has opened a table" in one.text]


async def listen(at: Table, person: Person, to: SeenMessage) -> str:
    shown = await (await person.click(to, "Options…")).settled()
    assert shown.message is not None
    costs = Costs(at)
    out = await person.click(shown.message, TELL)
    assert await costs.since() == {ANSWER: 1}
    assert out.message is not None
    assert out.message.ephemeral
    return out.text


async def test_who_asked_is_told_of_the_next_table_and_nobody_else(table: Seat) -> None:
    at = await table(4)
    _ann, bob, cleo, dan = at.people
    first = await lobby(at)
    assert told(at) == []
    for person in (bob, cleo):
        assert "You are told here when a table opens" in await listen(at, person, first)
    await reopened(at)
    (message,) = told(at)
    assert f"<@{bob.id}>" in message.text
    assert f"<@{cleo.id}>" in message.text
    assert f"<@{dan.id}>" not in message.text
    assert sorted(pinged(at)[-1]) == sorted([bob.id, cleo.id])


@pytest.mark.parametrize("lost", ["cut_connection", "lose_answer"])
async def test_a_connection_that_drops_costs_nobody_the_word(
    table: Seat, monkeypatch: pytest.MonkeyPatch, lost: str
) -> None:
    """They are told once an hour at most: what is lost would not be said by the next table."""
    monkeypatch.setattr(lobbies, "RETRY_SECONDS", (0.002, 0.002))
    at = await table(2)
    await listen(at, at.people[1], await lobby(at))
    await at.host.slash(at.channel, "leave", what="end")
    await at.settle()
    getattr(at.world.faults, lost)(f"POST {SEND}")
    await lobby(at)
    assert len(told(at)) == 1


async def test_the_host_is_not_told_of_their_own_table(table: Seat) -> None:
    at = await table(1)
    await listen(at, at.host, await lobby(at))
    await reopened(at)
    assert told(at) == []


async def test_a_channel_is_told_once_an_hour(table: Seat) -> None:
    at = await table(2)
    await listen(at, at.people[1], await lobby(at))
    clock = Stopped(at.bot.lobby._clock.now())
    at.bot.lobby._clock = clock
    await reopened(at)
    assert len(told(at)) == 1
    clock.at += HOUR * 1000 - 1
    await reopened(at)
    assert len(told(at)) == 1
    clock.at += 1
    await reopened(at)
    assert len(told(at)) == 2


async def test_one_tap_stops_it(table: Seat) -> None:
    at = await table(3)
    _ann, bob, cleo = at.people
    first = await lobby(at)
    for person in (bob, cleo):
        await listen(at, person, first)
    assert "not told any more" in await listen(at, cleo, first)  # the button is a switch
    await reopened(at)
    out = await bob.click(told(at)[0], HUSH)
    assert "not told any more" in out.text
    assert await at.bot.lobby._store.servers.listeners(int(at.channel.id)) == []
    assert out.message is not None
    again = await bob.click(out.message, TELL)
    assert "You are told here" in again.text


async def test_twenty_people_are_told_in_one_message_and_a_ping_names_each_once(
    table: Seat,
) -> None:
    at = await table(1)
    first = await lobby(at)
    crowd = [at.world.add_person(f"Guest {number}") for number in range(21)]
    for person in crowd:
        await listen(at, person, first)
    await reopened(at)
    assert len(told(at)) == 2
    many, one = pinged(at)[-2:]
    assert (len(many), len(one)) == (20, 1)
    assert sorted(many + one) == sorted(person.id for person in crowd)


async def test_a_refusal_leaves_the_private_answer_as_it_is(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(2)
    bob = at.people[1]
    out = await (await bob.click(await lobby(at), "Options…")).settled()
    assert out.message is not None
    out = await bob.click(out.message, TELL)
    assert out.message is not None

    async def down(*_: object, **__: object) -> None:
        raise StoreUnavailable("the disk is full")

    monkeypatch.setattr(at.bot.lobby._store.servers, "note_listener", down)
    said = await whispered(bob.click(out.message, HUSH))
    assert "database is not available" in said
    assert "You are told here" in (await bob.current(out.message)).text
