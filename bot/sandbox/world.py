"""`Sandbox`: one emulated Discord with its people, its server on a loopback port, its file."""

import logging
from pathlib import Path

from aiohttp import web

from bot.sandbox import payloads
from bot.sandbox.acts import Acts
from bot.sandbox.clock import Clock, SystemClock
from bot.sandbox.driver import Person, Server
from bot.sandbox.faults import Faults
from bot.sandbox.gateway import Gateway
from bot.sandbox.interactions import Interactions
from bot.sandbox.messages import Messages
from bot.sandbox.persistence import StateFile
from bot.sandbox.rest import ROUTES
from bot.sandbox.rest.call import PREFIX, add_routes
from bot.sandbox.shown import shown_channel
from bot.sandbox.snowflakes import Snowflakes
from bot.sandbox.state import (
    DM_CHANNEL,
    PUBLIC_THREAD,
    Channel,
    Guild,
    Json,
    State,
    User,
)
from bot.sandbox.stream import Stream
from bot.sandbox.web import add_page, refuse_strangers

log = logging.getLogger(__name__)

LOOPBACK = ("127.0.0.1", "::1", "localhost")
COLORS = ("#5865f2", "#eb459e", "#57a55a", "#d9822b", "#3ba7b5", "#a35bd6", "#c9504d", "#7a8a2f")
MAX_REQUEST_BYTES = 110 * 1024 * 1024  # ten files of 10 MiB, and the form around them


class Sandbox:
    """The world: what is in `state`, and the parts that change it.

    >>> world = Sandbox()
    >>> await world.start(port=0)
    >>> table = world.add_guild("The Snug").add_text_channel("poker-night")
    >>> ann = world.add_person("Ann")
    """

    def __init__(
        self,
        clock: Clock | None = None,
        state_file: Path | None = None,
        bot_name: str = "Bluffhouse",
        privileged_intents: bool = False,
    ) -> None:
        self.clock: Clock = clock or SystemClock()
        self.privileged_intents = privileged_intents
        self.snowflakes = Snowflakes(self.clock)
        bot = User(self.snowflakes.next(), bot_name, COLORS[0], bot=True)
        self.state = State(bot, users={bot.id: bot})
        self.stream = Stream()
        self.faults = Faults(self)
        self.messages = Messages(self)
        self.interactions = Interactions(self)
        self.gateway = Gateway(self)
        self.acts = Acts(self)
        self.base_url = ""
        self._file = StateFile(state_file)
        self._runner: web.AppRunner | None = None

    # the server

    @property
    def api_url(self) -> str:
        """What the client library's `Route.BASE` is set to."""
        return self.base_url + PREFIX

    @property
    def gateway_url(self) -> str:
        """What the client library's gateway is set to."""
        return self.base_url.replace("http://", "ws://", 1) + "/gateway"

    async def start(self, port: int = 0, host: str = "127.0.0.1") -> str:
        """Serve on a loopback port (0: any free one), after loading the file if there is one.

        Returns the address. Raises ValueError for a host that is not loopback or a bad file,
        OSError if the port is taken.
        """
        if host not in LOOPBACK:
            raise ValueError(
                f"The local Discord only listens on loopback, not on {host}; use 127.0.0.1."
            )
        app = web.Application(
            client_max_size=MAX_REQUEST_BYTES, middlewares=[refuse_strangers(LOOPBACK)]
        )
        add_routes(app, self, ROUTES)
        add_page(app, self)
        app.router.add_get("/gateway", self.gateway.handle)
        app.router.add_get("/gateway/", self.gateway.handle)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
        await self._runner.setup()
        site = web.TCPSite(self._runner, host, port)
        try:
            await site.start()
            bound = self._runner.addresses[0][1]
            self.base_url = f"http://{f'[{host}]' if ':' in host else host}:{bound}"
            if self._file.exists():
                self.state, self.snowflakes.last = self._file.load(self.base_url)
        except BaseException:
            await self._runner.cleanup()
            raise
        self._file.keep_saving(
            lambda: self._file.save_aside(self.state, self.snowflakes.last, self.base_url)
        )
        return self.base_url

    async def stop(self) -> None:
        """Close every connection, save, and free the port."""
        self.stream.close()
        await self.interactions.stop()
        await self.gateway.stop()
        await self._file.stop()
        if self._runner is not None:
            await self._runner.cleanup()
            self.save()

    def save(self) -> None:
        """Write the state to its file, if it has one."""
        self._file.save(self.state, self.snowflakes.last, self.base_url)

    def changed(self) -> None:
        """Note that the state is to be saved soon."""
        self._file.changed()

    # furniture

    def add_guild(self, name: str, owner: Person | None = None) -> Server:
        """A server everybody is in. Unless a person is its owner, nobody who plays is."""
        owner_id = owner.id if owner else self.snowflakes.next()
        members = [user.id for user in self.state.people]
        guild = Guild(self.snowflakes.next(), name, owner_id, members)
        self.snowflakes.last += 1  # the moderators' role
        self.state.guilds[guild.id] = guild
        self._announce("GUILD_CREATE", payloads.guild_payload(self.state, guild), guild.id)
        return Server(self, guild)

    def add_channel(
        self,
        kind: int,
        name: str,
        *,
        guild_id: str | None = None,
        parent_id: str | None = None,
        recipient_id: str | None = None,
        owner_id: str | None = None,
    ) -> Channel:
        """A channel of any kind, told to the bot and to the people who see it."""
        channel = Channel(
            self.snowflakes.next(), kind, name, guild_id, parent_id, recipient_id, owner_id
        )
        self.state.channels[channel.id] = channel
        event = {"channel": shown_channel(channel), "guild_id": guild_id}
        self.stream.publish({"type": "channel_create"} | event, self.state.audience(channel))
        if kind != DM_CHANNEL:
            told = "THREAD_CREATE" if kind == PUBLIC_THREAD else "CHANNEL_CREATE"
            self._announce(told, payloads.channel_payload(self.state, channel), guild_id)
        return channel

    async def add_thread(self, channel: Channel, name: str, owner: User) -> Channel:
        return self.add_channel(
            PUBLIC_THREAD,
            name,
            guild_id=channel.guild_id,
            parent_id=channel.id,
            owner_id=owner.id,
        )

    async def dm_channel(self, user: User) -> Channel:
        """The direct messages between the person and the bot, opened if need be."""
        found = self.state.dm_with(user.id)
        return found or self.add_channel(DM_CHANNEL, user.name, recipient_id=user.id)

    def add_person(self, name: str) -> Person:
        """Somebody new, in every server. Raises ValueError for an empty, long or taken name."""
        name = name.strip()
        if not 1 <= len(name) <= 32:
            raise ValueError("A name has 1 to 32 letters, such as Ann.")
        if any(user.name.lower() == name.lower() for user in self.state.users.values()):
            raise ValueError(f"There already is somebody called {name}.")
        color = COLORS[len(self.state.users) % len(COLORS)]
        user = User(self.snowflakes.next(), name, color)
        self.state.users[user.id] = user
        for guild in self.state.guilds.values():
            guild.members.append(user.id)
        self.changed()
        self.stream.publish({"type": "people"})
        return Person(self, user.id)

    def person(self, name: str) -> Person:
        """The person of that name. Raises KeyError if there is none."""
        for user in self.state.people:
            if user.name == name:
                return Person(self, user.id)
        raise KeyError(name)

    def server(self, name: str) -> Server:
        """The server of that name. Raises KeyError if there is none."""
        for guild in self.state.guilds.values():
            if guild.name == name:
                return Server(self, guild)
        raise KeyError(name)

    def furnish(self) -> None:
        """The world a newcomer finds: one server, three channels, three people."""
        snug = self.add_guild("The Snug")
        for name in ("poker-night", "general", "high-stakes"):
            snug.add_text_channel(name)
        for name in ("Ann", "Bob", "Cleo"):
            self.add_person(name)

    def _announce(self, event: str, body: Json, guild_id: str | None) -> None:
        """Tell the bot, in the background, so that furnishing needs no event loop."""
        self.changed()
        if self.gateway.online:
            self.interactions.background(lambda: self.gateway.dispatch(event, body, guild_id))

    async def bot_online(self) -> None:
        """Wait until the bot is connected."""
        await self.gateway.connected.wait()
