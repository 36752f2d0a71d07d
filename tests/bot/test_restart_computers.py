"""A real process with computer players is killed: the cards stay, and no decision is made twice."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from benchmarks.reading import TURN
from benchmarks.setup import Setup
from bot.sandbox.screen import SeenMessage
from tests.bot.processes import wait_patiently

pytestmark = [pytest.mark.process, pytest.mark.long]


async def for_me(setup: Setup) -> SeenMessage:
    """Wait until a person must bid or deal, or the match is over; return the table's message."""
    while True:
        message = await setup.table_message()
        my_turn = TURN.search(message.text) or "Next round" in message.buttons
        if my_turn or "wins the match" in message.text:
            return message
        await asyncio.sleep(0.01)


async def test_a_match_with_computer_players_goes_on_after_sigkill_at_any_moment(
    tmp_path: Path,
) -> None:
    chance = random.Random(2)
    async with wait_patiently(tmp_path, players=1) as setup:
        setup.module = ("bot", "run")  # which loads what computer players decide by
        setup.extra_settings["BLUFFHOUSE_COMPUTERS__PAUSE_SECONDS"] = "0.1"
        (ann,) = setup.people
        await setup.start()
        await (await ann.slash(setup.channel, "play", game="Thai Poker", computers=4)).settle()
        await ann.click(await setup.table_message(), "Start")
        kills = 0
        for _ in range(60):
            message = await for_me(setup)
            if "wins the match" in message.text or kills == 4:
                break
            if "Next round" in message.buttons:
                await ann.click(message, "Next round")
            elif "Challenge" in message.buttons and chance.random() < 0.3:
                await (await ann.click(message, "Challenge")).settle()
            else:
                options = message.select()["options"]
                await (await ann.select(message, None, options[0]["value"])).settle()
            await asyncio.sleep(chance.random() * 0.4)  # they are thinking, or have just acted
            setup.kill()
            kills += 1
            await setup.start()
        assert kills == 4
        await for_me(setup)
        with closing(
            sqlite3.connect(f"file:{setup.folder / 'house.db'}?mode=ro", uri=True)
        ) as file:
            log = file.execute("SELECT seq, body, by_house FROM actions ORDER BY seq").fetchall()
        assert [seq for seq, *_ in log] == list(range(1, len(log) + 1))
        assert sum('"bid"' in body for _, body, _ in log) > 4
        assert not any(by_house for *_, by_house in log)
