"""One session from one seed: people, faults, and a judge after every step."""

from __future__ import annotations

import asyncio
import gc
import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

from tests.bot.harness import new_database
from tests.sessions.judge import Judge
from tests.sessions.loop import VirtualLoop
from tests.sessions.people import GAMES, Act, SimulatedPerson
from tests.sessions.setup import Setup

MEMORY: Final = Path("/dev/shm")  # a folder in memory, so that nothing waits for a disk
MOST_ACTS: Final = 60
LONGEST: Final = 3 * 3600.0  # seconds in which every match with a clock of minutes has ended
ON_ITS_WAY: Final = 5  # repeated checks, two seconds apart
WELL_FOR: Final = 120.0  # seconds without a fault after which nothing may be overdue


@dataclass
class Verdict:
    """The result of a session. Sessions with equal steps and times have an equal `digest`."""

    seed: int
    acts: int = 0
    matches: int = 0
    restarts: int = 0
    faults: int = 0
    seconds: float = 0.0
    failure: str | None = None
    violation: str | None = None  # what was wrong with a commit; the bot must not swallow it
    steps: list[str] = field(default_factory=list)

    @property
    def digest(self) -> str:
        """SHA-256 of every step and its time."""
        return hashlib.sha256("\n".join(self.steps).encode()).hexdigest()


@contextmanager
def virtual(chance: Random | None = None) -> Iterator[tuple[VirtualLoop, Path]]:
    """Open a loop of virtual time and a folder with an empty database.

    On leaving, end the loop's tasks and delete the folder.
    """
    loop = VirtualLoop(chance)
    with TemporaryDirectory(dir=MEMORY if MEMORY.exists() else None) as folder:
        asyncio.run(new_database(Path(folder) / "house.db"))
        try:
            yield loop, Path(folder)
        finally:
            for task in asyncio.all_tasks(loop):
                task.cancel()
            loop.run_until_complete(asyncio.sleep(1))  # lets each task handle its cancellation
            loop.close()


def play(seed: int) -> Verdict:
    """Play the session of `seed`; the verdict's `failure` says what went wrong, if anything."""
    verdict = Verdict(seed)
    # collecting garbage takes a tenth of the time; a session is short enough to keep it
    gc.collect()
    gc.disable()
    with virtual(Random(f"order {seed}")) as (loop, folder):
        try:
            loop.run_until_complete(_Run(seed, folder, verdict).go())
        except AssertionError as error:
            verdict.failure = verdict.violation or str(error) or repr(error)
        finally:
            verdict.seconds = loop.time()
    gc.enable()
    return verdict


class _Run:
    def __init__(self, seed: int, folder: Path, verdict: Verdict) -> None:
        self._chance = Random(seed)
        self._folder = folder
        self._verdict = verdict
        self._well_since = 0.0

    async def go(self) -> None:
        chance = self._chance
        self._setup = setup = Setup(self._folder, chance, chance.randint(2, 5))
        self._judge = judge = Judge(setup)
        setup.on_commit = self._check_commit
        try:
            async with setup.active():
                await setup.open()
                if chance.random() < 0.3:
                    setup.all_want_direct_messages()
                game = chance.choice(GAMES)
                people = [
                    SimulatedPerson(
                        person,
                        [neighbour for neighbour in setup.people if neighbour is not person],
                        setup.screens,
                        setup.channel,
                        Random(chance.random()),
                        game,
                    )
                    for person in setup.people
                ]
                await asyncio.gather(
                    *(self._play(person) for person in people), self._inject_faults()
                )
                await self._recover()
                await self._until_over()
                assert self._verdict.violation is None, self._verdict.violation
                judge.all_answered()
                judge.nothing_lost()
                judge.all_over()
                judge.screen_is_true()
                judge.logs_are_sound()
                judge.nothing_in_the_log()
                self._verdict.matches = len(list(judge.matches()))
                await setup.stop()
        finally:
            judge.close()

    def _check_commit(self) -> None:
        """Judge a commit, and keep a violation for later.

        The bot calls this, and would take a raised AssertionError for an error of its own.
        """
        try:
            self._judge.judge_commit()
        except AssertionError as error:
            self._verdict.violation = self._verdict.violation or str(error)

    def _note(self, event: str) -> None:
        self._verdict.steps.append(f"{asyncio.get_running_loop().time():.6f} {event}")

    # -- people -----------------------------------------------------------------------------------

    async def _play(self, habits: SimulatedPerson) -> None:
        chance = habits.chance
        while self._verdict.acts < MOST_ACTS:
            await asyncio.sleep(chance.choice((0.3, 1.0, 3.0, 8.0)) * chance.random())
            if chance.random() < 0.01:
                await asyncio.sleep(200)  # asleep
            disturbed = self._is_disturbed
            act = await habits.act()
            if act is None:
                continue
            self._verdict.acts += 1
            self._excuse(act, disturbed)
            self._note(f"{act.person.name} {act.label} {_result(act)}")
            assert self._verdict.violation is None, self._verdict.violation
            self._judge.judge_act(act)
            if asyncio.get_running_loop().time() > self._well_since + WELL_FOR:
                self._judge.nothing_overdue()

    @property
    def _is_disturbed(self) -> bool:
        """Whether a fault is under way, or ended a moment ago."""
        return asyncio.get_running_loop().time() < self._well_since + 5

    def _excuse(self, act: Act, disturbed: bool) -> None:
        if act.failed and (disturbed or self._is_disturbed) and act.interaction is not None:
            self._judge.excused.add(act.interaction)

    # -- faults -----------------------------------------------------------------------------------

    async def _inject_faults(self) -> None:
        chance, loop = self._chance, asyncio.get_running_loop()
        kinds = (
            self._kill, self._power_loss, self._stop_and_start, self._second_bot, self._lock,
            self._bad_disk,
            self._lost_gateway, self._new_session, self._server_errors, self._lost_answers,
            self._late_presses, self._twice, self._clock_jumps, self._closed_direct_messages,
            self._rate_limit,
        )  # fmt: skip
        while self._verdict.acts < MOST_ACTS:
            await asyncio.sleep(chance.uniform(1, 20))
            if chance.random() < 0.3:
                continue
            kind = chance.choice(kinds)
            self._verdict.faults += 1
            self._note(kind.__name__)
            self._well_since = loop.time() + 3600  # until it is over
            try:
                await kind()
            finally:
                self._well_since = loop.time() + 10

    async def _kill(self) -> None:
        self._verdict.restarts += 1
        await self._setup.kill()
        await asyncio.sleep(self._chance.choice((0.1, 5.0, 400.0)))
        await self._setup.open()

    async def _power_loss(self) -> None:
        self._verdict.restarts += 1
        self._judge.close()
        await self._setup.lose_power()
        await asyncio.sleep(self._chance.choice((0.1, 5.0, 400.0)))
        await self._setup.open()

    async def _second_bot(self) -> None:
        await self._setup.refuse_second_bot()

    async def _stop_and_start(self) -> None:
        self._verdict.restarts += 1
        await self._setup.stop()
        await asyncio.sleep(self._chance.choice((0.1, 5.0)))
        await self._setup.open()

    async def _lock(self) -> None:
        seconds = self._chance.choice((1.0, 14.0))
        self._setup.disk.locked_until = asyncio.get_running_loop().time() + seconds
        await asyncio.sleep(seconds)

    async def _bad_disk(self) -> None:
        self._setup.disk.fails = 0.5
        await asyncio.sleep(self._chance.uniform(1, 10))
        self._setup.disk.fails = 0.0

    async def _lost_gateway(self) -> None:
        await self._setup.world.gateway.drop_sockets()
        await asyncio.sleep(5)

    async def _new_session(self) -> None:
        await self._setup.world.gateway.invalidate_sessions()
        await asyncio.sleep(10)

    async def _server_errors(self) -> None:
        self._setup.world.faults.server_error(times=self._chance.randint(1, 8))
        await asyncio.sleep(10)
        self._setup.world.faults.clear()

    async def _lost_answers(self) -> None:
        cut = self._chance.random() < 0.5
        self._setup.world.faults.lose_answer(times=self._chance.randint(1, 4), cut=cut)
        await asyncio.sleep(10)
        self._setup.world.faults.clear()

    async def _late_presses(self) -> None:
        faults = self._setup.world.faults
        faults.delay_interactions(self._chance.uniform(1, 6), times=self._chance.randint(1, 4))
        await asyncio.sleep(10)
        faults.clear()

    async def _twice(self) -> None:
        self._setup.world.faults.duplicate_interactions(times=5)
        await asyncio.sleep(5)
        self._setup.world.faults.clear()

    async def _clock_jumps(self) -> None:
        self._jump()
        await asyncio.sleep(1)

    def _jump(self) -> None:
        """Move the machine's clock, as if it had slept or somebody had set it."""
        self._setup.wall.ahead += self._chance.choice((-3600.0, -20.0, 20.0, 7200.0))

    async def _closed_direct_messages(self) -> None:
        person = self._chance.choice(self._setup.people)
        person.set_dms_open(False)
        await asyncio.sleep(60)
        person.set_dms_open(True)

    async def _rate_limit(self) -> None:
        faults = self._setup.world.faults
        everywhere = self._chance.random() < 0.3
        faults.rate_limit(times=3, retry_after=0.5, everywhere=everywhere)
        await asyncio.sleep(5)
        faults.clear()

    # -- the rest of the night --------------------------------------------------------------------

    async def _recover(self) -> None:
        """End all faults, and check that the bot catches up while nobody plays."""
        self._setup.world.faults.clear()
        if not self._setup.alive:
            await self._setup.open()
        if self._chance.random() < 0.5:  # now that turns run out
            self._jump()
        await asyncio.sleep(WELL_FOR)
        self._judge.nothing_overdue()
        await self._in_a_while(self._judge.screen_follows)
        await self._in_a_while(self._judge.nothing_old_can_be_pressed)
        await self._in_a_while(self._judge.direct_messages_are_sent)

    async def _in_a_while(self, look: Callable[[], None]) -> None:
        """Repeat a check until it passes, since a message may be on its way.

        Raises the check's AssertionError if it still fails after `ON_ITS_WAY` repetitions.
        """
        for _ in range(ON_ITS_WAY):
            try:
                look()
            except AssertionError:
                await asyncio.sleep(2)
            else:
                return
        look()

    async def _until_over(self) -> None:
        """Wait until clocks and the bot end every match; let people end matches without clocks."""
        ends = asyncio.get_running_loop().time() + LONGEST
        pause = 60.0
        while asyncio.get_running_loop().time() < ends and self._judge.goes_on():
            await asyncio.sleep(pause)
            self._judge.nothing_overdue()
            pause = min(1.5 * pause, 3600)
        for person in reversed(self._setup.people):  # the last one is a moderator
            # without a clock, or with one of a day, people agree to end the match
            if self._judge.goes_on():
                await person.slash(self._setup.channel, "leave", what="end")
                await asyncio.sleep(60)


def _result(act: Act) -> str:
    """Return an act's outcome as a short text that is equal in equal runs."""
    if act.failed or act.outcome is None:
        return "unanswered"
    digest = hashlib.sha256(act.outcome.text.encode()).hexdigest()[:8]
    return f"{act.outcome.kind} {digest}"
