"""One run: people play in all shards while faults hit the processes; then a verdict.

When enough matches are over, all faults are ended and everybody plays one more move. Then the
database is moved to an SQLite file (as by `bluffhouse store move`), which `tests.crash.judge`
judges.
"""

from __future__ import annotations

import asyncio
import json
import signal
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final, Protocol

import asyncpg

from bot.storage.transfer import move
from tests.crash.closing import Condition, case_of, last_moves, wait_until
from tests.crash.judge import Case, judge
from tests.crash.ledger import Death, Ledger
from tests.crash.logs import violations_in
from tests.crash.people import Act, Group, all_want_direct_messages
from tests.crash.record import Record
from tests.crash.setup import Journal, NotUp
from tests.shards.practice import PracticePlayer
from tests.shards.setup import EACH, Member, Setup, open_setup

PROCESSES: Final = 3
PAUSE_SECONDS: Final = 0.03  # the longest pause between two moves at a table
LOOK: Final = 0.1
APART: Final = (0.5, 3.0)  # seconds of play between two faults
LATER_SECONDS: Final = 10.0
CUT_SECONDS: Final = (0.5, 8.0)
# game, players, `doubts`, `dawdles`; each shard's tables take these in turn
TABLES: Final = (
    ("Thai Poker", 2, 0.6, 0.0),
    ("Thai Poker", 3, 0.4, 0.5),
    ("Liars' Poker", 2, 0.6, 0.0),
)
_PENDING: Final = "select match_id, round, player from deliveries where state = 'pending'"
_OVER: Final = "select count(*) from matches where status = 'won'"
_DUE: Final = (
    "select t.id, t.deadline_kind from tables t where t.status in ('lobby', 'playing')"
    " and t.deadline < $1 order by t.id"
)
KILLED_WITHIN: Final = 0.3  # seconds after a process got SIGTERM
RESTARTING: Final = "I'm restarting"


class Player(Protocol):
    """The people of one table, or a person with a practice."""

    acts: list[Act]

    async def step(self) -> bool:
        """Play on; return False if there was nothing to do or the attempt failed."""


@dataclass(frozen=True)
class Plan:
    """The numbers of matches that a run plays to their end, and of faults of each kind."""

    matches: int
    seed: int
    kills: int
    pauses: int
    cuts: int
    pause_seconds: float = 75.0  # past every timeout, Discord's minute without a heartbeat too
    tables_a_shard: int = 2
    practices: int = 3
    updates: int = 0  # rolling updates: each process is replaced by another
    thinking: float = PAUSE_SECONDS  # the longest pause between two moves at a table
    struck: int = 0  # updates of one process in which the old or the new one is killed
    severed: int = 0  # updates of one process in which both are cut off from the database
    unhurried: bool = False  # longer limits of stopping and handing over


@dataclass
class Verdict:
    """A run's result; comments explain the figures."""

    case: Case
    faults: Counter[str]
    won_matches: int
    by_clock: int  # actions that a clock made
    hops: int  # number of places where practices were played
    identifies_refused: int
    seconds: float
    waits: list[float]  # for the answer to each press, in seconds
    late: list[float]  # the waits that are too long for Discord, even on this machine
    unanswered: int  # acts that got no answer, including looks and keystrokes
    turned_away: int  # presses refused because the bot was restarting


def now() -> float:
    """Return the wall clock in milliseconds."""
    return time.time() * 1000


class Run:
    """The tables, the faults, and what the judge needs."""

    def __init__(self, setup: Setup, plan: Plan) -> None:
        self.setup = setup
        self.plan = plan
        self.chance = Random(plan.seed)
        self.groups: list[Group] = []
        self.practices: list[PracticePlayer] = []
        self.shard_of: dict[int, int] = {}  # the shard of a group, by its place in the list
        self.deaths: list[Death] = []
        self.failed_starts: list[str] = []
        self.log_violations: list[str] = []
        self.faults: Counter[str] = Counter()
        self.stopping = asyncio.Event()

    async def furnish(self) -> None:
        """Add people for each table, in a channel of the table's shard, and people who practise."""
        world = self.setup.world
        await world.person("Nobody")  # only looks on
        channels = await world.channels()
        for shard in range(PROCESSES * EACH):
            for number in range(self.plan.tables_a_shard):
                which = (shard + number) % len(TABLES)
                game, players, doubts, dawdles = TABLES[which]
                people = [await world.person(f"P{shard}-{number}-{n}") for n in range(players)]
                channel = channels[f"shard-{shard}-{number}"]
                group = Group(channel, people, game, self.chance, now, dawdles)
                group.doubts = doubts
                self.shard_of[len(self.groups)] = shard
                self.groups.append(group)
        # practices are played in servers of the last two shards and in direct messages
        alone = self.plan.tables_a_shard  # a channel without a table
        places = [channels[f"shard-{PROCESSES * EACH - 1 - n}-{alone}"] for n in range(2)]
        for number in range(self.plan.practices):
            person = await world.person(f"Alone {number}")
            self.practices.append(PracticePlayer(person, places, self.chance, now))

    async def play(self, player: Player) -> None:
        """Let the people of one table or practice play until `stopping` is set."""
        while not self.stopping.is_set():
            if not await player.step():
                await asyncio.sleep(LOOK * self.chance.random())
            await asyncio.sleep(self.chance.random() * self.plan.thinking)

    # -- the database ------------------------------------------------------------------------------

    async def ask(self, query: str, *arguments: Any) -> list[Any]:
        """Return the rows of a query on PostgreSQL, directly and not through a relay."""
        connection = await asyncpg.connect(self.setup.postgres)
        try:
            return list(await connection.fetch(query, *arguments))
        finally:
            await connection.close()

    async def won_matches(self) -> int:
        return int((await self.ask(_OVER))[0][0])

    # -- faults ------------------------------------------------------------------------------------

    async def inject_faults(self) -> None:
        """Cause the planned faults in random order, then wait until enough matches are over."""
        plan = self.plan
        faults = ["kill"] * plan.kills + ["pause"] * plan.pauses + ["cut"] * plan.cuts
        faults += ["update"] * plan.updates + ["strike"] * plan.struck + ["sever"] * plan.severed
        self.chance.shuffle(faults)
        for fault in faults:
            await asyncio.sleep(self.chance.uniform(*APART))
            process = self.chance.choice(self.setup.processes)
            await getattr(self, f"_{fault}")(process)
            self.faults[fault] += 1
        if not await self._within("matches are over", self._enough):
            self.failed_starts.append("waited for ever until matches are over")

    async def _update(self, _: Member) -> None:
        """Replace each process in turn by another, as a rolling update does."""
        for number in range(len(self.setup.processes)):
            await self._replace(number)

    @contextmanager
    def _to_be_up(self) -> Iterator[None]:
        """Run the block; if it raises `NotUp`, add the message to `failed_starts` and go on."""
        try:
            yield
        except NotUp as failure:
            self.failed_starts.append(str(failure))

    async def _stop(self, process: Member) -> None:
        """Stop a process with SIGTERM; add an exit code other than 0 to `failed_starts`.

        Raises `NotUp` if the process doesn't end in time.
        """
        if code := await process.stop():
            self.failed_starts.append(f"SIGTERM ended process {process.number} by {code}")

    async def _replace(self, number: int) -> None:
        old = self.setup.processes[number]
        self.setup.processes[number] = new = old.successor()
        with self._to_be_up():
            await new.until_standing_by()
            await self._stop(old)
            await new.until_ready()
        self.log_violations += violations_in(old.log)

    async def _strike(self, old: Member) -> None:
        """Update one process; in the middle of the update, kill the old or the new process."""
        self.setup.processes[old.number] = new = old.successor()
        with self._to_be_up():
            await new.until_standing_by()
            old.signal(signal.SIGTERM)
            await asyncio.sleep(self.chance.uniform(0.0, KILLED_WITHIN))
            struck, survivor = (old, new) if self.chance.random() < 0.5 else (new, old)
            await self._kill_and_note(struck)
            if struck is new:
                await survivor.stop()
                self.setup.processes[old.number] = new = new.successor()
            await new.until_ready()
        self.log_violations += violations_in(old.log)

    async def _sever(self, old: Member) -> None:
        """Update one process while the process and its successor are cut off from the database.

        Either may serve afterwards.
        """
        self.setup.processes[old.number] = new = old.successor()
        with self._to_be_up():
            await new.until_standing_by()
            await self._disconnect(old)
            if not old.has_ended:
                await self._stop(old)
            await new.until_ready()
        self.log_violations += violations_in(old.log)

    async def _enough(self) -> bool:
        return await self.won_matches() >= self.plan.matches

    async def _kill(self, process: Member) -> None:
        """Kill a process and start it again, while the others play on."""
        await self._kill_and_note(process)
        self.log_violations += violations_in(process.log)
        process.begin()
        with self._to_be_up():
            await process.until_ready()

    async def _kill_and_note(self, process: Member) -> None:
        pending = await self.ask(_PENDING)
        process.kill()
        pending += await self.ask(_PENDING)  # another process may have sent them meanwhile
        self.deaths.append(Death(now(), None, None, pending=frozenset(map(tuple, pending))))
        self.setup.discord.order("later")  # presses that nobody answers fail

    async def _pause(self, process: Member) -> None:
        """Pause a process, usually for longer than every timeout, then let it go on."""
        process.signal(signal.SIGSTOP)
        until = time.monotonic() + self.plan.pause_seconds
        while time.monotonic() < until:
            # not more often, since it also fails other processes' presses that are under way
            await asyncio.sleep(min(LATER_SECONDS, self.plan.pause_seconds))
            self.setup.discord.order("later")
        process.signal(signal.SIGCONT)

    async def _cut(self, process: Member) -> None:
        """Cut a process off from the database for a while."""
        before = process.losses
        await self._disconnect(process)
        with self._to_be_up():
            await process.until_in_session(before)

    async def _disconnect(self, process: Member) -> None:
        process.relay.cut()
        await asyncio.sleep(self.chance.uniform(*CUT_SECONDS))
        process.relay.mend()

    # -- the end -----------------------------------------------------------------------------------

    async def _within(self, event: str, condition: Condition) -> bool:
        return await wait_until(event, condition, [self.setup.discord.journal])

    async def close(self, playing: list[asyncio.Task[None]]) -> Case:
        """Check that everything recovers after the last fault; then judge the case.

        Before judging, stop the processes and move the database to an SQLite file.
        """
        case = case_of(Ledger(self.setup.folder / "moved.db"), self.groups)
        case.seats |= {
            int(practice.person.id): -int(practice.person.id) for practice in self.practices
        }
        self.stopping.set()
        await last_moves(case, self.groups, playing, self.setup.discord, self._within)

        async def nothing_due() -> bool:
            return not await self.ask(_DUE, int(now()) - 250)

        if not await self._within("nothing is due", nothing_due):
            case.add("deadlines", f"due, and nothing happens: {await self.ask(_DUE, int(now()))}")
        for process in self.setup.processes:
            with self._to_be_up():
                await self._stop(process)
            self.log_violations += violations_in(process.log)
        moved = await move(self.setup.postgres, f"sqlite:///{case.ledger.file}")
        case.figures["rows_moved"] = moved.rows
        case.add("broken", *(f"match {match} cannot be replayed" for match in moved.unreadable))
        case.ledger.deaths += self.deaths
        case.ledger.look(now(), None, None, whole=True)
        case.acts = [act for group in self.groups for act in group.acts]
        case.acts += [act for practice in self.practices for act in practice.acts]
        case.record = Record().read(Journal(self.setup.discord.journal).read())
        case.add("starts", *self.failed_starts)
        case.add("logged", *(line for line in self.log_violations if not _of_a_cut(line)))
        for sentence in _doubled_actions(self.setup):
            case.add("doubled", sentence)
        return judge(case)


def _of_a_cut(sentence: str) -> bool:
    """Return whether a line of the log only says that the database was away, as planned."""
    return "database: does not do its work" in sentence


def stored_actions(setup: Setup) -> Iterator[tuple[int, int, bool]]:
    """Yield each action that a process logged as stored: match, number, whether a clock made it."""
    for log in setup.folder.glob("bot-*.log"):
        for line in log.read_text(errors="replace").splitlines():
            if '"move: stored"' in line:
                event = json.loads(line)
                yield event["match"], event["seq"], bool(event["by_house"])


def _doubled_actions(setup: Setup) -> Iterator[str]:
    """Describe each action that was logged as stored twice, such as by a clock that fired twice."""
    for (match, seq), times in Counter(
        (action[0], action[1]) for action in stored_actions(setup)
    ).items():
        if times > 1:
            yield f"match {match}, action {seq} was stored by {times} processes"


async def run(folder: Path, plan: Plan) -> Verdict:
    """Play a whole run in `folder` and judge it."""
    begun = time.monotonic()
    channels = plan.tables_a_shard + 1
    async with open_setup(folder, PROCESSES, channels, unhurried=plan.unhurried) as setup:
        this = Run(setup, plan)
        await this.furnish()
        for process in setup.processes:
            process.begin()
        for process in setup.processes:
            await process.until_ready()
        await all_want_direct_messages(this.groups)
        players: list[Player] = [*this.groups, *this.practices]
        playing = [asyncio.create_task(this.play(player)) for player in players]
        asking = asyncio.create_task(setup.world.ask_all_the_while())
        await this.inject_faults()
        won = await this.won_matches()
        case = await this.close(playing)
        asking.cancel()
        clocked = sum(action[2] for action in stored_actions(setup))
    refused = _refused_identifies(setup.discord.journal)
    away = setup.discord.journal.read_text().count(RESTARTING)
    hops = sum(len(practice.places) for practice in this.practices)
    seconds = time.monotonic() - begun
    world = setup.world
    counts = won, clocked, hops, refused, seconds
    answers = world.waits, world.late, world.unanswered
    return Verdict(case, this.faults, *counts, *answers, away)


def _refused_identifies(journal: Path) -> int:
    """Return how many identifies came too soon, by the local Discord's journal."""
    lines = [
        json.loads(line) for line in journal.read_text().splitlines() if '"identified"' in line
    ]
    return sum(int(line["refused"]) for line in lines if line["what"] == "identified")
