"""What the emulator remembers: plain records, looked up by id.

Messages, components and commands are kept in Discord's own JSON shape, since that is what is
asked for again; everything else is a record that `payloads` puts into that shape.
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
VOICES = frozenset({VOICE_CHANNEL, STAGE_CHANNEL})  # whose chats only who may connect can read
PRIVATE_CHANNELS = frozenset({DM_CHANNEL, GROUP_DM})

GUILD_INSTALL, USER_INSTALL = 0, 1

EPHEMERAL = 1 << 6
LOADING = 1 << 7
COMPONENTS_V2 = 1 << 15

REQUESTS_KEPT = 20_000
INTERACTION_KEPT_SECONDS = 3600.0
TOKEN_SECONDS = 15 * 60.0  # how long an interaction's token is good for


def copied(json: T) -> T:
    """JSON that shares nothing with the one given. `copy.deepcopy` takes ten times as long."""
    value: Any = json
    copy: T = marshal.loads(marshal.dumps(value))
    return copy


@dataclass
class User:
    """A person or the bot. `color` is CSS, for the page; `dms_open`: takes the bot's messages;
    `has_app`: has installed the application for themselves."""

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

    The bot is in it until it is removed; while the server is down the bot only knows that it is.
    `has_app`: the application's commands are there, with the bot or without. `bot_makes_events`: it
    was given the permission, which it does not ask for. `bot_timed_out_until`: a moderator's doing.
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
    bot_timed_out_until: str | None = None  # as ISO 8601

    def manages(self, user_id: str) -> bool:
        """Whether the person may manage threads, and so sees all of them."""
        return user_id == self.owner_id or user_id in self.moderators


@dataclass
class Channel:
    """A channel of a server, a thread below one (a post, if that is a forum), the direct messages
    of one person, or a group of people without the bot.

    `members` are a thread's or a group's, the bot among those of a thread that it was added to.
    """

    id: str
    type: int
    name: str
    guild_id: str | None = None
    parent_id: str | None = None
    recipient_id: str | None = None  # the person at the other end of a DM
    owner_id: str | None = None  # who opened a thread
    denied: int = 0  # permission bits the bot lacks here
    last_message_id: str | None = None
    members: list[str] = field(default_factory=list)
    archived: bool = False
    locked: bool = False
    slow_mode: int = 0  # seconds that members wait between messages

    @property
    def is_thread(self) -> bool:
        """Whether it lies below another channel."""
        return self.type in THREADS


@dataclass
class Message:
    """A message as Discord would send it (`payload`), and what its payload does not tell."""

    payload: Json
    visible_to: str | None = None  # the one person who sees an ephemeral message
    nonce: str | None = None
    dismissed_at: float | None = None  # when the one who saw it put it away, in Unix seconds
    files: list[Json] = field(default_factory=list)  # all its attachments, in Discord's shape

    @property
    def id(self) -> str:
        """The message's snowflake."""
        return str(self.payload["id"])

    @property
    def channel_id(self) -> str:
        """The snowflake of the channel it is in."""
        return str(self.payload["channel_id"])

    def seen_by(self, user_id: str) -> bool:
        """Whether the person sees it, if they see its channel."""
        return self.visible_to in (None, user_id) and self.dismissed_at is None

    @property
    def flags(self) -> int:
        """Discord's bits, such as EPHEMERAL and COMPONENTS_V2."""
        return int(self.payload["flags"])


@dataclass
class Read:
    """How far one person has read one channel: `last` is the newest message they have seen, `pings`
    the unread ones that call them."""

    last: str
    pings: list[str] = field(default_factory=list)


@dataclass
class Attachment:
    """A file that came with a message, whole in memory."""

    id: str
    channel_id: str
    filename: str
    content_type: str
    content: bytes


@dataclass
class Interaction:
    """Something a person did, and how far the bot has answered it.

    `type` and `callback` are Discord's numbers (`interactions` names them), `made_at` is in Unix
    seconds. `answered` is set by the first answer, `settled` once no deferral is open.
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
    original_id: str | None = None  # the message that @original means
    modal: Json | None = None
    modal_open: bool = False
    choices: list[Json] | None = None
    failed: bool = False
    follow_ups: int = 0  # messages sent after the first answer
    answered: asyncio.Event = field(default_factory=asyncio.Event, repr=False)
    settled: asyncio.Event = field(default_factory=asyncio.Event, repr=False)


@dataclass(frozen=True)
class RecordedRequest:
    """One request of the bot, as it arrived. `route` is Discord's template, such as
    `/channels/{channel_id}/messages`; `body` the JSON, from `payload_json` if it was a form.
    `at` is in Unix seconds on the emulator's clock; requests are numbered from 1."""

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
    """Everything the emulator knows, each kind of thing by its id, in the order it was made.

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
    by_token: dict[str, Interaction] = field(default_factory=dict)  # the same; see `keep`
    # presses that were put off ("deferred update"), by the message whose next edit answers them
    put_off: dict[str, list[Interaction]] = field(default_factory=dict)
    commands: list[Json] = field(default_factory=list)
    # who may install the application: the boxes of the developer portal's page *Installation*
    installs: list[int] = field(default_factory=lambda: [GUILD_INSTALL, USER_INSTALL])
    emojis: list[Json] = field(default_factory=list)  # the application's own
    events: dict[str, Json] = field(default_factory=dict)  # scheduled ones of all servers, by id
    pictures: dict[str, bytes] = field(default_factory=dict)  # of these emoji, by their ids
    requests: deque[RecordedRequest] = field(default_factory=lambda: deque(maxlen=REQUESTS_KEPT))
    unknown_requests: list[str] = field(default_factory=list)
    # of deleted messages: when each was sent, by "channel author nonce"
    spent_nonces: dict[str, str] = field(default_factory=dict)

    @property
    def people(self) -> list[User]:
        """Every user but the bot."""
        return [user for user in self.users.values() if not user.bot]

    def settle_presses(self, message: Message) -> None:
        """Let go who waits for the next edit of the message, be it by whichever token."""
        for interaction in self.put_off.pop(message.id, []):
            interaction.settled.set()

    def message(self, channel_id: str, message_id: str) -> Message | None:
        """The message, if the channel has it."""
        return self.messages.get(channel_id, {}).get(message_id)

    def read_of(self, user_id: str, channel: Channel) -> Read:
        """What the person has read there. What was there before they came counts as read."""
        return self.reads.setdefault(user_id, {}).setdefault(channel.id, Read(user_id))

    def unread(self, user_id: str, channel: Channel) -> bool:
        """Whether something was written there since the person last looked."""
        last = channel.last_message_id
        return last is not None and int(last) > int(self.read_of(user_id, channel).last)

    def dm_with(self, user_id: str) -> Channel | None:
        """The person's direct messages with the bot, if they were ever opened."""
        for channel in self.channels.values():
            if channel.recipient_id == user_id:
                return channel
        return None

    def can_see(self, user_id: str, channel: Channel) -> bool:
        """Whether the person is in the channel at all."""
        if channel.type == GROUP_DM:
            return user_id in channel.members
        if channel.guild_id is None:
            return channel.recipient_id == user_id
        guild = self.guilds[channel.guild_id]
        if channel.type == PRIVATE_THREAD and not guild.manages(user_id):
            return user_id in channel.members and user_id in guild.members
        return user_id in guild.members

    def audience(self, channel: Channel, message: Message | None = None) -> set[str]:
        """The people who see the channel, or the message in it."""
        if message is not None and message.visible_to is not None:
            return {message.visible_to} if message.seen_by(message.visible_to) else set()
        if channel.type in (GROUP_DM, PRIVATE_THREAD):
            return {user.id for user in self.people if self.can_see(user.id, channel)}
        if channel.guild_id is None:
            return {channel.recipient_id} if channel.recipient_id else set()
        return set(self.guilds[channel.guild_id].members)

    def seen_by(self, user_id: str, channel: Channel) -> list[Message]:
        """The messages the person sees there, oldest first, with their own ephemerals."""
        if not self.can_see(user_id, channel):
            return []
        return [
            message
            for message in self.messages.get(channel.id, {}).values()
            if message.seen_by(user_id)
        ]

    def keep(self, interaction: Interaction) -> None:
        """Know an interaction from now on, by its id and by its token."""
        self.interactions[interaction.id] = self.by_token[interaction.token] = interaction

    def forget_old_interactions(self, now: float) -> None:
        """Drop what Discord itself would no longer know; their ids then read as unknown."""
        while self.interactions:
            oldest = next(iter(self.interactions.values()))
            if oldest.made_at > now - INTERACTION_KEPT_SECONDS:
                return
            del self.interactions[oldest.id], self.by_token[oldest.token]
