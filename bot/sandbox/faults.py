"""Faults on request: failures of Discord and the network that a bot meets sooner or later.

Each fault is set in-process by a method (of `Gateway` for the gateway's), or by `POST /page/faults`
with `{"fault": <method name>, ...its arguments}`.
"""

import asyncio
from dataclasses import dataclass
from fnmatch import fnmatchcase

from bot.sandbox.core import Core
from bot.sandbox.discord_state import Channel, Json, User
from bot.sandbox.errors import CannotDo
from bot.sandbox.gateway import Gateway, Send
from bot.sandbox.messages import Messages
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
    """A failure of the next `times` requests whose "METHOD /route/template" matches `route`.

    For `retry_after`, `everywhere`, `shared`, `headers` and `via`, see `Faults.rate_limit`.
    """

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
    after: bool = False  # carry out the request, and lose only its answer
    cut: bool = False  # close the connection without an answer
    message: str = "The server is in trouble"


class Faults:
    """The pending faults. Routes are patterns such as `POST /interactions/*` or `*`."""

    def __init__(self, core: Core, gateway: Gateway, places: Places, messages: Messages) -> None:
        self._core = core
        self._gateway = gateway
        self._places = places
        self._messages = messages
        self._rest: list[RestFault] = []
        self._duplicates = 0
        self._delays: list[float] = []
        self._undelivered = 0
        self.clock_ahead = 0.0  # seconds by which answers' dates are ahead
        self._cleared = asyncio.Event()

    async def until_cleared(self) -> None:
        """Wait for the next `clear`."""
        await self._cleared.wait()

    def take(self, method: str, route: str) -> RestFault | None:
        """Return the fault for this request and count it as used once; None if no fault matches."""
        for fault in self._rest:
            if fnmatchcase(f"{method} {route}", fault.route):
                fault.times -= 1
                if fault.times <= 0:
                    self._rest.remove(fault)
                return fault
        return None

    async def deliver(self, send: Send) -> None:
        """Deliver an interaction as the faults say: late, twice, never, or normally."""
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
        """Answer 429 to the next `times` requests.

        The limit is of the whole bot if `everywhere`, else of a resource if `shared`, else of the
        route. `retry_after` is in seconds. Without `headers`, only the body says when to retry.
        Without `via`, the answer looks like a ban of the address, which no client retries.
        """
        self._rest.append(
            RestFault(route, times, 429, retry_after, everywhere, shared, headers, via)
        )

    def server_error(self, route: str = "*", times: int = 1, status: int = 502) -> None:
        """Answer the next `times` requests with a status 5xx, without carrying them out."""
        self._rest.append(RestFault(route, times, status))

    def refuse(
        self, route: str = "*", times: int = 1, status: int = 403, code: int = 50001
    ) -> None:
        """Answer the next `times` requests with a 4xx and `code`. Don't carry them out."""
        self._rest.append(RestFault(route, times, status, code=code))

    def cut_connection(self, route: str = "*", times: int = 1) -> None:
        """Close the connection at the next `times` requests. Don't answer or carry them out."""
        self._rest.append(RestFault(route, times, 502, cut=True))

    def open_dms_too_fast(self, times: int = 1) -> None:
        """Refuse the next `times` requests to open direct messages, as too many: 403 with 40003."""
        message = "You are opening direct messages too fast"
        self._rest.append(RestFault(OPEN_DM, times, 403, code=40003, message=message))

    def hang(self, route: str = "*", times: int = 1) -> None:
        """Don't answer the next `times` requests until `clear`, and don't carry them out."""
        self._rest.append(RestFault(route, times, 504, hangs=True))

    def lose_answer(
        self, route: str = "*", times: int = 1, status: int = 500, cut: bool = False
    ) -> None:
        """Carry out the next `times` requests, then answer `status`, or `cut` the connection."""
        self._rest.append(RestFault(route, times, status, after=True, cut=cut))

    def duplicate_interactions(self, times: int = 1) -> None:
        """Deliver the next `times` interactions twice."""
        self._duplicates += times

    def delay_interactions(self, seconds: float, times: int = 1) -> None:
        """Deliver the next `times` interactions late; their 3 s run from the person's act."""
        self._delays += [seconds] * times

    def drop_interactions(self, times: int = 1) -> None:
        """Never deliver the next `times` interactions."""
        self._undelivered += times

    def set_clock(self, seconds: float) -> None:
        """Make the dates of answers `seconds` late, as if Discord's clock were ahead."""
        self.clock_ahead = seconds

    def lose_message(self, channel: str, message: str) -> None:
        """Delete a message, as a moderator would. Raises CannotDo if there is no such message."""
        record = self._core.state.message(channel, message)
        if record is None:
            raise CannotDo("There is no such message.")
        self._messages.delete(record)

    async def lose_channel(self, channel: str) -> None:
        """Delete a channel or thread with its messages. Raises CannotDo for an unknown one."""
        place = self._core.state.channels.get(channel)
        if place is None:
            raise CannotDo("There is no such channel.")
        await self._places.remove_channel(place)

    async def lose_guild(self, guild: str) -> None:
        """Delete a server with all its channels. Raises CannotDo if there is no such server."""
        server = self._core.state.guilds.get(guild)
        if server is None:
            raise CannotDo("There is no such server.")
        await self._places.remove_guild(server)

    def dms_open(self, person: str | User, is_open: bool) -> None:
        """Set whether a person accepts direct messages; if not, the bot gets error 50007."""
        user = self._core.state.users.get(person if isinstance(person, str) else person.id)
        if user is None:
            raise CannotDo("There is no such person.")
        user.dms_open = is_open
        self._core.save_soon()
        self._core.stream.publish({"type": "people"})

    async def deny(self, channel: str | Channel, *permissions: str) -> None:
        """Deny the bot exactly these permissions in a channel; earlier denials end.

        Raises CannotDo for an unknown channel or permission.
        """
        channel_id = channel if isinstance(channel, str) else channel.id
        place = self._core.state.channels.get(channel_id)
        unknown = [name for name in permissions if name not in DENIABLE]
        if place is None or unknown:
            raise CannotDo(
                f"deny needs a channel and permissions among {', '.join(DENIABLE)}; "
                f'for example {{"fault": "deny", "channel": "<id>", '
                f'"permissions": ["send_messages"]}}.'
            )
        place.denied = sum({DENIABLE[name] for name in permissions})
        self._core.save_soon()
        payload = channel_payload(self._core.state, place)
        event = "THREAD_UPDATE" if place.is_thread else "CHANNEL_UPDATE"
        await self._gateway.dispatch(event, payload, place.guild_id)

    async def time_out_bot(self, guild: str, until: str | None) -> None:
        """Time the bot out in a server until a time in ISO 8601; None ends a time-out.

        Raises CannotDo if there is no such server.
        """
        server = self._core.state.guilds.get(guild)
        if server is None:
            raise CannotDo("There is no such server.")
        server.bot_timed_out_until = until
        self._core.save_soon()
        member = member_payload(server, self._core.state.bot) | {"guild_id": guild}
        await self._gateway.dispatch("GUILD_MEMBER_UPDATE", member, guild)

    def expire_tokens(self) -> None:
        """Make all interactions so far 15 minutes older, the age at which their tokens expire."""
        for interaction in self._core.state.interactions.values():
            interaction.made_at -= 15 * 60

    def clear(self) -> None:
        """Drop all pending faults, the gateway's and the clock's too, and answer hanging requests.

        Closed direct messages, denied permissions and time-outs stay.
        """
        self._rest.clear()
        self._delays.clear()
        self._duplicates = self._undelivered = 0
        self.clock_ahead = 0.0
        self._gateway.behave()
        self._cleared.set()
        self._cleared = asyncio.Event()

    async def order(self, request: Json) -> None:
        """Set a fault from JSON. Raises CannotDo if the request is not understood."""
        arguments = dict(request)
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
