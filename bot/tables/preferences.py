"""What a person chooses for themselves, wherever they play; declared as house rules are."""

from __future__ import annotations

from typing import Final

from bot.language.catalogues import ENGLISH, KEYS, name_of
from bot.tables import table_options
from bot.tables.model import Player, Table
from bot.tables.table_options import chosen
from engine.ruleset import Option, OptionChoice, OptionValue

DECK: Final = Option(
    "deck",
    "Deck",
    (OptionChoice("four", "four colours"), OptionChoice("two", "two colours")),
    "Suit colours for your own cards.",
)
CARDS: Final = Option(
    "cards",
    "Your cards",
    (OptionChoice("cards", "as cards"), OptionChoice("text", "in words only")),
    '"In words" works with screen readers: ace of spades, ten of hearts.',
)
REMINDERS: Final = Option(
    "reminders",
    "Reminders of your turn",
    (
        OptionChoice("table", "use the table's setting"),
        OptionChoice("letter", "by direct message too"),
        OptionChoice("never", "never"),
    ),
    "Whether a message can ping you on your turn.",
)
LETTERS: Final = Option(
    "letters",
    "Cards by direct message",
    (
        OptionChoice("table", "use the table's setting"),
        OptionChoice("yes", "always"),
        OptionChoice("no", "never"),
    ),
    "My seat at the table shows your cards either way.",
)
LANGUAGE: Final = Option(
    "language",
    "Your language",
    (
        OptionChoice("client", "same as Discord"),
        *(OptionChoice(key, name_of(key)) for key in KEYS),
    ),
    "For messages only you see. Tables use the server's language.",
)
PREFERENCES: Final = (DECK, CARDS, REMINDERS, LETTERS, LANGUAGE)
SEEN: Final = "seen_language"  # among a person's choices: that of their Discord, when last seen


def takes_letters(player: Player, table: Table) -> bool:
    """Whether somebody's cards go to them by direct message: their own choice, or the house's."""
    wanted = preference(player, LETTERS)
    return wanted == "yes" or (wanted == "table" and chosen(table, table_options.LETTERS) == "yes")


def language_of(player: Player) -> str:
    """The key of the language in which somebody is shown what only they see."""
    key = preference(player, LANGUAGE)
    if key not in KEYS:
        key = player.choices.get(SEEN, ENGLISH)
    return str(key) if key in KEYS else ENGLISH


def preference(player: Player, option: Option) -> OptionValue:
    """What a person has chosen, or the default: also for a value that is offered no more."""
    value = player.choices.get(option.key, option.default)
    known = any(choice.value == value for choice in option.choices)
    return value if known else option.default
