"""What calls a person on the page: unread marks, pings, links that lead there; in Chromium."""

import asyncio
import re
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Locator, Page, Route, expect

from tests.bot.sandbox.page_room import Room, command, open_room, table

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

BOLD = re.compile(r"(^|\s)unread(\s|$)")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def room() -> AsyncIterator[Room]:
    async with open_room() as opened:
        yield opened


def row(page: Page, channel: str) -> Locator:
    """The channel in the drawer."""
    return page.locator(f"#channels [data-channel='{channel}']")


async def go(page: Page, channel: str) -> None:
    """Open the channel; what comes now in the one before is unread."""
    await row(page, channel).click()
    await expect(row(page, channel)).to_have_attribute("aria-current", "page")


async def test_a_channel_with_something_new_is_bold_until_it_is_opened(room: Room) -> None:
    here, there = room.channel(), room.channel()
    async with room.seen_by("Ann", here) as page:
        await expect(row(page, there)).not_to_have_class(BOLD)
        await room.post(there, "somebody called")
        await expect(row(page, there)).to_have_class(BOLD)
        await expect(row(page, there).locator(".badge")).to_have_count(0)
        await go(page, there)
        await expect(row(page, there)).not_to_have_class(BOLD)
        await expect(page.locator(".day.new")).to_have_text("New")
        await page.reload()
        await expect(page.locator(".message")).to_contain_text("somebody called")
        await expect(page.locator(".day.new")).to_have_count(0)
        assert not room.world.person("Ann").unread(there)


async def test_a_mention_is_a_red_badge_for_its_person_and_highlights_the_message(
    room: Room,
) -> None:
    here, there = room.channel(), room.channel()
    bob = room.world.person("Bob")
    async with room.seen_by("Ann", here) as anns, room.seen_by("Bob", here) as bobs:
        allowed = {"parse": [], "users": [bob.id]}
        await room.post(there, f"<@{bob.id}>, your turn", allowed_mentions=allowed)
        await expect(row(bobs, there).locator(".badge")).to_have_text("1 unread")
        await expect(bobs).to_have_title(re.compile(r"^\(1\) "))
        await expect(row(anns, there)).to_have_class(BOLD)
        await expect(row(anns, there).locator(".badge")).to_have_count(0)
        for page, marked in ((anns, 0), (bobs, 1)):
            await go(page, there)
            await expect(page.locator(".message")).to_contain_text("@Bob, your turn")
            await expect(page.locator(".message.mentioned")).to_have_count(marked)
        await expect(bobs).not_to_have_title(re.compile(r"^\("))


async def test_a_view_that_was_slow_to_come_does_not_undo_a_ping_heard_meanwhile(
    room: Room,
) -> None:
    here, there = room.channel(), room.channel()
    bob = room.world.person("Bob")
    under_way, let_go = asyncio.Event(), asyncio.Event()

    async def slow(route: Route) -> None:
        answer = await route.fetch()  # as it was before the ping
        under_way.set()
        await let_go.wait()
        await route.fulfill(response=answer)

    async with room.seen_by("Bob", here) as page:
        await page.route("**/page/view*", slow)
        made = room.channel()  # the page reads its view again
        await under_way.wait()
        allowed = {"parse": [], "users": [bob.id]}
        await room.post(there, f"<@{bob.id}>, your turn", allowed_mentions=allowed)
        await expect(row(page, there).locator(".badge")).to_have_text("1 unread")
        let_go.set()
        await expect(row(page, made)).to_be_visible()  # the view is there
        assert await row(page, there).locator(".badge").count() == 1
        assert (await page.title()).startswith("(1) ")


async def test_an_edit_does_not_ping_and_a_deleted_ping_leaves_only_bold(room: Room) -> None:
    here, there = room.channel(), room.channel()
    bob = room.world.person("Bob")
    words = f"<@{bob.id}>, your turn"
    async with room.seen_by("Bob", here) as page:
        quiet = await room.post(here, "nothing yet")
        await go(page, there)
        await room.raw.api("PATCH", f"/channels/{here}/messages/{quiet}", {"content": words})
        called = await room.post(there, words)  # heard after the edit
        await expect(page.locator(".message.mentioned")).to_have_count(1)
        await expect(row(page, here)).not_to_have_class(BOLD)
        await go(page, here)
        await expect(page.locator(".message.mentioned")).to_contain_text("@Bob, your turn")
        called = await room.post(there, words)
        await expect(row(page, there).locator(".badge")).to_have_text("1 unread")
        await room.raw.api("DELETE", f"/channels/{there}/messages/{called}")
        await expect(row(page, there).locator(".badge")).to_have_count(0)
        await expect(row(page, there)).to_have_class(BOLD)


async def test_two_tabs_of_one_person_have_read_the_same(room: Room) -> None:
    here, there = room.channel(), room.channel()
    async with room.seen_by("Cleo", here) as one, room.seen_by("Cleo", here) as other:
        await room.post(there, "news")
        await expect(row(other, there)).to_have_class(BOLD)
        await go(one, there)
        await expect(row(other, there)).not_to_have_class(BOLD)


async def test_the_person_switch_shows_who_is_called(room: Room) -> None:
    here, there = room.channel(), room.channel()
    dora = room.world.add_person("Dora")
    await room.post(there, f"<@{dora.id}>")
    async with room.seen_by("Ann", here) as page:
        await page.get_by_role("button", name="You are Ann. Switch person").last.click()
        dialog = page.get_by_role("dialog", name="Whom you play")
        await expect(dialog.locator(".place", has_text="Dora").locator(".badge")).to_have_text(
            "1 unread"
        )
        await expect(dialog.locator(".place", has_text="Ann").locator(".badge")).to_be_hidden()


async def test_a_private_message_changes_without_a_click_and_outlives_the_table(
    room: Room,
) -> None:
    place = room.channel()
    async with room.seen_by("Ann", place) as ann, room.seen_by("Bob", place) as bob:
        shown = await table(ann)
        await expect(bob.locator(".message")).to_have_count(1)
        await shown.get_by_role("button", name="My seat").click()
        private = ann.locator(".message.ephemeral")
        await expect(private).to_contain_text("Ann holds three kings")
        await room.dealer.seats[-1].edit_original_response(content="Your turn, Ann")
        await expect(private).to_contain_text("Your turn, Ann")
        [public] = room.world.person("Bob").visible(place)
        await room.raw.api("DELETE", f"/channels/{place}/messages/{public.id}")
        await expect(bob.locator(".message")).to_have_count(0)
        await expect(ann.locator(".message")).to_have_count(1)
        await expect(private).to_contain_text("Your turn, Ann")


async def test_a_channel_named_in_a_direct_message_can_be_pressed(room: Room) -> None:
    place = room.channel()
    async with room.seen_by("Bob", place) as page:
        name = await page.locator("#place-name").inner_text()
        await command(page, "whisper")
        await page.locator("#channels .place", has_text="Bluffhouse").click()
        await page.get_by_role("link", name=f"#{name}").click()
        await expect(page.locator("#place-name")).to_have_text(name)
        assert len(page.context.pages) == 1


async def test_a_link_to_a_message_shows_that_message_however_old(room: Room) -> None:
    here, there = room.channel(), room.channel()
    guild = room.world.server("The Snug").id
    wanted = await room.post(there, "the very first")
    for number in range(70):
        await room.post(there, f"line {number}")
    link = f"https://discord.com/channels/{guild}/{there}/{wanted}"
    async with room.seen_by("Ann", here) as page:
        name = await row(page, there).locator(".place-name").inner_text()
        await room.post(here, f"[look]({link}) {link}")
        await expect(page.get_by_role("link", name=f"#{name} › message")).to_be_visible()
        await page.get_by_role("link", name="look").click()
        message = page.locator(f".message[data-id='{wanted}']")
        await expect(message).to_be_in_viewport()
        await expect(message).to_be_focused()
        assert "at=" not in page.url


async def test_a_link_to_a_message_that_is_gone_says_so(room: Room) -> None:
    here, there = room.channel(), room.channel()
    guild = room.world.server("The Snug").id
    gone = await room.post(there, "soon gone")
    await room.raw.api("DELETE", f"/channels/{there}/messages/{gone}")
    async with room.seen_by("Ann", here) as page:
        await room.post(here, f"[look](https://discord.com/channels/{guild}/{there}/{gone})")
        await page.get_by_role("link", name="look").click()
        await expect(page.get_by_role("alert")).to_contain_text("no longer there")


async def test_a_link_to_a_channel_one_cannot_read_leads_out_as_any_other(room: Room) -> None:
    place = room.channel()
    async with room.seen_by("Ann", place) as page:
        await room.post(place, "[elsewhere](https://discord.com/channels/1/2/3) <#2>")
        link = page.get_by_role("link", name="elsewhere")
        assert await link.get_attribute("target") == "_blank"
        await expect(page.locator(".message .mention")).to_have_text("#unknown")
