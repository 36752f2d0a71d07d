"""The page played by keyboard alone: where the focus is, what closes, what stays in sight."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Locator, Page, expect

from tests.bot.sandbox.page_browser import ONE_PIXEL
from tests.bot.sandbox.page_room import Room, command, open_room, table

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

OVERLAP = """([upper, lower]) => {
  const [a, b] = [upper.getBoundingClientRect(), lower.getBoundingClientRect()];
  return a.bottom > b.top && b.bottom > a.top && a.right > b.left && b.right > a.left;
}"""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def room() -> AsyncIterator[Room]:
    async with open_room() as opened:
        yield opened


async def tab_to(page: Page, wanted: Locator, key: str = "Tab") -> None:
    """Press Tab until the control has the focus, and see that the focus can be seen."""
    target = await wanted.element_handle()
    for _ in range(60):
        await page.keyboard.press(key)
        if await page.evaluate("(wanted) => document.activeElement === wanted", target):
            break
    await expect(wanted).to_be_focused()
    outline = await wanted.evaluate("one => getComputedStyle(one).outlineStyle")
    assert outline != "none"


async def test_a_bare_slash_shows_play_on_the_first_screen(room: Room) -> None:
    place = room.channel()
    for phone in (False, True):
        async with room.seen_by("Ann", place, phone=phone) as page:
            await page.locator(".composer-text").press_sequentially("/")
            first = page.get_by_role("option").first
            await expect(first).to_contain_text("/play")
            await expect(first).to_be_in_viewport(ratio=1)
            await expect(first).to_have_attribute("aria-selected", "true")
            await page.keyboard.press("Escape")
            await expect(page.get_by_role("option")).to_have_count(0)
            await expect(page.locator(".composer-text")).to_be_focused()


@pytest.mark.parametrize("phone", [False, True])
async def test_the_list_of_an_option_does_not_cover_its_label(room: Room, phone: bool) -> None:
    place = room.channel()
    async with room.seen_by("Ann", place, phone=phone) as page:
        await page.locator(".composer-text").fill("/odds liars")
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("option").first).to_be_visible()
        listed = await page.locator(".popover").element_handle()
        for part in (".option-field-name", ".option-field-input"):
            label = await page.locator(".option-field").first.locator(part).element_handle()
            assert not await page.evaluate(OVERLAP, [listed, label])


async def test_a_bid_is_made_in_steps_with_the_keyboard_alone(room: Room) -> None:
    place = room.channel()
    async with room.seen_by("Ann", place) as page:
        await page.locator(".composer-text").focus()
        await page.keyboard.type("/pad")
        await page.keyboard.press("Enter")
        await page.keyboard.press("Enter")
        pad = page.locator(".message.ephemeral")
        await expect(pad).to_contain_text("Step 1.")
        await tab_to(page, pad.get_by_role("button", name="Pair"), "Shift+Tab")
        await page.keyboard.press("Enter")
        await expect(pad).to_contain_text("Step 2. Pair")
        await expect(pad.get_by_role("button", name="Jacks")).to_be_focused()  # the same place
        await page.keyboard.press("Tab")
        await page.keyboard.press("Space")
        await expect(pad).to_contain_text("Step 3. Queens")
        back = pad.get_by_role("button", name="Back")
        await expect(back).to_be_focused()
        await page.keyboard.press("Enter")
        await expect(pad).to_contain_text("Step 2. Back")
        await expect(back).to_be_focused()  # elsewhere in the row, and of the same name


async def test_a_table_opened_chosen_from_and_left_by_keyboard(room: Room) -> None:
    place = room.channel()
    async with room.seen_by("Ann", place) as page:
        shown = await table(page)
        await page.locator(".composer-text").focus()
        await tab_to(page, shown.get_by_role("combobox"), "Shift+Tab")
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("listbox")).to_be_focused()
        await page.keyboard.press("End")
        await page.keyboard.press("ArrowUp")
        await page.keyboard.press("Enter")
        await expect(shown).to_contain_text("Standing bid: three sixes")
        await expect(shown.get_by_role("combobox")).to_be_focused()
        await tab_to(page, shown.get_by_role("button", name="Call…"))
        await page.keyboard.press("Space")
        await expect(page.get_by_label("In words")).to_be_focused()
        await page.keyboard.type("44")
        await page.keyboard.press("Enter")
        await expect(shown).to_contain_text("Standing bid: 44")
        await expect(shown.get_by_role("button", name="Call…")).to_be_focused()


async def test_channels_are_walked_with_arrow_keys(room: Room) -> None:
    here, there = room.channel(), room.channel()
    async with room.seen_by("Ann", here) as page:
        current = page.locator(f"#channels [data-channel='{here}']")
        await current.focus()
        await page.keyboard.press("ArrowDown")
        after = page.locator(f"#channels [data-channel='{there}']")
        await expect(after).to_be_focused()
        await room.post(there, "news")  # the list is drawn anew meanwhile
        await expect(after.locator(".unseen")).to_have_count(1)
        await expect(after).to_be_focused()
        await page.keyboard.press("Enter")
        await expect(after).to_have_attribute("aria-current", "page")


async def test_escape_closes_the_person_switch_and_leaving_it_does_too(room: Room) -> None:
    place = room.channel()
    async with room.seen_by("Ann", place) as page:
        opener = page.locator("#self .person-button")
        dialog = page.get_by_role("dialog", name="Whom you play")
        await opener.focus()
        await page.keyboard.press("Enter")
        await page.keyboard.press("ArrowDown")
        await expect(dialog.get_by_role("button", name="Bob", exact=True)).to_be_focused()
        await page.keyboard.press("Escape")
        await expect(dialog).to_have_count(0)
        await expect(opener).to_be_focused()
        await page.keyboard.press("Enter")
        await expect(dialog).to_be_visible()
        await page.keyboard.press("Shift+Tab")  # out at its top
        await expect(dialog).to_have_count(0)


async def test_on_a_phone_the_drawer_keeps_the_focus_until_it_is_closed(room: Room) -> None:
    place = room.channel()
    async with room.seen_by("Ann", place, phone=True) as page:
        await page.locator("#menu").focus()
        await page.keyboard.press("Enter")
        await expect(page.locator("#channels [aria-current=page]")).to_be_focused()
        for _ in range(20):
            await page.keyboard.press("Tab")
            assert not await page.evaluate(
                "document.querySelector('#main').contains(document.activeElement)"
            )
        await page.locator("#channels [aria-current=page]").focus()
        await page.keyboard.press("Escape")
        await expect(page.locator("#shade")).to_be_hidden()
        await expect(page.locator("#menu")).to_be_focused()


async def test_the_focus_is_not_lost_with_a_deleted_message(room: Room) -> None:
    place = room.channel()
    button = {"type": 2, "style": 1, "label": "Here", "custom_id": "here"}
    gone = await room.post(place, "soon gone", components=[{"type": 1, "components": [button]}])
    async with room.seen_by("Ann", place) as page:
        await page.get_by_role("button", name="Here").focus()
        await room.raw.api("DELETE", f"/channels/{place}/messages/{gone}")
        await expect(page.locator(".message")).to_have_count(0)
        await expect(page.locator("#scroller")).to_be_focused()


async def test_a_picture_enlarged_and_closed_gives_the_focus_back(room: Room) -> None:
    place = room.channel()
    async with room.seen_by("Ann", place) as page:
        await command(page, "play")
        body = {"content": "cards", "attachments": [{"id": 0, "description": "three kings"}]}
        await room.raw.send(place, body, files=[("cards.png", ONE_PIXEL)])
        frame = page.get_by_role("button", name="Enlarge: three kings")
        await frame.focus()
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("dialog", name="three kings")).to_be_visible()
        await page.keyboard.press("Escape")
        await expect(page.get_by_role("dialog")).to_have_count(0)
        await expect(frame).to_be_focused()
