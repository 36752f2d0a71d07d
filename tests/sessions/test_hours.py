"""Hours and days in virtual time: idle tables, deals that wait, and a fast table."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest

from bot.language.words import mention
from bot.retry import RetryPolicy
from bot.sandbox.screen import SeenMessage
from bot.tables import computer_turns
from bot.tables.daily import daily
from tests.bot.harness import Table
from tests.bot.practising import practise
from tests.sessions.people import DAILY
from tests.sessions.run import virtual
from tests.sessions.setup import Setup

pytestmark = pytest.mark.long

GAME = "Thai Poker"
DAY, HOUR = 86_400.0, 3_600.0
DAYS = 3
ALL_SAID = 300.0  # seconds until reminders are sent, pictures drawn and seats open
ENDLESS: dict[str, object] = {"turn_minutes": 0, "lobby_minutes": 0, "next_round_seconds": 3600.0}
MOVES = 60
BETWEEN = 6.0  # seconds between two moves


async def until(setup: Setup, moment: str) -> None:
    """Have two people open a table and play to a moment.

    `moment` is `a lobby`, or else `an open seat`: after the first bid, with both seats open.
    """
    ann, bob = setup.people

    def table() -> SeenMessage:
        recent = setup.screens.recent(ann, setup.channel, 9)
        return next(
            message for message in reversed(recent) if message.buttons and not message.ephemeral
        )

    await ann.slash(setup.channel, "play", game=GAME)
    await bob.click(table(), "Join")
    if moment == "a lobby":
        return
    await ann.click(table(), "Start")
    await asyncio.sleep(1)
    turn = ann if f"<@{ann.id}>" in table().text.split("to act")[0] else bob
    await turn.slash(setup.channel, "bid", hand="99")
    for person in setup.people:
        await person.click(table(), "My seat")


@pytest.mark.parametrize("moment", ["a lobby", "an open seat"])
def test_nothing_is_asked_of_discord_in_hours_in_which_nobody_plays(moment: str) -> None:
    async def night(folder: Path) -> tuple[int, list[str]]:
        setup = Setup(folder, Random(1), players=2)
        setup.pace = ENDLESS
        requests = setup.world.state.requests
        async with setup.active():
            await setup.open()
            await until(setup, moment)
            await asyncio.sleep(ALL_SAID)
            before = len(requests)
            await asyncio.sleep(12 * HOUR)
            later = [f"{request.method} {request.route}" for request in requests][before:]
            await setup.stop()
            return before, later

    with virtual() as (loop, folder):
        before, later = loop.run_until_complete(night(folder))
        assert loop.time() > 12 * HOUR
    assert 5 < before < 100
    assert later == []


def test_a_deal_is_of_its_day_however_often_the_bot_starts_and_waits_until_the_day_after(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # no compiled player is loaded here, so a computer player is asked for two days
    monkeypatch.setattr(computer_turns, "RETRY", RetryPolicy(1.0, HOUR))
    monkeypatch.setattr(computer_turns, "LONGEST_AGAIN", int(1000 * HOUR))

    async def days(folder: Path) -> None:
        setup = Setup(folder, Random(1), players=2)
        ann = setup.people[0]
        async with setup.active():
            await setup.open()
            assert setup.bot is not None
            first = setup.bot.tables.today()
            for number in range(DAYS):
                tables, day = setup.bot.tables, first + number - number % 2
                if number:
                    await asyncio.sleep(DAY if tables.today() < first + number else HOUR)
                assert tables.today() == first + number
                await practise(ann, setup.channel, GAME, against=DAILY)
                live = await tables.in_channel(-int(ann.id))
                assert live.table.daily_day == day
                assert live.table.chain_root == daily("thai_poker", day).root
                await setup.stop()
                await setup.open()  # in the middle of the deal
                await practise(ann, setup.channel, GAME, against=DAILY)
                again = await setup.bot.tables.in_channel(-int(ann.id))
                assert again.table.id == live.table.id
                assert again.table.daily_day == day
            results = [
                await setup.bot.tables.daily.result(int(ann.id), "thai_poker", first + number)
                for number in range(DAYS)
            ]
            # the first is given up with the third, which goes on; nobody played the second's
            assert [result.place if result else "none" for result in results] == [
                None,
                "none",
                "none",
            ]
            await setup.stop()

    with virtual() as (loop, folder):
        loop.run_until_complete(days(folder))
        assert loop.time() > (DAYS - 1) * DAY


@pytest.mark.parametrize("paced", [True, False])
def test_five_open_seats_of_a_fast_table_ask_no_more_than_discord_takes(paced: bool) -> None:
    """Paced requests stay within Discord's limit; without pacing, Discord refuses some."""

    async def played_fast(folder: Path) -> int:
        setup = Setup(folder, Random("a fast table"), 5)
        setup.pace |= {"next_round_seconds": 5, "turn_minutes": 0}
        setup.requests_per_second = 45 if paced else 0
        async with setup.active():
            await setup.open()
            assert setup.bot is not None
            at = Table(setup.world, setup.bot, setup.channel, setup.people)  # type: ignore[arg-type]
            await at.start("Liars' Poker")
            for person in setup.people:
                await person.click(at.message(), "My seat")
            for _ in range(MOVES):
                await asyncio.sleep(BETWEEN)
                live = await at.live()
                if live.match is None or live.match.round is None:
                    break
                person = at.turn_of(live)
                if paced and "Your turn" not in at.seat(person).text:
                    lines = [
                        message for message in at.reminders(person) if "My seat" in message.buttons
                    ]
                    called = any(mention(int(person.id)) in line.content for line in lines)
                    assert called, "their seat is behind"
                await at.call(person)
            await setup.stop()
        return setup.world.limits.refused

    with virtual(Random("a fast table")) as (loop, folder):
        refused = loop.run_until_complete(played_fast(folder))
    assert (refused > 0) is not paced
