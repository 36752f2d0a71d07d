"""Computer players and a practice in headless Chromium, on a phone.

With `--screenshots DIR` the pictures are kept.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.async_api import expect

from bot.sandbox.clock import ManualClock
from tests.bot.browser_seat import Gallery, Seat, premises
from tests.bot.discord.replays.test_replays import a_match
from tests.bot.harness import Table

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("patient_discord")]
MOST_MOVES = 30
DAILY = "Deal of the day: the same for everyone, one try"


@pytest.fixture(autouse=True)
def cards_in_text() -> None:
    """Override the fixture: these pictures show cards as people see them."""


async def test_alone_with_a_phone_ann_plays_computer_players_to_the_end(
    tmp_path: Path, gallery: Gallery
) -> None:
    opening = premises(tmp_path, None, (), "company", next_round=3000.0, warm=True)
    async with opening as out, out.tab("Ann", gallery) as phone:
        await the_deal_of_the_day_comes_after_the_example(phone, gallery)
        await a_practice_gives_a_hint(phone, gallery)
        await a_table_is_played_to_its_showdown(phone, gallery)


async def the_deal_of_the_day_comes_after_the_example(phone: Seat, gallery: Gallery) -> None:
    await phone.page.locator(".composer-text").fill("/")
    first = phone.page.get_by_role("option").first
    await expect(first).to_contain_text("/practice")
    await gallery.keep_both(phone.page, "practice-offered")
    await phone.command("practice", game="Thai Poker", against=DAILY)
    seat = phone.page.locator(".message.ephemeral").first
    for step, label in enumerate(("Next", "Challenge", "Show the cards"), start=1):
        await expect(seat).to_contain_text(f"{step} of 4")
        await phone.tap(seat.get_by_role("button", name=label))
    await expect(seat).to_contain_text("4 of 4")
    now = seat.get_by_role("button", name="Practice now")
    for part in (seat.locator("img.picture"), now):  # the cards and what leads on, on one screen
        await expect(part).to_be_in_viewport(ratio=1)
    await gallery.keep_both(phone.page, "practice-example", seat)
    await phone.tap(now)
    photographed = False
    share = seat.get_by_role("button", name="Share")
    doubt = seat.get_by_role("button", name="Challenge")
    lowest = seat.get_by_role("button", name=re.compile("Bid lowest|Bid next: "))
    onwards = seat.get_by_role("button", name="Next round")
    bid = seat.get_by_role("button", name=re.compile('Bid "'))
    while True:
        await expect(share.or_(doubt).or_(lowest).or_(onwards).or_(bid).first).to_be_visible()
        before = await seat.inner_text()
        if await share.is_visible():
            break
        if not photographed and await doubt.is_visible():
            photographed = True
            await gallery.keep_both(phone.page, "daily-seat", seat)
        for control in (onwards, doubt, bid, lowest):
            if await control.first.is_visible():
                await phone.tap(control.first)
                break
        await expect(seat).not_to_have_text(before, use_inner_text=True)
    await gallery.keep_both(phone.page, "daily-result", seat)
    for label in ("Board", "What others did", "Share"):
        await phone.tap(seat.get_by_role("button", name=label))
        published = phone.page.locator(".message").last
        await expect(published).to_contain_text("Deal of the day")
        await gallery.keep_both(phone.page, f"daily-{label.split()[0].lower()}", published)


async def a_practice_gives_a_hint(phone: Seat, gallery: Gallery) -> None:
    await phone.command("practice", game="Liars' Poker")
    seat = phone.page.locator(".message.ephemeral").last
    for label in ("Next", "Challenge", "Show the cards", "Practice now"):  # a game not played yet
        await phone.tap(seat.get_by_role("button", name=label))
    await expect(seat).to_contain_text("Your turn")
    hint = seat.get_by_role("button", name="Hint", exact=True)
    await phone.tap(hint)
    hint_text = seat.locator("blockquote").filter(has_text="Hint.")
    # what the press has changed is where the finger is, with the cards that it speaks of
    for part in (hint_text, seat.locator(".md-h1"), hint):
        await expect(part).to_be_in_viewport(ratio=1)
    await gallery.keep_both(phone.page, "practice-hint", seat)


async def a_table_is_played_to_its_showdown(phone: Seat, gallery: Gallery) -> None:
    await phone.command("play", game="Thai Poker", computers="3")
    await expect(phone.table).to_contain_text("Agnes · careful computer player")
    await phone.press("Computer player")
    await expect(phone.table).to_contain_text("Roxy (wild)")
    await gallery.keep_both(phone.page, "company-lobby", phone.table)
    await phone.press("Start")
    for move in range(MOST_MOVES):
        mine = re.compile("Ann, (open|bid|nothing)|Showdown")
        await expect(phone.table).to_contain_text(mine)
        if "Showdown" in await phone.table.inner_text():
            break
        control = phone.table.locator("[data-custom-id]").first
        before = await control.get_attribute("data-custom-id")
        assert before is not None
        if not move:
            await gallery.keep_both(phone.page, "company-table", phone.table)
        if move and await phone.button("Challenge").is_enabled():
            await phone.press("Challenge")
        else:
            await phone.raise_by_select(0)
        # each move renames the controls; the page's own list shows a choice before the bot does
        await expect(control).not_to_have_attribute("data-custom-id", before)
    await expect(phone.table.locator("img")).to_be_visible()
    assert "Agnes" in await phone.read(phone.table)
    await gallery.keep_both(phone.page, "company-showdown", phone.table)


async def test_ones_own_mistakes_are_asked_on_a_phone(
    tmp_path: Path, unhurried: ManualClock, gallery: Gallery
) -> None:
    names = ("Ann", "Bob", "Cleo")
    async with premises(tmp_path, unhurried, names, "mistakes", warm=True) as out:
        two = [out.world.person(name) for name in names[:2]]
        loser = await a_match(Table(out.world, out.bot, out.channel, two))
        async with out.tab(loser.name, gallery) as phone:
            await phone.command("matches")
            await phone.tap(phone.messages.last.get_by_role("button", name="Quiz"))
            question = phone.messages.last
            await expect(question).to_contain_text("What would you do?")
            candidate = question.get_by_role("button", name="Four aces")
            for part in (question.get_by_text("What would you do?"), candidate):
                await expect(part).to_be_in_viewport(ratio=1)
            await gallery.keep_both(phone.page, "mistakes-asked", question)
            await phone.tap(candidate)
            await expect(question).to_contain_text("Not quite:")
            await expect(question.locator("img.picture")).to_be_visible()
            await gallery.keep_both(phone.page, "mistakes-answered", question)
