"""Polish in headless Chromium: a match and the other screens, with all their text.

No screen may have English text of the bot, or anything wider than the phone. A bid typed like the
form's example is understood.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import pytest
from playwright.async_api import Locator, expect

from bot.sandbox.clock import ManualClock
from tests.bot.browser_seat import READ, Gallery, Premises, Seat, premises
from tests.bot.discord.test_languages import ENGLISH

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("patient_discord")]

TO_ACT: Final = re.compile(r"@(\w+), (?:rozpocznij|przebij|nic)")
TURN: Final = re.compile("Twój ruch")
# the page itself is in English: names of people, times, what it calls parts of messages and forms,
# and names of commands
PAGES_OWN: Final = re.compile(
    r"^(?:Bluffhouse|APP|Only you can see this|Dismiss message|.* used /.*|.*\d\d:\d\d.*"
    r"|This form goes to .*|Close the form)$|/odds [\w-]+",
    re.MULTILINE,
)


@pytest.fixture(autouse=True)
def cards_in_text() -> None:
    """Override the fixture: these pictures show cards as people see them."""


@asynccontextmanager
async def polish(folder: Path, clock: ManualClock | None, seeds: str) -> AsyncIterator[Premises]:
    """Yield premises where the language of the server and of all people is Polish."""
    async with premises(folder, clock, (), seeds, next_round=3000.0, warm=True) as at:
        for server in at.world.state.guilds.values():
            server.locale = "pl"
        for person in at.world.state.people:
            person.locale = "pl"
        yield at


async def look_at(gallery: Gallery, seat: Seat, name: str, node: Locator | None = None) -> None:
    """Assert that the bot's texts on this screen have no English in them.

    In a phone's tab, also take the pictures and make the checks of `Gallery.keep_both`.
    """
    for text in await seat.page.locator("#messages .message .container, dialog").evaluate_all(READ):
        assert not ENGLISH.findall(PAGES_OWN.sub("", text)), text
    if seat.phone:
        await gallery.keep_both(seat.page, f"polski-{name}", node)


async def test_a_round_is_played_and_read_to_the_end_of_its_match(
    tmp_path: Path, gallery: Gallery, unhurried: ManualClock
) -> None:
    """Type a bid in Polish, bid on a seat's pad, challenge, then leave as Ann."""
    async with (
        polish(tmp_path, unhurried, "wieczór") as at,
        at.tab("Ann", gallery, phone=False) as ann,
        at.tab("Bob", gallery) as bob,
    ):
        await ann.command("play", game="Thai Poker")
        await expect(bob.table).to_contain_text("Brakuje jeszcze 1 gracza.")
        await look_at(gallery, bob, "lobby", bob.table)
        await bob.press("Dołącz")
        await ann.press("Start")
        for seat in (ann, bob):
            await expect(seat.table).to_contain_text("Poker tajski · Runda 1")
        match = TO_ACT.search(await ann.table.inner_text())
        assert match is not None
        first, second = (ann, bob) if match[1] == "Ann" else (bob, ann)
        await first.press("Pisz")
        await first.form.get_by_label("Słowami albo w skrócie").fill("para dziewiątek")
        await first.submit()
        await expect(second.table).to_contain_text("Para dziewiątek")
        await second.press("Moje miejsce")
        await expect(second.own).to_contain_text("Twój ruch: przebij albo sprawdź")
        await look_at(gallery, second, "seat", second.own)
        before = await second.own.inner_text()
        await second.press_own(re.compile("^Trójka"))
        await expect(second.own).not_to_have_text(before, use_inner_text=True)
        ranks = second.own.get_by_role("button", name=re.compile("(nine|ten|jack|queen|king|ace)_"))
        await second.tap(ranks.first)
        last = second.own_button(re.compile("Licytuj: „trójka .+”"))
        named = re.search("„(trójka .+)”", await last.inner_text())
        assert named is not None
        await second.tap(last)
        await expect(first.table).to_contain_text(named[1].capitalize())
        await look_at(gallery, first, "table", first.table)
        await first.press("Sprawdzam")
        for seat in (ann, bob):
            await expect(seat.table).to_contain_text(re.compile(r"\. (?:Jest|Nie ma)\."))
            await expect(seat.table.locator("img").first).to_be_visible()
            await look_at(gallery, seat, "showdown", seat.table)
        await ann.press("Następna runda")
        await expect(ann.table).to_contain_text("Runda 2")
        await ann.command("leave")
        await ann.press_own("Tak, odchodzę")
        await expect(bob.table).to_contain_text("Mecz wygrywa @Bob")
        await expect(bob.button("Gramy jeszcze raz")).to_be_enabled()
        await look_at(gallery, bob, "winner", bob.table)


async def press(ann: Seat, label: str | re.Pattern[str]) -> None:
    """Press a button of the lowest message."""
    await ann.tap(ann.messages.last.get_by_role("button", name=label, exact=True).first)


async def test_the_screens_beside_a_match(tmp_path: Path, gallery: Gallery) -> None:
    async with polish(tmp_path, None, "ekrany") as at, at.tab("Ann", gallery) as ann:
        await help_and_each_of_its_answers(ann, gallery)
        await a_practice_from_the_example_to_a_typed_bid(ann, gallery)
        await a_lobby_with_what_is_behind_its_options(ann, gallery)


async def help_and_each_of_its_answers(ann: Seat, gallery: Gallery) -> None:
    await ann.command("help")
    await expect(ann.own).to_contain_text("Co chcesz zrobić?")
    await look_at(gallery, ann, "help", ann.own)
    labels = await ann.own.locator(".action-row button").all_inner_texts()
    assert len(labels) == 8
    for number, label in enumerate(labels):
        before = await ann.page.locator("#messages").inner_text()
        await press(ann, label)
        await expect(ann.page.locator("#messages")).not_to_have_text(before, use_inner_text=True)
        await expect(ann.page.locator(".pending, .busy")).to_have_count(0)
        await look_at(gallery, ann, f"help-{number}", ann.messages.last)
        await ann.command("help")
        await expect(ann.messages.last).to_contain_text("Co chcesz zrobić?")


async def a_practice_from_the_example_to_a_typed_bid(ann: Seat, gallery: Gallery) -> None:
    await ann.command("practice", game="Liars' Poker")
    leads_on: tuple[str | re.Pattern[str], ...] = ("Dalej", re.compile("^Wyżej"), "Pokaż karty")
    for step, label in enumerate(leads_on, start=1):
        await expect(ann.own).to_contain_text(f"{step} z 4")
        await look_at(gallery, ann, f"example-{step}", ann.own)
        await press(ann, label)
    await expect(ann.own).to_contain_text("4 z 4")
    await look_at(gallery, ann, "example-4", ann.own)
    await press(ann, "Zacznij trening")
    await expect(ann.own).to_contain_text(TURN)
    await look_at(gallery, ann, "practice", ann.own)
    await press(ann, "Rada")
    await expect(ann.own.locator("blockquote")).to_be_visible()
    await look_at(gallery, ann, "hint", ann.own)
    await press(ann, "Zasady")
    await expect(ann.messages.last).to_contain_text("Od najsłabszego układu")
    await look_at(gallery, ann, "rules", ann.messages.last)
    await ann.dismiss()
    await press(ann, "Pisz")
    await expect(ann.form).to_be_visible()
    field = ann.form.get_by_label("Słowami albo w skrócie")
    example = await field.get_attribute("placeholder") or ""
    words, _, short = example.partition(" albo ")
    assert short
    await look_at(gallery, ann, "type")
    await field.fill(words + "x")
    await ann.submit()
    await expect(ann.own.locator("blockquote")).to_contain_text("Czy chodziło o")
    await look_at(gallery, ann, "meant", ann.own)
    await press(ann, "Pisz")
    await field.fill(short)
    await ann.submit()
    await expect(ann.own).not_to_contain_text("Czy chodziło o")
    await expect(ann.own).to_contain_text(words, ignore_case=True)  # it is made
    await look_at(gallery, ann, "made", ann.own)


async def a_lobby_with_what_is_behind_its_options(ann: Seat, gallery: Gallery) -> None:
    await ann.command("play", game="Liars' Poker", computers="2")
    await expect(ann.table).to_contain_text("Dołącz")
    await look_at(gallery, ann, "lobby", ann.table)
    await ann.press("Opcje…")
    await look_at(gallery, ann, "options", ann.messages.last)
    for name, label in (
        ("rules", "Zasady stołu…"),
        ("time", "Czas…"),
        ("messages", "Wiadomości…"),
    ):
        await press(ann, label)
        await expect(ann.form).to_be_visible()
        await look_at(gallery, ann, f"lobby-{name}")
        await ann.tap(ann.form.get_by_role("button", name="Cancel"))
        await expect(ann.form).to_have_count(0)
    await ann.dismiss()
    await ann.press("Jak się gra")
    await expect(ann.own).to_contain_text("1 z 4")
    await look_at(gallery, ann, "howto", ann.own)
    await ann.command("preferences")
    await expect(ann.messages.last).to_contain_text("Twoje")
    await look_at(gallery, ann, "preferences", ann.messages.last)
    await press(ann, "Zmień…")
    await expect(ann.form).to_be_visible()
    await look_at(gallery, ann, "preferences-form")
