"""Servers: their usual house rules, who is told of new tables, and the registered commands."""

from __future__ import annotations

from typing import Final

from sqlalchemy import bindparam, delete, func, select, update
from sqlalchemy.engine import Connection

from bot.storage import schema
from bot.storage.part import Part, reads, writes
from bot.storage.soundness import sound
from bot.storage.upsert import upsert
from engine.ruleset import Options

_S: Final = schema.guild_settings.c
_L: Final = schema.listeners.c
_T: Final = schema.tellings.c
_R: Final = schema.registrations.c

_OPTIONS: Final = select(_S.guild_id, _S.game, _S.options).where(
    _S.guild_id == bindparam("guild"), _S.game == bindparam("of")
)
_LISTENERS: Final = (
    select(_L.channel_id, _L.player_id)
    .where(_L.channel_id == bindparam("channel"))
    .order_by(_L.player_id)
)
_STOP: Final = delete(schema.listeners).where(
    _L.channel_id == bindparam("channel"), _L.player_id == bindparam("player")
)
_LAST: Final = select(_T.channel_id, _T.told_at).where(_T.channel_id == bindparam("channel"))
# taken by one of two processes that open tables at the same moment
_TAKE: Final = (
    update(schema.tellings)
    .where(_T.channel_id == bindparam("channel"), _T.told_at <= bindparam("before"))
    .values(told_at=bindparam("now"))
)
# a channel has one server, and somebody can only listen where there is a table
_GUILD: Final = select(func.max(schema.tables.c.guild_id)).where(
    schema.tables.c.channel_id == bindparam("channel")
)


class Servers(Part):
    """The part of the store that is about servers and their channels."""

    @reads
    def guild_options(self, c: Connection, guild_id: int, game: str) -> Options:
        """What a server has chosen for new tables of a game; empty if nothing."""
        found = c.execute(_OPTIONS, {"guild": guild_id, "of": game})
        rows = sound(found, self._set_aside, schema.guild_settings)
        return dict(rows[0].options) if rows else {}

    @writes
    def note_guild_options(self, c: Connection, guild_id: int, game: str, options: Options) -> None:
        """Remember it, in place of what was chosen before."""
        values = {"guild_id": guild_id, "game": game, "options": dict(options)}
        upsert(c, schema.guild_settings, values)

    @reads
    def listeners(self, c: Connection, channel_id: int) -> list[int]:
        """Who wants to be told when a table opens in a channel."""
        found = c.execute(_LISTENERS, {"channel": channel_id})
        return [row.player_id for row in sound(found, self._set_aside, schema.listeners)]

    @writes
    def note_listener(
        self, c: Connection, channel_id: int, player_id: int, *, listens: bool
    ) -> None:
        """Remember that somebody wants to be told, or does not any more."""
        c.execute(_STOP, {"channel": channel_id, "player": player_id})
        if listens:
            guild_id = _guild_of(c, channel_id)
            values = {
                "channel_id": channel_id,
                "player_id": player_id,
                "guild_id": guild_id,
            }
            c.execute(schema.listeners.insert().values(values))

    @writes
    def may_tell(self, c: Connection, channel_id: int, now: int, gap: int) -> bool:
        """Whether `gap` milliseconds have passed since the last time; if so, now is the last."""
        found = c.execute(_LAST, {"channel": channel_id})
        if not sound(found, self._set_aside, schema.tellings):  # or it cannot be read
            guild_id = _guild_of(c, channel_id)
            first = {"channel_id": channel_id, "told_at": now, "guild_id": guild_id}
            upsert(c, schema.tellings, first)
            return True
        taken = c.execute(_TAKE, {"channel": channel_id, "before": now - gap, "now": now})
        return bool(taken.rowcount == 1)

    @reads
    def registered(self, c: Connection, application_id: int) -> str | None:
        """The digest of the commands that were registered last; None: none that is known of."""
        asked = select(_R.digest).where(_R.application_id == application_id)
        digest = c.execute(asked).scalar_one_or_none()
        return digest if isinstance(digest, str) else None

    @writes
    def note_registered(self, c: Connection, application_id: int, digest: str) -> None:
        """Remember that these commands are registered."""
        row = {"application_id": application_id, "digest": digest}
        upsert(c, schema.registrations, row)


def _guild_of(c: Connection, channel_id: int) -> int | None:
    found = c.execute(_GUILD, {"channel": channel_id})
    guild_id = found.scalar_one_or_none()
    return guild_id if isinstance(guild_id, int) else None  # a damaged one is text
