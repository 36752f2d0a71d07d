"""A round on Ann's phone as a short film; with `--screenshots DIR` it is the README's animation.

She bids on her pad, Bob challenges, and the cards are shown. Each step is checked on the page.
"""

from __future__ import annotations

import io
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pytest
from PIL import Image
from playwright.async_api import Locator, expect

from bot.sandbox.clock import ManualClock
from tests.bot.browser_seat import Gallery, Seat, premises
from tests.bot.harness import Table, bid_by_form

pytestmark = pytest.mark.browser

ROOT: Final = Path(__file__).parents[2]
FILE: Final = "round.webp"
LARGEST: Final = 2_000_000  # bytes
FRAME: Final = 1_700  # milliseconds
LAST: Final = 4_500
WIDTH: Final = 390  # pixels
CALLS: Final = ("pair of nines", "kings and fives")
DRAWN: Final = """() => Promise.all(
    [...document.querySelectorAll('#messages img')].map(image => image.decode()))"""


@pytest.fixture(autouse=True)
def cards_in_text() -> None:
    """Override the fixture: these pictures show cards as people see them."""


@dataclass(slots=True)
class Film:
    """The frames of a film so far."""

    ann: Seat
    frames: list[Image.Image] = field(default_factory=list)

    async def shoot(self, message: Locator) -> None:
        """Take a frame that shows the end of `message`."""
        page = self.ann.page
        await page.evaluate("document.fonts.ready")
        await page.evaluate(DRAWN)
        await message.evaluate("node => node.scrollIntoView({block: 'end'})")
        picture = Image.open(io.BytesIO(await page.screenshot(animations="disabled")))
        height = round(picture.height * WIDTH / picture.width)
        self.frames.append(picture.convert("RGB").resize((WIDTH, height)))

    def write(self, file: Path) -> None:
        """Save the frames as an animated picture that repeats."""
        first, *others = self.frames
        durations = [FRAME] * len(others) + [LAST]
        first.save(
            file,
            save_all=True,
            append_images=others,
            duration=durations,
            loop=0,
            quality=80,
            method=6,
        )


async def test_a_round_from_the_lobby_to_the_showdown(
    tmp_path: Path, unhurried: ManualClock, gallery: Gallery
) -> None:
    opening = premises(tmp_path, unhurried, ("Ann", "Bob", "Cleo"), "a film", next_round=300.0)
    async with opening as out, out.tab("Ann", gallery) as ann:
        people = [out.world.person(name) for name in ("Ann", "Bob", "Cleo")]
        at = Table(out.world, out.bot, out.channel, people)
        film = Film(ann)
        await ann.command("play", game="Liars' Poker")
        await expect(ann.table).to_contain_text("Waiting for 1 more player")
        for friend in people[1:]:
            await friend.click(at.message(), "Join")
        await expect(ann.table).to_contain_text("3 of 10")
        await film.shoot(ann.table)
        await ann.press("Start")
        await expect(ann.table).to_contain_text("Round 1")
        for call in CALLS:
            await at.settle()
            if at.turn().id != people[0].id:
                await bid_by_form(at, at.turn(), text=call)
        await at.settle()
        await expect(ann.own).to_contain_text("Your turn")
        await film.shoot(ann.own)
        await ann.press_own(re.compile("^Full"))
        await expect(ann.own_button("Back")).to_be_visible()
        await film.shoot(ann.own)
        await ann.press_own(re.compile("ace_"))
        await expect(ann.own).to_contain_text("full of")
        await film.shoot(ann.own)
        await ann.press_own(re.compile("queen_"))
        bid = ann.own_button(re.compile('Bid "aces full of queens"'))
        await expect(bid).to_be_visible()
        await film.shoot(ann.own)
        await ann.tap(bid)
        await expect(ann.table).to_contain_text("aces full of queens", ignore_case=True)
        await at.settle()
        await film.shoot(ann.table)
        await at.challenge(at.turn())
        await expect(ann.table).to_contain_text("Showdown")
        await at.settle()
        await film.shoot(ann.table)
        film.write(tmp_path / FILE)
        assert (tmp_path / FILE).stat().st_size <= LARGEST
        if gallery.folder is not None:
            film.write(gallery.folder / FILE)


def test_the_readmes_film_moves_and_is_small() -> None:
    file = ROOT / "docs" / "images" / FILE
    assert file.stat().st_size <= LARGEST
    with Image.open(file) as film:
        assert getattr(film, "n_frames", 1) == 7
    assert f"docs/images/{FILE}" in (ROOT / "README.md").read_text(encoding="utf-8")
