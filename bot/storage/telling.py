"""What one process has the others hear, in the transaction that changes it: when that is stored."""

from __future__ import annotations

from typing import Final

from sqlalchemy import text

from bot.shards import NO_GUILD, ONE, PERSON, TABLE, Shards
from bot.storage.database import Database
from bot.storage.prepared import Writer
from bot.storage.session import CHANNEL, payload

_NOTIFY: Final = text("SELECT pg_notify(:channel, :said)")


class Telling:
    """The part of the store that others hear; one process alone tells nobody."""

    _database: Database
    _shards: Shards = ONE
    _me: str = ""  # the sender, so that it does not listen to itself

    async def _tell(self, writer: Writer, table_id: int, guild_id: int) -> None:
        """Have others hear that a table moved on.

        What a server's own process does at its tables is nobody else's affair.
        """
        if self._shards.whole or (guild_id != NO_GUILD and self._shards.serves(guild_id)):
            return
        await self._say(writer, payload(self._me, TABLE, table_id, guild_id))

    async def _tell_of_person(self, writer: Writer, player: int) -> None:
        """Have others hear that what is stored of somebody has changed, or is not any more."""
        if not self._shards.whole:
            await self._say(writer, payload(self._me, PERSON, player))

    async def _say(self, writer: Writer, said: str) -> None:
        await writer.execute(_NOTIFY, {"channel": CHANNEL, "said": said})

    async def tell(self, table_id: int, guild_id: int) -> None:
        """Have other processes read a table anew, which was changed by no move."""
        if not self._shards.whole:
            async with self._database.writing() as connection:
                await self._tell(connection, table_id, guild_id)
