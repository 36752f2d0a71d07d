"""One's own seat, measured on a phone in headless Chromium: what one decides by, and the pad.

The board and its message are the real ones; only the round is made up.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import discord
import pytest
from playwright.async_api import Locator, expect

from bot.app import Bot
from bot.boards.pad import Pick
from bot.boards.seat import Notice, seat_board
from bot.discord.layout import rendered
from bot.sandbox.clock import ManualClock
from bot.sandbox.state import Channel
from bot.sandbox.world import Sandbox
from bot.tables.live import LiveTable
from engine.play import start
from engine.variants import ruleset
from tests.bot.boards.rounds import LIARS, bid, table
from tests.bot.browser_seat import Gallery, Seat, seated
from tests.bot.house import running_bot, settings
from tests.bot.sandbox.page_browser import chromium
from tests.dealing import play, stacked_deal
from tests.engine.rounds import with_cards

pytestmark = pytest.mark.browser

TALLEST: Final = 520  # pixels of an iPhone's screen, with its large buttons
CHAT: Final = 650  # what the chat has of them
HINT: Final = (
    "**Hint.** Three fours holds in 23.4% of deals, by your own cards. Challenge: you are right in"
    " 76.6% of deals, and no higher call holds in more than 21.2%."
)


@dataclass(slots=True)
class Wall:
    """A channel in which boards are hung up, and a phone that looks at them."""

    clock: ManualClock
    bot: Bot
    channel: Channel
    phone: Seat
    gallery: Gallery

    async def hang(self, live: LiveTable, name: str, pick: str = "", said: str = "") -> Locator:
        """The seat of who is to act, as it stands on the phone."""
        match = live.match
        assert match is not None
        assert match.round is not None
        player = match.seats[match.round.turn].player
        notice = Notice(said) if said else None
        link = "https://discord.com/channels/1/2/3"
        board = seat_board(live, player, Pick.read(pick), notice, link)
        self.clock.advance(600)  # as what comes after a pause it is headed by its author's name
        ready = await rendered(board)
        there = self.bot.client.get_partial_messageable(int(self.channel.id))
        nobody = discord.AllowedMentions.none()
        await there.send(view=ready.view, files=ready.files, allowed_mentions=nobody)
        shown = self.phone.messages.last
        await expect(shown.locator(".author")).to_be_visible()
        await self.gallery.keep(self.phone.page, name)
        return shown.locator(".container")


@pytest.fixture
async def wall(tmp_path: Path, pytestconfig: pytest.Config) -> AsyncIterator[Wall]:
    folder = pytestconfig.getoption("--screenshots")
    async with AsyncExitStack() as stack:
        browser = await stack.enter_async_context(chromium())
        clock = ManualClock(time.time())
        world = Sandbox(clock)
        await world.start()
        stack.push_async_callback(world.stop)
        channel = world.add_guild("The Snug").add_text_channel("poker-night")
        people = [world.add_person(name) for name in ("Ann", "Bob", "Cleo")]
        bot = await stack.enter_async_context(running_bot(world, settings(tmp_path)))
        phone = await stack.enter_async_context(
            seated(world, browser, people[0].name, channel.id, phone=True, scale=2)
        )
        gallery = Gallery(Path(folder) if folder else None)
        yield Wall(clock, bot, channel, phone, gallery)


def round_of(players: int, cards: int, *bids: str, **options: object) -> LiveTable:
    """So many players hold so many cards each; these bids were made, and time runs."""
    people = tuple(range(101, 101 + players))
    match = start(ruleset(LIARS, options), people, 0)  # type: ignore[arg-type]
    match = with_cards(match, *[cards] * players)
    match = play(match, stacked_deal(match, {}))
    ends = int(time.time() * 1000) + 120_000
    return LiveTable(table(LIARS, players=people, turn_ends=ends), bid(match, *bids))


async def height(of: Locator) -> float:
    box = await of.bounding_box()
    assert box is not None
    return box["height"]


# the highest of everything that is on a pad, with the step that it is at
STEPS: Final = {
    "opening": (round_of(10, 5), ""),
    "few-cards": (round_of(2, 1), ""),
    "ranks": (round_of(10, 5), "pair"),
    "second-ranks": (round_of(10, 5), "two_pair.A"),
    "raising": (round_of(6, 3, "nine high", "pair of nines", "kings and fives"), ""),
}


async def test_the_fullest_opening_leaves_room_on_a_phone_and_every_step_fits_it(
    wall: Wall,
) -> None:
    """Ten players open with five cards each: every kind can hold, and none is left out."""
    heights = {
        name: await height(await wall.hang(live, f"own-{name}-phone", pick))
        for name, (live, pick) in STEPS.items()
    }
    assert heights["opening"] <= TALLEST, heights
    assert {name: one for name, one in heights.items() if one > CHAT} == {}, heights


async def test_the_cards_and_the_challenge_are_on_one_screen_after_the_longest_bidding(
    wall: Wall,
) -> None:
    for name, said in (("bidding", ""), ("hinted", HINT)):
        live = round_of(
            6, 5, "nine high", "ten high", "pair of nines", "kings and fives", "three fours"
        )
        shown = await wall.hang(live, f"own-{name}-phone", said=said)
        hand = shown.locator(".md-h1")
        challenge = shown.get_by_role("button", name="Challenge")
        await expect(hand).to_be_in_viewport(ratio=1)
        await expect(challenge).to_be_in_viewport(ratio=1)
        top, bottom = await hand.bounding_box(), await challenge.bounding_box()
        assert top is not None
        assert bottom is not None
        assert bottom["y"] + bottom["height"] - top["y"] < TALLEST
