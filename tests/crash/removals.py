"""A kept house of an old schema moves to today's, and the bot is killed while it does."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.reading import TURN
from bot.sandbox.errors import CannotDo, InteractionFailed
from bot.storage.migrate import known_revisions
from tests.crash.house import House, NotUp, house
from tests.crash.logs import faults_in
from tests.crash.plan import Kill
from tests.fixtures.house import PLAYERS

Logged = list[tuple[int, int, str]]


@dataclass
class Moved:
    """What came of it."""

    kills: int = 0
    reached: Counter[str] = field(default_factory=Counter)
    failed: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


async def migrated(folder: Path, fixture: Path, kills: list[Kill]) -> Moved:
    """Kill the bot at points of a migration, then have it done, and a move by an old button."""
    done = Moved()
    async with house(folder, fixture) as here:
        before = _log(here.database)
        for kill in kills:
            for passing in dict.fromkeys((kill.passing, 1)):
                put_back = _kept(here.database)
                if await _killed(here, Kill(kill.point, passing), done):
                    break
                put_back()  # it has not so many statements, and is migrated now
            if _log(here.database) != before:
                done.failed.append(f"{fixture.name}: the log is another after {kill.point}")
        try:
            here.begin()
            await here.until_ready()
            await _goes_on(here, fixture, before, done)
            here.terminate()
            code = await here.until_ended()
            if code:
                done.failed.append(f"{fixture.name}: SIGTERM ended it by {code}")
        except NotUp as failure:
            done.failed.append(f"{fixture.name}: {failure}")
        done.faults += faults_in(here.log)
    return done


def _kept(database: Path) -> Callable[[], None]:
    """What makes the database as it is now again."""
    aside = database.with_name("aside.db")
    aside.unlink(missing_ok=True)
    with closing(sqlite3.connect(database)) as file, closing(sqlite3.connect(aside)) as copy:
        file.backup(copy)

    def put_back() -> None:
        for beside in ("-wal", "-shm"):
            database.with_name(database.name + beside).unlink(missing_ok=True)
        aside.replace(database)

    return put_back


async def _killed(here: House, kill: Kill, done: Moved) -> bool:
    here.begin(kill.point, kill.passing)
    try:
        await here.until_ready()
    except NotUp as failure:
        done.failed.append(str(failure))
    here.kill()
    done.kills += 1
    done.faults += faults_in(here.log)
    if here.at_point:
        done.reached[kill.point or ""] += 1
    return here.at_point


def _log(database: Path) -> Logged:
    with closing(sqlite3.connect(database)) as file:
        found = file.execute("pragma integrity_check").fetchone()[0]
        assert found == "ok", f"{database}: {found}"
        return file.execute("select match_id, seq, body from actions order by 1, 2").fetchall()


async def _goes_on(here: House, fixture: Path, before: Logged, done: Moved) -> None:
    """Today's code has today's schema, the same log, and takes a move from a message of then."""
    with closing(sqlite3.connect(f"file:{here.database}?mode=ro", uri=True)) as file:
        revision = file.execute("select version_num from alembic_version").fetchone()[0]
    if revision != known_revisions()[-1]:
        done.failed.append(f"{fixture.name} has schema {revision} after its migration")
    people = [await here.world.person(name) for name in PLAYERS]
    seen = await people[0].visible(await here.world.channel("poker-night"))
    table = next(one for one in reversed(seen) if TURN.search(one.text))
    turn = TURN.search(table.text)
    person = next(one for one in people if turn is not None and one.id == turn[1])
    select = table.select()
    try:
        value = str(select["options"][0]["value"])
        out = await person.forge(table, str(select["custom_id"]), [value])
    except (CannotDo, InteractionFailed) as error:
        done.failed.append(f"{fixture.name}: a move by an old button: {error!r}")
        return
    after = [row for row in _live_log(here.database) if row[:2] not in {one[:2] for one in before}]
    kept = [row for row in _live_log(here.database) if row[:2] in {one[:2] for one in before}]
    if kept != before or len(after) != 1 or value not in after[0][2]:
        done.failed.append(f"{fixture.name}: after {out.text[:80]!r} the log has {after}")


def _live_log(database: Path) -> Logged:
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as file:
        return file.execute("select match_id, seq, body from actions order by 1, 2").fetchall()
