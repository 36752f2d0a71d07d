"""Play on the real bot, cut its power, and restart it from what the disk kept, repeatedly.

Discord's clock stands still, so that no answer is too late on a busy machine. Each run of
the bot ends with one real cut: after some moves, or just before or after a chosen sync. The
journal also shows what the disk would hold after a power loss at any other step, so some of
these steps are checked too (`explored`).
"""

from __future__ import annotations

import asyncio
import signal
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from benchmarks.groups import Group, group_in_thread
from benchmarks.setup import PATIENCE, Setup, open_setup
from bot.sandbox.errors import CannotDo, InteractionFailed
from tests.bot.processes import UNWARMED
from tests.powerloss.ledger import AcknowledgedMove, Ledger, put, read
from tests.powerloss.model import Disk, Record, read_journal
from tests.powerloss.shim import Shim

DATABASE: Final = "data/house.db"
PLAYERS: Final = 2
START_SECONDS: Final = 0.8  # a cut during a start comes at most this long after it began
PAUSE_SECONDS: Final = 0.02  # the longest pause between two moves at a table
MOVES: Final = 12  # a cut that is not at a sync comes after at most this many acknowledged moves
SYNCS: Final = 60  # a cut at a sync comes at one of this many first syncs


class RuinedError(Exception):
    """The bot doesn't start on what the disk has kept."""


@dataclass(frozen=True)
class Cut:
    """When a life ends: at sync number `syncs`, or after `moves` acknowledged moves if that is 0.

    If `after`, the cut comes just after the sync, otherwise just before. If `early`, it comes
    at the latest when the bot is ready.
    """

    syncs: int = 0
    after: bool = False
    moves: int = 0
    early: bool = False

    @property
    def at_sync(self) -> str:
        """The cut as the disk's environment variable takes it, such as `2 before`; "" for none."""
        return f"{self.syncs} {'after' if self.after else 'before'}" if self.syncs else ""


def plan_cuts(chance: Random, number: int) -> list[Cut]:
    """Return `number` random cuts; at least the first fifth come while the bot starts."""
    cuts = []
    for cut in range(number):
        early = cut < max(1, number // 5) or chance.random() < 0.1
        if chance.random() < 0.6:
            syncs = chance.randint(1, 12 if early else SYNCS)
            cuts.append(Cut(syncs, chance.random() < 0.5, early=early))
        else:
            cuts.append(Cut(moves=chance.randint(0, MOVES), early=early))
    return cuts


@dataclass
class Run:
    """A bot with tables, its disk, and what is known about them."""

    setup: Setup
    shim: Shim
    ledger: Ledger
    chance: Random
    explored: int  # how many other steps of each life are checked
    tables: list[Group] = field(default_factory=list)
    playing: list[asyncio.Task[None]] = field(default_factory=list)
    life: int = 0
    up: asyncio.Event = field(default_factory=asyncio.Event)
    is_over: bool = False
    acting: int = 0  # how many presses are not answered yet
    unwatched: int = 0  # lives whose journal differs from the files: the shim missed something

    async def sit_down(self, tables: int) -> None:
        """Seat two people at each of `tables` tables; they play whenever the bot is up."""
        for number in range(tables):
            people = [await self.setup.world.person(f"Player {number}-{n}") for n in range(PLAYERS)]
            title = f"Table {number}"
            table = await group_in_thread(self.setup.world, people, title, self.chance)
            self.tables.append(table)
            self.playing.append(asyncio.create_task(self.play(table)))

    async def stand_up(self) -> None:
        """Stop playing, and wait until all answers are noted."""
        self.is_over = True
        self.up.set()
        await asyncio.gather(*self.playing)

    async def play(self, table: Group) -> None:
        """Play while the bot is up, until the run is over, and note the acknowledged moves."""
        while True:
            await self.up.wait()
            if self.is_over:
                return
            self.acting += 1
            try:
                move = await table.step()
            finally:
                self.acting -= 1
            if move is not None and move.acknowledged:
                journal = self.shim.journal
                written = journal.stat().st_size if journal.exists() else 0
                self.ledger.acknowledged.append(AcknowledgedMove(move, self.life, written))
            await asyncio.sleep(self.chance.random() * PAUSE_SECONDS)

    async def cut_once(self, cut: Cut) -> None:
        """Run one life of the bot, from its start to its cut, and judge what the disk holds."""
        self.life += 1
        self.shim.journal.unlink(missing_ok=True)
        disk = Disk(self.shim.folder)
        self.setup.extra_settings.pop("DISK_CUT", None)
        self.setup.extra_settings |= self.shim.environment(records=True, cut=cut.at_sync)
        exact = await self._live_until(cut)
        await self._give_up()
        self._judge(disk, exact)

    async def _give_up(self) -> None:
        """Let time pass at the local Discord until no press waits for an answer."""
        while self.acting:
            self.setup.discord.send_signal(signal.SIGUSR1)
            await asyncio.sleep(PAUSE_SECONDS)

    async def _live_until(self, cut: Cut) -> bool:
        """Let the bot live until the cut; return whether the journal ends exactly there.

        Raises `RuinedError` if the bot doesn't start, and TimeoutError as `_wait_for_cut` does.
        """
        starting = asyncio.create_task(self.setup.start())
        if cut.early and not cut.syncs:
            await asyncio.wait({starting}, timeout=self.chance.random() * START_SECONDS)
            starting.cancel()
            with suppress(asyncio.CancelledError):
                await starting
            self._kill()
            return False
        try:
            await starting
        except AssertionError as ended:
            bot = self.setup.bot
            if bot is None or bot.wait() != -signal.SIGKILL:
                raise RuinedError(str(ended)) from ended
            return True  # the cut came during the start
        died = False
        if not cut.early:
            self.up.set()
            # each move syncs at least once, so after this many moves the cut won't come
            died = await self._wait_for_cut(cut.syncs or cut.moves)
            self.up.clear()
        self._kill()
        return died

    async def _wait_for_cut(self, moves: int) -> bool:
        """Wait until the cut at a sync ends the bot, and return True.

        Return False if `moves` moves are acknowledged first. Raises TimeoutError after `PATIENCE`
        seconds, and AssertionError if the bot ends in another way.
        """
        assert self.setup.bot is not None
        before = len(self.ledger.acknowledged)
        async with asyncio.timeout(PATIENCE):
            while self.setup.bot.poll() is None:
                if len(self.ledger.acknowledged) >= before + moves:
                    await asyncio.sleep(self.chance.random() * PAUSE_SECONDS)
                    return False
                await asyncio.sleep(0.005)
        assert self.setup.bot.returncode == -signal.SIGKILL, self.setup.bot.returncode
        return True

    def _kill(self) -> None:
        if self.setup.bot is not None and self.setup.bot.poll() is None:
            self.setup.kill()

    def _judge(self, disk: Disk, exact: bool) -> None:
        journal = read_journal(self.shim.journal)
        steps = self._choose_steps(journal)
        for number, record in enumerate(journal, 1):
            disk.play(record)
            if number in steps:
                contents = read(disk.after(self.chance), DATABASE)
                when = f"life {self.life}, step {number} of {len(journal)}"
                self.ledger.examine(contents, when, self.life, record.end)
        if exact and without_index(disk.now()) != without_index(read_files(self.shim.folder)):
            self.unwatched += 1
        left = disk.after(self.chance)
        self._index(left)
        when = f"life {self.life}, cut after {len(journal)} steps"
        contents = read(left, DATABASE)
        self.ledger.examine(contents, when, self.life)
        self.ledger.keep(contents, when)
        put(left, self.shim.folder)

    def _choose_steps(self, journal: list[Record]) -> set[int]:
        number = min(self.explored, len(journal))
        return set(self.chance.sample(range(1, len(journal) + 1), number))

    def _index(self, left: dict[str, bytes | None]) -> None:
        """Put SQLite's log index into `left`: whole, as zeros or not at all, chosen at random.

        `left` are the files that remain after the power loss, by path. SQLite never syncs the
        index.
        """
        name = f"{DATABASE}-shm"
        left.pop(name, None)
        index = self.shim.folder / name
        if index.exists() and "data" in left:
            match self.chance.randrange(3):
                case 0:
                    left[name] = index.read_bytes()
                case 1:
                    left[name] = bytes(index.stat().st_size)

    async def go_on(self) -> None:
        """Check after the last cut that every table accepts a move and the bot stops properly."""
        self.life += 1
        self.shim.journal.unlink(missing_ok=True)
        self.setup.extra_settings.pop("DISK_CUT", None)
        await self.setup.start()
        for table in self.tables:
            if not await self._moves(table):
                screen = await table.table_message()
                text = screen.text if screen is not None else "nothing"
                self.ledger.violations.append(
                    f"stuck: {table.moves[-3:]} at a table that shows {text}"
                )
        code, _ = await self.setup.terminate()
        if code != 0:
            self.ledger.violations.append(f"the last bot ended with {code}")

    async def _moves(self, table: Group) -> bool:
        """Return whether a table accepts a move within `PATIENCE` seconds."""
        begun = len(table.moves)
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                while True:
                    with suppress(CannotDo, InteractionFailed):
                        move = await table.step()
                        if move is not None and move.acknowledged:
                            return True
                    stored = read(read_files(self.shim.folder), DATABASE).interactions
                    if any(move.interaction_id in stored for move in table.moves[begun:]):
                        return True  # answered late, but stored
                    await asyncio.sleep(0.01)
        return False


def read_files(folder: Path) -> dict[str, bytes | None]:
    """Return the files below a folder, by relative path."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def without_index(files: dict[str, bytes | None]) -> dict[str, bytes | None]:
    """Return all files except SQLite's `-shm` file, which is written through shared memory."""
    return {name: content for name, content in files.items() if not name.endswith("-shm")}


async def run(
    folder: Path,
    cuts: list[Cut],
    chance: Random,
    *,
    tables: int = 4,
    explored: int = 10,
    module: tuple[str, ...] = UNWARMED,
) -> Run:
    """Run one life of the bot for each cut; return the run, with the violations in its ledger.

    If there are no violations, also check that the bot goes on after the last cut. `module`: the
    module to run as the bot.
    """
    shim = Shim(folder / "disk", folder / "aside")
    async with open_setup(folder, PLAYERS, "tests.bot.standing_discord") as setup:
        setup.module = module
        setup.extra_settings = {
            "BLUFFHOUSE_TABLES__LOBBY_MINUTES": "0",
            "BLUFFHOUSE_DATABASE__PATH": str(shim.folder / DATABASE),
        }
        this = Run(setup, shim, Ledger(), chance, explored)
        try:
            await this.sit_down(tables)
            for cut in cuts:
                await this.cut_once(cut)
            await this.stand_up()
            if not this.ledger.violations:
                await this.go_on()
        except RuinedError as ruined:
            await this.stand_up()
            this.ledger.violations.append(f"life {this.life}: does not start: {ruined}")
        return this
