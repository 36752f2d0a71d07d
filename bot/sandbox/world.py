"""`Sandbox`: one emulated Discord with its people, its server on a loopback port, and its file."""

from pathlib import Path

from aiohttp import web

from bot.sandbox.clock import SandboxClock
from bot.sandbox.discord_state import Channel
from bot.sandbox.driver import Person, Server
from bot.sandbox.emulator import Emulator
from bot.sandbox.limits import Admission
from bot.sandbox.persistence import StateFile
from bot.sandbox.rest import ROUTES
from bot.sandbox.rest.call import PREFIX, add_routes
from bot.sandbox.web import add_page, refuse_strangers

LOOPBACK = ("127.0.0.1", "::1", "localhost")
MAX_REQUEST_BYTES = 110 * 1024 * 1024  # ten files of 10 MiB, and the form itself


class Sandbox(Emulator):
    """The world: an emulator that is served, stored in a file, and filled with people.

    >>> world = Sandbox()
    >>> await world.start(port=0)
    >>> table = world.add_guild("The Snug").add_text_channel("poker-night")
    >>> ann = world.add_person("Ann")
    """

    def __init__(
        self,
        clock: SandboxClock | None = None,
        state_file: Path | None = None,
        admission: Admission | None = None,
    ) -> None:
        super().__init__(clock, admission)
        self._file = StateFile(state_file, self.unsaved)
        self._runner: web.AppRunner | None = None

    # the server

    @property
    def api_url(self) -> str:
        """The value for the client library's `Route.BASE`."""
        return self.base_url + PREFIX

    async def start(self, port: int = 0, host: str = "127.0.0.1") -> str:
        """Serve on a loopback port (0: any free one), after loading the file if there is one.

        Return the address. Raises ValueError for a host that is not loopback or a bad file, OSError
        if the port is taken.
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
        await self.gateway.stop()
        await self._file.stop()
        if self._runner is not None:
            await self._runner.cleanup()
            self.save()

    def save(self) -> None:
        """Write the state to its file, if it has one."""
        self._file.save(self.state, self.snowflakes.last, self.base_url)

    async def bot_online(self) -> None:
        """Wait until the bot is connected."""
        await self.gateway.connected.wait()

    # furniture

    def add_guild(self, name: str, owner: Person | None = None) -> Server:
        """Add a server with everybody and the bot in it; without an owner, a stranger owns it."""
        return Server(self, self.places.add_guild(name, owner.id if owner else None))

    def add_person(self, name: str) -> Person:
        """Add a person to every server. Raises ValueError for an empty, long or taken name."""
        return Person(self, self.places.add_person(name).id)

    def add_group(self, name: str, *people: Person) -> Channel:
        """Add a group of people without the bot; the first of them owns it."""
        return self.places.add_group(name, [self.state.users[person.id] for person in people])

    def person(self, name: str) -> Person:
        """Return the person of that name. Raises KeyError if there is none."""
        for user in self.state.people:
            if user.name == name:
                return Person(self, user.id)
        raise KeyError(name)

    def server(self, name: str) -> Server:
        """Return the server of that name. Raises KeyError if there is none."""
        for guild in self.state.guilds.values():
            if guild.name == name:
                return Server(self, guild)
        raise KeyError(name)

    def furnish(self) -> None:
        """Fill a new world: one server, three channels, three people; Ann moderates."""
        snug = self.add_guild("The Snug")
        for name in ("poker-night", "general", "high-stakes"):
            snug.add_text_channel(name)
        for name in ("Ann", "Bob", "Cleo"):
            self.add_person(name)
        snug.make_moderator(self.person("Ann"))
