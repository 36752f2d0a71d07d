"""The page on a phone, while it scrolls, and when its server goes away and comes back."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
import yarl
from playwright.async_api import expect

from bot.sandbox.world import Sandbox
from tests.bot.sandbox.page_browser import PATIENCE_MS, tab
from tests.bot.sandbox.page_room import Room, open_room, table

SCROLL_TO_700 = """new Promise((done) => {
  const scroller = document.querySelector("#scroller");
  scroller.addEventListener("scroll", done, { once: true }); // after the page's own listener
  scroller.scrollTop = 700;
})"""

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def room() -> AsyncIterator[Room]:
    async with open_room() as opened:
        yield opened


async def test_a_phone_has_its_channels_in_a_drawer_and_nothing_wider_than_itself(
    room: Room,
) -> None:
    place, other = room.channel(), room.channel()
    async with room.seen_by("Ann", place, phone=True) as page:
        await table(page)
        assert await page.evaluate("document.querySelector('#drawer').inert") is True
        await page.get_by_role("button", name="Servers and channels").tap()
        row = page.locator(f"[data-channel='{other}']")
        await row.tap()
        await expect(page.locator("#place-name")).to_have_text(
            "table-" + str(len(room.channels) - 1)
        )
        await expect(page.locator("#shade")).to_be_hidden()
        await page.locator("#menu").tap()
        await page.locator(f"[data-channel='{place}']").tap()
        await expect(page.locator(".message")).to_be_visible()
        for wide in ("document.documentElement", "document.querySelector('#scroller')"):
            assert await page.evaluate(f"{wide}.scrollWidth <= innerWidth")


async def test_what_is_tapped_on_a_phone_is_at_least_40_pixels_high(room: Room) -> None:
    place = room.channel()
    async with room.seen_by("Ann", place, phone=True) as page:
        shown = await table(page)
        await shown.get_by_role("button", name="My seat").tap()
        await expect(page.locator(".ephemeral")).to_be_visible()
        small = await page.eval_on_selector_all(
            "#main button, #main textarea",
            "nodes => nodes.filter(n => n.offsetParent && n.getBoundingClientRect().height < 40)"
            ".map(n => n.className + n.textContent)",
        )
        assert small == []


async def test_the_newest_and_ones_own_message_come_into_view_and_an_older_one_stays_put(
    room: Room,
) -> None:
    place = room.channel()
    bob = room.world.person("Bob")
    for number in range(60):
        await bob.say(place, f"line {number}")
    async with room.seen_by("Ann", place) as page:
        gap = (
            "s = document.querySelector('#scroller'), s.scrollHeight - s.scrollTop - s.clientHeight"
        )
        await page.wait_for_function(f"({gap}) < 2")
        await bob.say(place, "line 60")
        await expect(page.get_by_text("line 60", exact=True)).to_be_in_viewport()
        await page.evaluate(SCROLL_TO_700)
        await bob.say(place, "line 61")
        await expect(page.get_by_role("button", name="New messages")).to_be_visible()
        assert await page.evaluate("document.querySelector('#scroller').scrollTop") == 700
        await page.evaluate("document.querySelector('#scroller').scrollTop = 0")
        await expect(page.get_by_text("line 0", exact=True)).to_be_attached()
        await expect(page.locator(".opening h2")).to_be_attached()
        await page.get_by_role("button", name="New messages").click()
        await expect(page.get_by_text("line 61", exact=True)).to_be_in_viewport()
        await page.evaluate(SCROLL_TO_700)
        await page.locator(".composer-text").fill("line 62")
        await page.keyboard.press("Enter")
        await expect(page.get_by_text("line 62", exact=True)).to_be_in_viewport()


async def test_the_page_finds_its_way_back_after_the_server_was_restarted(
    room: Room, tmp_path: Path
) -> None:
    world = Sandbox(state_file=tmp_path / "state.json")
    await world.start()
    world.furnish()
    port = yarl.URL(world.base_url).port
    assert port is not None
    async with tab(room.browser, f"{world.base_url}/#as=Ann") as page:
        await expect(page.locator("#bot-offline")).to_be_visible()
        await page.locator(".composer-text").fill("before")
        await page.keyboard.press("Enter")
        await expect(page.locator(".message")).to_contain_text("before")
        await world.stop()
        await expect(page.locator("#reconnecting")).to_be_visible()
        await page.locator(".composer-text").fill("meanwhile")
        await page.keyboard.press("Enter")
        await expect(page.locator("#composer .failure")).to_contain_text("not reachable")
        await expect(page.locator(".composer-text")).to_have_value("meanwhile")
        again = Sandbox(state_file=tmp_path / "state.json")
        await again.start(port=port)
        try:
            await expect(page.locator("#reconnecting")).to_have_count(0)
            await page.locator(".composer-text").press("Enter")
            await expect(page.locator(".message-content").last).to_have_text("meanwhile")
            await expect(page.locator(".message")).to_have_count(2)
        finally:
            await again.stop()


async def test_a_page_opened_too_early_waits_for_the_server(room: Room) -> None:
    world = Sandbox()
    await world.start()
    async with tab(room.browser, world.base_url) as page:
        await expect(page.get_by_role("alert")).to_contain_text("nobody in this sandbox")
        world.furnish()
        await expect(page.locator("#place-name")).to_have_text("poker-night")
        await expect(page.locator("#trouble")).to_have_count(0)
    await world.stop()


async def test_eight_tabs_beside_each_other_all_hear_what_is_said(room: Room) -> None:
    """A browser opens six HTTP connections to one host, whatever number of its tabs asks."""
    place = room.channel()
    context = await room.browser.new_context()
    context.set_default_timeout(PATIENCE_MS)
    try:
        pages = [await context.new_page() for _ in range(8)]
        for page in pages:
            await page.goto(f"{room.world.base_url}/#as=Ann&in={place}")
            await expect(page.locator(".opening")).to_be_attached()
        await room.world.person("Bob").say(place, "is everybody here?")
        for page in pages:
            await expect(page.locator(".message")).to_contain_text("is everybody here?")
    finally:
        await context.close()
