"""Results of deals of the day: stored when a match ends, read by deal, server and person."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

from sqlalchemy import Select, select
from sqlalchemy.engine import Connection

from bot.storage import schema
from bot.storage.part import Part, reads, upsert
from bot.storage.rows import sound
from bot.tables.model import DailyResult

_D: Final = schema.daily_results.c
_P: Final = schema.players.c


class SqlDailies(Part):
    """Reads people's results in deals of the day."""

    @reads
    def result(self, c: Connection, player: int, game: str, day: int) -> DailyResult | None:
        """Return a person's result in a game's deal of one day (`date.toordinal`), or None."""
        query = select(schema.daily_results).where(_D.player == player)
        return next(iter(self._results(c, query.where(_D.game == game, _D.day == day))), None)

    @reads
    def of_deal(self, c: Connection, game: str, day: int, most: int) -> list[DailyResult]:
        """Return at most `most` results of a deal, from all servers, latest first."""
        query = select(schema.daily_results).where(_D.game == game, _D.day == day)
        return self._results(c, query.order_by(_D.match_id.desc()).limit(most))

    @reads
    def board(self, c: Connection, guild_id: int, since: int) -> list[DailyResult]:
        """Return a server's results since the day `since` (`date.toordinal`), oldest first.

        People who are hidden from leaderboards are left out.
        """
        query = (
            select(schema.daily_results)
            .outerjoin(schema.players, _P.id == _D.player)
            .where(_D.guild_id == guild_id, _D.day >= since, _P.hidden.is_not(True))
            .order_by(_D.day, _D.match_id)
        )
        return self._results(c, query)

    @reads
    def days(self, c: Connection, players: tuple[int, ...]) -> dict[int, list[int]]:
        """Return, for each person, the days (`date.toordinal`) whose deal they finished."""
        query = select(_D.player, _D.day).where(_D.player.in_(players), _D.place.is_not(None))
        days: dict[int, list[int]] = {player: [] for player in players}
        for row in sound(c.execute(query.distinct()), self._set_aside, schema.daily_results):
            days[row.player].append(row.day)
        return days

    def _results(self, c: Connection, query: Select[Any]) -> list[DailyResult]:
        rows = sound(c.execute(query), self._set_aside, schema.daily_results)
        return [DailyResult(**row._mapping) for row in rows]


def note_daily(c: Connection, result: DailyResult) -> None:
    """Store a result, unless the person already has one for that deal."""
    upsert(c, schema.daily_results, [asdict(result)], on_conflict="keep")
