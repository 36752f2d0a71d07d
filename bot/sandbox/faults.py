"""Trouble to order: what Discord and the network do to a bot sooner or later.

Each fault is set in-process by a method, or by `POST /page/faults` with
`{"fault": <method name>, ...its arguments}`.
"""

import asyncio
from dataclasses import dataclass
from fnmatch import fnmatchcase

from bot.sandbox.core import Core
from bot.sandbox.errors import CannotDo
from bot.sandbox.gateway import Gateway, Send
from bot.sandbox.payloads import channel_payload
from bot.sandbox.permissions import (
    ATTACH_FILES,
    EMBED_LINKS,
    READ_MESSAGE_HISTORY,
    SEND_MESSAGES,
    VIEW_CHANNEL,
)
from bot.sandbox.state import Channel, Json, User

DENIABLE = {
    "view_channel": VIEW_CHANNEL,
    "send_messages": SEND_MESSAGES,
    "embed_links": EMBED_LINKS,
    "attach_files": ATTACH_FILES,
    "read_message_history": READ_MESSAGE_HISTORY,
}


@dataclass
class RestFault:
    """Applies to the next `times` requests whose "METHOD /route/template" matches `route`."""

    route: str
    times: int
    status: int
    retry_after: float = 0.0
    everywhere: bool = False
    via: bool = True
    after: bool = False  # the request is carried out, only its answer is lost
    cut: bool = False  # the connection is closed without an answer


class Faults:
    """The faults that wait to happen. Routes are patterns such as `POST /interactions/*` or `*`."""

    def __init__(self, core: Core, gateway: Gateway) -> None:
        self._core = core
        self._gateway = gateway
        self._rest: list[RestFault] = []
        self._duplicates = 0
        self._delays: list[float] = []
        self._undelivered = 0

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
        via: bool = True,
    ) -> None:
        """429. Without `via` it looks like a ban of the address, which no client retries."""
        self._rest.append(
            RestFault(route, times, 429, retry_after=retry_after, everywhere=everywhere, via=via)
        )

    def server_error(self, route: str = "*", times: int = 1, status: int = 502) -> None:
        """5xx, and the request is not carried out."""
        self._rest.append(RestFault(route, times, status))

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

    async def drop_sockets(self) -> None:
        """Cut every gateway connection without a close frame; the sessions can be resumed."""
        await self._gateway.drop_sockets()

    async def invalidate_sessions(self, resumable: bool = False) -> None:
        """Send INVALID_SESSION to every connection."""
        await self._gateway.invalidate_sessions(resumable)

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
        await self._gateway.dispatch("CHANNEL_UPDATE", payload, found.guild_id)

    def expire_tokens(self) -> None:
        """Make every interaction so far older than 15 minutes."""
        for interaction in self._core.state.interactions.values():
            interaction.made_at -= 15 * 60

    def clear(self) -> None:
        """Forget the faults that have not happened yet (DMs and permissions stay as they are)."""
        self._rest.clear()
        self._delays.clear()
        self._duplicates = self._undelivered = 0

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
                result = getattr(self, name)(**arguments)
        except (TypeError, KeyError) as error:
            raise CannotDo(f"The fault {name} was not understood: {error}.") from error
        if asyncio.iscoroutine(result):
            await result


ORDERABLE = (
    "rate_limit",
    "server_error",
    "lose_answer",
    "duplicate_interactions",
    "delay_interactions",
    "drop_interactions",
    "drop_sockets",
    "invalidate_sessions",
    "dms_open",
    "deny",
    "expire_tokens",
    "clear",
)
