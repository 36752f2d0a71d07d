"""What people call the games of `/odds showdown`, and how an answer was counted.

Needs no compiled code, so the bot's own process and the command line's help need not wait for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bot.languages import N_, figure, tr
from bot.words import percent

if TYPE_CHECKING:
    from engine.odds import Showdown

# the keys of `engine.odds.PRESETS`, in its order
GAME_NAMES: Final = {
    "holdem": N_("Hold'em"),
    "omaha": N_("Omaha"),
    "omaha5": N_("Five-card Omaha"),
    "draw": N_("Five-card draw"),
    "shortdeck": N_("Short deck"),
    "a5": N_("Ace-to-five lowball"),
    "27": N_("Deuce-to-seven lowball"),
}


def how_counted(answer: Showdown) -> str:
    """Whether the answer is exact, and of how many deals."""
    if answer.standard_error is None:
        return tr("exact: all {deals} deals counted", deals=figure(answer.deals, ","))
    return tr(
        "sampled: {deals} deals, standard error {error} of the pot",
        deals=figure(answer.deals, ","),
        error=percent(answer.standard_error, 3),
    )
