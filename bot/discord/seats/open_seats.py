"""The open seats, by table and player: each until the token by which it is edited is used up."""

from __future__ import annotations

import time
from collections.abc import Iterator, MutableMapping
from typing import Protocol, TypeVar

Key = tuple[int, int]  # table, player


class Lasting(Protocol):
    """What is kept for a while."""

    until: float  # on the monotonic clock, in seconds


_Seat = TypeVar("_Seat", bound=Lasting)


class OpenSeats(MutableMapping[Key, _Seat]):
    """Those of a table are found without a look at any other's."""

    def __init__(self) -> None:
        self._seats: dict[Key, _Seat] = {}  # who pressed last is the last
        self._players: dict[int, list[int]] = {}  # by table

    def __getitem__(self, key: Key) -> _Seat:
        return self._seats[key]

    def __setitem__(self, key: Key, seat: _Seat) -> None:
        """Keep a seat, its token being the newest; the oldest go whose tokens are used up."""
        self.pop(key, None)
        self._seats[key] = seat
        self._players.setdefault(key[0], []).append(key[1])
        now = time.monotonic()
        while (oldest := next(iter(self._seats))) != key and self._seats[oldest].until <= now:
            del self[oldest]

    def __delitem__(self, key: Key) -> None:
        del self._seats[key]
        there = self._players[key[0]]
        there.remove(key[1])
        if not there:
            del self._players[key[0]]

    def __iter__(self) -> Iterator[Key]:
        return iter(self._seats)

    def __len__(self) -> int:
        return len(self._seats)

    def of(self, table_id: int) -> list[tuple[Key, _Seat]]:
        """The seats of a table that can be edited still."""
        now, found = time.monotonic(), []
        for player in list(self._players.get(table_id, ())):
            key = table_id, player
            if (seat := self._seats[key]).until <= now:
                del self[key]
            else:
                found.append((key, seat))
        return found
