"""A person in a browser tab, who plays by what the page shows."""

from __future__ import annotations

import io
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PIL import Image
from playwright.async_api import Browser, Locator, Page, expect

from benchmarks.reading import NATURAL
from bot.sandbox.world import Sandbox
from tests.bot.sandbox.page_browser import tab

LARGEST_PICTURE: Final = 120_000  # bytes
# the text of a message and what is only read aloud, such as a picture's description
READ = """nodes => nodes.map(node => [
    node.innerText,
    ...[...node.querySelectorAll('[alt]')].map(part => part.getAttribute('alt')),
    ...[...node.querySelectorAll('[aria-label]')].map(part => part.getAttribute('aria-label')),
].join('\\n'))"""


@dataclass(frozen=True, slots=True)
class Gallery:
    """Where pictures of the page are kept; nowhere unless they were asked for."""

    folder: Path | None = None

    async def keep(self, page: Page, name: str) -> None:
        """The page as it is, as a small PNG."""
        if self.folder is None:
            return
        await page.evaluate("document.fonts.ready")
        picture = Image.open(io.BytesIO(await page.screenshot(animations="disabled")))
        self.folder.mkdir(parents=True, exist_ok=True)
        for colours in (256, 128, 64, 32):
            small = picture.convert("RGB").quantize(colours, dither=Image.Dither.NONE)
            written = io.BytesIO()
            small.save(written, "PNG", optimize=True)
            if written.tell() < LARGEST_PICTURE:
                break
        (self.folder / f"{name}.png").write_bytes(written.getvalue())


@dataclass(frozen=True, slots=True)
class Seat:
    """One person's tab."""

    name: str
    page: Page
    phone: bool

    # -- what is on the screen --------------------------------------------------------------------

    @property
    def messages(self) -> Locator:
        return self.page.locator("#messages .message")

    @property
    def table(self) -> Locator:
        """The newest message with a table on it."""
        return (
            self.messages.filter(has=self.page.locator(".container"))
            .and_(self.page.locator(":not(.ephemeral)"))
            .last
        )

    @property
    def form(self) -> Locator:
        return self.page.get_by_role("dialog")

    def button(self, label: str) -> Locator:
        return self.table.get_by_role("button", name=label, exact=True)

    async def read(self, message: Locator) -> str:
        """All that a message says, described pictures included."""
        return str("\n".join(await message.evaluate_all(READ)))

    async def cards_since(self, round_title: str) -> set[str]:
        """Every natural card that the channel shows from the message of that round on."""
        texts: list[str] = await self.messages.evaluate_all(READ)
        first = max(number for number, text in enumerate(texts) if round_title in text)
        return set(NATURAL.findall("\n".join(texts[first:])))

    # -- what one does ----------------------------------------------------------------------------

    async def tap(self, target: Locator) -> None:
        await (target.tap() if self.phone else target.click())

    async def press(self, label: str) -> None:
        """Press a button of the table."""
        await self.tap(self.button(label))

    async def command(self, name: str, **options: str) -> None:
        """Pick a command as it is typed, fill its options in, send it."""
        page = self.page
        await page.locator(".composer-text").fill(f"/{name}")
        await self.tap(page.get_by_role("option").filter(has_text=re.compile(rf"^/{name}\b")).first)
        form = page.get_by_role("group", name=f"Command {name}")
        for option, value in options.items():
            field = form.get_by_label(re.compile(rf"^{option}( \(required\))?$"))
            if not await field.count():
                await self.tap(form.get_by_role("button", name=option, exact=True))
            await field.fill(value)
            await field.press("Tab")
        await self.tap(page.get_by_role("button", name=f"Send /{name}"))

    async def choose(self, select: Locator, option: str | int) -> str:
        """Open a select and take the option with that label or number; its label."""
        await self.tap(select)
        listed = self.page.get_by_role("option")
        wanted = (
            listed.nth(option)
            if isinstance(option, int)
            else self.page.get_by_role("option", name=option, exact=True)
        )
        label = await wanted.locator(".option-label").inner_text()
        await self.tap(wanted)
        return label

    async def raise_by_select(self, option: int = 2) -> str:
        """Make one of the nearest legal bids."""
        return await self.choose(self.table.get_by_role("combobox"), option)

    async def submit(self) -> None:
        await self.tap(self.form.get_by_role("button", name="Submit"))
        await expect(self.form).to_have_count(0)

    async def bid_in_words(self, words: str) -> None:
        await self.press("Call…")
        await self.form.get_by_label(re.compile("^Type your call")).fill(words)
        await self.submit()

    async def own_cards(self) -> set[str]:
        """Press My seat, read them, and put that seat away again."""
        private = self.page.locator(".message.ephemeral")
        before = await private.count()
        await self.press("My seat")
        await expect(private).to_have_count(before + 1)
        await expect(private.last).to_contain_text("Round ")
        found = set(NATURAL.findall(await private.last.inner_text()))
        await self.tap(private.last.get_by_role("button", name="Dismiss message"))
        await expect(private).to_have_count(before)
        return found

    async def open_mail(self) -> None:
        """Turn to the bot's direct messages."""
        if self.phone:
            await self.tap(self.page.locator("#menu"))
        await self.tap(self.page.locator("#channels .place", has_text="Bluffhouse"))
        await expect(self.page.locator("#place-name")).to_have_text("Bluffhouse")

    async def follow_link(self, words: str, place: str) -> None:
        """Follow the newest link with these words to a channel."""
        await self.tap(self.page.get_by_role("link", name=words).last)
        await expect(self.page.locator("#place-name")).to_have_text(place)


@asynccontextmanager
async def seated(
    world: Sandbox, browser: Browser, name: str, channel: str, *, phone: bool, scale: int = 1
) -> AsyncIterator[Seat]:
    """A tab in which the channel is open as that person sees it."""
    address = f"{world.base_url}/#as={name}&in={channel}"
    async with tab(browser, address, phone=phone, scale=scale) as page:
        await expect(page.locator(".opening")).to_be_attached()
        await expect(page.locator(".ghost")).to_have_count(0)
        yield Seat(name, page, phone)
