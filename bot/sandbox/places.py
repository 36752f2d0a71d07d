"""Servers, channels, threads and direct messages, and the people in them: added, and told of."""

from collections.abc import Iterable

from bot.sandbox.core import COLORS, Core
from bot.sandbox.discord_state import (
    ANNOUNCEMENT_CHANNEL,
    ANNOUNCEMENT_THREAD,
    DM_CHANNEL,
    GROUP_DM,
    PRIVATE_CHANNELS,
    PRIVATE_THREAD,
    PUBLIC_THREAD,
    Channel,
    Guild,
    Json,
    User,
)
from bot.sandbox.gateway import Gateway
from bot.sandbox.payloads import (
    channel_payload,
    guild_payload,
    joined_thread_payload,
    shown_channel,
)
from bot.sandbox.permissions import bot_sees

LONGEST_NAME = 32


class Places:
    """Adds places and people. Needs no event loop as long as no bot is connected."""

    def __init__(self, core: Core, gateway: Gateway) -> None:
        self._core = core
        self._gateway = gateway

    def add_guild(self, name: str, owner_id: str | None = None) -> Guild:
        """A server everybody is in. Unless a person's id is given, nobody who plays owns it."""
        core = self._core
        owner_id = owner_id or core.snowflakes.next()
        members = [user.id for user in core.state.people]
        guild = Guild(core.snowflakes.next(), name, owner_id, members)
        core.snowflakes.last += 1  # the moderators' role
        core.state.guilds[guild.id] = guild
        self._announce("GUILD_CREATE", guild_payload(core.state, guild), guild.id)
        return guild

    def add_channel(
        self,
        kind: int,
        name: str,
        *,
        guild_id: str | None = None,
        parent_id: str | None = None,
        recipient_id: str | None = None,
        owner_id: str | None = None,
        members: Iterable[str] = (),
        channel_id: str | None = None,
    ) -> Channel:
        """A channel of any kind, told to the people who see it and, where it does, to the bot.

        `channel_id`: of a thread that hangs on a message, whose id it has.
        """
        core = self._core
        made = channel_id or core.snowflakes.next()
        channel = Channel(made, kind, name, guild_id, parent_id, recipient_id, owner_id)
        channel.members += members
        core.state.channels[channel.id] = channel
        event = {"channel": shown_channel(channel), "guild_id": guild_id}
        core.stream.publish({"type": "channel_create"} | event, core.state.audience(channel))
        if channel.is_thread:
            if bot_sees(core.state, channel):
                body = joined_thread_payload(core.state, channel) | {"newly_created": True}
                self._announce("THREAD_CREATE", body, guild_id)
        elif kind not in PRIVATE_CHANNELS:
            self._announce("CHANNEL_CREATE", channel_payload(core.state, channel), guild_id)
        return channel

    def add_thread(
        self,
        channel: Channel,
        name: str,
        owner: User,
        *,
        private: bool = False,
        message_id: str | None = None,
    ) -> Channel:
        """A thread below a server's channel, with its owner in it; below a forum it is a post.

        `message_id`: the message of the channel that it is opened from, if any.
        """
        announcing = channel.type == ANNOUNCEMENT_CHANNEL
        public = ANNOUNCEMENT_THREAD if announcing else PUBLIC_THREAD
        return self.add_channel(
            PRIVATE_THREAD if private else public,
            name,
            guild_id=channel.guild_id,
            parent_id=channel.id,
            owner_id=owner.id,
            members=[owner.id],
            channel_id=message_id,
        )

    def add_to_thread(self, thread: Channel, user: User) -> None:
        """Have somebody be in a thread, as a mention there does."""
        if user.id in thread.members:
            return
        thread.members.append(user.id)
        state = self._core.state
        event = {"channel": shown_channel(thread), "guild_id": thread.guild_id}
        self._core.stream.publish({"type": "channel_create"} | event, {user.id})
        if user.bot and bot_sees(state, thread):
            body = joined_thread_payload(state, thread)
            self._announce("THREAD_CREATE", body, thread.guild_id)
            self._announce_members(thread, added_members=[body["member"]])
        self._core.changed()

    def remove_from_thread(self, thread: Channel, user: User) -> None:
        """Take somebody out of a thread; the bot is told if it is that."""
        thread.members.remove(user.id)
        self._core.changed()
        if user.bot:
            self._announce_members(thread, removed_member_ids=[user.id])

    def _announce_members(self, thread: Channel, **changed: object) -> None:
        """What a bot that may not ask for members is told of a thread's only for itself."""
        body: Json = {
            "id": thread.id,
            "guild_id": thread.guild_id,
            "member_count": len(thread.members),
        }
        self._announce("THREAD_MEMBERS_UPDATE", body | changed, thread.guild_id)

    def change_thread(
        self, thread: Channel, *, archived: bool = False, locked: bool = False
    ) -> None:
        """Archive or lock a thread, as its moderators do, or open it again."""
        thread.archived, thread.locked = archived, locked
        self._core.changed()
        if bot_sees(self._core.state, thread):
            body = channel_payload(self._core.state, thread)
            self._announce("THREAD_UPDATE", body, thread.guild_id)

    def set_slow_mode(self, channel: Channel, seconds: int) -> None:
        """Have members wait between two messages in a channel."""
        channel.slow_mode = seconds
        self._core.changed()
        body = channel_payload(self._core.state, channel)
        kind = "THREAD_UPDATE" if channel.is_thread else "CHANNEL_UPDATE"
        self._announce(kind, body, channel.guild_id)

    def add_group(self, name: str, people: list[User]) -> Channel:
        """A group of people without the bot; the first of them owns it."""
        members = [one.id for one in people]
        return self.add_channel(GROUP_DM, name, owner_id=members[0], members=members)

    def dm_channel(self, user: User) -> Channel:
        """The direct messages between the person and the bot, opened if need be."""
        found = self._core.state.dm_with(user.id)
        return found or self.add_channel(DM_CHANNEL, user.name, recipient_id=user.id)

    def add_person(self, name: str) -> User:
        """Somebody new, in every server. Raises ValueError for an empty, long or taken name."""
        name = name.strip()
        if not 1 <= len(name) <= LONGEST_NAME:
            raise ValueError(f"A name has 1 to {LONGEST_NAME} letters, such as Ann.")
        users = self._core.state.users
        if any(user.name.lower() == name.lower() for user in users.values()):
            raise ValueError(f"There already is somebody called {name}.")
        user = User(self._core.snowflakes.next(), name, COLORS[len(users) % len(COLORS)])
        users[user.id] = user
        for guild in self._core.state.guilds.values():
            guild.members.append(user.id)
        self._core.changed()
        self._core.stream.publish({"type": "people"})
        return user

    async def remove_channel(self, channel: Channel) -> None:
        """Take a channel away with its threads and all that was written there, and tell of it."""
        state = self._core.state
        for below in [one for one in state.channels.values() if one.parent_id == channel.id]:
            await self.remove_channel(below)
        audience, payload = state.audience(channel), channel_payload(state, channel)
        self._empty(channel)
        gone = {"type": "channel_delete", "id": channel.id, "guild_id": channel.guild_id}
        self._core.stream.publish(gone, audience)
        self._core.changed()
        event = "THREAD_DELETE" if channel.is_thread else "CHANNEL_DELETE"
        await self._gateway.dispatch(event, payload, channel.guild_id)

    async def remove_guild(self, guild: Guild) -> None:
        """Take a server away with its channels and all that was written there, and tell of it."""
        state = self._core.state
        for channel in [one for one in state.channels.values() if one.guild_id == guild.id]:
            self._empty(channel)
        del state.guilds[guild.id]
        self._core.stream.publish({"type": "guild_delete", "id": guild.id}, guild.members)
        self._core.changed()
        await self._gateway.dispatch("GUILD_DELETE", {"id": guild.id}, guild.id)

    def _empty(self, channel: Channel) -> None:
        """Forget a channel, its messages, their files, and who has read them."""
        state = self._core.state
        del state.channels[channel.id]
        state.messages.pop(channel.id, None)
        for file in [one for one in state.attachments.values() if one.channel_id == channel.id]:
            del state.attachments[file.id]
        for reads in state.reads.values():
            reads.pop(channel.id, None)

    def remove_bot(self, guild: Guild) -> None:
        """Take the bot out of a server."""
        guild.has_bot = False
        self._announce("GUILD_DELETE", {"id": guild.id}, guild.id)

    def invite_bot(self, guild: Guild) -> None:
        """Bring the bot into a server, or have one that was down be there again."""
        shape = guild_payload(self._core.state, guild)
        if not guild.has_bot:
            del shape["unavailable"]  # only one that was known is said to be there again
        guild.has_bot, guild.down = True, False
        self._announce("GUILD_CREATE", shape, guild.id)

    def take_down(self, guild: Guild) -> None:
        """Have a server be unavailable: an outage of Discord's, the bot stays in it."""
        guild.down = True
        self._announce("GUILD_DELETE", {"id": guild.id, "unavailable": True}, guild.id)

    def _announce(self, event: str, body: Json, guild_id: str | None) -> None:
        """Tell the bot, in the background, so that furnishing needs no event loop."""
        self._core.changed()
        if self._gateway.online:
            self._gateway.later(lambda: self._gateway.dispatch(event, body, guild_id))
