"""Checks that a game fits into Discord: into its forms, and the commands that take its options.

The engine knows no such limits; the author of a new game reads these sentences at the first start.
"""

from __future__ import annotations

from typing import Final

from bot.tables.table_options import HOUSE_OPTIONS
from engine.errors import RulesetError
from engine.ruleset import Variant

LONGEST_ABOUT: Final = 100  # most characters shown below a form's choice
MOST_OPTIONS: Final = 4  # of a game: one form of five fields holds them and `ODDS_AT_TABLE`
_QUESTIONS: Final = ("showdown", "three-card")  # the questions of `/odds` that aren't games
_PARAMETERS: Final = (  # of commands that have the options of a game as parameters too
    *("cards", "bid", "in_play", "interaction", "known", "kinds", "help", "json"),
)
_TAKEN: Final = (*_PARAMETERS, *(option.key for option in HOUSE_OPTIONS))


def check_fits(game: Variant) -> None:
    """Check that a game fits into Discord. Raises `RulesetError`, which says what to write."""
    if game.short in _QUESTIONS:
        raise RulesetError(
            f"{game.key}: the short name {game.short} is reserved for commands: write another, such"
            f' as "{game.short}-poker"'
        )
    if len(game.options) > MOST_OPTIONS:
        raise RulesetError(
            f"{game.key} has {len(game.options)} options: write {MOST_OPTIONS} at most, or join two"
            " of them in one with a choice for each combination"
        )
    for option in game.options:
        if option.key in _TAKEN:
            raise RulesetError(
                f"{game.key}: the option key {option.key} is reserved for commands and house rules:"
                f' write another, such as "{option.key}_rule"'
            )
        if len(option.about) > LONGEST_ABOUT:
            raise RulesetError(
                f"option {option.key} is explained in {len(option.about)} characters: write"
                f' {LONGEST_ABOUT} at most, such as "One hand more is dealt face down to nobody."'
            )
