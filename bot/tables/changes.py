"""Who is told of changed tables: one teller, and listeners that it does not know.

`Tables` tells; the announcer, which needs `Tables`, listens. So neither has to be finished by hand
after the other is made.
"""

from __future__ import annotations

from bot.tables import ports
from bot.tables.live import LiveTable


class Changes:
    """Implements `ports.Announcer` by telling every listener, in the order of listening."""

    def __init__(self) -> None:
        self._listeners: list[ports.Announcer] = []

    def listen(self, listener: ports.Announcer) -> None:
        """Tell `listener` of every change from now on."""
        self._listeners.append(listener)

    def changed(self, live: LiveTable, *, answered: bool) -> None:
        """A table changed; see `ports.Announcer`."""
        for listener in self._listeners:
            listener.changed(live, answered=answered)
