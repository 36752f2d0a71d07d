"""A replay's page: one file without external parts, which keys step through."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from bot.replays.match_file import read_bytes
from bot.replays.page import as_data, page_html
from bot.replays.played import PlayedMatch, Seated, steps_of
from tests.bot.replays.matches import whole
from tests.bot.replays.test_match_file import broken
from tests.bot.sandbox.page_browser import chromium

HOSTILE = "</script><img src=x onerror=alert(1)>"


def data_of(page: str) -> dict[str, object]:
    """Return the data in the page's block of JSON."""
    match = re.search(r'<script type="application/json" id="match">(.*?)</script>', page, re.DOTALL)
    assert match is not None
    read: dict[str, object] = json.loads(match[1])
    return read


def test_the_page_holds_every_step_and_no_address() -> None:
    match = whole()
    page = page_html(match)
    data = data_of(page)
    assert data == as_data(match)
    assert len(data["steps"]) == len(steps_of(match)) + 1  # type: ignore[arg-type]
    addresses = set(re.findall(r"(?:https?:)?//[\w.]+[^\s\"'`]*", page))
    assert addresses == {"http://www.w3.org/2000/svg"}, "a name of XML, which nobody asks"
    assert not re.search(r"<(link|img|iframe|object)|@import|url\(|\ssrc=", page)


def test_a_name_cannot_become_markup() -> None:
    seated = (Seated(HOSTILE), Seated("{{SCRIPT}}"), Seated("Cleo\u2028"))
    page = page_html(replace(whole(), seated=seated))
    assert "<img" not in page
    assert page.count("</script>") == 2
    assert data_of(page)["names"] == [HOSTILE, "{{SCRIPT}}", "Cleo\u2028"]
    read = read_bytes(broken(players=[{"name": HOSTILE}] * 3)).played
    assert "<img" not in page_html(read)


@pytest.mark.browser
async def test_the_page_is_played_by_keys_and_asks_for_nothing(tmp_path: Path) -> None:
    match = replace(whole(players=4), seated=(Seated(HOSTILE), *whole(players=4).seated[1:]))
    file = tmp_path / "match.html"
    file.write_text(page_html(match), "utf-8")
    async with chromium() as browser:
        context = await browser.new_context(
            viewport={"width": 390, "height": 844}, reduced_motion="reduce"
        )
        page = await context.new_page()
        requested: list[str] = []
        errors: list[str] = []
        page.on("request", lambda request: requested.append(request.url))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text))
        await page.goto(file.as_uri())
        await played_by_keys(page, match)
        assert requested == [file.as_uri()]
        assert errors == []


async def played_by_keys(page: Page, match: PlayedMatch) -> None:
    """Step through a match by keys to its end, then have the page play its last step by itself."""
    line, where = page.locator("#told"), page.locator("#where")
    steps = len(steps_of(match))  # as the replay in Discord counts them
    await expect(line).to_contain_text("Round 1: ")
    await expect(page.locator(".name b").first).to_have_text(HOSTILE)
    first = match.states()[0].round
    assert first is not None
    await expect(page.locator(".card:not(.down)")).to_have_count(len(first.pool))
    deck = await page.locator("#deck").bounding_box()
    card = page.locator(".card:not(.down)").first
    await page.wait_for_function("() => !document.getAnimations().length")
    dealt = await card.bounding_box()
    assert deck is not None
    assert dealt is not None
    assert (dealt["x"], dealt["y"]) != (deck["x"], deck["y"]), "it has left the deck"
    wide = await page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390
    await page.keyboard.press("ArrowRight")
    await expect(where).to_contain_text(f"2/{steps}")
    await page.keyboard.press("ArrowDown")
    await expect(line).to_contain_text("Round 2: ")
    await page.keyboard.press("ArrowUp")
    await expect(line).to_contain_text("Round 1: ")
    await page.keyboard.press("End")
    await expect(line).to_contain_text("wins the match.")
    await expect(page.locator(".seat.wins")).to_have_count(1)
    await page.keyboard.press("ArrowLeft")
    await expect(where).to_contain_text(f"{steps}/{steps}")
    await page.keyboard.press("ArrowLeft")
    await expect(where).to_contain_text(f"{steps - 1}/{steps}")
    await page.keyboard.press("Space")
    await expect(page.get_by_role("button", name="Pause")).to_be_visible()
    await expect(where).to_contain_text(f"{steps}/{steps}")
    await expect(page.get_by_role("button", name="Play")).to_be_visible()
