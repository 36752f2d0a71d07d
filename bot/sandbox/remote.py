"""The driver for an emulator in another process, over the page's HTTP API.

>>> async with RemoteWorld("http://127.0.0.1:8765") as world:
...     ann = await world.person("Ann")
...     outcome = await ann.slash(await world.channel("poker-night"), "play")
"""

import asyncio
import sys
from types import TracebackType
from typing import Self

import aiohttp

from bot.sandbox.actor import Actor, ActOutcome, Place, id_of
from bot.sandbox.discord_state import Json
from bot.sandbox.errors import CannotDo, InteractionFailed
from bot.sandbox.screen import SeenMessage

FAILED = "This interaction failed"
POLL_SECONDS = 0.05

Query = dict[str, str]


class RemoteWorld:
    """A running emulator in another process."""

    def __init__(self, address: str) -> None:
        self._address = address.rstrip("/")
        self._http: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        self._http = aiohttp.ClientSession()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._http is not None:
            await self._http.close()

    async def ask(
        self, method: str, path: str, body: Json | None = None, query: Query | None = None
    ) -> Json:
        """Return the page's answer to a request. Raises CannotDo with the page's error text."""
        if self._http is None:
            raise RuntimeError("RemoteWorld is used as a context manager: async with RemoteWorld()")
        url = self._address + path
        async with self._http.request(method, url, json=body, params=query) as response:
            answer: Json = await response.json()
            if response.status >= 400:
                raise CannotDo(str(answer.get("error")))
            return answer

    async def person(self, name: str) -> "RemotePerson":
        """Return the person of that name. Create the person if there is none."""
        people = (await self.ask("GET", "/page/people"))["people"]
        for person in people:
            if person["name"] == name:
                return RemotePerson(self, person["id"], name)
        added = await self.ask("POST", "/page/people", {"name": name})
        return RemotePerson(self, added["id"], name)

    async def channel(self, name: str) -> str:
        """Return the id of the channel of that name. Raises KeyError if there is none."""
        return (await self.channels())[name]

    async def channels(self) -> dict[str, str]:
        """Return the ids of the channels in the first person's servers, by name.

        If several channels have the same name, the first is returned.
        """
        first = (await self.ask("GET", "/page/people"))["people"][0]["id"]
        view = await self.ask("GET", "/page/view", query={"as": first})
        channels = [channel for guild in view["guilds"] for channel in guild["channels"]]
        return {str(channel["name"]): str(channel["id"]) for channel in reversed(channels)}

    async def bot_online(self, timeout: float = 30.0) -> None:
        """Wait until the bot is connected and has commands.

        Raises TimeoutError after `timeout` seconds.
        """
        first = (await self.ask("GET", "/page/people"))["people"][0]["id"]
        async with asyncio.timeout(timeout):
            while True:
                view = await self.ask("GET", "/page/view", query={"as": first})
                if view["bot"] and view["bot"]["online"] and view["commands"]:
                    return
                await asyncio.sleep(POLL_SECONDS)

    async def fault(self, name: str, **arguments: object) -> None:
        """Set a fault, such as `fault("rate_limit", route="POST /channels/*", times=2)`."""
        await self.ask("POST", "/page/faults", {"fault": name, **arguments})

    async def mark(self) -> int:
        """Return the number of the bot's latest request, for `requests(since=mark)`."""
        reply = await self.ask("GET", "/page/requests", query={"since": str(sys.maxsize)})
        return int(reply["latest"])

    async def requests(self, since: int = 0) -> list[Json]:
        """Return the bot's requests after a `mark`, oldest first (`RecordedRequest`)."""
        query = {"since": str(since)}
        requests: list[Json] = (await self.ask("GET", "/page/requests", query=query))["requests"]
        return requests


class RemotePerson(Actor):
    """A person in another process's world."""

    def __init__(self, world: RemoteWorld, user_id: str, name: str) -> None:
        self._world = world
        self.id = user_id
        self.name = name

    async def act(self, kind: str, **body: object) -> ActOutcome:
        """Do an act over `POST /page/act`, by its kind and body (`acts.Acts`)."""
        answer = await self._world.ask("POST", "/page/act", {"as": self.id, "type": kind, **body})
        if answer["ok"]:
            return self.outcome(answer)
        if answer["error"] == FAILED:
            raise InteractionFailed(str(answer.get("interaction_id", "")))
        raise CannotDo(answer["error"])

    async def visible(self, channel: Place) -> list[SeenMessage]:
        """Return the newest fifty messages that the person sees in a channel, oldest first."""
        query = {"as": self.id, "channel": id_of(channel)}
        reply = await self._world.ask("GET", "/page/messages", query=query)
        return [SeenMessage(message) for message in reply["messages"]]

    async def dms(self) -> list[str]:
        """Return the ids of the person's direct-message channels."""
        view = await self._world.ask("GET", "/page/view", query={"as": self.id})
        return [str(channel["id"]) for channel in view["dms"]]

    async def dm_messages(self) -> list[SeenMessage]:
        """Return the newest fifty messages of each direct-message channel, oldest first."""
        return [message for channel in await self.dms() for message in await self.visible(channel)]

    async def set_dms_open(self, is_open: bool) -> None:
        """Accept direct messages from the bot, or refuse them (the bot then gets 50007)."""
        await self._world.ask("POST", f"/page/people/{self.id}", {"dms_open": is_open})

    async def current(self, message: SeenMessage) -> SeenMessage:
        """Return the message as it is now.

        Raises CannotDo if the message isn't among the newest fifty that the person sees in its
        channel.
        """
        for now in await self.visible(message.channel_id):
            if now.id == message.id:
                return now
        raise CannotDo("That message is not there, or only others can see it.")
