"""The store, by the name that `bot/discord/delivery` imports."""

from bot.storage.store import SqlStore

Store = SqlStore
