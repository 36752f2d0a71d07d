"""Tell listeners, such as the delivery, which tables have changed."""

from __future__ import annotations

from typing import Protocol

from bot.tables.live import LiveTable


class Announcer(Protocol):
    """Receives changed tables, as `Changes`, `TableDelivery` and `ComputerTurns` do.

    Calls return at once; the work happens later, and the latest state wins.
    """

    def on_plan(self, live: LiveTable) -> None:
        """Prepare for a change that is being stored; by default, do nothing.

        `live`: the table after the change. Storing it may still fail.
        """
        return

    def on_change(self, live: LiveTable, *, unseen: bool) -> None:
        """Receive a changed table. `unseen`: its message doesn't show this kind of change."""


class Changes(Announcer):
    """Passes each change to all its listeners, in order.

    The service announces to a `Changes`, and the delivery, which is built later because it needs
    the service, registers there as a listener.
    """

    def __init__(self) -> None:
        self._listeners: list[Announcer] = []

    def listen(self, listener: Announcer) -> None:
        """Pass every change from now on to `listener`."""
        self._listeners.append(listener)

    def on_plan(self, live: LiveTable) -> None:
        """Pass a planned change to all listeners; see `Announcer`."""
        for listener in self._listeners:
            listener.on_plan(live)

    def on_change(self, live: LiveTable, *, unseen: bool) -> None:
        """Pass a change to all listeners; see `Announcer`."""
        for listener in self._listeners:
            listener.on_change(live, unseen=unseen)
