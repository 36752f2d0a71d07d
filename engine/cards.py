"""Cards: ranks, suits, single cards, sets of cards and decks, and their text form both ways.

A card is numbered `13 * suit + rank` (deuce of clubs 0 ... ace of spades 51); jokers are numbered
from 52, at most twelve of them, so that any set of cards is one 64-bit integer. The numbering is
frozen: logs, shuffles and tables rely on it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Final

from engine.errors import Reason, RulesetError, TextError
from engine.patterns import compile_later

MAX_JOKERS: Final = 12
JOKER_CHAR: Final = "*"
RANK_CHARS: Final = "23456789TJQKA"
SUIT_CHARS: Final = "cdhs"
SUIT_SYMBOLS: Final = "♣♦♥♠"
CARDS_EXAMPLE: Final = '"Ah Kd *" (ranks 2-9, T or 10, J, Q, K, A; suits c, d, h, s; * is a joker)'


class Rank(IntEnum):
    """A card's rank; the value orders ranks, ace high."""

    TWO = 0
    THREE = 1
    FOUR = 2
    FIVE = 3
    SIX = 4
    SEVEN = 5
    EIGHT = 6
    NINE = 7
    TEN = 8
    JACK = 9
    QUEEN = 10
    KING = 11
    ACE = 12

    @property
    def char(self) -> str:
        """One character: `2` to `9`, `T`, `J`, `Q`, `K` or `A`."""
        return RANK_CHARS[self]

    @property
    def label(self) -> str:
        """The text printed on a card: like `char`, but `10` for the ten."""
        return "10" if self is Rank.TEN else RANK_CHARS[self]


class Suit(IntEnum):
    """A card's suit; the value is the order used where a game ranks suits."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3

    @property
    def char(self) -> str:
        """One character: `c`, `d`, `h` or `s`."""
        return SUIT_CHARS[self]

    @property
    def symbol(self) -> str:
        """The pip: ♣, ♦, ♥ or ♠."""
        return SUIT_SYMBOLS[self]


@dataclass(frozen=True, slots=True, order=True)
class Card:
    """One card, by its number (see the module's docstring)."""

    number: int

    def __post_init__(self) -> None:
        if not 0 <= self.number < 52 + MAX_JOKERS:
            raise ValueError(f"a card's number is 0 to {51 + MAX_JOKERS}, not {self.number}")

    @staticmethod
    def of(rank: Rank, suit: Suit) -> Card:
        """Return the natural card of `rank` and `suit`."""
        return Card(13 * suit + rank)

    @staticmethod
    def joker(index: int = 0) -> Card:
        """Return joker number `index`, 0 to 11."""
        return Card(52 + index)

    @staticmethod
    def parse(text: str) -> Card:
        """Parse one card, such as `Ah`, `10d`, `td` or `*`, or raise `TextError`."""
        numbers = _numbers(text)
        if len(numbers) != 1:
            raise TextError(
                text, Reason("expected one card, got {number}", number=len(numbers)), '"Ah"'
            )
        return Card(numbers[0])

    @property
    def is_joker(self) -> bool:
        """Whether this card is wild."""
        return self.number >= 52

    @property
    def rank(self) -> Rank:
        """The rank of a natural card. Raises ValueError for a joker."""
        if self.is_joker:
            raise ValueError("a joker has no rank")
        return Rank(self.number % 13)

    @property
    def suit(self) -> Suit:
        """The suit of a natural card. Raises ValueError for a joker."""
        if self.is_joker:
            raise ValueError("a joker has no suit")
        return Suit(self.number // 13)

    def __str__(self) -> str:
        return JOKER_CHAR if self.is_joker else self.rank.char + self.suit.char

    @property
    def symbol(self) -> str:
        """The card as people write it: `10♥`, `A♠`, or `★` for a joker."""
        return "★" if self.is_joker else self.rank.label + self.suit.symbol


@dataclass(frozen=True, slots=True)
class Cards:
    """A set of cards: bit `n` of `bits` is the card numbered `n`.

    Iteration and `str` go from the strongest rank down (spades first within a rank), jokers first.
    """

    bits: int = 0

    @staticmethod
    def of(cards: Iterable[Card]) -> Cards:
        """Return the set of `cards`. Raises ValueError if a card occurs twice."""
        bits = 0
        for card in cards:
            if bits >> card.number & 1:
                raise ValueError(f"{card} occurs twice")
            bits |= 1 << card.number
        return Cards(bits)

    @staticmethod
    def parse(text: str) -> Cards:
        """Parse a set of cards, such as "Ah Kd *", "ahkd", "ad,8d" or "10♥ A♠".

        Each `*` is another joker. Raises `TextError` for unknown text, a card given twice, more
        than twelve jokers, or more than 400 characters.
        """
        bits = 0
        for number in _numbers(text):
            if bits >> number & 1:
                raise TextError(
                    text, Reason("{card} is given twice", card=Card(number)), CARDS_EXAMPLE
                )
            bits |= 1 << number
        return Cards(bits)

    @property
    def jokers(self) -> int:
        """The number of jokers in the set."""
        return (self.bits >> 52).bit_count()

    @property
    def naturals(self) -> Cards:
        """The set without its jokers."""
        return Cards(self.bits & NATURAL_BITS)

    def suit_mask(self, suit: Suit) -> int:
        """Return the ranks present in `suit` as 13 bits: bit 0 is the deuce, bit 12 the ace."""
        return self.bits >> 13 * suit & 0x1FFF

    def __len__(self) -> int:
        return self.bits.bit_count()

    def __bool__(self) -> bool:
        return self.bits != 0

    def __contains__(self, card: Card) -> bool:
        return bool(self.bits >> card.number & 1)

    def __iter__(self) -> Iterator[Card]:
        return iter([card for _, card in self._by_place()])

    def __or__(self, other: Cards) -> Cards:
        return Cards(self.bits | other.bits)

    def __and__(self, other: Cards) -> Cards:
        return Cards(self.bits & other.bits)

    def __sub__(self, other: Cards) -> Cards:
        return Cards(self.bits & ~other.bits)

    def isdisjoint(self, other: Cards) -> bool:
        """Return whether no card is in both sets."""
        return not self.bits & other.bits

    def __str__(self) -> str:
        return " ".join([_TEXTS[place] for place, _ in self._by_place()])

    def _by_place(self) -> list[tuple[int, Card]]:
        """Return the cards with their places in the order of display, in this order."""
        placed, bits = [], self.bits
        while bits:  # faster for a hand, which has few cards
            lowest = bits & -bits
            placed.append(_PLACES[lowest])
            bits ^= lowest
        placed.sort()  # a place occurs once, so cards aren't compared
        return placed


@dataclass(frozen=True)
class DeckSpec:
    """A deck: every rank in every suit, and some jokers. Ranks and suits go from low to high.

    Raises RulesetError if there are no ranks, no suits, or not 0 to 12 jokers.
    """

    ranks: tuple[Rank, ...] = tuple(Rank)
    suits: tuple[Suit, ...] = tuple(Suit)
    jokers: int = 0

    def __post_init__(self) -> None:
        if not self.ranks or not self.suits:
            raise RulesetError("a deck needs at least one rank and one suit")
        if not 0 <= self.jokers <= MAX_JOKERS:
            raise RulesetError(f"a deck has 0 to {MAX_JOKERS} jokers, not {self.jokers}")

    @cached_property
    def order(self) -> tuple[Card, ...]:
        """All cards in their order before a shuffle: by card number, jokers last."""
        naturals = (Card.of(rank, suit) for suit in self.suits for rank in self.ranks)
        jokers = (Card.joker(index) for index in range(self.jokers))
        return (*sorted(naturals), *jokers)

    @cached_property
    def cards(self) -> Cards:
        """All cards, as a set."""
        return Cards.of(self.order)

    @property
    def size(self) -> int:
        """The number of cards in the deck."""
        return len(self.order)


def cards_in_order(text: str) -> tuple[Card, ...]:
    """Return the cards written in `text`, in that order, with repeats.

    Raises `TextError` for unknown text, more than twelve jokers, or more than 400 characters.
    """
    return tuple(map(Card, _numbers(text)))


NATURAL_BITS: Final = (1 << 52) - 1
_DISPLAY_ORDER: Final = (
    *range(52, 52 + MAX_JOKERS),
    *(13 * suit + rank for rank in reversed(range(13)) for suit in reversed(range(4))),
)
_PLACES: Final = {1 << number: (place, Card(number)) for place, number in enumerate(_DISPLAY_ORDER)}
_TEXTS: Final = [str(card) for _, card in _PLACES.values()]


def rank_bits(rank: int) -> int:
    """Return the four cards of a rank, as bits; `rank` is 0 for the deuce, 12 for the ace."""
    return 0x8004002001 << rank


_RANKS: Final = {char: index for index, char in enumerate(RANK_CHARS.lower())} | {"10": 8}
_SUITS: Final = {char: index for index, char in enumerate(SUIT_CHARS)} | {
    char: index for index, char in enumerate(SUIT_SYMBOLS)
}
# a rank and its suit in either order, which is never ambiguous; or a joker
_TOKEN: Final = re.compile(
    r"(10|[2-9tjqka])([cdhs♣♦♥♠])|([cdhs♣♦♥♠])(10|[2-9tjqka])|([*★])",
)
_CARDS: Final = compile_later(rf"(?:{_TOKEN.pattern})*")
# letters of neither rank nor suit: the text is a word, not a typo
_NO_CARD: Final = compile_later(r"[befgilmnopru-z]")
_SEPARATORS: Final = re.compile(r"[\s,;|+/\[\]-]+")
_OUTLINE_SUITS: Final = str.maketrans(
    {"♧": "♣", "♢": "♦", "♡": "♥", "♤": "♠", "\ufe0f": None, "\ufe0e": None}
)
_LONGEST_TEXT: Final = 400


def _numbers(text: str) -> list[int]:
    """Return the card numbers in `text`, in order; jokers are numbered from 52 as they occur.

    Raises `TextError` for unknown text, more than twelve jokers, or more than 400 characters.
    """
    if len(text) > _LONGEST_TEXT:
        raise TextError(
            text[:40],
            Reason("expected a few cards, got {number} characters", number=len(text)),
            CARDS_EXAMPLE,
        )
    plain = unicodedata.normalize("NFKC", text).translate(_OUTLINE_SUITS).lower()
    plain = _SEPARATORS.sub(" ", plain).strip()
    numbers: list[int] = []
    jokers = 0
    at = 0
    while at < len(plain):
        if plain[at] == " ":
            at += 1
            continue
        token = _TOKEN.match(plain, at)
        if token is None:
            word = plain[plain.rfind(" ", 0, at) + 1 :].split(" ")[0]
            wrong = word if _NO_CARD.search(word) else plain[at:].split(" ")[0]
            raise TextError(text, _what_is_wrong(wrong), CARDS_EXAMPLE)
        if token[5]:
            if jokers == MAX_JOKERS:
                raise TextError(
                    text,
                    Reason("there are at most {number} jokers", number=MAX_JOKERS),
                    CARDS_EXAMPLE,
                )
            numbers.append(52 + jokers)
            jokers += 1
        else:
            numbers.append(13 * _SUITS[token[2] or token[3]] + _RANKS[token[1] or token[4]])
        at = token.end()
    return numbers


def _what_is_wrong(wrong: str) -> Reason:
    if re.match(r"(10|[2-9tjqka])$", wrong):
        return Reason('"{card}" is missing its suit', card=wrong.upper())
    odd = re.match(r"[\w]{1,2}[cdhs♣♦♥♠](?=[\dtjqka]|$)", wrong)
    if odd is not None and not _TOKEN.fullmatch(odd[0]):  # "1h2d": quote only the bad card
        is_card = odd[0][0].isdecimal() or _CARDS.fullmatch(wrong, odd.end())
        wrong = odd[0] if is_card else wrong
    if len(wrong) > 12:
        wrong = wrong[:12] + "…"
    return Reason('"{word}" isn\'t a card', word=wrong)
