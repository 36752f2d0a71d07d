"""Completes a bid while it is typed."""

from __future__ import annotations

from collections.abc import Callable

from textual.suggester import Suggester

from engine.bids import Bid
from engine.wording import Wording


class BidSuggester(Suggester):
    """Suggests the lowest legal bid whose words begin as what was typed."""

    def __init__(self, legal: Callable[[], list[Bid]], wording: Wording) -> None:
        super().__init__(use_cache=False, case_sensitive=False)
        self._legal = legal
        self._wording = wording

    async def get_suggestion(self, value: str) -> str | None:
        """The words of a bid, or None."""
        said = (self._wording.say(bid) for bid in self._legal())
        return next((words for words in said if words.lower().startswith(value)), None)
