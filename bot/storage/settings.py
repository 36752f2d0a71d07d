"""A guild's settings: JSON values by name. What names there are is the caller's matter."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import bindparam, delete, select

from bot.storage import schema
from bot.storage.database import Database
from bot.storage.upsert import upsert

_OF_GUILD: Final = schema.guild_settings.c.guild_id == bindparam("guild")
_SETTINGS: Final = select(schema.guild_settings.c.name, schema.guild_settings.c.value).where(
    _OF_GUILD
)
_UNSET: Final = delete(schema.guild_settings).where(
    _OF_GUILD, schema.guild_settings.c.name == bindparam("setting")
)


class GuildSettings:
    """The part of the store that is about guilds."""

    _database: Database

    async def guild_settings(self, guild_id: int) -> dict[str, Any]:
        """Every setting a guild has made; those it has not are absent."""
        async with self._database.reading() as connection:
            rows = await connection.execute(_SETTINGS, {"guild": guild_id})
            return {row.name: row.value for row in rows}

    async def set_guild_setting(self, guild_id: int, name: str, value: Any) -> None:
        """Set one setting to a JSON value; None takes it back."""
        async with self._database.writing() as connection:
            if value is None:
                await connection.execute(_UNSET, {"guild": guild_id, "setting": name})
            else:
                row = {"guild_id": guild_id, "name": name, "value": value}
                await upsert(connection, schema.guild_settings, row)
