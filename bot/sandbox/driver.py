"""People and servers of this process's world as Python objects.

`actor` defines what a person can do.
"""

from bot.sandbox.actor import Actor, ActOutcome, Place, id_of
from bot.sandbox.discord_state import (
    ANNOUNCEMENT_CHANNEL,
    FORUM,
    TEXT_CHANNEL,
    VOICE_CHANNEL,
    Channel,
    Guild,
    Interaction,
    Json,
)
from bot.sandbox.emulator import Emulator
from bot.sandbox.payloads import page_message
from bot.sandbox.screen import SeenMessage

__all__ = ["ActOutcome", "Actor", "Person", "Place", "Server", "id_of"]


class Person(Actor):
    """A person in this process's world."""

    def __init__(self, world: Emulator, user_id: str) -> None:
        self._world = world
        self.id = user_id
        self.name = world.state.users[user_id].name

    async def act(self, kind: str, **body: object) -> ActOutcome:
        """Do an act in this process, by its kind and body, as `acts.Acts` defines them."""
        return self.outcome(await self._world.acts.perform(self.id, kind, body))

    async def current(self, message: SeenMessage) -> SeenMessage:
        """Return the message as it is now. Raises CannotDo if the person no longer sees it."""
        now = self._world.acts.message(self.id, message.channel_id, message.id)
        return SeenMessage(page_message(now))

    def visible(self, channel: Place) -> list[SeenMessage]:
        """Return the channel's messages that the person sees now, oldest first."""
        place = self._world.acts.channel(self.id, id_of(channel))
        messages = self._world.state.visible_messages(self.id, place)
        return [SeenMessage(page_message(message)) for message in messages]

    def text(self, channel: Place) -> str:
        """Return all readable text in a channel."""
        return "\n".join(message.text for message in self.visible(channel))

    def dms(self) -> list[Channel]:
        """Return the person's direct-message channels (with the bot: at most one)."""
        channel = self._world.state.dm_with(self.id)
        return [channel] if channel is not None else []

    def dm_messages(self) -> list[SeenMessage]:
        """Return all the person's direct messages, oldest first."""
        return [message for channel in self.dms() for message in self.visible(channel)]

    def everything(self) -> str:
        """Return all text that the person can read anywhere, to check that nothing leaks."""
        state = self._world.state
        places = [c for c in state.channels.values() if state.can_see(self.id, c)]
        return "\n".join(self.text(place) for place in places)

    @property
    def taps(self) -> int:
        """The number of taps the person has made so far, on the page too (`acts.taps_of`)."""
        return self._world.acts.taps[self.id]

    def unread(self, channel: Place) -> bool:
        """Return whether there are messages in a channel that the person hasn't read."""
        place = self._world.acts.channel(self.id, id_of(channel))
        return self._world.state.unread(self.id, place)

    def pings(self, channel: Place) -> int:
        """Return the number in the red badge: unread direct messages or mentions of the person."""
        place = self._world.acts.channel(self.id, id_of(channel))
        return len(self._world.state.read_of(self.id, place).pings)

    def set_dms_open(self, is_open: bool) -> None:
        """Accept direct messages from the bot, or refuse them (the bot then gets 50007)."""
        self._world.faults.dms_open(self.id, is_open)

    async def forge_submit(
        self, channel: Place, custom_id: str, components: list[Json], message: str | None = None
    ) -> ActOutcome:
        """Submit a form that the bot never opened; `components` are as Discord would send them.

        `message`: the id of the message whose button would have opened the form, if any.
        """
        body = {"custom_id": custom_id, "components": components}
        forged = self._world.acts.forge_submit(self.id, id_of(channel), message, body)
        return self.outcome(await forged)

    def repeat(self, outcome: ActOutcome) -> Interaction:
        """Deliver the interaction of an outcome to the bot once more, and return it."""
        interaction = self._world.state.interactions[outcome.interaction_id or ""]
        self._world.interactions.deliver(interaction)
        return interaction


class Server:
    """A guild, with methods to add channels."""

    def __init__(self, world: Emulator, guild: Guild) -> None:
        self._world = world
        self.guild = guild
        self.id = guild.id

    def add_text_channel(self, name: str) -> Channel:
        """Add a channel that everybody in the server sees."""
        return self._world.places.add_channel(TEXT_CHANNEL, name, guild_id=self.id)

    def add_announcement_channel(self, name: str) -> Channel:
        """Add a channel whose messages other servers can follow."""
        return self._world.places.add_channel(ANNOUNCEMENT_CHANNEL, name, guild_id=self.id)

    def add_voice_channel(self, name: str) -> Channel:
        """Add a voice channel; only its chat is emulated."""
        return self._world.places.add_channel(VOICE_CHANNEL, name, guild_id=self.id)

    def add_forum(self, name: str) -> Channel:
        """Add a forum, where every thread is a post (`Person.open_thread`)."""
        return self._world.places.add_channel(FORUM, name, guild_id=self.id)

    def channel(self, name: str) -> Channel:
        """Return the channel of that name. Raises KeyError if there is none."""
        for channel in self._world.state.channels.values():
            if channel.guild_id == self.id and channel.name == name:
                return channel
        raise KeyError(name)

    def remove_bot(self) -> None:
        """Remove the bot from the server."""
        self._world.places.remove_bot(self.guild)

    def invite_bot(self) -> None:
        """Add the bot to the server, or end an outage of the server."""
        self._world.places.invite_bot(self.guild)

    def take_down(self) -> None:
        """Make the server unavailable."""
        self._world.places.take_down(self.guild)

    def make_moderator(self, person: Actor) -> None:
        """Grant a person the permissions of a moderator (`permissions.MODERATOR`)."""
        self.guild.moderators.append(person.id)
        self._world.save_soon()
