"""Requests are sent no faster than Discord takes them, and what players wait for goes first."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path

import pytest
import yarl

from bot.discord.pacing import BY_TOKENS, ByChannel, Pace, Urgency, counts, urgency
from bot.from_settings import pace
from bot.sandbox.limits import Limit, RateLimits
from bot.sandbox.world import Sandbox
from bot.settings.config import Settings
from tests.bot.house import Table, running_bot, settings

AWAITED, REDRAW, CATCHING_UP = Urgency


class Street:
    """A pace whose time stands until it is moved on; `sent` is who has had a turn, and when."""

    def __init__(self, a_second: float) -> None:
        self.at = 0.0
        self.pace = Pace(a_second, lambda: self.at)
        self.sent: list[tuple[float, Urgency]] = []
        self.tasks: list[asyncio.Task[None]] = []

    async def ask(self, of: Urgency, times: int = 1) -> None:
        with urgency(of):
            self.tasks += [asyncio.create_task(self._one(of)) for _ in range(times)]
        await self.look()

    async def _one(self, of: Urgency) -> None:
        await self.pace.turn()
        self.sent.append((self.at, of))

    async def look(self) -> None:
        """Let everybody go on who can; first those who have just asked."""
        await asyncio.sleep(0)
        self.pace.give()
        await asyncio.sleep(0)

    async def until(self, at: float, step: float = 0.01) -> None:
        while self.at < at - 1e-9:
            self.at += step
            await self.look()

    def end(self) -> None:
        for task in self.tasks:
            task.cancel()


@pytest.mark.parametrize("of", Urgency)
async def test_no_second_has_more_than_it_may(of: Urgency) -> None:
    street = Street(10)
    await street.ask(of, 60)
    await street.until(3.0)
    times = [at for at, _ in street.sent]
    assert all(later - at >= 1.0 - 1e-6 for at, later in zip(times, times[10:], strict=False))
    assert len(times) >= (30 if of is AWAITED else 14)
    street.end()


async def test_a_deal_goes_before_redraws_and_these_before_what_a_start_catches_up_with() -> None:
    street = Street(10)
    await street.ask(CATCHING_UP, 40)
    await street.ask(REDRAW, 40)
    await street.until(2.0)
    before = len(street.sent)
    await street.ask(AWAITED)
    await street.until(2.2)  # two gaps: the one that was next, and the deal
    assert AWAITED in [of for _, of in street.sent[before:]]
    of = Counter(one for _, one in street.sent)
    assert of[REDRAW] > 2 * of[CATCHING_UP] > 0
    street.end()


async def test_what_may_wait_leaves_room_in_every_second_for_what_may_not() -> None:
    street = Street(20)
    await street.ask(CATCHING_UP, 100)
    await street.until(5.0)
    assert 45 <= len(street.sent) <= 52  # half of what there is
    await street.ask(AWAITED, 8)
    await street.look()
    assert [of for _, of in street.sent[-8:]] == [AWAITED] * 8
    street.end()


async def test_nobody_waits_for_ever_behind_what_goes_first() -> None:
    street = Street(10)
    await street.ask(CATCHING_UP)
    await street.ask(AWAITED, 10)
    street.sent.clear()
    await street.ask(REDRAW)
    await street.ask(AWAITED, 100)
    await street.until(2.0)
    assert REDRAW in [of for _, of in street.sent]
    street.end()


async def test_who_gives_up_waiting_takes_nobodys_turn() -> None:
    street = Street(1)
    await street.ask(AWAITED, 4)
    assert len(street.sent) == 1
    street.tasks[1].cancel()
    await street.look()
    await street.until(1.0)
    assert len(street.sent) == 2
    assert street.pace.waiting == 1
    street.end()


async def test_a_turn_that_was_given_to_who_has_just_gone_is_the_next_ones_a_second_later() -> None:
    street = Street(1)
    await street.ask(AWAITED, 2)
    street.at = 1.0
    street.pace.give()  # its future is done, its task has not run yet
    street.tasks[1].cancel()
    await street.ask(AWAITED)
    await street.until(2.0)
    assert [at for at, _ in street.sent] == pytest.approx([0.0, 2.0])
    street.end()


async def test_without_a_limit_nobody_waits() -> None:
    pace = Pace(0)
    for _ in range(1_000):
        await pace.turn()
    assert pace.waiting == 0


async def test_the_timer_alone_gives_every_turn() -> None:
    pace = Pace(1_000)
    await asyncio.gather(*(pace.turn() for _ in range(1_200)))
    with urgency(CATCHING_UP):
        await asyncio.gather(*(pace.turn() for _ in range(20)))


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("https://discord.com/api/v10/channels/1/messages", True),
        ("http://127.0.0.1:8080/api/v10/users/@me", True),
        ("https://discord.com/api/v10/interactions/1/token/callback", False),
        ("https://discord.com/api/v10/webhooks/1/token/messages/@original", False),
        ("wss://gateway.discord.gg/?v=10", False),
    ],
)
def test_answers_and_the_gateway_are_not_counted(address: str, counted: bool) -> None:
    assert counts(yarl.URL(address)) is counted


@pytest.mark.parametrize(
    ("shards", "share"),
    [({}, 45), ({"count": 6, "ids": "0-1"}, 15), ({"count": 4}, 45), ({"count": 0}, 45)],
)
async def test_a_process_takes_its_shards_share(shards: dict[str, object], share: float) -> None:
    chosen = {"shards": shards, "database": {"url": "postgresql://bluffhouse@localhost/house"}}
    given = pace(Settings.model_validate(chosen))
    with urgency(AWAITED):
        asked = [asyncio.create_task(given.turn()) for _ in range(60)]
    await asyncio.sleep(0)
    assert 60 - given.waiting == share
    for one in asked:
        one.cancel()


# a slow machine lets what was sent evenly arrive in heaps: less than half of the limit leaves room
@pytest.mark.parametrize("a_second", [2, 0], ids=["paced", "not paced"])
async def test_a_bot_that_paces_itself_is_not_refused_by_discord(
    tmp_path: Path, a_second: int
) -> None:
    chosen = settings(tmp_path).model_dump() | {"discord": {"requests_per_second": a_second}}
    world = Sandbox()
    await world.start()
    guild = world.add_guild("The Snug")
    channels = [guild.add_text_channel(f"table-{number}") for number in range(16)]
    people = [world.add_person(name) for name in ("Ann", "Bob")]
    async with running_bot(world, Settings.model_validate(chosen)) as bot:
        # sixteen posts that answer no press; they may take seconds to make
        world.limits = RateLimits(everywhere=Limit(5, 1.0))
        tables = [Table(world, bot, channel, people) for channel in channels]
        for table in tables:
            await table.open("Thai Poker")
        for table in tables:
            await table.begin()
        await tables[0].settle()
        assert all("Round 1" in one.shown().text for one in tables)
    await world.stop()
    assert (world.limits.refused > 0) is (a_second == 0)


async def test_onlookers_leave_room_and_who_is_hurried_waits_no_longer() -> None:
    now = [0.0]
    given = Pace(4, lambda: now[0], 60.0, kept=2)

    async def ask(of: Urgency, who: str) -> None:
        with urgency(of):
            await given.turn(who)

    first = asyncio.create_task(ask(CATCHING_UP, "a"))
    await first
    now[0] = 31.0  # two gaps of a quarter of a minute and more
    second = asyncio.create_task(ask(CATCHING_UP, "b"))
    await second
    now[0] = 59.0
    third, fourth = (asyncio.create_task(ask(CATCHING_UP, who)) for who in "cd")
    await asyncio.sleep(0)
    assert given.waiting == 2
    given.hurry("d")
    await fourth
    assert not third.done()
    third.cancel()


async def test_what_is_sent_without_waiting_leaves_less_for_what_waits() -> None:
    paces, table, other = ByChannel(paced=True, now=lambda: 1000.0), 1, 2
    assert paces.left(table) == BY_TOKENS
    await paces.turn(table, "seat")
    paces.spend(table)
    assert (paces.left(table), paces.left(other)) == (BY_TOKENS - 2, BY_TOKENS)
    for _ in range(BY_TOKENS - 2):
        paces.spend(table)
    waiting = asyncio.create_task(paces.turn(table, "another"))
    await asyncio.sleep(0)
    assert not waiting.done()
    assert paces.left(table) == -1
    waiting.cancel()
