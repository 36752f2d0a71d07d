"""The database of a match in play, moved to PostgreSQL and back by the command."""

from __future__ import annotations

import asyncio
import random
import re
from pathlib import Path

import pytest

from benchmarks.setup import Setup
from tests.bot.faulted import THAI
from tests.bot.processes import command, wait_patiently
from tests.bot.storage.conftest import postgres as postgres
from tests.bot.storage.conftest import wipe
from tests.bot.test_restart import MOST_MOVES, own_cards, play_on
from tests.people import press_in_command

pytestmark = [pytest.mark.process, pytest.mark.long, pytest.mark.postgres]


def timeless(text: str) -> str:
    """Return the text without its relative times, which a restart changes."""
    return re.sub(r"<t:\d+:R>", "", text)


async def run(setup: Setup, *arguments: str, code: int = 0) -> str:
    """Run a command on the bot's database, with the bot's settings; return the output in a line."""
    variables = {name: setup.settings[name] for name in setup.extra_settings}
    ended = await asyncio.to_thread(command, setup.folder, *arguments, **variables)
    assert ended.returncode == code, ended.stderr
    return " ".join((ended.stdout + ended.stderr).split())


async def play_some_moves(setup: Setup, chance: random.Random) -> None:
    """Play five moves, then go on until the table asks for a bid."""
    for _ in range(5):
        await play_on(setup, chance)
    while "Next round" in (await setup.table_message()).buttons:
        await play_on(setup, chance)


async def move_database(setup: Setup, source: str, target: str, setting: str) -> str:
    """Stop the bot, move the database and start on the target; return the command's output.

    Assert that table, cards and turn are the same. `setting`: the variable that names the database.
    """
    message, cards, turn = await setup.table_message(), await own_cards(setup), await setup.turn()
    await setup.terminate()
    output = await run(setup, "store", "move", source, target)
    setup.extra_settings = {setting: target}
    await setup.start()
    after = await setup.table_message()
    assert (after.id, timeless(after.text)) == (message.id, timeless(message.text))
    assert await own_cards(setup) == cards
    assert (await setup.turn()).id == turn.id
    return output


async def test_a_match_goes_on_in_postgresql_and_then_in_a_file_again(
    tmp_path: Path, postgres: str
) -> None:
    await wipe(postgres)
    old, new = str(tmp_path / "house.db"), str(tmp_path / "new.db")
    chance = random.Random(3)
    async with wait_patiently(tmp_path, players=3) as setup:
        setup.extra_settings = {"BLUFFHOUSE_DATABASE__PATH": old}
        await setup.start()
        form = await press_in_command(setup.people[0], setup.channel, "preferences", "Change…")
        await setup.people[0].submit(form.modal, {"Cards by direct message": ["Always"]})
        await setup.begin(THAI)
        await play_some_moves(setup, chance)
        voter, sleeper = setup.people[0], setup.people[1]
        await voter.slash(setup.channel, "leave", what="away", player=sleeper.id)
        await setup.wait_for_table(f"<@{voter.id}> says they're away")

        output = await move_database(setup, old, postgres, "BLUFFHOUSE_DATABASE__URL")
        assert "1 matches" in output
        assert f"<@{voter.id}> says they're away" in (await setup.table_message()).text
        refused = await run(setup, "store", "move", postgres, new, code=78)
        assert "serves on the PostgreSQL database: stop it first" in refused
        for _ in range(MOST_MOVES):
            if "wins the match" in await play_on(setup, chance):
                break
        else:
            raise AssertionError("nobody wins")
        await setup.begin(THAI)
        await play_some_moves(setup, chance)

        output = await move_database(setup, postgres, new, "BLUFFHOUSE_DATABASE__PATH")
        assert "2 matches" in output
        await play_some_moves(setup, chance)
        await setup.terminate()
        assert "isn't empty" in await run(setup, "store", "move", old, new, code=78)
        assert "Everything checks out" in await run(setup, "verify", "1")
        assert "1 open table, read and replayed" in await run(setup, "store", "doctor")
        assert "direct" in await run(setup, "people", "export", setup.people[0].id)
