"""What is asked while people play and look back finds its rows by an index."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sqlalchemy import event
from sqlalchemy.engine import Engine

from bot.stats.folding import Scope
from bot.storage.store import SqlStore
from bot.tables import moderation, plans
from tests.bot.tables.room import ANN, BOB, CLEO, FakeClock, Room, Shown, ask, tables_over

GUILD, CHANNEL = 1, 2
# a look at every live table, or at every server, is not one at every table or match there ever was
SMALL = re.compile(r"live_table|departed_guilds|record_books|alembic_version|json_each|CONSTANT")
# what the house does by itself now and then may take its time
ASKED_BY_NOBODY = ("alembic_version",)


@contextmanager
def executed() -> Iterator[set[str]]:
    """Every statement that is executed meanwhile, in SQLite's words."""
    found: set[str] = set()

    def note(_: object, __: object, statement: str, *___: object) -> None:
        found.add(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        event.remove(Engine, "before_cursor_execute", note)


async def played_to_the_end(room: Room) -> int:
    """A match with bids, a challenge and a forfeit; its number."""
    table_id = await room.match(ANN, BOB, channel=CHANNEL)
    await room.tables.change(table_id, ask(await room.turn(table_id)), plans.bid, "pair:9")
    await room.tables.change(table_id, ask(await room.turn(table_id)), plans.challenge)
    await room.tables.change(table_id, ask(ANN), plans.next_round)
    await room.tables.runtime.note_shown(table_id, 77, 3)
    await room.tables.runtime.note_nudge(table_id, 78, "turn", None)
    await room.tables.change(table_id, ask(BOB), plans.forfeit)
    match_id = (await room.table(table_id)).match_id
    assert match_id is not None
    return match_id


async def looked_back_at(store: SqlStore, match_id: int) -> None:
    """Everything that people ask about matches that are over, and about each other.

    What **My data…** shows is left out: it is looked for wherever people are named, on purpose.
    """
    await store.matches.history(ANN, None, 10)
    await store.matches.history(ANN, match_id + 1, 10)
    await store.matches.rounds_dealt(ANN, None, 3)
    await store.matches.rounds_dealt(CLEO, match_id + 1, 3)
    await store.matches.played(match_id, 5)
    await store.matches.kept(match_id)
    await store.matches.last_ended(CHANNEL)
    await store.matches.deliveries(match_id, 1)
    for scope in (Scope(), Scope(season=1)):
        row = await store.stats.person(GUILD, scope, ANN)
        assert row is not None
        await store.stats.rank(GUILD, scope, row)
        await store.stats.leaderboard(GUILD, scope, 0, 10)
        await store.stats.on_leaderboard(GUILD, scope)
        await store.stats.rivals(GUILD, scope, ANN)
    await store.stats.seasons(GUILD)
    await store.stats.rules_of((match_id,))
    await store.people.players((ANN, BOB))
    await store.privacy.kept_of(ANN, [match_id])
    await store.retention.live_tables_of(GUILD)
    await store.tables.live_hosted_by(ANN)
    await store.tables.seats_of(ANN)
    await store.tables.version_of(1)


async def test_no_statement_of_an_evening_reads_a_whole_table(tmp_path: Path) -> None:
    file = tmp_path / "house.db"
    store = await SqlStore.open(f"sqlite:///{file}")
    clock = FakeClock()
    room = Room(store, clock, Shown(), tables_over(store, clock, Shown()), tmp_path)
    try:
        with executed() as statements:
            await looked_back_at(store, await played_to_the_end(room))
            again = await room.lobby(ANN, BOB, CLEO, channel=3)
            await room.tables.runtime.grant_time(20_000)
            await room.tables.change(again, ask(ANN), moderation.end)
        looked = {one for one in statements if one.split()[0] in {"SELECT", "UPDATE", "DELETE"}}
        assert len(looked) > 30
        whole = {}
        for statement in looked:
            if any(name in statement for name in ASKED_BY_NOBODY):
                continue
            with closing(sqlite3.connect(file)) as connection:
                values = (1,) * statement.count("?")
                rows = connection.execute(f"EXPLAIN QUERY PLAN {statement}", values)
                steps = [str(row[-1]) for row in rows]
            scans = [step for step in steps if step.startswith("SCAN") and not SMALL.search(step)]
            if scans:
                whole[statement] = scans
        assert whole == {}
    finally:
        await store.close()
