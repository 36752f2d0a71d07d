"""Store people as a test needs them."""

from __future__ import annotations

from bot.storage.store import SqlStore
from bot.tables.model import Player


async def store_person(store: SqlStore, player: Player) -> None:
    """Store a person, in place of what was stored of them."""
    await store.people.change(player.id, lambda _: player)
