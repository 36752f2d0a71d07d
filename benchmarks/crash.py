"""Kill the real bot at random moments while people play, then look for what it lost.

    python benchmarks/crash.py [--kills 100] [--tables 8] [--seed 1]     (or `make crash KILLS=100`)

The local Discord, the bot and the people are three processes that talk over real sockets. The
people play until a SIGKILL ends the bot, some of them with a click under way; a fifth of the kills
fall while it starts, the first ones while it makes its database. Afterwards the SQLite file is read
without the bot's storage code and held against what the people were told. Exit code 1 if anything
acknowledged is lost, doubled or altered. What the counts mean: docs/reliability.md.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.played import Move, PlayedTable, table_in_thread
from benchmarks.premises import Premises, premises
from benchmarks.reading import NATURAL, ROUND
from bot.sandbox.errors import CannotDo, InteractionFailed
from bot.tables.house import game_options
from engine.actions import Deal, from_json
from engine.errors import EngineError
from engine.play import apply, start
from engine.state import Match
from engine.variants import ruleset

PLAYERS = 3
UP_SECONDS = 0.8  # a kill comes at most so long after the bot is ready
START_SECONDS = 0.8  # or, while it starts, at most so long after its process began
IN_START = 0.2  # the part of the kills that falls while it starts
PAUSE_SECONDS = 0.03  # the longest pause between two moves at a table

Key = tuple[int, int]  # match and seq
Dealt = tuple[int, int, int]  # match, round and player
Row = tuple[int, int, str, int | None]  # match, seq, body and interaction


@dataclass
class Ledger:
    """What was told to people, and what the file held after each kill."""

    file: Path
    rows: dict[Key, Row] = field(default_factory=dict)
    rewritten: int = 0
    looks: list[tuple[Dealt, frozenset[str]]] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)

    def read(self, query: str) -> list[tuple]:  # type: ignore[type-arg]
        """What a query finds; nothing before there is a database."""
        with suppress(sqlite3.OperationalError), closing(sqlite3.connect(self.file)) as connection:
            return connection.execute(query).fetchall()
        return []

    def check_log(self) -> None:
        """Count the actions that were in the log before and now are gone or different."""
        found = self.read("select match_id, seq, body, interaction_id from actions")
        now: dict[Key, Row] = {(row[0], row[1]): row for row in found}
        self.rewritten += sum(now.get(key) != row for key, row in self.rows.items())
        self.rows = now

    def match_in(self, channel: str) -> int | None:
        """The match of the channel's table."""
        query = (
            f"select match_id from tables where channel_id = {int(channel)} and status != 'closed'"
        )
        found = self.read(query)
        return found[0][0] if found else None

    def dealt(self) -> dict[Dealt, frozenset[str]]:
        """Everybody's hole cards by the log. A match whose log breaks a rule goes to `broken`."""
        hands: dict[Dealt, frozenset[str]] = {}
        matches = self.read(
            "select id, variant, variant_version, options, players, opener from matches"
        )
        for match_id, variant, version, options, players, opener in matches:
            chosen = game_options(json.loads(options))
            match = start(ruleset(variant, chosen, version), json.loads(players), opener)
            try:
                self._deal_out(match_id, match, hands)
            except EngineError as error:
                self.broken.append(f"match {match_id}: {error!r}")
        return hands

    def _deal_out(self, match_id: int, match: Match, hands: dict[Dealt, frozenset[str]]) -> None:
        """Add the cards of each round of a match to `hands`. Raises EngineError."""
        for _, row in sorted(item for item in self.rows.items() if item[0][0] == match_id):
            action = from_json(json.loads(row[2]))
            match = apply(match, action)[0]
            if isinstance(action, Deal) and match.round is not None:
                for seat, hand in zip(match.seats, match.round.hands, strict=True):
                    cards = frozenset(card.symbol for card in hand)
                    hands[match_id, match.round.number, seat.player] = cards


@dataclass
class Verdict:
    """The counts of the table that is printed."""

    acknowledged: int
    unanswered: int
    unanswered_stored: int
    lost: int
    doubled: int
    altered: int
    rewritten: int
    broken: int
    looks: int
    changed_cards: int

    @property
    def clean(self) -> bool:
        """Whether nothing promised was broken."""
        counts = (self.lost, self.doubled, self.altered, self.rewritten, self.broken)
        return not any(counts) and not self.changed_cards


def judge(ledger: Ledger, moves: list[Move]) -> Verdict:
    """Hold the stored log against what people were told."""
    stored = [row for row in ledger.rows.values() if row[3] is not None]
    times = Counter(row[3] for row in stored)
    times.update(row[0] for row in ledger.read("select id from interactions"))
    told = {move.interaction_id: move for move in moves}
    seats = {
        one: json.loads(names) for one, names in ledger.read("select id, players from matches")
    }
    acknowledged = [move for move in moves if move.acknowledged]
    unanswered = [move for move in moves if not move.answered]
    hands = ledger.dealt()
    return Verdict(
        acknowledged=len(acknowledged),
        unanswered=len(unanswered),
        unanswered_stored=sum(times[move.interaction_id] > 0 for move in unanswered),
        lost=sum(times[move.interaction_id] == 0 for move in acknowledged),
        doubled=sum(number - 1 for number in times.values())
        + sum(number not in told for number in times)
        + _in_a_row(ledger),
        altered=sum(_altered(row, told, seats) for row in stored),
        rewritten=ledger.rewritten,
        broken=len(ledger.broken),
        looks=len(ledger.looks),
        changed_cards=sum(hands.get(dealt) != cards for dealt, cards in ledger.looks),
    )


def _in_a_row(ledger: Ledger) -> int:
    """How often the log has a seat act, or the dealer deal, twice running."""
    twice, last = 0, None
    for (match_id, _), row in sorted(ledger.rows.items()):
        body = json.loads(row[2])
        actor = (match_id, body.get("seat"))
        twice += actor == last
        last = actor
    return twice


def _altered(row: Row, told: dict[int, Move], seats: dict[int, list[int]]) -> bool:
    """Whether an action is not the one that its person made."""
    body, move = json.loads(row[2]), told.get(row[3] or 0)
    if move is None or body["kind"] == "deal":
        return move is not None and move.kind not in ("Start", "Next round")
    kind = {"bid": "bid", "challenge": "Check"}.get(body["kind"])
    player = seats[row[0]][body["seat"]]
    return (kind, player, body.get("bid")) != (move.kind, move.player, move.bid)


@dataclass
class Evening:
    """The tables, and whether there is a bot to play with."""

    here: Premises
    ledger: Ledger
    chance: Random
    tables: list[PlayedTable] = field(default_factory=list)
    up: asyncio.Event = field(default_factory=asyncio.Event)
    looking: list[asyncio.Task[None]] = field(default_factory=list)
    over: bool = False

    async def play(self, table: PlayedTable) -> None:
        """Keep playing while the bot is up."""
        while True:
            await self.up.wait()
            if self.over:
                return
            await table.step()
            await asyncio.sleep(self.chance.random() * PAUSE_SECONDS)

    async def look(self, table: PlayedTable) -> None:
        """Everybody at the table looks at their cards."""
        message = await table.shown()
        if message is None or "My seat" not in message.buttons:
            return
        for person in table.people:
            if not self.up.is_set():
                return
            with suppress(CannotDo, InteractionFailed):
                match_id = self.ledger.match_in(table.channel)
                out = await person.click(message, "My seat")
                number, cards = ROUND.search(out.text), frozenset(NATURAL.findall(out.text))
                same = match_id == self.ledger.match_in(table.channel)  # no other one meanwhile
                if number is not None and match_id is not None and same and cards:
                    dealt = (match_id, int(number[0].split()[1]), int(person.id))
                    self.ledger.looks.append((dealt, cards))

    async def killed_in_start(self) -> None:
        """Start the bot and kill it before it is ready, or just then."""
        starting = asyncio.create_task(self.here.start())
        await asyncio.sleep(self.chance.random() * START_SECONDS)
        starting.cancel()
        with suppress(asyncio.CancelledError):
            await starting
        self.here.kill()
        self.ledger.check_log()

    async def killed_in_play(self) -> float:
        """Start the bot, look at the cards, play, kill; how many seconds the start took."""
        seconds = await self.here.start()
        self.up.set()
        self.looking += [asyncio.create_task(self.look(table)) for table in self.tables]
        await asyncio.sleep(self.chance.random() * UP_SECONDS)
        self.up.clear()
        self.here.kill()
        self.ledger.check_log()
        return seconds


async def evening(folder: Path, kills: int, tables: int, chance: Random) -> tuple[Verdict, str]:
    """The whole run: what was found, and a line on how it went."""
    begun, starts = time.monotonic(), []
    async with premises(folder, PLAYERS) as here:
        here.more = {"BLUFFHOUSE_TABLES__LOBBY_MINUTES": "0"}
        this = Evening(here, Ledger(folder / "house.db"), chance)
        early = max(1, kills // 20)
        for _ in range(early):
            await this.killed_in_start()
        for number in range(tables):
            people = [await here.world.person(f"Player {number}-{n}") for n in range(PLAYERS)]
            table = await table_in_thread(here.world, people, f"Table {number}", chance)
            this.tables.append(table)
        playing = [asyncio.create_task(this.play(table)) for table in this.tables]
        for _ in range(kills - early):
            if chance.random() < IN_START:
                await this.killed_in_start()
            else:
                starts.append(await this.killed_in_play())
        await here.start()
        this.up.set()
        await asyncio.gather(*(this.look(table) for table in this.tables))
        this.over = True
        await asyncio.gather(*playing, *this.looking)
        code, _ = await here.terminate()
        this.ledger.check_log()
        verdict = judge(this.ledger, [move for table in this.tables for move in table.moves])
        middle = f"{sorted(starts)[len(starts) // 2]:.2f} s" if starts else "not measured"
        took = f"{time.monotonic() - begun:.0f} s; start to ready, median {middle}"
        return verdict, f"{kills} kills in {took}; last exit code {code}"


def main() -> int:
    """Run it and print what was found."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--kills", type=int, default=100, help="how often the bot is killed")
    parser.add_argument("--tables", type=int, default=8, help="tables played at once")
    parser.add_argument("--seed", type=int, default=1, help="of the moves and the moments")
    given = parser.parse_args()
    if given.kills < 1 or given.tables < 1:
        parser.error("expected at least one kill and one table, such as --kills 20 --tables 8")
    with tempfile.TemporaryDirectory() as folder:
        run = evening(Path(folder), given.kills, given.tables, Random(given.seed))
        verdict, line = asyncio.run(run)
    print(line)
    print(f"{verdict.acknowledged:8,} moves acknowledged")
    print(f"{verdict.lost:8,}   of these lost")
    print(f"{verdict.unanswered:8,} moves not answered (their click met a kill)")
    print(f"{verdict.unanswered_stored:8,}   of these stored all the same")
    print(f"{verdict.doubled:8,} actions doubled")
    print(f"{verdict.altered:8,} actions stored otherwise than made")
    print(f"{verdict.rewritten:8,} stored actions gone or rewritten later")
    print(f"{verdict.broken:8,} matches whose log breaks a rule")
    print(f"{verdict.looks:8,} looks at one's cards")
    print(f"{verdict.changed_cards:8,}   of these at other cards than the log deals")
    return 0 if verdict.clean else 1


if __name__ == "__main__":
    sys.exit(main())
