"""A whole match in Polish in headless Chromium, read by its screens."""

from __future__ import annotations

import re
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final

import pytest
from playwright.async_api import expect

from bot.sandbox.clock import ManualClock
from tests.bot.browser_seat import READ, Gallery, Seat, premises, seated
from tests.bot.discord.test_languages import ENGLISH

pytestmark = pytest.mark.browser

NAMES: Final = ("Ann", "Bob", "Cleo")
TO_ACT: Final = re.compile(r"@(\w+), (?:rozpocznij|przebij|nic)")
MOST_ROUNDS: Final = 20
# the page itself is in English: names of people, times, what it calls a message's parts
PAGES_OWN: Final = re.compile(
    r"^(?:Bluffhouse|APP|Only you can see this|Dismiss message|.* used /.*|.*\d\d:\d\d.*)$",
    re.MULTILINE,
)


async def test_a_whole_match_is_played_and_read_in_polish(
    tmp_path: Path, gallery: Gallery, unhurried: ManualClock
) -> None:
    async with AsyncExitStack() as stack:
        at = await stack.enter_async_context(
            premises(tmp_path, ManualClock(time.time()), NAMES, "wieczór", next_round=300.0)
        )
        for guild in at.world.state.guilds.values():
            guild.locale = "pl"
        for user in at.world.state.people:
            user.locale = "pl"
        ann, bob = [
            await stack.enter_async_context(
                seated(
                    at.world,
                    at.browser,
                    name,
                    at.channel.id,
                    phone=name == "Bob",
                    scale=gallery.scale,
                )
            )
            for name in NAMES[:2]
        ]
        await ann.command("play", game="Thai Poker")
        await expect(bob.table).to_contain_text("Brakuje jeszcze 1 gracza.")
        await looked_at(gallery, bob, "polish-lobby")
        await bob.press("Dołącz")
        await ann.press("Start")
        for number in range(1, MOST_ROUNDS + 1):
            await play_round(gallery, ann, bob, number)
            if await ann.button("Gramy jeszcze raz").count():
                break
            await ann.press("Następna runda")
        await expect(bob.table).to_contain_text(re.compile("Mecz wygrywa @(Ann|Bob)"))
        await looked_at(gallery, bob, "polish-winner")


async def play_round(gallery: Gallery, ann: Seat, bob: Seat, number: int) -> None:
    """A bid typed in Polish, one chosen from the list, one on the pad of a seat, a doubt."""
    for seat in (ann, bob):
        await expect(seat.table).to_contain_text(f"Poker tajski · Runda {number}")
    found = TO_ACT.search(await ann.table.inner_text())
    assert found is not None
    first, second = (ann, bob) if found[1] == "Ann" else (bob, ann)
    await first.press("Licytuj…")
    await first.form.get_by_label("Słowami albo w skrócie").fill("para dziewiątek")
    await first.tap(first.form.get_by_role("button", name="Submit"))
    await expect(second.table).to_contain_text("Para dziewiątek")
    if number == 1:
        await second.press("Moje miejsce")
        await expect(second.own).to_contain_text("Twój ruch: przebij albo sprawdź.")
        await looked_at(gallery, second, "polish-seat", own=True)
        await second.press_own(re.compile("^Trójka"))
        await second.tap(second.own.get_by_role("button", name=re.compile(r"^\w+: .*%$")).first)
        last = second.own_button(re.compile("^Licytuj: „trójka .+”"))
        named = re.search("„(trójka .+)”", await last.inner_text())
        assert named is not None
        await second.tap(last)
        said = named[1].capitalize()
    else:
        said = await second.raise_by_select(option=2 + number % 3)
    await expect(first.table).to_contain_text(said)
    if number == 1:
        await looked_at(gallery, first, "polish-table")
    await first.press("Sprawdzam")
    for seat in (ann, bob):
        await expect(seat.table).to_contain_text(re.compile(r"(?:Z|Nie z)gadza się"))
        await expect(seat.table.locator("img").first).to_be_visible()
    if number == 1:
        await looked_at(gallery, bob, "polish-showdown")


async def looked_at(gallery: Gallery, seat: Seat, name: str, *, own: bool = False) -> None:
    """Nothing of the bot's on this screen is in English, and nothing is wider than it."""
    texts = await seat.page.locator("#messages .message .container").evaluate_all(READ)
    for text in texts:
        assert not ENGLISH.findall(PAGES_OWN.sub("", text)), text
    if seat.phone:
        await gallery.keep_both(seat.page, name, seat.own if own else seat.table)
