"""What every part of the emulator shares: state, clock, ids, and who hears of a change.

The parts that change the state (`messages`, `interactions`, ...) are given this, and of each other
only what they need; `emulator.Emulator` puts them together.
"""

import asyncio

from bot.sandbox.clock import Clock, SystemClock
from bot.sandbox.snowflakes import Snowflakes
from bot.sandbox.state import State, User
from bot.sandbox.stream import Stream

COLORS = ("#5865f2", "#eb459e", "#57a55a", "#d9822b", "#3ba7b5", "#a35bd6", "#c9504d", "#7a8a2f")


class Core:
    """One emulated Discord at rest. `state` is replaced as a whole when a file is loaded."""

    def __init__(self, clock: Clock | None, bot_name: str) -> None:
        self.clock: Clock = clock or SystemClock()
        self.snowflakes = Snowflakes(self.clock)
        bot = User(self.snowflakes.next(), bot_name, COLORS[0], bot=True)
        self.state = State(bot, users={bot.id: bot})
        self.stream = Stream()
        self.unsaved = asyncio.Event()
        self.base_url = ""  # until it is served

    @property
    def gateway_url(self) -> str:
        """Where the bot's websocket is served."""
        return self.base_url.replace("http://", "ws://", 1) + "/gateway"

    def changed(self) -> None:
        """Note that the state is to be saved soon."""
        self.unsaved.set()
