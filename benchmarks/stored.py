"""Check that a database file holds the acknowledged moves, without the bot's storage code."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Sequence
from contextlib import closing
from pathlib import Path

from benchmarks.groups import Act
from engine.actions import from_json
from engine.errors import EngineError
from engine.play import apply, start
from engine.variants import ruleset

AT_A_TABLE = ("bid", "Challenge", "Next round")


def faults(file: Path, moves: Sequence[Act], refused: Collection[int] = ()) -> list[str]:
    """Return the faults of the file, as sentences: moves lost or changed, logs that break a rule.

    `refused` are the interaction ids of deferred moves that were refused as too late. A move that
    is stored twice breaks a rule too, since no player acts twice in a row.
    """
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
        actions = connection.execute(
            "select match_id, seq, body, interaction_id from actions order by match_id, seq"
        ).fetchall()
        matches = connection.execute(
            "select id, variant, variant_version, options, players, opener from matches"
        ).fetchall()
    sentences: list[str] = []
    stored = {row[3]: json.loads(row[2]) for row in actions if row[3] is not None}
    for move in moves:
        promise_kept = move.promised and move.interaction_id not in refused
        if (move.acknowledged or promise_kept) and move.kind in AT_A_TABLE:
            body = stored.get(move.interaction_id)
            if body is None:
                sentences.append(f"a move that was answered is not stored: {move}")
            elif move.bid is not None and body.get("bid") != move.bid:
                sentences.append(f"a bid is stored otherwise than made: {move}")
    logs: dict[int, list[str]] = {}
    for match, _, body, _ in actions:
        logs.setdefault(match, []).append(body)
    for number, variant, version, options, players, opener in matches:
        try:
            state = start(
                ruleset(variant, json.loads(options), version), json.loads(players), opener
            )
            for body in logs.get(number, ()):
                state = apply(state, from_json(json.loads(body)))
        except EngineError as error:
            sentences.append(f"match {number} breaks a rule: {error!r}")
    return sentences
