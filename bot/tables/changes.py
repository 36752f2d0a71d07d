"""Changed tables, as told to those who show them or decide for their computer players."""

from __future__ import annotations

from typing import Protocol

from bot.tables.live import LiveTable


class Announcer(Protocol):
    """Hears of changed tables: `Changes`, `TableDelivery`, `ComputerTurns`, `OptionsHandlers`.

    Calls return at once; the work happens later, and the latest state wins.
    """

    def on_change(self, live: LiveTable, *, unseen: bool) -> None:
        """Take note of a changed table. If `unseen`, no message shows the change."""


class Changes:
    """An `Announcer` that passes each change to all its listeners, in order.

    The service announces; the delivery, which needs the service, listens. So each can be built
    complete.
    """

    def __init__(self) -> None:
        self._listeners: list[Announcer] = []

    def listen(self, listener: Announcer) -> None:
        """Pass every change from now on to `listener`."""
        self._listeners.append(listener)

    def on_change(self, live: LiveTable, *, unseen: bool) -> None:
        """Pass a change to all listeners; see `Announcer`."""
        for listener in self._listeners:
            listener.on_change(live, unseen=unseen)
