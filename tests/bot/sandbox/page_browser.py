"""Headless Chromium for the page's tests; without it they are skipped, or fail if CI is set."""

import base64
import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aiohttp import web
from playwright.async_api import (
    Browser,
    BrowserContext,
    Page,
    ViewportSize,
    async_playwright,
    expect,
)

import bot.sandbox

NAMES = (
    "chromium-headless-shell",  # takes less of the processor: it draws no window
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)
ONE_PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJg"
    "gg=="
)
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE_MS = 60_000  # what is waited for comes at once, but not on a machine that is busy
expect.set_options(timeout=PATIENCE_MS)
DESKTOP = ViewportSize(width=1280, height=800)
PHONE = ViewportSize(width=390, height=844)


def executable() -> str:
    """Return the path of a Chromium. Without one, skip the test, or fail it if CI is set."""
    for name in NAMES:
        if path := shutil.which(name):
            return path
    reason = f"no Chromium on this machine (looked for {', '.join(NAMES)})"
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    path = executable()
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        try:
            yield browser
        finally:
            await browser.close()


@asynccontextmanager
async def modules() -> AsyncIterator[str]:
    """Serve a blank page, pictures, and the modules of the local Discord's page.

    Yield the URL of the blank page, which can import the modules.
    """

    async def blank(_: web.Request) -> web.Response:
        return web.Response(text="<!doctype html><title>.</title><body>", content_type="text/html")

    async def picture(_: web.Request) -> web.Response:
        return web.Response(body=ONE_PIXEL, content_type="image/png")

    app = web.Application()
    app.router.add_get("/attachments/1/2/cards.png", picture)
    app.router.add_get("/emojis/{id:1\\d+}.png", picture)
    app.router.add_get("/", blank)
    app.router.add_static("/page/static/", Path(bot.sandbox.__file__).parent / "page")
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/"
    finally:
        await runner.cleanup()


@asynccontextmanager
async def tab(
    browser: Browser,
    address: str,
    *,
    phone: bool = False,
    scale: int = 1,
    larger: bool = False,
    still: bool = False,
) -> AsyncIterator[Page]:
    """Open `address` in a new tab with its own storage; fail on a script's error or a dialog.

    `scale`: device pixels for each pixel of the page; `larger`: buttons a fifth larger, as iPhones
    draw them; `still`: without animations, as people can ask of their system.
    """
    context: BrowserContext = await browser.new_context(
        viewport=PHONE if phone else DESKTOP,
        device_scale_factor=scale,
        has_touch=phone,
        is_mobile=phone,
        locale="en-GB",
        reduced_motion="reduce" if still else "no-preference",
    )
    context.set_default_timeout(PATIENCE_MS)
    page = await context.new_page()
    if larger:
        await page.add_init_script("localStorage.setItem('buttons', 'larger')")
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("dialog", lambda dialog: errors.append(f"a dialog opened: {dialog.message}"))
    await page.goto(address)
    try:
        yield page
    finally:
        await context.close()
    assert errors == []
