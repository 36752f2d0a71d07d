# ruff: noqa: ASYNC110 - other processes tell by what can be seen
"""The real bot as a process whose disk and Discord can be made to fail, and checks afterwards.

A test that causes a fault also ends it; then the table must go on by itself.
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
    """Premises whose bot is played at; `told` are the moves that were answered as made."""

    setup: Setup
    shim: Shim
    acknowledged: list[str] = field(default_factory=list)

    @property
    def database(self) -> Path:
        """The SQLite file."""
        return self.shim.folder / "house.db"

    @property
    def log(self) -> str:
        """What the running bot has logged."""
        return (self.setup.folder / f"bot-{self.setup.starts}.log").read_text()

    def log_lines(self, words: str) -> list[dict[str, Any]]:
        """The log's lines with these words."""
        return [json.loads(line) for line in self.log.splitlines() if words in line]

    async def until_logged(self, words: str, since: int = 0) -> dict[str, Any]:
        """Wait for a line with these words behind the first `since`."""
        async with asyncio.timeout(PATIENCE):
            while len(lines := self.log_lines(words)) <= since:
                await asyncio.sleep(0.01)
        return lines[-1]

    def query(self, query: str) -> list[tuple]:
        """What a query finds in the file."""
        uri = f"file:{self.database}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True)) as file:
            return file.execute(query).fetchall()

    def actions(self) -> int:
        """How many actions are stored."""
        return int(self.query("select count(*) from actions")[0][0])

    async def choose(self) -> tuple[asyncio.Task[ActOutcome], SeenMessage, RemotePerson]:
        """Whoever is to act makes the lowest bid; the answer is not waited for."""
        await self.ready()
        message, person = await self.setup.table_message(), await self.setup.turn()
        value = str(message.select()["options"][0]["value"])
        return asyncio.create_task(person.select(message, None, value)), message, person

    async def ready(self) -> None:
        """Have the table ask for a bid: at the top of the ladder, in the next round."""
        parts = (await self.setup.table_message()).components
        if not any(part["type"] == STRING_SELECT for part in parts):
            await self.next_round()

    async def next_round(self) -> None:
        """Whoever is to act checks, and the next round is dealt."""
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
        """The table goes on: whoever is to act bids, it is stored, and the next is to act."""
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
        """Wait until somebody else is asked to act."""
        async with asyncio.timeout(PATIENCE):
            while (await self.setup.turn()).id == person.id:
                await asyncio.sleep(0.01)

    async def check_refusal(self, words: str = NOT_STORED) -> None:
        """A move is not stored, and its player is told so; the table asks for it still."""
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
        """The lines that only this person sees."""
        messages = await person.visible(self.setup.channel)
        return [message.text for message in messages if message.ephemeral]

    async def check_unanswered(self, act: asyncio.Task[ActOutcome]) -> None:
        """Discord tells whoever pressed that the interaction failed."""
        assert await outcome_of(self.setup, act) is None

    def check_nothing_lost(self) -> None:
        """Nothing that was answered is lost, and nothing was made twice."""
        rows = self.query("select interaction_id from actions where interaction_id is not null")
        stored = [str(row) for (row,) in rows]
        assert set(self.acknowledged) <= set(stored)
        assert len(stored) == len(set(stored))

    async def look(self) -> None:
        """Wait until everybody sees the table as it is stored, once."""
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
    """Premises with a `disk` to spoil or without; the bot is started by whoever uses them."""
    shim = Shim(folder / "disk", folder / "aside")
    async with wait_patiently(folder, players) as setup:
        setup.extra_settings = {"BLUFFHOUSE_DATABASE__PATH": str(shim.folder / "house.db"), **extra}
        if disk and compiler() is not None:
            setup.extra_settings |= shim.environment(records=False)
        yield Faulted(setup, shim)
