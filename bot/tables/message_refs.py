"""What is to be seen of tables, and is not stored: which messages show them and remind people.

A message may be seen before it can be noted, and the store may be away just then. Until it is
stored, this process alone knows it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.tables import ports
from bot.tables.model import Table


@dataclass(slots=True)
class Notes:
    """What is not stored of one table.

    `message`: the message that shows it and how much of the log; `nudge`: the message that reminds,
    which reminder it is, and the letter with its reader.
    """

    message: tuple[int, int] | None = None
    nudge: tuple[int | None, str | None, tuple[int, int] | None] | None = None


class PendingRefs:
    """The notes of all tables; each is read and changed under its table's lock."""

    def __init__(self) -> None:
        self._owed: dict[int, Notes] = {}

    def __contains__(self, table_id: int) -> bool:
        return table_id in self._owed

    def of(self, table_id: int) -> Notes:
        """The notes of a table, to be changed."""
        return self._owed.setdefault(table_id, Notes())

    def another_match(self, table_id: int) -> None:
        """The table has another match now; the change has stored which message shows it."""
        owed = self._owed.get(table_id)
        if owed is not None:
            owed.message = None

    def seen_in(self, table: Table) -> Table:
        """The stored table with what is not stored of it yet."""
        owed = self._owed.get(table.id)
        if owed is None:
            return table
        if owed.message is not None:
            message_id, seq = owed.message
            shown = max(seq, table.announced_seq)
            table = replace(table, message_id=message_id, announced_seq=shown)
        if owed.nudge is not None:
            nudge_id, nudged, letter = owed.nudge
            letter_id, reader = letter or (None, None)
            table = replace(
                table, nudge_id=nudge_id, nudged=nudged, letter_id=letter_id, letter_to=reader
            )
        return table

    async def store(self, table_id: int, store: ports.Store) -> None:
        """Store the notes of a table, if there are any. Raises `StoreUnavailable`: they stay."""
        owed = self._owed.get(table_id)
        if owed is None:
            return
        if owed.message is not None:
            await store.tables.note_message(table_id, *owed.message)
        if owed.nudge is not None:
            await store.tables.note_nudge(table_id, *owed.nudge)
        del self._owed[table_id]
