"""Trouble to order: what Discord and the network do to a bot sooner or later.

Each fault is set in-process by a method (of `Gateway`, if it is one of the gateway's), or by
`POST /page/faults` with `{"fault": <method name>, ...its arguments}`.
"""

import asyncio
from dataclasses import dataclass
from fnmatch import fnmatchcase

from bot.sandbox.core import Core
from bot.sandbox.discord_state import Channel, Json, User
from bot.sandbox.errors import CannotDo
from bot.sandbox.gateway import Gateway, Send
from bot.sandbox.payloads import channel_payload, member_payload
from bot.sandbox.permissions import (
    ATTACH_FILES,
    CONNECT,
    CREATE_PUBLIC_THREADS,
    EMBED_LINKS,
    READ_MESSAGE_HISTORY,
    SEND_MESSAGES,
    SEND_MESSAGES_IN_THREADS,
    VIEW_CHANNEL,
)
from bot.sandbox.places import Places

DENIABLE = {
    "view_channel": VIEW_CHANNEL,
    "send_messages": SEND_MESSAGES,
    "create_public_threads": CREATE_PUBLIC_THREADS,
    "send_messages_in_threads": SEND_MESSAGES_IN_THREADS,
    "connect": CONNECT,
    "embed_links": EMBED_LINKS,
    "attach_files": ATTACH_FILES,
    "read_message_history": READ_MESSAGE_HISTORY,
}


OPEN_DM = "POST /users/@me/channels"


@dataclass
class RestFault:
    """Applies to the next `times` requests whose "METHOD /route/template" matches `route`."""

    route: str
    times: int
    status: int
    retry_after: float = 0.0
    everywhere: bool = False
    shared: bool = False
    headers: bool = True
    via: bool = True
    code: int = 0
    hangs: bool = False
    after: bool = False  # the request is carried out, only its answer is lost
    cut: bool = False  # the connection is closed without an answer
    message: str = "The server is in trouble"


class Faults:
    """The faults that wait to happen. Routes are patterns such as `POST /interactions/*` or `*`."""

    def __init__(self, core: Core, gateway: Gateway, places: Places) -> None:
        self._core = core
        self._gateway = gateway
        self._places = places
        self._rest: list[RestFault] = []
        self._duplicates = 0
        self._delays: list[float] = []
        self._undelivered = 0
        self.clock_ahead = 0.0  # of answers, before this machine's
        self._cleared = asyncio.Event()

    async def until_cleared(self) -> None:
        """Wait for the next `clear`."""
        await self._cleared.wait()

    def take(self, method: str, route: str) -> RestFault | None:
        """The fault for this request, used up once; None if it is to go well."""
        for fault in self._rest:
            if fnmatchcase(f"{method} {route}", fault.route):
                fault.times -= 1
                if fault.times <= 0:
                    self._rest.remove(fault)
                return fault
        return None

    async def deliver(self, send: Send) -> None:
        """Send one interaction the way the faults want: late, twice, not at all, or plainly."""
        if self._undelivered:
            self._undelivered -= 1
            return
        if self._delays:
            await self._core.clock.sleep(self._delays.pop(0))
        await send()
        if self._duplicates:
            self._duplicates -= 1
            await send()

    def rate_limit(
        self,
        route: str = "*",
        times: int = 1,
        retry_after: float = 0.05,
        everywhere: bool = False,
        shared: bool = False,
        headers: bool = True,
        via: bool = True,
    ) -> None:
        """429: of the route, of the bot `everywhere`, or of a resource `shared` with others.

        Without `headers` only the body says when to come again. Without `via` it looks like a ban
        of the address, which no client retries.
        """
        self._rest.append(
            RestFault(route, times, 429, retry_after, everywhere, shared, headers, via)
        )

    def server_error(self, route: str = "*", times: int = 1, status: int = 502) -> None:
        """5xx, and the request is not carried out."""
        self._rest.append(RestFault(route, times, status))

    def refuse(
        self, route: str = "*", times: int = 1, status: int = 403, code: int = 50001
    ) -> None:
        """4xx by one of Discord's codes, and the request is not carried out."""
        self._rest.append(RestFault(route, times, status, code=code))

    def cut_connection(self, route: str = "*", times: int = 1) -> None:
        """The connection is closed without an answer, and the request is not carried out."""
        self._rest.append(RestFault(route, times, 502, cut=True))

    def open_dms_too_fast(self, times: int = 1) -> None:
        """The next direct messages are opened too soon after many others: 403 with 40003."""
        said = "You are opening direct messages too fast"
        self._rest.append(RestFault(OPEN_DM, times, 403, code=40003, message=said))

    def hang(self, route: str = "*", times: int = 1) -> None:
        """No answer before `clear`, and the request is not carried out."""
        self._rest.append(RestFault(route, times, 504, hangs=True))

    def lose_answer(
        self, route: str = "*", times: int = 1, status: int = 500, cut: bool = False
    ) -> None:
        """The request is carried out, then answered by `status`, or by a closed connection."""
        self._rest.append(RestFault(route, times, status, after=True, cut=cut))

    def duplicate_interactions(self, times: int = 1) -> None:
        """Deliver the next interactions twice."""
        self._duplicates += times

    def delay_interactions(self, seconds: float, times: int = 1) -> None:
        """Deliver the next interactions late; their 3 s run from the click."""
        self._delays += [seconds] * times

    def drop_interactions(self, times: int = 1) -> None:
        """Never deliver the next interactions."""
        self._undelivered += times

    def set_clock(self, seconds: float) -> None:
        """Date answers by a clock that is so many seconds ahead of this machine's."""
        self.clock_ahead = seconds

    def lose_message(self, channel: str, message: str) -> None:
        """Delete a message, as a moderator does."""
        found = self._core.state.message(channel, message)
        if found is None:
            raise CannotDo("There is no such message.")
        place = self._core.state.channels[channel]
        self._core.state.messages[channel].pop(message)
        for file in found.files:
            self._core.state.attachments.pop(file["id"], None)
        event = {"type": "message_delete", "channel_id": channel, "id": message}
        self._core.stream.publish(event, self._core.state.audience(place, found))
        self._core.changed()

    async def lose_channel(self, channel: str) -> None:
        """Delete a channel or a thread, and all that was written in it."""
        found = self._core.state.channels.get(channel)
        if found is None:
            raise CannotDo("There is no such channel.")
        await self._places.remove_channel(found)

    async def lose_guild(self, guild: str) -> None:
        """Delete a server, with all its channels."""
        found = self._core.state.guilds.get(guild)
        if found is None:
            raise CannotDo("There is no such server.")
        await self._places.remove_guild(found)

    def dms_open(self, person: str | User, is_open: bool) -> None:
        """Whether the person takes direct messages from the bot; if not, 50007."""
        user = self._core.state.users.get(person if isinstance(person, str) else person.id)
        if user is None:
            raise CannotDo("There is no such person.")
        user.dms_open = is_open
        self._core.changed()
        self._core.stream.publish({"type": "people"})

    async def deny(self, channel: str | Channel, *permissions: str) -> None:
        """Take permissions from the bot in a channel (and give back those not named)."""
        channel_id = channel if isinstance(channel, str) else channel.id
        found = self._core.state.channels.get(channel_id)
        unknown = [name for name in permissions if name not in DENIABLE]
        if found is None or unknown:
            raise CannotDo(
                f"deny needs a channel and permissions among {', '.join(DENIABLE)}; "
                f'for example {{"fault": "deny", "channel": "<id>", '
                f'"permissions": ["send_messages"]}}.'
            )
        found.denied = sum({DENIABLE[name] for name in permissions})
        self._core.changed()
        payload = channel_payload(self._core.state, found)
        event = "THREAD_UPDATE" if found.is_thread else "CHANNEL_UPDATE"
        await self._gateway.dispatch(event, payload, found.guild_id)

    async def time_out_bot(self, guild: str, until: str | None) -> None:
        """Time the bot out in a server until a moment (ISO 8601), or end that (None)."""
        found = self._core.state.guilds.get(guild)
        if found is None:
            raise CannotDo("There is no such server.")
        found.bot_timed_out_until = until
        self._core.changed()
        member = member_payload(found, self._core.state.bot) | {"guild_id": guild}
        await self._gateway.dispatch("GUILD_MEMBER_UPDATE", member, guild)

    def expire_tokens(self) -> None:
        """Make every interaction so far older than 15 minutes."""
        for interaction in self._core.state.interactions.values():
            interaction.made_at -= 15 * 60

    def clear(self) -> None:
        """Forget the faults that have not happened yet (DMs and permissions stay as they are)."""
        self._rest.clear()
        self._delays.clear()
        self._duplicates = self._undelivered = 0
        self.clock_ahead = 0.0
        self._gateway.behave()
        self._cleared.set()
        self._cleared = asyncio.Event()

    async def order(self, wanted: Json) -> None:
        """Set a fault from JSON. Raises CannotDo if it is not understood."""
        arguments = dict(wanted)
        name = arguments.pop("fault", None)
        if name not in ORDERABLE:
            raise CannotDo(
                f"There is no fault {name!r}; expected one of {', '.join(ORDERABLE)}, for example "
                '{"fault": "rate_limit", "route": "POST /channels/*", "times": 2}.'
            )
        listed = arguments.pop("permissions", [])
        try:
            if name == "deny":
                result = self.deny(arguments["channel"], *listed)
            else:
                holder = self._gateway if name in OF_THE_GATEWAY else self
                result = getattr(holder, name)(**arguments)
        except (TypeError, KeyError) as error:
            raise CannotDo(f"The fault {name} was not understood: {error}.") from error
        if asyncio.iscoroutine(result):
            await result


OF_THE_GATEWAY = (
    *("drop_sockets", "invalidate_sessions", "reconnect", "close_gateway", "deafen_gateway"),
    *("ignore_sessions", "cut_resumes", "duplicate_events", "reverse_events", "keep_guilds"),
)
ORDERABLE = (
    *("rate_limit", "server_error", "refuse", "cut_connection", "open_dms_too_fast", "hang"),
    *("lose_answer", "duplicate_interactions", "delay_interactions", "drop_interactions"),
    *OF_THE_GATEWAY,
    *("set_clock", "lose_message", "lose_channel", "lose_guild", "dms_open", "deny"),
    *("time_out_bot", "expire_tokens", "clear"),
)
