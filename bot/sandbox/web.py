"""The page's HTTP API: what a person sees, a stream of changes, and the person's acts.

Everything is JSON; an error is `{"error": "one sentence"}` with a 4xx status. Another process can
use the same API to drive the emulator (`remote`).
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from urllib.parse import urlsplit

from aiohttp import web
from aiohttp.typedefs import Middleware

from bot.sandbox.client_input import available
from bot.sandbox.discord_state import DM_CHANNEL, Json, User
from bot.sandbox.emulator import Emulator
from bot.sandbox.errors import CannotDo, InteractionFailed
from bot.sandbox.payloads import (
    page_channel,
    page_message,
    page_person,
    page_read,
    user_payload,
)

PAGE = Path(__file__).with_name("page")
PAGE_OF_MESSAGES = 50
PING_SECONDS = 15.0
PICTURES = ("image/png", "image/gif", "image/jpeg", "image/webp")

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def refuse_strangers(hosts: tuple[str, ...]) -> Middleware:
    """Return a middleware that admits only this machine's own pages and programs.

    Another site could otherwise reach the emulator through the browser, by a name that resolves to
    loopback or by posting a form.
    """

    @web.middleware
    async def check(request: web.Request, handler: Handler) -> web.StreamResponse:
        named = urlsplit(f"//{request.host}").hostname
        origin = request.headers.get("Origin")
        if named not in hosts or (origin and urlsplit(origin).netloc != request.host):
            raise web.HTTPForbidden(text="The local Discord only answers this machine.")
        return await handler(request)

    return check


def add_page(app: web.Application, world: Emulator) -> None:
    """Add the routes of the page, its API, the attachments and the emoji."""
    page = Page(world)
    app.router.add_get("/", page.index)
    app.router.add_get("/page/static/{path:.+}", page.static)
    app.router.add_get("/page/people", _json(page.people))
    app.router.add_post("/page/people", _json(page.add_person))
    app.router.add_post("/page/people/{id}", _json(page.change_person))
    app.router.add_get("/page/view", _json(page.view))
    app.router.add_get("/page/messages", _json(page.messages))
    app.router.add_get("/page/stream", page.stream)
    app.router.add_post("/page/act", _json(page.act))
    app.router.add_post("/page/faults", _json(page.faults))
    app.router.add_get("/page/requests", _json(page.requests))
    app.router.add_get("/attachments/{channel}/{id}/{filename}", page.attachment)
    app.router.add_get("/emojis/{id}.png", page.emoji)


def _json(handler: Callable[[web.Request], Awaitable[Json]]) -> Handler:
    async def answer(request: web.Request) -> web.Response:
        try:
            return web.json_response(await handler(request))
        except (CannotDo, ValueError) as error:
            return web.json_response({"error": str(error)}, status=400)
        except KeyError as error:
            return web.json_response({"error": f"The request lacks {error}."}, status=400)

    return answer


async def _body(request: web.Request) -> Json:
    try:
        body = await request.json()
    except (ValueError, RecursionError):  # nested too deeply
        body = None
    if not isinstance(body, dict):
        raise CannotDo('Expected a JSON object, such as {"name": "Dora"}.')
    return body


class Page:
    """The page's handlers."""

    def __init__(self, world: Emulator) -> None:
        self._world = world

    async def index(self, request: web.Request) -> web.StreamResponse:
        """Serve the page itself."""
        return self._file("index.html")

    async def static(self, request: web.Request) -> web.StreamResponse:
        """Serve a file of `page/`, and nothing outside it."""
        return self._file(request.match_info["path"])

    def _file(self, name: str) -> web.StreamResponse:
        if "\0" in name:  # not a possible path
            raise web.HTTPNotFound(text="There is no such file.")
        path = (PAGE / name).resolve()
        if not path.is_relative_to(PAGE.resolve()) or not path.is_file():
            raise web.HTTPNotFound(text="There is no such file.")
        return web.FileResponse(path, headers={"Cache-Control": "no-cache"})

    async def people(self, request: web.Request) -> Json:
        """Return all people of the world, each with `pings`: how many unread messages ping them."""
        state = self._world.state
        return {
            "people": [
                page_person(user)
                | {"pings": sum(len(read.pings) for read in state.reads.get(user.id, {}).values())}
                for user in state.people
            ]
        }

    async def add_person(self, request: web.Request) -> Json:
        """Add a person from `{"name": ...}` and return them. Raises ValueError for a bad name."""
        name = str((await _body(request))["name"])
        return page_person(self._world.places.add_person(name))

    async def change_person(self, request: web.Request) -> Json:
        """Open or close a person's direct messages: `{"dms_open": false}`."""
        user = self._world.acts.person(request.match_info["id"])
        self._world.faults.dms_open(user, bool((await _body(request))["dms_open"]))
        return page_person(user)

    def _me(self, request: web.Request) -> User:
        return self._world.acts.person(request.query.get("as", ""))

    async def view(self, request: web.Request) -> Json:
        """Return what the person `as` has on the screen.

        The answer has places, people, the bot, usable commands and unread marks.
        """
        state, me = self._world.state, self._me(request)
        bot = {
            "id": state.bot.id,
            "username": state.bot.name,
            "online": self._world.gateway.online,
        }
        return {
            "me": page_person(me),
            "people": [page_person(user) for user in state.people],
            "bot": bot,
            "guilds": [
                {
                    "id": guild.id,
                    "name": guild.name,
                    "members": guild.members,
                    "moderators": guild.moderators,
                    "channels": [
                        page_channel(channel)
                        for channel in state.channels.values()
                        if channel.guild_id == guild.id
                    ],
                }
                for guild in state.guilds.values()
                if me.id in guild.members
            ],
            "dms": [
                {
                    "id": channel.id,
                    "recipient": user_payload(state.bot),
                    "last_message_id": channel.last_message_id,
                }
                for channel in state.channels.values()
                if channel.type == DM_CHANNEL and channel.recipient_id == me.id
            ],
            "commands": self._usable_commands(me),
            "reads": [
                page_read(state, me.id, channel)
                for channel in state.channels.values()
                if state.can_see(me.id, channel)
            ],
        }

    def _usable_commands(self, me: User) -> list[Json]:
        """Return the commands that the person may use in some channel they see."""
        state = self._world.state
        usable = {
            command["id"]
            for channel in state.channels.values()
            if state.can_see(me.id, channel)
            for command in available(state, me, channel)
        }
        return [command for command in state.commands if command["id"] in usable]

    async def messages(self, request: web.Request) -> Json:
        """Return the newest fifty messages that the person sees in a channel, oldest first.

        With `before`: the newest fifty older than the message of that id.
        """
        me = self._me(request)
        channel = self._world.acts.channel(me.id, request.query.get("channel", ""))
        visible = self._world.state.visible_messages(me.id, channel)
        before = request.query.get("before")
        if before:
            visible = [message for message in visible if int(message.id) < int(before)]
        return {"messages": [page_message(m) for m in visible[-PAGE_OF_MESSAGES:]]}

    async def act(self, request: web.Request) -> Json:
        """Do `{"as": id, "type": act, ...}`; for a refusal, the answer has `"ok": false`."""
        body = await _body(request)
        try:
            return await self._world.acts.perform(str(body["as"]), str(body["type"]), body)
        except CannotDo as error:
            return {"ok": False, "error": str(error)}
        except InteractionFailed as error:
            return {"ok": False, "error": str(error), "interaction_id": error.interaction_id}

    async def faults(self, request: web.Request) -> Json:
        """Set a fault, given as JSON (`faults.Faults.order`)."""
        await self._world.faults.order(await _body(request))
        return {"ok": True}

    async def requests(self, request: web.Request) -> Json:
        """Return the bot's requests, all or those after number `since`.

        The answer also has `unknown_requests`, those to paths that aren't emulated, and `latest`,
        the number of the last request.
        """
        state = self._world.state
        since = int(request.query.get("since", 0))
        return {
            "requests": [
                asdict(recorded) for recorded in state.requests if recorded.number > since
            ],
            "latest": state.requests[-1].number if state.requests else 0,
            "unknown_requests": state.unknown_requests,
        }

    async def stream(self, request: web.Request) -> web.StreamResponse:
        """Send a person's events over a WebSocket.

        A browser opens at most six HTTP connections to a host, for all its tabs together. A stream
        over HTTP would use one of them.
        """
        try:
            me = self._me(request)
        except CannotDo as error:
            return web.json_response({"error": str(error)}, status=400)
        socket = web.WebSocketResponse(heartbeat=PING_SECONDS)
        with self._world.stream.listening(me.id) as events:
            await socket.prepare(request)
            sending = asyncio.create_task(_pump(events, socket))
            try:
                async for _ in socket:  # a page sends nothing; this ends when it closes
                    pass
            finally:
                sending.cancel()
        return socket

    async def emoji(self, request: web.Request) -> web.Response:
        """Serve the picture of one of the application's own emoji."""
        picture = self._world.state.pictures.get(request.match_info["id"])
        if picture is None:
            raise web.HTTPNotFound(text="There is no such emoji.")
        headers = {
            "X-Content-Type-Options": "nosniff",
            "Cache-Control": "max-age=31536000, immutable",
        }
        return web.Response(body=picture, content_type="image/png", headers=headers)

    async def attachment(self, request: web.Request) -> web.Response:
        """Serve a file by its address; pictures are shown in place, others are downloaded."""
        file = self._world.state.attachments.get(request.match_info["id"])
        if file is None or file.channel_id != request.match_info["channel"]:
            raise web.HTTPNotFound(text="There is no such file.")
        headers = {"X-Content-Type-Options": "nosniff", "Content-Type": file.content_type}
        if file.content_type not in PICTURES:
            headers["Content-Disposition"] = "attachment"
        return web.Response(body=file.content, headers=headers)


async def _pump(events: "asyncio.Queue[Json | None]", socket: web.WebSocketResponse) -> None:
    with suppress(ConnectionError):  # the page has closed
        while (event := await events.get()) is not None:
            await socket.send_json(event)
        await socket.close()
