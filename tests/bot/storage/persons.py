"""Store a person for a test."""

from __future__ import annotations

from bot.storage.store import SqlStore
from bot.tables.model import Player


async def store_person(store: SqlStore, player: Player) -> None:
    """Store a person, in place of their stored record."""
    await store.people.change(player.id, lambda _: player)
