"""Where a commit waits for the disk: on the loop while that is quick, else in the thread."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from bot.storage.sqlite import QUICK, REST, Connection, Pace
from bot.storage.store import SqlStore
from tests.bot.storage.moves import move, playing


def waited(pace: Pace, took: float, *, for_so_long: float) -> tuple[float, int]:
    """How long the loop waits for a disk that always takes so long, and for how many commits.

    Something is committed once in a hundredth of a second.
    """
    now, waits, commits = 0.0, 0.0, 0
    while now < for_so_long:
        now += 0.01
        if pace.is_quick(now):
            pace.took(took, now + took)
            waits += took
            commits += 1
    return waits, commits


def test_a_quick_disk_is_always_waited_for() -> None:
    assert waited(Pace(), QUICK / 2, for_so_long=100)[1] >= 9_999


@pytest.mark.parametrize("took", [0.05, 0.5, 2.0])
def test_a_slow_disk_costs_the_loop_next_to_nothing(took: float) -> None:
    waits, commits = waited(Pace(), took, for_so_long=10_000)
    assert commits >= 2  # it may have become quick: that is looked at again
    assert waits <= 10_000 / REST + took


def test_a_single_slow_commit_is_followed_by_a_rest_and_forgotten() -> None:
    pace = Pace()
    pace.took(0.1, 1.0)
    assert not pace.is_quick(1.0 + REST * 0.1 - 0.1)
    assert pace.is_quick(1.0 + REST * 0.1)
    pace.took(QUICK, 30.0)
    assert pace.is_quick(30.0)


def test_the_loop_does_not_try_a_disk_that_is_very_slow_in_the_thread() -> None:
    pace = Pace()
    pace.took_there(0.03, 1.0)  # the thread may have waited for the interpreter
    assert pace.is_quick(1.0)
    pace.took_there(2.0, 1.0)
    assert not pace.is_quick(400.0)
    assert pace.is_quick(401.0)


def test_one_that_is_a_little_slow_among_quick_ones_changes_nothing() -> None:
    pace = Pace()
    for number in range(160):
        pace.took(QUICK * (4 if number % 16 == 0 else 0.5), number)
        assert pace.is_quick(number)


async def test_commits_are_done_where_the_pace_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await SqlStore.open(f"sqlite:///{tmp_path / 'bluffhouse.db'}")
    table = await playing(store)
    here, end, quick = list[bool](), Connection.commit_now, True

    def noted(self: Connection) -> None:
        here.append(threading.current_thread() is threading.main_thread())
        end(self)

    monkeypatch.setattr(Connection, "commit_now", noted)
    monkeypatch.setattr(Connection, "is_quick", lambda *_: quick)
    for number, quick in enumerate((True, False, True), 2):
        table = await store.commit(move(table, number))
        assert here == [quick]
        here.clear()
    await store.close()
    reopened = await SqlStore.open(f"sqlite:///{tmp_path / 'bluffhouse.db'}")
    snapshot = await reopened.snapshot(table.id)
    assert snapshot is not None
    assert snapshot.match is not None
    assert len(snapshot.match.actions) == 4
    await reopened.close()
