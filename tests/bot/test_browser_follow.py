"""On a phone in headless Chromium: the seat follows the game, and nobody presses *My seat*."""

from __future__ import annotations

import re
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final

import pytest
from playwright.async_api import expect

from bot.discord.seats import following
from bot.sandbox.clock import ManualClock
from tests.bot.browser_seat import Gallery, premises, seated
from tests.people import PATIENCE

pytestmark = pytest.mark.browser

NAMES: Final = ("Ann", "Bob", "Cleo")
ROUNDS: Final = 3
TO_ACT: Final = re.compile(r"@(\w+), (?:open|call|nothing)")


async def test_after_three_rounds_the_seat_is_the_lowest_message_and_nobody_pressed_for_it(
    tmp_path: Path, unhurried: ManualClock, monkeypatch: pytest.MonkeyPatch, gallery: Gallery
) -> None:
    monkeypatch.setattr(following, "TOKEN_LIVES", 60 * PATIENCE)  # however slow the machine
    async with AsyncExitStack() as stack:
        out = await stack.enter_async_context(
            premises(tmp_path, unhurried, NAMES, "seats that follow", next_round=300.0)
        )
        people = {
            name: await stack.enter_async_context(
                seated(
                    out.world, out.browser, name, out.channel.id, phone=True, scale=gallery.scale
                )
            )
            for name in NAMES
        }
        ann = people["Ann"]
        await ann.command("play", game="Liars' Poker")
        for other in ("Bob", "Cleo"):
            await people[other].press("Join")
            await expect(people[other].own).to_contain_text("You have a place")
        await ann.press("Start")
        for number in range(1, ROUNDS + 1):
            for seat in people.values():
                lowest = seat.messages.last
                await expect(lowest).to_contain_text(
                    re.compile(rf"Round {number}\b"), use_inner_text=True
                )
                await expect(lowest).to_have_class(re.compile("ephemeral"))
                await expect(lowest.locator(".md-h1")).to_be_in_viewport()
                await expect(seat.page.locator(".message.ephemeral")).to_have_count(1)
            found = TO_ACT.search(await ann.table.inner_text())
            assert found is not None
            opener = people[found[1]]
            await gallery.keep(opener.page, f"follow-{number}-phone")
            if number == ROUNDS:
                await gallery.keep_both(opener.page, "follow", opener.messages.last)
                break
            await opener.bid_next_rung()
            doubter = next(one for one in people.values() if one is not opener)
            await expect(doubter.own).to_contain_text(f"by @{opener.name}")
            await doubter.press_own("Challenge")
            await expect(ann.table).to_contain_text(f"Round {number} · Showdown")
            await doubter.press("Next round")
        assert not any(
            one.body.get("custom_id", "").startswith("bh:seat:")
            for one in out.world.state.interactions.values()
        )
