"""A whole match and more in headless Chromium, every move made in a private seat.

Three people with a tab each, the local Discord, and the real bot. Updated seats, the reminder and
the showdown at the bottom of the channel must appear without a press.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pytest
from playwright.async_api import expect

from benchmarks.reading import NATURAL, cards_seen
from bot.app import Bot
from bot.discord.delivery import budget
from bot.sandbox.clock import ManualClock
from bot.sandbox.discord_state import Channel
from bot.sandbox.world import Sandbox
from tests.bot.browser_seat import Seat, premises
from tests.bot.harness import StoppedClock
from tests.people import PATIENCE

pytestmark = pytest.mark.browser

NAMES: Final = ("Ann", "Bob", "Cleo")
TO_ACT: Final = re.compile(r"@(\w+), (?:open|bid|nothing)")
OUT: Final = re.compile(r"@(\w+) is out of the match")
WON: Final = re.compile(r"@(\w+) wins the match")
LOSES: Final = re.compile(r"@(\w+) (?:loses the round|is out of the match)")
AFTERWARDS: Final = re.compile("Next round you'll have|is over|are out|won")
MOST_ROUNDS: Final = 40
ANSWER: Final = "POST /interactions/{interaction_id}/{interaction_token}/callback"
EDIT: Final = "PATCH /channels/{channel_id}/messages/{message_id}"
DELETE: Final = "DELETE /channels/{channel_id}/messages/{message_id}"
POST: Final = "POST /channels/{channel_id}/messages"
SEATS: Final = "/webhooks/{webhook_id}/{webhook_token}"  # edits of open seats: outside the limit
# how far the ends of a message are inside what one sees
PLACED: Final = """node => {
    const box = node.getBoundingClientRect();
    const seen = document.getElementById('scroller').getBoundingClientRect();
    return [box.top - seen.top, seen.bottom - box.bottom];
}"""


@dataclass(frozen=True, slots=True)
class Plan:
    """A game, the label of its challenge button, and the openings to choose on the pad, in turn."""

    game: str
    doubt: str
    openings: tuple[tuple[str, ...], ...]


LIARS: Final = Plan(
    "Liars' Poker",
    "Challenge",
    (
        ("Pair", "5"),
        ("Two pair", "J", "4"),
        ("High card", "K"),
        ("Flush", "10", "♥"),
        ("Three", "7"),
    ),
)
THAI: Final = Plan(
    "Thai Poker",
    "Challenge",
    (
        ("Pair", "10"),
        ("High card", "A"),
        ("Full house", "K", "9"),
        ("Flush", "♠"),
        ("Three", "J"),
    ),
)


@dataclass(slots=True)
class Room:
    """People with a browser tab each."""

    world: Sandbox
    bot: Bot
    clock: StoppedClock
    seats: tuple[Seat, ...]
    plan: Plan
    channel: Channel
    out: set[str] = field(default_factory=set)

    @property
    def live(self) -> list[Seat]:
        return [seat for seat in self.seats if seat.name not in self.out]

    @property
    def calm(self) -> re.Pattern[str]:
        """Return a pattern for the text of a seat whose player has nothing to do."""
        return re.compile(r"It's not your turn\. When it is, you bid here\.\s*The table")

    def seat_of(self, name: str) -> Seat:
        return next(seat for seat in self.seats if seat.name == name)

    def taps(self, seat: Seat) -> int:
        return self.world.person(seat.name).taps

    async def to_act(self) -> Seat:
        """Return the seat of the player to act, as the first person's table says."""
        table = self.seats[0].table
        await expect(table).to_contain_text(TO_ACT)
        match = TO_ACT.search(await table.inner_text())
        assert match is not None
        return self.seat_of(match[1])

    async def settle(self) -> None:
        await self.bot.client.drain()
        await self.bot.delivery.settle()
        await self.bot.delivery.settle()

    async def requests(self, before: int) -> Counter[str]:
        """Count the bot's requests since number `before` by method and route.

        Leave out those that edit or delete seats.
        """
        await self.settle()
        sent = list(self.world.state.requests)[before:]
        return Counter(
            f"{request.method} {request.route}"
            for request in sent
            if not request.route.startswith(SEATS)
        )

    @property
    def request_count(self) -> int:
        return len(self.world.state.requests)


@asynccontextmanager
async def seats_of(
    folder: Path, clock: ManualClock, plan: Plan, *, phone: bool
) -> AsyncIterator[Room]:
    async with AsyncExitStack() as stack:
        out = await stack.enter_async_context(premises(folder, clock, NAMES, plan.game))
        seats = [await stack.enter_async_context(out.tab(name, phone=phone)) for name in NAMES]
        yield Room(out.world, out.bot, out.clock, tuple(seats), plan, out.channel)


@pytest.mark.parametrize(
    ("plan", "phone"),
    [pytest.param(LIARS, True, id="liars-phone"), pytest.param(THAI, False, id="thai-desktop")],
)
async def test_all_play_in_their_seats_a_whole_match_on_phones(
    tmp_path: Path,
    unhurried: ManualClock,
    monkeypatch: pytest.MonkeyPatch,
    plan: Plan,
    phone: bool,
) -> None:
    monkeypatch.setattr(budget, "TOKEN_LIVES", 60 * PATIENCE)  # however slow the machine
    async with seats_of(tmp_path, unhurried, plan, phone=phone) as room:
        await sit_down(room)
        verdicts = set()
        for number in range(1, MOST_ROUNDS + 1):
            verdicts.add(await play_round(room, number))
            text = await room.seats[0].table.inner_text()
            if WON.search(text):
                break
            if not phone and len(verdicts) == 2:
                return
            await leave_the_showdown(room, text)
        assert verdicts == {"holds", "fails"}
        await the_winner_knows(room)


async def sit_down(room: Room) -> None:
    """Open a table as Ann, have the others join, check that this opens their seats, and start."""
    ann = room.seats[0]
    await ann.command("play", game=room.plan.game)
    for guest in room.seats[1:]:
        await guest.press("Join")
        await expect(guest.own).to_contain_text("You have a seat")
    await expect(ann.table).to_contain_text("3 of 10")
    await ann.press("Start")


async def play_round(room: Room, number: int) -> str:
    """Bid, raise in every third round, and challenge; return whether the bid "holds" or "fails"."""
    hands = await everybody_is_dealt(room, number)
    opener = await room.to_act()
    if number == 2:
        await a_reminder_finds(room, opener)
    openings = room.plan.openings
    acted = [opener]
    await bid(room, opener, openings[number % len(openings)], reminded=number == 2)
    if number % 3 == 0:
        acted.append(await room.to_act())
        await bid(room, acted[-1], ())
    doubter = await room.to_act()
    acted.append(doubter)
    taps, mark = room.taps(doubter), room.request_count
    await expect(doubter.own).to_contain_text("Your turn")
    needed = await doubter.challenge_in_seat(room.plan.doubt)
    await everybody_sees_the_showdown(room, number, hands, acted)
    assert room.taps(doubter) - taps == needed
    spent = await room.requests(mark)
    assert spent.pop(EDIT, 0) <= 1  # the table folded, where no press's token has its share left
    assert spent == {ANSWER: needed, POST: 1}  # the seat, the showdown
    verdict = await room.seats[0].table.inner_text()
    return "holds" if "It's there" in verdict else "fails"


async def everybody_is_dealt(room: Room, number: int) -> dict[str, set[str]]:
    """Check that each seat shows the new round by itself; return each person's cards.

    Assert that no two people have the same card, and that the table's message shows no cards.
    """

    async def dealt_to(seat: Seat) -> set[str]:
        await expect(seat.own).to_contain_text(
            re.compile(rf"Round {number}\b"), use_inner_text=True
        )
        await expect(seat.own).to_contain_text(re.compile(f"Your turn|{room.calm.pattern}"))
        assert not cards_seen(await seat.read(seat.table))
        assert not await seat.table.locator("img.picture").count()
        return set(cards_seen(await seat.own.inner_text()))

    names = [seat.name for seat in room.live]
    hands = dict(zip(names, await asyncio.gather(*map(dealt_to, room.live)), strict=True))
    dealt = [card for hand in hands.values() for card in hand]
    assert dealt
    assert len(dealt) == len(set(dealt))
    return hands


async def bid(room: Room, seat: Seat, choices: tuple[str, ...], *, reminded: bool = False) -> None:
    """Bid by pressing `choices`, or make the lowest bid if empty; check that the screens follow."""
    await only_one_decides(room, seat)
    taps, mark = room.taps(seat), room.request_count
    words = await (seat.bid_on_pad(*choices) if choices else seat.bid_next_rung())
    line = re.compile(rf"{re.escape(words)}( [♣♦♥♠])?\s+by @{seat.name}")
    checks = [
        expect(seat_of_other.table).to_contain_text(line, use_inner_text=True)
        for seat_of_other in room.seats
    ]
    await asyncio.gather(*checks)
    following = await room.to_act()
    await expect(following.own).to_contain_text(line, use_inner_text=True)
    await expect(following.own_button(room.plan.doubt)).to_be_visible()
    await only_one_decides(room, following)
    steps = room.taps(seat) - taps
    least = len(choices) + 1
    assert least <= steps <= least + (2 if choices else 0)  # a page or two of unlikely kinds
    # each step redraws the seat; the last is the move, and redraws the table too
    expected = {ANSWER: steps} | ({DELETE: 1} if reminded else {})
    spent = await room.requests(mark)
    assert spent.pop(EDIT, 0) <= 1  # where no press's token has its share left
    assert spent == expected


async def only_one_decides(room: Room, actor: Seat) -> None:
    """Check that the seat of `actor` says that it's their turn, and the other seats say to wait."""
    await expect(actor.own).to_contain_text("Your turn")
    if not await actor.own_button(room.plan.doubt).count():  # a round is opened
        await expect(actor.own).to_contain_text(re.compile("open with any bid"))
    waits = [
        expect(waiting.own).to_contain_text(room.calm)
        for waiting in room.live
        if waiting is not actor
    ]
    await asyncio.gather(*waits)


async def a_reminder_finds(room: Room, sleeper: Seat) -> None:
    """Go to another channel as the player in turn; check that the reminder pings only them."""
    await sleeper.go_to("general")
    room.clock.at += 20_000
    room.bot.tables.alarm.ring()
    await expect(sleeper.badge("poker-night")).to_have_text("1 unread")
    for onlooker in room.seats:
        if onlooker is not sleeper:
            await expect(onlooker.reminders).to_contain_text(
                f"@{sleeper.name}, your turn: you open round 2"
            )
            await expect(onlooker.page.locator(".message.mentioned")).to_have_count(0)
            assert not room.world.person(onlooker.name).pings(room.channel)
    await sleeper.go_to("poker-night")
    called = sleeper.page.locator(".message.mentioned")
    await expect(called).to_contain_text(f"@{sleeper.name}, your turn: you open round 2")
    await sleeper.tap(called.get_by_role("link", name="to the table"))
    await expect(sleeper.table).to_be_focused()
    await expect(sleeper.table).to_be_in_viewport()


async def everybody_sees_the_showdown(
    room: Room, number: int, hands: dict[str, set[str]], acted: list[Seat]
) -> None:
    """Check that the showdown is the lowest message, is scrolled into view, and fits the screen.

    On a desktop, the end of a match may be taller than the screen.
    """
    pool = set().union(*hands.values())

    async def sees_it(seat: Seat) -> None:
        news = seat.messages.last
        await expect(news).to_contain_text(f"Round {number} · Showdown")
        verdict = await news.inner_text()
        assert re.search("It's there|Not there", verdict)
        picture = news.locator("img").first
        await expect(picture).to_be_visible()
        await expect(picture).to_have_js_property("complete", value=True)
        described = await picture.get_attribute("alt") or ""
        assert all(name in described for name in hands)
        assert pool <= set(NATURAL.findall(described))
        pill = seat.page.locator("#pill")
        if seat in acted and await pill.is_visible():
            await seat.tap(pill)  # they had scrolled to their seat
        await expect(pill).to_be_hidden()
        above, below = await news.evaluate(PLACED)
        if seat.phone or not WON.search(verdict):  # a desktop is lower than what ends a match
            assert above >= 0, (seat.name, number)
        assert below >= 0, (seat.name, number)
        await expect(seat.reminders).to_have_count(0)
        if seat is acted[-1] or WON.search(verdict):
            await expect(seat.own).to_contain_text(AFTERWARDS)
        elif seat in room.live:  # the news above says all: their cards come with the next deal
            await expect(seat.own).to_contain_text(room.calm)

    await asyncio.gather(*map(sees_it, room.seats))


async def leave_the_showdown(room: Room, text: str) -> None:
    """Press Next round as the loser. If the loser is out, check that the loser's seat says so."""
    loser = LOSES.search(text)
    assert loser is not None, text
    await room.seat_of(loser[1]).press("Next round")
    if OUT.search(text):
        await expect(room.seat_of(loser[1]).own).to_contain_text("You're out of this match")
        room.out.add(loser[1])


async def the_winner_knows(room: Room) -> None:
    won = WON.search(await room.seats[0].table.inner_text())
    assert won is not None
    for seat in room.seats:
        await expect(seat.table).to_contain_text(f"@{won[1]} wins the match")
        await expect(seat.button("Play again")).to_be_enabled()
        ending = "You won the match!" if seat.name == won[1] else "match is over"
        await expect(seat.own).to_contain_text(ending)
