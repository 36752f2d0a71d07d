"""Ranges of two hole cards in the usual notation: "QQ+, AKs, 76s-54s", "A2s+", "KTo", "AhKd".

A range is a set of combos, each as likely as any other. `s` is suited, `o` offsuit, neither means
both; `+` raises a pair to aces and the lower card to just below the higher one; `X-Y` are all
steps between two of one kind.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from engine.cards import RANK_CHARS, Card, Cards, Rank, Suit
from engine.errors import TextError, quoted

RANGE_EXAMPLE: Final = '"QQ+, AKs, 76s-54s"'
_RANKS: Final = {char: Rank(index) for index, char in enumerate(RANK_CHARS.lower())}
_KIND: Final = r"([2-9tjqka])([2-9tjqka])([so]?)"
_TERM: Final = re.compile(rf"{_KIND}(?:(\+)|-{_KIND})?")
_EVERY: Final = ("any", "random", "*", "100%")


@dataclass(frozen=True, slots=True)
class Range:
    """A set of two-card combos, kept with the text it came from."""

    text: str
    combos: frozenset[Cards]

    @staticmethod
    def parse(text: str) -> Range:
        """The range that `text` describes. Raises `TextError`."""
        combos: set[Cards] = set()
        terms = [term for term in re.split(r"[,;\s]+", _tidy(text)) if term]
        for term in terms:
            combos |= _combos(term, text)
        if not combos:
            raise TextError(text, "expected at least one hand in the range", RANGE_EXAMPLE)
        return Range(", ".join(map(_shown, terms)), frozenset(combos))

    def __len__(self) -> int:
        return len(self.combos)

    def __str__(self) -> str:
        return self.text


def _tidy(text: str) -> str:
    plain = text.strip().lower().replace("10", "t").replace("–", "-").replace("—", "-")
    return re.sub(r"\s*-\s*", "-", plain)


def _shown(term: str) -> str:
    if term in _EVERY:
        return term
    cards = _two_cards(term)
    if cards is not None:
        return str(cards).replace(" ", "")
    return "".join(char if char in "so" else char.upper() for char in term)


def looks_like_range(text: str, *, combos: bool = False) -> bool:
    """Whether `text` reads as a range of hands rather than as cards.

    With `combos` some of the hands may be two cards, as in "QQ+, AhKd".
    """
    terms = [term for term in re.split(r"[,;\s]+", _tidy(text)) if term]
    cards = [term for term in terms if not (_TERM.fullmatch(term) or term in _EVERY[:2])]
    return len(cards) < len(terms) and (combos or not cards) and all(map(_two_cards, cards))


def _combos(term: str, text: str) -> set[Cards]:
    if term in _EVERY:
        return {Cards(1 << one | 1 << other) for one, other in combinations(range(52), 2)}
    found = _TERM.fullmatch(term)
    if found is None:
        pair = _two_cards(term)
        if pair is None:
            raise TextError(text, f"{quoted(term)} is not a range of hands", RANGE_EXAMPLE)
        return {pair}
    high, low, kind = _parts(found[1], found[2], found[3], term, text)
    if found[4]:
        top = Rank.ACE if high == low else high - 1
        steps = [(rank if high == low else high, rank) for rank in range(low, top + 1)]
    elif found[5]:
        other_high, other_low, other_kind = _parts(found[5], found[6], found[7], term, text)
        one_gap = high - low == other_high - other_low
        pairs = (high == low, other_high == other_low)
        if kind != other_kind or (pairs[0] != pairs[1]) or not (one_gap or high == other_high):
            raise TextError(text, f"{quoted(term)} does not join hands of one kind", RANGE_EXAMPLE)
        step = 1 if one_gap else 0
        lowest, highest = sorted((low, other_low))
        base = min(high, other_high)
        steps = [(base + step * (rank - lowest), rank) for rank in range(lowest, highest + 1)]
    else:
        steps = [(high, low)]
    return {combo for one, other in steps for combo in _suits(one, other, kind)}


def _parts(one: str, other: str, kind: str, term: str, text: str) -> tuple[int, int, str]:
    high, low = sorted((int(_RANKS[one]), int(_RANKS[other])), reverse=True)
    if high == low and kind:
        reason = f"{quoted(term)}: a pair is neither suited nor offsuit"
        raise TextError(text, reason, RANGE_EXAMPLE)
    return high, low, kind


def _suits(high: int, low: int, kind: str) -> set[Cards]:
    """The combos of two ranks: 6 of a pair, 4 suited, 12 offsuit."""
    if high == low:
        cards = [Card.of(Rank(high), suit) for suit in Suit]
        return {Cards.of(pair) for pair in combinations(cards, 2)}
    return {
        Cards.of((Card.of(Rank(high), first), Card.of(Rank(low), second)))
        for first in Suit
        for second in Suit
        if not kind or (first == second) == (kind == "s")
    }


def _two_cards(term: str) -> Cards | None:
    try:
        cards = Cards.parse(term)
    except TextError:
        return None
    return cards if len(cards) == 2 and not cards.jokers else None
