"""The page of the local Discord in headless Chromium, unmodified discord.py at the other end."""

import re
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import expect

from tests.bot.sandbox.page_room import BIDS, HOSTILE, Room, command, open_room, table

TYPE_THREE = """(input) => {
  for (const letter of "three") {
    input.value += letter;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }
}"""

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def room() -> AsyncIterator[Room]:
    async with open_room() as opened:
        yield opened


async def test_a_message_reaches_everyone_who_is_in_the_channel(room: Room) -> None:
    place = room.channel()
    async with room.seen_by("Ann", place) as ann, room.seen_by("Bob", place) as bob:
        await ann.locator(".composer-text").fill("hello **table**")
        await ann.keyboard.press("Enter")
        await expect(bob.locator(".message strong")).to_have_text("table")
        await expect(bob.locator(".message .author")).to_have_text("Ann")
        await expect(ann.locator(".composer-text")).to_have_value("")


async def test_hostile_messages_and_names_are_shown_as_text(room: Room) -> None:
    place = room.channel()
    async with room.seen_by("Ann", place) as ann:
        await ann.locator(".composer-text").fill(HOSTILE)
        await ann.keyboard.press("Enter")
        await expect(ann.locator(".message-content")).to_have_text(HOSTILE)
        shown = await table(ann)
        await expect(shown).to_contain_text(HOSTILE)
        assert await ann.locator("#messages img, #messages script").count() == 0


async def test_who_one_is_can_be_switched_and_stands_in_the_address(room: Room) -> None:
    place = room.channel()
    async with room.seen_by("Ann", place) as page:
        await page.get_by_role("button", name="You are Ann. Switch person").last.click()
        await page.get_by_role("button", name="Bob", exact=True).click()
        await expect(page.locator("#self")).to_contain_text("Bob")
        assert f"as={room.world.person('Bob').id}" in page.url
        assert f"in={place}" in page.url
        await page.reload()
        await expect(page.locator("#self")).to_contain_text("Bob")


async def test_what_one_person_did_is_not_shown_to_the_next(room: Room) -> None:
    place = room.channel()
    async with room.seen_by("Ann", place) as page:
        room.world.faults.drop_interactions()
        async with page.expect_response(lambda answer: answer.url.endswith("/act")) as failed:
            await command(page, "play")
            await expect(page.locator(".message")).to_contain_text("Sending command")
            await page.get_by_role("button", name="You are Ann. Switch person").last.click()
            await page.get_by_role("button", name="Bob", exact=True).click()
            await expect(page.locator("#self")).to_contain_text("Bob")
            await room.clock.until_asleep()
            room.clock.advance(3.0)
        await (await failed.value).finished()
        await page.evaluate("new Promise((done) => setTimeout(done))")
        await expect(page.locator(".message")).to_have_count(0)


async def test_a_person_can_be_added_and_is_played_at_once(room: Room) -> None:
    place = room.channel()
    async with room.seen_by("Ann", place) as page, room.seen_by("Bob", place) as bob:
        await page.get_by_role("button", name="You are Ann. Switch person").last.click()
        await page.get_by_label("Name of the new person").fill("bob")
        await page.keyboard.press("Enter")
        await expect(page.locator(".add-person .field-error")).not_to_be_empty()
        await page.get_by_label("Name of the new person").fill("Dora")
        await page.keyboard.press("Enter")
        await expect(page.locator("#self")).to_contain_text("Dora")
        await expect(bob.locator("#members")).to_contain_text("Dora")


async def test_a_slash_command_is_picked_and_filled_in_by_keyboard(room: Room) -> None:
    place = room.channel()
    async with room.seen_by("Ann", place) as page:
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


async def test_autocomplete_asks_once_a_pause_and_not_once_a_letter(room: Room) -> None:
    place = room.channel()
    async with room.seen_by("Ann", place) as page:
        await page.locator(".composer-text").fill("/odds liars")
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("option")).to_have_count(len(BIDS))
        room.dealer.told.clear()
        await page.get_by_role("combobox", name="bid").evaluate(TYPE_THREE)
        await expect(page.get_by_role("option")).to_have_text(["three sixes"])
        assert room.dealer.told == ["asked: three"]


async def test_a_select_redraws_the_table_in_place_for_everyone(room: Room) -> None:
    place = room.channel()
    async with room.seen_by("Ann", place) as ann, room.seen_by("Bob", place) as bob:
        shown = await table(ann)
        await shown.get_by_role("combobox").click()
        await ann.get_by_role("option", name="three sixes").click()
        await expect(shown).to_contain_text("Standing bid: three sixes")
        await expect(bob.locator(".message")).to_contain_text("Standing bid: three sixes")
        await expect(bob.locator(".message")).to_have_count(1)
        await expect(shown.get_by_role("combobox")).to_have_text("Raise")


async def test_a_select_is_used_by_keyboard_alone(room: Room) -> None:
    place = room.channel()
    async with room.seen_by("Ann", place) as page:
        shown = await table(page)
        await shown.get_by_role("combobox").focus()
        await page.keyboard.press("ArrowDown")
        await page.keyboard.press("ArrowDown")
        await page.keyboard.press("Enter")
        await expect(shown).to_contain_text("Standing bid: pair of jacks")
        await expect(shown.get_by_role("combobox")).to_be_focused()


async def test_an_open_list_outlives_a_redraw_that_offers_the_same(room: Room) -> None:
    place = room.channel()
    async with room.seen_by("Ann", place) as ann, room.seen_by("Bob", place) as bob:
        shown = await table(ann)
        await shown.get_by_role("combobox").click()
        await bob.locator(".message").get_by_role("combobox").click()
        await bob.get_by_role("option", name="three sixes").click()
        await expect(shown).to_contain_text("Standing bid: three sixes")
        await ann.get_by_role("option", name="flush").click()
        await expect(bob.locator(".message")).to_contain_text("Standing bid: flush")
        await expect(shown.get_by_role("combobox")).to_have_attribute("aria-expanded", "false")


async def test_a_form_checks_its_fields_and_updates_the_table(room: Room) -> None:
    place = room.channel()
    async with room.seen_by("Ann", place) as page:
        shown = await table(page)
        await shown.get_by_role("button", name="Call…").click()
        form = page.get_by_role("dialog", name="Call a bid")
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
        await expect(shown).to_contain_text("Standing bid: 44")
        assert room.dealer.told[-1] == ["44", ["H"]]


async def test_a_form_given_up_tells_the_bot_nothing(room: Room) -> None:
    place = room.channel()
    async with room.seen_by("Ann", place) as page:
        shown = await table(page)
        before = list(room.dealer.told)
        await shown.get_by_role("button", name="Call…").click()
        await expect(page.get_by_role("dialog")).to_be_visible()
        await page.keyboard.press("Escape")
        await expect(page.get_by_role("dialog")).to_have_count(0)
        await expect(shown.get_by_role("button", name="Call…")).to_be_focused()
        assert room.dealer.told == before


async def test_an_ephemeral_answer_is_seen_by_one_and_can_be_dismissed(room: Room) -> None:
    place = room.channel()
    async with room.seen_by("Ann", place) as ann, room.seen_by("Bob", place) as bob:
        shown = await table(ann)
        await expect(bob.locator(".message")).to_have_count(1)
        await shown.get_by_role("button", name="My seat").click()
        private = ann.locator(".message.ephemeral")
        await expect(private).to_contain_text("Ann holds three kings")
        await expect(private).to_contain_text("Only you can see this")
        await bob.reload()
        await expect(bob.locator(".message")).to_have_count(1)
        assert "holds three kings" not in await bob.content()
        await private.get_by_role("button", name="Dismiss message").click()
        await expect(private).to_have_count(0)
        await ann.reload()
        await expect(ann.locator(".message")).to_have_count(1)


async def test_a_press_that_is_not_answered_says_so_and_can_be_repeated(room: Room) -> None:
    place = room.channel()
    async with room.seen_by("Ann", place) as page:
        shown = await table(page)
        button = shown.get_by_role("button", name="My seat")
        room.world.faults.drop_interactions()
        await button.click()
        await expect(button).to_have_attribute("aria-busy", "true")
        await room.clock.until_asleep()
        room.clock.advance(3.0)
        await expect(shown.locator(".failure")).to_have_text("This interaction failed")
        await expect(button).not_to_have_attribute("aria-busy", "true")
        await expect(shown.get_by_role("button", name="Closed")).to_be_disabled()
        await shown.get_by_role("combobox").click()
        await page.get_by_role("option", name="pair of fours").click()
        await expect(shown.locator(".failure")).to_have_count(0)


async def test_an_unread_direct_message_is_counted_until_it_is_read(room: Room) -> None:
    place = room.channel()
    async with room.seen_by("Cleo", place) as page:
        await command(page, "whisper")
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
        await page.get_by_role("button", name="The Snug").click()
        channel = page.locator(f"[data-channel='{place}']")
        await channel.click()
        await expect(channel).to_have_attribute("aria-current", "page")
        await command(page, "whisper")
        await expect(mail.locator(".badge")).to_have_text("1 unread")
        await page.reload()
        await expect(mail.locator(".badge")).to_have_text("1 unread")


async def test_a_link_to_a_channel_leads_there_and_not_to_discord(room: Room) -> None:
    place = room.channel()
    async with room.seen_by("Bob", place) as page:
        name = await page.locator("#place-name").inner_text()
        await command(page, "whisper")
        await page.locator("#channels .place", has_text="Bluffhouse").click()
        await page.get_by_role("link", name="at the table").last.click()
        await expect(page.locator("#place-name")).to_have_text(name)
        assert f"in={place}" in page.url
        assert len(page.context.pages) == 1


async def test_a_server_opens_where_one_was_last(room: Room) -> None:
    place = room.channel()
    async with room.seen_by("Bob", place) as page:
        name = await page.locator("#place-name").inner_text()
        await page.get_by_role("button", name="Direct messages").click()
        await expect(page.locator("#place-name")).to_have_text("Bluffhouse")
        await page.get_by_role("button", name="The Snug").click()
        await expect(page.locator("#place-name")).to_have_text(name)


async def test_closed_direct_messages_can_be_set_and_are_shown(room: Room) -> None:
    place = room.channel()
    async with room.seen_by("Bob", place) as page:
        await page.get_by_role("button", name="You are Bob. Switch person").last.click()
        await page.get_by_label("Bob accepts direct messages").uncheck()
        row = page.locator(".member", has_text="Bob")
        await expect(row).to_contain_text("Direct messages closed")
        await page.get_by_label("Bob accepts direct messages").check()
        await expect(row).not_to_contain_text("Direct messages closed")


async def test_a_thread_is_a_channel_of_its_own(room: Room) -> None:
    place = room.channel()
    async with room.seen_by("Ann", place) as page:
        await page.get_by_role("button", name="New thread").click()
        await page.get_by_label("Name of the thread").fill("side bets")
        await page.keyboard.press("Enter")
        await expect(page.locator("#place-name")).to_have_text("side bets")
        await expect(page.locator(".threads .place").last).to_have_text("side bets")
        assert not re.search(f"in={place}", page.url)


async def test_whoever_looks_at_a_channel_that_is_deleted_is_led_to_another(room: Room) -> None:
    place = room.channel()
    name = room.world.state.channels[place].name
    async with room.seen_by("Ann", place) as page:
        await expect(page.locator("#place-name")).to_have_text(name)
        await room.world.faults.lose_channel(place)
        await expect(page.locator("#place-name")).not_to_have_text(name)
        await expect(page.locator("#channels .place", has_text=name)).to_have_count(0)
        assert f"in={place}" not in page.url
        await page.locator(".composer-text").fill("still here")
        await page.keyboard.press("Enter")
        await expect(page.locator(".message-content").last).to_have_text("still here")


async def test_buttons_a_fifth_larger_are_a_switch_that_is_remembered(room: Room) -> None:
    async with room.seen_by("Ann", room.channel()) as page:
        shown = (await table(page)).locator(".button").first
        before = await shown.bounding_box()
        await page.get_by_role("button", name="You are Ann. Switch person").last.click()
        await page.get_by_label("Larger buttons, as on iPhones").check()
        await page.keyboard.press("Escape")
        after = await shown.bounding_box()
        assert before is not None
        assert after is not None
        assert after["height"] == pytest.approx(1.2 * before["height"], abs=0.5)
        await page.reload()
        assert await page.evaluate("document.documentElement.dataset.buttons") == "larger"
