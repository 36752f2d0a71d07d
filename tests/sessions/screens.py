"""People's screens. A message is parsed once; after an edit it is another `Screen`."""

from __future__ import annotations

import re
from datetime import datetime
from functools import cached_property
from typing import Final

from benchmarks.reading import cards_seen
from bot.sandbox.discord_state import Channel, Json, Message
from bot.sandbox.driver import Person
from bot.sandbox.emulator import Emulator
from bot.sandbox.screen import SeenMessage

NUMBERED_ROUND: Final = re.compile(r"(?:Round|Runda) (\d+)")  # in a language of its reader


class Screen(SeenMessage):
    """One version of a message; each property is parsed once."""

    @cached_property
    def components(self) -> list[Json]:
        """All components, nested ones too, parents first."""
        return super().components

    @cached_property
    def text(self) -> str:
        return super().text

    @cached_property
    def cards(self) -> frozenset[str]:
        """The cards in the message, except for jokers and cards that a bid claims."""
        return cards_seen(self.text)

    @cached_property
    def rounds(self) -> frozenset[int]:
        """The numbers of the rounds that the message names, in any language."""
        return frozenset(map(int, NUMBERED_ROUND.findall(self.text)))

    @cached_property
    def updated_at(self) -> float:
        """When the message was posted or last edited, in Unix seconds."""
        at = self.payload.get("edited_timestamp") or self.payload["timestamp"]
        return datetime.fromisoformat(at).timestamp()


class Screens:
    """Everybody's screens in one world."""

    def __init__(self, world: Emulator) -> None:
        self._state = world.state
        self._read: dict[str, Screen] = {}

    def recent(self, person: Person, channel: Channel, most: int) -> list[Screen]:
        """Return the last `most` messages that the person sees in a channel, oldest first."""
        return [
            self.read(message)
            for message in self._state.visible_messages(person.id, channel)[-most:]
        ]

    def direct_messages(self, person: Person) -> list[Screen]:
        """Return all direct messages to the person, oldest first."""
        channel = self._state.dm_with(person.id)
        if channel is None:
            return []
        return [self.read(message) for message in self._state.visible_messages(person.id, channel)]

    def read(self, message: Message) -> Screen:
        """Return the current version of a message."""
        screen = self._read.get(message.id)
        if screen is None or screen.payload is not message.payload:
            screen = self._read[message.id] = Screen(message.payload)
        return screen
