"""One run: people play, the bot is killed again and again, and at the end everything is judged."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from tests.crash.closing import finish_run
from tests.crash.judge import Case, judge
from tests.crash.ledger import Ledger
from tests.crash.logs import violations_in
from tests.crash.people import Group, all_want_direct_messages
from tests.crash.points import BY_NAME, Kill, plan_kills
from tests.crash.record import Record
from tests.crash.setup import Journal, NotUp, Setup, open_setup

UP_SECONDS: Final = 0.7  # a random kill comes at most this long after the bot is ready
START_SECONDS: Final = 1.0  # a random kill of a start: at most this long after the process began
PAUSE_SECONDS: Final = 0.03  # the longest pause between two moves at a table
REST_SECONDS: Final = 1.0  # the same at tables where the chosen point cannot be passed
PRESSES: Final = 600  # presses in one life without passing its point; then it is tried again later
LIFE_SECONDS: Final = 45.0  # the same for seconds; neither counts as a failure
TRIES: Final = 4
FAILED: Final = 3  # failed starts and stops after which the run ends early: each takes minutes


@dataclass(frozen=True)
class GroupHabits:
    """The habits of the people at a table. `doubts` and `dawdles` are chances, from 0 to 1.

    `doubts`: how often a standing bid is challenged. `dawdles`: how often a player lets their time
    run out. `forfeits`: whether that costs them the match.
    """

    game: str
    players: int
    doubts: float
    dawdles: float = 0.0
    forfeits: bool = False


TABLES: Final = (
    GroupHabits("Thai Poker", 2, 0.6),
    GroupHabits("Thai Poker", 3, 0.25),
    GroupHabits("Liars' Poker", 3, 0.35),
    GroupHabits("Thai Poker", 2, 0.6),
    GroupHabits("Thai Poker", 3, 0.4, dawdles=0.7),
    GroupHabits("Thai Poker", 3, 0.5, dawdles=0.5, forfeits=True),
)


@dataclass
class Run:
    """A run's tables and bot, and what happened so far."""

    setup: Setup
    ledger: Ledger
    chance: Random
    groups: list[Group] = field(default_factory=list)
    up: asyncio.Event = field(default_factory=asyncio.Event)
    is_over: bool = False
    reached: Counter[str] = field(default_factory=Counter)
    log_violations: list[str] = field(default_factory=list)
    failed_starts: list[str] = field(default_factory=list)  # starts and stops
    starts: list[float] = field(default_factory=list)  # seconds to ready
    stopping_at: float | None = None  # when the bot got SIGTERM
    kills: int = 0
    waiting: bool = False  # whether clicks that met a kill still wait
    by_time: bool = False  # whether the point waited for is passed only where time passes

    async def play(self, group: Group) -> None:
        """Keep a group playing while the bot is up, until the run is over."""
        while True:
            await self.up.wait()
            if self.is_over:
                return
            await group.step()
            rests = self.by_time and not group.dawdles
            pause = REST_SECONDS if rests else PAUSE_SECONDS
            await asyncio.sleep(self.chance.random() * pause)

    async def furnish(self, tables: Sequence[GroupHabits]) -> None:
        """Add people and a thread for each table."""
        world = self.setup.world
        room = await world.channel("poker-night")
        for number, how in enumerate(tables):
            people = [await world.person(f"Player {number}-{n}") for n in range(how.players)]
            await people[0].open_thread(room, f"Table {number}")
            channel = await world.channel(f"Table {number}")
            self.groups.append(
                Group(
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
        """Start the bot, have people set preferences, kill the bot; return the tasks that play."""
        self.setup.begin()
        if await self._wait_until_up():
            await all_want_direct_messages(self.groups)
        self._note_death(None, None)
        self.kills -= 1  # the plan doesn't count this one
        return [asyncio.create_task(self.play(group)) for group in self.groups]

    # -- kills -------------------------------------------------------------------------------------

    async def carry_out(self, kill: Kill) -> bool:
        """Start the bot and kill it once; return whether the bot died at the planned point.

        For a kill at a random moment, always return True.
        """
        point = BY_NAME[kill.point] if kill.point else None
        where = point.where if point is not None else kill.where
        self.by_time = point is not None and point.by_time
        self.setup.begin(kill.point, kill.passing)
        ready_at: float | None = None
        if where == "start" and point is None:
            await asyncio.sleep(self.chance.random() * START_SECONDS)
        elif await self._wait_until_up():
            ready_at = now()
            self.starts.append(ready_at / 1000 - self.setup.started_at)
            if where == "stop":
                await self._stop_under_play(by_point=point is not None)
            elif where == "start":
                await self._play_while_resuming()
            else:
                await self._play_until_kill(by_point=point is not None)
        self._note_death(ready_at, kill.point)
        return point is None or self.setup.at_point

    async def _wait_until_up(self) -> bool:
        try:
            return await self.setup.until_ready()
        except NotUp as failure:
            self.failed_starts.append(str(failure))
            return False

    async def _play_while_resuming(self) -> None:
        """Let people play until the bot has resumed its tables; record if that takes too long."""
        self._open()
        try:
            await self.setup.until_resumed()
        except NotUp as failure:
            self.failed_starts.append(str(failure))

    async def _play_until_kill(self, *, by_point: bool) -> None:
        """Let people play until the bot dies at its point, or for a random time if not `by_point`.

        Give up on the point after `PRESSES` presses or `LIFE_SECONDS` seconds.
        """
        self._open()
        if not by_point:
            await asyncio.sleep(self.chance.random() * UP_SECONDS)
            return
        begun, before = time.monotonic(), self._act_count()
        while not self.setup.has_ended and self._act_count() < before + PRESSES:
            if time.monotonic() > begun + LIFE_SECONDS:
                return
            await asyncio.sleep(0.005)

    def _open(self) -> None:
        if self.waiting:
            self.setup.discord.order("again")
        self.up.set()

    def _act_count(self) -> int:
        return sum(len(group.acts) for group in self.groups)

    async def _stop_under_play(self, *, by_point: bool) -> None:
        """Send SIGTERM while people play; then wait until the bot has ended.

        If not `by_point`, wait at most 0.2 seconds.
        """
        self._open()
        await asyncio.sleep(self.chance.random() * UP_SECONDS)
        self.setup.terminate()
        self.stopping_at = now()
        if not by_point:
            await asyncio.sleep(self.chance.random() * 0.2)
            return
        await self._wait_until_ended()

    async def _wait_until_ended(self) -> None:
        try:
            code = await self.setup.until_ended()
        except NotUp as failure:
            self.failed_starts.append(str(failure))
            return
        if code != 0 and not self.setup.at_point:
            self.failed_starts.append(f"SIGTERM ended it by {code}")

    def _note_death(self, ready_at: float | None, point: str | None) -> None:
        """Kill the bot if it still lives, and read its file and log.

        In half of the cases, chosen at random, have Discord fail the clicks that the kill left
        unanswered.
        """
        self.up.clear()
        self.setup.kill()
        self.kills += 1
        hit = point if self.setup.at_point else None
        if hit is not None:
            self.reached[hit] += 1
        whole = self.kills % 10 == 0
        stopping_at, self.stopping_at = self.stopping_at, None
        self.ledger.look(now(), ready_at, hit, whole=whole, stopping_at=stopping_at)
        self.log_violations += violations_in(self.setup.log)
        self.waiting = self.chance.random() < 0.5
        if not self.waiting:
            self.setup.discord.order("later")


def now() -> float:
    """Return the wall clock in milliseconds."""
    return time.time() * 1000


@dataclass
class Plan:
    """The number of kills in a run, and its tables.

    If `points` are named, each kill is at one of them. Set `stop` to end the run early.
    """

    kills: int
    seed: int
    points: Sequence[str] = ()
    tables: Sequence[GroupHabits] = TABLES
    stop: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass
class Verdict:
    """A run's result. `reached` counts kills by point.

    `starts`: seconds from each start to ready. `seconds`: how long the run took.
    """

    case: Case
    kills: int
    planned: int
    reached: Counter[str]
    starts: list[float]
    seconds: float


async def run(folder: Path, plan: Plan) -> Verdict:
    """Play a whole run in `folder` and judge it."""
    begun = time.monotonic()
    chance = Random(plan.seed)
    kills = plan_kills(plan.kills, chance, plan.points)

    def enough() -> bool:
        return plan.stop.is_set() or len(this.failed_starts) >= FAILED

    async with open_setup(folder / "run") as setup:
        this = Run(setup, Ledger(setup.database), chance)
        await this.furnish(plan.tables)
        playing = await this.begin()
        await _carry_out(this, list(kills), enough)
        cut_short = enough()
        case = await finish_run(this, playing)
        case.record = Record().read(Journal(setup.journal).read())
    case.add("logged", *this.log_violations)
    case.add("starts", *this.failed_starts)
    if not cut_short:
        points = dict.fromkeys(kill.point for kill in kills if kill.point is not None)
        case.add("missed", *(point for point in points if not this.reached[point]))
    judge(case)
    seconds = time.monotonic() - begun
    return Verdict(case, this.kills, plan.kills, this.reached, this.starts, seconds)


async def _carry_out(this: Run, queue: list[Kill], enough: Callable[[], bool]) -> None:
    """Carry out kills until the queue is empty or `enough()` is true.

    If a kill misses its point, and no kill has reached that point yet, try again at the point's
    first passing, until `TRIES` kills have missed.
    """
    tries: Counter[str] = Counter()
    while queue and not enough():
        kill = queue.pop(0)
        if await this.carry_out(kill) or kill.point is None:
            continue
        tries[kill.point] += 1
        if tries[kill.point] < TRIES and not this.reached[kill.point]:
            queue.append(Kill(kill.point, passing=1))
