"""People and servers: what is remembered of them."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

from sqlalchemy import bindparam, delete, func, insert, select, update
from sqlalchemy.engine import Connection, Row

from bot.storage import schema
from bot.storage.part import Part, reads, reads_one, upsert, writes
from bot.storage.rows import is_sound, sound, unsound
from bot.tables.model import Player
from bot.tables.ports import Changed
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
    """The part of the store that is about people: `bot.tables.ports.PersonStore`."""

    async def player(self, player_id: int) -> Player:
        return (await self.players((player_id,)))[player_id]

    @reads
    def players(self, c: Connection, ids: tuple[int, ...]) -> dict[int, Player]:
        rows = c.execute(select(schema.players).where(_P.id.in_(ids)))
        known = {row.id: player_of(row, self._set_aside) for row in rows}
        return {player_id: known.get(player_id, Player(player_id)) for player_id in ids}

    @writes
    def change(self, c: Connection, player_id: int, change: Changed) -> Player:
        stored = self._locked(c, player_id)
        before = stored or Player(player_id)
        now = change(before)
        if now == before:
            return now
        if stored is None:
            # of two who are the first to know of somebody, one waits here for the other
            upsert(c, schema.players, [asdict(before)], stored="stays")
            now = change(self._locked(c, player_id) or before)
        upsert(c, schema.players, [asdict(now)])
        self._tell_of_person(c, player_id)
        return now

    def _locked(self, c: Connection, player_id: int) -> Player | None:
        """A person as stored, whom nobody else changes until the transaction ends."""
        asked = select(schema.players).where(_P.id == player_id).with_for_update()
        row = c.execute(asked).one_or_none()
        return None if row is None else player_of(row, self._set_aside)


def player_of(row: Row[Any], aside: Quarantine) -> Player:
    """A row of `players`; what cannot be read in it is named, and is as if it were not known."""
    known = dict(row._mapping)
    if not is_sound(known, aside, schema.players):
        for name in unsound(known, schema.players):
            del known[name]
    return Player(**known)


class SqlServers(Part):
    """The part of the store that is about servers: `bot.tables.ports.ServerStore`."""

    @reads_one
    def guild_options(self, c: Connection, guild_id: int, game: str) -> Options:
        found = c.execute(_GUILD_OPTIONS, {"guild": guild_id, "game": game})
        rows = sound(found, self._set_aside, schema.guild_settings)
        return dict(rows[0].options) if rows else {}

    @writes
    def note_guild_options(self, c: Connection, guild_id: int, game: str, options: Options) -> None:
        values = {"guild_id": guild_id, "game": game, "options": dict(options)}
        upsert(c, schema.guild_settings, [values])

    @reads
    def listeners(self, c: Connection, channel_id: int) -> list[int]:
        asked = select(_L.channel_id, _L.player_id).where(_L.channel_id == channel_id)
        found = c.execute(asked.order_by(_L.player_id))
        return [row.player_id for row in sound(found, self._set_aside, schema.listeners)]

    @writes
    def note_listener(
        self, c: Connection, channel_id: int, player_id: int, *, listens: bool
    ) -> None:
        who = _L.channel_id == channel_id, _L.player_id == player_id
        c.execute(delete(schema.listeners).where(*who))
        if listens:
            here = {"channel_id": channel_id, "guild_id": _guild_of(c, channel_id)}
            c.execute(insert(schema.listeners).values(here | {"player_id": player_id}))

    @writes
    def may_tell(self, c: Connection, channel_id: int, now: int, gap: int) -> bool:
        here = _T.channel_id == channel_id
        found = c.execute(select(_T.channel_id, _T.told_at).where(here))
        if not sound(found, self._set_aside, schema.tellings):  # or it cannot be read
            guild_id = _guild_of(c, channel_id)
            first = {"channel_id": channel_id, "told_at": now, "guild_id": guild_id}
            upsert(c, schema.tellings, [first])
            return True
        # taken by one of two processes that open tables at the same moment
        taking = update(schema.tellings).where(here, _T.told_at <= now - gap)
        return bool(c.execute(taking.values(told_at=now)).rowcount == 1)

    @reads
    def registered(self, c: Connection, application_id: int) -> str | None:
        asked = select(_R.digest).where(_R.application_id == application_id)
        digest = c.execute(asked).scalar_one_or_none()
        return digest if isinstance(digest, str) else None

    @writes
    def note_registered(self, c: Connection, application_id: int, digest: str) -> None:
        row = {"application_id": application_id, "digest": digest}
        upsert(c, schema.registrations, [row])


def _guild_of(c: Connection, channel_id: int) -> int | None:
    """The server of a channel: somebody can only listen where there is a table."""
    asked = select(func.max(schema.tables.c.guild_id))
    found = c.execute(asked.where(schema.tables.c.channel_id == channel_id))
    guild_id = found.scalar_one_or_none()
    return guild_id if isinstance(guild_id, int) else None  # a damaged one is text
