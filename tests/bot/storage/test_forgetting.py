"""Deleting a person's data from every column of every table and from the bytes of the files."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Column, Table, insert, select, text, update
from structlog.testing import capture_logs

from bot.boards.privacy import WHAT, forgotten_board
from bot.roster import nameless
from bot.storage import personal_data, schema
from bot.storage.backup import copy_database
from bot.storage.personal_data import NAMING, Naming
from bot.storage.privacy import _OWN
from bot.storage.schema import Unreadable
from bot.storage.store import SqlStore
from bot.tables import errors, plans
from bot.tables.model import (
    Change,
    Ending,
    MatchStatus,
    Player,
    PlayerResult,
    Status,
)
from bot.tables.nights import Night
from bot.tables.preferences import SEEN
from tests.bot.storage.asking import transaction
from tests.bot.storage.conftest import both
from tests.bot.storage.moves import (
    CHANNEL,
    GUILD,
    action,
    lobby,
    move,
    next_version,
    playing,
    stored_match,
)
from tests.bot.storage.persons import store_person
from tests.bot.storage.raw_bytes import texts_in_files
from tests.bot.tables.room import FakeClock, Shown, ask, tables_over

ANN, BOB, CLEO = 81_384_788_765_712_384, 1_102_030_405_060_708_090, 90_807_060_504_030_201
NAME = "Annabella Quartermain"
FORMER = nameless(1)
# columns that could hold an id by their type, and do not
NOBODY = {
    "tables": {
        *("id", "guild_id", "status", "variant", "options", "created_at", "updated_at"),
        *("match_id", "message_id", "deadline", "deadline_kind", "turn_since", "turn_ends"),
        *("nudge_id", "nudged", "letter_id", "chain_root", "daily_guild"),
        *("shown", "claimed_by", "claimed_until"),  # versions and processes
    },
    "matches": {"id", "table_id", "variant", "options", "status", "started_at", "ended_at"},
    "actions": {"match_id", "body", "at", "interaction_id"},  # a log knows seats
    "interactions": {"id", "table_id", "at"},
    "round_seeds": {"match_id", "seed"},
    "deliveries": {"match_id", "state"},
    "results": {"match_id"},
    "mistakes": {"match_id", "due_at"},
    "daily_results": {"game", "guild_id", "match_id", "rounds"},
    "registrations": {"application_id", "digest"},  # of commands
    "players": {"name", "choices"},  # go with their row
    "guild_settings": {"guild_id", "game", "options"},
    "listeners": {"channel_id", "guild_id"},
    "digests": {"zone", "due_at"},
    "nights": {
        *("id", "guild_id", "channel_id", "game", "zone", "language", "stage"),
        *("starts_at", "due_at", "message_id", "event_id", "table_id"),
    },
    "night_comers": {"night_id"},
    "reminder_letters": {"reminder", "sent_at"},
    "named_ranges": {"name", "hands"},
    "tellings": {"channel_id", "told_at", "guild_id"},
    "nameless_players": {"number"},
    "departed_guilds": {"guild_id", "noticed_at"},
    "chores": {"name"},
    "record_books": {"guild_id"},
    "seasons": {"guild_id", "name", "started_at"},
    "recorded_matches": {"guild_id", "match_id"},
    "person_records": {
        *("guild_id", "game", "expected", "chances", "boldest_match", "boldest_key"),
        *("boldest_chance", "catch_match", "catch_key", "catch_chance"),
    },
    "pair_records": {"guild_id", "game"},
}
SMALL = ("INTEGER", "BOOLEAN", "DOUBLE", "FLOAT")
LANGUAGE = f"players.choices: {SEEN}"  # among the choices, though nobody chose it
# what tells people that a column about them is stored: words of `WHAT`, of the policy in
# docs/privacy.md, and of the table "Stored data" there
STATED = (
    ("display name", "display name", "display name", ["players.name"]),
    ("`/preferences`", "`/preferences`", "`/preferences`", ["players.choices", "players.hidden"]),
    ("language of your Discord", "your Discord's language", "Discord's language", [LANGUAGE]),
    (
        "direct messages reach you",
        "direct messages reach you",
        "whether direct messages arrive",
        ["players.dm_open"],
    ),
    (
        "the channels you want new-table pings from",
        "the channels where you want to hear of new tables",
        "channels for pings",
        ["listeners.channel_id", "listeners.guild_id"],
    ),
    (
        "the hour and time zone of your daily digest",
        "the hour and time zone of your daily digest",
        "hour and time zone of a daily digest",
        ["digests.minute", "digests.zone", "digests.due_at"],
    ),
    (
        "when they reminded you",
        "when you were last reminded",
        "time of a slow match's reminder by direct message",
        ["reminder_letters.reminder", "reminder_letters.sent_at"],
    ),
    (
        "the game nights you planned or signed up for",
        "the game nights you planned or signed up for",
        "who planned a game night, and who is coming",
        ["night_comers.night_id", "night_comers.place"],
    ),
    (
        "results in deals of the day",
        "results in deals of the day",
        "results in deals of the day",
        [
            *("daily_results.game", "daily_results.day", "daily_results.version"),
            *("daily_results.guild_id", "daily_results.match_id", "daily_results.place"),
            *("daily_results.rounds", "daily_results.boldest"),
        ],
    ),
    (
        "which of your decisions the **Quiz** asks about",
        "which of your decisions the *Quiz* asks about",
        "which of your decisions are asked again",
        [
            *("mistakes.match_id", "mistakes.seq", "mistakes.asked", "mistakes.right"),
            "mistakes.due_at",
        ],
    ),
    (
        "Ranges of hands",
        "ranges of hands you name",
        "ranges of hands, by your names",
        ["named_ranges.name", "named_ranges.hands"],
    ),
)


def test_every_column_is_known_to_name_people_or_not() -> None:
    for table in schema.metadata.sorted_tables:
        known = set(NAMING.get(table.name, ())) | NOBODY.get(table.name, set())
        could = {
            column.name
            for column in table.c
            if str(column.type) not in SMALL or column.foreign_keys or _is_big(column.type)
        }
        missing = could - known
        assert not missing, (
            f"{table.name}: does {missing} name people? If so it belongs into"
            " bot/storage/personal_data.py, otherwise into NOBODY here"
        )
        assert set(NAMING.get(table.name, ())) <= set(table.c.keys())


def test_people_are_told_of_every_column_about_them() -> None:
    page = (Path(__file__).parents[3] / "docs/privacy.md").read_text("utf-8")
    policy = " ".join(line[1:].strip() for line in page.splitlines() if line.startswith(">"))
    section = page.partition("## Stored data")[2].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("|")]
    columns = {
        f"{name}.{column}"
        for name in _OWN
        for column in schema.metadata.tables[name].c.keys() - NAMING[name].keys()
    } | {LANGUAGE}
    stated = [column for *_, names in STATED for column in names]
    missing = sorted(columns - {*stated})
    assert not missing, (
        f"tell people that {missing} is stored: in WHAT (bot/boards/privacy.py), in the policy and"
        " the table of docs/privacy.md, and put the words of all three into STATED here"
    )
    assert sorted(stated) == sorted(columns)
    for app_words, policy_words, row_words, names in STATED:
        assert app_words in WHAT, f"WHAT (bot/boards/privacy.py) must say for {names}: {app_words}"
        assert policy_words in policy, f"docs/privacy.md must say for {names}: {policy_words}"
        assert any(row_words in row for row in rows), (
            f"a row of the table in docs/privacy.md must say for {names}: {row_words}"
        )


def _is_big(kind: Any) -> bool:
    return str(kind) in ("BIGINT",) or "sqlite" in getattr(kind, "_variant_mapping", {})


async def _rows(store: SqlStore, table: Table) -> list[dict[str, Any]]:
    async with transaction(store.database) as connection:
        return [dict(row) for row in (await connection.execute(select(table))).mappings()]


async def whole(store: SqlStore) -> dict[str, list[dict[str, Any]]]:
    """Return every row of every table."""
    return {table.name: await _rows(store, table) for table in schema.metadata.sorted_tables}


def naming(contents: dict[str, list[dict[str, Any]]], *args: str) -> set[tuple[str, str]]:
    """Return the (table, column) pairs in which any of `args` occurs, in any form."""
    return {
        (table, name)
        for table, rows in contents.items()
        for row in rows
        for name, value in row.items()
        if any(text in json.dumps(value, default=str, ensure_ascii=False) for text in args)
    }


async def finish_match(store: SqlStore, **kwargs: Any) -> Any:
    """Store a match that Ann lost to Bob; return its table, which names Ann in many fields."""
    table = await playing(store, players=(ANN, BOB), host_id=ANN, **kwargs)
    await store.tables.note_nudge(table.id, 5, "1.2", (6, ANN))
    results = (PlayerResult(BOB, 1, 3), PlayerResult(ANN, 2, 3))
    over = replace(
        move(table, 2),
        table=next_version(
            table,
            status=Status.FINISHED,
            last_winner=ANN,
            absent={ANN: 2},
            votes={BOB: (ANN,), ANN: (BOB, CLEO)},
            waiting=(ANN, CLEO),
            invited=(ANN,),
        ),
        ending=Ending(MatchStatus.WON, results),
    )
    return await store.tables.commit(over)


async def full_store(store: SqlStore) -> Any:
    """Store Ann's name and id wherever they can be stored; return the finished table."""
    ann = Player(ANN, NAME, dm_open=True, choices={"deck": "two"}, hidden=True)
    for player in (ann, Player(BOB, "Bob"), Player(CLEO, "Cleo")):
        await store_person(store, player)
    table = await finish_match(store)
    await store.servers.note_listener(CHANNEL, ANN, listens=True)
    await store.servers.note_listener(CHANNEL, BOB, listens=True)
    await finish_match(store, channel_id=-ANN, guild_id=0)  # a practice
    night = Night(0, GUILD, CHANNEL, ANN, "thai_poker", 4, 1200, "UTC", True, "en", 9, 8)
    night = await store.nights.add(night)
    await store.nights.change(night.id, lambda night_now: replace(night_now, comers=(BOB, ANN)))
    await _fill_the_rest(store, table)
    return table


async def _fill_the_rest(store: SqlStore, of: Any) -> None:
    """Add rows and values so that every column in `NAMING` names Ann."""
    contents = await whole(store)
    named = naming(contents, str(ANN))
    async with transaction(store.database) as connection:
        for name, columns in NAMING.items():
            table = schema.metadata.tables[name]
            missing = [column for column in columns if (name, column) not in named]
            if missing and name == "tables":
                cut = [{"player": ANN, "text": NAME, "counts_from": 1}]
                await connection.execute(
                    update(table).where(table.c.id == of.id).values({"cuts": cut})
                )
            elif missing:
                row = {column.name: _any_value(column) for column in table.c if not column.nullable}
                row |= {column.name: of.match_id for column in table.c if column.foreign_keys}
                await connection.execute(insert(table).values(row | dict.fromkeys(missing, ANN)))


def _any_value(column: Column[Any]) -> Any:
    return {str: "", int: 7, float: 1.5, bool: False}.get(column.type.python_type)


async def test_the_test_data_name_the_person_in_every_possible_column(store: SqlStore) -> None:
    await full_store(store)
    expected = {(table, name) for table, columns in NAMING.items() for name in columns}
    assert naming(await whole(store), str(ANN)) == expected
    typed = {("tables", "cuts")} & expected
    assert naming(await whole(store), NAME) == {("players", "name")} | typed


@both
async def test_a_person_is_found_in_no_column_of_any_table_afterwards(store: SqlStore) -> None:
    table = await full_store(store)
    forgotten = await store.privacy.forget(ANN)
    assert forgotten is not None
    assert (forgotten.nameless, forgotten.matches, forgotten.practices) == (FORMER, 1, 1)
    assert forgotten.to_redraw == (table.id,)
    contents = await whole(store)
    assert naming(contents, str(ANN), NAME) == set()
    # who has her place is one and the same everywhere, and the others are as they were
    columns_kept = {name for table, name in naming(contents, str(FORMER))}
    assert columns_kept >= {
        "players",
        "player",
        "host_id",
        "last_winner",
        "absent",
        "votes",
        "waiting",
    }
    assert {row["name"] for row in contents["players"]} == {"Bob", "Cleo"}
    assert [row["player_id"] for row in contents["listeners"]] == [BOB]


async def test_the_match_stands_with_a_nameless_player_in_her_place(store: SqlStore) -> None:
    table = await full_store(store)
    before = await stored_match(store, table)
    played = await store.matches.past_matches(before.id, 9)
    await store.privacy.forget(ANN)
    after = await stored_match(store, table)
    assert after == replace(before, players=(FORMER, BOB))
    snapshot = await store.tables.snapshot(table.id)
    assert snapshot is not None
    assert snapshot.table.version == table.version + 1  # a move on what was read before is stale
    assert (snapshot.table.letter_id, snapshot.table.letter_to) == (None, None)
    assert await store.matches.past_matches(before.id, 9) == played
    assert [entry.player for entry in await store.matches.deliveries(before.id, 1)] == [FORMER, BOB]


async def test_the_words_of_a_cut_are_deleted_and_their_digest_stays(store: SqlStore) -> None:
    table = await playing(store, players=(BOB, ANN), host_id=BOB)
    digests = [{"seat": seat, "digest": f"{seat}" * 64} for seat in (0, 1)]
    body = action(2).body | {
        "kind": "deal",
        "cuts": [digest | {"text": NAME} for digest in digests],
    }
    dealt = replace(action(2), body=body)
    over = next_version(table, status=Status.FINISHED)
    stop = Ending(MatchStatus.ABANDONED)
    await store.tables.commit(Change(over, actions=(dealt,), ending=stop))
    await store.privacy.forget(ANN)
    stored_body = (await stored_match(store, table)).actions[1].body
    assert stored_body == body | {
        "cuts": [digests[0] | {"text": NAME}, digests[1] | {"text": None}]
    }


async def test_words_of_a_deal_made_during_the_deletion_are_deleted_too(
    store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await playing(store, players=(BOB, ANN), host_id=BOB)
    body = action(2).body | {
        "kind": "deal",
        "cuts": [{"seat": 1, "digest": "1" * 64, "text": NAME}],
    }
    dealt = replace(action(2), body=body)
    write, first = store.database.write, True

    async def then_played(*args: Any) -> Any:
        nonlocal first
        if first:  # the match goes on, and ends, before the transaction that forgets
            first = False
            over = next_version(table, status=Status.FINISHED)
            ending = Ending(MatchStatus.ABANDONED)
            await store.tables.commit(Change(over, actions=(dealt,), ending=ending))
        return await write(*args)

    monkeypatch.setattr(store.database, "write", then_played)
    await store.privacy.forget(ANN)
    (cut,) = (await stored_match(store, table)).actions[1].body["cuts"]
    assert cut == {"seat": 1, "digest": "1" * 64, "text": None}


async def test_forgetting_again_finds_nothing_and_a_returning_person_is_new(
    store: SqlStore,
) -> None:
    assert await store.privacy.forget(ANN) is None
    await full_store(store)
    await store.privacy.forget(ANN)
    before = await whole(store)
    assert await store.privacy.forget(ANN) is None
    assert await whole(store) == before
    await finish_match(store)
    forgotten = await store.privacy.forget(ANN)
    assert forgotten is not None
    assert forgotten.nameless == nameless(2)
    assert forgotten.matches == 1


@pytest.mark.parametrize("status", [Status.LOBBY, Status.PLAYING])
async def test_nobody_is_forgotten_from_a_seat_at_a_live_table(
    store: SqlStore, status: Status
) -> None:
    await full_store(store)
    tables = tables_over(store, FakeClock(), Shown())
    opened = await tables.open(ask(ANN), GUILD, CHANNEL + 1, "thai_poker")
    joined = await tables.change(opened.table.id, ask(BOB), plans.join)
    if status is Status.PLAYING:  # the match has her, whatever the table says
        dealt = await tables.change(joined.table.id, ask(ANN), plans.start)
        await store.tables.commit(Change(next_version(dealt.table, players=(BOB,))))
    before = await whole(store)
    with pytest.raises(errors.StillSeated) as refused:
        await store.privacy.forget(ANN)
    assert (refused.value.guild, refused.value.channel) == (GUILD, CHANNEL + 1)
    assert await whole(store) == before


DAMAGES: dict[str, list[str]] = {  # by column of the finished table or its match
    "tables.players": ["[{ann},", '{{"seats":[{ann},["{ann}"]]}}', "null"],
    "tables.votes": ["{ann}", '{{"{ann}":'],
    "tables.cuts": ['{{"player":{ann},"text":"' + NAME + '"}}'],
    "matches.players": ["[[{ann}],{bob}]", "[{ann}", "null", "[7]"],
}


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("column", "text_of_it"),
    [(damage, text) for damage, texts in DAMAGES.items() for text in texts],
)
async def test_a_person_is_forgotten_in_damaged_rows_too(
    store: SqlStore, column: str, text_of_it: str
) -> None:
    table = await full_store(store)
    of, name = column.split(".")
    number = table.id if of == "tables" else table.match_id
    value = text_of_it.format(ann=ANN, bob=BOB)
    async with transaction(store.database) as connection:
        await connection.execute(
            text(f"UPDATE {of} SET {name} = :value WHERE id = :number"),
            {"value": value, "number": number},
        )
    forgotten = await store.privacy.forget(ANN)
    assert forgotten is not None
    contents = await whole(store)
    assert naming(contents, str(ANN), NAME) == set()
    (left,) = (row[name] for row in contents[of] if row["id"] == number)
    assert (str(BOB) in str(left)) is (str(BOB) in value)


UNTOLD: dict[str, str] = {  # what becomes of a line of the log: whose words they are is lost
    "no JSON": "body || '{'",
    "a seat that is none": """replace(body, '"seat"\\:0', '"seat"\\:null')""",
    "a seat that is text": """replace(body, '"seat"\\:0', '"seat"\\:"0"')""",
    "no seat": """replace(body, '"seat"', '"x"')""",
}


@pytest.mark.parametrize("damage", UNTOLD.values(), ids=UNTOLD)
async def test_words_in_unreadable_rows_are_reported_to_the_person(
    store: SqlStore, damage: str
) -> None:
    tables = tables_over(store, FakeClock(), Shown())
    opened = await tables.open(ask(ANN), GUILD, CHANNEL, "thai_poker")
    number = opened.table.id
    await tables.change(number, ask(BOB), plans.join)
    await tables.change(number, ask(ANN), plans.cut, NAME)
    match = (await tables.change(number, ask(ANN), plans.start)).table.match_id
    await tables.change(number, ask(ANN), plans.forfeit)
    async with transaction(store.database) as connection:
        log = {"match": match}
        await connection.execute(
            text(f"UPDATE actions SET body = {damage} WHERE match_id = :match AND seq = 1"), log
        )
    with capture_logs() as logged:
        forgotten = await store.privacy.forget(ANN)
    assert forgotten is not None
    assert forgotten.unread == (f"match {match}",)
    (named,) = [line for line in logged if "set aside" in line["event"]]
    assert named["match"] == match
    blocks = str(forgotten_board(forgotten.matches, len(forgotten.unread)).blocks)
    assert "1 table or match is damaged" in blocks
    assert "words you cut the cards with may be left" in blocks


@pytest.mark.parametrize("cut", ['{"text":"%s"}', '{"player":null,"text":"%s"}', '{"player":"%s'])
async def test_words_at_a_table_without_a_known_author_are_reported(
    store: SqlStore, cut: str
) -> None:
    table = await full_store(store)
    async with transaction(store.database) as connection:
        await connection.execute(
            text("UPDATE tables SET cuts = :value WHERE id = :number"),
            {"value": f"[{cut % NAME}]", "number": table.id},
        )
    forgotten = await store.privacy.forget(ANN)
    assert forgotten is not None
    assert forgotten.unread == (f"table {table.id}",)


async def test_a_seat_at_a_damaged_table_does_not_prevent_forgetting(store: SqlStore) -> None:
    tables = tables_over(store, FakeClock(), Shown())
    for channel, players in ((CHANNEL, (ANN, BOB)), (CHANNEL + 1, (BOB, CLEO))):
        opened = await tables.open(ask(players[0]), GUILD, channel, "thai_poker")
        await tables.change(opened.table.id, ask(players[1]), plans.join)
        dealt = await tables.change(opened.table.id, ask(players[0]), plans.start)
        if channel == CHANNEL:
            async with transaction(store.database) as connection:
                match = {"match": dealt.table.match_id}
                await connection.execute(
                    text("UPDATE actions SET body = '{' WHERE match_id = :match"), match
                )
    assert await store.privacy.live_seat(ANN) is None  # she could not leave it
    assert await store.privacy.live_seat(BOB) == (GUILD, CHANNEL + 1)
    assert await store.privacy.forget(ANN) is not None
    with pytest.raises(errors.StillSeated):
        await store.privacy.forget(BOB)


async def test_a_lobby_that_invited_the_person_goes_on_without_them(store: SqlStore) -> None:
    opened = await store.tables.open(
        lobby(players=(BOB,), host_id=BOB, invited=(ANN, CLEO), last_winner=ANN), None
    )
    forgotten = await store.privacy.forget(ANN)
    assert forgotten is not None
    assert forgotten.to_redraw == (opened.id,)
    snapshot = await store.tables.snapshot(opened.id)
    assert snapshot is not None
    assert snapshot.table.invited == (CLEO,)
    assert snapshot.table.last_winner == FORMER
    assert snapshot.table.version == opened.version + 1


async def test_an_id_that_is_part_of_a_longer_one_is_another_person(store: SqlStore) -> None:
    longer = int(f"{ANN}7")
    table = await playing(store, players=(longer, BOB), host_id=longer)
    assert await store.privacy.forget(ANN) is None
    assert (await store.privacy.dossier(ANN)).matches == ()
    assert (await stored_match(store, table)).players == (longer, BOB)


@pytest.mark.thorough
async def test_no_byte_of_the_files_names_the_person_afterwards(tmp_path: Path) -> None:
    """Search pages, free pages, the write-ahead log, and a backup made afterwards."""
    file = tmp_path / "house.db"
    store = await SqlStore.open(f"sqlite:///{file}")
    for _ in range(40):  # rows that move between pages as there come more of them
        await finish_match(store, channel_id=CHANNEL)
    await full_store(store)
    await store_person(store, Player(ANN, NAME + " the Second"))
    assert texts_in_files(file, ANN, NAME) == {"text", "value", "key", NAME}
    await store.privacy.forget(ANN)
    await store.retention.rewrite_if_due()
    assert texts_in_files(file, ANN, NAME) == set()
    copy_database(file, tmp_path / "copy.db")
    assert texts_in_files(tmp_path / "copy.db", ANN, NAME) == set()
    assert texts_in_files(file, BOB, "Bob") == {
        "text",
        "value",
        "key",
        "Bob",
    }  # or nothing is found at all
    await store.close()
    assert texts_in_files(file, ANN, NAME) == set()


async def test_a_large_file_is_rewritten_when_it_is_next_opened(tmp_path: Path) -> None:
    file = tmp_path / "house.db"
    store = await SqlStore.open(f"sqlite:///{file}")
    await full_store(store)
    await store.privacy.forget(ANN)
    assert not await store.retention.rewrite_if_due(largest=1000)
    copy_database(file, tmp_path / "copy.db")
    assert (
        texts_in_files(tmp_path / "copy.db", ANN, NAME) == set()
    )  # backups are rewritten in any case
    await store.close()
    store = await SqlStore.open(f"sqlite:///{file}")
    assert await _rows(store, schema.chores) == []
    assert texts_in_files(file, ANN, NAME) == set()
    await store.close()


async def test_remains_in_free_pages_from_earlier_versions_go_at_the_first_start(
    tmp_path: Path,
) -> None:
    import sqlite3

    file = tmp_path / "house.db"
    store = await SqlStore.open(f"sqlite:///{file}")
    await store.close()
    plain = sqlite3.connect(file)
    plain.execute("PRAGMA secure_delete=OFF")
    plain.execute("INSERT INTO players (id, name) VALUES (?, ?)", (ANN, NAME))
    plain.commit()
    plain.execute("DELETE FROM players")
    plain.execute("INSERT INTO chores (name) VALUES ('rewrite')")  # as the migration does
    plain.commit()
    plain.close()
    assert NAME in texts_in_files(file, ANN, NAME)
    store = await SqlStore.open(f"sqlite:///{file}")
    assert texts_in_files(file, ANN, NAME) == set()
    await store.close()


async def test_deleted_data_is_overwritten_at_once(tmp_path: Path) -> None:
    store = await SqlStore.open(f"sqlite:///{tmp_path / 'house.db'}")
    async with transaction(store.database) as connection:
        assert (await connection.execute(text("PRAGMA secure_delete"))).scalar_one() == 1
    await store.close()


def test_every_form_of_naming_finds_and_replaces_a_person() -> None:
    values: list[tuple[Naming, Any]] = [
        (personal_data.ID, ANN),
        (personal_data.PRACTICE, -ANN),
        (personal_data.IDS, [BOB, ANN]),
        (personal_data.IDS, {str(ANN): 2}),
        (personal_data.IDS, {str(BOB): [ANN], str(ANN): [BOB]}),
        (personal_data.CUTS, [{"player": ANN, "text": NAME}, {"player": BOB, "text": "7"}]),
        # damaged: other shapes, and what is no JSON
        (personal_data.IDS, {"players": [[ANN], {"host": str(ANN)}]}),
        (personal_data.IDS, Unreadable(f"[{ANN},{BOB}")),
        (personal_data.IDS, Unreadable(f"\x01[{ANN},{BOB}".encode())),
        (personal_data.CUTS, {"player": ANN, "text": NAME}),
    ]
    for form, value in values:
        assert ANN in form.named(value), value
        after = form.rename(value, ANN, CLEO)
        assert ANN not in form.named(after), value
        assert NAME not in str(after), value
        assert str(ANN) not in str(after), value
        assert (str(BOB) in str(value)) is (str(BOB) in str(after)), value
