"""Screens beside a match in Polish, on a phone: help, the example, a practice, a lobby, its forms.

None of them has English of the bot's, or anything wider than the phone; what is typed as the form's
example says is understood.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final

import pytest
from playwright.async_api import Locator, expect

from bot.pictures.emoji import TILES
from bot.sandbox.world import Sandbox
from tests.bot.browser_seat import READ, Gallery, Seat, fixed_seeds, seated
from tests.bot.discord.test_languages import ENGLISH
from tests.bot.house import running_bot, settings, warmed
from tests.bot.sandbox.page_browser import chromium
from tests.bot.test_browser_polish import PAGES_OWN
from tests.people import until

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("patient_discord")]
# the page's own words around a form, and names of commands
FORMS_OWN: Final = re.compile(
    r"^(?:This form goes to .*|Close the form)$|/odds [\w-]+", re.MULTILINE
)
TURN: Final = re.compile("Twój ruch")


@pytest.fixture(autouse=True)
def cards_in_text() -> None:
    """Not here: what is looked at has cards as people see them."""


@pytest.fixture
async def ann(tmp_path: Path, gallery: Gallery) -> AsyncIterator[Seat]:
    """Ann's phone, in a server and with a client that are Polish."""
    async with AsyncExitStack() as stack:
        browser = await stack.enter_async_context(chromium())
        world = Sandbox()
        await world.start()
        stack.push_async_callback(world.stop)
        world.furnish()
        for guild in world.state.guilds.values():
            guild.locale = "pl"
        for user in world.state.people:
            user.locale = "pl"
        chosen = settings(tmp_path, next_round_seconds=3000.0)
        bot = await stack.enter_async_context(running_bot(world, chosen, fixed_seeds("ekrany")))
        await warmed(bot)
        await until(lambda: len(world.state.emojis) == len(TILES))
        channel = world.server("The Snug").channel("poker-night").id
        yield await stack.enter_async_context(
            seated(world, browser, "Ann", channel, phone=True, scale=gallery.scale)
        )


async def looked_at(gallery: Gallery, ann: Seat, name: str, shown: Locator | None = None) -> None:
    """Nothing of the bot's on this screen is in English, and nothing is wider than it."""
    for text in await ann.page.locator("#messages .message .container, dialog").evaluate_all(READ):
        assert not ENGLISH.findall(FORMS_OWN.sub("", PAGES_OWN.sub("", text))), text
    await gallery.keep_both(ann.page, f"polski-{name}", shown)


async def press(ann: Seat, label: str | re.Pattern[str]) -> None:
    """Press a button of the lowest message."""
    await ann.tap(ann.messages.last.get_by_role("button", name=label, exact=True).first)


async def test_help_and_each_of_its_answers(ann: Seat, gallery: Gallery) -> None:
    await ann.command("help")
    await expect(ann.own).to_contain_text("Co chcesz zrobić?")
    await looked_at(gallery, ann, "help", ann.own)
    labels = await ann.own.locator(".action-row button").all_inner_texts()
    assert len(labels) == 8
    for number, label in enumerate(labels):
        before = await ann.page.locator("#messages").inner_text()
        await press(ann, label)
        await expect(ann.page.locator("#messages")).not_to_have_text(before, use_inner_text=True)
        await expect(ann.page.locator(".pending, .busy")).to_have_count(0)
        await looked_at(gallery, ann, f"help-{number}", ann.messages.last)
        await ann.command("help")
        await expect(ann.messages.last).to_contain_text("Co chcesz zrobić?")


async def test_a_practice_from_the_example_to_a_typed_bid(ann: Seat, gallery: Gallery) -> None:
    await ann.command("practice", game="Liars' Poker")
    leads_on: tuple[str | re.Pattern[str], ...] = ("Dalej", re.compile("^Wyżej"), "Pokaż karty")
    for step, label in enumerate(leads_on, start=1):
        await expect(ann.own).to_contain_text(f"{step} z 4")
        await looked_at(gallery, ann, f"example-{step}", ann.own)
        await press(ann, label)
    await expect(ann.own).to_contain_text("4 z 4")
    await looked_at(gallery, ann, "example-4", ann.own)
    await press(ann, "Zacznij trening")
    await expect(ann.own).to_contain_text(TURN)
    await looked_at(gallery, ann, "practice", ann.own)
    await press(ann, "Podpowiedź")
    await expect(ann.own.locator("blockquote")).to_be_visible()
    await looked_at(gallery, ann, "hint", ann.own)
    await press(ann, "Zasady")
    await expect(ann.messages.last).to_contain_text("Od najsłabszego układu")
    await looked_at(gallery, ann, "rules", ann.messages.last)
    await ann.dismiss()
    await press(ann, "Wpisz…")
    await expect(ann.form).to_be_visible()
    field = ann.form.get_by_label("Słowami albo w skrócie")
    example = await field.get_attribute("placeholder") or ""
    words, _, short = example.partition(" albo ")
    assert short
    await looked_at(gallery, ann, "type")
    await field.fill(words + "x")
    await ann.submit()
    await expect(ann.own.locator("blockquote")).to_contain_text("Czy chodziło o")
    await looked_at(gallery, ann, "meant", ann.own)
    await press(ann, "Wpisz…")
    await field.fill(short)
    await ann.submit()
    await expect(ann.own).not_to_contain_text("Czy chodziło o")
    await expect(ann.own).to_contain_text(words, ignore_case=True)  # it is made
    await looked_at(gallery, ann, "made", ann.own)


async def test_a_lobby_with_what_is_behind_its_options(ann: Seat, gallery: Gallery) -> None:
    await ann.command("play", game="Liars' Poker", computers="2")
    await expect(ann.table).to_contain_text("Dołącz")
    await looked_at(gallery, ann, "lobby", ann.table)
    await ann.press("Opcje…")
    await looked_at(gallery, ann, "options", ann.messages.last)
    for name, label in (
        ("rules", "Zasady stołu…"),
        ("time", "Czas i wiadomości…"),
        ("cut", "Przełóż karty…"),
    ):
        await press(ann, label)
        await expect(ann.form).to_be_visible()
        await looked_at(gallery, ann, f"lobby-{name}")
        await ann.tap(ann.form.get_by_role("button", name="Cancel"))
        await expect(ann.form).to_have_count(0)
    await ann.dismiss()
    await ann.press("Jak się gra")
    await expect(ann.own).to_contain_text("1 z 4")
    await looked_at(gallery, ann, "howto", ann.own)
    await ann.command("preferences")
    await expect(ann.messages.last).to_contain_text("Twoje")
    await looked_at(gallery, ann, "preferences", ann.messages.last)
    await press(ann, "Zmień…")
    await expect(ann.form).to_be_visible()
    await looked_at(gallery, ann, "preferences-form")
