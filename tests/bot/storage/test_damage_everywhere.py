"""A damaged row affects nobody else: every column, every kind of damage, every call of the store.

Columns and public calls are found by introspection. So a new call fails here if it isn't tested or
doesn't expect damage.
"""

from __future__ import annotations

import asyncio
import inspect
import itertools
import json
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

import pytest
from sqlalchemy import Column, text
from sqlalchemy import Table as SqlTable

from bot.services.privacy import export
from bot.stats.folding import EVERY_SEASON, Scope
from bot.storage import schema
from bot.storage.addresses import database_url
from bot.storage.database import Database
from bot.storage.part import Part
from bot.storage.postgres import postgres_session
from bot.storage.repair import as_stored, find_damaged, pages, unsound_rows
from bot.storage.store import SqlStore
from bot.tables import plans
from bot.tables.errors import RefusedError, StoreUnavailable
from bot.tables.model import Change, Delivery, Digest, HoleCards, Mistake
from bot.tables.nights import Night, sign_up
from tests.bot.storage.conftest import BUSY_MS
from tests.bot.storage.damages import Way, damage_column, ways
from tests.bot.storage.homes import Home, furnish, of
from tests.bot.storage.moves import lobby, next_version
from tests.bot.tables import room
from tests.bot.tables.room import FakeClock, Shown, ask, tables_over

FAR: Final = 2**53
ALL: Final = Scope(EVERY_SEASON, "")
# what the test itself does, or what never returns
NOT_ASKED: Final = {"open", "close", "watch"}
# where nothing says in which order rows come
ANY_ORDER: Final = {
    "privacy.dossier",
    "privacy.personal_matches",
    "export",
    "direct_messages.due",
    "nights.due",
}
Call = Callable[[SqlStore, Home], Awaitable[Any]]


async def _personal_matches(store: SqlStore, home: Home) -> Any:
    dossier = await store.privacy.dossier(home.people[0])
    return dossier, await store.privacy.personal_matches(home.people[0], dossier.matches)


async def _rank(store: SqlStore, home: Home) -> Any:
    row = await store.stats.person(home.guild, ALL, home.people[0])
    return None if row is None else await store.stats.rank(home.guild, ALL, row)


async def _change(store: SqlStore, home: Home) -> Any:
    changed = await store.people.change(home.people[0], lambda player: replace(player, name="Anew"))
    return changed.name


async def _purge(store: SqlStore, home: Home) -> int:
    """Delete everything of a server, as housekeeping does; return the number of deleted rows."""
    rows = 0
    while deleted := (await store.retention.purge_guild(home.guild, 20)).rows:
        rows += deleted
    return rows


async def _purged_old(store: SqlStore, home: Home) -> Any:
    while (await store.retention.purge_old(FAR, 20)).rows:
        pass
    return [await store.matches.load(number) for number in home.matches]


async def _digests(store: SqlStore, home: Home) -> list[Digest]:
    return [
        message for message in await store.direct_messages.due(FAR) if message.player in home.people
    ]


async def _nights(store: SqlStore, home: Home) -> list[Night]:
    return [night for night in await store.nights.due(FAR) if night.guild_id == home.guild]


async def _night_added(store: SqlStore, home: Home) -> int:
    night = Night(0, home.guild, 7, 8, "thai_poker", 4, 1200, "UTC", True, "en", 90, 80)
    return (await store.nights.add(night)).guild_id


# In the order in which they are asked: what reads, then what writes, then what deletes.
CALLS: Final[dict[str, Call]] = {
    "tables.version_of": lambda s, h: s.tables.version_of(h.tables[0].id),
    "tables.seats_of": lambda s, h: s.tables.seats_of(h.people[2]),
    "tables.snapshot": lambda s, h: s.tables.snapshot(h.table("playing").id),
    "matches.past_matches": lambda s, h: s.matches.past_matches(h.matches[0], 10),
    "matches.load": lambda s, h: s.matches.load(h.matches[0]),
    "matches.last_ended": lambda s, h: s.matches.last_ended(h.channel(0)),
    "matches.history": lambda s, h: s.matches.history(h.people[0], None, 10),
    "matches.rounds_dealt": lambda s, h: s.matches.rounds_dealt(h.people[0], None, 3),
    "tables.in_channel": lambda s, h: s.tables.in_channel(h.channel(2)),
    "tables.live": lambda s, h: _those(s.tables.live(), h),
    "tables.live_hosted_by": lambda s, h: s.tables.live_hosted_by(h.people[2]),
    "tables.to_announce": lambda s, h: _those(s.tables.to_announce(0), h),
    "tables.live_in_guild": lambda s, h: s.tables.live_in_guild(h.guild),
    "tables.due": lambda s, h: _those(s.tables.due(FAR), h),
    "tables.next_deadline": lambda s, h: s.tables.next_deadline(0),
    "tables.up_to_date": lambda s, h: _those(s.tables.up_to_date(), h),
    "tables.versions": lambda s, h: _those(_first(s.tables.versions()), h),
    "servers.registered_digest": lambda s, h: s.servers.registered_digest(h.application),
    "matches.deliveries": lambda s, h: s.matches.deliveries(h.matches[0], 1),
    "people.player": lambda s, h: s.people.player(h.people[0]),
    "people.players": lambda s, h: s.people.players(h.people),
    "servers.guild_options": lambda s, h: s.servers.guild_options(h.guild, "thai_poker"),
    "servers.listeners": lambda s, h: s.servers.listeners(h.channel(0)),
    "nights.of_guild": lambda s, h: s.nights.of_guild(h.guild),
    "nights.due": _nights,
    "nights.next_deadline": lambda s, h: s.nights.next_deadline(0),
    "named_ranges.of_player": lambda s, h: s.named_ranges.of_player(h.people[0]),
    "direct_messages.digest_of": lambda s, h: s.direct_messages.digest_of(h.people[0]),
    "direct_messages.due": _digests,
    "direct_messages.next_deadline": lambda s, h: s.direct_messages.next_deadline(0),
    "stats.person": lambda s, h: s.stats.person(h.guild, ALL, h.people[0]),
    "stats.rank": _rank,
    "stats.leaderboard": lambda s, h: s.stats.leaderboard(h.guild, ALL, 0, 10),
    "stats.on_leaderboard": lambda s, h: s.stats.on_leaderboard(h.guild, ALL),
    "stats.rivals": lambda s, h: s.stats.rivals(h.guild, ALL, h.people[0]),
    "stats.seasons": lambda s, h: s.stats.seasons(h.guild),
    "stats.rules_of": lambda s, h: s.stats.rules_of(tuple(h.matches)),
    "daily.result": lambda s, h: s.daily.result(h.people[0], "thai_poker", h.day),
    "daily.of_deal": lambda s, h: s.daily.of_deal("thai_poker", h.day, 9),
    "daily.board": lambda s, h: s.daily.board(h.guild, 0),
    "daily.days": lambda s, h: s.daily.days(h.people),
    "mistakes.due": lambda s, h: s.mistakes.due(h.people[0], FAR),
    "mistakes.find": lambda s, h: s.mistakes.find(h.people[0], h.matches[0], 2),
    "mistakes.next_at": lambda s, h: s.mistakes.next_at(h.people[0]),
    "mistakes.not_looked_through": lambda s, h: s.mistakes.not_looked_through(h.people[0], 9),
    "rebuilding.outdated_guilds": lambda s, h: _those(s.rebuilding.outdated_guilds(), h),
    "rebuilding.servers_with_matches": lambda s, h: _those(s.rebuilding.servers_with_matches(), h),
    "privacy.dossier": lambda s, h: s.privacy.dossier(h.people[0]),
    "privacy.personal_matches": _personal_matches,
    "privacy.live_seat": lambda s, h: s.privacy.live_seat(h.people[2]),
    "retention.live_tables_of": lambda s, h: s.retention.live_tables_of(h.guild),
    "retention.stored_guilds": lambda s, h: _those(s.retention.stored_guilds(), h),
    "retention.departed_guilds": lambda s, h: _those(s.retention.departed_guilds(), h),
    "why_not_writing": lambda s, h: s.why_not_writing(),
    "tables.notify": lambda s, h: s.tables.notify(h.tables[0].id, h.guild),
    "tables.note_shown": lambda s, h: s.tables.note_shown([(h.tables[0].id, 1)]),
    "servers.note_registered": lambda s, h: s.servers.note_registered(h.application, "another"),
    "tables.note_message": lambda s, h: s.tables.note_message(h.table("playing").id, 5, 1),
    "tables.note_nudge": lambda s, h: s.tables.note_nudge(h.table("playing").id, 6, "1.2"),
    "matches.note_delivery": lambda s, h: s.matches.note_delivery(
        HoleCards(h.matches[2], 1, 0, h.people[2]), Delivery.SENT
    ),
    "people.change": _change,
    "servers.note_guild_options": lambda s, h: s.servers.note_guild_options(
        h.guild, "liars_poker", {"a": 1}
    ),
    "servers.note_listener": lambda s, h: s.servers.note_listener(
        h.channel(5), h.people[0], listens=True
    ),
    "servers.may_notify": lambda s, h: s.servers.may_notify(h.channel(0), FAR, 1000),
    "nights.add": _night_added,
    "nights.change": lambda s, h: s.nights.change(h.nights[0], partial(sign_up, player=5)),
    "direct_messages.keep_digest": lambda s, h: s.direct_messages.keep_digest(
        h.people[1], Digest(h.people[1], 60, "UTC", 40)
    ),
    "direct_messages.put_off": lambda s, h: s.direct_messages.put_off(
        Digest(h.people[0], 480, "Europe/Warsaw", 50), 60
    ),
    "direct_messages.may_remind": lambda s, h: s.direct_messages.may_remind(
        h.people[0], "another", 2, 2, 1000
    ),
    "named_ranges.keep": lambda s, h: s.named_ranges.keep(h.people[1], "btn", "QQ+", 9),
    "stats.begin_season": lambda s, h: s.stats.begin_season(h.guild, 2, "The third", 9),
    "mistakes.note_looked_through": lambda s, h: s.mistakes.note_looked_through(
        h.people[0], h.matches[1], [2], 1
    ),
    "mistakes.note_answered": lambda s, h: s.mistakes.note_answered(
        Mistake(h.people[0], h.matches[0], 2, 0, 0, 1),
        Mistake(h.people[0], h.matches[0], 2, 1, 1, 9),
    ),
    "tables.postpone": lambda s, h: s.tables.postpone(
        [next_version(h.table("lobby"), deadline=FAR)]
    ),
    "tables.open": lambda s, h: s.tables.open(
        lobby(guild_id=h.guild, channel_id=h.channel(7), players=(h.people[3],)), None
    ),
    "tables.commit": lambda s, h: s.tables.commit(
        Change(next_version(next_version(h.table("lobby")), waiting=(h.people[3],)))
    ),
    "named_ranges.drop": lambda s, h: s.named_ranges.drop(h.people[0], "btn"),
    "rebuilding.rebuild": lambda s, h: s.rebuilding.rebuild([h.guild]),
    "retention.note_departed": lambda s, h: s.retention.note_departed([h.gone, h.guild], 11),
    "retention.note_returned": lambda s, h: s.retention.note_returned([h.guild]),
    "privacy.forget": lambda s, h: s.privacy.forget(h.people[0]),
    "retention.rewrite_if_due": lambda s, h: s.retention.rewrite_if_due(),
    "retention.purge_old": _purged_old,
    "retention.purge_guild": _purge,
}


async def _those(values: Awaitable[Any], home: Home) -> Any:
    return of(home, sorted(await values, key=str))


async def _first(pairs: Awaitable[list[tuple[int, int]]]) -> list[int]:
    return [number for number, _ in await pairs]


# what rooms above the store ask of it, over the same rows
async def _export(store: SqlStore, home: Home) -> Any:
    return json.loads(await export(store.privacy, home.people[0]))


async def _after_a_start(store: SqlStore, home: Home) -> Any:
    """Do what a start does, then end the match under way.

    Return the tables that were granted time, their matches, and the status of the ended table.
    """
    clock = FakeClock()
    tables = tables_over(store, clock, Shown())
    granted = of(home, await tables.runtime.grant_time(1))
    await tables.maybe_unannounced()
    matches = [(await tables.see(live.id)).match for live in granted]
    for number in home.matches[:2]:
        table = home.tables[home.matches.index(number)]
        await tables.highlights_of(table.id, number)
        await tables.deal_of(table.id, number, 1)
        await tables.round_of(table.id, number, 1)
    number = home.table("playing").id
    over = await tables.change(
        number, ask(home.people[2], interaction=50_000 + home.number), plans.forfeit
    )
    return granted, matches, over.table.status


OUTSIDE_TABLES: Final[dict[str, Call]] = {"export": _export, "a start": _after_a_start}
WRITING: Final = list(CALLS).index("tables.notify")
ASKED: Final = {
    **dict(list(CALLS.items())[:WRITING]),
    **OUTSIDE_TABLES,
    **dict(list(CALLS.items())[WRITING:]),
}


async def test_every_public_call_of_the_store_is_tested(store: SqlStore) -> None:
    parts = {f"{name}.": part for name, part in vars(store).items() if isinstance(part, Part)}
    calls = {
        f"{name}{call}"
        for name, part in ({"": store} | parts).items()
        for call, _ in inspect.getmembers(type(part), inspect.isfunction)
        if not call.startswith("_")
    }
    assert calls - NOT_ASKED == set(CALLS), (
        "ask a new call in CALLS here, where it belongs in their order; if it must read an index,"
        " in tests/bot/storage/test_plans.py too"
    )


@dataclass
class StoreCopies:
    """A filled database, copies of it to damage, and its answers without damage (`before`)."""

    address: str
    homes: tuple[Home, Home]
    folder: Path
    copies: int = 0
    before: dict[str, Any] = field(default_factory=dict)

    @asynccontextmanager
    async def copy(self) -> AsyncIterator[str]:
        """Yield the address of a new copy.

        An SQLite copy is deleted when the block ends, a PostgreSQL copy when the next is made.
        """
        if self.address.startswith("sqlite"):
            self.copies += 1
            file = self.folder / f"copy{self.copies}.db"
            shutil.copy(self.folder / "house.db", file)
            yield f"sqlite:///{file}"
            for left in self.folder.glob(f"{file.name}*"):
                left.unlink()
            return
        await _on_server(self.address, "DROP DATABASE IF EXISTS copy WITH (FORCE)")
        await _on_server(self.address, "CREATE DATABASE copy TEMPLATE house")
        yield self.address.replace("/postgres?", "/copy?")


async def _on_server(address: str, sql: str) -> None:
    database = Database(database_url(address))
    engine = postgres_session(database.direct, BUSY_MS)
    async with engine.connect() as connection:
        await connection.execution_options(isolation_level="AUTOCOMMIT")
        await connection.execute(text(sql))
    await engine.dispose()


async def _fill_store(engine: str, folder: Path, request: pytest.FixtureRequest) -> StoreCopies:
    if engine == "sqlite":
        address = filled = f"sqlite:///{folder / 'house.db'}"
    else:
        address = request.getfixturevalue("postgres")
        await _on_server(address, "DROP DATABASE IF EXISTS house WITH (FORCE)")
        await _on_server(address, "CREATE DATABASE house")
        filled = address.replace("/postgres?", "/house?")
    store = await SqlStore.open(filled, busy_ms=BUSY_MS)
    homes = await furnish(store)
    await store.close()
    return StoreCopies(address, homes, folder)


@pytest.fixture(scope="module")
def store_copies(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> StoreCopies:
    return asyncio.run(_fill_store(request.param, tmp_path_factory.mktemp("house"), request))


async def answers_and_rows(store_copies: StoreCopies) -> list[Any]:
    """Return all answers about both servers, and all rows.

    The rows are read twice: before the final deletions and after them.
    """
    calls, ends = list(ASKED.items()), list(ASKED).index("retention.purge_old")
    answers: list[Any] = []
    async with store_copies.copy() as address:
        store = await SqlStore.open(address, busy_ms=BUSY_MS)
        for some in (calls[:ends], calls[ends:]):
            for home in store_copies.homes:
                for name, call in some:
                    answer = repr(await call(store, home))
                    if name in ANY_ORDER:
                        answer = " ".join(sorted(answer.split()))
                    answers.append((home.number, name, answer))
            for table in schema.metadata.sorted_tables:
                async for rows in pages(store.database.read, table):
                    answers += [(table.name, repr(as_stored(table, row))) for row in rows]
        await store.close()
    return answers


@pytest.mark.thorough
@pytest.mark.postgres
async def test_both_engines_answer_and_store_the_same(
    tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_engine = []
    for engine in ("sqlite", "postgres"):  # with the same seeds
        monkeypatch.setattr(room, "interactions", itertools.count(1000))
        store_copies = await _fill_store(engine, tmp_path, request)
        monkeypatch.setattr(room, "interactions", itertools.count(9000))
        by_engine.append(await answers_and_rows(store_copies))
    for first, second in zip(*by_engine, strict=True):
        assert first == second


async def ask_everything(
    store: SqlStore, store_copies: StoreCopies
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return two dicts with every call's answer or exception, by the call's name.

    The first is about the undamaged server, the second about the damaged one. Calls that delete for
    good come last, as they delete from both servers.
    """
    sound, damaged_home = store_copies.homes
    ends = list(ASKED).index("retention.purge_old")
    theirs: dict[str, Any] = {}
    own_answers: dict[str, Any] = {}
    for home, answers, names in (
        (sound, theirs, list(ASKED)[:ends]),
        (damaged_home, own_answers, list(ASKED)),
        (sound, theirs, list(ASKED)[ends:]),
    ):
        for name in names:
            try:
                answers[name] = await ASKED[name](store, home)
            except Exception as error:
                answers[name] = error
    return theirs, own_answers


def unexplained_errors(answers: dict[str, Any]) -> dict[str, Any]:
    """Return the errors that don't say what is damaged, by the names of the calls."""
    return {
        name: repr(answer)
        for name, answer in answers.items()
        if isinstance(answer, Exception)
        and (isinstance(answer, StoreUnavailable) or not isinstance(answer, RefusedError))
    }


async def before(store_copies: StoreCopies) -> dict[str, Any]:
    """Return what each of the store's calls answers about the first server, without damage."""
    if not store_copies.before:
        async with store_copies.copy() as address:
            store = await SqlStore.open(address, busy_ms=BUSY_MS)
            store_copies.before, damaged_before = await ask_everything(store, store_copies)
            await store.close()
        assert unexplained_errors(store_copies.before) == unexplained_errors(damaged_before) == {}
    return store_copies.before


# of tables, some of which are damaged at once; those of one match are in different ones of nine
GROUPS: Final = {"sqlite": 9, "postgres": 1}
SOME: Final = {"sqlite": 2, "postgres": 1}  # damages of each table, where not all are tried
Case = tuple[Column[Any], Way]


def _cases(table: SqlTable, engine: str, *, every: bool) -> list[Case]:
    """Return which columns of a table to damage, and how: all cases if `every`, else a few."""
    cases = [(column, way) for column in table.c for way in ways(column, sqlite=engine == "sqlite")]
    if every:
        return cases
    number = list(schema.metadata.sorted_tables).index(table)
    step = max(1, len(cases) // SOME[engine])
    return cases[number % step :: step][: SOME[engine]]


@pytest.mark.parametrize(
    ("store_copies", "group"),
    [
        *(("sqlite", group) for group in range(GROUPS["sqlite"])),
        pytest.param("postgres", 0, marks=pytest.mark.postgres),
    ],
    indirect=["store_copies"],
)
@pytest.mark.thorough
@pytest.mark.long
async def test_one_damaged_row_stops_nobody_else(
    store_copies: StoreCopies, group: int, request: pytest.FixtureRequest
) -> None:
    """Damage some columns of each table in copies of a store, and make every call.

    In each copy one column of every table of a group is damaged; on PostgreSQL, which enforces
    column types, there is one group. With `--long` every column is damaged in every way, each in
    its own copy.
    """
    expected = await before(store_copies)
    engine = "sqlite" if store_copies.address.startswith("sqlite") else "postgres"
    every = bool(request.config.getoption("--long"))
    tables = list(schema.metadata.sorted_tables)[group :: GROUPS[engine]]
    of_each = [_cases(table, engine, every=every) for table in tables]
    at_once = (
        [(case,) for cases in of_each for case in cases]
        if every
        else [tuple(case for case in some if case) for some in zip_longest(*of_each)]
    )
    wrong: list[Any] = []
    tried: set[SqlTable] = set()
    for some in at_once:
        async with store_copies.copy() as address:
            where = "; ".join(
                f"{column.table.name}.{column.name}, {way.name}" for column, way in some
            )
            damaged_tables, problems = await _damage(store_copies, address, some, expected)
            tried |= damaged_tables
            wrong += [(where, *problem) for problem in problems]
    assert wrong == []
    # a table that is a rowid alone cannot be damaged so
    assert engine == "postgres" or tried >= {*tables} - {schema.nameless_players}


async def _damage(
    store_copies: StoreCopies, address: str, cases: Sequence[Case], expected: dict[str, Any]
) -> tuple[set[SqlTable], list[tuple[str, Any]]]:
    """Damage columns of the second server, then make every call about both servers.

    Return the tables in which the engine accepted damage, and the wrong answers.
    """
    database = Database(database_url(address))
    try:
        hit = [
            (column, way)
            for column, way in cases
            if await damage_column(database, column, way, store_copies.homes[1])
        ]
        if not hit:
            return set(), []
        looked = await find_damaged(database)
        named = {
            (unsound.table, name)
            for unsound in await unsound_rows(database)
            for name in unsound.columns
        }
    finally:
        await database.close()
    wrong: list[tuple[str, Any]] = [
        (f"{column.table.name}.{column.name} is not named by doctor", named)
        for column, way in hit
        if way.is_noticed and not looked.damaged and (column.table.name, column.name) not in named
    ]
    store = await SqlStore.open(address, busy_ms=BUSY_MS)
    try:
        theirs, own_answers = await ask_everything(store, store_copies)
    finally:
        await store.close()
    wrong += [
        (f"{call} of the others is otherwise", answer)
        for call, answer in theirs.items()
        if repr(answer) != repr(expected[call])
    ]
    wrong += [
        (f"{call} does not say what is damaged", answer)
        for call, answer in unexplained_errors(own_answers).items()
    ]
    return {column.table for column, _ in hit}, wrong
