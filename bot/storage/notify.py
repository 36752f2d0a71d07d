"""What one process has the others hear, in the transaction that changes it: when that is stored."""

from __future__ import annotations

from typing import Final

from sqlalchemy import text
from sqlalchemy.engine import Connection

from bot.settings.shards import NO_GUILD, ONE, PERSON, TABLE, Shards
from bot.storage.database import Database
from bot.storage.session import CHANNEL, payload

_NOTIFY: Final = text("SELECT pg_notify(:channel, :said)")


class Telling:
    """The part of the store that others hear; one process alone tells nobody."""

    _database: Database
    _shards: Shards = ONE
    _me: str = ""  # the sender, so that it does not listen to itself

    def _tell(self, c: Connection, table_id: int, guild_id: int) -> None:
        """Have others hear that a table moved on.

        What a server's own process does at its tables is nobody else's affair.
        """
        if not (guild_id != NO_GUILD and self._shards.serves(guild_id)):
            self._say(c, payload(self._me, TABLE, table_id, guild_id))

    def _tell_of_person(self, c: Connection, player: int) -> None:
        """Have others hear that what is stored of somebody has changed, or is not any more."""
        self._say(c, payload(self._me, PERSON, player))

    def _say(self, c: Connection, said: str) -> None:
        if not self._shards.whole:
            c.execute(_NOTIFY, {"channel": CHANNEL, "said": said})

    async def tell(self, table_id: int, guild_id: int) -> None:
        """Have other processes read a table anew, which was changed by no move."""
        if not self._shards.whole:
            await self._database.write(self._tell, table_id, guild_id)
