"""A person's own settings, wherever they play; declared like table options."""

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
DIRECT_CARDS: Final = Option(
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
PREFERENCES: Final = (DECK, CARDS, REMINDERS, DIRECT_CARDS, LANGUAGE)
# key among a person's choices: the language of their Discord, when last seen
SEEN: Final = "seen_language"


def wants_cards_by_direct_message(player: Player, table: Table) -> bool:
    """Return whether a person gets their cards by direct message.

    The table's option decides if the person's choice is "table".
    """
    choice = preference(player, DIRECT_CARDS)
    return choice == "yes" or (
        choice == "table" and chosen(table, table_options.DIRECT_CARDS) == "yes"
    )


def language_of(player: Player) -> str:
    """Return the key of the language for texts that only this person sees."""
    key = preference(player, LANGUAGE)
    if key not in KEYS:
        key = player.choices.get(SEEN, ENGLISH)
    return str(key) if key in KEYS else ENGLISH


def preference(player: Player, option: Option) -> OptionValue:
    """Return a person's choice, or the default if it's unset or no longer offered."""
    value = player.choices.get(option.key, option.default)
    known = any(choice.value == value for choice in option.choices)
    return value if known else option.default
