"""A database outage is logged once, and again when it ends."""

from __future__ import annotations

import asyncio
import ctypes
import logging
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot.settings.config import Settings
from bot.storage import NotAnswering, NotReached
from bot.storage.database import Outage, quieten
from bot.storage.doctor import examine
from bot.storage.store import SqlStore, open_with_retry
from bot.tables.errors import StoreUnavailable


def test_an_outage_is_a_line_at_its_start_one_a_minute_and_one_at_its_end() -> None:
    at = [0.0]
    outage = Outage("writing", lambda: at[0])
    with capture_logs() as log:
        outage.note_success()
        for at[0] in (0.0, 1.0, 59.0, 60.0, 61.0):
            outage.note_failure(StoreUnavailable("database is locked"))
        at[0] = 90.0
        outage.note_success()
        outage.note_success()
        outage.note_failure(StoreUnavailable("again"))
    assert [(line["log_level"], line["failed"]) for line in log] == [
        ("error", 1),
        ("error", 4),
        ("info", 5),
        ("error", 1),
    ]
    assert log[2]["seconds"] == 90.0


async def test_a_locked_file_is_in_the_log_from_the_first_refused_move(tmp_path: Path) -> None:
    file = tmp_path / "house.db"
    store = await SqlStore.open(f"sqlite:///{file}", busy_ms=1)
    try:
        with capture_logs() as log:
            with closing(sqlite3.connect(file, isolation_level=None)) as program:
                program.execute("BEGIN IMMEDIATE")
                for _ in range(2):
                    with pytest.raises(StoreUnavailable):
                        await store.servers.note_listener(1, 2, listens=True)
                    assert await store.servers.listeners(1) == []  # read all the while
                with pytest.raises(StoreUnavailable):
                    await store.servers.note_listener(1, 2, listens=True)
            await store.servers.note_listener(1, 2, listens=True)
        assert [line["log_level"] for line in log] == ["error", "info"]
        assert "locked" in log[0]["error"]
    finally:
        await store.close()


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _Capabilities(ctypes.Structure):
    _fields_ = (("words", ctypes.c_uint32 * 6),)  # effective, permitted, inheritable; once more


@contextmanager
def as_anybody() -> Iterator[None]:
    """Apply file permissions to root too, until the block ends (see capabilities(7)).

    The permissions apply in this thread and in threads that it starts. Becoming
    another user would need rights that root doesn't have in every container.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    header, capabilities = (
        _Header(0x20080522, 0),
        _Capabilities(),
    )  # version 3, the thread that asks
    assert libc.capget(ctypes.byref(header), ctypes.byref(capabilities)) == 0
    without = _Capabilities.from_buffer_copy(capabilities)
    without.words[0] = 0  # of those in force the lower 32, all about files among them
    assert libc.capset(ctypes.byref(header), ctypes.byref(without)) == 0
    try:
        yield
    finally:
        assert libc.capset(ctypes.byref(header), ctypes.byref(capabilities)) == 0


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """Yield a folder that its owner, even root, may read but not write."""
    closed = tmp_path / "closed"
    closed.mkdir()
    closed.chmod(0o500)
    with as_anybody():
        yield closed
    closed.chmod(0o700)


async def test_the_doctor_names_paths_that_cannot_be_written(folder: Path) -> None:
    configured = Settings.model_validate({"database": {"path": folder / "data" / "house.db"}})
    findings = await examine(configured, None)
    (finding,) = [each for each in findings if each.subject == "rights"]
    assert not finding.well
    assert finding.text.startswith(f"{folder} cannot be written")


async def test_a_file_that_may_only_be_read_is_refused_at_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "house.db"
    await (await SqlStore.open(f"sqlite:///{file}")).close()
    await (await SqlStore.open(f"sqlite:///{file}")).close()
    # its owner, who may open it to themselves again, stands for another user's
    monkeypatch.setattr("bot.storage.database.make_own", lambda _: None)
    file.chmod(stat.S_IRUSR)
    with as_anybody(), pytest.raises(NotReached, match="readonly"):
        await SqlStore.open(f"sqlite:///{file}")


async def test_postgresql_that_is_not_there_is_waited_for_and_then_given_up() -> None:
    nowhere = "postgresql://bluffhouse@127.0.0.1:9/bluffhouse"
    with capture_logs() as log, pytest.raises(NotAnswering):
        await open_with_retry(nowhere, within=0.2)
    assert log
    assert all("not there" in line["event"] for line in log)


@pytest.mark.postgres
async def test_a_wrong_name_is_not_waited_for(postgres: str) -> None:
    wrong = postgres.replace("/postgres?", "/nothing_of_that_name?")
    with pytest.raises(NotReached, match="nothing_of_that_name") as refused:
        await open_with_retry(wrong, within=60.0)
    assert not isinstance(refused.value, NotAnswering)


async def test_a_connection_that_nobody_waited_for_leaves_no_error_in_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    quieten()
    quieten()
    for text in ("unexpected connection_lost() call", "something else"):
        left = asyncio.get_running_loop().create_future()
        left.set_exception(ConnectionError(text))
        del left  # is said as it goes
    errors = [record.exc_info for record in caplog.records if record.levelno == logging.ERROR]
    assert [str(error[1]) for error in errors if error] == ["something else"]
