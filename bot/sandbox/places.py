"""Adds, changes and removes servers, channels, threads and people, and announces each change."""

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
    page_channel,
)
from bot.sandbox.permissions import bot_sees

LONGEST_NAME = 32


class Places:
    """Adds, changes and removes places and people.

    Adding needs no event loop while no bot is connected.
    """

    def __init__(self, core: Core, gateway: Gateway) -> None:
        self._core = core
        self._gateway = gateway

    def add_guild(self, name: str, owner_id: str | None = None) -> Guild:
        """Add a server with everybody and the bot in it.

        Without `owner_id`, its owner is a new id that belongs to nobody.
        """
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
        """Add a channel of any kind, and announce it to the people and the bot, if they see it.

        `channel_id`: for a thread opened from a message, the message's id.
        """
        core = self._core
        new_id = channel_id or core.snowflakes.next()
        channel = Channel(new_id, kind, name, guild_id, parent_id, recipient_id, owner_id)
        channel.members += members
        core.state.channels[channel.id] = channel
        event = {"channel": page_channel(channel), "guild_id": guild_id}
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
        """Add a thread (in a forum, a post) to a server's channel, with its owner as a member.

        `message_id`: the message that the thread is opened from, if any.
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
        """Add a user to a thread, as Discord does for a user who is mentioned in it."""
        if user.id in thread.members:
            return
        thread.members.append(user.id)
        state = self._core.state
        event = {"channel": page_channel(thread), "guild_id": thread.guild_id}
        self._core.stream.publish({"type": "channel_create"} | event, {user.id})
        if user.bot and bot_sees(state, thread):
            body = joined_thread_payload(state, thread)
            self._announce("THREAD_CREATE", body, thread.guild_id)
            self._announce_members(thread, added_members=[body["member"]])
        self._core.save_soon()

    def remove_from_thread(self, thread: Channel, user: User) -> None:
        """Remove a user from a thread; the bot is notified only about itself."""
        thread.members.remove(user.id)
        self._core.save_soon()
        if user.bot:
            self._announce_members(thread, removed_member_ids=[user.id])

    def _announce_members(self, thread: Channel, **changed: object) -> None:
        """Announce changed thread members to the bot.

        Without the members intent, only the bot's own membership is announced.
        """
        body: Json = {
            "id": thread.id,
            "guild_id": thread.guild_id,
            "member_count": len(thread.members),
        }
        self._announce("THREAD_MEMBERS_UPDATE", body | changed, thread.guild_id)

    def change_thread(
        self, thread: Channel, *, archived: bool = False, locked: bool = False
    ) -> None:
        """Archive, lock or reopen a thread, as its moderators do."""
        thread.archived, thread.locked = archived, locked
        self._core.save_soon()
        if bot_sees(self._core.state, thread):
            body = channel_payload(self._core.state, thread)
            self._announce("THREAD_UPDATE", body, thread.guild_id)

    def set_slow_mode(self, channel: Channel, seconds: int) -> None:
        """Set how many seconds a member must wait between two messages in a channel."""
        channel.slow_mode = seconds
        self._core.save_soon()
        body = channel_payload(self._core.state, channel)
        kind = "THREAD_UPDATE" if channel.is_thread else "CHANNEL_UPDATE"
        self._announce(kind, body, channel.guild_id)

    def add_group(self, name: str, people: list[User]) -> Channel:
        """Add a group of people without the bot; the first of them owns it."""
        members = [person.id for person in people]
        return self.add_channel(GROUP_DM, name, owner_id=members[0], members=members)

    def dm_channel(self, user: User) -> Channel:
        """Return the channel of direct messages between person and bot. Open it if needed."""
        channel = self._core.state.dm_with(user.id)
        return channel or self.add_channel(DM_CHANNEL, user.name, recipient_id=user.id)

    def add_person(self, name: str) -> User:
        """Add a person to every server. Raises ValueError for an empty, long or taken name."""
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
        self._core.save_soon()
        self._core.stream.publish({"type": "people"})
        return user

    async def remove_channel(self, channel: Channel) -> None:
        """Delete a channel with its threads and messages, and announce it."""
        state = self._core.state
        for below in [inner for inner in state.channels.values() if inner.parent_id == channel.id]:
            await self.remove_channel(below)
        audience, payload = state.audience(channel), channel_payload(state, channel)
        self._delete_content(channel)
        gone = {"type": "channel_delete", "id": channel.id, "guild_id": channel.guild_id}
        self._core.stream.publish(gone, audience)
        self._core.save_soon()
        event = "THREAD_DELETE" if channel.is_thread else "CHANNEL_DELETE"
        await self._gateway.dispatch(event, payload, channel.guild_id)

    async def remove_guild(self, guild: Guild) -> None:
        """Delete a server with its channels and messages, and announce it."""
        state = self._core.state
        for channel in [c for c in state.channels.values() if c.guild_id == guild.id]:
            self._delete_content(channel)
        del state.guilds[guild.id]
        self._core.stream.publish({"type": "guild_delete", "id": guild.id}, guild.members)
        self._core.save_soon()
        await self._gateway.dispatch("GUILD_DELETE", {"id": guild.id}, guild.id)

    def _delete_content(self, channel: Channel) -> None:
        """Delete a channel with its messages, files and read marks."""
        state = self._core.state
        del state.channels[channel.id]
        state.messages.pop(channel.id, None)
        for file in [f for f in state.attachments.values() if f.channel_id == channel.id]:
            del state.attachments[file.id]
        for reads in state.reads.values():
            reads.pop(channel.id, None)

    def remove_bot(self, guild: Guild) -> None:
        """Remove the bot from a server."""
        guild.has_bot = False
        self._announce("GUILD_DELETE", {"id": guild.id}, guild.id)

    def invite_bot(self, guild: Guild) -> None:
        """Add the bot to a server, or end a server's outage."""
        shape = guild_payload(self._core.state, guild)
        if not guild.has_bot:
            del shape["unavailable"]  # only a known server's return is announced so
        guild.has_bot, guild.down = True, False
        self._announce("GUILD_CREATE", shape, guild.id)

    def take_down(self, guild: Guild) -> None:
        """Make a server unavailable, as in an outage of Discord's. The bot stays in the server."""
        guild.down = True
        self._announce("GUILD_DELETE", {"id": guild.id, "unavailable": True}, guild.id)

    def _announce(self, event: str, body: Json, guild_id: str | None) -> None:
        """Notify the bot in the background, and request a save.

        If no bot is connected, only request the save; this needs no event loop.
        """
        self._core.save_soon()
        if self._gateway.online:
            self._gateway.later(lambda: self._gateway.dispatch(event, body, guild_id))
