"""The database of a match in play is moved to PostgreSQL and back, by the command."""

from __future__ import annotations

import asyncio
import random
import re
from pathlib import Path

import pytest

from benchmarks.setup import Setup
from tests.bot.faulted import THAI
from tests.bot.processes import command, unhurried
from tests.bot.storage.conftest import postgres as postgres
from tests.bot.storage.conftest import wipe
from tests.bot.test_restart import MOST_MOVES, own_cards, play_on
from tests.people import press_in_command

pytestmark = [pytest.mark.process, pytest.mark.long, pytest.mark.postgres]


def timeless(text: str) -> str:
    """Without the clock, to which a start gives time."""
    return re.sub(r"<t:\d+:R>", "", text)


async def run(here: Setup, *arguments: str, code: int = 0) -> str:
    """A command on the house, with the settings that its bot has; what it says."""
    told = {name: here.settings[name] for name in here.extra_settings}
    ended = await asyncio.to_thread(command, here.folder, *arguments, **told)
    assert ended.returncode == code, ended.stderr
    return " ".join((ended.stdout + ended.stderr).split())


async def played(here: Setup, chance: random.Random) -> None:
    """Some moves, and then on until a bid is asked for."""
    for _ in range(5):
        await play_on(here, chance)
    while "Next round" in (await here.table_message()).buttons:
        await play_on(here, chance)


async def moved(here: Setup, source: str, target: str, setting: str) -> str:
    """Stop, move, and start on the new one: the table stands as it stood, with the same cards."""
    message, cards, turn = await here.table_message(), await own_cards(here), await here.turn()
    await here.terminate()
    said = await run(here, "store", "move", source, target)
    here.extra_settings = {setting: target}
    await here.start()
    after = await here.table_message()
    assert (after.id, timeless(after.text)) == (message.id, timeless(message.text))
    assert await own_cards(here) == cards
    assert (await here.turn()).id == turn.id
    return said


async def test_a_match_goes_on_in_postgresql_and_then_in_a_file_again(
    tmp_path: Path, postgres: str
) -> None:
    await wipe(postgres)
    old, new = str(tmp_path / "house.db"), str(tmp_path / "new.db")
    chance = random.Random(3)
    async with unhurried(tmp_path, players=3) as here:
        here.extra_settings = {"BLUFFHOUSE_DATABASE__PATH": old}
        await here.start()
        form = await press_in_command(here.people[0], here.channel, "preferences", "Change…")
        await here.people[0].submit(form.modal, {"Cards by direct message": ["Always"]})
        await here.begin(THAI)
        await played(here, chance)
        voter, sleeper = here.people[0], here.people[1]
        await voter.slash(here.channel, "leave", what="away", player=sleeper.id)
        await here.wait_for_table(f"<@{voter.id}> says they're away")

        said = await moved(here, old, postgres, "BLUFFHOUSE_DATABASE__URL")
        assert "1 matches" in said
        assert f"<@{voter.id}> says they're away" in (await here.table_message()).text
        refused = await run(here, "store", "move", postgres, new, code=78)
        assert "serves on the PostgreSQL database: stop it first" in refused
        for _ in range(MOST_MOVES):
            if "wins the match" in await play_on(here, chance):
                break
        else:
            raise AssertionError("nobody wins")
        await here.begin(THAI)
        await played(here, chance)

        said = await moved(here, postgres, new, "BLUFFHOUSE_DATABASE__PATH")
        assert "2 matches" in said
        await played(here, chance)
        await here.terminate()
        assert "isn't empty" in await run(here, "store", "move", old, new, code=78)
        assert "Everything checks out" in await run(here, "verify", "1")
        assert "1 open table, read and replayed" in await run(here, "store", "doctor")
        assert "direct" in await run(here, "people", "export", here.people[0].id)
