"""One damaged table is set aside and named, all others go on, and a repair rebuilds it."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot.discord.errors import sentence
from bot.storage.repair import Looked, find_damaged, repair
from bot.tables import errors, plans
from bot.tables.history import Archive
from bot.tables.model import KeptMatch, Player
from bot.tables.scheduler import DeadlineClock
from tests.bot.storage.persons import noted
from tests.bot.tables.room import ANN, BOB, CLEO, LIMITS, Room, Shown, ask, tables_over

DAMAGES = [
    "UPDATE tables SET players = '[1' WHERE id = :table",
    "UPDATE tables SET players = '{}' WHERE id = :table",
    "UPDATE tables SET players = '[' || printf('%.100000c', '[') WHERE id = :table",
    "UPDATE tables SET options = 'null' WHERE id = :table",
    "UPDATE tables SET options = json_set(options, '$.turn_seconds', 'long') WHERE id = :table",
    f"UPDATE tables SET options = json_set(options, '$.turn_seconds', {10**17}) WHERE id = :table",
    "UPDATE tables SET absent = '{\"ann\":1}' WHERE id = :table",
    "UPDATE tables SET votes = '[]' WHERE id = :table",
    "UPDATE tables SET version = 'two' WHERE id = :table",
    "UPDATE tables SET turn_since = 'noon', votes = 'x' WHERE id = :table",
    "UPDATE tables SET host_id = 'ann', created_at = '' WHERE id = :table",
    "UPDATE matches SET players = '[1' WHERE table_id = :table",
    "UPDATE matches SET options = '' WHERE table_id = :table",
    "UPDATE matches SET status = 'lost' WHERE table_id = :table",
]
LOST = [
    "UPDATE actions SET body = '{' WHERE seq = 1 AND match_id = (SELECT match_id FROM tables"
    " WHERE id = :table)",
    "DELETE FROM actions WHERE seq = 1 AND match_id = (SELECT match_id FROM tables"
    " WHERE id = :table)",
    "UPDATE matches SET variant = 'bridge' WHERE table_id = :table",
]


def damage(file: Path, statement: str, table: int) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        assert connection.execute(statement, {"table": table}).rowcount


@pytest.mark.parametrize("statement", DAMAGES + LOST)
async def test_a_damaged_table_is_named_once_and_all_others_go_on(
    room: Room, statement: str
) -> None:
    bad = await room.match(ANN, BOB)
    await room.tables.change(bad, ask(await room.turn(bad)), plans.bid, "pair:9")
    good = await room.match(ANN, CLEO, channel=3)
    damage(room.store_file, statement, bad)
    with capture_logs() as logged:
        tables = tables_over(room.store, room.clock, Shown())  # as after a start
        resumed = []
        for found in await tables.runtime.grant_time(1):
            with suppress(errors.Damaged):
                resumed.append((await tables.see(found.id)).table.id)
        assert resumed == [good]
        room.clock.at += 3_600_000
        clock = DeadlineClock(tables, room.store.tables, room.clock)
        assert await clock._serve() > 0
        assert await clock._serve() > 5.0  # nothing is tried again and again
        assert (await tables.see(good)).table.absent  # its clock ran out
        with pytest.raises(errors.Damaged):
            await tables.in_channel(2)
        await tables.change(good, ask(CLEO), plans.forfeit)
    (named,) = [line for line in logged if "set aside" in line["event"]]
    assert (named["table"], named["log_level"]) == (bad, "error")
    assert "bluffhouse store repair" in named["mend"]
    assert not [line for line in logged if line["log_level"] == "error" and line is not named]


async def test_people_and_servers_whose_choices_are_damaged_have_made_none(room: Room) -> None:
    await noted(room.store, Player(ANN, "Ann", True, {"colours": "four"}))
    await room.store.servers.note_guild_options(1, "thai_poker", {"pings": "never"})
    with closing(sqlite3.connect(room.store_file)) as connection, connection:
        connection.execute("UPDATE players SET choices = '{'")
        connection.execute("UPDATE guild_settings SET options = '[]'")
    assert await room.store.people.player(ANN) == Player(ANN, "Ann", True)
    assert await room.store.servers.guild_options(1, "thai_poker") == {}


# -- repair ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("statement", DAMAGES)
async def test_a_repair_rebuilds_a_table_from_its_match_and_its_log(
    room: Room, statement: str
) -> None:
    bad = await room.match(ANN, BOB)
    await room.tables.change(bad, ask(await room.turn(bad)), plans.bid, "pair:9")
    before = await room.tables.see(bad)
    damage(room.store_file, statement, bad)
    ((found, _),) = (await find_damaged(room.store.database)).damaged
    assert found == bad
    said = await repair(room.store.database, bad, LIMITS)
    assert said == f"table {bad} was rebuilt; its match stands at action 2"
    assert await find_damaged(room.store.database) == Looked(1, ())
    after = await room.another().see(bad)
    assert after.match == before.match
    assert after.table.players == (ANN, BOB)
    assert after.table.host_id == ANN
    assert after.table.deadline is not None
    await room.another().change(bad, ask(await room.turn(bad)), plans.challenge)


@pytest.mark.parametrize("statement", LOST)
async def test_a_repair_closes_a_table_whose_log_is_lost_and_deletes_nothing(
    room: Room, statement: str
) -> None:
    bad = await room.match(ANN, BOB)
    await room.tables.change(bad, ask(await room.turn(bad)), plans.bid, "pair:9")
    damage(room.store_file, statement, bad)
    with closing(sqlite3.connect(room.store_file)) as connection:
        before = connection.execute("SELECT * FROM actions").fetchall()
    said = await repair(room.store.database, bad, LIMITS)
    assert said.startswith(f"table {bad} was closed, without a winner: its log cannot be replayed")
    assert await find_damaged(room.store.database) == Looked(0, ())
    with closing(sqlite3.connect(room.store_file)) as connection:
        assert connection.execute("SELECT * FROM actions").fetchall() == before
        ended = connection.execute("SELECT status, ended_at FROM matches").fetchone()
        assert connection.execute("SELECT * FROM results").fetchall() == []
    assert ended[0] == "abandoned"
    assert ended[1] is not None
    await room.lobby(CLEO, BOB)  # the channel is free


async def test_a_repair_closes_a_lobby_that_does_not_say_who_sits_in_it(room: Room) -> None:
    bad = await room.lobby(ANN, BOB)
    damage(room.store_file, DAMAGES[0], bad)
    said = await repair(room.store.database, bad, LIMITS)
    assert said == f"table {bad} was closed: nothing says who sat at it"
    await room.lobby(CLEO, BOB)


async def test_a_repair_keeps_a_lobby_of_which_less_is_damaged(room: Room) -> None:
    bad = await room.lobby(ANN, BOB)
    damage(room.store_file, "UPDATE tables SET waiting = '', options = '' WHERE id = :table", bad)
    assert await repair(room.store.database, bad, LIMITS) == (
        f"table {bad} was rebuilt; it has not begun to play"
    )
    live = await room.another().change(bad, ask(ANN), plans.start)
    assert live.table.players == (ANN, BOB)


async def test_a_table_whose_match_old_age_has_taken_is_not_damaged(room: Room) -> None:
    table = await room.match(ANN, BOB)
    await room.tables.change(table, ask(ANN), plans.forfeit)
    room.clock.at += 86_400_000
    done = await room.store.retention.purge_old(room.clock.at, 1)  # the table goes in a later part
    assert done.rows == 1
    assert await find_damaged(room.store.database) == Looked(1, ())


async def test_matches_that_cannot_be_read_take_no_place_in_a_list(room: Room) -> None:
    over = []
    for _ in range(4):
        table = await room.match(ANN, BOB)
        await room.tables.change(table, ask(ANN), plans.forfeit)
        over.append((await room.table(table)).match_id)
    with closing(sqlite3.connect(room.store_file)) as connection, connection:
        connection.execute("UPDATE matches SET players = '[' WHERE id = ?", (over[2],))
    with capture_logs() as logged:
        found = [line.match_id for line in await room.store.matches.history(ANN, None, 3)]
        assert found == [over[3], over[1], over[0]]
        assert [line.match_id for line in await room.store.matches.history(BOB, over[3], 1)] == [
            over[1]
        ]
    (named,) = [line for line in logged if line["log_level"] == "error"]
    assert (named["match"], named["found"]) == (
        over[2],
        "cannot be read in a row of matches: players",
    )


async def test_a_match_that_looks_back_on_a_damaged_log_says_which(room: Room) -> None:
    table = await room.match(ANN, BOB)
    await room.tables.change(table, ask(ANN), plans.forfeit)
    match = (await room.table(table)).match_id or 0
    damage(room.store_file, "UPDATE actions SET body = '{' WHERE match_id = :table", match)
    with pytest.raises(errors.Damaged) as refused:
        await Archive(room.store).match(match, _anybody)
    assert sentence(refused.value).startswith(f"Match {match} is damaged in the database")
    with pytest.raises(errors.Damaged):
        await room.another().story_of(table, match)


async def _anybody(kept: KeptMatch) -> bool:
    return True
