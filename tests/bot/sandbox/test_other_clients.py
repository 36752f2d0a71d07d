"""Unmodified bots on two other client libraries, hikari and discord.js, on the local Discord.

Each is a separate process: hikari has its own environment (`make test` installs it), and discord.js
is JavaScript.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.sandbox.limits import RateLimits
from tests.bot.sandbox.page_browser import ONE_PIXEL
from tests.bot.sandbox.waiting import Requests
from tests.people import PATIENCE, Snug

HERE = Path(__file__).parent / "clients"
ROOT = Path(__file__).parents[3]
FOLLOW_UP = "/webhooks/{webhook_id}/{webhook_token}"


Start = tuple[list[str], dict[str, str]]  # a command, and what its environment needs


def hikari_bot(snug: Snug) -> Start:
    installed = ROOT / ".venv" / "clients"
    if not (installed / "hikari").exists():
        _give_up("hikari is not installed: make test does that")
    command = [sys.executable, str(HERE / "hikari_bot.py"), snug.world.api_url]
    return command, {"PYTHONPATH": str(installed)}


def discordjs_bot(snug: Snug) -> Start:
    node = shutil.which("node")
    if node is None or not (ROOT / "node_modules" / "discord.js").exists():
        _give_up("discord.js is not installed: make test does that where node and npm are")
    command = [str(node), str(HERE / "discordjs_bot.mjs"), f"{snug.world.base_url}/api"]
    return command, {"NODE_NO_WARNINGS": "1"}  # node's own, which differ between its versions


def _give_up(reason: str) -> None:
    """Skip the test, or fail it if CI is set."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@asynccontextmanager
async def running(snug: Snug, bot: Start) -> AsyncIterator[None]:
    """Run the bot, and yield once its commands are registered; fail if it prints anything."""
    command, environment = bot
    with snug.world.stream.listening(snug.ann.id) as events:
        process = await asyncio.create_subprocess_exec(
            *command,
            env=os.environ | environment,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        assert process.stdout is not None
        complaint = asyncio.create_task(process.stdout.readline())

        async def commands_registered() -> None:
            while await events.get() != {"type": "commands"}:
                pass

        ready = asyncio.create_task(commands_registered())
        await asyncio.wait((complaint, ready), return_when=asyncio.FIRST_COMPLETED)
    try:
        if ready.done():
            async with asyncio.timeout(PATIENCE):
                yield
    finally:
        ready.cancel()
        if process.returncode is None:
            process.terminate()
        printed = await complaint + await process.stdout.read()
        await process.wait()
        print(printed.decode())
    assert printed == b""


@pytest.mark.thorough
@pytest.mark.parametrize("start", [hikari_bot, discordjs_bot])
async def test_a_bot_on_another_client_library_logs_in_and_is_played_with(
    snug: Snug, start: Callable[[Snug], Start]
) -> None:
    world, ann, table = snug.world, snug.ann, snug.table
    world.limits = RateLimits()  # with the headers that they reckon with
    requests = Requests(world)
    async with running(snug, start(snug)):
        (emoji,) = world.state.emojis
        assert world.state.pictures[emoji["id"]] == ONE_PIXEL
        hello = await ann.slash(table, "hello", name="two aces")
        assert hello.seen.content == f"Hello two aces <:ace:{emoji['id']}>"
        assert (await snug.bob.click(hello.seen, "Press")).seen.content == "Pressed by Bob"
        form = await ann.click(hello.seen, "Form")
        submitted = await ann.submit(form.form, {"Words": "full house"})
        assert submitted.seen.content == "Form: full house"
        looked = await ann.slash(table, "look", player=snug.bob)
        assert looked.text == "Ann looks at Bob"
        assert looked.seen.ephemeral
        thought = await (await ann.slash(table, "think")).settle()
        assert thought.text == "thought"
        await ann.slash(table, "file")
        await requests.until(lambda request: request.route == FOLLOW_UP)
    *_, first, further = ann.visible(table)
    for message, text, name in ((first, "first", "a.png"), (further, "further", "b.png")):
        (file,) = message.attachments
        assert (message.content, file["filename"]) == (text, name)
        assert world.state.attachments[file["id"]].content == ONE_PIXEL
    assert world.state.unknown_requests == []
    assert [request for request in requests if request.status >= 400] == []
