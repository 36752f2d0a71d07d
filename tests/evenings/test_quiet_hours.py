"""What the bot asks of Discord in hours in which nobody plays: nothing, once all is said."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest

from bot.sandbox.screen import SeenMessage
from tests.evenings.evening import make_template
from tests.evenings.loop import VirtualLoop
from tests.evenings.premises import Premises, in_place, new_file

pytestmark = pytest.mark.long

HOUR = 3600.0
ALL_SAID = 300.0  # seconds: who is to act has been reminded, pictures are drawn, seats are open
ENDLESS: dict[str, object] = {"turn_minutes": 0, "lobby_minutes": 0, "next_round_seconds": 3600.0}


async def until(here: Premises, moment: str) -> None:
    """Two people open a table, and leave it at that moment."""
    ann, bob = here.people

    def shown() -> SeenMessage:
        recent = here.screens.recent(ann, here.channel, 9)
        return next(one for one in reversed(recent) if one.buttons and not one.ephemeral)

    await ann.slash(here.channel, "play", game="Thai Poker")
    await bob.click(shown(), "Join")
    if moment == "a lobby":
        return
    await ann.click(shown(), "Start")
    await asyncio.sleep(1)
    turn = ann if f"<@{ann.id}>" in shown().text.split("to act")[0] else bob
    await turn.slash(here.channel, "bid", hand="99")
    if moment == "an open seat":
        for one in here.people:
            await one.click(shown(), "My seat")


@pytest.mark.parametrize("moment", ["a lobby", "a round", "an open seat"])
def test_nothing_is_asked_of_discord_in_hours_in_which_nobody_plays(
    tmp_path: Path, moment: str
) -> None:
    loop = VirtualLoop()

    async def night() -> tuple[int, list[str]]:
        chance = Random(1)
        here = Premises(tmp_path, chance, players=2)
        here.pace = ENDLESS
        requests = here.world.state.requests
        with in_place(chance, here.disk, here.network):
            try:
                await here.open()
                await until(here, moment)
                await asyncio.sleep(ALL_SAID)
                before = len(requests)
                await asyncio.sleep(12 * HOUR)
                later = [f"{one.method} {one.route}" for one in requests][before:]
                await here.stop()
                return before, later
            finally:
                await here.kill()

    new_file(make_template(tmp_path), tmp_path / "house.db")
    before, later = loop.run_until_complete(night())
    for task in asyncio.all_tasks(loop):
        task.cancel()
    loop.run_until_complete(asyncio.sleep(1))  # each has heard of it by then
    assert loop.time() > 12 * HOUR
    loop.close()
    assert 5 < before < 100
    assert later == []
