"""`Emulator`: the state and everything that changes it, put together in one object.

It is served to nobody: `rest` and the gateway's websocket for the bot, `web` for people and
`driver` for tests are given one, and `world.Sandbox` serves it on a port.
"""

from bot.sandbox.acts import Acts
from bot.sandbox.clock import ManualClock, SandboxClock
from bot.sandbox.core import Core
from bot.sandbox.discord_state import RecordedRequest
from bot.sandbox.faults import Faults
from bot.sandbox.gateway import Gateway
from bot.sandbox.interactions import Interactions
from bot.sandbox.limits import Admission, RateLimits, unlimited
from bot.sandbox.messages import Messages, Reads
from bot.sandbox.places import Places


class Emulator(Core):
    """One emulated Discord, each part of which changes one side of its state."""

    emoji_room = 2000  # how many of its own the application may have

    def __init__(
        self, clock: SandboxClock | None = None, admission: Admission | None = None
    ) -> None:
        super().__init__(clock)
        self.gateway = Gateway(self, admission)
        self.limits = unlimited() if isinstance(clock, ManualClock) else RateLimits()
        self.places = Places(self, self.gateway)
        self.faults = Faults(self, self.gateway, self.places)
        self.reads = Reads(self)
        self.messages = Messages(self, self.gateway, self.reads)
        self.interactions = Interactions(self, self.gateway, self.faults, self.messages)
        self.acts = Acts(self, self.messages, self.interactions, self.places, self.reads)

    def mark(self) -> int:
        """The number of the bot's latest request, to count from: `requests(since=mark)`."""
        requests = self.state.requests
        return requests[-1].number if requests else 0

    def requests(self, since: int = 0) -> list[RecordedRequest]:
        """What the bot has asked for after a `mark`, oldest first."""
        return [one for one in self.state.requests if one.number > since]
