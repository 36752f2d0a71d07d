"""The seat comes anew below each deal, as long as its person has pressed anything of late."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import discord
import pytest

from bot.discord import answers, pacing
from bot.discord.pacing import ByChannel
from bot.discord.seats import direct, following, seats
from bot.discord.seats.following import OpenSeats
from bot.sandbox.driver import Person
from bot.sandbox.screen import SeenMessage
from tests.bot.conftest import Seat
from tests.bot.discord.tables.clocked import Clocked, reminded, served
from tests.bot.house import Table, whispered

LIARS, THAI = "Liars' Poker", "Thai Poker"
FOLLOW_UP = "POST /webhooks/{webhook_id}/{webhook_token}"


def own(at: Table, person: Person) -> list[SeenMessage]:
    """The person's private messages, oldest first."""
    return [one for one in person.visible(at.channel) if one.ephemeral]


def lowest(at: Table, person: Person) -> SeenMessage:
    return person.visible(at.channel)[-1]


def follow_ups(at: Table) -> int:
    asked = at.world.state.requests
    return sum(f"{one.method} {one.route}" == FOLLOW_UP for one in asked)


async def next_round(at: Table) -> None:
    """A call, a challenge, and the next deal."""
    await at.call(at.turn())
    await at.settle()
    await at.challenge(at.turn())
    await at.host.click(at.shown(), "Next round")
    await at.settle()


def assert_below(at: Table, number: int) -> None:
    """Everybody's one seat has the cards of this round, and stands below the table's message."""
    for person in at.people:
        (seat,) = own(at, person)
        assert f"Round {number}" in seat.text
        assert at.own_cards(person)
        assert lowest(at, person).id == seat.id
        assert int(seat.id) > int(at.shown().id)
    at.assert_no_leak()


async def test_after_each_deal_the_seat_is_the_lowest_message_and_the_only_one(table: Seat) -> None:
    at = await table(3)
    await at.start(THAI)
    assert_below(at, 1)
    for number in (2, 3):
        before = {person.id: own(at, person)[-1].id for person in at.people}
        await next_round(at)
        assert_below(at, number)
        assert all(own(at, one)[-1].id != before[one.id] for one in at.people)


async def test_the_table_comes_first_and_then_the_seats(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(2)
    await at.start(THAI)
    await at.call(at.turn())
    await at.challenge(at.turn())
    began, let = asyncio.Event(), asyncio.Event()
    send = discord.abc.Messageable.send

    async def slow(self: Any, *said: Any, **more: Any) -> Any:
        began.set()
        await let.wait()
        return await send(self, *said, **more)

    monkeypatch.setattr(discord.abc.Messageable, "send", slow)
    sent = follow_ups(at)
    await at.deal()
    await began.wait()
    await at.bot.client.drained()
    await at.bot.seats.settled()
    assert follow_ups(at) == sent
    assert all("Round 1" in own(at, one)[-1].text for one in at.people)
    let.set()
    await at.settle()
    assert_below(at, 2)


async def test_what_happens_in_a_seat_that_came_anew_works_to_the_end_of_its_round(
    table: Seat,
) -> None:
    at = await table(2)
    await at.start(THAI)
    await next_round(at)
    first = at.turn()
    for label in ("Lowest", 'Bid "'):
        seat = own(at, first)[-1]
        await first.click(seat, next(one for one in seat.buttons if one.startswith(label)))
    await at.settle()
    second = at.turn()
    assert "Your turn" in own(at, second)[-1].text
    await second.click(own(at, second)[-1], "Check bid")
    await at.settle()
    assert "Showdown" in at.shown().text
    assert all(len(own(at, one)) == 1 for one in at.people)


def quarter_of_an_hour(at: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """So much passes for Discord and for the bot: no token of before is good any more."""
    at.world.faults.expire_tokens()
    moved = 15 * 60.0

    class Later:
        monotonic = staticmethod(lambda: time.monotonic() + moved)

    for module in (following, direct, seats):
        monkeypatch.setattr(module, "time", Later)


async def test_after_fifteen_minutes_a_seat_comes_to_who_has_pressed_and_to_nobody_else(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(3)
    await at.start(THAI)
    first = at.turn()
    before = {one.id: own(at, one)[-1] for one in at.people}
    quarter_of_an_hour(at, monkeypatch)
    await at.call(first)
    await at.settle()
    doubter = at.turn()
    sleeper = next(one for one in at.people if one not in (first, doubter))
    await at.challenge(doubter)
    sent = follow_ups(at)
    await doubter.click(at.shown(), "Next round")
    await at.settle()
    assert follow_ups(at) - sent == 2
    for person in (first, doubter):
        assert "Round 2" in lowest(at, person).text
        assert lowest(at, person).ephemeral
    (left,) = own(at, sleeper)
    assert left.text == before[sleeper.id].text
    await sleeper.click(at.shown(), "My seat")
    assert "Round 2" in lowest(at, sleeper).text


async def test_where_discord_refuses_a_seat_below_the_old_one_is_edited(table: Seat) -> None:
    at = await table(2)
    await at.start(THAI)
    before = {one.id: own(at, one)[-1].id for one in at.people}
    at.world.faults.refuse("POST /webhooks/*", times=2)
    await next_round(at)
    for person in at.people:
        (seat,) = own(at, person)
        assert seat.id == before[person.id]
        assert "Round 2" in seat.text
    at.assert_no_leak()
    await next_round(at)
    assert_below(at, 3)


async def test_where_only_a_person_has_installed_the_bot_seats_are_edited(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(2)
    await at.start(THAI)
    monkeypatch.setattr(following, "is_member", lambda _: False)
    sent = follow_ups(at)
    await next_round(at)
    assert follow_ups(at) == sent
    assert all("Round 2" in own(at, one)[-1].text for one in at.people)


async def test_where_a_channels_requests_are_nearly_spent_seats_are_edited(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(2)
    await at.start(THAI)
    await at.call(at.turn())
    await at.settle()
    await at.challenge(at.turn())
    pace, channel = ByChannel(paced=True, now=lambda: 1000.0), int(at.channel.id)
    for _ in range(pacing.BY_TOKENS - pacing.KEPT + 1):
        await pace.turn(channel, object())
    monkeypatch.setattr(at.bot.seats, "_by_token", pace)
    sent = follow_ups(at)
    await at.host.click(at.shown(), "Next round")
    await at.settle()
    assert follow_ups(at) == sent
    assert all("Round 2" in own(at, one)[-1].text for one in at.people)


async def test_my_seat_replaces_the_one_that_is_open(table: Seat) -> None:
    at = await table(2)
    await at.start(THAI)
    before = own(at, at.host)[-1]
    await at.host.click(at.shown(), "My seat")
    await at.settle()
    (seat,) = own(at, at.host)
    assert seat.id != before.id
    assert lowest(at, at.host).id == seat.id


async def test_a_press_in_a_seat_that_was_to_be_gone_is_answered_and_one_seat_stays(
    table: Seat,
) -> None:
    at = await table(2)
    await at.start(THAI)
    at.world.faults.server_error("DELETE /webhooks/*", times=20, status=403)
    await next_round(at)
    older, newer = own(at, at.host)
    at.world.faults.clear()
    await at.host.click(older, older.buttons[-1])
    await at.settle()
    (seat,) = own(at, at.host)
    assert seat.id == newer.id
    await at.call(at.turn())
    await at.settle()
    assert at.standing() in own(at, at.host)[-1].text


async def test_a_deal_that_cannot_be_posted_is_in_the_seats_all_the_same(table: Seat) -> None:
    at = await table(2)
    await at.start(THAI)
    await at.call(at.turn())
    await at.settle()
    await at.challenge(at.turn())
    await at.world.faults.deny(at.channel, "send_messages")
    await at.host.click(at.shown(), "Next round")
    await at.settle()
    assert all("Round 2" in own(at, one)[-1].text for one in at.people)


async def test_after_a_restart_my_seat_begins_it_anew(clocked: Clocked, tmp_path: Path) -> None:
    async with clocked(2) as (at, clock):
        await at.start(THAI)
    async with served(at, tmp_path, clock, turn_minutes=2):
        await at.settle()
        sleeper = at.turn()
        before = own(at, sleeper)
        await reminded(at, clock, 20)
        (reminder,) = at.reminders(sleeper)
        assert reminder.buttons == ["My seat"]
        await sleeper.click(reminder, "My seat")
        assert len(own(at, sleeper)) == len(before) + 1  # of the old one nobody has the token
        assert "Your turn" in lowest(at, sleeper).text
        await reminded(at, clock, 40, 2)
        (reminder,) = at.reminders(sleeper)
        assert reminder.buttons == ["My seat"]  # it may stay for longer than their seat follows
        await next_round(at)
        for person in at.people:
            assert "Round 2" in lowest(at, person).text
            assert lowest(at, person).ephemeral


async def test_a_bid_typed_as_a_command_lets_the_seat_follow(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(2)
    await at.start(THAI)
    quarter_of_an_hour(at, monkeypatch)
    first = at.turn()
    await whispered(first.slash(at.channel, "bid", hand="pair of kings"))
    await at.settle()
    second = at.turn()
    await whispered(second.slash(at.channel, "challenge"))
    await at.settle()
    await at.host.click(at.shown(), "Next round")
    await at.settle()
    for person in at.people:
        assert "Round 2" in lowest(at, person).text
        assert lowest(at, person).ephemeral


async def test_who_brings_the_table_down_has_their_seat_below_it(table: Seat) -> None:
    at = await table(2)
    await at.start(THAI)
    other = at.people[1]
    above = own(at, other)[-1].id
    for _ in range(2):
        await at.host.slash(at.channel, "table")
        await at.settle()
        (seat,) = own(at, at.host)
        assert lowest(at, at.host).id == seat.id
        assert own(at, other)[-1].id == above
    at.assert_no_leak()


async def test_a_seat_that_is_being_answered_while_its_table_comes_is_below_it_then(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(2)
    await at.start(THAI)
    await at.call(at.turn())
    await at.settle()
    await at.challenge(at.turn())
    other = at.people[1]
    began, post, reached, answer = (asyncio.Event() for _ in range(4))
    send, edit = discord.abc.Messageable.send, answers.edit_in_place

    async def slow(self: Any, *said: Any, **more: Any) -> Any:
        began.set()
        await post.wait()
        return await send(self, *said, **more)

    async def slower(*said: Any) -> Any:
        reached.set()
        await answer.wait()
        return await edit(*said)

    monkeypatch.setattr(discord.abc.Messageable, "send", slow)
    monkeypatch.setattr(seats, "edit_in_place", slower)
    await at.deal()
    await began.wait()
    pressing = asyncio.create_task(other.click(own(at, other)[-1], "Bring up to date"))
    await reached.wait()
    post.set()
    await at.bot.publisher.settled()
    answer.set()
    await pressing
    await at.settle()
    assert_below(at, 2)


async def test_a_press_whose_answer_is_lost_as_the_seat_comes_anew_leaves_it_not_behind(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(3)
    await at.start(THAI)
    await at.call(at.turn())
    await at.settle()
    await at.challenge(at.turn())
    before = {one.id: own(at, one)[-1] for one in at.people}
    coming, come, reached, answer = (asyncio.Event() for _ in range(4))
    send, edit, whose = discord.Webhook.send, answers.edit_in_place, list[str]()

    async def slow(self: Any, *said: Any, **more: Any) -> Any:
        coming.set()
        await come.wait()
        return await send(self, *said, **more)

    async def slower(interaction: Any, ready: Any) -> Any:
        if str(interaction.user.id) not in whose:
            return await edit(interaction, ready)
        whose.clear()
        reached.set()
        await answer.wait()
        raise OSError  # it is deleted by then

    monkeypatch.setattr(discord.Webhook, "send", slow)
    monkeypatch.setattr(seats, "edit_in_place", slower)
    await at.host.click(at.shown(), "Next round")
    await coming.wait()
    looker = next(one for one in at.people if one not in (at.host, at.turn()))
    whose.append(looker.id)
    pressing = asyncio.create_task(looker.click(before[looker.id], "Bring up to date"))
    await reached.wait()
    come.set()
    await at.bot.seats.settled()
    await at.call(at.turn())
    await at.bot.publisher.settled()
    answer.set()
    await at.settle()
    pressing.cancel()  # nobody answers that press
    assert at.standing() in lowest(at, looker).text


@dataclass
class OpenSeat:
    until: float


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(following, "time", clock)
    return clock


def test_seats_are_found_by_their_table_until_they_cannot_be_edited(clock: Clock) -> None:
    seats = OpenSeats[OpenSeat]()
    ann, bob, cleo = OpenSeat(10), OpenSeat(20), OpenSeat(20)
    seats[1, 7], seats[1, 8], seats[2, 7] = ann, bob, cleo
    assert seats.of(1) == [((1, 7), ann), ((1, 8), bob)]
    assert seats.of(3) == []
    clock.now = 10
    assert seats.of(1) == [((1, 8), bob)]
    assert (1, 7) not in seats
    del seats[1, 8]
    assert seats.of(1) == []
    assert list(seats.items()) == [((2, 7), cleo)]


def test_seats_of_tables_where_nothing_happens_any_more_are_let_go(clock: Clock) -> None:
    seats = OpenSeats[OpenSeat]()
    for table in range(5):
        seats[table, 7] = OpenSeat(10 + table)
    seats[0, 7] = OpenSeat(30)  # pressed again
    clock.now = 12
    seats[9, 7] = OpenSeat(40)
    assert list(seats) == [(3, 7), (4, 7), (0, 7), (9, 7)]
    seats.clear()
    assert len(seats) == 0
    assert seats.of(9) == []
