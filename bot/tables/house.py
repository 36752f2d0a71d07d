"""House rules: what a table chooses that is no rule of its game, declared once, as options are.

A table keeps the game's options and these in one mapping; `game_options` parts them again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.tables.records import Table
from engine.ruleset import Choice, Option, Options, OptionValue
from engine.variants import variant

ODDS_AT_TABLE: Final = Option(
    "odds_at_table",
    "Odds during the match",
    (Choice("on", "allowed"), Choice("off", "not allowed")),
)
HOUSE_OPTIONS: Final = (ODDS_AT_TABLE,)
_HOUSE: Final = {option.key: option for option in HOUSE_OPTIONS}


def options_of(game: str) -> tuple[Option, ...]:
    """Everything that a table of a game may choose: the game's options, then the house's."""
    return (*variant(game).options, *HOUSE_OPTIONS)


def defaults(game: str) -> dict[str, OptionValue]:
    """Every option of a game and of the house at its default."""
    return {option.key: option.default for option in options_of(game)}


def chosen(table: Table, option: Option) -> OptionValue:
    """What a table has chosen for an option; an option younger than the table is at its default."""
    value: OptionValue = table.options.get(option.key, option.default)
    return value


def game_options(options: Mapping[str, OptionValue]) -> Options:
    """The game's own options among a table's."""
    return {key: value for key, value in options.items() if key not in _HOUSE}


def check_house(options: Options) -> None:
    """Raises `RulesetError` for a value that a house rule does not offer."""
    for key, value in options.items():
        if key in _HOUSE:
            _HOUSE[key].label_of(value)


def odds_allowed(table: Table) -> bool:
    """Whether the house lets players ask for odds during a match."""
    return chosen(table, ODDS_AT_TABLE) == "on"
