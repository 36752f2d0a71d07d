"""Tables of computer players: memory over a long run, and what people's moves wait beside them.

    python -m benchmarks.computers hour --seconds 3600     ten computer players, match after match
    python -m benchmarks.computers crowd --tables 50       people's moves with and without a crowd

Both run the real service over SQLite with its deadlines and a real computing process; Discord is
left out. `hour` prints a line a minute, and the memory of both processes. `crowd` times a person's
bids and brief questions of odds, first alone, then beside tables of nine computer players each.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import secrets
import statistics
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bot.computing.player_questions import ComputingDecider
from bot.computing.process import Computing
from bot.computing.protocol import resident_megabytes
from bot.discord.odds.questions import ThreeCard
from bot.roster import CHARACTERS, next_of
from bot.storage.store import SqlStore
from bot.tables import plans
from bot.tables.computer_turns import ComputerTurns
from bot.tables.live import LiveTable
from bot.tables.model import Status, Table
from bot.tables.ports import Changes
from bot.tables.requests import NOBODY, Ask, Limits
from bot.tables.scheduler import DeadlineClock, WallClock
from bot.tables.service import Tables
from engine.play import legal
from engine.variants import VARIANTS

SEATS: Final = 10
_interactions = itertools.count(1)


@dataclass
class House:
    """A house without Discord: its tables, their deadlines and its computing process."""

    store: SqlStore
    tables: Tables
    computing: Computing
    moved: asyncio.Event

    def changed(self, live: LiveTable, *, answered: bool) -> None:
        """Wake whoever waits for a table."""
        self.moved.set()


@asynccontextmanager
async def open_house(folder: Path, pause: int, next_round: int) -> AsyncIterator[House]:
    """A house whose computer players wait at least `pause` ms before they act."""
    store = await SqlStore.open(f"sqlite:///{folder / 'house.db'}")
    changes, clock, computing = Changes(), WallClock(), Computing()
    thinking = ComputerTurns(ComputingDecider(computing))
    changes.listen(thinking)
    limits = Limits(next_round, None, 0, 10_000, computer_pause=pause)
    draw = lambda: secrets.token_bytes(32)  # noqa: E731
    tables = Tables(store, clock, changes, limits, draw, thinking)
    house = House(store, tables, computing, asyncio.Event())
    changes.listen(house)
    deadlines = DeadlineClock(tables, store.tables, clock)
    deadlines.start()
    try:
        yield house
    finally:
        await deadlines.stop()
        await thinking.close()
        await computing.close()
        await store.close()


def ask(player: int) -> Ask:
    """A request of a person."""
    return Ask(player, next(_interactions))


async def seat(house: House, channel: int, game: str, people: int) -> int:
    """Start a match of ten, all but `people` of them computer players; the table's id."""
    players = [channel * 100 + number for number in range(1, people + 1)]
    for character in itertools.islice(itertools.cycle(CHARACTERS), SEATS - people):
        found = next_of(character, players)
        assert found is not None
        players.append(found.id)
    host, now = channel * 100 + 1, WallClock().now()
    fresh = Table(0, 1, channel, host, Status.LOBBY, game, {}, tuple(players), 1, now, now)
    stored = await house.store.tables.open(fresh, None)
    await house.tables.change(stored.id, ask(host), plans.start)
    return stored.id


# -- an hour ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sample:
    """What was held, in MB, after so many seconds, matches and actions."""

    seconds: float
    matches: int
    actions: int
    bot: float
    worker: float


async def hour(
    folder: Path, seconds: float, every: float = 60.0, most: int | None = None
) -> list[Sample]:
    """Ten computer players play match after match for so long; a sample every so often.

    It ends early after `most` actions of one match.
    """
    samples: list[Sample] = []
    games = itertools.cycle(VARIANTS)
    async with open_house(folder, pause=0, next_round=0) as house:
        began, matches, actions, due = time.monotonic(), 0, 0, 0.0
        while (passed := time.monotonic() - began) < seconds:
            table = await seat(house, 1, next(games), people=0)
            live = await house.tables.see(table)
            while live.table.status is Status.PLAYING and passed < seconds:
                house.moved.clear()
                live = await house.tables.see(table)
                passed = time.monotonic() - began
                if passed >= due:
                    due += every
                    now = actions + (live.match.seq if live.match is not None else 0)
                    samples.append(_sample(house, passed, matches, now))
                if most is not None and live.match is not None and live.match.seq >= most:
                    seconds = 0.0
                elif live.table.status is Status.PLAYING:
                    await house.moved.wait()
            actions += live.match.seq if live.match is not None else 0
            matches += live.table.status is Status.FINISHED
            if live.table.status is Status.PLAYING:
                await house.tables.change(table, NOBODY, plans.close)
        samples.append(_sample(house, time.monotonic() - began, matches, actions))
    return samples


def _sample(house: House, passed: float, matches: int, actions: int) -> Sample:
    worker = _resident(house.computing.pid) if house.computing.pid is not None else 0.0
    return Sample(passed, matches, actions, resident_megabytes() or 0.0, worker)


def _resident(pid: int) -> float:
    """What another process holds, in MB; 0 where the system does not tell."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except OSError:
        return 0.0
    return round(pages * 4096 / 1e6, 1)


# -- a crowd ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Waits:
    """Seconds that each of a person's bids and questions took."""

    bids: list[float]
    questions: list[float]


async def crowd(
    folder: Path, tables: int, moves: int, pause: int, *, warm: bool = True
) -> tuple[Waits, Waits, float]:
    """People's waits alone, and beside so many tables; the crowd's actions a second meanwhile.

    `warm`: the computing process has loaded its kernels before, as a bot's has.
    """
    async with open_house(folder, pause, next_round=1000) as house:
        if warm:
            house.computing.start(warm=True)
            await house.computing.warmed.wait()
        await house.computing.ask(ThreeCard("Qh 7d 2s", ""))
        alone = await _timed(house, 10_000, moves)
        games = itertools.cycle(VARIANTS)
        seated = [await seat(house, 1 + n, next(games), people=0) for n in range(tables)]
        before, began = await _acted(house, seated), time.monotonic()
        while await _acted(house, seated) == before:  # people are timed beside a crowd that plays
            house.moved.clear()
            await house.moved.wait()
        beside = await _timed(house, 20_000, moves)
        acted = await _acted(house, seated) - before
    return alone, beside, acted / (time.monotonic() - began)


async def _timed(house: House, channel: int, moves: int) -> Waits:
    """Two people bid in turn, at a table of their own, and one asks for odds after each bid."""
    waits = Waits([], [])
    while len(waits.bids) < moves:
        channel += 1
        people = (channel * 100 + 1, channel * 100 + 2)
        opened = await house.tables.open(ask(people[0]), 1, channel, next(iter(VARIANTS)))
        number = opened.table.id
        await house.tables.change(number, ask(people[1]), plans.join)
        live = await house.tables.change(number, ask(people[0]), plans.start)
        for _ in range(10):
            assert live.match is not None
            assert live.match.round is not None
            player = live.match.seats[live.match.round.turn].player
            least = legal(live.match).rungs[0][0].key
            began = time.monotonic()
            live = await house.tables.change(number, ask(player), plans.bid, least)
            waits.bids.append(time.monotonic() - began)
            began = time.monotonic()
            await house.computing.ask(ThreeCard("Qh 7d 2s", ""))
            waits.questions.append(time.monotonic() - began)
            await asyncio.sleep(0.02)
        await house.tables.change(number, NOBODY, plans.close)
    return waits


async def _acted(house: House, tables: list[int]) -> int:
    live = [await house.tables.see(number) for number in tables]
    return sum(one.match.seq for one in live if one.match is not None)


def _line(name: str, waits: list[float]) -> str:
    ordered = sorted(waits)
    p95 = ordered[int(len(ordered) * 0.95)]
    return f"{name}: median {statistics.median(ordered) * 1e3:.1f} ms, 95 % {p95 * 1e3:.1f} ms"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("what", choices=("hour", "crowd"))
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--moves", type=int, default=200)
    parser.add_argument("--pause", type=int, default=1200, help="shortest pause in ms")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if chosen.what == "hour":
            for one in asyncio.run(hour(Path(folder), chosen.seconds)):
                print(
                    f"{one.seconds:6.0f} s  {one.matches} matches  {one.actions} actions"
                    f"  bot {one.bot} MB  worker {one.worker} MB"
                )
            return
        work = crowd(Path(folder), chosen.tables, chosen.moves, chosen.pause)
        alone, beside, rate = asyncio.run(work)
    print(_line("bids alone", alone.bids))
    print(_line(f"bids beside {chosen.tables} tables ({rate:.0f} actions/s)", beside.bids))
    print(_line("questions alone", alone.questions))
    print(_line("questions beside them", beside.questions))


if __name__ == "__main__":
    main()
