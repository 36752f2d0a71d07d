"""The client library's event parsers drop the channel fields that are never used."""

from __future__ import annotations

from typing import Any

from bot.discord.event_parsers import wrap_parsers


def test_unused_fields_of_channels_are_not_kept() -> None:
    read: list[Any] = []
    parsers: dict[str, Any] = {"GUILD_CREATE": read.append, "CHANNEL_UPDATE": read.append}
    wrap_parsers(parsers)
    channel = {"id": "7", "topic": "cards", "permission_overwrites": [{"id": "1"}], "name": "snug"}
    slim: dict[str, Any] = {"id": "7", "topic": None, "permission_overwrites": [], "name": "snug"}
    parsers["GUILD_CREATE"]({"id": "1", "name": "The Inn", "channels": [channel, {"id": "8"}]})
    parsers["CHANNEL_UPDATE"](channel)
    assert read == [{"id": "1", "name": "The Inn", "channels": [slim, {"id": "8"}]}, slim]
