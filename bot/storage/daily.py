"""How people fared in deals of the day: stored when a match ends, read by deal, server, person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

from sqlalchemy import bindparam, select
from sqlalchemy.engine import Connection, Row

from bot.storage import schema
from bot.storage.part import Part, reads, upsert_many
from bot.storage.rows import sound
from bot.tables.model import DailyResult

_D: Final = schema.daily_results.c
_P: Final = schema.players.c
_OF_PERSON: Final = select(schema.daily_results).where(
    _D.player == bindparam("player"), _D.game == bindparam("game"), _D.day == bindparam("day")
)
_OF_DEAL: Final = (
    select(schema.daily_results)
    .where(_D.game == bindparam("game"), _D.day == bindparam("day"))
    .order_by(_D.match_id.desc())
    .limit(bindparam("most"))
)
_HERE: Final = (
    select(schema.daily_results)
    .outerjoin(schema.players, _P.id == _D.player)
    .where(_D.guild_id == bindparam("guild"), _D.day >= bindparam("since"), _P.hidden.is_not(True))
    .order_by(_D.day, _D.match_id)
)
_DAYS: Final = (
    select(_D.player, _D.day)
    .where(_D.player.in_(bindparam("players", expanding=True)), _D.place.is_not(None))
    .distinct()
)


class SqlDailies(Part):
    """Deals of the day: `bot.tables.ports.DailyStore`."""

    @reads
    def result(self, c: Connection, player: int, game: str, day: int) -> DailyResult | None:
        asked = {"player": player, "game": game, "day": day}
        return next(iter(self._results(c.execute(_OF_PERSON, asked).all())), None)

    @reads
    def of_deal(self, c: Connection, game: str, day: int, most: int) -> list[DailyResult]:
        asked = {"game": game, "day": day, "most": most}
        return self._results(c.execute(_OF_DEAL, asked).all())

    @reads
    def board(self, c: Connection, guild_id: int, since: int) -> list[DailyResult]:
        return self._results(c.execute(_HERE, {"guild": guild_id, "since": since}).all())

    @reads
    def days(self, c: Connection, players: tuple[int, ...]) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {player: [] for player in players}
        rows = c.execute(_DAYS, {"players": list(players)}).all()
        for row in sound(rows, self._set_aside, schema.daily_results):
            found[row.player].append(row.day)
        return found

    def _results(self, rows: Sequence[Row[Any]]) -> list[DailyResult]:
        found = sound(rows, self._set_aside, schema.daily_results)
        return [DailyResult(**row._mapping) for row in found]


def note_daily(c: Connection, result: DailyResult) -> None:
    """Store how somebody fared in a deal; the first time stays."""
    upsert_many(c, schema.daily_results, [asdict(result)], stored="stays")
