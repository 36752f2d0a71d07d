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
    "The colours of the suits in your own cards.",
)
CARDS: Final = Option(
    "cards",
    "Your cards",
    (OptionChoice("cards", "as cards"), OptionChoice("text", "in words only")),
    "In words a screen reader reads them out: ace of spades, ten of hearts.",
)
REMINDERS: Final = Option(
    "reminders",
    "Reminders of your turn",
    (
        OptionChoice("table", "as the table says"),
        OptionChoice("letter", "by direct message too"),
        OptionChoice("never", "never"),
    ),
    "Whether a message may ping you when you are to act.",
)
LETTERS: Final = Option(
    "letters",
    "Cards by direct message",
    (
        OptionChoice("table", "as the table says"),
        OptionChoice("yes", "always"),
        OptionChoice("no", "never"),
    ),
    "My seat at the table shows your cards in any case.",
)
LANGUAGE: Final = Option(
    "language",
    "Your language",
    (
        OptionChoice("client", "as in your Discord"),
        *(OptionChoice(key, name_of(key)) for key in KEYS),
    ),
    "Of what only you see. Tables speak the language of their server.",
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
