"""What is paid: ante bonus, Pair Plus and six-card bonus, each for any pay table.

A pay table is written as the pays to one, separated by slashes, in the order printed at the
table: `1/4/5`, `40/30/6/4/1`, `1000/200/50/25/20/10/5`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from typing import ClassVar, Final, Self

import numpy as np
from numpy.typing import NDArray

from engine.errors import Reason, TextError
from engine.odds.three_card.hand_classes import HandClasses
from engine.odds.three_card.strength import Category, IntArray

HIGHEST_PAY: Final = 1_000_000
_SEPARATORS: Final = re.compile(r"\s*[/,:\s]\s*")


@dataclass(frozen=True)
class PayTable:
    """Pays to one, whole and not negative; `None` for the Mini Royal is the straight flush's.

    The Mini Royal, where a casino offers it, is the ace-king-queen of one suit.
    """

    TITLE: ClassVar[str]
    ENTRIES: ClassVar[str]

    @classmethod
    def parse(cls, text: str) -> Self:
        """The pay table written in `text`. Raises `TextError` if an entry is missing or no pay."""
        example = f'"{cls()}"'
        names = cls.names()
        written = [entry for entry in _SEPARATORS.split(text.strip()) if entry]
        if len(written) != len(names):
            reason = Reason(
                "expected {number} pays for {bet} ({entries}), got {given}",
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
        """The entries' names in the order in which they are written."""
        return tuple(field.name for field in fields(cls) if field.name != "mini_royal")

    def __str__(self) -> str:
        return "/".join(str(getattr(self, name)) for name in self.names())


def parse_pay(text: str, example: str) -> int:
    """A single pay to one. Raises `TextError`."""
    if not re.fullmatch(r"[0-9]{1,7}", text) or int(text) > HIGHEST_PAY:
        reason = Reason(
            'a pay is a whole number from 0 to {most}, not "{word}"',
            most=HIGHEST_PAY,
            word=text[:20],
        )
        raise TextError(text, reason, example)
    return int(text)


@dataclass(frozen=True)
class AnteBonus(PayTable):
    """Paid on the ante of a played hand, whatever the dealer holds."""

    TITLE: ClassVar[str] = "the ante bonus"
    ENTRIES: ClassVar[str] = "straight/three of a kind/straight flush"

    straight: int = 1
    three: int = 4
    straight_flush: int = 5
    mini_royal: int | None = None

    def units(self, classes: HandClasses) -> IntArray:
        """The bonus of each class of hands, (classes,) units of the ante."""
        table = np.zeros(len(Category), dtype=np.int64)
        table[Category.STRAIGHT] = self.straight
        table[Category.THREE_OF_A_KIND] = self.three
        table[Category.STRAIGHT_FLUSH] = self.straight_flush
        return _with_mini_royal(table[classes.category], classes, self.mini_royal)


@dataclass(frozen=True)
class PairPlus(PayTable):
    """A bet on one's own three cards; everything below a pair loses it."""

    TITLE: ClassVar[str] = "Pair Plus"
    ENTRIES: ClassVar[str] = "straight flush/three of a kind/straight/flush/pair"

    straight_flush: int = 40
    three: int = 30
    straight: int = 6
    flush: int = 4
    pair: int = 1
    mini_royal: int | None = None

    def units(self, classes: HandClasses) -> IntArray:
        """What the bet brings each class of hands, (classes,) units staked; -1 is lost."""
        ascending = (-1, self.pair, self.flush, self.straight, self.three, self.straight_flush)
        units = np.array(ascending, dtype=np.int64)[classes.category]
        return _with_mini_royal(units, classes, self.mini_royal)

    def expected_value(self, classes: HandClasses) -> float:
        """Expected value per unit staked, negative for the player's loss."""
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
        """Expected value per unit staked where `counts` of `total` six-card sets are of each kind.

        `counts` in the order of the entries, the sets that lose left out.
        """
        pays: list[int] = [getattr(self, name) for name in self.names()]
        won: int = sum((to_one + 1) * count for to_one, count in zip(pays, counts, strict=True))
        return won / total - 1


def mini_royals(classes: HandClasses) -> NDArray[np.bool_]:
    """(classes,): which class is the ace-king-queen of one suit."""
    best: NDArray[np.bool_] = classes.strength == len(classes.keys) - 1
    return best


def _with_mini_royal(units: IntArray, classes: HandClasses, mini_royal: int | None) -> IntArray:
    if mini_royal is None:
        return units
    return np.where(mini_royals(classes), np.int64(mini_royal), units)


@dataclass(frozen=True)
class TableRules:
    """What differs from table to table: three pay tables and the dealer's qualifying hand.

    `qualifies` is the lowest strength with which the dealer qualifies, None for queen high.
    """

    bonus: AnteBonus = AnteBonus()
    pair_plus: PairPlus = PairPlus()
    six_card: SixCardBonus = SixCardBonus()
    qualifies: int | None = None
