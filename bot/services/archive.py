"""Stored matches that have ended; each person reads only those they may see."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager

from bot.storage.store import SqlStore
from bot.tables import errors
from bot.tables.model import HistoryLine, KeptMatch, MatchStatus
from bot.tables.quarantine import Quarantine


class Archive:
    """Reads stored matches that have ended."""

    def __init__(self, store: SqlStore) -> None:
        self._store = store
        self._set_aside = Quarantine()

    def replaying(self, number: int) -> AbstractContextManager[None]:
        """Turn an error while replaying a stored match in this block into `errors.Damaged`."""
        return self._set_aside.replaying(match=number)

    async def match(
        self, number: int, may_see: Callable[[KeptMatch], Awaitable[bool]]
    ) -> KeptMatch:
        """Return a match that is over, if `may_see` allows it.

        Raises `NoSuchMatch` if there is no such match or `may_see` refuses it; `StillPlaying` if
        the match is not over; `Damaged` if it cannot be read; `StoreUnavailable`.
        """
        try:
            past = await self._store.matches.load(number)
        except errors.Damaged as error:
            raise errors.Damaged(error.reason, match=number) from error
        if past is None or not await may_see(past):
            raise errors.NoSuchMatch(number)
        if past.match.status is MatchStatus.PLAYING:
            raise errors.StillPlaying(number)
        return past

    async def latest_in(self, channel_id: int) -> int | None:
        """Return the number of a channel's latest match that is over; None if there is none."""
        return await self._store.matches.last_ended(channel_id)

    async def history(
        self, player: int, before: int | None = None, most: int = 10
    ) -> list[HistoryLine]:
        """Return the `most` latest matches that a person played to the end, latest first.

        `before`: only matches with lower ids.
        """
        return await self._store.matches.history(player, before, most)
