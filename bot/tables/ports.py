"""The store, by the name that `bot/discord/delivery` imports."""

from bot.storage.store import SqlStore as Store

__all__ = ["Store"]
