"""What `/odds` suggests while cards are typed: the next card after those that are complete."""

from __future__ import annotations

import re
from typing import Final

from discord import app_commands

from bot.discord.odds.asking import MINE
from bot.language.catalogues import tr
from engine.cards import JOKER_CHAR, Cards
from engine.errors import TextError
from engine.ruleset import Ruleset

MOST_CHOICES: Final = 25
_MOST_LENGTH: Final = 100  # of a choice's name and of its value
_CARD: Final = re.compile(r"\s*(?:(?:10|[2-9tjqka])[cdhs♣♦♥♠]|[*★])[\s,;]*", re.IGNORECASE)
_SUITS: Final = str.maketrans("♣♦♥♠", "cdhs")


def card_choices(typed: str, rules: Ruleset, *, seated: bool) -> list[app_commands.Choice[str]]:
    """At most 25 choices, "my cards" first for who is `seated` at a live table."""
    choices = [_choice(cards) for cards in completions(typed, rules)]
    found = [choice for choice in choices if len(choice.value) <= _MOST_LENGTH]
    begun = typed.strip().lower()
    if seated and (MINE.startswith(begun) or tr(MINE).lower().startswith(begun)):
        found.insert(0, app_commands.Choice(name=tr(MINE), value=MINE))
    return found[:MOST_CHOICES]


def completions(typed: str, rules: Ruleset) -> list[Cards]:
    """The typed cards as they are, then with each card that what follows them may become.

    Empty for a text that cannot become cards of this deck.
    """
    at = 0
    while found := _CARD.match(typed, at):
        at = found.end()
    rest = typed[at:].strip().lower().replace("10", "t").translate(_SUITS)
    try:
        done = Cards.parse(typed[:at])
    except TextError:
        return []
    left = rules.deck.cards - done
    if done - rules.deck.cards:
        return []
    complete = [done] if done and not rest else []
    # "1" is the beginning of a ten
    begun = "t" if rest == "1" else rest
    more = [Cards.of([card]) for card in left.naturals if str(card).lower().startswith(begun)]
    if left.jokers and begun == "":
        more.insert(0, Cards.parse(JOKER_CHAR * (done.jokers + 1)) - done)
    return complete + [done | card for card in more]


def _choice(cards: Cards) -> app_commands.Choice[str]:
    shown = " ".join(card.symbol for card in cards)
    if len(shown) > _MOST_LENGTH:
        shown = f"… {shown[-_MOST_LENGTH + 2 :]}"
    return app_commands.Choice(name=shown, value=str(cards).replace(" ", ""))
