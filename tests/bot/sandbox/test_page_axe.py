"""The main screens of the page checked for accessibility by axe-core, in Chromium.

Nothing of impact "serious" or "critical" may be found: on a phone and a desktop, dark and light.
"""

import os
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Page, ViewportSize, expect

from tests.bot.sandbox.page_browser import ONE_PIXEL
from tests.bot.sandbox.page_room import Room, command, open_room, table

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

AXE = Path(__file__).parents[3] / "node_modules" / "axe-core" / "axe.min.js"
RUN = """async () => {
  const grave = ({ impact }) => impact === "serious" || impact === "critical";
  const why = ({ any, all, none }) => [...any, ...all, ...none].map(({ message }) => message);
  const { violations } = await axe.run(document, { resultTypes: ["violations"] });
  return violations.filter(grave).flatMap(({ id, nodes }) =>
    nodes.map((node) => [id, node.target.join(" "), ...why(node)].join(": ")));
}"""
# a fade that is under way has colours of its own
SETTLE = """() => {
  for (const one of document.getAnimations()) {
    if (one.effect.getComputedTiming().endTime !== Infinity) one.finish();
  }
}"""
DESKTOP = ViewportSize(width=1280, height=900)

Screen = Callable[[Page, Room, str], Awaitable[None]]


@pytest.fixture(scope="module")
def axe() -> str:
    """axe-core's source, which `make test` installs by npm. Without it a skip, in CI a failure."""
    if AXE.exists():
        return AXE.read_text()
    reason = "axe-core is not installed: make test does that where npm, which comes with node, is"
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def room() -> AsyncIterator[Room]:
    async with open_room() as opened:
        yield opened


async def messages(page: Page, room: Room, place: str) -> None:
    """A table, a private answer, a mention, a picture, a code block, a link, a failed command."""
    await table(page)
    await page.get_by_role("button", name="My seat").click()
    await expect(page.locator(".ephemeral")).to_be_visible()
    ann = room.world.person("Ann").id
    words = (
        f"<@{ann}>, your turn in <#{place}> <t:1700000000:R> ||three|| `code`\n```\n9\n```\n-# x"
    )
    await room.post(place, words)
    body = {"content": "[a link](https://example.com)", "attachments": [{"id": 0}]}
    await room.raw.send(place, body, files=[("cards.png", ONE_PIXEL)])
    await expect(page.get_by_role("link", name="a link")).to_be_visible()


async def open_list(page: Page, room: Room, place: str) -> None:
    """A select with its list open."""
    await (await table(page)).get_by_role("combobox").click()
    await expect(page.get_by_role("option").first).to_be_visible()


async def open_form(page: Page, room: Room, place: str) -> None:
    """A form with an error in it."""
    await (await table(page)).get_by_role("button", name="Call…").click()
    await expect(page.get_by_label("In words")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.locator(".field-error").first).to_have_text("This field is required.")


async def picker(page: Page, room: Room, place: str) -> None:
    """The commands after a bare slash."""
    await page.locator(".composer-text").press_sequentially("/")
    await expect(page.get_by_role("option").first).to_be_visible()


async def option(page: Page, room: Room, place: str) -> None:
    """A command's options, one with its suggestions."""
    await page.locator(".composer-text").fill("/odds liars")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("option").first).to_be_visible()


async def switch(page: Page, room: Room, place: str) -> None:
    """Who one plays."""
    await page.get_by_role("button", name="You are Ann. Switch person").last.click()
    await expect(page.get_by_role("dialog")).to_be_visible()


async def mail(page: Page, room: Room, place: str) -> None:
    """Direct messages, and the drawer with a badge on a phone."""
    await command(page, "whisper")
    # there may be one of a test before
    await expect(page.locator(".ephemeral.local")).to_have_count(0)
    await expect(page.locator(".ephemeral").last).to_be_visible()
    other = room.channel()
    await room.post(other, f"<@{room.world.person('Ann').id}>")
    if await page.locator("#menu").is_visible():
        await page.locator("#menu").click()
    await expect(page.locator(f"#channels [data-channel='{other}'] .badge")).to_be_visible()


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
@pytest.mark.parametrize(
    "screen",
    [messages, open_list, open_form, picker, option, switch, mail],
    ids=lambda s: s.__name__,
)
async def test_axe_finds_nothing_serious(
    room: Room, axe: str, screen: Screen, phone: bool, theme: str
) -> None:
    place = room.channel()
    async with room.seen_by("Ann", place, phone=phone) as page:
        if not phone:
            await page.set_viewport_size(DESKTOP)
        await page.evaluate(f"localStorage.setItem('theme', '{theme}')")
        await page.reload()
        await expect(page.locator(".opening h2")).to_be_visible()
        await screen(page, room, place)
        await page.evaluate(SETTLE)
        await page.evaluate(axe)
        assert "\n".join(await page.evaluate(RUN)) == ""
