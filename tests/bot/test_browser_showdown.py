"""The tallest showdowns of six, measured on a phone in headless Chromium.

The board, its picture and its message are the real ones; only the round is made up.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from itertools import cycle, islice
from pathlib import Path
from typing import Final

import discord
import pytest
from playwright.async_api import expect

from bot.app import Bot
from bot.boards.table import table_board
from bot.discord.layout import rendered
from bot.language.words import TypedText
from bot.sandbox.clock import ManualClock
from bot.sandbox.discord_state import Channel
from bot.sandbox.world import Sandbox
from bot.tables.live import LiveTable
from bot.tables.model import DeadlineKind
from engine.actions import Challenge, MakeBid
from engine.play import start
from engine.state import Match
from engine.variants import ruleset
from tests.bot.boards.rounds import LIARS, THAI, table
from tests.bot.browser_seat import Gallery, Seat, seated
from tests.bot.house import running_bot, settings
from tests.bot.sandbox.page_browser import chromium
from tests.dealing import play, stacked_deal
from tests.engine.rounds import with_cards

pytestmark = pytest.mark.browser

LONGEST: Final = 32  # characters of a name
TALLEST: Final = 520  # pixels of an iPhone's screen, with its large buttons; the chat has 650
A_ROW: Final = 60  # of hands in the picture
SIX: Final = range(6)


def six_of(letters: str, length: int = LONGEST) -> tuple[str, ...]:
    """Six names of that length, which differ."""
    return tuple("".join(islice(cycle(letters), n, n + length - 1)) + "αβγδεζ"[n] for n in SIX)


NAMES: Final = {
    "usual": ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn"),
    "latin": six_of("Maximiliane von Wolkenstein "),
    "wide": six_of("W"),
    "chinese": six_of("漢字仮名交文"),
}


@dataclass(slots=True)
class Wall:
    """A channel in which boards are hung up, and a phone that looks at it."""

    clock: ManualClock
    bot: Bot
    channel: Channel
    phone: Seat
    names: dict[int, TypedText]
    gallery: Gallery

    @property
    def people(self) -> tuple[int, ...]:
        return tuple(self.names)

    async def height(self, live: LiveTable, name: str) -> float:
        """How many pixels the table's message takes on the phone, with its space around it."""
        self.clock.advance(600)  # as what comes after a pause it is headed by its author's name
        ready = await rendered(table_board(live, self.names))
        assert ready.files
        assert not ready.late
        there = self.bot.client.get_partial_messageable(int(self.channel.id))
        nobody = discord.AllowedMentions.none()
        await there.send(view=ready.view, files=ready.files, allowed_mentions=nobody)
        shown = self.phone.messages.last
        await expect(shown.locator(".author")).to_be_visible()
        await shown.locator("img").first.evaluate("image => image.decode()")
        await self.gallery.keep(self.phone.page, name)
        box = await shown.bounding_box()
        assert box is not None
        return box["height"]


@pytest.fixture(params=list(NAMES))
async def wall(
    tmp_path: Path, request: pytest.FixtureRequest, pytestconfig: pytest.Config
) -> AsyncIterator[Wall]:
    folder = pytestconfig.getoption("--screenshots")
    async with AsyncExitStack() as stack:
        browser = await stack.enter_async_context(chromium())
        clock = ManualClock(time.time())
        world = Sandbox(clock)
        await world.start()
        stack.push_async_callback(world.stop)
        channel = world.add_guild("The Snug").add_text_channel("poker-night")
        people = [world.add_person(name) for name in NAMES[request.param]]
        bot = await stack.enter_async_context(running_bot(world, settings(tmp_path)))
        gallery = Gallery(Path(folder, request.param) if folder else None)
        phone = await stack.enter_async_context(
            seated(world, browser, people[0].name, channel.id, phone=True, scale=gallery.scale)
        )
        names = {int(one.id): TypedText(one.name) for one in people}
        yield Wall(clock, bot, channel, phone, names, gallery)


def ended(match: Match, game: str, people: tuple[int, ...]) -> LiveTable:
    """A table whose round is over and whose next comes by itself."""
    soon = {"deadline": int(time.time() * 1000) + 15_000, "deadline_kind": DeadlineKind.NEXT_ROUND}
    return LiveTable(replace(table(game, players=people, host_id=people[0]), **soon), match)  # type: ignore[arg-type]


def round_of(
    people: tuple[int, ...],
    game: str,
    bid: str,
    hands: dict[int, str],
    *cards: int,
    **options: object,
) -> LiveTable:
    """Six are dealt so many cards each, the first bids, the second doubts."""
    match = with_cards(start(ruleset(game, options), people, 0), *cards)  # type: ignore[arg-type]
    match = play(match, stacked_deal(match, hands))
    key = match.ruleset.wording.parse(bid).key
    return ended(play(match, MakeBid(0, key), Challenge(1)), game, people)


async def test_a_showdown_of_six_fits_a_phone_whatever_they_are_called(wall: Wall) -> None:
    six, fives = wall.people, (5,) * 6
    scenes = {
        # two kinds of cards are missing, or all that holds it is told
        "two-pair": round_of(six, LIARS, "pair of queens, pair of jacks", {}, *fives, jokers=0),
        "holds": round_of(
            six, LIARS, "queen high diamond straight flush", {0: "Qd Jd Td 9d 8d"}, *fives
        ),
        "fails": round_of(
            six, LIARS, "queen high diamond straight flush", {1: "Qs Js Ts 9s 8s"}, *fives
        ),
        "cards": round_of(six, LIARS, "pair of sevens, pair of sixes", {}, 4, 4, 5, 5, 5, 5),
        "middle": round_of(six, LIARS, "queens over jacks", {}, *fives, middle_hand=True),
        "tie": round_of(six, LIARS, "five queens", {}, 5, 3, 3, 4, 4, 4, length="first_out"),
        "ties": round_of(six, LIARS, "five queens", {}, 5, 3, 3, 3, 3, 3, length="first_out"),
        "thai": round_of(six, THAI, "spade royal flush", {}, *(4,) * 6),
    }
    heights = {name: await wall.height(live, f"{name}-phone") for name, live in scenes.items()}
    with_middle = heights.pop("middle")  # seven hands: another row of them
    assert {name: height for name, height in heights.items() if height >= TALLEST} == {}, heights
    assert with_middle < TALLEST + A_ROW
