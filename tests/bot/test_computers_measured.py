"""The measurements of `benchmarks.computers` run: a short table of ten, and a small crowd."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.computers import SEATS, crowd, hour, open_house, seat
from bot.roster import computers
from engine.variants import VARIANTS


@pytest.mark.long
async def test_ten_computer_players_play_on_by_themselves(tmp_path: Path) -> None:
    samples = await hour(tmp_path, seconds=3600, every=0.5, most=6)
    assert samples[-1].actions >= 6
    assert all(sample.bot > 0 for sample in samples)


@pytest.mark.long
async def test_people_are_timed_beside_a_crowd_that_plays(tmp_path: Path) -> None:
    alone, beside, rate = await crowd(tmp_path, tables=3, moves=20, pause=20, warm=False)
    for waits in (alone, beside):
        assert len(waits.bids) == len(waits.questions) >= 20
    assert rate > 0


async def test_every_seat_of_the_measured_table_is_a_computer_player(tmp_path: Path) -> None:
    async with open_house(tmp_path, pause=60_000, next_round=0) as house:
        live = await house.tables.see(await seat(house, 1, next(iter(VARIANTS)), people=0))
    assert len(computers(live.table.players)) == SEATS
