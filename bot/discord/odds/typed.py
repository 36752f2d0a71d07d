"""What somebody typed, or might have meant, in the custom id of a button, and back.

It stands there as it would be typed again. What is too long for a custom id has no button.
"""

from __future__ import annotations

from typing import Final

from bot.discord.odds.asking import MINE, TypedOptions, chosen_options
from bot.discord.odds.questions import TypedShowdown
from bot.language.wordings import cards_understood
from engine.cards import cards_in_order
from engine.errors import TextError
from engine.ruleset import Variant
from engine.variants import VARIANTS

_PART: Final = ";"
_PARTS: Final = 5
_OWN: Final = "my"


def packed_showdown(typed: TypedShowdown) -> str:
    """A question about a showdown."""
    board, dead = _in_letters(typed.board), _in_letters(typed.dead)
    parts = (typed.preset or "", str(typed.opponents), board, dead, typed.hands)
    return _PART.join(part.replace(_PART, ",") for part in parts)


def _in_letters(cards: str) -> str:
    """Cards without the room between them; what is in words stays as it was typed."""
    try:
        return "".join(map(str, cards_in_order(cards)))
    except TextError:
        return cards


def unpacked_showdown(text: str) -> TypedShowdown:
    """The question in a custom id. Raises `TextError` for a forged one."""
    preset, opponents, board, dead, hands = _parts_of(text)
    return TypedShowdown(hands, preset or None, board, dead, _number(opponents, text) or 0)


def packed_bids(variant: Variant, typed: TypedOptions) -> str:
    """A question about bids. Raises `TextError` for what are no cards."""
    options = ",".join(f"{key}={value}" for key, value in typed.chosen.items())
    in_play = "" if typed.in_play is None else str(typed.in_play)
    held = _OWN
    if not typed.names_own_cards:
        held = str(cards_understood(typed.cards or "")).replace(" ", "")
    return _PART.join((variant.short, in_play, held, options, typed.bid or ""))


def unpacked_bids(text: str) -> tuple[Variant, TypedOptions]:
    """The game in a custom id, and what is asked of it. Raises `TextError` for a forged one."""
    short, in_play, held, options, bid = _parts_of(text)
    variant = next((one for one in VARIANTS.values() if one.short == short), None)
    if variant is None:
        raise _forged(text)
    given = dict(one.split("=", 1) for one in options.split(",") if "=" in one)
    chosen = chosen_options(variant.odds_options, given)
    cards = MINE if held == _OWN else held or None
    return variant, TypedOptions(_number(in_play, text), cards, bid or None, chosen)


def _parts_of(text: str) -> list[str]:
    parts = text.split(_PART)
    if len(parts) != _PARTS:
        raise _forged(text)
    return parts


def _number(said: str, text: str) -> int | None:
    if not said:
        return None
    if not (said.isascii() and said.isdecimal() and len(said) <= 3):
        raise _forged(text)
    return int(said)


def _forged(text: str) -> TextError:
    return TextError(text[:40], "This button is not one of ours", "ask with /odds")
