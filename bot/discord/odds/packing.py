"""A question about a showdown as a short text, for the custom id of a button, and back.

Every card is one letter, so that all 52 cards, in any number of hands, fit the 100 characters; only
a long range of hands does not.
"""

from __future__ import annotations

import re
from string import ascii_letters
from typing import TYPE_CHECKING, Final

from bot.discord import ids
from engine.cards import Card, Cards
from engine.errors import TextError

if TYPE_CHECKING:
    from engine.odds import Range, Scenario

_RANGE: Final = "="
_SPACE: Final = re.compile(r"\s+")


def packed(scenario: Scenario) -> str | None:
    """The whole question as a short text, or None if it does not fit a custom id."""
    from engine.odds import game_of

    rules = game_of(scenario.rules, len(scenario.players), len(scenario.dead))
    if rules is None:
        return None
    hands = "/".join(map(_letters, scenario.players))
    board = "".join(ascii_letters[card.number] for card in scenario.in_order)
    text = ";".join((rules, hands, board, _letters(scenario.dead)))
    return text if ids.of_odds(ids.RANKS, text) else None


def unpacked(text: str) -> Scenario:
    """The question in a custom id. Raises `TextError` for a forged one."""
    from engine.odds import PRESETS, Range, Scenario

    parts = text.split(";")
    if len(parts) != 4 or parts[0] not in PRESETS:
        raise _forged(text)
    key, hands, board, dead = parts
    rules = PRESETS[key]
    players = tuple(
        Range.parse(held[1:], rules) if held.startswith(_RANGE) else _cards(held)
        for held in hands.split("/")
    )
    shown, gone = _cards(board), _cards(dead)
    dealt = tuple(Card(ascii_letters.index(letter)) for letter in board)
    return Scenario(rules.dealt_to(len(players), len(gone)), players, shown, gone, dealt)


def _letters(held: Cards | Range) -> str:
    if isinstance(held, Cards):
        return "".join(ascii_letters[card.number] for card in held)
    return _RANGE + _SPACE.sub("", held.text)


def _cards(letters: str) -> Cards:
    try:
        return Cards.of(Card(ascii_letters.index(letter)) for letter in letters)
    except ValueError:
        raise _forged(letters) from None


def _forged(text: str) -> TextError:
    return TextError(text[:40], "This button is not one of ours", "ask with /odds showdown")
