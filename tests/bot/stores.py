"""A store whose calls a test can intercept."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from bot.storage.part import Part

Call = Callable[..., Awaitable[Any]]


class Between:
    """A store that passes each call of its parts to `call`, which subclasses override."""

    def __init__(self, store: Any) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        member = getattr(self._store, name)
        return _Through(member, self) if isinstance(member, Part | _Through) else member

    async def call(self, name: str, method: Call, *args: Any) -> Any:
        """Call a store part's `method` as the real store does; `name` is the method's name."""
        return await method(*args)


class _Through:
    """Passes calls of a part of the store to the owner's `call`."""

    def __init__(self, part: Any, owner: Between) -> None:
        self._part, self._owner = part, owner

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._part, name)

        async def ask(*args: Any, **kwargs: Any) -> Any:
            return await self._owner.call(name, partial(method, **kwargs), *args)

        return ask
