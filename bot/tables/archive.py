"""Matches that are over, to be looked back on: nothing of a match under way comes out of here."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

from bot.tables import ports, refusals
from bot.tables.damage import SetAside
from bot.tables.records import HistoryLine, KeptMatch, MatchStatus
from bot.tables.storing import ask_store


class Archive:
    """Reads what is stored of matches that have ended."""

    def __init__(self, store: ports.Store) -> None:
        self._store = store
        self._set_aside = SetAside()

    def replaying(self, number: int) -> AbstractContextManager[None]:
        """Replay a match that was read. Raises `refusals.SetAside` for one that cannot be."""
        return self._set_aside.replaying(match=number)

    async def match(self, number: int, may_see: Callable[[KeptMatch], bool]) -> KeptMatch:
        """A match that is over, for somebody of whom `may_see` says whether it is their affair.

        Raises `NoSuchMatch` where it is not, as if there were none; `StillPlaying`, `SetAside` for
        one that cannot be read, `StoreIsDown`.
        """
        try:
            kept = await ask_store(self._store.kept_match(number))
        except refusals.SetAside as error:
            raise refusals.SetAside(number) from error
        if kept is None or not may_see(kept):
            raise refusals.NoSuchMatch(number)
        if kept.match.status is MatchStatus.PLAYING:
            raise refusals.StillPlaying(number)
        return kept

    async def latest_in(self, channel_id: int) -> int | None:
        """The number of the latest match of a channel that is over."""
        return await ask_store(self._store.last_ended(channel_id))

    async def history(
        self, player: int, before: int | None = None, most: int = 10
    ) -> list[HistoryLine]:
        """The matches that somebody played to the end, the latest first."""
        return await ask_store(self._store.history(player, before, most))
