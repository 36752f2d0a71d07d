"""One run: people play, the bot is killed again and again, and in the end everything is judged."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from tests.crash.closing import closing_time
from tests.crash.house import House, Journal, NotUp, house
from tests.crash.judge import Case, judge
from tests.crash.ledger import Ledger
from tests.crash.logs import faults_in
from tests.crash.people import Sitting, letters_for_all
from tests.crash.points import BY_NAME, Kill, planned
from tests.crash.record import Record

UP_SECONDS: Final = 0.7  # a random kill comes at most so long after the bot is ready
START_SECONDS: Final = 1.0  # or, while it starts, at most so long after its process began
PAUSE_SECONDS: Final = 0.03  # the longest pause between two moves at a table
REST_SECONDS: Final = 1.0  # the same at tables at which a point cannot be passed
PRESSES: Final = 600  # answered in one life without passing its point: it is tried again later
LIFE_SECONDS: Final = 45.0  # or so long, which is no failure either
TRIES: Final = 4
FAILED: Final = 3  # starts and stops, each waited for long: the run ends early


@dataclass(frozen=True)
class Habits:
    """Who plays at a table, and how: all of them are chances, from 0 to 1.

    `dawdles`: how often somebody lets their time pass. `forfeits`: that is the end for them.
    """

    game: str
    players: int
    doubts: float
    dawdles: float = 0.0
    forfeits: bool = False


TABLES: Final = (
    Habits("Thai Poker", 2, 0.6),
    Habits("Thai Poker", 3, 0.25),
    Habits("Liars' Poker", 3, 0.35),
    Habits("Thai Poker", 2, 0.6),
    Habits("Thai Poker", 3, 0.4, dawdles=0.7),
    Habits("Thai Poker", 3, 0.5, dawdles=0.5, forfeits=True),
)


@dataclass
class Evening:
    """The tables, and whether there is a bot to play with."""

    here: House
    ledger: Ledger
    chance: Random
    sittings: list[Sitting] = field(default_factory=list)
    up: asyncio.Event = field(default_factory=asyncio.Event)
    over: bool = False
    reached: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)  # starts and stops
    starts: list[float] = field(default_factory=list)  # seconds to ready
    stopping_at: float | None = None  # when the bot was told to stop
    kills: int = 0
    waiting: bool = False  # whether clicks that met a kill still wait
    by_time: bool = False  # whether the point waited for is passed only where time passes

    async def play(self, sitting: Sitting) -> None:
        """Keep playing while the bot is up."""
        while True:
            await self.up.wait()
            if self.over:
                return
            await sitting.step()
            rests = self.by_time and not sitting.dawdles
            pause = REST_SECONDS if rests else PAUSE_SECONDS
            await asyncio.sleep(self.chance.random() * pause)

    async def furnish(self, tables: Sequence[Habits]) -> None:
        """People, each table in a thread of its own."""
        world = self.here.world
        room = await world.channel("poker-night")
        for number, how in enumerate(tables):
            people = [await world.person(f"Player {number}-{n}") for n in range(how.players)]
            await people[0].open_thread(room, f"Table {number}")
            channel = await world.channel(f"Table {number}")
            self.sittings.append(
                Sitting(
                    channel,
                    people,
                    how.game,
                    self.chance,
                    now,
                    how.dawdles,
                    how.forfeits,
                    doubts=how.doubts,
                )
            )

    async def begin(self) -> list[asyncio.Task[None]]:
        """A first start, in which people say how they like it; those who play from then on."""
        self.here.begin()
        if await self._came_up():
            await letters_for_all(self.sittings)
        self._died(None, None)
        self.kills -= 1  # it was none of those asked for
        return [asyncio.create_task(self.play(sitting)) for sitting in self.sittings]

    # -- kills -------------------------------------------------------------------------------------

    async def carry_out(self, kill: Kill) -> bool:
        """Have the bot killed once; whether it was where it should be killed."""
        point = BY_NAME[kill.point] if kill.point else None
        where = point.where if point is not None else kill.where
        self.by_time = point is not None and point.by_time
        self.here.begin(kill.point, kill.passing)
        ready_at: float | None = None
        if where == "start" and point is None:
            await asyncio.sleep(self.chance.random() * START_SECONDS)
        elif await self._came_up():
            ready_at = now()
            self.starts.append(ready_at / 1000 - self.here.started_at)
            if where == "stop":
                await self._stopped(by_point=point is not None)
            elif where == "start":
                await self._resumed()
            else:
                await self._played(by_point=point is not None)
        self._died(ready_at, kill.point)
        return point is None or self.here.at_point

    async def _came_up(self) -> bool:
        try:
            return await self.here.until_ready()
        except NotUp as failure:
            self.failed.append(str(failure))
            return False

    async def _resumed(self) -> None:
        """Let the tables be shown again; the point lies in that, while people play already."""
        self._open()
        try:
            await self.here.until_resumed()
        except NotUp as failure:
            self.failed.append(str(failure))

    async def _played(self, *, by_point: bool) -> None:
        """Let them play, until the point is reached or at random."""
        self._open()
        if not by_point:
            await asyncio.sleep(self.chance.random() * UP_SECONDS)
            return
        begun, before = time.monotonic(), self._deeds()
        while not self.here.ended and self._deeds() < before + PRESSES:
            if time.monotonic() > begun + LIFE_SECONDS:
                return
            await asyncio.sleep(0.005)

    def _open(self) -> None:
        if self.waiting:
            self.here.discord.tell("again")
        self.up.set()

    def _deeds(self) -> int:
        return sum(len(sitting.deeds) for sitting in self.sittings)

    async def _stopped(self, *, by_point: bool) -> None:
        """SIGTERM while they play; killed in it at the point, or at random."""
        self._open()
        await asyncio.sleep(self.chance.random() * UP_SECONDS)
        self.here.terminate()
        self.stopping_at = now()
        if not by_point:
            await asyncio.sleep(self.chance.random() * 0.2)
            return
        await self._ended()

    async def _ended(self) -> None:
        try:
            code = await self.here.until_ended()
        except NotUp as failure:
            self.failed.append(str(failure))
            return
        if code != 0 and not self.here.at_point:
            self.failed.append(f"SIGTERM ended it by {code}")

    def _died(self, ready_at: float | None, point: str | None) -> None:
        """It is dead: look at what is there."""
        self.up.clear()
        self.here.kill()
        self.kills += 1
        hit = point if self.here.at_point else None
        if hit is not None:
            self.reached[hit] += 1
        whole = self.kills % 10 == 0
        stopping_at, self.stopping_at = self.stopping_at, None
        self.ledger.look(now(), ready_at, hit, whole=whole, stopping_at=stopping_at)
        self.faults += faults_in(self.here.log)
        self.waiting = self.chance.random() < 0.5
        if not self.waiting:
            self.here.discord.tell("later")


def now() -> float:
    """Milliseconds of the wall clock."""
    return time.time() * 1000


@dataclass
class Wanted:
    """What a run is to do: all kills at `points`, if any are named.

    `stop` is set when it is to end early.
    """

    kills: int
    seed: int
    points: Sequence[str] = ()
    tables: Sequence[Habits] = TABLES
    stop: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass
class Verdict:
    """What came of a run."""

    case: Case
    kills: int
    planned: int
    reached: Counter[str]
    starts: list[float]
    seconds: float


async def run(folder: Path, plan: Wanted) -> Verdict:
    """The whole run."""
    begun = time.monotonic()
    chance = Random(plan.seed)
    kills = planned(plan.kills, chance, plan.points)

    def enough() -> bool:
        return plan.stop.is_set() or len(this.failed) >= FAILED

    async with house(folder / "house") as setup:
        this = Evening(setup, Ledger(setup.database), chance)
        await this.furnish(plan.tables)
        playing = await this.begin()
        await _carry_out(this, list(kills), enough)
        cut_short = enough()
        case = await closing_time(this, playing)
        case.record = Record().read(Journal(setup.journal).read())
    case.add("logged", *this.faults)
    case.add("starts", *this.failed)
    if not cut_short:
        points = dict.fromkeys(kill.point for kill in kills if kill.point is not None)
        case.add("missed", *(point for point in points if not this.reached[point]))
    judge(case)
    seconds = time.monotonic() - begun
    return Verdict(case, this.kills, plan.kills, this.reached, this.starts, seconds)


async def _carry_out(this: Evening, queue: list[Kill], enough: Callable[[], bool]) -> None:
    """Kill after kill; a point that was not reached is tried again, nearer."""
    tries: Counter[str] = Counter()
    while queue and not enough():
        kill = queue.pop(0)
        if await this.carry_out(kill) or kill.point is None:
            continue
        tries[kill.point] += 1
        if tries[kill.point] < TRIES and not this.reached[kill.point]:
            queue.append(Kill(kill.point, passing=1))
