"""Ranges of hands that a person has named, for use in `/odds showdown`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from sqlalchemy import delete, insert, select
from sqlalchemy.engine import Connection

from bot.storage import schema
from bot.storage.part import Part, reads, writes
from bot.storage.rows import sound
from engine.lexicon import strip_accents

_N: Final = schema.named_ranges.c


class SqlNamedRanges(Part):
    """Stores people's named ranges. Names are in lower case, and compared without accents."""

    @reads
    def of_player(self, c: Connection, player: int) -> dict[str, str]:
        """Return the hands of a person's ranges by name, in alphabetical order."""
        return self._ranges(c, player)

    @writes
    def keep(self, c: Connection, player: int, name: str, hands: str, most: int) -> bool:
        """Store a person's range, in place of one of the same name.

        Return False, and store nothing, if the person has `most` other ranges.
        """
        stored = self._ranges(c, player)
        same = self._same(stored, name)
        if len(stored) - len(same) >= most:
            return False
        self._delete(c, player, [*same, name])
        c.execute(insert(schema.named_ranges).values(player=player, name=name, hands=hands))
        return True

    @writes
    def drop(self, c: Connection, player: int, name: str) -> bool:
        """Delete a range. Return False if the person has none of that name."""
        same = self._same(self._ranges(c, player), name)
        return self._delete(c, player, [*same, name]) > 0

    def _same(self, stored: Iterable[str], name: str) -> list[str]:
        return [known for known in stored if strip_accents(known) == strip_accents(name)]

    def _delete(self, c: Connection, player: int, names: list[str]) -> int:
        """Delete rows with these names, even damaged ones; return how many."""
        theirs = _N.player == player, _N.name.in_(names)
        return c.execute(delete(schema.named_ranges).where(*theirs)).rowcount

    def _ranges(self, c: Connection, player: int) -> dict[str, str]:
        query = select(schema.named_ranges).where(_N.player == player)
        rows = sound(c.execute(query), self._set_aside, schema.named_ranges)
        return dict(sorted((row.name, row.hands) for row in rows))
