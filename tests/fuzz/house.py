"""Tables and practices by chance, as a hypothesis state machine: two processes on one database.

Each step asks one of two services (each with what it remembers) for something that some person may
want, or lets time pass. After each step: what was asked is done, or refused for a reason that has a
sentence; versions only grow; both processes read the same; the stored match is what its log says,
by the engine and by the referee of `tests.naive`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from unittest import SkipTest

from hypothesis import HealthCheck, seed, settings
from hypothesis import Phase as Steps
from hypothesis import strategies as st
from hypothesis.stateful import (
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from bot.privacy.service import Privacy
from bot.tables import moderation, plans
from bot.tables.live import revive
from bot.tables.model import Status
from bot.tables.practice import practise
from bot.tables.requests import At
from engine.actions import from_json
from engine.play import legal
from engine.ruleset import OptionValue
from engine.state import Phase
from engine.variants import VARIANTS
from tests.evenings.evening import make_template
from tests.fuzz.processes import ANN, CHANNELS, OFTEN, PEOPLE, PRACTISE, Told, TwoProcesses, refusal
from tests.fuzz.sides import facts, refereed
from tests.fuzz.stand_ins import Strangers

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
PHASES: Final = (Steps.generate,)  # a failure is told with its steps; making it small takes hours


class House(TwoProcesses):
    """What people want, and what holds after each step."""

    @initialize(
        game=st.sampled_from(sorted(VARIANTS)),
        others=st.lists(st.sampled_from(PEOPLE[1:]), min_size=1, max_size=4, unique=True),
        start=st.integers(0, 4).map(bool),
    )
    def lobby(self, game: str, others: list[int], start: bool) -> None:
        """A lobby with some people; mostly the interesting things come after the start."""
        first = self._processes[0]
        live = self._run(first.open(self._request(ANN), 1, CHANNELS[0], game))
        for other in others:
            self._run(first.change(live.table.id, self._request(other), plans.join))
        if start and others:
            self._run(first.change(live.table.id, self._request(ANN), plans.start))

    @rule(
        process=st.integers(0, 1),
        player=st.sampled_from(PEOPLE),
        channel=st.sampled_from(CHANNELS[:2]),
        game=st.sampled_from(sorted(VARIANTS)),
        computers=st.lists(st.sampled_from(["careful", "sly", "genius"]), max_size=2),
    )
    def open(
        self, process: int, player: int, channel: int, game: str, computers: list[str]
    ) -> None:
        """Open a table."""
        tables = self._processes[process]
        if "genius" in computers:
            computers = []
        self._ask("open", lambda: tables.open(self._request(player), 1, channel, game, computers))

    @rule(
        process=st.integers(0, 1),
        player=st.sampled_from(PRACTISE),
        game=st.sampled_from(sorted(VARIANTS)),
        character=st.sampled_from(["careful", "sly"]),
    )
    def practise(self, process: int, player: int, game: str, character: str) -> None:
        """Play against a computer player, where nobody else is."""
        tables, asked = self._processes[process], self._request(player)
        self._ask("practise", lambda: practise(tables, asked, game, character))

    @rule(
        process=st.integers(0, 1),
        player=st.sampled_from(PEOPLE),
        other=st.sampled_from(PEOPLE),
        channel=st.sampled_from(OFTEN),
        what=st.sampled_from(
            [
                "join",
                "leave",
                "decline",
                "wait",
                "start",
                "cancel",
                "again",
                "next_round",
                "end",
                "drop",
                "say_away",
                "back",
                "forfeit",
            ]
        ),
        moderator=st.integers(0, 9).map(lambda n: n == 0),
    )
    def want(
        self, process: int, player: int, other: int, channel: int, what: str, moderator: bool
    ) -> None:
        """Ask for something that needs no more than a name."""
        table = self._table(channel)
        if table is None:
            return
        asked = self._request(player, moderator)
        plan = getattr(moderation if what in ("end", "drop") else plans, what)
        more = (other,) if what in ("drop", "say_away") else ()
        self._ask(what, partial(self._processes[process].change, table.id, asked, plan, *more))

    @rule(
        process=st.integers(0, 1),
        nth=st.integers(0, 400),
        doubt=st.booleans(),
        rightly=st.integers(0, 5),
        player=st.sampled_from(PEOPLE),
        stale=st.booleans(),
        channel=st.sampled_from(OFTEN),
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
        """Bid or challenge, mostly by whoever is to act; some by an old button."""
        table = self._table(channel)
        if table is None or table.status is not Status.PLAYING:
            return
        live = self._run(self._processes[process].see(table.id))
        match = live.match
        if match is None or match.phase is not Phase.BIDDING:
            return
        at = None
        if stale and live.table.match_id is not None:
            at = At(live.table.match_id, match.seq - (rightly == 1))
        if rightly:
            player = match.seats[match.round.turn].player
        asked = self._request(player, at=at)
        tables = self._processes[process]
        if doubt:
            self._ask("challenge", lambda: tables.change(table.id, asked, plans.challenge))
            return
        rungs = [bid for rung in legal(match).rungs for bid in rung]
        key = rungs[min(nth // 8, len(rungs) - 1)].key if rungs and nth < 380 else "pair:9"
        self._ask("bid", lambda: tables.change(table.id, asked, plans.bid, key))

    @rule(
        process=st.integers(0, 1),
        skips=st.lists(st.integers(0, 60), min_size=1, max_size=8),
        channel=st.sampled_from(OFTEN),
    )
    def play_on(self, process: int, skips: list[int], channel: int) -> None:
        """Whoever is to act bids, so much higher, or challenges; after a showdown all is dealt."""
        for skip in skips:
            table = self._table(channel)
            if table is None or table.status is not Status.PLAYING:
                return
            match = self._run(self._processes[process].see(table.id)).match
            if match.phase is Phase.DEAL:
                asked = self._request(table.players[0])
                self._ask(
                    "next_round",
                    partial(self._processes[process].change, table.id, asked, plans.next_round),
                )
                continue
            asked = self._request(match.seats[match.round.turn].player)
            rungs = [bid for rung in legal(match).rungs for bid in rung]
            tables = self._processes[process]
            if skip < len(rungs) and skip % 4:
                self._ask(
                    "bid", partial(tables.change, table.id, asked, plans.bid, rungs[skip].key)
                )
            else:
                self._ask("challenge", partial(tables.change, table.id, asked, plans.challenge))

    @rule(
        wanted=st.lists(
            st.tuples(
                st.integers(0, 1),
                st.sampled_from(PEOPLE),
                st.sampled_from(["join", "leave", "start", "next_round", "again", "bid", "doubt"]),
            ),
            min_size=2,
            max_size=4,
        ),
    )
    def at_once(self, wanted: list[tuple[int, int, str]]) -> None:
        """Several people want something of the same table at the same moment."""
        table = self._table(CHANNELS[0])
        if table is None:
            return
        match = self._run(self._processes[0].see(table.id)).match
        asked: list[Callable[[], Awaitable[object]]] = []
        for process, player, what in wanted:
            tables = self._processes[process]
            if what not in ("bid", "doubt"):
                asked.append(
                    partial(tables.change, table.id, self._request(player), getattr(plans, what))
                )
                continue
            request = self._request(player)
            if match is not None and match.phase is Phase.BIDDING:  # who may: two of these at once
                request = self._request(match.seats[match.round.turn].player)
            if what == "bid":
                asked.append(partial(tables.change, table.id, request, plans.bid, "pair:9"))
            else:
                asked.append(partial(tables.change, table.id, request, plans.challenge))

        async def ask_all() -> list[Exception | None]:
            return await asyncio.gather(*(refusal(act) for act in asked))

        for (_, _, what), refused in zip(wanted, self._run(ask_all()), strict=True):
            self._became(f"at once, {what}", refused)

    @rule(
        process=st.integers(0, 1),
        player=st.sampled_from(PEOPLE),
        key=st.sampled_from(sorted(OPTIONS)),
        nth=st.integers(0, 2),
    )
    def choose(self, process: int, player: int, key: str, nth: int) -> None:
        """Change a house rule; some games do not have it, and one is none."""
        table = self._table(CHANNELS[0])
        if table is None:
            return
        value = OPTIONS[key][nth % len(OPTIONS[key])]
        tables = self._processes[process]
        asked = self._request(player)
        self._ask("choose", lambda: tables.change(table.id, asked, plans.choose, {key: value}))

    @rule(
        process=st.integers(0, 1),
        player=st.sampled_from(PEOPLE),
        text=st.text(max_size=20),
    )
    def cut(self, process: int, player: int, text: str) -> None:
        """Cut the cards with whatever was typed."""
        table = self._table(CHANNELS[0])
        if table is None:
            return
        tables, asked = self._processes[process], self._request(player)
        self._ask("cut", lambda: tables.change(table.id, asked, plans.cut, text))

    @rule(process=st.integers(0, 1), minutes=st.sampled_from([0, 1, 2, 61]))
    def time_passes(self, process: int, minutes: int) -> None:
        """Serve what is due by then."""
        self._clock.at += minutes * 60_000 + 16_000
        for due in self._run(self._store.tables.due(self._clock.at)):
            tables = self._processes[process]
            self._ask("deadline", partial(tables.on_deadline, due))

    @rule(process=st.integers(0, 1))
    def restart(self, process: int) -> None:
        """A process dies, and another begins: it remembers nothing."""
        self._processes[process] = self._process(process)
        self._run(self._processes[process].runtime.grant_time(20_000))

    @rule(process=st.integers(0, 1), player=st.sampled_from(PEOPLE))
    def forget(self, process: int, player: int) -> None:
        """Somebody wants to be forgotten, which nobody is while they sit at a live table."""
        privacy = Privacy(self._stores[process].privacy, self._processes[process], Strangers())
        self._ask("forget", lambda: privacy.forget(player))

    # -- what holds -------------------------------------------------------------------------------

    @invariant()
    def stored_is_what_the_log_says(self) -> None:
        """Versions and logs only grow, both processes agree, and so does the referee."""
        for channel in CHANNELS:
            table = self._table(channel)
            if table is None:
                continue
            assert table.version >= self._versions.get(table.id, 0), "a version went back"
            self._versions[table.id] = table.version
            snapshot = self._run(self._store.tables.snapshot(table.id))
            replayed = revive(snapshot)
            for tables in self._processes:
                seen = self._run(tables.in_channel(channel))
                assert seen.match == replayed.match, "a process sees another match"
                assert seen.table.version == table.version
            if snapshot.match is None or replayed.match is None:
                continue
            actions = [from_json(one.body) for one in snapshot.match.actions]
            assert len(actions) >= self._lengths.get(snapshot.match.id, 0), "a log got shorter"
            self._lengths[snapshot.match.id] = len(actions)
            assert facts(replayed.match) == refereed(snapshot.match, actions)


def run(
    number: int,
    first: int,
    runs: int,
    tell: Callable[[str], None],
    kind: type[House] = House,
    room: str = "house",
) -> Told:
    """So many runs of the machine; a failing one is told with its steps."""
    told = Told()
    with TemporaryDirectory() as folder:
        kind.template = make_template(Path(folder))
        kind.told = told
        machine = seed(number + first)(type("SeededHouse", (kind,), {}))
        chosen = settings(
            max_examples=runs, stateful_step_count=STEPS, deadline=None, database=None,
            suppress_health_check=list(HealthCheck), phases=PHASES,
        )  # fmt: skip
        try:
            run_state_machine_as_test(machine, settings=chosen)
        except (Exception, SkipTest) as error:
            repeat = f"python -m tests.fuzz {room} --seed {number} --first {first} --{room} {runs}"
            told.failures.append(repeat)
            tell(
                f"{type(error).__name__}: {error}\n" + "\n".join(_notes(error)) + f"\n    {repeat}"
            )
    return told


def _notes(error: BaseException) -> list[str]:
    return list(getattr(error, "__notes__", []))
