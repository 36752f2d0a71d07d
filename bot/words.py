"""Small words: counts, lists, mentions, cards in text. Whole sentences are where they are used."""

from __future__ import annotations

from collections.abc import Iterable
from math import floor, log10
from typing import Final

from engine.bids import Kind, Need
from engine.cards import Card, Cards
from engine.readings import RANK_WORDS, SUIT_WORDS

_NUMBERS: Final = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
)

KIND_LABELS: Final[dict[Kind, str]] = {
    Kind.HIGH_CARD: "High card",
    Kind.PAIR: "Pair",
    Kind.TWO_PAIR: "Two pair",
    Kind.THREE: "Three of a kind",
    Kind.FLUSH: "Flush",
    Kind.STRAIGHT: "Straight",
    Kind.FULL_HOUSE: "Full house",
    Kind.FOUR: "Four of a kind",
    Kind.STRAIGHT_FLUSH: "Straight flush",
    Kind.ROYAL_FLUSH: "Royal flush",
    Kind.FIVE: "Five of a kind",
}

BAR_WIDTH: Final = 20
_EIGHTHS: Final = " ▏▎▍▌▋▊▉"


def mention(player: int) -> str:
    """A person, by the name that each reader knows them by."""
    return f"<@{player}>"


def count(number: int, noun: str) -> str:
    """ "1 card", "3 cards"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def capital(words: str) -> str:
    """The words with a capital first letter; the others as they are."""
    return words[:1].upper() + words[1:]


def together(words: str) -> str:
    """The words with spaces at which a line does not break."""
    return words.replace(" ", "\u00a0")


def number_word(number: int) -> str:
    """ "three"; digits above ten."""
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)


def percent(probability: float) -> str:
    """A probability for people: `65.5 %`, `0.24 %`, `>99.9 %`; `0 %` and `100 %` are exact."""
    if probability in (0, 1):
        return f"{probability * 100:.0f} %"
    if probability > 0.9994:
        return ">99.9 %"
    if probability >= 0.00995:  # one decimal from 1.0 % on
        return f"{probability * 100:.1f} %"
    decimals = 1 - floor(log10(probability * 100))  # two significant digits
    return f"{probability * 100:.{decimals}f} %"


def bar(probability: float, width: int = BAR_WIDTH) -> str:
    """A bar of `width` characters, shaded where it is empty; anything possible shows a sliver."""
    eighths = round(probability * width * 8)
    if probability > 0:
        eighths = max(1, eighths)
    full, part = divmod(eighths, 8)
    drawn = "█" * full + (_EIGHTHS[part] if part else "")
    return drawn + "░" * (width - len(drawn))


def listed(parts: Iterable[str], last: str = "and") -> str:
    """ "a, b and c"."""
    *head, tail = list(parts) or [""]
    return f"{', '.join(head)} {last} {tail}" if head else tail


def cards_text(cards: Cards, used: Cards | None = None) -> str:
    """Cards as people read them, strongest first; those in `used` in bold."""

    def one(card: Card) -> str:
        return f"**{card.symbol}**" if used is not None and card in used else card.symbol

    return " ".join(one(card) for card in cards) or "no cards"


def lacking_text(lacking: Iterable[Need]) -> str:
    """What a bid lacks: "a ten and two clubs"."""
    return listed(_need_text(need) for need in lacking)


def _need_text(need: Need) -> str:
    cards = list(need.cards)
    if not cards:  # every natural card is there already, as in five of a kind
        return "a joker" if need.count == 1 else f"{number_word(need.count)} jokers"
    amount = "a" if need.count == 1 else number_word(need.count)
    if len(cards) == 1:
        return f"the {cards[0].symbol}"
    ranks = {card.rank for card in cards}
    suits = {card.suit for card in cards}
    if len(ranks) == 1:
        words = RANK_WORDS[ranks.pop()]
        amount = "an" if amount == "a" and words[0][0] in "ae" else amount
        return f"{amount} {words[need.count > 1]}"
    if len(suits) == 1 and len(cards) > 2:
        return f"{amount} more {SUIT_WORDS[suits.pop()][need.count > 1]}"
    return listed((f"the {card.symbol}" for card in cards), "or")
