"""Two processes on one database, and what people ask of them, for `tests.fuzz.house`."""

from __future__ import annotations

import asyncio
import shutil
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar, Final

from hypothesis.stateful import RuleBasedStateMachine

from bot.discord.errors import BROKEN, sentence
from bot.storage.store import SqlStore
from bot.tables import errors
from bot.tables.live import LiveTable
from bot.tables.model import Table
from bot.tables.requests import Ask, At, Limits
from bot.tables.service import Tables
from engine.errors import EngineError
from tests.fuzz.stand_ins import Clock, Nobody

ANN, BOB, CLEO, DAN, MAL = PEOPLE = (11, 12, 13, 14, 15)
PRACTISE: Final = (ANN, MAL)
CHANNELS: Final = (2, 3, *(-one for one in PRACTISE))  # a practice is in its person's own
# where most of it is to happen: the table that was opened first
OFTEN: Final = (CHANNELS[0],) * 4 + CHANNELS
LIMITS: Final = Limits(next_round=15_000, lobby=3_600_000, turn_seconds=60, tables_per_guild=2)


@dataclass
class Told:
    """What became of what was asked, over all runs."""

    became: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)


class TwoProcesses(RuleBasedStateMachine):
    """One database, two processes, five people, two channels."""

    template: ClassVar[Path]
    told: ClassVar[Told]

    def __init__(self) -> None:
        super().__init__()
        self._loop = asyncio.new_event_loop()
        self._folder = TemporaryDirectory(prefix="house")
        self._clock = Clock()
        self._numbers = count(1000)
        self._stores: tuple[SqlStore, SqlStore] = self._run(self.opened(Path(self._folder.name)))
        self._store = self._stores[0]
        self._processes = [self._process(0), self._process(1)]
        self._versions: dict[int, int] = {}
        self._lengths: dict[int, int] = {}

    def _run(self, work: Awaitable[Any]) -> Any:
        return self._loop.run_until_complete(work)

    async def opened(self, folder: Path) -> tuple[SqlStore, SqlStore]:
        """An empty database, as each process has it: an SQLite file is open in one."""
        file = folder / "house.db"
        shutil.copy(self.template, file)
        store = await SqlStore.open(f"sqlite:///{file}")
        return store, store

    def _process(self, number: int) -> Tables:
        return Tables(
            self._stores[number], self._clock, Nobody(), LIMITS,
            lambda: next(self._numbers).to_bytes(32, "big"),
        )  # fmt: skip

    def teardown(self) -> None:
        """Close the database."""
        for store in set(self._stores):
            self._run(store.close())
        self._loop.close()
        self._folder.cleanup()

    def _ask(self, what: str, act: Callable[[], Awaitable[object]]) -> None:
        """Have it done, or refused for a reason that can be told."""
        self._became(what, self._run(refusal(act)))

    def _became(self, what: str, refused: Exception | None) -> None:
        self.told.became[f"{what}: {'done' if refused is None else 'refused'}"] += 1
        if refused is not None:
            said = sentence(refused, self._any_live())
            assert said, f"{what} is refused without a word: {refused!r}"
            assert said != BROKEN, f"{what} is refused, and nobody knows why: {refused!r}"

    def _any_live(self) -> LiveTable | None:
        for channel in CHANNELS:
            try:
                return self._run(self._processes[0].in_channel(channel))  # type: ignore[no-any-return]
            except errors.RefusedError:
                continue
        return None

    def _table(self, channel: int) -> Table | None:
        found = self._run(self._store.tables.in_channel(channel))
        assert found is None or isinstance(found, Table)
        return found

    def _request(self, player: int, moderator: bool = False, at: At | None = None) -> Ask:
        return Ask(player, next(self._numbers), at, moderator=moderator)


async def refusal(act: Callable[[], Awaitable[object]]) -> Exception | None:
    """Have it done; why it was not, if that can be told."""
    try:
        await act()
    except (errors.StoreUnavailable, errors.Damaged):
        raise  # the store is well here
    except (errors.RefusedError, EngineError) as error:
        return error
    return None
