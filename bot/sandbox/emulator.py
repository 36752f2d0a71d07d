"""`Emulator`: the state and everything that changes it, in one object.

It does not listen by itself. `rest` and the gateway's websocket serve it to the bot, `web` to
people, and `driver` to tests; `world.Sandbox` serves it on a port.
"""

from bot.sandbox.acts import Acts
from bot.sandbox.clock import ManualClock, SandboxClock
from bot.sandbox.core import Core
from bot.sandbox.discord_state import RecordedRequest
from bot.sandbox.faults import Faults
from bot.sandbox.gateway import Gateway
from bot.sandbox.interactions import Interactions
from bot.sandbox.limits import Admission, RateLimits, no_limits
from bot.sandbox.messages import Messages, Reads
from bot.sandbox.places import Places


class Emulator(Core):
    """One emulated Discord, with the parts that change its state."""

    emoji_room = 2000  # the application's limit

    def __init__(
        self, clock: SandboxClock | None = None, admission: Admission | None = None
    ) -> None:
        super().__init__(clock)
        self.gateway = Gateway(self, admission)
        self.limits = no_limits() if isinstance(clock, ManualClock) else RateLimits()
        self.places = Places(self, self.gateway)
        self.reads = Reads(self)
        self.messages = Messages(self, self.gateway, self.reads)
        self.faults = Faults(self, self.gateway, self.places, self.messages)
        self.interactions = Interactions(self, self.gateway, self.faults, self.messages)
        self.acts = Acts(self, self.messages, self.interactions, self.places, self.reads)

    def mark(self) -> int:
        """Return the number of the bot's latest request, for `requests(since=mark)`."""
        requests = self.state.requests
        return requests[-1].number if requests else 0

    def requests(self, since: int = 0) -> list[RecordedRequest]:
        """Return the bot's requests after number `since` (a `mark`), oldest first."""
        return [request for request in self.state.requests if request.number > since]
