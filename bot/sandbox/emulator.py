"""`Emulator`: the state and everything that changes it, put together in one place.

It is served to nobody: `rest` and the gateway's websocket for the bot, `web` for people and
`driver` for tests are given one, and `world.Sandbox` serves it on a port.
"""

from bot.sandbox.acts import Acts
from bot.sandbox.admission import Admission
from bot.sandbox.clock import Clock, ManualClock
from bot.sandbox.core import Core
from bot.sandbox.faults import Faults
from bot.sandbox.gateway import Gateway
from bot.sandbox.interactions import Interactions
from bot.sandbox.limits import RateLimits, unlimited
from bot.sandbox.messages import Messages
from bot.sandbox.places import Places
from bot.sandbox.reads import Reads
from bot.sandbox.snowflakes import Snowflakes
from bot.sandbox.state import RecordedRequest, State
from bot.sandbox.stream import Stream


class Emulator:
    """One emulated Discord: `core` holds its state, each other part changes one side of it."""

    emoji_room = 2000  # how many of its own the application may have

    def __init__(
        self,
        clock: Clock | None = None,
        bot_name: str = "Bluffhouse",
        privileged_intents: bool = False,
        admission: Admission | None = None,
    ) -> None:
        self.core = Core(clock, bot_name)
        self.gateway = Gateway(self.core, privileged_intents, admission)
        self.limits = unlimited() if isinstance(clock, ManualClock) else RateLimits()
        self.places = Places(self.core, self.gateway)
        self.faults = Faults(self.core, self.gateway, self.places)
        self.reads = Reads(self.core)
        self.messages = Messages(self.core, self.gateway, self.reads)
        self.interactions = Interactions(self.core, self.gateway, self.faults, self.messages)
        self.acts = Acts(self.core, self.messages, self.interactions, self.places, self.reads)

    @property
    def state(self) -> State:
        """What is remembered now; another object after a file was loaded."""
        return self.core.state

    def mark(self) -> int:
        """The number of the bot's latest request, to count from: `requests(since=mark)`."""
        requests = self.state.requests
        return requests[-1].number if requests else 0

    def requests(self, since: int = 0) -> list[RecordedRequest]:
        """What the bot has asked for after a `mark`, oldest first."""
        return [one for one in self.state.requests if one.number > since]

    @property
    def clock(self) -> Clock:
        """The time that all limits go by."""
        return self.core.clock

    @property
    def snowflakes(self) -> Snowflakes:
        """Where new ids come from."""
        return self.core.snowflakes

    @property
    def stream(self) -> Stream:
        """The events of the people who watch."""
        return self.core.stream

    @property
    def base_url(self) -> str:
        """Where everything is served, such as `http://127.0.0.1:8765`; "" until it is."""
        return self.core.base_url

    @property
    def gateway_url(self) -> str:
        """What the client library's gateway is set to."""
        return self.core.gateway_url
