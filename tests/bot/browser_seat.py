"""Play and read the bot in a browser tab, as a person does, and keep pictures of the page."""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from typing import Final

from PIL import Image
from playwright.async_api import Browser, Locator, Page, ViewportSize, expect

from benchmarks.reading import ANYWAY, OWN_CARDS
from bot.app import Bot
from bot.discord import emoji
from bot.sandbox.clock import ManualClock
from bot.sandbox.discord_state import Channel
from bot.sandbox.world import Sandbox
from tests.bot.harness import StoppedClock, running_bot, settings, warm_up
from tests.bot.sandbox.page_browser import PHONE, chromium, tab
from tests.people import until

ROOT: Final = Path(__file__).parents[2]
IN_PAGES: Final = ROOT / "docs" / "images"
LARGEST_PICTURE: Final = 100_000  # bytes
WIDEST_PICTURE: Final = 1600  # pixels
DESKTOP: Final = ViewportSize(width=1280, height=900)
# what reaches over the right edge of the screen, or is cut off inside a message
TOO_WIDE: Final = """() => [...document.querySelectorAll('#main *, dialog[open] *, .popover *')]
    .filter(node => node.getBoundingClientRect().width > 2
        && node.getBoundingClientRect().right > innerWidth + 1
        && !node.closest('.unseen, #members, pre'))
    .map(node => node.outerHTML.slice(0, 120))"""
# a word of the messages that goes on in the next line, as nothing else fits beside a wide button
BROKEN: Final = """() => {
    const texts = document.createTreeWalker(
        document.getElementById('messages'), NodeFilter.SHOW_TEXT);
    const broken = [], range = document.createRange();
    while (texts.nextNode()) {
        const text = texts.currentNode;
        if (text.parentElement.closest('code, pre, .unseen')) continue;
        for (const {0: word, index} of text.data.matchAll(/\\p{L}+/gu)) {
            range.setStart(text, index);
            range.setEnd(text, index + word.length);
            if (new Set([...range.getClientRects()].map(({top}) => top)).size > 1)
                broken.push(word);
        }
    }
    return broken;
}"""
IN_COLOURS: Final = "scheme => { document.documentElement.dataset.theme = scheme; }"
DRAWN: Final = """() => Promise.all(
    [...document.querySelectorAll('#messages img')].map(image => image.decode()))"""
TWO_FRAMES: Final = """() => new Promise(done =>
    requestAnimationFrame(() => requestAnimationFrame(() => done(null))))"""
# what the seat of whoever challenged says then
OVER: Final = "You lost the round|This round is over|out of this match|match is over|You won"
# a message taller than the list is shown from its beginning
BEGINNING: Final = """node => {
    const list = document.getElementById('scroller').getBoundingClientRect();
    if (node.getBoundingClientRect().top < list.top) node.scrollIntoView({block: 'start'});
}"""
# the text of a message and what is only read aloud, such as a picture's description
READ = """nodes => nodes.map(node => [
    node.innerText,
    ...[...node.querySelectorAll('[alt]')].map(part => part.getAttribute('alt')),
    ...[...node.querySelectorAll('[aria-label]')].map(part => part.getAttribute('aria-label')),
].join('\\n'))"""


@cache
def pictures_in_pages() -> frozenset[Path]:
    """Return the PNG files shown by the Markdown pages in the root and in `docs`."""
    pictures = (
        page.parent / link
        for page in (*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"))
        for link in re.findall(r'(?:\]\(|src=")([^)":\s]+\.png)', page.read_text(encoding="utf-8"))
    )
    return frozenset(pictures)


def fixed_seeds(name: str) -> Iterator[bytes]:
    """Return an endless iterator of seeds that depend only on the name, so deals are repeatable."""
    return (hashlib.sha256(f"{name} {n}".encode()).digest() for n in count())


@dataclass(frozen=True, slots=True)
class Premises:
    """A browser, the local Discord and a bot, with a channel to play in.

    `clock`: the bot's stopped clock. The bot doesn't use it if
    `premises` was called without one.
    """

    browser: Browser
    world: Sandbox
    bot: Bot
    clock: StoppedClock
    channel: Channel

    def tab(
        self, name: str, gallery: Gallery | None = None, *, phone: bool = True
    ) -> AbstractAsyncContextManager[Seat]:
        """Open the channel in a new tab as the person `name`, at the gallery's scale or 1."""
        scale = gallery.scale if gallery is not None else 1
        return open_seat_tab(
            self.world, self.browser, name, self.channel.id, phone=phone, scale=scale
        )


@asynccontextmanager
async def premises(
    folder: Path,
    clock: ManualClock | None,
    names: Sequence[str],
    seeds: str,
    *,
    next_round: float = 300.0,
    warm: bool = False,
) -> AsyncIterator[Premises]:
    """Run the local Discord, a bot and a browser until the block ends.

    Discord has Ann, Bob, Cleo and `names[3:]`. The same `seeds` give the same cards. If `clock`
    is given, Discord uses it, and the bot has its own stopped clock, set to the same time.
    Otherwise time passes, and turns have no limit. `next_round`: seconds until the next round
    is dealt automatically. `warm`: load compiled code first, for tests that ask for odds or the
    coach.
    """
    async with AsyncExitStack() as stack:
        browser = await stack.enter_async_context(chromium())
        world = Sandbox(clock)
        await world.start()
        stack.push_async_callback(world.stop)
        world.furnish()
        for name in names[3:]:  # three are there already
            world.add_person(name)
        stopped = StoppedClock(clock.now() if clock else 0.0)
        chosen = settings(folder, next_round_seconds=next_round, turn_minutes=2 if clock else 0)
        bot = await stack.enter_async_context(
            running_bot(world, chosen, fixed_seeds(seeds), clock=stopped if clock else None)
        )
        if warm:
            await warm_up(bot)
        tiles = len(vars(emoji)["TILES"])  # none where cards are text
        await until(lambda: len(world.state.emojis) == tiles)
        channel = world.server("The Snug").channel("poker-night")
        yield Premises(browser, world, bot, stopped, channel)


@dataclass(frozen=True, slots=True)
class Gallery:
    """A folder for pictures of the page; if `folder` is None, no pictures are written.

    In `docs/images`, only pictures that the documents show are written. `largest`: the size in
    bytes that pictures should stay below; larger ones get fewer colours, but at least 32.
    `every_look`: see `keep_both`.
    """

    folder: Path | None = None
    every_look: bool = False
    largest: int = LARGEST_PICTURE

    @property
    def scale(self) -> int:
        """Return the device pixel ratio: 2, as on a phone, if pictures are kept, else 1."""
        return 1 if self.folder is None else 2

    async def keep(self, page: Page, name: str) -> None:
        """Write a small PNG of the page as it is now, if there is a folder."""
        if self.folder is None:
            return
        await page.evaluate("document.fonts.ready")
        self._write(await page.screenshot(animations="disabled"), name)

    async def keep_both(self, page: Page, name: str, node: Locator | None = None) -> None:
        """Keep pictures of the page, scrolled to `node`, on a dark phone and on a light desktop.

        Assert on both that nothing is wider than the screen and no word is broken. If `every_look`,
        do the same on a light phone and a dark desktop. Afterwards the page has a phone's size. If
        there is no folder, only make the checks.
        """
        for size, suffix in ((PHONE, "-phone"), (DESKTOP, "")):
            await page.set_viewport_size(size)
            scheme_now = "dark" if suffix else "light"
            for scheme in ("dark", "light") if self.every_look else (scheme_now,):
                await page.evaluate(IN_COLOURS, scheme)
                await self._still(page, node)
                assert await page.evaluate(TOO_WIDE) == [], (name, suffix)
                assert await page.evaluate(BROKEN) == [], (name, suffix)
                if self.folder is not None:
                    taken = await page.screenshot(animations="disabled")
                    self._write(
                        taken, name + suffix + ("" if scheme == scheme_now else f"-{scheme}")
                    )
        await page.set_viewport_size(PHONE)

    async def _still(self, page: Page, node: Locator | None) -> None:
        """Wait until everything is drawn at this size, then scroll to `node`."""
        await page.evaluate("document.fonts.ready")
        await page.evaluate(DRAWN)
        if node is not None:
            await node.evaluate("node => node.scrollIntoView({block: 'end'})")
            await node.evaluate(BEGINNING)
        await page.evaluate(TWO_FRAMES)

    def _write(self, taken: bytes, name: str) -> None:
        if self.folder is None:
            return
        picture = Image.open(io.BytesIO(taken)).convert("RGB")
        if picture.width > WIDEST_PICTURE:
            picture = picture.reduce(2)  # a desktop taken with a phone's two dots for one
        self.folder.mkdir(parents=True, exist_ok=True)
        for colours in (256, 128, 64, 32):
            small = picture.quantize(colours, dither=Image.Dither.NONE)
            written = io.BytesIO()
            small.save(written, "PNG", optimize=True)
            if written.tell() < self.largest:
                break
        file = self.folder.resolve() / f"{name}.png"
        if not file.is_relative_to(IN_PAGES) or file in pictures_in_pages():
            file.write_bytes(written.getvalue())


@dataclass(frozen=True, slots=True)
class Seat:
    """A person's browser tab."""

    name: str
    page: Page
    phone: bool

    # -- what is on the screen --------------------------------------------------------------------

    @property
    def messages(self) -> Locator:
        return self.page.locator("#messages .message")

    @property
    def table(self) -> Locator:
        """Find the newest public message with a table on it."""
        return (
            self.messages.filter(has=self.page.locator(".container"))
            .and_(self.page.locator(":not(.ephemeral)"))
            .last
        )

    @property
    def own(self) -> Locator:
        """Find the person's seat: the newest private message with a board on it."""
        return (
            self.messages.filter(has=self.page.locator(".container"))
            .and_(self.page.locator(".ephemeral"))
            .last
        )

    @property
    def reminders(self) -> Locator:
        """Find the messages that remind somebody of their turn."""
        return self.messages.filter(has=self.page.get_by_role("link", name="to the table")).and_(
            self.page.locator(":not(.ephemeral)")
        )

    def badge(self, place: str) -> Locator:
        """Find a channel's red badge in the list: the number of the person's mentions."""
        return self.page.locator("#channels .place", has_text=place).locator(".badge")

    @property
    def form(self) -> Locator:
        return self.page.get_by_role("dialog")

    def button(self, label: str) -> Locator:
        return self.table.get_by_role("button", name=label, exact=True)

    async def read(self, message: Locator) -> str:
        """Return all the text of a message, with the descriptions of its pictures."""
        return str("\n".join(await message.evaluate_all(READ)))

    # -- what one does ----------------------------------------------------------------------------

    async def tap(self, target: Locator) -> None:
        await (target.tap() if self.phone else target.click())

    async def press(self, label: str) -> None:
        """Press the button with this label on the table."""
        await self.tap(self.button(label))

    async def command(self, name: str, **options: str) -> None:
        """Pick a command while typing its name, fill in its options and send it."""
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
        """Open a select, choose the option with this label or index, and return its label."""
        await self.tap(select)
        listed = self.page.get_by_role("option")
        offered = (
            listed.nth(option)
            if isinstance(option, int)
            else self.page.get_by_role("option", name=option, exact=True)
        )
        label = await offered.locator(".option-label").inner_text()
        await self.tap(offered)
        return label

    async def raise_by_select(self, option: int = 2) -> str:
        """Choose a bid by its index in the table's select; return its label."""
        return await self.choose(self.table.get_by_role("combobox"), option)

    async def submit(self) -> None:
        await self.tap(self.form.get_by_role("button", name="Submit"))
        await expect(self.form).to_have_count(0)

    async def open_mail(self) -> None:
        """Go to the bot's direct messages."""
        await self.go_to("Bluffhouse")

    async def go_to(self, place: str) -> None:
        """Go to another channel or direct message by its name in the list."""
        if self.phone:
            await self.tap(self.page.locator("#menu"))
        await self.tap(self.page.locator("#channels .place", has_text=place))
        await expect(self.page.locator("#place-name")).to_have_text(place)

    # -- their own seat ---------------------------------------------------------------------------

    def own_button(self, label: str | re.Pattern[str]) -> Locator:
        """Find a button of the seat by its whole label, or by a pattern found in the label."""
        return self.own.get_by_role("button", name=label, exact=True)

    async def press_option(self, label: str) -> None:
        """Press a button of the message that **Options…** in the lobby opens."""
        await self.press("Options…")
        await self.tap(self.messages.last.get_by_role("button", name=label))

    async def dismiss(self) -> None:
        """Dismiss the lowest message, a private one."""
        await self.tap(self.messages.last.get_by_role("button", name="Dismiss message"))

    async def press_own(self, label: str | re.Pattern[str]) -> None:
        await self.tap(self.own_button(label))

    async def challenge_in_seat(self, label: str) -> int:
        """Challenge in the seat and return the number of taps, 1 or 2.

        Two are needed if the person's own cards make the bid: the seat then asks them to confirm.
        """
        await self.press_own(label)
        await expect(self.own).to_contain_text(re.compile(f"{OWN_CARDS}|{OVER}"))
        if OWN_CARDS not in await self.own.inner_text():
            return 1
        await self.press_own(ANYWAY)
        return 2

    async def bid_on_pad(self, *choices: str) -> str:
        """Press these choices on the pad in order, then the button that bids; return the bid.

        Press **Higher** until a choice is offered.
        """
        for choice in choices:
            button = self.own_button(re.compile(rf"^{choice}(\s[<\d].*)?$"))
            while not await button.count() or await button.is_disabled():
                await self.press_own(re.compile("Higher"))
                await expect(self.own_button("Back")).to_be_visible()
            before = await self.own.locator(".container").inner_text()
            await self.tap(button)
            # the same rank may be offered once more: what follows is not to be pressed here
            now = self.own.locator(".container")
            await expect(now).not_to_have_text(before, use_inner_text=True)
        return await self._last_step()

    async def bid_next_rung(self) -> str:
        """Press the button for the lowest legal bid, and return the bid."""
        following = self.own_button(re.compile("Bid next: |Bid lowest"))
        words = (await following.inner_text()).partition(": ")[2]
        await self.tap(following)
        return words[0].upper() + words[1:]

    async def _last_step(self) -> str:
        last = self.own_button(re.compile('Bid "'))
        quoted = re.search('"(.+)"', await last.inner_text())
        assert quoted is not None
        await self.tap(last)
        return quoted[1][0].upper() + quoted[1][1:]

    async def follow_link(self, words: str, place: str) -> None:
        """Follow the newest link with these words; wait until the channel `place` is shown."""
        await self.tap(self.page.get_by_role("link", name=words).last)
        await expect(self.page.locator("#place-name")).to_have_text(place)


@asynccontextmanager
async def open_seat_tab(
    world: Sandbox, browser: Browser, name: str, channel: str, *, phone: bool, scale: int = 1
) -> AsyncIterator[Seat]:
    """Open the channel in a new tab, as the person `name` sees it; `phone` imitates an iPhone.

    Animations are off, since drawing each frame of "is thinking…" would slow the test.
    """
    address = f"{world.base_url}/#as={name}&in={channel}"
    async with tab(browser, address, phone=phone, scale=scale, larger=phone, still=True) as page:
        await expect(page.locator(".opening")).to_be_attached()
        await expect(page.locator(".ghost")).to_have_count(0)
        yield Seat(name, page, phone)
