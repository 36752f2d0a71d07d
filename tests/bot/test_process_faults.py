"""A real process that starts on a bad disk, is stopped at a bad moment, or lacks memory."""

from __future__ import annotations

import asyncio
import re
import resource
import sqlite3
import time
from contextlib import closing
from itertools import product
from pathlib import Path

import pytest

from benchmarks.setup import PATIENCE
from bot.operations.watchdog import STOOD_STILL
from bot.storage.store import SqlStore
from tests.bot.cli.refused import one_sentence
from tests.bot.faulted import THAI, Faulted, run_faulted
from tests.bot.processes import command, outcome_of
from tests.powerloss.shim import Shim, needs_compiler

pytestmark = [pytest.mark.process, pytest.mark.long]
CONFIGURATION = 78  # the exit code after which starting again would not help
TRY_LATER = 75
STOPPED_WITHIN = 8.0  # seconds from SIGTERM to the end
DUE = 6  # tables
MOST_AT_ONCE = 100  # questions a person, until memory lacks
SHORT = ("MemoryError", "can't start new thread", "Cannot allocate memory")


# -- a start --------------------------------------------------------------------------------------


def run(folder: Path, database: Path, **extra: str) -> tuple[int, str]:
    """Run `bluffhouse run` without a Discord; return its exit code and its error.

    The error is one sentence that begins with "bluffhouse: ".
    """
    ended = command(
        folder,
        "run",
        DISCORD_TOKEN="sandbox",
        BLUFFHOUSE_DISCORD__API_URL="http://127.0.0.1:9",
        BLUFFHOUSE_DATABASE__PATH=str(database),
        **extra,
    )
    assert "Traceback" not in ended.stdout + ended.stderr, ended.stderr
    assert len(ended.stderr.split("bluffhouse: ")) == 2, ended.stderr
    return ended.returncode, one_sentence(ended.stderr)


def opens(database: Path) -> bool:
    """Return True if today's code can open the database. Raises the store's error if it can't."""

    async def open_it() -> bool:
        store = await SqlStore.open(f"sqlite:///{database}")
        await store.close()
        return True

    return asyncio.run(open_it())


@pytest.fixture(scope="module")
def database_file(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return the bytes of an empty database with today's schema."""
    file = tmp_path_factory.mktemp("made") / "house.db"
    opens(file)
    return file.read_bytes()


@needs_compiler
@pytest.mark.parametrize(
    ("order", "new", "exits", "says"),
    [
        ("full", True, TRY_LATER, "(No space left|full).*free some room on its disk$"),
        ("full", False, TRY_LATER, "(No space left|full).*free some room on its disk$"),
        ("readonly", False, CONFIGURATION, "Read-only|readonly"),
    ],
    ids=["full, new", "full", "read-only"],
)
def test_a_start_on_a_disk_that_refuses_writes_is_one_sentence(
    tmp_path: Path, database_file: bytes, order: str, new: bool, exits: int, says: str
) -> None:
    shim = Shim(tmp_path / "disk", tmp_path / "aside")
    database = shim.folder / "house.db"
    if not new:
        database.write_bytes(database_file)
    shim.order(order)
    code, output = run(tmp_path, database, **shim.environment(records=False))
    assert code == exits
    assert re.search(says, output), output
    assert new or order == "full" or database.read_bytes() == database_file
    shim.order("")
    assert opens(database)


@pytest.mark.parametrize("damage", ["truncated", "corrupt", "newer"])
def test_a_start_on_a_damaged_or_newer_file_is_one_sentence_and_changes_nothing(
    tmp_path: Path, database_file: bytes, damage: str
) -> None:
    database = tmp_path / "house.db"
    match damage:
        case "truncated":
            database.write_bytes(database_file[: len(database_file) // 2])
        case "corrupt":
            database.write_bytes(database_file[:4096] + b"\xa5" * 4096 + database_file[8192:])
        case _:
            database.write_bytes(database_file)
            with closing(sqlite3.connect(database)) as file:
                file.execute("update alembic_version set version_num = '9999'")
                file.commit()
    before = database.read_bytes()
    code, output = run(tmp_path, database)
    assert code == CONFIGURATION
    assert ("only knows them up to" if damage == "newer" else "is damaged") in output
    assert database.read_bytes() == before


# -- while it runs --------------------------------------------------------------------------------


@pytest.mark.parametrize("fate", ["deleted", "replaced"])
async def test_a_database_that_is_deleted_or_replaced_ends_the_bot_and_put_back_goes_on(
    tmp_path: Path, fate: str
) -> None:
    async with run_faulted(tmp_path, disk=False) as process:
        await process.setup.start()
        await process.setup.begin(THAI)
        await process.move()
        aside = tmp_path / "kept"
        aside.mkdir()
        for file in sorted(process.shim.folder.glob("house.db*")):
            if not file.name.endswith(".lock"):
                file.rename(aside / file.name)
        if fate == "replaced":
            with closing(sqlite3.connect(process.database)) as replacement:
                replacement.execute("create table other (x)")
        bot = process.setup.bot
        assert bot is not None
        act, _, person = await process.choose()
        code = await asyncio.to_thread(bot.wait, PATIENCE)
        assert code == CONFIGURATION
        out = await outcome_of(process.setup, act)
        assert out is None or out.kind == "message", "the move is not taken"
        last_line = process.log.strip().splitlines()[-1]
        assert "was deleted or replaced while it was in use" in " ".join(process.log.split())
        assert "Traceback" not in last_line
        if fate == "replaced":
            return  # what comes next is the same
        for file in aside.iterdir():
            file.rename(process.shim.folder / file.name)
        await process.setup.start()
        assert (await process.setup.turn()).id == person.id
        await process.move()


@needs_compiler
async def test_sigterm_ends_in_time_though_tables_are_due_and_commits_are_slow(
    tmp_path: Path,
) -> None:
    async with run_faulted(tmp_path, BLUFFHOUSE_TABLES__LOBBY_MINUTES="60") as process:
        await process.setup.start()
        host = process.setup.people[0]
        channel = process.setup.channel
        for number in range(DUE):
            await host.open_thread(channel, f"Table {number}")
            thread = await process.setup.world.channel(f"Table {number}")
            await (await host.slash(thread, "play", game=THAI)).settle()
        await process.setup.terminate()
        with closing(sqlite3.connect(process.database)) as file:
            file.execute("update tables set deadline = ?", (int(time.time() * 1000) + 1500,))
            file.commit()
        process.shim.order("")
        process.setup.extra_settings["GRACE_MS"] = "4000"  # then all are due at once
        await process.setup.start()
        process.shim.order("slow 2000")
        async with asyncio.timeout(PATIENCE):
            while open_tables(process) == DUE:  # noqa: ASYNC110 - the first is being closed
                await asyncio.sleep(0.02)
        code, seconds = await process.setup.terminate()
        assert code == 0
        assert seconds < STOPPED_WITHIN
        assert open_tables(process) > 0, "the commits were not slow enough to be in the way"
        process.shim.order("")
        process.setup.extra_settings["GRACE_MS"] = "0"
        await process.setup.start()
        async with asyncio.timeout(PATIENCE):
            while open_tables(process):  # noqa: ASYNC110 - what was left is done now
                await asyncio.sleep(0.02)


def open_tables(process: Faulted) -> int:
    return int(process.query("select count(*) from tables where status != 'closed'")[0][0])


async def test_sigterm_while_discord_is_away_ends_at_once(tmp_path: Path) -> None:
    async with run_faulted(tmp_path, disk=False) as process:
        await process.setup.start()
        process.setup.discord.kill()
        process.setup.discord.wait()
        await process.until_logged("gateway: lost", since=1)  # it waits longer each time
        code, seconds = await process.setup.terminate()
        assert code == 0
        assert seconds < STOPPED_WITHIN


async def test_after_a_lack_of_memory_nothing_is_lost_and_the_match_goes_on(
    tmp_path: Path,
) -> None:
    async with run_faulted(tmp_path, MISSED_BEATS="10") as process:
        await process.setup.start()
        await process.setup.begin(THAI)
        await process.move()
        bot = process.setup.bot
        assert bot is not None
        before, taken = process.actions(), 0
        # below what it has, so that it does not get again what it gives back; and each time more is
        # asked at once, as what it has may do for a question after another
        in_use = int(Path(f"/proc/{bot.pid}/statm").read_text().split()[0]) * resource.getpagesize()
        limits = resource.prlimit(
            bot.pid, resource.RLIMIT_AS, (in_use // 2, resource.RLIM_INFINITY)
        )
        commands = [("help", {"game": THAI}), ("bid", {"hand": "99"})]
        for at_once in range(1, MOST_AT_ONCE):
            acts = [
                asyncio.create_task(person.slash(process.setup.channel, name, **options))
                for person, (name, options) in product(
                    process.setup.people, [("table", {}), *commands * at_once]
                )
            ]
            await asyncio.wait(acts, timeout=4)
            for act in acts:
                out = await outcome_of(process.setup, act)
                if out is not None and out.text.startswith("Bid: "):
                    assert out.interaction_id is not None
                    process.acknowledged.append(out.interaction_id)
                    taken += 1
                # answered, or failed: both may be; but nobody is told that it is their mistake
                assert out is None or "don't know this command" not in out.text
            if bot.poll() is not None or any(words in process.log for words in SHORT):
                break
        else:
            raise AssertionError("the bot never lacked memory")
        if bot.poll() is None:
            resource.prlimit(bot.pid, resource.RLIMIT_AS, limits)
        else:
            await process.setup.start()
        process.check_nothing_lost()
        assert before + taken <= process.actions() <= before + 1  # the second 99 is not higher
        going_on = asyncio.create_task(process.move())
        assert process.setup.bot is not None
        while not going_on.done() and process.setup.bot.poll() is None:
            await asyncio.wait({going_on}, timeout=0.05)
        if not going_on.done():  # the client library had met a thread that could not begin
            assert process.setup.bot.returncode == STOOD_STILL
            going_on.cancel()
            await process.setup.start()
            process.check_nothing_lost()
            going_on = asyncio.create_task(process.move())
        await going_on
        await process.look()
