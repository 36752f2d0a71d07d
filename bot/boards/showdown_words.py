"""What people call the games of `/odds showdown`, and how an answer was counted.

Needs no compiled code, so the bot's own process and the command line's help need not wait for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bot.words import percent

if TYPE_CHECKING:
    from engine.odds import Showdown

# the keys of `engine.odds.PRESETS`, in its order
GAME_NAMES: Final = {
    "holdem": "Hold'em",
    "omaha": "Omaha",
    "omaha5": "Five-card Omaha",
    "draw": "Five-card draw",
    "shortdeck": "Short deck",
    "a5": "Ace-to-five lowball",
    "27": "Deuce-to-seven lowball",
}


def how_counted(answer: Showdown) -> str:
    """Whether the answer is exact, and of how many deals."""
    if answer.standard_error is None:
        return f"exact: all {answer.deals:,} deals counted"
    error = percent(answer.standard_error, 3)
    return f"sampled: {answer.deals:,} deals, standard error {error} of the pot"
