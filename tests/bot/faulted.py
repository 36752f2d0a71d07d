# ruff: noqa: ASYNC110 - other processes tell by what can be seen
"""Run the real bot as a process whose disk and Discord can fail, and check the table afterwards.

A test that causes a fault also ends it; then the table must recover by itself.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.setup import PATIENCE, Setup
from bot.sandbox.driver import ActOutcome
from bot.sandbox.remote import RemotePerson
from bot.sandbox.rules.bodies import STRING_SELECT
from bot.sandbox.screen import SeenMessage
from tests.bot.processes import is_answered, outcome_of, wait_patiently
from tests.powerloss.shim import Shim, compiler

THAI = "Thai Poker"
NOT_STORED = "The database isn't available right now, so nothing happened. Please try again."


@dataclass
class Faulted:
    """A bot with a table to play at; `acknowledged` has the interaction ids of confirmed moves."""

    setup: Setup
    shim: Shim
    acknowledged: list[str] = field(default_factory=list)

    @property
    def database(self) -> Path:
        return self.shim.folder / "house.db"

    @property
    def log(self) -> str:
        return (self.setup.folder / f"bot-{self.setup.starts}.log").read_text()

    def log_lines(self, words: str) -> list[dict[str, Any]]:
        """Return the log's entries that contain these words, parsed from JSON."""
        return [json.loads(line) for line in self.log.splitlines() if words in line]

    async def until_logged(self, words: str, since: int = 0) -> dict[str, Any]:
        """Wait until there are more than `since` entries with these words; return the last."""
        async with asyncio.timeout(PATIENCE):
            while len(lines := self.log_lines(words)) <= since:
                await asyncio.sleep(0.01)
        return lines[-1]

    def query(self, query: str) -> list[tuple]:
        uri = f"file:{self.database}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True)) as file:
            return file.execute(query).fetchall()

    def actions(self) -> int:
        """Return the number of stored actions."""
        return int(self.query("select count(*) from actions")[0][0])

    async def choose(self) -> tuple[asyncio.Task[ActOutcome], SeenMessage, RemotePerson]:
        """Make the lowest bid as the player in turn, without waiting for the answer.

        If no bid is left, play on to the next round first. Return the request in flight, the
        message that the bid was made on, and the player.
        """
        await self.ready()
        message, person = await self.setup.table_message(), await self.setup.turn()
        value = str(message.select()["options"][0]["value"])
        return asyncio.create_task(person.select(message, None, value)), message, person

    async def ready(self) -> None:
        """Make the table ask for a bid: if none can be made, go on to the next round."""
        parts = (await self.setup.table_message()).components
        if not any(part["type"] == STRING_SELECT for part in parts):
            await self.next_round()

    async def next_round(self) -> None:
        """Challenge as the player in turn, then deal the next round."""
        message, person = await self.setup.table_message(), await self.setup.turn()
        number = int(message.text.split("Round ")[1].split()[0])
        await (await person.click(message, "Challenge")).settle()
        table = await self.setup.wait_for_table(f"Round {number}", "Fair deal ✓")
        refused: list[str] = []
        async with asyncio.timeout(PATIENCE):
            while f"Round {number + 1}" not in table.text or "My seat" not in table.buttons:
                if "Next round" in table.buttons:  # whoever is told that it did not count, presses
                    out = await (await person.click(table, "Next round")).settle()
                    refused += [] if is_answered(out) else [out.text]
                    assert len(refused) < 5, refused
                await asyncio.sleep(0.02)
                table = await self.setup.table_message()

    async def move(self) -> ActOutcome:
        """Bid as the player in turn, and wait until the next turn begins.

        Record the move as confirmed, and assert that no confirmed move is lost.
        """
        act, _, person = await self.choose()
        out = await act
        assert is_answered(out), out.text
        assert out.interaction_id is not None
        await out.settle()
        await self.until_turn_passed(person)
        self.acknowledged.append(out.interaction_id)
        self.check_nothing_lost()
        return out

    async def until_turn_passed(self, person: RemotePerson) -> None:
        """Wait until the table asks another person to act."""
        async with asyncio.timeout(PATIENCE):
            while (await self.setup.turn()).id == person.id:
                await asyncio.sleep(0.01)

    async def check_refusal(self, words: str = NOT_STORED) -> None:
        """Make a move; assert that it isn't stored, and that the table still asks for a move.

        Wait until the player is told `words`, and dismiss every reply that says so.
        """
        await self.ready()
        before, (act, message, person) = self.actions(), await self.choose()
        await act
        async with asyncio.timeout(PATIENCE):
            while words not in await self.private_lines(person):
                await asyncio.sleep(0.01)
        assert (await self.setup.table_message()).text == message.text
        assert self.actions() == before
        for reply in await person.visible(self.setup.channel):
            if reply.ephemeral and reply.text == words:
                await person.dismiss(reply)

    async def private_lines(self, person: RemotePerson) -> list[str]:
        """Return the text of the private messages that this person sees."""
        messages = await person.visible(self.setup.channel)
        return [message.text for message in messages if message.ephemeral]

    async def check_unanswered(self, act: asyncio.Task[ActOutcome]) -> None:
        """Wait until `act` ends; assert that Discord reports the interaction as failed."""
        assert await outcome_of(self.setup, act) is None

    def check_nothing_lost(self) -> None:
        """Assert that every confirmed move is stored, and none twice."""
        rows = self.query("select interaction_id from actions where interaction_id is not null")
        stored = [str(row) for (row,) in rows]
        assert set(self.acknowledged) <= set(stored)
        assert len(stored) == len(set(stored))

    async def look(self) -> None:
        """Wait until exactly one public message asks somebody to act."""
        async with asyncio.timeout(PATIENCE):
            while True:
                messages = await self.setup.people[0].visible(self.setup.channel)
                asking = [
                    message
                    for message in messages
                    if not message.ephemeral and "**to act**" in message.text
                ]
                if len(asking) == 1:
                    return
                await asyncio.sleep(0.05)


@asynccontextmanager
async def run_faulted(
    folder: Path, players: int = 2, *, disk: bool = True, **extra: str
) -> AsyncIterator[Faulted]:
    """Yield a table whose bot isn't started yet.

    `disk`: make the bot's disk able to fail, if there is a C compiler. `extra`: settings as
    environment variables.
    """
    shim = Shim(folder / "disk", folder / "aside")
    async with wait_patiently(folder, players) as setup:
        setup.extra_settings = {"BLUFFHOUSE_DATABASE__PATH": str(shim.folder / "house.db"), **extra}
        if disk and compiler() is not None:
            setup.extra_settings |= shim.environment(records=False)
        yield Faulted(setup, shim)
