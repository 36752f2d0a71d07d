"""What each person has read, and what called them: unread marks and pings (the red badge).

As in Discord, a new message marks its channel unread for everybody in it but its author, and counts
as a ping for whom it mentions, or for whom it is a direct message. An edit does neither. A deleted
message takes its ping with it and leaves the unread mark. An ephemeral message, which only ever
answers what its person just did there, does none of this (an assumption).
"""

from bot.sandbox.core import Core
from bot.sandbox.payloads import shown_read
from bot.sandbox.state import Channel, Message


class Reads:
    """Keeps everybody's marks; the page of each person is told of their own."""

    def __init__(self, core: Core) -> None:
        self._core = core

    def came(self, channel: Channel, message: Message) -> None:
        """Note a new message for everybody who can see it."""
        state = self._core.state
        if message.visible_to is not None:
            return
        channel.last_message_id = message.id
        author = message.payload["author"]["id"]
        called = {user["id"] for user in message.payload["mentions"]}
        for person in state.audience(channel):
            if person == author:
                self.caught_up(person, channel)
                continue
            if channel.guild_id is None or person in called:
                state.read_of(person, channel).pings.append(message.id)
            self._tell(person, channel)

    def gone(self, channel: Channel, message: Message) -> None:
        """Note that a message was deleted: its pings are gone, the unread mark stays."""
        for person in self._core.state.audience(channel, message):
            pings = self._core.state.read_of(person, channel).pings
            if message.id in pings:
                pings.remove(message.id)
                self._tell(person, channel)

    def caught_up(self, person: str, channel: Channel) -> None:
        """The person has read everything in the channel."""
        read = self._core.state.read_of(person, channel)
        read.last = channel.last_message_id or read.last
        read.pings.clear()
        self._core.changed()
        self._tell(person, channel)

    def _tell(self, person: str, channel: Channel) -> None:
        if not self._core.stream.reaches((person,)):
            return
        event = {"type": "read"} | shown_read(self._core.state, person, channel)
        self._core.stream.publish(event, [person])
