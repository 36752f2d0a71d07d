"""Requests that Discord refuses for a while: the bot retries them as long as they are due."""

from __future__ import annotations

import pytest

from bot.discord import outcomes
from bot.discord.delivery import driver
from bot.retry import RetryPolicy
from tests.bot.conftest import Seat
from tests.bot.discord.tables.clocked import SEND, Clocked, passes, pings_sent
from tests.bot.discord.tables.direct_reminders import THAI, direct_lines, first_turn_of_two
from tests.bot.harness import Table, send_cards_directly
from tests.people import until

MESSAGES, OPENINGS = f"POST {SEND}", "POST /users/@me/channels"


@pytest.fixture(autouse=True)
def tried_again_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "RETRY", RetryPolicy(0.002, 0.002))
    monkeypatch.setattr(outcomes, "TOO_FAST_FOR", 0.002)


def cards_came(at: Table) -> bool:
    """Return whether everybody has the first round's cards by direct message."""
    return all(
        "Round 1" in "".join(message.text for message in person.dm_messages())
        for person in at.people
    )


@pytest.mark.parametrize("times", [1, driver.TRIES + 1])
async def test_a_reminder_whose_connection_drops_comes_all_the_same(
    with_clock: Clocked, times: int
) -> None:
    async with with_clock(2) as (at, clock):
        await at.start(THAI)
        at.world.faults.cut_connection(MESSAGES, times=times)
        passes(at, clock, 20)
        await until(at.reminders)
        await at.settle()
        assert len(at.reminders()) == 1
        assert len(pings_sent(at)) == times + 1


async def test_a_direct_reminder_whose_connection_drops_comes_and_the_channel_is_pinged_once(
    with_clock: Clocked,
) -> None:
    async with first_turn_of_two(with_clock) as (at, clock, first):
        at.world.faults.cut_connection(OPENINGS, times=2)
        passes(at, clock, 20)
        await until(lambda: direct_lines(first))
        await at.settle()
        assert (len(direct_lines(first)), len(at.reminders()), len(pings_sent(at))) == (1, 1, 1)
        await at.call(first)
        await until(lambda: not direct_lines(first))
        await at.settle()
        assert not at.reminders()


async def test_a_direct_reminder_that_is_not_taken_before_the_turn_is_over_comes_no_more(
    with_clock: Clocked,
) -> None:
    async with first_turn_of_two(with_clock) as (at, clock, first):
        at.world.faults.cut_connection(OPENINGS, times=10**9)
        passes(at, clock, 20)
        await until(at.reminders)
        await at.call(first)
        await until(lambda: not at.reminders())
        at.world.faults.clear()
        await at.settle()
        assert not direct_lines(first)
        live = await at.live()
        assert (live.table.nudge_id, live.table.letter_id, live.table.nudged) == (None, None, None)


async def test_cards_by_direct_message_come_though_every_connection_drops_at_first(
    table: Seat,
) -> None:
    at = await table(3)
    await send_cards_directly(at, THAI)
    await at.open(THAI)
    at.world.faults.cut_connection(MESSAGES, times=8)  # the table's own message among them
    await at.host.click(at.message(), "Start")
    await until(lambda: cards_came(at))
    await until(lambda: "**to act**" in at.message().text)
    await at.settle()
    for person in at.people:
        assert len([message for message in person.dm_messages() if "Round 1" in message.text]) == 1
    assert "direct messages are closed" not in at.message().text


async def test_direct_messages_opened_too_fast_are_not_closed_and_come_later(table: Seat) -> None:
    at = await table(2)
    await send_cards_directly(at, THAI)
    at.world.faults.open_dms_too_fast(times=3)
    await at.open(THAI)
    await at.settle()
    refused = [request for request in at.world.state.requests if request.status == 403]
    assert [request.route for request in refused] == ["/users/@me/channels"] * len(refused) != []
    assert "direct messages are closed" not in at.message().text
    assert not any(
        "I can't send you direct messages" in at.seat(person).text for person in at.people
    )
    await at.host.click(at.message(), "Start")
    await until(lambda: cards_came(at))


async def test_a_table_that_cannot_be_redrawn_for_a_while_is_redrawn_when_it_can(
    table: Seat,
) -> None:
    at = await table(2, plays=THAI)
    at.world.faults.cut_connection("PATCH /channels/*", times=2 * driver.TRIES)
    person = at.turn()
    hand = str(at.message().select()["options"][0]["label"])
    await person.slash(at.channel, "bid", hand=hand)
    await until(lambda: at.turn() is not person)
