"""What is remembered of late: a mapping that forgets what was used longest ago."""

from __future__ import annotations

from collections import OrderedDict
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Recent(OrderedDict[K, V]):
    """Keeps `most` entries. To set one or to take it by its key is to use it; `get` is not."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def __getitem__(self, key: K) -> V:
        value = super().__getitem__(key)
        self.move_to_end(key)
        return value

    def __setitem__(self, key: K, value: V) -> None:
        super().__setitem__(key, value)
        self.move_to_end(key)
        while len(self) > self._most:
            del self[next(iter(self))]
