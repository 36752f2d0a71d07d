"""Days of deals, in virtual time: a deal waits for its person, also past midnight."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest

from bot.tables import computer_turns
from bot.tables.daily import daily
from tests.bot.practising import practise
from tests.evenings.evening import make_template
from tests.evenings.loop import VirtualLoop
from tests.evenings.people import DAILY
from tests.evenings.premises import Premises, in_place, new_file

pytestmark = pytest.mark.long

GAME = "Thai Poker"
DAY, HOUR = 86_400.0, 3_600.0
DAYS = 3


def test_a_deal_is_of_its_day_however_often_the_bot_starts_and_waits_until_the_day_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # no compiled player is loaded here, so one who must answer is asked for two days
    monkeypatch.setattr(computer_turns, "LONGEST_RETRY", HOUR)
    monkeypatch.setattr(computer_turns, "LONGEST_AGAIN", int(1000 * HOUR))
    loop = VirtualLoop()

    async def days() -> None:
        chance = Random(1)
        here = Premises(tmp_path, chance, players=2)
        ann = here.people[0]
        with in_place(chance, here.disk, here.network):
            try:
                await here.open()
                assert here.bot is not None
                first = here.bot.tables.today()
                for number in range(DAYS):
                    tables, day = here.bot.tables, first + number - number % 2
                    if number:
                        await asyncio.sleep(DAY if tables.today() < first + number else HOUR)
                    assert tables.today() == first + number
                    await practise(ann, here.channel, GAME, against=DAILY)
                    live = await tables.in_channel(-int(ann.id))
                    assert live.table.daily_day == day
                    assert live.table.chain_root == daily("thai_poker", day).root
                    await here.stop()
                    await here.open()  # in the middle of the deal
                    await practise(ann, here.channel, GAME, against=DAILY)
                    again = await here.bot.tables.in_channel(-int(ann.id))
                    assert again.table.id == live.table.id
                    assert again.table.daily_day == day
                results = [
                    await here.bot.tables.daily.result(int(ann.id), "thai_poker", first + number)
                    for number in range(DAYS)
                ]
                # the first is given up with the third, which goes on; nobody played the second's
                assert [one.place if one else "none" for one in results] == [None, "none", "none"]
                await here.stop()
            finally:
                await here.kill()

    new_file(make_template(tmp_path), tmp_path / "house.db")
    loop.run_until_complete(days())
    for task in asyncio.all_tasks(loop):
        task.cancel()
    loop.run_until_complete(asyncio.sleep(1))
    assert loop.time() > (DAYS - 1) * DAY
    loop.close()
