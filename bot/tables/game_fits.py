"""Checks that a game fits into Discord's forms, and its options into Discord's commands.

The engine knows no such limits. The author of a new game sees the errors of these checks at the
first start.
"""

from __future__ import annotations

from typing import Final

from bot.tables.table_options import HOUSE_RULES
from engine.errors import RulesetError
from engine.ruleset import Variant

LONGEST_ABOUT: Final = 100  # most characters of the description below a form's choice
MOST_OPTIONS: Final = 4  # of a game: they share a form of five fields with `ODDS_AT_TABLE`
_QUESTIONS: Final = ("showdown", "three-card")  # the questions of `/odds` that aren't games
_PARAMETERS: Final = (  # command parameters whose names no option of a game may take
    *("cards", "bid", "in_play", "interaction", "known", "kinds", "help", "json"),
)
_TAKEN: Final = (*_PARAMETERS, *(option.key for option in HOUSE_RULES))


def check_fits(game: Variant) -> None:
    """Check that a game fits into Discord. Raises `RulesetError`, whose text says how to fix it."""
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
