"""The emulator's state: plain records, looked up by id.

Messages, components and commands are stored in Discord's own JSON, since that is what clients
request again; everything else is a record that `payloads` converts to JSON.
"""

import asyncio
import marshal
from collections import deque
from dataclasses import dataclass, field
from typing import Any, TypeVar

Json = dict[str, Any]
T = TypeVar("T")

TEXT_CHANNEL = 0
DM_CHANNEL = 1
VOICE_CHANNEL = 2
GROUP_DM = 3
ANNOUNCEMENT_CHANNEL = 5
ANNOUNCEMENT_THREAD = 10
PUBLIC_THREAD = 11
PRIVATE_THREAD = 12
STAGE_CHANNEL = 13
FORUM = 15
THREADS = frozenset({ANNOUNCEMENT_THREAD, PUBLIC_THREAD, PRIVATE_THREAD})
VOICES = frozenset(
    {VOICE_CHANNEL, STAGE_CHANNEL}
)  # only members who may connect can read their chats
PRIVATE_CHANNELS = frozenset({DM_CHANNEL, GROUP_DM})

GUILD_INSTALL, USER_INSTALL = 0, 1

EPHEMERAL = 1 << 6
LOADING = 1 << 7
COMPONENTS_V2 = 1 << 15

REQUESTS_KEPT = 20_000
INTERACTION_KEPT_SECONDS = 3600.0
TOKEN_SECONDS = 15 * 60.0  # how long an interaction's token is valid


def copy_json(json: T) -> T:
    """Return a deep copy of JSON, ten times as fast as the copy module."""
    value: Any = json
    copy: T = marshal.loads(marshal.dumps(value))
    return copy


@dataclass
class User:
    """A person or the bot.

    `color` is CSS, for the page. `dms_open`: accepts the bot's messages. `has_app`: has installed
    the application for themselves.
    """

    id: str
    name: str
    color: str
    bot: bool = False
    dms_open: bool = True
    locale: str = "en-US"
    has_app: bool = False


@dataclass
class Guild:
    """A server. `members` and `moderators` are ids of people.

    The bot is in the server until removed. While the server is `down`, the bot knows only that it
    exists and is unavailable. `has_app`: the application's commands exist there, with or without
    the bot. `bot_makes_events`: the bot has the permission Create Events, which its invitation
    doesn't ask for. `bot_timed_out_until`: the end of a time-out that a moderator gave the bot.
    """

    id: str
    name: str
    owner_id: str
    members: list[str] = field(default_factory=list)
    moderators: list[str] = field(default_factory=list)
    locale: str = "en-US"
    has_bot: bool = True
    down: bool = False
    has_app: bool = True
    bot_makes_events: bool = False
    bot_timed_out_until: str | None = None  # in ISO 8601

    def manages(self, user_id: str) -> bool:
        """Return whether the person may manage threads, and so sees all of them."""
        return user_id == self.owner_id or user_id in self.moderators


@dataclass
class Channel:
    """A channel or thread of a server, direct messages, or a group without the bot.

    A forum's posts are threads. `members`: the members of a thread or group, including the bot if
    it was added to the thread.
    """

    id: str
    type: int
    name: str
    guild_id: str | None = None
    parent_id: str | None = None
    recipient_id: str | None = None  # the person at the other end of a DM
    owner_id: str | None = None  # the person who opened a thread
    denied: int = 0  # permission bits denied to the bot
    last_message_id: str | None = None
    members: list[str] = field(default_factory=list)
    archived: bool = False
    locked: bool = False
    slow_mode: int = 0  # seconds between a member's messages

    @property
    def is_thread(self) -> bool:
        """Whether the channel is a thread or a forum post."""
        return self.type in THREADS


@dataclass
class Message:
    """A message as Discord would send it (`payload`), with facts that Discord doesn't send."""

    payload: Json
    visible_to: str | None = None  # the only person who sees an ephemeral message
    nonce: str | None = None
    dismissed_at: float | None = None  # when that person hid it, in Unix seconds
    files: list[Json] = field(default_factory=list)  # all its attachments, in Discord's shape

    @property
    def id(self) -> str:
        """The message's snowflake."""
        return str(self.payload["id"])

    @property
    def channel_id(self) -> str:
        """The snowflake of the message's channel."""
        return str(self.payload["channel_id"])

    def is_visible_to(self, user_id: str) -> bool:
        """Return whether the person sees the message, provided that they see its channel."""
        return self.visible_to in (None, user_id) and self.dismissed_at is None

    @property
    def flags(self) -> int:
        """Discord's bits, such as EPHEMERAL and COMPONENTS_V2."""
        return int(self.payload["flags"])


@dataclass
class Read:
    """A person's reading progress in a channel.

    `last` is the id of the newest message they have seen. `pings` are the ids of the unread
    messages that mention them; outside a server, of all unread messages.
    """

    last: str
    pings: list[str] = field(default_factory=list)


@dataclass
class Attachment:
    """A message's file, whole in memory."""

    id: str
    channel_id: str
    filename: str
    content_type: str
    content: bytes


@dataclass
class Interaction:
    """Something a person did, and the state of the bot's answer.

    `type` and `callback` are Discord's numbers (named in `interactions`); `made_at` is in Unix
    seconds. `answered` is set by the first answer, `settled` once no deferred answer is pending.
    """

    id: str
    token: str
    type: int
    user_id: str
    channel_id: str
    made_at: float
    body: Json  # the `data` of INTERACTION_CREATE
    message_id: str | None = None  # the message whose component was used
    opener_id: str | None = None  # for a submitted modal: the interaction that opened it
    callback: int | None = None  # the type of the first answer
    original_id: str | None = None  # the message called @original
    modal: Json | None = None
    modal_open: bool = False
    choices: list[Json] | None = None
    failed: bool = False
    follow_ups: int = 0  # messages sent after the first answer
    answered: asyncio.Event = field(default_factory=asyncio.Event, repr=False)
    settled: asyncio.Event = field(default_factory=asyncio.Event, repr=False)


@dataclass(frozen=True)
class RecordedRequest:
    """One request of the bot, as it arrived.

    `route` is Discord's template, such as `/channels/{channel_id}/messages`; `body` the JSON, from
    `payload_json` in a form. `at` is in Unix seconds on the emulator's clock. Requests are numbered
    from 1.
    """

    method: str
    route: str
    path: str
    query: dict[str, str]
    body: Any
    files: tuple[str, ...]
    status: int
    at: float = 0.0
    number: int = 0


@dataclass
class State:
    """The emulator's whole state: each kind of thing by id, in order of creation.

    `messages` are by channel, then by id; `reads` by person, then by channel; `requests` are the
    bot's newest 20,000.
    """

    bot: User
    users: dict[str, User] = field(default_factory=dict)
    guilds: dict[str, Guild] = field(default_factory=dict)
    channels: dict[str, Channel] = field(default_factory=dict)
    messages: dict[str, dict[str, Message]] = field(default_factory=dict)
    reads: dict[str, dict[str, Read]] = field(default_factory=dict)
    attachments: dict[str, Attachment] = field(default_factory=dict)
    interactions: dict[str, Interaction] = field(default_factory=dict)
    by_token: dict[str, Interaction] = field(default_factory=dict)  # the same by token, see `keep`
    # deferred presses ("deferred update"), by the message whose next edit answers them
    put_off: dict[str, list[Interaction]] = field(default_factory=dict)
    commands: list[Json] = field(default_factory=list)
    # allowed ways to install the application, as on the developer portal's page *Installation*
    installs: list[int] = field(default_factory=lambda: [GUILD_INSTALL, USER_INSTALL])
    emojis: list[Json] = field(default_factory=list)  # of the application
    events: dict[str, Json] = field(default_factory=dict)  # scheduled events of all servers, by id
    pictures: dict[str, bytes] = field(default_factory=dict)  # of the emoji, by id
    requests: deque[RecordedRequest] = field(default_factory=lambda: deque(maxlen=REQUESTS_KEPT))
    unknown_requests: list[str] = field(default_factory=list)
    # when each deleted message was sent, by "channel author nonce"
    spent_nonces: dict[str, str] = field(default_factory=dict)

    @property
    def people(self) -> list[User]:
        """All users except the bot."""
        return [user for user in self.users.values() if not user.bot]

    def settle_presses(self, message: Message) -> None:
        """Mark the deferred presses that wait for an edit of this message as answered."""
        for interaction in self.put_off.pop(message.id, []):
            interaction.settled.set()

    def message(self, channel_id: str, message_id: str) -> Message | None:
        """Return a channel's message, or None."""
        return self.messages.get(channel_id, {}).get(message_id)

    def read_of(self, user_id: str, channel: Channel) -> Read:
        """Return a person's reading progress in a channel.

        Messages from before the person was added count as read.
        """
        return self.reads.setdefault(user_id, {}).setdefault(channel.id, Read(user_id))

    def unread(self, user_id: str, channel: Channel) -> bool:
        """Return whether there are messages in a channel that the person hasn't read."""
        last = channel.last_message_id
        return last is not None and int(last) > int(self.read_of(user_id, channel).last)

    def dm_with(self, user_id: str) -> Channel | None:
        """Return the person's direct messages with the bot; None if never opened."""
        for channel in self.channels.values():
            if channel.recipient_id == user_id:
                return channel
        return None

    def can_see(self, user_id: str, channel: Channel) -> bool:
        """Return whether the person can see the channel."""
        if channel.type == GROUP_DM:
            return user_id in channel.members
        if channel.guild_id is None:
            return channel.recipient_id == user_id
        guild = self.guilds[channel.guild_id]
        if channel.type == PRIVATE_THREAD and not guild.manages(user_id):
            return user_id in channel.members and user_id in guild.members
        return user_id in guild.members

    def audience(self, channel: Channel, message: Message | None = None) -> set[str]:
        """Return the ids of the people who see the channel, or the message in it."""
        if message is not None and message.visible_to is not None:
            return {message.visible_to} if message.is_visible_to(message.visible_to) else set()
        if channel.type in (GROUP_DM, PRIVATE_THREAD):
            return {user.id for user in self.people if self.can_see(user.id, channel)}
        if channel.guild_id is None:
            return {channel.recipient_id} if channel.recipient_id else set()
        return set(self.guilds[channel.guild_id].members)

    def visible_messages(self, user_id: str, channel: Channel) -> list[Message]:
        """Return the channel's messages that the person sees, even ephemeral ones, oldest first."""
        if not self.can_see(user_id, channel):
            return []
        return [
            message
            for message in self.messages.get(channel.id, {}).values()
            if message.is_visible_to(user_id)
        ]

    def keep(self, interaction: Interaction) -> None:
        """Register an interaction by id and token."""
        self.interactions[interaction.id] = self.by_token[interaction.token] = interaction

    def forget_old_interactions(self, now: float) -> None:
        """Drop interactions made more than an hour before `now` (Unix seconds)."""
        while self.interactions:
            oldest = next(iter(self.interactions.values()))
            if oldest.made_at > now - INTERACTION_KEPT_SECONDS:
                return
            del self.interactions[oldest.id], self.by_token[oldest.token]
