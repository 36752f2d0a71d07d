"""Fixtures for the tests of the bot: a table with people and a bot, and generous time limits."""

from __future__ import annotations

import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot import app
from bot.computing.process import Computing
from bot.discord import answers, emoji, picture_job, redraw_queue
from bot.operations.process_lifetime import STOP
from bot.sandbox import interactions
from bot.sandbox.clock import ManualClock
from bot.sandbox.world import Sandbox
from tests.bot.browser_seat import Gallery, fixed_seeds
from tests.bot.harness import Table, running_bot, settings
from tests.people import PATIENCE

NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal", "Ivy", "Jo", "Kim")
Seat = Callable[..., Awaitable[Table]]


@pytest.fixture(autouse=True)
def no_picture_is_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let messages wait up to `PATIENCE` seconds for their picture: a busy machine draws slowly."""
    monkeypatch.setattr(picture_job, "LONGEST_WAIT", PATIENCE)


@pytest.fixture(autouse=True)
def cards_in_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the bot without card emoji, so that texts read off a screen contain the cards."""
    monkeypatch.setattr(emoji, "TILES", ())


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> ManualClock:
    """Give the bot and Discord all the time that a busy machine needs, in every test.

    The bot never defers or abandons an answer, and always waits for Discord when it stops. Return
    the stopped clock that Discord has in the fixture `table`; a test may advance it.
    """
    monkeypatch.setattr(app, "STOP", replace(STOP, discord=PATIENCE))
    for limit in ("DEFER_AFTER", "FIRST_WITHIN", "LATER_WITHIN"):
        monkeypatch.setattr(answers, limit, PATIENCE)
    return ManualClock(time.time())


@pytest.fixture
def workdir(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return an empty working directory; remove the bot's settings from the environment."""
    for name in list(os.environ):
        if name.startswith(("BLUFFHOUSE_", "DISCORD_")):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def patient_discord(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Discord accept answers for `PATIENCE` seconds, even if its clock runs."""
    monkeypatch.setattr(interactions, "ANSWER_SECONDS", PATIENCE)


@pytest.fixture
async def table(
    tmp_path: Path, unhurried: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Seat]:
    """Yield a function that puts people in a channel with a bot and returns a `Table`.

    Example: `await table(2, turn_minutes=1)`. Keywords that aren't listed below go to
    `settings`.

    - `plays`: a game to begin, with everybody seated and the first round dealt
    - `serve`: False if the test starts the bot itself; the `Table` then has no bot at first
    - `still`: False if time passes in Discord
    - `seeds`: a name for the deals; the same name gives the same cards
    - `computing`: the bot's computing process
    """
    # Discord and its people are on this loop too: what it takes does not tell how busy the bot is
    monkeypatch.setattr(redraw_queue._Load, "recent_share", lambda *_: 0.0)
    async with AsyncExitStack() as stack:

        async def seat(
            players: int,
            *,
            plays: str | None = None,
            serve: bool = True,
            still: bool = True,
            seeds: str | None = None,
            computing: Computing | None = None,
            **tables: Any,
        ) -> Table:
            world = Sandbox(unhurried if still else None)
            await world.start(port=0)
            stack.push_async_callback(world.stop)
            channel = world.add_guild("The Snug").add_text_channel("poker-night")
            people = [world.add_person(name) for name in NAMES[:players]]
            chosen = settings(tmp_path, **tables)
            if not serve:
                return Table(world, None, channel, people)  # type: ignore[arg-type]
            deals = None if seeds is None else fixed_seeds(seeds)
            serving = running_bot(world, chosen, deals, computing=computing)
            bot = await stack.enter_async_context(serving)
            at = Table(world, bot, channel, people)
            if plays is not None:
                await at.start(plays)
            return at

        yield seat


@pytest.fixture
def gallery(pytestconfig: pytest.Config) -> Gallery:
    """Return a gallery with the folder that `--screenshots` names, if any."""
    folder = pytestconfig.getoption("--screenshots")
    return Gallery(Path(folder) if folder else None, pytestconfig.getoption("--every-look"))
