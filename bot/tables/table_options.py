"""Table options that aren't rules of a game, declared in the same way as a game's.

A rule of every game is in `engine.ruleset.EVERY_GAME`. A table keeps the game's options and these
common ones in one mapping; `game_options` separates them.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Final

from bot.language.catalogues import ENGLISH, KEYS, name_of, tr, trn
from bot.roster import people
from bot.tables.model import Table
from engine.errors import RulesetError
from engine.ruleset import LENGTH, Option, OptionChoice, Options, OptionValue
from engine.variants import variant

ODDS_AT_TABLE: Final = Option(
    "odds_at_table",
    "Odds during the match",
    (
        OptionChoice("on", "only with /odds"),
        OptionChoice("seats", "with /odds, and in every seat"),
        OptionChoice("off", "none"),
    ),
    "Where players see each bid's odds. If you're alone against computers, your seat shows them"
    " too.",
)
TURN_CLOCK: Final = Option(
    "turn_seconds",
    "Time per turn",
    (
        OptionChoice(120, "2 minutes"),
        OptionChoice(30, "30 seconds"),
        OptionChoice(60, "1 minute"),
        OptionChoice(300, "5 minutes"),
        OptionChoice(86_400, "1 day"),
        OptionChoice(0, "no limit"),
    ),
    "Pick 1 day for a match played over several days.",
)
ABSENCE: Final = Option(
    "absence",
    "When time runs out",
    (OptionChoice("house", "the bot plays"), OptionChoice("forfeit", "out of the match")),
    "The bot makes that move, and takes over after two in a row. Or the player is out at once.",
)
PINGS: Final = Option(
    "pings",
    "Reminders",
    (
        OptionChoice("slow", "on slow turns"),
        OptionChoice("every", "on every turn"),
        OptionChoice("never", "never"),
    ),
    "A short ping for whoever's turn it is. It goes once they've moved.",
)
DIRECT_CARDS: Final = Option(
    "letters",
    "Cards by direct message",
    (OptionChoice("no", "no"), OptionChoice("yes", "yes, each round")),
    "Send everyone's cards by direct message too. My seat shows them either way.",
)
BURIED: Final = Option(
    "buried",
    "When chat buries the table",
    (
        OptionChoice(8, "move it down after 8 messages"),
        OptionChoice(20, "move it down after 20 messages"),
        OptionChoice(0, "leave it there"),
    ),
    "Checked when a turn starts, at most once a minute.",
)
TALK: Final = Option(
    "talk",
    "Computer players",
    (OptionChoice("on", "chat now and then"), OptionChoice("off", "keep quiet")),
    "Whether they say something at the table now and then.",
)
LANGUAGE: Final = Option(
    "language",
    "Language of the tables",
    (
        OptionChoice("server", "same as the server's Discord"),
        *(OptionChoice(key, name_of(key)) for key in KEYS),
    ),
    "For what everyone sees at a table. Private messages are in your own language.",
)
HOUSE_RULES: Final = (
    ODDS_AT_TABLE,
    TURN_CLOCK,
    ABSENCE,
    PINGS,
    DIRECT_CARDS,
    BURIED,
    TALK,
    LANGUAGE,
)
# in the forms "Time" and "Messages", apart from the game's options and the odds: a form has five
# fields at most
PACE: Final = (LENGTH, TURN_CLOCK, ABSENCE)
MESSAGES: Final = (PINGS, DIRECT_CARDS, BURIED)
WITH_COMPUTERS: Final = (TALK,)  # chosen where computer players are added
SERVER: Final = (LANGUAGE,)  # for a whole server and all its games
_HOUSE_RULES: Final = {option.key: option for option in HOUSE_RULES}


def options_of(game: str) -> tuple[Option, ...]:
    """Return all options of a game's tables: the game's own, then the common ones."""
    return (*variant(game).all_options, *HOUSE_RULES)


def defaults(game: str) -> dict[str, OptionValue]:
    """Return the default of every option of a game's tables."""
    return {option.key: option.default for option in options_of(game)}


def chosen(table: Table, option: Option) -> OptionValue:
    """Return a table's value for an option; the default if the option is newer than the table."""
    value = table.options.get(option.key)
    return option.default if value is None else value


def choice_text(table: Table, option: Option) -> str:
    """Return a table's choice for an option as text."""
    return value_text(option, chosen(table, option))


def value_text(option: Option, value: OptionValue) -> str:
    """Return an option's value in words.

    `TURN_CLOCK` may have a value that isn't a choice, since the bot's settings give its default.
    """
    if option is TURN_CLOCK and all(choice.value != value for choice in option.choices):
        return duration(int(value))
    return tr(option.label_of(value))


def unusual(game: str, options: Options) -> tuple[Option, ...]:
    """Return the options of a game whose values differ from the default."""
    return tuple(
        option
        for option in options_of(game)
        if options.get(option.key, option.default) != option.default
    )


def still_offered(game: str, options: Options) -> dict[str, OptionValue]:
    """Return the remembered `options` that a game still offers."""
    offered: dict[str, OptionValue] = {}
    for option in options_of(game):
        if option.key in options:
            with contextlib.suppress(RulesetError):
                check_house_rules({option.key: options[option.key]})
                if option not in HOUSE_RULES:
                    option.label_of(options[option.key])
                offered[option.key] = options[option.key]
    return offered


def duration(seconds: int) -> str:
    """Format seconds in the largest whole unit: `90 seconds`, `10 minutes`, `2 days`."""
    if seconds and seconds % 86_400 == 0:
        return trn("{number} day", "{number} days", seconds // 86_400)
    if seconds and seconds % 3600 == 0:
        return trn("{number} hour", "{number} hours", seconds // 3600)
    if seconds and seconds % 60 == 0:
        return trn("{number} minute", "{number} minutes", seconds // 60)
    return trn("{number} second", "{number} seconds", seconds)


def language_of(table: Table) -> str:
    """Return the key of the language that everyone at a table sees."""
    key = str(chosen(table, LANGUAGE))
    return key if key in KEYS else ENGLISH


def game_options(options: Mapping[str, OptionValue]) -> Options:
    """Return the game's own options of a table."""
    return {key: value for key, value in options.items() if key not in _HOUSE_RULES}


def check_house_rules(options: Options) -> None:
    """Check the values of common options. Raises `RulesetError` if a value isn't offered.

    `TURN_CLOCK` may be any number of seconds from 0 up.
    """
    for key, value in options.items():
        if key in _HOUSE_RULES and not (
            key == TURN_CLOCK.key and type(value) is int and value >= 0
        ):
            _HOUSE_RULES[key].label_of(value)


def odds_allowed(table: Table) -> bool:
    """Return whether players may ask for odds during a match."""
    return chosen(table, ODDS_AT_TABLE) != "off"


def seat_odds_shown(table: Table) -> bool:
    """Return whether seats show how likely bids are.

    They do if the table's options say so, or if at most one person is at the table and odds are
    allowed.
    """
    alone = len(people(table.players)) <= 1
    return chosen(table, ODDS_AT_TABLE) == "seats" or (odds_allowed(table) and alone)
