"""Tables that move fast, in virtual time: Discord takes only so much by interactions' tokens."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

from tests.bot.house import Table
from tests.evenings.evening import MEMORY, make_template
from tests.evenings.loop import VirtualLoop
from tests.evenings.premises import Premises, in_place, new_file

MOVES = 60
BETWEEN = 6.0  # seconds between two moves


@pytest.mark.long
@pytest.mark.parametrize("paced", [True, False])
def test_five_open_seats_of_a_fast_table_ask_no_more_than_discord_takes(
    tmp_path: Path, paced: bool
) -> None:
    loop = VirtualLoop(Random("a fast table"))
    with TemporaryDirectory(dir=MEMORY if MEMORY.exists() else tmp_path) as folder:
        new_file(make_template(tmp_path), Path(folder) / "house.db")
        refused = loop.run_until_complete(_played_fast(Path(folder), paced))
    loop.close()
    assert (refused > 0) is not paced


async def _played_fast(folder: Path, paced: bool) -> int:
    """Play with every seat open; how many requests were refused."""
    chance = Random("a fast table")
    here = Premises(folder, chance, 5)
    here.pace |= {"next_round_seconds": 5, "turn_minutes": 0}
    here.requests_per_second = 45 if paced else 0
    with in_place(chance, here.disk, here.network, here.lines):
        await here.open()
        assert here.bot is not None
        at = Table(here.world, here.bot, here.channel, here.people)  # type: ignore[arg-type]
        await at.start("Liars' Poker")
        for person in here.people:
            await person.click(at.shown(), "My seat")
        for _ in range(MOVES):
            await asyncio.sleep(BETWEEN)
            live = await at.live()
            if live.match is None or live.match.round is None:
                break
            person = at.turn_of(live)
            assert not paced or "Your turn" in at.seat(person).text, "their seat is behind"
            await at.call(person)
        await here.stop()
    return here.world.limits.refused
