"""The quiz about a player's own mistakes: the decisions to ask about, and the matches searched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

from sqlalchemy import Select, desc, exists, func, select, update
from sqlalchemy.engine import Connection

from bot.storage import schema
from bot.storage.part import Part, reads, upsert, writes
from bot.storage.rows import sound
from bot.tables.model import Mistake

_X: Final = schema.mistakes.c
_R: Final = schema.results.c
_D: Final = schema.daily_results.c
_LOOKED: Final = 0  # stored as a decision's number: the match has been searched


class SqlMistakes(Part):
    """Stores players' costly decisions for the quiz."""

    @reads
    def due(self, c: Connection, player: int, now: int) -> Mistake | None:
        """Return the decision to ask a person about at `now` (ms); None if none is due."""
        query = select(schema.mistakes).where(_X.player == player, _X.due_at <= now)
        return self._first(c, query.order_by(_X.due_at, _X.match_id.desc(), _X.seq).limit(1))

    @reads
    def find(self, c: Connection, player: int, match_id: int, seq: int) -> Mistake | None:
        """Return a person's stored decision by its match and action number (`seq`), or None."""
        query = select(schema.mistakes).where(
            _X.player == player, _X.match_id == match_id, _X.seq == seq, _X.seq != _LOOKED
        )
        return self._first(c, query)

    def _first(self, c: Connection, query: Select[Any]) -> Mistake | None:
        rows = sound(c.execute(query), self._set_aside, schema.mistakes)
        return Mistake(**rows[0]._mapping) if rows else None

    @reads
    def next_at(self, c: Connection, player: int) -> int | None:
        """Return when (ms) a person's next decision is due; None if no decision is left."""
        query = select(func.min(_X.due_at)).where(_X.player == player)
        due_at: int | None = c.execute(query).scalar_one()
        return due_at

    @reads
    def not_looked_through(self, c: Connection, player: int, most: int) -> list[int]:
        """Return which of a person's latest `most` matches haven't been searched, latest first."""
        latest = (
            select(_R.match_id)
            .where(_R.player == player)
            .union(  # a deal of the day ends when its player is out, and has no stored results
                select(_D.match_id)
                .join(schema.matches, schema.matches.c.id == _D.match_id)
                .where(_D.player == player, _D.place.is_not(None))
            )
            .order_by(desc("match_id"))
            .limit(most)
            .subquery()
            .c.match_id
        )
        looked = exists().where(_X.player == player, _X.match_id == latest, _X.seq == _LOOKED)
        return list(c.execute(select(latest).where(~looked).order_by(latest.desc())).scalars())

    @writes
    def note_looked_through(
        self, c: Connection, player: int, match_id: int, seqs: Sequence[int], now: int
    ) -> None:
        """Mark a match as searched, and add the decisions found in it to its player's quiz.

        `seqs`: the decisions' action numbers. New decisions are due at `now` (ms). Decisions
        already in the quiz don't change.
        """
        rows = [Mistake(player, match_id, _LOOKED, 0, 0, None)]
        rows += [Mistake(player, match_id, seq, 0, 0, now) for seq in seqs]
        upsert(c, schema.mistakes, [asdict(row) for row in rows], on_conflict="keep")

    @writes
    def note_answered(self, c: Connection, before: Mistake, after: Mistake) -> bool:
        """Store `after`, unless the decision was answered since `before` was read.

        Return whether `after` was stored.
        """
        answered = (
            update(schema.mistakes)
            .where(
                _X.player == after.player,
                _X.match_id == after.match_id,
                _X.seq == after.seq,
                _X.asked == before.asked,
            )
            .values({"asked": after.asked, "right": after.right, "due_at": after.due_at})
        )
        return c.execute(answered).rowcount == 1
