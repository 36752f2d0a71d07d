"""Payouts: ante bonus, Pair Plus and six-card bonus, each for any pay table.

A pay table is written as the payouts to one, separated by slashes, in the order printed at the
table: `1/4/5`, `40/30/6/4/1`, `1000/200/50/25/20/10/5`. The six-card bonus is for the best hand of
five among the player's and the dealer's six cards: a closed formula counts all 20,358,520 sets of
six; for a known hand the dealers are counted one by one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from functools import cache
from itertools import combinations
from math import comb
from typing import ClassVar, Final, Self

import numpy as np
from numpy.typing import NDArray

from engine.cards import Cards
from engine.errors import Reason, TextError
from engine.odds.three_card.hands import Category, HandClasses, IntArray, all_hands

SIX_CARD_SETS = comb(52, 6)
_SUIT = 0x1FFF
_STRAIGHTS = (*(0b11111 << low for low in range(9)), 0b1_0000_0000_1111)
_HAS_STRAIGHT = np.any([np.arange(1 << 13) & mask == mask for mask in _STRAIGHTS], axis=0)


@cache
def six_card_counts() -> tuple[int, ...]:
    """Return how many sets of six cards make each best hand, royal flush to three of a kind.

    The counts are in the order of `SixCardBonus`. Each set is counted for its best hand only, and
    sets that lose the bonus are left out.
    """
    six_ranks = (sum(1 << rank for rank in ranks) for ranks in combinations(range(13), 6))
    straight_six = sum(
        bool(_HAS_STRAIGHT[mask]) for mask in six_ranks
    )  # counts sets of ranks, not hands
    straight_five = len(_STRAIGHTS)
    royal = 4 * 47
    straight_flush = 4 * (straight_five * 39 + straight_six) - royal
    four = 13 * comb(48, 2)
    full_house = comb(13, 2) * comb(4, 3) ** 2 + 13 * 4 * 12 * 6 * 11 * 4
    flush = 4 * (comb(13, 5) * 39 + comb(13, 6)) - straight_flush - royal
    # Suits for six ranks, without those with five or six of one suit; and for five ranks of which
    # one is paired, without those with five of one suit (the pair then holds that suit and
    # another).
    suits_of_six = 4**6 - 4 * (1 + 6 * 3)
    suits_of_five = 5 * (comb(4, 2) * 4**4 - 4 * 3)
    straight = straight_six * suits_of_six + straight_five * suits_of_five
    three = 13 * 4 * comb(12, 3) * 4**3
    return royal, straight_flush, four, full_house, flush, straight, three


def six_card_counts_with(hand: Cards, seen: Cards) -> tuple[tuple[int, ...], int]:
    """Return how many dealer hands make each bonus with `hand`, and how many are possible.

    The bonuses are in the order of `SixCardBonus`. The dealer holds none of the cards of `hand`
    (three) and `seen` (any number).
    """
    dealers = all_hands().bits
    possible = dealers[dealers & (hand.bits | seen.bits) == 0]
    kind = _kinds(possible | hand.bits)
    counts = np.bincount(kind, minlength=8)[:7]
    return tuple(int(count) for count in counts), len(possible)


def _kinds(sets: IntArray) -> IntArray:
    """Return the index of each six-card set's best entry of `SixCardBonus`, 7 for none."""
    suits = np.stack([sets >> 13 * suit & _SUIT for suit in range(4)])
    ranks = suits[0] | suits[1] | suits[2] | suits[3]
    two_or_more = np.zeros_like(ranks)
    three_or_more = np.zeros_like(ranks)
    four = np.zeros_like(ranks)
    held = np.zeros_like(ranks)
    for suit in suits:
        four |= three_or_more & suit
        three_or_more |= two_or_more & suit
        two_or_more |= held & suit
        held |= suit
    second_pair = two_or_more & (two_or_more - 1) != 0  # a second rank held at least twice
    royal = (suits & 0x1F00 == 0x1F00).any(axis=0)
    tests = [
        royal,
        _HAS_STRAIGHT[suits].any(axis=0),
        four != 0,
        (three_or_more != 0) & second_pair,
        (np.bitwise_count(suits) >= 5).any(axis=0),
        _HAS_STRAIGHT[ranks],
        three_or_more != 0,
    ]
    return np.select(tests, list(range(7)), 7)


HIGHEST_PAY: Final = 1_000_000
_SEPARATORS: Final = re.compile(r"\s*[/,:\s]\s*")


@dataclass(frozen=True)
class PayTable:
    """Payouts to one, as whole numbers of at least 0.

    Some tables pay more for the Mini Royal, ace-king-queen of one suit; if `mini_royal` is None, it
    pays like any other straight flush.
    """

    TITLE: ClassVar[str]
    ENTRIES: ClassVar[str]

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a pay table. Raises `TextError` for a wrong entry or a wrong number of entries."""
        example = f'"{cls()}"'
        names = cls.names()
        written = [entry for entry in _SEPARATORS.split(text.strip()) if entry]
        if len(written) != len(names):
            reason = Reason(
                "expected {number} payouts for {bet} ({entries}), got {given}",
                number=len(names),
                bet=cls.TITLE,
                entries=cls.ENTRIES,
                given=len(written),
            )
            raise TextError(text, reason, example)
        return cls(
            **{name: parse_pay(entry, example) for name, entry in zip(names, written, strict=True)}
        )

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """Return the entries' names in the order written, without `mini_royal`."""
        return tuple(field.name for field in fields(cls) if field.name != "mini_royal")

    def __str__(self) -> str:
        return "/".join(str(getattr(self, name)) for name in self.names())


def parse_pay(text: str, example: str) -> int:
    """Parse a payout, such as 40 for 40 to 1.

    Raises `TextError` if it isn't a whole number from 0 to `HIGHEST_PAY`.
    """
    if not re.fullmatch(r"[0-9]{1,7}", text) or int(text) > HIGHEST_PAY:
        reason = Reason(
            'a payout is a whole number from 0 to {most}, not "{word}"',
            most=HIGHEST_PAY,
            word=text[:20],
        )
        raise TextError(text, reason, example)
    return int(text)


@dataclass(frozen=True)
class AnteBonus(PayTable):
    """A bonus on the ante of a played hand, whatever the dealer holds."""

    TITLE: ClassVar[str] = "the ante bonus"
    ENTRIES: ClassVar[str] = "straight/three of a kind/straight flush"

    straight: int = 1
    three: int = 4
    straight_flush: int = 5
    mini_royal: int | None = None

    def units(self, classes: HandClasses) -> IntArray:
        """Return the bonus of each class of hands, (classes,) units of the ante."""
        table = np.zeros(len(Category), dtype=np.int64)
        table[Category.STRAIGHT] = self.straight
        table[Category.THREE_OF_A_KIND] = self.three
        table[Category.STRAIGHT_FLUSH] = self.straight_flush
        return _with_mini_royal(table[classes.category], classes, self.mini_royal)


@dataclass(frozen=True)
class PairPlus(PayTable):
    """A bet on the player's own three cards, lost below a pair."""

    TITLE: ClassVar[str] = "Pair Plus"
    ENTRIES: ClassVar[str] = "straight flush/three of a kind/straight/flush/pair"

    straight_flush: int = 40
    three: int = 30
    straight: int = 6
    flush: int = 4
    pair: int = 1
    mini_royal: int | None = None

    def units(self, classes: HandClasses) -> IntArray:
        """Return the win of each class of hands in units staked, -1 if lost: (classes,)."""
        ascending = (-1, self.pair, self.flush, self.straight, self.three, self.straight_flush)
        units = np.array(ascending, dtype=np.int64)[classes.category]
        return _with_mini_royal(units, classes, self.mini_royal)

    def expected_value(self, classes: HandClasses) -> float:
        """Return the player's average win per unit staked, negative for a loss."""
        return int(classes.hands @ self.units(classes)) / int(classes.hands.sum())


@dataclass(frozen=True)
class SixCardBonus(PayTable):
    """A bet on the best five-card hand in the player's and the dealer's six cards."""

    TITLE: ClassVar[str] = "the six-card bonus"
    ENTRIES: ClassVar[str] = "royal/straight flush/four/full house/flush/straight/three"

    royal: int = 1000
    straight_flush: int = 200
    four: int = 50
    full_house: int = 25
    flush: int = 20
    straight: int = 10
    three: int = 5

    def expected_value(self, counts: tuple[int, ...], total: int) -> float:
        """Return the expected value per unit staked, given `counts` of `total` six-card sets.

        `counts` has the number of winning sets for each of `names()`, in the same order.
        """
        pays: list[int] = [getattr(self, name) for name in self.names()]
        won: int = sum((to_one + 1) * count for to_one, count in zip(pays, counts, strict=True))
        return won / total - 1


def mini_royals(classes: HandClasses) -> NDArray[np.bool_]:
    """Return a bool for each class: whether it is the ace, king and queen of one suit."""
    best: NDArray[np.bool_] = classes.strength == len(classes.keys) - 1
    return best


def _with_mini_royal(units: IntArray, classes: HandClasses, mini_royal: int | None) -> IntArray:
    if mini_royal is None:
        return units
    return np.where(mini_royals(classes), np.int64(mini_royal), units)


@dataclass(frozen=True)
class TableRules:
    """The rules that differ from table to table: pay tables and the dealer's qualifying hand.

    `qualifies` is the lowest strength with which the dealer qualifies, None for queen high.
    """

    bonus: AnteBonus = AnteBonus()
    pair_plus: PairPlus = PairPlus()
    six_card: SixCardBonus = SixCardBonus()
    qualifies: int | None = None
