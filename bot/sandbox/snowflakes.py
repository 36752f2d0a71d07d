"""Discord's ids: milliseconds since 2015 in the upper 42 bits, a sequence below.

Source: https://discord.com/developers/docs/reference#snowflakes
"""

from bot.sandbox.clock import Clock

EPOCH_MS = 1_420_070_400_000


class Snowflakes:
    """Hands out ids that are unique and rise with time."""

    def __init__(self, clock: Clock, last: int = 0) -> None:
        self._clock = clock
        self.last = last

    def next(self) -> str:
        """A new id, above every earlier one even if the clock stands still or goes back."""
        stamped = (int(self._clock.now() * 1000) - EPOCH_MS) << 22
        self.last = max(stamped, self.last + 1)
        return str(self.last)


def seconds_of(snowflake: str) -> float:
    """When the id was made, in Unix seconds."""
    return ((int(snowflake) >> 22) + EPOCH_MS) / 1000


def shard_of(guild_id: str | None, shard_count: int) -> int:
    """Which shard hears of a guild; everything without a guild goes to shard 0."""
    return 0 if guild_id is None else (int(guild_id) >> 22) % shard_count
