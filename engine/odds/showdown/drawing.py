"""The draws that are left in a lowball game, if more than one: how many, and who keeps what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.cards import RANK_CHARS
from engine.errors import Reason, TextError
from engine.odds.showdown.question_words import DRAWS, LATER_DRAWS_EXAMPLE
from engine.odds.showdown.ranking import Ranking

MOST_DRAWS: Final = 3  # as many as any game has
DRAWN_AGAIN: Final = (Ranking.DEUCE_SEVEN, Ranking.ACE_FIVE, Ranking.BADUGI)
_RANK_COUNT: Final = 13


@dataclass(frozen=True, slots=True)
class Drawing:
    """The number of draws left, and for each player the highest drawn rank that they keep.

    `limits` are numbers that `order_of` returns, or None for a player who draws only once.
    """

    draws: int
    limits: tuple[int | None, ...]

    def limit(self, seat: int, ranking: Ranking) -> str:
        """Return the letter of the highest rank that a player keeps.

        Empty for a player who draws only once.
        """
        limit = self.limits[seat]
        orders = [order_of(ranking, rank) for rank in range(_RANK_COUNT)]
        return "" if limit is None else RANK_CHARS[orders.index(limit)]

    def turn_sizes(self, first: Sequence[int]) -> list[int]:
        """Return the largest number of cards drawn at each player's turn, for all turns in order.

        `first`: how many cards each player draws at the first draw.
        """
        later = [
            number if limit is not None else 0
            for number, limit in zip(first, self.limits, strict=True)
        ]
        return [*first, *later * (self.draws - 1)]


def check_number(draws: int) -> None:
    """Raise `TextError` for more draws than any game has."""
    if draws > MOST_DRAWS:
        reason = Reason(
            "expected 1 to {most} draws left, got {given}", most=MOST_DRAWS, given=draws
        )
        raise TextError(DRAWS, reason, LATER_DRAWS_EXAMPLE)


def order_of(ranking: Ranking, rank: int) -> int:
    """Return the place of `rank` (deuce 0 ... ace 12) in a lowball game's order, from 0 up."""
    return (rank + 1) % _RANK_COUNT if ranking.aces_low else rank
