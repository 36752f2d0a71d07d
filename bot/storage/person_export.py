"""What is stored of a person, to be shown to them; a part of their matches at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import and_, select
from sqlalchemy.engine import Connection, RowMapping

from bot.privacy.ports import UNREAD, Dossier, KeptOf
from bot.storage import schema
from bot.storage.matches import match_of
from bot.storage.part import Part, reads
from bot.storage.personal_data import NAMING, may_name, names
from bot.storage.players import player_of
from bot.storage.soundness import unsound
from bot.tables.errors import Damaged

_T: Final = schema.tables.c
_M: Final = schema.matches.c
_R: Final = schema.results.c
# shown by themselves, or with their matches
_APART: Final = frozenset({"players", "matches", "results", "deliveries"})


class Dossiers(Part):
    """The part of the store that shows people what is stored of them."""

    @reads
    def dossier(self, c: Connection, player: int) -> Dossier:
        """What is stored of somebody."""
        rows: dict[str, list[dict[str, Any]]] = {}
        known = select(schema.players).where(schema.players.c.id == player)
        row = c.execute(known).one_or_none()
        played = select(_M.id, _M.players).where(may_name("matches", player)).order_by(_M.id)
        matches = [
            one["id"] for one in c.execute(played).mappings() if names("matches", one, player)
        ]
        for table in NAMING:
            if table in _APART:
                continue
            asked = select(schema.metadata.tables[table]).where(may_name(table, player))
            found = c.execute(asked).mappings()
            rows[table] = [_readable(table, one) for one in found if names(table, one, player)]
        # how others did against them is the same seen from the other side, and theirs
        pairs = rows["pair_records"]
        rows["pair_records"] = [one for one in pairs if one.get("player") == player]
        known_as = None if row is None else player_of(row, self._set_aside)
        return Dossier(known_as, tuple(matches), rows)

    @reads
    def kept_of(self, c: Connection, player: int, matches: Sequence[int]) -> list[KeptOf]:
        """These of their matches, as far as they are stored, by number."""
        asked = (
            select(_M.id, _T.guild_id, _T.channel_id, _R.place, _R.rounds)
            .outerjoin(schema.tables, _T.id == _M.table_id)
            .outerjoin(schema.results, and_(_R.match_id == _M.id, _R.player == player))
            .where(_M.id.in_(list(matches)))
            .order_by(_M.id)
        )
        rows = c.execute(asked).all()
        return [self._kept(c, player, row) for row in rows]

    def _kept(self, c: Connection, player: int, row: Any) -> KeptOf:
        """One of their matches, as far as it can be read."""
        unread: list[Damaged] = []
        try:
            match = match_of(c, row.id, unread)
        except Damaged as damaged:
            match = None
            unread.append(damaged)
        for found in unread:
            self._set_aside.name(found)
        if match is not None and player not in match.players:
            match = None
        guild_id, channel_id, place, rounds = (
            one if type(one) is int else None for one in tuple(row)[1:]
        )
        reasons = tuple(found.reason for found in unread)
        return KeptOf(row.id, match, guild_id, channel_id, place, rounds, reasons)


def _readable(table: str, row: RowMapping) -> dict[str, Any]:
    """A row without what cannot be read of it, which is named."""
    bad = unsound(row, schema.metadata.tables[table])
    kept = {str(name): value for name, value in row.items() if name not in bad}
    return kept | {UNREAD: list(bad)} if bad else kept
