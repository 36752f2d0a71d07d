"""Computer players and a practice in headless Chromium, on a phone and at a desk at once.

With `--screenshots DIR` the pictures are kept.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from hashlib import sha256
from itertools import count
from pathlib import Path

import pytest
from playwright.async_api import expect

from bot.sandbox.world import Sandbox
from tests.bot.browser_seat import Gallery, Seat, seated
from tests.bot.house import running_bot, settings
from tests.bot.sandbox.page_browser import chromium

pytestmark = pytest.mark.browser
MOST_MOVES = 30


@pytest.fixture
def gallery(pytestconfig: pytest.Config) -> Gallery:
    folder = pytestconfig.getoption("--screenshots")
    return Gallery(Path(folder) if folder else None)


def fixed_seeds() -> Iterator[bytes]:
    """The same deals at every run."""
    return (sha256(f"company {n}".encode()).digest() for n in count())


@asynccontextmanager
async def ann_twice(folder: Path) -> AsyncIterator[tuple[Seat, Seat]]:
    """Ann with her phone, and Ann at her desk."""
    async with AsyncExitStack() as stack:
        browser = await stack.enter_async_context(chromium())
        world = Sandbox()
        await world.start()
        stack.push_async_callback(world.stop)
        world.furnish()
        chosen = settings(folder, next_round_seconds=3000.0)
        await stack.enter_async_context(running_bot(world, chosen, fixed_seeds()))
        channel = world.server("The Snug").channel("poker-night").id
        seats = [
            await stack.enter_async_context(seated(world, browser, "Ann", channel, phone=phone))
            for phone in (True, False)
        ]
        await seats[1].page.set_viewport_size({"width": 1280, "height": 900})
        yield seats[0], seats[1]


async def keep(gallery: Gallery, seats: tuple[Seat, Seat], name: str) -> None:
    """Both tabs."""
    if gallery.folder is None:
        return
    for seat in seats:
        await seat.page.wait_for_function(
            "[...document.querySelectorAll('#messages img')].every(image => image.complete)"
        )
        await gallery.keep(seat.page, f"{name}-{'phone' if seat.phone else 'desk'}")


async def test_a_table_with_computer_players_is_played_through_the_page(
    tmp_path: Path, gallery: Gallery
) -> None:
    async with ann_twice(tmp_path) as seats:
        phone, _ = seats
        await phone.command("play", game="Thai Poker", computers="3")
        await expect(phone.table).to_contain_text("Agnes · careful computer player")
        await phone.choose(phone.table.get_by_role("combobox"), 3)
        await expect(phone.table).to_contain_text("Roxy (wild)")
        await keep(gallery, seats, "company-lobby")
        await phone.press("Start")
        for move in range(MOST_MOVES):
            mine = re.compile("Ann, (open|bid|nothing)|Showdown")
            await expect(phone.table).to_contain_text(mine)
            before = await phone.table.inner_text()
            if "Showdown" in before:
                break
            if not move:
                await keep(gallery, seats, "company-table")
            if move and await phone.button("Check").is_enabled():
                await phone.press("Check")
            else:
                await phone.raise_by_select(0)
            await expect(phone.table).not_to_have_text(before, use_inner_text=True)
        await expect(phone.table.locator("img")).to_be_visible()
        assert "Agnes" in await phone.read(phone.table)
        await keep(gallery, seats, "company-showdown")


async def test_a_practice_is_the_first_command_and_gives_a_hint(
    tmp_path: Path, gallery: Gallery
) -> None:
    async with ann_twice(tmp_path) as seats:
        phone, _ = seats
        await phone.page.locator(".composer-text").fill("/")
        first = phone.page.get_by_role("option").first
        await expect(first).to_contain_text("/practice")
        await keep(gallery, seats, "practice-offered")
        await phone.command("practice", game="Liars' Poker")
        own = phone.page.locator(".message.ephemeral").last
        await expect(own).to_contain_text("It is your turn")
        await phone.tap(own.get_by_role("button", name="Hint"))
        await expect(own).to_contain_text("Hint.")
        await keep(gallery, seats, "practice-hint")
