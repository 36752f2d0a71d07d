"""People and servers: names, choices and settings."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

from sqlalchemy import bindparam, delete, func, insert, select, update
from sqlalchemy.engine import Connection, Row

from bot.storage import schema
from bot.storage.part import Part, reads, reads_one, upsert, writes
from bot.storage.rows import is_sound, sound, unsound
from bot.tables.model import Player, PlayerChange
from bot.tables.quarantine import Quarantine
from engine.ruleset import Options

_P: Final = schema.players.c
_S: Final = schema.guild_settings.c
_L: Final = schema.listeners.c
_T: Final = schema.tellings.c
_R: Final = schema.registrations.c
_GUILD_OPTIONS: Final = select(schema.guild_settings).where(
    _S.guild_id == bindparam("guild"), _S.game == bindparam("game")
)


class SqlPeople(Part):
    """Stores data about people."""

    async def player(self, player_id: int) -> Player:
        """Return the stored data of a person; a blank record if there is none."""
        return (await self.players((player_id,)))[player_id]

    @reads
    def players(self, c: Connection, ids: tuple[int, ...]) -> dict[int, Player]:
        """Return each person's stored data by id, or a blank record if nothing is stored."""
        rows = c.execute(select(schema.players).where(_P.id.in_(ids)))
        known = {row.id: player_of(row, self._set_aside) for row in rows}
        return {player_id: known.get(player_id, Player(player_id)) for player_id in ids}

    @writes
    def change(self, c: Connection, player_id: int, change: PlayerChange) -> Player:
        """Apply `change` to a person's stored data, store the result and return it.

        Concurrent changes are not lost. `change` may be called twice.
        """
        stored = self._lock_player(c, player_id)
        before = stored or Player(player_id)
        now = change(before)
        if now == before:
            return now
        if stored is None:
            # a second transaction that adds the same person waits here for the first
            upsert(c, schema.players, [asdict(before)], on_conflict="keep")
            now = change(self._lock_player(c, player_id) or before)
        upsert(c, schema.players, [asdict(now)])
        self._notify_of_person(c, player_id)
        return now

    def _lock_player(self, c: Connection, player_id: int) -> Player | None:
        """Lock a person's row until the transaction ends; return its data, None without a row."""
        query = select(schema.players).where(_P.id == player_id).with_for_update()
        row = c.execute(query).one_or_none()
        return None if row is None else player_of(row, self._set_aside)


def player_of(row: Row[Any], aside: Quarantine) -> Player:
    """Convert a row of `players` to a `Player`. Report unreadable values and leave them out."""
    known = dict(row._mapping)
    if not is_sound(known, aside, schema.players):
        for name in unsound(known, schema.players):
            del known[name]
    return Player(**known)


class SqlServers(Part):
    """Stores servers' settings, people to notify of new tables, and the registered commands."""

    @reads_one
    def guild_options(self, c: Connection, guild_id: int, game: str) -> Options:
        """Return a server's default options for new tables of a game; empty if none are set."""
        result = c.execute(_GUILD_OPTIONS, {"guild": guild_id, "game": game})
        rows = sound(result, self._set_aside, schema.guild_settings)
        return dict(rows[0].options) if rows else {}

    @writes
    def note_guild_options(self, c: Connection, guild_id: int, game: str, options: Options) -> None:
        """Store a server's default options for new tables of a game. The old ones are replaced."""
        values = {"guild_id": guild_id, "game": game, "options": dict(options)}
        upsert(c, schema.guild_settings, [values])

    @reads
    def listeners(self, c: Connection, channel_id: int) -> list[int]:
        """Return the people to notify when a table opens in a channel."""
        query = select(_L.channel_id, _L.player_id).where(_L.channel_id == channel_id)
        result = c.execute(query.order_by(_L.player_id))
        return [row.player_id for row in sound(result, self._set_aside, schema.listeners)]

    @writes
    def note_listener(
        self, c: Connection, channel_id: int, player_id: int, *, listens: bool
    ) -> None:
        """Store whether a person is notified of new tables in a channel."""
        same = _L.channel_id == channel_id, _L.player_id == player_id
        c.execute(delete(schema.listeners).where(*same))
        if listens:
            place = {"channel_id": channel_id, "guild_id": _guild_of(c, channel_id)}
            c.execute(insert(schema.listeners).values(place | {"player_id": player_id}))

    @writes
    def may_notify(self, c: Connection, channel_id: int, now: int, gap: int) -> bool:
        """Return whether a channel may be notified at `now` (ms); if so, store that time.

        It may if the last notification was `gap` ms ago or longer, or if there was none.
        """
        same = _T.channel_id == channel_id
        result = c.execute(select(_T.channel_id, _T.told_at).where(same))
        if not sound(result, self._set_aside, schema.tellings):  # unless it is unreadable
            guild_id = _guild_of(c, channel_id)
            first = {"channel_id": channel_id, "told_at": now, "guild_id": guild_id}
            upsert(c, schema.tellings, [first])
            return True
        # if two processes open tables at once, only one of them updates the row
        taking = update(schema.tellings).where(same, _T.told_at <= now - gap)
        return bool(c.execute(taking.values(told_at=now)).rowcount == 1)

    @reads
    def registered_digest(self, c: Connection, application_id: int) -> str | None:
        """Return the hash of the commands last registered with Discord; None if unknown."""
        query = select(_R.digest).where(_R.application_id == application_id)
        digest = c.execute(query).scalar_one_or_none()
        return digest if isinstance(digest, str) else None

    @writes
    def note_registered(self, c: Connection, application_id: int, digest: str) -> None:
        """Store the hash of the commands that are now registered with Discord."""
        row = {"application_id": application_id, "digest": digest}
        upsert(c, schema.registrations, [row])


def _guild_of(c: Connection, channel_id: int) -> int | None:
    """Return the id of the server with a channel's tables; None if it is missing or damaged."""
    query = select(func.max(schema.tables.c.guild_id))
    result = c.execute(query.where(schema.tables.c.channel_id == channel_id))
    guild_id = result.scalar_one_or_none()
    return guild_id if isinstance(guild_id, int) else None  # a damaged one may be text
