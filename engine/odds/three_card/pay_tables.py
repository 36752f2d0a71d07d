"""The house edge of common pay tables, side by side."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, TypeVar

from engine.odds.three_card.hand_classes import suit_classes
from engine.odds.three_card.house import BEST, PlayingLine, house_edge
from engine.odds.three_card.pay import AnteBonus, PairPlus, PayTable, SixCardBonus, TableRules
from engine.odds.three_card.six_card import SIX_CARD_SETS, six_card_counts

_Table = TypeVar("_Table", bound=PayTable)

# As printed at casinos' tables and in their rules; the first of each is the usual one.
ANTE_BONUSES: Final = (
    AnteBonus(1, 4, 5),
    AnteBonus(1, 3, 5),
    AnteBonus(1, 3, 4),
    AnteBonus(0, 0, 0),
)
PAIR_PLUSES: Final = (
    PairPlus(40, 30, 6, 4, 1),
    PairPlus(40, 30, 6, 3, 1, mini_royal=50),
    PairPlus(40, 30, 6, 3, 1),
    PairPlus(40, 30, 5, 4, 1),
    PairPlus(40, 25, 6, 4, 1),
    PairPlus(35, 25, 5, 3, 1),
)
SIX_CARD_BONUSES: Final = (
    SixCardBonus(1000, 200, 50, 25, 20, 10, 5),
    SixCardBonus(1000, 200, 50, 25, 15, 10, 5),
)


@dataclass(frozen=True)
class TableOdds:
    """One pay table's expected value per unit staked, negative for the player's loss."""

    table: AnteBonus | PairPlus | SixCardBonus
    expected_value: float
    element_of_risk: float | None  # the loss per unit of ante and play; None for a side bet


def survey(line: PlayingLine = BEST, rules: TableRules | None = None) -> tuple[TableOdds, ...]:
    """The odds of the common pay tables, and of those in `rules` if they are not among them.

    Ante bonuses first, then Pair Plus, then six-card bonuses; `line` and the dealer's qualifying
    hand of `rules` matter to the ante alone.
    """
    rules = rules or TableRules()
    antes = []
    for bonus in _with(ANTE_BONUSES, rules.bonus):
        edge = house_edge(line, replace(rules, bonus=bonus))
        antes.append(TableOdds(bonus, edge.expected_value, edge.element_of_risk))
    pairs = [
        TableOdds(table, table.expected_value(suit_classes()), None)
        for table in _with(PAIR_PLUSES, rules.pair_plus)
    ]
    counts = six_card_counts()
    sixes = [
        TableOdds(table, table.expected_value(counts, SIX_CARD_SETS), None)
        for table in _with(SIX_CARD_BONUSES, rules.six_card)
    ]
    return (*antes, *pairs, *sixes)


def _with(tables: tuple[_Table, ...], asked: _Table) -> tuple[_Table, ...]:
    return tables if asked in tables else (asked, *tables)
