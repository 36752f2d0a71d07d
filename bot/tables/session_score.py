"""The score of a session: successive matches of a channel, and each player's wins.

Pure functions over stored matches (`SqlMatches.past_matches`). A pause of six hours or more, from
the end of a match to the start of the next, begins another session.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.tables.model import PastMatch

PAUSE: Final = 6 * 3_600_000  # milliseconds
MOST: Final = 100  # matches to look at: enough for one session


@dataclass(frozen=True, slots=True)
class SessionScore:
    """The number of won matches in a session, and the wins of each player.

    The player with most wins comes first; among equals, the latest winner.
    """

    matches: int  # that somebody won
    wins: tuple[tuple[int, int], ...]  # (player, wins)


def session_score(played: Sequence[PastMatch]) -> SessionScore:
    """Return the score of the latest session; `played` has the latest match first.

    A match without a winner is nobody's win, but continues the session.
    """
    wins: Counter[int] = Counter()
    later: PastMatch | None = None
    for match in played:
        if later is not None and later.started_at - match.ended_at >= PAUSE:
            break
        if match.winner is not None:
            wins[match.winner] += 1
        later = match
    return SessionScore(wins.total(), tuple(wins.most_common()))
