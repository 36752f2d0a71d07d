"""A match in headless Chromium: two people, the page, the local Discord, the real bot."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
from playwright.async_api import expect

from benchmarks.reading import NATURAL
from bot.sandbox.world import Sandbox
from tests.bot.browser_seat import Seat, fixed_seeds, seated
from tests.bot.house import running_bot, settings
from tests.bot.sandbox.page_browser import chromium

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("patient_discord")]

TITLE: Final = re.compile(r"Liars' Poker · Round \d+")
TURN: Final = re.compile(r"@(\w+), (?:open|call|nothing)")
LONG_ROUND: Final = 5  # two more raises in it
MOST_ROUNDS: Final = 9  # two people, two cards each, out at six


@dataclass(frozen=True, slots=True)
class Room:
    """Ann at a desk, Bob with a phone, both in #poker-night."""

    ann: Seat
    bob: Seat

    @property
    def seats(self) -> tuple[Seat, Seat]:
        return self.ann, self.bob

    async def to_act(self) -> tuple[Seat, Seat]:
        """Who is to act as both tabs say, and the other."""
        text = await self.ann.table.inner_text()
        found = TURN.search(text)
        assert found is not None, text
        ann_acts = found[1] == self.ann.name
        await expect(self.bob.table).to_contain_text(found[0])
        return self.seats if ann_acts else (self.bob, self.ann)


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[Room]:
    async with AsyncExitStack() as stack:
        browser = await stack.enter_async_context(chromium())
        world = Sandbox()
        await world.start()
        stack.push_async_callback(world.stop)
        world.furnish()
        await stack.enter_async_context(
            running_bot(world, settings(folder, next_round_seconds=300.0), fixed_seeds("snug"))
        )
        place = world.server("The Snug").guild.id
        channel = next(
            one.id
            for one in world.state.channels.values()
            if one.guild_id == place and one.name == "poker-night"
        )
        ann = await stack.enter_async_context(seated(world, browser, "Ann", channel, phone=False))
        bob = await stack.enter_async_context(seated(world, browser, "Bob", channel, phone=True))
        yield Room(ann, bob)


async def test_a_whole_match_is_played_through_the_page(tmp_path: Path) -> None:
    async with opened(tmp_path) as room:
        await sit_down(room)
        await room.ann.press("Start")
        await cards_come_by_mail(room.bob)
        verdicts = set()
        for number in range(1, MOST_ROUNDS + 1):
            verdicts.add(await play_round(room, number))
            if await room.ann.button("Play again").count():
                break
            await room.seats[number % 2].press("Next round")
        assert verdicts == {"holds", "fails"}
        await the_winner_is_announced(room)


async def sit_down(room: Room) -> None:
    """Ann opens a table, Bob joins, Ann changes a house rule."""
    ann, bob = room.seats
    await ann.command("play", game="Liars' Poker")
    await expect(bob.table).to_contain_text("Waiting for 1 more player")
    await expect(ann.button("Start")).to_be_disabled()
    await bob.press("Join")
    await expect(ann.table).to_contain_text("2 of 10")
    await ann.press_option("House rules…")
    flush = ann.form.get_by_role("combobox", name="A flush is called by")
    await ann.choose(flush, "Its highest card")
    await ann.submit()
    for seat in room.seats:
        await expect(seat.table).to_contain_text("A flush is called by: its highest card")
    await ann.press_option("Time and messages…")
    letters = ann.form.get_by_role("combobox", name="Cards by direct message")
    await ann.choose(letters, "Yes, each round")
    await ann.submit()
    await expect(bob.table).to_contain_text("Your cards come by direct message too")
    await ann.dismiss()


async def cards_come_by_mail(bob: Seat) -> None:
    """Bob finds his cards in his direct messages and comes back by the link in them."""
    await expect(bob.table).to_contain_text(TITLE)
    await bob.open_mail()
    letter = bob.messages.last
    hand = letter.locator(".md-h1")
    await expect(hand).to_be_visible()
    by_mail = set(NATURAL.findall(await hand.inner_text()))
    assert len(by_mail) == 2
    await bob.follow_link("Liars' Poker", "poker-night")
    assert await bob.own_cards() == by_mail
    assert by_mail


async def play_round(room: Room, number: int) -> str:
    """Open in words, raise by select and in words, doubt; nobody sees more than they may.

    Returns whether the doubted bid "holds" or "fails".
    """
    title = f"Round {number}"
    for seat in room.seats:
        await expect(seat.table).to_contain_text(f"Liars' Poker · {title}")
    hands = {seat.name: await seat.own_cards() for seat in room.seats}
    assert not hands["Ann"] & hands["Bob"]
    first, second = await room.to_act()
    await nobody_peeks(room, hands, title)
    await first.bid_in_words("55")
    await expect(second.table).to_contain_text("Pair of fives")
    said = await second.raise_by_select(option=1 + number % 4)
    await nobody_peeks(room, hands, title)
    for seat in room.seats:
        await expect(seat.table).to_contain_text(said)
    if number == 2:
        await first.bid_in_words("three tens")
        for seat in room.seats:
            await expect(seat.table).to_contain_text("Three tens")
        first, second = second, first
    if number == LONG_ROUND:
        for raiser in (first, second):
            assert (await room.to_act())[0] is raiser
            said = await raiser.raise_by_select()
            for seat in room.seats:  # who acts next acts on their own page
                await expect(seat.table).to_contain_text(said)
    await nobody_peeks(room, hands, title)
    await first.press("Challenge")
    for seat in room.seats:
        await expect(seat.table).to_contain_text(f"{title} · Showdown")
        await expect(seat.table.locator("img").first).to_be_visible()
        shown = await seat.cards_since(f"{title} · Showdown")
        assert hands["Ann"] | hands["Bob"] <= shown
    return "holds" if "It holds." in await room.ann.table.inner_text() else "fails"


async def nobody_peeks(room: Room, hands: dict[str, set[str]], title: str) -> None:
    """Neither tab shows a card of the other's in this round, in text or in a description."""
    for seat in room.seats:
        theirs = set().union(*(hand for name, hand in hands.items() if name != seat.name))
        assert not theirs & await seat.cards_since(title), seat.name
        assert not await seat.table.locator("img").count()


async def the_winner_is_announced(room: Room) -> None:
    for seat in room.seats:
        await expect(seat.table).to_contain_text(re.compile("@(Ann|Bob) wins the match"))
        await expect(seat.button("Play again")).to_be_enabled()
    await room.bob.press("Play again")
    await expect(room.ann.table).to_contain_text("Play again?")
    await expect(room.ann.button("I'm in")).to_be_enabled()
