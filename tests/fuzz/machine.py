"""Random tables and practices, as a hypothesis state machine: two processes on one database.

Each step asks one of two services, each with its own cache, for something that a person may want,
or lets time pass. After each step: the wish was carried out, or refused for a reason that has a
sentence; versions only grew; both processes read the same; and the stored match is what its log
says, by the engine and by the referee of `tests.naive`. `TablesMachineOnPostgres` does the same on
PostgreSQL, where each process has its own store.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar, Final
from unittest import SkipTest

from hypothesis import HealthCheck, seed, settings
from hypothesis import Phase as Steps
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from bot.discord.errors import BROKEN, sentence
from bot.services.practice import practise
from bot.services.privacy import Privacy
from bot.services.tables import Tables
from bot.storage.store import SqlStore
from bot.tables import errors, moderation, plans
from bot.tables.changes import Announcer
from bot.tables.live import LiveTable, revive
from bot.tables.model import Status, Table
from bot.tables.requests import Ask, At, Limits
from engine.errors import EngineError
from engine.play import legal
from engine.ruleset import OptionValue
from engine.state import Match, Phase
from engine.variants import VARIANTS
from tests.bot.harness import StoppedClock, new_store
from tests.bot.storage.conftest import empty, programs, running_cluster
from tests.crash.referee import play
from tests.fuzz.kinds import Report, Verdict
from tests.naive import Referee

OPTIONS: Final[dict[str, tuple[OptionValue, ...]]] = {
    "length": ("whole", "one_more", "first_out"),
    "challengers": ("next", "anyone"),
    "absence": ("house", "forfeit"),
    "pings": ("never", "slow", "every"),
    "jokers": (0, 2),
    "middle_hand": (True, False),
    "cheating": (True,),
}
STEPS: Final = 40
PHASES: Final = (
    Steps.generate,
)  # without shrinking, which takes hours: a failure is reported with all its steps
ANN, BOB, CLEO, DAN, MAL = PEOPLE = (11, 12, 13, 14, 15)
PRACTISE: Final = (ANN, MAL)
# a practice's channel is its player, negated
CHANNELS: Final = (2, 3, *(-person for person in PRACTISE))
# most steps happen at the table that was opened first
OFTEN: Final = (CHANNELS[0],) * 4 + CHANNELS
LIMITS: Final = Limits(next_round=15_000, lobby=3_600_000, turn_seconds=60, tables_per_guild=2)
BY_NAME: Final = (
    "join", "leave", "decline", "wait", "start", "cancel", "again", "next_round", "end", "drop",
    "say_away", "back", "forfeit",
)  # fmt: skip
AT_ONCE: Final = ("join", "leave", "start", "next_round", "again", "bid", "challenge")

process_ = st.integers(0, 1)
person_ = st.sampled_from(PEOPLE)
game_ = st.sampled_from(sorted(VARIANTS))
channel_ = st.sampled_from(OFTEN)


class Nobody(Announcer):
    """An announcer that shows nothing."""

    def on_change(self, live: LiveTable, *, unseen: bool) -> None:
        """Do nothing."""


class TablesMachine(RuleBasedStateMachine):
    """One database, two processes, five people, two channels and two practices."""

    verdict: ClassVar[Verdict]

    def __init__(self) -> None:
        super().__init__()
        self._loop = asyncio.new_event_loop()
        self._folder = TemporaryDirectory(prefix="tables")
        self._clock = StoppedClock(1_800_000_000)
        self._numbers = count(1000)
        self._stores: tuple[SqlStore, SqlStore] = self._run(
            self.open_stores(Path(self._folder.name))
        )
        self._store = self._stores[0]
        self._processes = [self._process(0), self._process(1)]
        self._versions: dict[int, int] = {}
        self._lengths: dict[int, int] = {}

    def _run(self, work: Awaitable[Any]) -> Any:
        return self._loop.run_until_complete(work)

    async def open_stores(self, folder: Path) -> tuple[SqlStore, SqlStore]:
        """Return each process's store over an empty database; on SQLite both use the same store."""
        store = await new_store(folder / "house.db")
        return store, store

    def _process(self, number: int) -> Tables:
        return Tables(
            self._stores[number], self._clock, Nobody(), LIMITS,
            lambda: next(self._numbers).to_bytes(32, "big"),
        )  # fmt: skip

    def teardown(self) -> None:
        for store in set(self._stores):
            self._run(store.close())
        self._loop.close()
        self._folder.cleanup()

    # -- asking -----------------------------------------------------------------------------------

    def _ask(self, name: str, act: Callable[[], Awaitable[object]]) -> None:
        """Carry out `act` and count its outcome as `name`; a refusal must have a sentence."""
        self._note_outcome(name, self._run(refusal(act)))

    def _change(self, process: int, table: Table, name: str, request: Ask, *values: Any) -> None:
        """Carry out the plan called `name` on a table, and count the outcome as `_ask` does."""
        self._ask(
            name, partial(self._processes[process].change, table.id, request, plan(name), *values)
        )

    def _note_outcome(self, name: str, refused: Exception | None) -> None:
        self.verdict.outcomes[f"{name}: {'done' if refused is None else 'refused'}"] += 1
        if refused is not None:
            words = sentence(refused, self._any_live())
            assert words, f"{name} is refused without a word: {refused!r}"
            assert words != BROKEN, f"{name} is refused, and nobody knows why: {refused!r}"

    def _any_live(self) -> LiveTable | None:
        for channel in CHANNELS:
            try:
                return self._run(self._processes[0].in_channel(channel))  # type: ignore[no-any-return]
            except errors.RefusedError:
                continue
        return None

    def _table(self, channel: int) -> Table | None:
        table = self._run(self._store.tables.in_channel(channel))
        assert table is None or isinstance(table, Table)
        return table

    def _playing_table(self, process: int, channel: int) -> tuple[Table, Match] | None:
        """Return the table played in a channel and its match, as a process sees it, or None."""
        table = self._table(channel)
        if table is None or table.status is not Status.PLAYING:
            return None
        match = self._run(self._processes[process].see(table.id)).match
        return None if match is None else (table, match)

    def _request(self, player: int, moderator: bool = False, at: At | None = None) -> Ask:
        return Ask(player, next(self._numbers), at, moderator=moderator)

    # -- what people want -------------------------------------------------------------------------

    @initialize(
        game=game_,
        others=st.lists(st.sampled_from(PEOPLE[1:]), min_size=1, max_size=4, unique=True),
        start=st.integers(0, 4).map(bool),
    )
    def lobby(self, game: str, others: list[int], start: bool) -> None:
        """Open a lobby with some people; if `start`, also start the match."""
        first = self._processes[0]
        live = self._run(first.open(self._request(ANN), 1, CHANNELS[0], game))
        for guest in others:
            self._run(first.change(live.table.id, self._request(guest), plans.join))
        if start and others:
            self._run(first.change(live.table.id, self._request(ANN), plans.start))

    @rule(
        process=process_,
        player=person_,
        channel=st.sampled_from(CHANNELS[:2]),
        game=game_,
        computers=st.lists(st.sampled_from(["careful", "sly"]), max_size=2),
    )
    def open(
        self, process: int, player: int, channel: int, game: str, computers: list[str]
    ) -> None:
        tables = self._processes[process]
        self._ask("open", lambda: tables.open(self._request(player), 1, channel, game, computers))

    @rule(
        process=process_,
        player=st.sampled_from(PRACTISE),
        game=game_,
        character=st.sampled_from(["careful", "sly"]),
    )
    def practise(self, process: int, player: int, game: str, character: str) -> None:
        """Begin a practice against a computer player, or return to the one under way."""
        tables, request = self._processes[process], self._request(player)
        self._ask("practise", lambda: practise(tables, request, game, character))

    @rule(
        process=process_,
        player=person_,
        subject=person_,
        channel=channel_,
        name=st.sampled_from(BY_NAME),
        moderator=st.integers(0, 9).map(lambda n: n == 0),
    )
    def want(
        self, process: int, player: int, subject: int, channel: int, name: str, moderator: bool
    ) -> None:
        """Ask for the change `name`; "drop" and "say_away" are about the person `subject`."""
        table = self._table(channel)
        if table is not None:
            values = (subject,) if name in ("drop", "say_away") else ()
            self._change(process, table, name, self._request(player, moderator), *values)

    @rule(
        process=process_,
        nth=st.integers(0, 400),
        doubt=st.booleans(),
        rightly=st.integers(0, 5),
        player=person_,
        stale=st.booleans(),
        channel=channel_,
    )
    def move(
        self,
        process: int,
        nth: int,
        doubt: bool,
        rightly: int,
        player: int,
        stale: bool,
        channel: int,
    ) -> None:
        """Bid or challenge, usually as the player to act; sometimes with an outdated button."""
        played = self._playing_table(process, channel)
        if played is None or played[1].phase is not Phase.BIDDING:
            return
        table, match = played
        at = None
        if stale and table.match_id is not None:
            at = At(table.match_id, match.seq - (rightly == 1))
        request = self._request(to_act(match) if rightly else player, at=at)
        if doubt:
            self._change(process, table, "challenge", request)
            return
        rungs = [bid for rung in legal(match).rungs for bid in rung]
        key = rungs[min(nth // 8, len(rungs) - 1)].key if rungs and nth < 380 else "pair:9"
        self._change(process, table, "bid", request, key)

    @rule(
        process=process_,
        skips=st.lists(st.integers(0, 60), min_size=1, max_size=8),
        channel=channel_,
    )
    def play_on(self, process: int, skips: list[int], channel: int) -> None:
        """Make several moves: deal after a showdown, bid some rungs higher, or challenge."""
        for skip in skips:
            played = self._playing_table(process, channel)
            if played is None:
                return
            table, match = played
            if match.phase is Phase.DEAL:
                self._change(process, table, "next_round", self._request(table.players[0]))
                continue
            request = self._request(to_act(match))
            rungs = [bid for rung in legal(match).rungs for bid in rung]
            if skip < len(rungs) and skip % 4:
                self._change(process, table, "bid", request, rungs[skip].key)
            else:
                self._change(process, table, "challenge", request)

    @rule(
        wishes=st.lists(
            st.tuples(
                process_,
                person_,
                st.sampled_from(AT_ONCE),
            ),
            min_size=2,
            max_size=4,
        ),
    )
    def at_once(self, wishes: list[tuple[int, int, str]]) -> None:
        """Have several people ask for something at the same table at the same moment."""
        table = self._table(CHANNELS[0])
        if table is None:
            return
        match = self._run(self._processes[0].see(table.id)).match
        bidding = match is not None and match.phase is Phase.BIDDING
        changes: list[Callable[[], Awaitable[object]]] = []
        for process, player, name in wishes:
            # by the player to act, so that two of their moves collide
            moves = name in ("bid", "challenge")
            request = self._request(to_act(match) if moves and bidding else player)
            values = ("pair:9",) if name == "bid" else ()
            change = self._processes[process].change
            changes.append(partial(change, table.id, request, plan(name), *values))

        async def ask_all() -> list[Exception | None]:
            return await asyncio.gather(*(refusal(act) for act in changes))

        for (_, _, name), refused in zip(wishes, self._run(ask_all()), strict=True):
            self._note_outcome(f"at once, {name}", refused)

    @rule(
        process=process_,
        player=person_,
        key=st.sampled_from(sorted(OPTIONS)),
        nth=st.integers(0, 2),
    )
    def choose(self, process: int, player: int, key: str, nth: int) -> None:
        """Choose an option that the game may lack; no game has the option `cheating`."""
        table = self._table(CHANNELS[0])
        if table is not None:
            value = OPTIONS[key][nth % len(OPTIONS[key])]
            self._change(process, table, "choose", self._request(player), {key: value})

    @rule(process=process_, player=person_, text=st.text(max_size=20))
    def cut(self, process: int, player: int, text: str) -> None:
        table = self._table(CHANNELS[0])
        if table is not None:
            self._change(process, table, "cut", self._request(player), text)

    @rule(process=process_, minutes=st.sampled_from([0, 1, 2, 61]))
    def time_passes(self, process: int, minutes: int) -> None:
        """Let `minutes` and 16 seconds pass, and serve the deadlines that are due then."""
        self._clock.at += minutes * 60_000 + 16_000
        for due in self._run(self._store.tables.due(self._clock.at)):
            self._ask("deadline", partial(self._processes[process].on_deadline, due))

    @rule(process=process_)
    def restart(self, process: int) -> None:
        """Replace a process by a new one with an empty cache, and put off live deadlines."""
        self._processes[process] = self._process(process)
        self._run(self._processes[process].runtime.grant_time(20_000))

    @rule(process=process_, player=person_)
    def forget(self, process: int, player: int) -> None:
        """Forget a person, which is refused while they sit at a live table."""
        privacy = Privacy(self._stores[process].privacy, self._processes[process], lambda _: None)
        self._ask("forget", lambda: privacy.forget(player))

    # -- what holds -------------------------------------------------------------------------------

    @invariant()
    def stored_is_what_the_log_says(self) -> None:
        """Check that versions and logs only grow, and that both processes and the referee agree."""
        for channel in CHANNELS:
            table = self._table(channel)
            if table is None:
                continue
            assert table.version >= self._versions.get(table.id, 0), "a version went back"
            self._versions[table.id] = table.version
            snapshot = self._run(self._store.tables.snapshot(table.id))
            replayed = revive(snapshot)
            for tables in self._processes:
                live = self._run(tables.in_channel(channel))
                assert live.match == replayed.match, "a process sees another match"
                assert live.table.version == table.version
            if snapshot.match is None or replayed.match is None:
                continue
            length = len(snapshot.match.actions)
            assert length >= self._lengths.get(snapshot.match.id, 0), "a log got shorter"
            self._lengths[snapshot.match.id] = length
            assert facts_by_engine(replayed.match) == facts_by_referee(snapshot.match)


class TablesMachineOnPostgres(TablesMachine):
    """Two processes that may both serve every table, through separate stores of one database."""

    address: ClassVar[str]

    async def open_stores(self, folder: Path) -> tuple[SqlStore, SqlStore]:
        """Empty the database and return a store for each process."""
        await empty(self.address)
        return await SqlStore.open(self.address), await SqlStore.open(self.address)


def plan(name: str) -> Callable[..., plans.Plan]:
    result: Callable[..., plans.Plan] = getattr(
        moderation if name in ("end", "drop") else plans, name
    )
    return result


def to_act(match: Match) -> int:
    """Return the player whose turn it is."""
    assert match.round is not None
    return match.seats[match.round.turn].player


async def refusal(act: Callable[[], Awaitable[object]]) -> Exception | None:
    """Carry out `act`; return the error if it was refused, else None.

    Raises any other error, and also `StoreUnavailable` and `Damaged`, since nothing here harms the
    store.
    """
    try:
        await act()
    except (errors.StoreUnavailable, errors.Damaged):
        raise  # the store is well here
    except (errors.RefusedError, EngineError) as error:
        return error
    return None


def facts_by_referee(stored: Any) -> dict[str, object]:
    """Return the facts of a stored match as the referee of `tests.naive` replays it."""
    referee = Referee(stored.variant, dict(stored.options), len(stored.players), stored.opener)
    for action in stored.actions:
        play(referee, action.body)
    return {
        "live": referee.live,
        "cards": {seat: referee.cards[seat] for seat in referee.live},
        "winner": referee.winner,
        "turn": referee.turn,
        "bids": referee.bids,
        "hands": {seat: sorted(cards) for seat, cards in referee.hands.items()},
    }


def facts_by_engine(match: Any) -> dict[str, object]:
    """Return the facts that `facts_by_referee` returns, taken from the engine's match."""
    current = match.round
    hands = current.hands if current is not None else ()
    return {
        "live": list(match.live),
        "cards": {seat: match.seats[seat].cards for seat in match.live},
        "winner": match.winner,
        "turn": current.turn if match.phase is Phase.BIDDING else None,
        "bids": [(bid.seat, bid.bid.key) for bid in current.bids] if current else [],
        "hands": {seat: sorted(str(hand).split()) for seat, hand in enumerate(hands) if hand},
    }


def run(
    number: int, first: int, runs: int, report: Report, kind: type[TablesMachine] = TablesMachine
) -> Verdict:
    """Run the machine `runs` times; report a failing run with its steps.

    The seed is `number` + `first`.
    """
    verdict = kind.verdict = Verdict()
    machine = seed(number + first)(type("SeededHouse", (kind,), {}))
    chosen = settings(
        max_examples=runs, stateful_step_count=STEPS, deadline=None, database=None,
        suppress_health_check=list(HealthCheck), phases=PHASES,
    )  # fmt: skip
    try:
        run_state_machine_as_test(machine, settings=chosen)
    except (Exception, SkipTest) as error:
        option = "house" if kind is TablesMachine else "postgres"
        repeat = f"python -m tests.fuzz {option} --seed {number} --first {first} --{option} {runs}"
        verdict.failures.append(repeat)
        steps = "\n".join(getattr(error, "__notes__", []))
        report(f"{type(error).__name__}: {error}\n{steps}\n    {repeat}")
    return verdict


def run_at(address: str, number: int, first: int, runs: int, report: Report) -> Verdict:
    """Run the machine on the PostgreSQL at `address`, whose contents are deleted."""

    async def migrate() -> None:
        await (await SqlStore.open(address)).close()

    TablesMachineOnPostgres.address = address
    asyncio.run(migrate())
    return run(number, first, runs, report, TablesMachineOnPostgres)


def run_on_postgres(number: int, first: int, runs: int, report: Report) -> Verdict:
    """Run the machine on a new PostgreSQL server. Raises SystemExit without PostgreSQL."""
    binaries = programs()
    if binaries is None:
        raise SystemExit("no PostgreSQL server in /usr/lib/postgresql: apt-get install postgresql")
    with running_cluster(binaries) as address:
        return run_at(address, number, first, runs, report)
