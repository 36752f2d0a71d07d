"""One's own seat, measured on a phone in headless Chromium: what one decides by, and the pad.

The board and its message are the real ones, with cards as the bot's emoji, in English and in
Polish; only the round is made up.
"""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import discord
import pytest
from playwright.async_api import Locator, expect

from bot.app import Bot
from bot.boards.pad import Pick
from bot.boards.seat import Notice, seat_board
from bot.discord.layout import rendered
from bot.language.catalogues import speaking
from bot.pictures.emoji import TILES
from bot.sandbox.clock import ManualClock
from bot.sandbox.discord_state import Channel
from bot.sandbox.world import Sandbox
from bot.tables.live import LiveTable
from engine.play import start
from engine.variants import ruleset
from tests.bot.boards.rounds import LIARS, bid, table
from tests.bot.browser_seat import DRAWN, Gallery, Seat, seated
from tests.bot.house import running_bot, settings
from tests.bot.sandbox.page_browser import chromium
from tests.dealing import play, stacked_deal
from tests.engine.rounds import with_cards
from tests.people import until

pytestmark = pytest.mark.browser

TALLEST: Final = 520  # pixels of an iPhone's screen, with its large buttons
CHAT: Final = 650  # what the chat has of them
YOUR_TURN: Final = re.compile("Your turn:|Twój ruch:")
RULES: Final = re.compile("^(Rules|Zasady)$")
CHALLENGE: Final = re.compile("^(Challenge|Sprawdzam)$")
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
    language: str

    async def hang(
        self,
        live: LiveTable,
        name: str,
        pick: str = "",
        said: str = "",
        *,
        learning: bool = False,
    ) -> Locator:
        """The seat of who is to act, as it stands on the phone."""
        match = live.match
        assert match is not None
        assert match.round is not None
        player = match.seats[match.round.turn].player
        # or a slow machine would show a time that was up before the round was hung
        ends = int(time.time() * 1000) + 120_000
        live = replace(live, table=replace(live.table, turn_ends=ends))
        notice = Notice(said) if said else None
        link = "https://discord.com/channels/1/2/3"
        with speaking(self.language):
            board = seat_board(live, player, Pick.read(pick), notice, link, learning=learning)
        self.clock.advance(600)  # as what comes after a pause it is headed by its author's name
        ready = await rendered(board)
        there = self.bot.client.get_partial_messageable(int(self.channel.id))
        nobody = discord.AllowedMentions.none()
        sent = await there.send(view=ready.view, files=ready.files, allowed_mentions=nobody)
        shown = self.phone.page.locator(f'#messages .message[data-id="{sent.id}"]')
        await expect(shown.locator(".author")).to_be_visible()
        await self.phone.page.evaluate("document.fonts.ready")
        await self.phone.page.evaluate(DRAWN)
        await self.gallery.keep(self.phone.page, f"own-{name}-{self.language}-phone")
        return shown.locator(".container")


@pytest.fixture(autouse=True)
def cards_in_text() -> None:
    """Not here: a card beside a button's words takes room."""


@pytest.fixture(params=["en", "pl"])
async def wall(
    tmp_path: Path, gallery: Gallery, request: pytest.FixtureRequest
) -> AsyncIterator[Wall]:
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
            seated(world, browser, people[0].name, channel.id, phone=True, scale=gallery.scale)
        )
        await until(lambda: len(world.state.emojis) == len(TILES))
        yield Wall(clock, bot, channel, phone, gallery, request.param)


def round_of(players: int, cards: int, *bids: str, **options: object) -> LiveTable:
    """So many players hold so many cards each; these bids were made."""
    people = tuple(range(101, 101 + players))
    match = start(ruleset(LIARS, options), people, 0)  # type: ignore[arg-type]
    match = with_cards(match, *[cards] * players)
    match = play(match, stacked_deal(match, {}))
    return LiveTable(table(LIARS, players=people), bid(match, *bids))


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
        name: await height(await wall.hang(live, name, pick))
        for name, (live, pick) in STEPS.items()
    }
    assert heights["opening"] <= TALLEST, heights
    assert {name: one for name, one in heights.items() if one > CHAT} == {}, heights


async def test_what_who_is_new_decides_by_is_on_one_screen_at_every_step(wall: Wall) -> None:
    """From what stands, and what it claims, to the last button; the round's small print aside."""
    for name, (live, pick) in STEPS.items():
        shown = await wall.hang(live, f"{name}-new", pick, learning=True)
        begins = shown.locator(".md-h3") if name == "raising" else shown.get_by_text(YOUR_TURN)
        top, whole = await begins.bounding_box(), await shown.bounding_box()
        assert top is not None
        assert whole is not None
        assert whole["y"] + whole["height"] - top["y"] <= CHAT, name


async def test_the_rules_are_beside_the_words_and_cost_no_height(wall: Wall) -> None:
    live, _ = STEPS["raising"]
    shown = await wall.hang(live, "rules")
    rules, turn = shown.get_by_role("button", name=RULES), shown.get_by_text(YOUR_TURN)
    there, words = await rules.bounding_box(), await turn.bounding_box()
    assert there is not None
    assert words is not None
    assert there["y"] < words["y"] + words["height"]
    assert words["y"] < there["y"] + there["height"]
    assert there["x"] >= words["x"] + words["width"]


async def test_the_cards_and_the_challenge_are_on_one_screen_after_the_longest_bidding(
    wall: Wall,
) -> None:
    for name, said in (("bidding", ""), ("hinted", HINT)):
        live = round_of(
            6, 5, "nine high", "ten high", "pair of nines", "kings and fives", "three fours"
        )
        shown = await wall.hang(live, name, said=said)
        hand = shown.locator(".md-h1")
        challenge = shown.get_by_role("button", name=CHALLENGE)
        await expect(hand).to_be_in_viewport(ratio=1)
        await expect(challenge).to_be_in_viewport(ratio=1)
        top, bottom = await hand.bounding_box(), await challenge.bounding_box()
        assert top is not None
        assert bottom is not None
        assert bottom["y"] + bottom["height"] - top["y"] < TALLEST
