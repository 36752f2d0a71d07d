"""The judge of `make crash` finds each kind of damage, and nothing in a sound file."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import create_engine, insert

from benchmarks.crash import Ledger, judge
from benchmarks.played import Move
from bot.storage import schema
from engine.actions import Deal, to_json
from engine.variants import ruleset

ANN, BOB = 71, 72
MATCH = {
    "id": 1,
    "table_id": 1,
    "variant": "thai_poker",
    "variant_version": ruleset("thai_poker").version,
    "options": {},
    "players": [ANN, BOB],
    "opener": None,
    "status": "playing",
    "started_at": 0,
}
ORDER = tuple(ruleset("thai_poker").deck.cards)
DEAL = to_json(Deal(ORDER, "0" * 64, 1, 0))
OTHER_DEAL = json.dumps(to_json(Deal((ORDER[-1], *ORDER[1:-1], ORDER[0]), "0" * 64, 1, 0)))
BIDS = [(0, "high_card:T"), (1, "high_card:K")]
MOVES = [
    Move(901, ANN, "Start", None, True, True, 0.1),
    Move(902, ANN, "bid", "high_card:T", True, True, 0.1),
    Move(903, BOB, "bid", "high_card:K", True, True, 0.1),
    Move(904, ANN, "bid", "high_card:A", False, False, 3.0),
]
UNANSWERED = "insert into interactions values (904, 1, 0)"
SOUND = [("select 1", {}), (UNANSWERED, {"unanswered_stored": 1})]
DAMAGE = [
    ("delete from actions where seq = 3", {"lost": 1, "rewritten": 1}),
    (
        "insert into actions select 1, 4, 1, body, at, null, 0 from actions where seq = 3",
        {"doubled": 1, "broken": 1},
    ),
    (
        "update actions set body = replace(body, ':K', ':A') where seq = 3",
        {"altered": 1, "rewritten": 1},
    ),
    (
        "update actions set body = replace(body, '\"seat\":1', '\"seat\":0') where seq = 3",
        {"altered": 1, "rewritten": 1, "broken": 1, "doubled": 1},
    ),
    (
        f"update actions set body = '{OTHER_DEAL}' where seq = 1",
        {"rewritten": 1, "changed_cards": 1},
    ),
]
COUNTS = (
    "lost",
    "doubled",
    "altered",
    "rewritten",
    "broken",
    "changed_cards",
    "unanswered_stored",
)


@pytest.fixture(scope="module")
def sound_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with one match: a deal and two bids."""
    file = tmp_path_factory.mktemp("sound") / "house.db"
    engine = create_engine(f"sqlite:///{file}")
    bodies = [DEAL, *({"v": 1, "kind": "bid", "seat": seat, "bid": key} for seat, key in BIDS)]
    rows = [
        {"match_id": 1, "seq": n, "schema": 1, "body": body, "at": 0, "interaction_id": 900 + n}
        for n, body in enumerate(bodies, start=1)
    ]
    with engine.begin() as connection:
        schema.metadata.create_all(connection)
        connection.execute(insert(schema.matches), MATCH)
        connection.execute(insert(schema.actions), rows)
    engine.dispose()
    return file


@pytest.mark.parametrize(("statement", "found"), [*SOUND, *DAMAGE])
def test_each_damage_is_counted_as_what_it_is(
    sound_file: Path, tmp_path: Path, statement: str, found: dict[str, int]
) -> None:
    file = Path(shutil.copy(sound_file, tmp_path))
    ledger = Ledger(file)
    ledger.check_log()
    ledger.looks = list(ledger.dealt().items())
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(statement)
    ledger.check_log()
    verdict = judge(ledger, MOVES)
    assert {name: getattr(verdict, name) for name in COUNTS if getattr(verdict, name)} == found
    assert verdict.clean == ((statement, found) in SOUND)
    assert (verdict.acknowledged, verdict.unanswered, verdict.looks) == (3, 1, 2)
