"""The measurements of `make soak`: the event loop's lag, and stored moves compared with answers."""

from __future__ import annotations

import asyncio
import io
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from sqlalchemy import create_engine, insert

from benchmarks.groups import Act
from benchmarks.pulse import TICK, Pulse, lags, tasks
from benchmarks.setup import PATIENCE, environment
from benchmarks.stored import faults
from bot.from_settings import TABLES_PER_GUILD
from bot.storage import schema
from engine.actions import Deal, to_json
from engine.variants import ruleset

RULES = ruleset("thai_poker")
MATCH = {
    "id": 1,
    "table_id": 1,
    "variant": "thai_poker",
    "variant_version": RULES.version,
    "options": {},
    "players": [71, 72],
    "opener": None,
    "status": "playing",
    "started_at": 0,
}
BIDS = ("high_card:T", "high_card:K")


def act_of(number: int, kind: str, bid: str | None = None, *, acknowledged: bool = True) -> Act:
    return Act(number, 71, kind, bid, acknowledged, True, 0.1)


MOVES = [
    act_of(901, "Start"),
    act_of(902, "bid", BIDS[0]),
    act_of(903, "bid", BIDS[1]),
    act_of(904, "bid", "high_card:A", acknowledged=False),
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a database with one match: a deal and two bids."""
    engine = create_engine(f"sqlite:///{tmp_path / 'house.db'}")
    bodies = [to_json(Deal(tuple(RULES.deck.cards), "0" * 64, 1, 0))]
    bodies += [{"v": 1, "kind": "bid", "seat": seat, "bid": bid} for seat, bid in enumerate(BIDS)]
    with engine.begin() as connection:
        schema.metadata.create_all(connection)
        connection.execute(insert(schema.matches), MATCH)
        for seq, body in enumerate(bodies, 1):
            row = {"match_id": 1, "seq": seq, "schema": 1, "body": body, "at": 0}
            connection.execute(insert(schema.actions), row | {"interaction_id": 900 + seq})
    engine.dispose()
    return tmp_path / "house.db"


def test_a_database_that_agrees_with_the_answers_has_no_fault(file: Path) -> None:
    assert faults(file, MOVES) == []


def test_a_promised_answer_is_the_table_or_a_sentence_that_it_came_too_late(file: Path) -> None:
    promise = replace(act_of(905, "bid", "high_card:A", acknowledged=False), promised=True)
    assert faults(file, [*MOVES, promise], {905}) == []
    assert ["not stored" in sentence for sentence in faults(file, [*MOVES, promise])] == [True]
    promised_move = replace(act_of(903, "bid", BIDS[1], acknowledged=False), promised=True)
    assert faults(file, [promised_move]) == []


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        ("delete from actions where seq = 3", "not stored"),
        (
            "update actions set body = replace(body, ':K', ':A') where seq = 3",
            "otherwise than made",
        ),
        ("update actions set body = replace(body, '\"seat\":1', '\"seat\":0')", "breaks a rule"),
        (
            "insert into actions select 1, 4, 1, body, at, null, 0 from actions where seq = 3",
            "breaks a rule",
        ),
    ],
)
def test_each_fault_of_a_file_is_found(file: Path, damage: str, words: str) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(damage)
    sentences = faults(file, MOVES)
    assert any(words in sentence for sentence in sentences), sentences


class Loop:
    """An event loop whose time a test sets."""

    now = 0.0

    def __init__(self) -> None:
        self.due: tuple[float, Callable[..., None], tuple[Any, ...]] | None = None

    def time(self) -> float:
        return self.now

    def call_soon(self, act: Callable[..., None], *args: Any) -> None:
        self.due = self.now, act, args

    def call_at(self, when: float, act: Callable[..., None], *args: Any) -> None:
        self.due = when, act, args

    def run(self, until: float) -> float:
        """Make the pending call at the time `until`, in seconds; return when the next is due."""
        assert self.due is not None
        _, act, args = self.due
        self.now = until
        act(*args)
        return self.due[0]


def test_a_standstill_counts_for_every_measurement_due_in_it(tmp_path: Path) -> None:
    loop, noted = Loop(), io.BytesIO()
    Pulse(cast(asyncio.AbstractEventLoop, loop), noted)
    assert loop.run(0.001) == pytest.approx(TICK)
    assert loop.run(4 * TICK + 0.001) == pytest.approx(5 * TICK)
    file = tmp_path / "pulse"
    file.write_bytes(noted.getvalue() + b"cut")  # killed while it wrote
    expected = [0.001, 3 * TICK + 0.001, 2 * TICK + 0.001, TICK + 0.001, 0.001]
    assert lags(file, 0.0, 1.0) == pytest.approx(expected)
    assert lags(file, TICK / 2, 2.5 * TICK) == pytest.approx(expected[1:3])
    assert lags(file, 1.0, 2.0) == []


async def test_tasks_are_counted_by_the_loop_itself(tmp_path: Path) -> None:
    file = tmp_path / "pulse"
    waiting = [asyncio.create_task(asyncio.Event().wait()) for _ in range(3)]
    with file.open("wb", buffering=0) as noted:
        assert tasks(file) == 0
        pulse = Pulse(asyncio.get_running_loop(), noted)
        while not tasks(file):  # noqa: ASYNC110 - its only sign
            await asyncio.sleep(0)
        assert tasks(file) == len(asyncio.all_tasks()) == 4
        pulse.stop()
    for task in waiting:
        task.cancel()


@pytest.mark.process
def test_more_tables_than_one_server_takes_are_opened_and_played() -> None:
    options = ("--tables", str(TABLES_PER_GUILD + 1), "--minutes", "0.02", "--rate", "5")
    run = subprocess.run(
        [sys.executable, "-m", "benchmarks.soak", *options],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert f"{TABLES_PER_GUILD + 1} tables: ready" in run.stdout
    assert run.stdout.splitlines()[-2].endswith("; 0 faults")
