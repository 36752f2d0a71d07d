"""The local Discord's page in headless Chromium, with an unmodified discord.py bot."""

import asyncio
import os
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
import yarl
from playwright.async_api import Locator, Page, Route, expect

from bot.sandbox.world import Sandbox
from tests.bot.sandbox.page_browser import ONE_PIXEL, PATIENCE_MS, tab
from tests.bot.sandbox.page_room import BIDS, HOSTILE, Room, command, open_room, table

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

BOLD = re.compile(r"(^|\s)unread(\s|$)")
TYPE_THREE = """(input) => {
  for (const letter of "three") {
    input.value += letter;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }
}"""
OVERLAP = """([upper, lower]) => {
  const [a, b] = [upper.getBoundingClientRect(), lower.getBoundingClientRect()];
  return a.bottom > b.top && b.bottom > a.top && a.right > b.left && b.right > a.left;
}"""
SCROLL_TO_700 = """new Promise((done) => {
  const scroller = document.querySelector("#scroller");
  scroller.addEventListener("scroll", done, { once: true }); // after the page's own listener
  scroller.scrollTop = 700;
})"""
TOO_LOW = """(nodes) => nodes
  .filter((node) => node.offsetParent && node.getBoundingClientRect().height < 40)
  .map((node) => node.className + node.textContent)"""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def room() -> AsyncIterator[Room]:
    async with open_room() as opened:
        yield opened


def row(page: Page, channel: str) -> Locator:
    """Find the channel's row in the drawer."""
    return page.locator(f"#channels [data-channel='{channel}']")


async def go(page: Page, channel: str) -> None:
    """Open the channel, so that new messages in the previous channel count as unread."""
    await row(page, channel).click()
    await expect(row(page, channel)).to_have_attribute("aria-current", "page")


async def say(page: Page, words: str) -> None:
    await page.locator(".composer-text").fill(words)
    await page.keyboard.press("Enter")


async def switch(page: Page, person: str = "Ann") -> Locator:
    """Open the dialog that asks whom to play, and return the dialog."""
    await page.get_by_role("button", name=f"You are {person}. Switch person").last.click()
    return page.get_by_role("dialog", name="Whom you play")


async def become(page: Page, person: str) -> None:
    await page.get_by_role("button", name=person, exact=True).click()
    await expect(page.locator("#self")).to_contain_text(person)


async def tab_to(page: Page, node: Locator, key: str = "Tab") -> None:
    """Press `key` until `node` has the focus, and assert that the focus is visible."""
    target = await node.element_handle()
    for _ in range(60):
        await page.keyboard.press(key)
        if await page.evaluate("(wanted) => document.activeElement === wanted", target):
            break
    await expect(node).to_be_focused()
    outline = await node.evaluate("one => getComputedStyle(one).outlineStyle")
    assert outline != "none"


# -- messages, and who one is ----------------------------------------------------------------------


async def test_a_message_reaches_everyone_and_hostile_words_and_names_are_text(room: Room) -> None:
    place = room.channel()
    async with room.page_of("Ann", place) as ann, room.page_of("Bob", place) as bob:
        await say(ann, "hello **table**")
        await expect(bob.locator(".message strong")).to_have_text("table")
        await expect(bob.locator(".message .author")).to_have_text("Ann")
        await expect(ann.locator(".composer-text")).to_have_value("")
        await say(ann, HOSTILE)
        await expect(ann.locator(".message-content").last).to_have_text(HOSTILE)
        await expect(await table(ann)).to_contain_text(HOSTILE)
        assert await ann.locator("#messages img, #messages script").count() == 0


async def test_the_acting_person_can_be_switched_and_is_in_the_address(room: Room) -> None:
    place = room.channel()
    async with room.page_of("Ann", place) as page, room.page_of("Bob", place) as bob:
        await switch(page)
        await become(page, "Bob")
        await expect(page).to_have_url(re.compile(f"as={room.world.person('Bob').id}"))
        await expect(page).to_have_url(re.compile(f"in={place}"))
        await page.reload()
        await expect(page.locator("#self")).to_contain_text("Bob")
        await switch(page, "Bob")
        await page.get_by_label("Bob accepts direct messages").uncheck()
        member = page.locator(".member", has_text="Bob")
        await expect(member).to_contain_text("Direct messages closed")
        await page.get_by_label("Bob accepts direct messages").check()
        await expect(member).not_to_contain_text("Direct messages closed")
        added = page.get_by_label("Name of the new person")
        await added.fill("bob")
        await page.keyboard.press("Enter")
        await expect(page.locator(".add-person .field-error")).not_to_be_empty()
        await added.fill("Dora")
        await page.keyboard.press("Enter")
        await expect(page.locator("#self")).to_contain_text("Dora")  # who is played at once
        await expect(bob.locator("#members")).to_contain_text("Dora")
        await room.post(room.channel(), f"<@{room.world.person('Dora').id}>")
        dialog = await switch(bob, "Bob")
        dora = dialog.locator(".place", has_text="Dora").locator(".badge")
        await expect(dora).to_have_text("1 unread")
        await expect(dialog.locator(".place", has_text="Ann").locator(".badge")).to_be_hidden()


async def test_escape_closes_the_person_switch_and_leaving_it_does_too(room: Room) -> None:
    async with room.page_of("Ann", room.channel()) as page:
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


async def test_buttons_a_fifth_larger_are_a_switch_that_is_remembered(room: Room) -> None:
    async with room.page_of("Ann", room.channel()) as page:
        button = (await table(page)).locator(".button").first
        before = await button.bounding_box()
        await switch(page)
        await page.get_by_label("Larger buttons, as on iPhones").check()
        await page.keyboard.press("Escape")
        after = await button.bounding_box()
        assert before is not None
        assert after is not None
        assert after["height"] == pytest.approx(1.2 * before["height"], abs=0.5)
        await page.reload()
        assert await page.evaluate("document.documentElement.dataset.buttons") == "larger"


async def test_one_persons_actions_are_not_shown_to_the_next_person(room: Room) -> None:
    async with room.page_of("Ann", room.channel()) as page:
        room.world.faults.drop_interactions()
        async with page.expect_response(lambda answer: answer.url.endswith("/act")) as failed:
            await command(page, "play")
            await expect(page.locator(".message")).to_contain_text("Sending command")
            await switch(page)
            await become(page, "Bob")
            await room.clock.until_asleep()
            room.clock.advance(3.0)
        await (await failed.value).finished()
        await page.evaluate("new Promise((done) => setTimeout(done))")
        await expect(page.locator(".message")).to_have_count(0)


# -- commands, lists, forms ------------------------------------------------------------------------


async def test_a_slash_command_is_picked_and_filled_in_by_keyboard(room: Room) -> None:
    async with room.page_of("Ann", room.channel()) as page:
        await page.locator(".composer-text").press_sequentially("/li")
        await expect(page.get_by_role("option")).to_contain_text("/odds liars")
        await page.keyboard.press("Enter")
        await page.keyboard.type("jack")
        await page.keyboard.press("Enter")  # sooner than the suggestions: waits for them
        await expect(page.get_by_label("cards (required)")).to_be_focused()
        await expect(page.get_by_role("combobox", name="bid")).to_have_value("pair of jacks")
        await page.keyboard.type("99")
        await page.keyboard.press("Enter")
        await expect(page.locator(".field-error").nth(1)).to_have_text("At most 50.")
        await page.keyboard.press("ControlOrMeta+a")
        await page.keyboard.type("12")
        await page.get_by_role("button", name="against").click()
        await page.keyboard.type("bo")
        await page.keyboard.press("Enter")
        await page.keyboard.press("Enter")
        answer = page.locator(".message-content").first  # beside it for a moment: sending…
        await expect(answer).to_have_text("pair of jacks among 12")
        await expect(page.locator(".used").last).to_contain_text("Ann used /odds")
        assert room.dealer.told[-1] == ["pair of jacks", 12, "Bob"]
        await expect(page.locator(".composer-text")).to_be_focused()
        await say(page, "/odds liars")
        await expect(page.get_by_role("option")).to_have_count(len(BIDS))
        room.dealer.told.clear()
        await page.get_by_role("combobox", name="bid").evaluate(TYPE_THREE)
        await expect(page.get_by_role("option")).to_have_text(["three sixes"])
        assert room.dealer.told == ["asked: three"]  # once a pause and not once a letter


@pytest.mark.parametrize("phone", [False, True])
async def test_a_slash_suggests_play_and_an_options_list_does_not_cover_its_label(
    room: Room, phone: bool
) -> None:
    async with room.page_of("Ann", room.channel(), phone=phone) as page:
        await page.locator(".composer-text").press_sequentially("/")
        first = page.get_by_role("option").first
        await expect(first).to_contain_text("/play")
        await expect(first).to_be_in_viewport(ratio=1)
        await expect(first).to_have_attribute("aria-selected", "true")
        await page.keyboard.press("Escape")
        await expect(page.get_by_role("option")).to_have_count(0)
        await expect(page.locator(".composer-text")).to_be_focused()
        await say(page, "/odds liars")
        await expect(page.get_by_role("option").first).to_be_visible()
        listed = await page.locator(".popover").element_handle()
        for part in (".option-field-name", ".option-field-input"):
            label = await page.locator(".option-field").first.locator(part).element_handle()
            assert not await page.evaluate(OVERLAP, [listed, label])


async def test_a_select_redraws_the_table_for_everyone_and_an_open_list_outlives_that(
    room: Room,
) -> None:
    place = room.channel()
    async with room.page_of("Ann", place) as ann, room.page_of("Bob", place) as bob:
        anns_table, bobs = await table(ann), bob.locator(".message")
        await anns_table.get_by_role("combobox").click()
        await bobs.get_by_role("combobox").click()
        await bob.get_by_role("option", name="three sixes").click()
        for page in (anns_table, bobs):
            await expect(page).to_contain_text("Standing bid: three sixes")
        await expect(bobs).to_have_count(1)
        await expect(bobs.get_by_role("combobox")).to_have_text("Raise")
        await ann.get_by_role("option", name="flush").click()
        await expect(bobs).to_contain_text("Standing bid: flush")
        await expect(anns_table.get_by_role("combobox")).to_have_attribute("aria-expanded", "false")


async def test_a_form_checks_its_fields_and_updates_the_table(room: Room) -> None:
    async with room.page_of("Ann", room.channel()) as page:
        node = await table(page)
        call, before = node.get_by_role("button", name="Call…"), list(room.dealer.told)
        form = page.get_by_role("dialog", name="Call a bid")
        await call.click()
        await expect(form).to_be_visible()
        await page.keyboard.press("Escape")
        await expect(form).to_have_count(0)
        await expect(call).to_be_focused()
        assert room.dealer.told == before  # one that is given up tells the bot nothing
        await call.click()
        await expect(form.get_by_label("In words")).to_be_focused()
        await page.keyboard.press("Enter")
        await expect(form.locator(".field-error").first).to_have_text("This field is required.")
        await page.keyboard.type("4")
        await page.keyboard.press("Enter")
        await expect(form.locator(".field-error").first).to_contain_text("At least 2 characters")
        await page.keyboard.type("4")
        await form.get_by_role("combobox").click()
        await page.get_by_role("option", name="Hearts").click()
        await form.get_by_role("button", name="Submit").click()
        await expect(form).to_have_count(0)
        await expect(node).to_contain_text("Standing bid: 44")
        assert room.dealer.told[-1] == ["44", ["H"]]


async def test_a_private_answer_is_seen_by_one_changes_without_a_click_and_is_dismissed(
    room: Room,
) -> None:
    place = room.channel()
    async with room.page_of("Ann", place) as ann, room.page_of("Bob", place) as bob:
        node = await table(ann)
        await expect(bob.locator(".message")).to_have_count(1)
        await node.get_by_role("button", name="My seat").click()
        private = ann.locator(".message.ephemeral")
        await expect(private).to_contain_text("Ann holds three kings")
        await expect(private).to_contain_text("Only you can see this")
        await bob.reload()
        await expect(bob.locator(".message")).to_have_count(1)
        assert "holds three kings" not in await bob.content()
        await room.dealer.seats[-1].edit_original_response(content="Your turn, Ann")
        await expect(private).to_contain_text("Your turn, Ann")
        [public] = room.world.person("Bob").visible(place)
        await room.raw.api("DELETE", f"/channels/{place}/messages/{public.id}")
        await expect(bob.locator(".message")).to_have_count(0)
        await expect(ann.locator(".message")).to_have_count(1)  # it outlives the table
        await expect(private).to_contain_text("Your turn, Ann")
        await private.get_by_role("button", name="Dismiss message").click()
        await expect(private).to_have_count(0)
        await ann.reload()
        await expect(ann.locator(".opening")).to_be_attached()
        await expect(ann.locator(".ghost")).to_have_count(0)
        await expect(ann.locator(".message")).to_have_count(0)


async def test_a_press_that_is_not_answered_says_so_and_can_be_repeated(room: Room) -> None:
    async with room.page_of("Ann", room.channel()) as page:
        node = await table(page)
        button = node.get_by_role("button", name="My seat")
        room.world.faults.drop_interactions()
        await button.click()
        await expect(button).to_have_attribute("aria-busy", "true")
        await room.clock.until_asleep()
        room.clock.advance(3.0)
        await expect(node.locator(".failure")).to_have_text("This interaction failed")
        await expect(button).not_to_have_attribute("aria-busy", "true")
        await expect(node.get_by_role("button", name="Closed")).to_be_disabled()
        await node.get_by_role("combobox").click()
        await page.get_by_role("option", name="pair of fours").click()
        await expect(node.locator(".failure")).to_have_count(0)


# -- by keyboard alone: where the focus is, what closes, what stays in sight -----------------------


async def test_a_bid_is_made_in_steps_with_the_keyboard_alone(room: Room) -> None:
    async with room.page_of("Ann", room.channel()) as page:
        await page.locator(".composer-text").focus()
        await page.keyboard.type("/pad")
        await page.keyboard.press("Enter")
        await page.keyboard.press("Enter")
        # a slow answer comes while the page still shows "Sending command…"
        pad = page.locator(".message.ephemeral:not(.local)")
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
    async with room.page_of("Ann", room.channel()) as page:
        node = await table(page)
        await page.locator(".composer-text").focus()
        await tab_to(page, node.get_by_role("combobox"), "Shift+Tab")
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("listbox")).to_be_focused()
        await page.keyboard.press("End")
        await page.keyboard.press("ArrowUp")
        await page.keyboard.press("Enter")
        await expect(node).to_contain_text("Standing bid: three sixes")
        await expect(node.get_by_role("combobox")).to_be_focused()
        await tab_to(page, node.get_by_role("button", name="Call…"))
        await page.keyboard.press("Space")
        await expect(page.get_by_label("In words")).to_be_focused()
        await page.keyboard.type("44")
        await page.keyboard.press("Enter")
        await expect(node).to_contain_text("Standing bid: 44")
        await expect(node.get_by_role("button", name="Call…")).to_be_focused()


async def test_the_focus_is_not_lost_with_a_picture_closed_or_a_message_deleted(
    room: Room,
) -> None:
    place = room.channel()
    button = {"type": 2, "style": 1, "label": "Here", "custom_id": "here"}
    gone = await room.post(place, "soon gone", components=[{"type": 1, "components": [button]}])
    async with room.page_of("Ann", place) as page:
        body = {"content": "cards", "attachments": [{"id": 0, "description": "three kings"}]}
        _, sent = await room.raw.send(place, body, files=[("cards.png", ONE_PIXEL)])
        frame = page.get_by_role("button", name="Enlarge: three kings")
        await frame.focus()
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("dialog", name="three kings")).to_be_visible()
        await page.keyboard.press("Escape")
        await expect(page.get_by_role("dialog")).to_have_count(0)
        await expect(frame).to_be_focused()
        await room.raw.api("DELETE", f"/channels/{place}/messages/{sent['id']}")
        await expect(page.locator(".message")).to_have_count(1)
        await page.get_by_role("button", name="Here").focus()
        await room.raw.api("DELETE", f"/channels/{place}/messages/{gone}")
        await expect(page.locator(".message")).to_have_count(0)
        await expect(page.locator("#scroller")).to_be_focused()


# -- channels, and what calls a person: unread marks, pings, links that lead there -----------------


async def test_channels_are_walked_with_arrow_keys(room: Room) -> None:
    channel, elsewhere = room.channel(), room.channel()
    async with room.page_of("Ann", channel) as page:
        await row(page, channel).focus()
        await page.keyboard.press("ArrowDown")
        after = row(page, elsewhere)
        await expect(after).to_be_focused()
        await room.post(elsewhere, "news")  # the list is drawn anew meanwhile
        await expect(after.locator(".unseen")).to_have_count(1)
        await expect(after).to_be_focused()
        await page.keyboard.press("Enter")
        await expect(after).to_have_attribute("aria-current", "page")


async def test_a_channel_with_something_new_is_bold_until_it_is_opened_in_any_tab(
    room: Room,
) -> None:
    channel, elsewhere = room.channel(), room.channel()
    async with room.page_of("Ann", channel) as page, room.page_of("Ann", channel) as second_page:
        await expect(row(page, elsewhere)).not_to_have_class(BOLD)
        await room.post(elsewhere, "somebody called")
        for each_page in (page, second_page):
            await expect(row(each_page, elsewhere)).to_have_class(BOLD)
        await expect(row(page, elsewhere).locator(".badge")).to_have_count(0)
        await go(page, elsewhere)
        for each_page in (page, second_page):
            await expect(row(each_page, elsewhere)).not_to_have_class(BOLD)
        await expect(page.locator(".day.new")).to_have_text("New")
        await page.reload()
        await expect(page.locator(".message")).to_contain_text("somebody called")
        await expect(page.locator(".day.new")).to_have_count(0)
        assert not room.world.person("Ann").unread(elsewhere)


async def test_a_mention_is_a_red_badge_for_its_person_and_highlights_the_message(
    room: Room,
) -> None:
    channel, elsewhere = room.channel(), room.channel()
    bob = room.world.person("Bob")
    words, allowed = f"<@{bob.id}>, your turn", {"parse": [], "users": [bob.id]}
    async with room.page_of("Ann", channel) as anns, room.page_of("Bob", channel) as bobs:
        quiet = await room.post(channel, "nothing yet")
        await room.post(elsewhere, words, allowed_mentions=allowed)
        await expect(row(bobs, elsewhere).locator(".badge")).to_have_text("1 unread")
        await expect(bobs).to_have_title(re.compile(r"^\(1\) "))
        await expect(row(anns, elsewhere)).to_have_class(BOLD)
        await expect(row(anns, elsewhere).locator(".badge")).to_have_count(0)
        for page, marked in ((anns, 0), (bobs, 1)):
            await go(page, elsewhere)
            await expect(page.locator(".message")).to_contain_text("@Bob, your turn")
            await expect(page.locator(".message.mentioned")).to_have_count(marked)
        await expect(bobs).not_to_have_title(re.compile(r"^\("))
        # an edit does not ping, and of a deleted ping only the bold name is left
        await room.raw.api("PATCH", f"/channels/{channel}/messages/{quiet}", {"content": words})
        await room.post(elsewhere, words)  # heard after the edit
        await expect(bobs.locator(".message.mentioned")).to_have_count(2)
        await expect(row(bobs, channel)).not_to_have_class(BOLD)
        await go(bobs, channel)
        await expect(bobs.locator(".message.mentioned")).to_contain_text("@Bob, your turn")
        called = await room.post(elsewhere, words)
        await expect(row(bobs, elsewhere).locator(".badge")).to_have_text("1 unread")
        await room.raw.api("DELETE", f"/channels/{elsewhere}/messages/{called}")
        await expect(row(bobs, elsewhere).locator(".badge")).to_have_count(0)
        await expect(row(bobs, elsewhere)).to_have_class(BOLD)


async def test_a_view_that_was_slow_to_come_does_not_undo_a_ping_heard_meanwhile(
    room: Room,
) -> None:
    channel, elsewhere = room.channel(), room.channel()
    bob = room.world.person("Bob")
    under_way, let_go = asyncio.Event(), asyncio.Event()

    async def slow(route: Route) -> None:
        answer = await route.fetch()  # as it was before the ping
        under_way.set()
        await let_go.wait()
        await route.fulfill(response=answer)

    async with room.page_of("Bob", channel) as page:
        await page.route("**/page/view*", slow)
        new_channel = room.channel()  # the page reads its view again
        await under_way.wait()
        allowed = {"parse": [], "users": [bob.id]}
        await room.post(elsewhere, f"<@{bob.id}>, your turn", allowed_mentions=allowed)
        await expect(row(page, elsewhere).locator(".badge")).to_have_text("1 unread")
        let_go.set()
        await expect(row(page, new_channel)).to_be_visible()  # the view is there
        assert await row(page, elsewhere).locator(".badge").count() == 1
        assert (await page.title()).startswith("(1) ")


async def test_an_unread_direct_message_is_counted_until_it_is_read(room: Room) -> None:
    place = room.channel()
    async with room.page_of("Cleo", place) as page:
        name = await page.locator("#place-name").inner_text()
        await command(page, "message_me")
        mail = page.locator("#channels .place", has_text="Bluffhouse")
        await expect(mail.locator(".badge")).to_have_text("1 unread")
        assert (await page.title()).startswith("(1) ")
        await page.reload()
        await expect(mail.locator(".badge")).to_have_text("1 unread")
        await mail.click()
        await expect(page.locator(".message")).to_contain_text("Your hole cards")
        await expect(mail.locator(".badge")).to_have_count(0)
        await page.reload()
        await expect(page.locator(".message")).to_contain_text("Your hole cards")
        await expect(page.locator(".badge")).to_have_count(0)
        for link in ("at the table", f"#{name}"):  # which lead there and not to Discord
            await page.get_by_role("link", name=link).last.click()
            await expect(page.locator("#place-name")).to_have_text(name)
            await expect(page).to_have_url(re.compile(f"in={place}"))
            assert len(page.context.pages) == 1
            await page.get_by_role("button", name="Direct messages").click()
            await expect(page.locator("#place-name")).to_have_text("Bluffhouse")
        await page.get_by_role("button", name="The Snug").click()  # opens where one was last
        await expect(page.locator("#place-name")).to_have_text(name)
        await command(page, "message_me")
        await expect(mail.locator(".badge")).to_have_text("1 unread")
        await page.reload()
        await expect(mail.locator(".badge")).to_have_text("1 unread")


async def test_a_link_leads_to_a_message_however_old_unless_it_is_gone_or_out_of_reach(
    room: Room,
) -> None:
    near, far = room.channel(), room.channel()
    channel = f"https://discord.com/channels/{room.world.server('The Snug').id}/{far}"
    wanted_id, gone = [await room.post(far, words) for words in ("the very first", "soon gone")]
    await room.raw.api("DELETE", f"/channels/{far}/messages/{gone}")
    for number in range(70):
        await room.post(far, f"line {number}")
    async with room.page_of("Ann", near) as page:
        name = await row(page, far).locator(".place-name").inner_text()
        await room.post(near, "[elsewhere](https://discord.com/channels/1/2/3) <#2>")
        link = page.get_by_role("link", name="elsewhere")
        assert await link.get_attribute("target") == "_blank"  # as any other
        await expect(page.locator(".message .mention")).to_have_text("#unknown")
        await room.post(near, f"[look]({channel}/{wanted_id}) {channel}/{wanted_id}")
        await room.post(near, f"[late]({channel}/{gone})")
        await expect(page.get_by_role("link", name=f"#{name} › message")).to_be_visible()
        await page.get_by_role("link", name="look").click()
        message = page.locator(f".message[data-id='{wanted_id}']")
        await expect(message).to_be_in_viewport()
        await expect(message).to_be_focused()
        await expect(page).not_to_have_url(re.compile("at="))
        await go(page, near)
        await page.get_by_role("link", name="late").click()
        await expect(page.get_by_role("alert")).to_contain_text("no longer there")


async def test_a_link_to_a_thread_leads_there_though_the_thread_came_later(room: Room) -> None:
    place, guild = room.channel(), room.world.server("The Snug").id
    started_from = await room.post(place, "the table")
    async with room.page_of("Ann", place) as page:
        address = f"https://discord.com/channels/{guild}/{started_from}"
        await room.post(place, f"[its own thread]({address})")
        link = page.get_by_role("link", name="its own thread")
        await expect(link).to_have_attribute("href", address)  # no such channel is known yet
        route = f"/channels/{place}/messages/{started_from}/threads"
        await room.raw.api("POST", route, {"name": "side bets"})
        await expect(page.locator(".threads .place").last).to_have_text("side bets")
        await link.click()
        await expect(page.locator("#place-name")).to_have_text("side bets")


async def test_a_thread_is_a_channel_and_whoever_looks_at_a_deleted_one_is_led_to_another(
    room: Room,
) -> None:
    place = room.channel()
    name = room.world.state.channels[place].name
    async with room.page_of("Ann", place) as page:
        await page.get_by_role("button", name="New thread").click()
        await page.get_by_label("Name of the thread").fill("side bets")
        await page.keyboard.press("Enter")
        await expect(page.locator("#place-name")).to_have_text("side bets")
        await expect(page.locator(".threads .place").last).to_have_text("side bets")
        await expect(page).not_to_have_url(re.compile(f"in={place}"))
        await go(page, place)
        await room.world.faults.lose_channel(place)
        await expect(page.locator("#place-name")).not_to_have_text(name)
        await expect(page.locator("#channels .place", has_text=name)).to_have_count(0)
        await expect(page).not_to_have_url(re.compile(f"in={place}"))
        await say(page, "still here")
        await expect(page.locator(".message-content").last).to_have_text("still here")


# -- on a phone, while it scrolls, and when its server goes away and comes back --------------------


async def test_a_phone_has_its_channels_in_a_drawer_and_nothing_wider_than_itself(
    room: Room,
) -> None:
    place, channel = room.channel(), room.channel()
    async with room.page_of("Ann", place, phone=True) as page:
        node = await table(page)
        assert await page.evaluate("document.querySelector('#drawer').inert") is True
        await page.get_by_role("button", name="Servers and channels").tap()
        await row(page, channel).tap()
        await expect(page.locator("#place-name")).to_have_text(
            room.world.state.channels[channel].name
        )
        await expect(page.locator("#shade")).to_be_hidden()
        await page.locator("#menu").tap()
        await row(page, place).tap()
        await expect(page.locator(".message")).to_be_visible()
        for wide in ("document.documentElement", "document.querySelector('#scroller')"):
            assert await page.evaluate(f"{wide}.scrollWidth <= innerWidth")
        await node.get_by_role("button", name="My seat").tap()
        await expect(page.locator(".ephemeral")).to_be_visible()
        assert await page.eval_on_selector_all("#main button, #main textarea", TOO_LOW) == []
        await page.locator("#menu").focus()
        await page.keyboard.press("Enter")
        await expect(page.locator("#channels [aria-current=page]")).to_be_focused()
        for _ in range(20):  # the drawer keeps the focus until it is closed
            await page.keyboard.press("Tab")
            assert not await page.evaluate(
                "document.querySelector('#main').contains(document.activeElement)"
            )
        await page.locator("#channels [aria-current=page]").focus()
        await page.keyboard.press("Escape")
        await expect(page.locator("#shade")).to_be_hidden()
        await expect(page.locator("#menu")).to_be_focused()


async def test_the_newest_and_ones_own_message_come_into_view_and_an_older_one_stays_put(
    room: Room,
) -> None:
    place = room.channel()
    bob = room.world.person("Bob")
    for number in range(60):
        await bob.say(place, f"line {number}")
    async with room.page_of("Ann", place) as page:
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
        await say(page, "line 62")
        await expect(page.get_by_text("line 62", exact=True)).to_be_in_viewport()


async def test_the_page_waits_for_the_server_and_finds_its_way_back_after_a_restart(
    room: Room, tmp_path: Path
) -> None:
    world = Sandbox(state_file=tmp_path / "state.json")
    await world.start()
    port = yarl.URL(world.base_url).port
    assert port is not None
    async with tab(room.browser, f"{world.base_url}/#as=Ann") as page:
        await expect(page.get_by_role("alert")).to_contain_text("nobody in this sandbox")
        world.furnish()
        await expect(page.locator("#place-name")).to_have_text("poker-night")
        await expect(page.locator("#trouble")).to_have_count(0)
        await expect(page.locator("#bot-offline")).to_be_visible()
        await say(page, "before")
        await expect(page.locator(".message")).to_contain_text("before")
        await world.stop()
        await expect(page.locator("#reconnecting")).to_be_visible()
        await say(page, "meanwhile")
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


async def test_eight_open_tabs_all_receive_messages(room: Room) -> None:
    """Open eight tabs: all tabs of a browser share six HTTP connections to a host."""
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


# -- the main screens checked for accessibility by axe-core ----------------------------------------

AXE = Path(__file__).parents[3] / "node_modules" / "axe-core" / "axe.min.js"
RUN = """async () => {
  const grave = ({ impact }) => impact === "serious" || impact === "critical";
  const why = ({ any, all, none }) => [...any, ...all, ...none].map(({ message }) => message);
  const { violations } = await axe.run(document, { resultTypes: ["violations"] });
  return violations.filter(grave).flatMap(({ id, nodes }) =>
    nodes.map((node) => [id, node.target.join(" "), ...why(node)].join(": ")));
}"""
# a fade that is under way has colours of its own
IN_COLOURS = """(theme) => {
  document.documentElement.dataset.theme = theme;
  for (const one of document.getAnimations()) {
    if (one.effect.getComputedTiming().endTime !== Infinity) one.finish();
  }
}"""


@pytest.fixture(scope="module")
def axe() -> str:
    """Return axe-core's source, which `make test` installs; else skip, or fail if CI is set."""
    if AXE.exists():
        return AXE.read_text()
    reason = "axe-core is not installed: make test does that where npm, which comes with node, is"
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


async def screens(page: Page, room: Room, place: str) -> AsyncIterator[str]:
    """Open one kind of screen after another; yield a description of each when it is visible."""
    node = await table(page)
    await page.get_by_role("button", name="My seat").click()
    await expect(page.locator(".ephemeral")).to_be_visible()
    ann, person = room.world.person("Ann").id, room.channel()
    words = (
        f"<@{ann}>, your turn in <#{place}> <t:1700000000:R> ||three|| `code`\n```\n9\n```\n-# x"
    )
    await room.post(place, words)
    body = {"content": "[a link](https://example.com)", "attachments": [{"id": 0}]}
    await room.raw.send(place, body, files=[("cards.png", ONE_PIXEL)])
    await expect(page.get_by_role("link", name="a link")).to_be_visible()
    yield "a table, a private answer, a mention, a picture, a code block, a link"
    await node.get_by_role("combobox").click()
    await expect(page.get_by_role("option").first).to_be_visible()
    yield "a select with its list open"
    await page.keyboard.press("Escape")
    await node.get_by_role("button", name="Call…").click()
    await expect(page.get_by_label("In words")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.locator(".field-error").first).to_have_text("This field is required.")
    yield "a form with an error in it"
    await page.keyboard.press("Escape")
    await page.locator(".composer-text").press_sequentially("/")
    await expect(page.get_by_role("option").first).to_be_visible()
    yield "the commands after a bare slash"
    await page.keyboard.press("Escape")
    await command(page, "message_me")
    await expect(page.locator(".ephemeral.local")).to_have_count(0)
    await expect(page.locator(".ephemeral").last).to_contain_text("Look there.")
    await say(page, "/odds liars")
    await expect(page.get_by_role("option").first).to_be_visible()
    yield "a command's options, one with its suggestions"
    await page.reload()
    await expect(page.locator(".opening h2")).to_be_visible()
    await expect(await switch(page)).to_be_visible()
    yield "whom one plays"
    await page.keyboard.press("Escape")
    await room.post(person, f"<@{ann}>")
    if await page.locator("#menu").is_visible():
        await page.locator("#menu").click()
    await expect(row(page, person).locator(".badge")).to_be_visible()
    yield "direct messages, and the drawer with a badge on a phone"


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
async def test_axe_finds_nothing_serious(room: Room, axe: str, phone: bool) -> None:
    """Assert that axe finds nothing "serious" or "critical", in dark and in light colours."""
    place, looked, channel = room.channel(), 0, []
    async with room.page_of("Ann", place, phone=phone) as page:
        async for screen in screens(page, room, place):
            if not await page.evaluate("'axe' in window"):
                await page.evaluate(axe)
            for theme in ("dark", "light"):
                await page.evaluate(IN_COLOURS, theme)
                channel += [f"{screen}, {theme}: {problem}" for problem in await page.evaluate(RUN)]
                looked += 1
    assert channel == []
    assert looked == 14
