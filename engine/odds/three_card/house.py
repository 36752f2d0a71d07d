"""The house edge: all outcomes of ante and play, for any playing line and any pay tables.

`survey` compares common pay tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import comb
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.errors import Reason, TextError, reason_template
from engine.odds.three_card.hands import (
    Category,
    IntArray,
    Showdowns,
    all_hands,
    ranks_named,
    read_aloud,
    short_name,
    showdowns,
    strength_keys,
    suit_classes,
)
from engine.odds.three_card.pay import (
    SIX_CARD_SETS,
    AnteBonus,
    PairPlus,
    PayTable,
    SixCardBonus,
    TableRules,
    six_card_counts,
)

MOST_SEATS = 6
LINE_EXAMPLE = '"queen", "Q64", "always" or "best"'
DEALER_EXAMPLE = '"queen", "J32" or "always"'
_WEAKEST = {  # A-3-2 is a straight
    "jack": (9, 1, 0),
    "queen": (10, 1, 0),
    "king": (11, 1, 0),
    "ace": (12, 2, 0),
}


@dataclass(frozen=True)
class PlayingLine:
    """A rule for which hands to play: the hands from strength `lowest` up.

    If `lowest` is None, it plays the hands for which playing pays more than folding. `name` is a
    text that `parse_line` understands: "always", "queen", "Q64", "best".
    """

    name: str
    lowest: int | None


BEST = PlayingLine("best", None)


def strength_of(high: int, middle: int, low: int) -> int:
    """Return the strength of a hand of ranks `high` >= `middle` >= `low`, not all of one suit."""
    key = strength_keys(np.array([(high, middle, low)]), np.array([False]))
    return int(np.searchsorted(suit_classes().keys, key[0]))


def parse_line(text: str) -> PlayingLine:
    """Parse a playing line: "always", "best", "jack" to "ace", or the lowest hand to play.

    A hand is named by its three ranks ("Q64"), of different suits. Raises `TextError` for any other
    text.
    """
    word = text.strip().lower()
    if word == BEST.name:
        return BEST
    return PlayingLine(
        *_lowest(text, reason_template('"{word}" isn\'t a hand to play from'), LINE_EXAMPLE)
    )


def parse_qualifying(text: str) -> int:
    """Parse the lowest hand with which the dealer qualifies; return its strength.

    The hand is named as in `parse_line`, without "best". Raises `TextError` for any other text.
    """
    return _lowest(
        text,
        reason_template('"{word}" isn\'t a hand the dealer could qualify with'),
        DEALER_EXAMPLE,
    )[1]


def _lowest(text: str, template: str, example: str) -> tuple[str, int]:
    word = text.strip().lower()
    if word == "always":
        return word, 0
    if word in _WEAKEST:
        return word, strength_of(*_WEAKEST[word])
    ranks = ranks_named(text)
    if ranks is None:
        raise TextError(text, Reason(template, word=text[:20]), example)
    return short_name(read_aloud(*ranks)), strength_of(*ranks)


@dataclass(frozen=True)
class Outcomes:
    """Numbers of played deals by outcome.

    `win`, `tie` and `lose` count only deals in which the dealer qualifies.
    """

    win: int
    tie: int
    lose: int
    dealer_not_qualified: int

    @property
    def deals(self) -> int:
        """The number of deals played."""
        return self.win + self.tie + self.lose + self.dealer_not_qualified


@dataclass(frozen=True)
class HouseEdge:
    """The outcomes of ante and play over all deals, and the expected values of the side bets.

    `outcomes` are those of the played deals, by category of the player's hand; `folded` deals lose
    the ante. `net` is what the player wins, in antes, summed over `deals`. `pair_plus` and
    `six_card` are expected values per unit staked, negative for a loss.
    """

    rules: TableRules
    line: PlayingLine
    deals: int
    outcomes: Mapping[Category, Outcomes]
    folded: int
    net: int
    pair_plus: float
    six_card: float

    @property
    def expected_value(self) -> float:
        """The player's average win on ante and play together, in antes; negative for a loss."""
        return self.net / self.deals

    @property
    def average_bet(self) -> float:
        """The average stake, ante and play together, in units of the ante."""
        return 2 - self.folded / self.deals

    @property
    def element_of_risk(self) -> float:
        """The player's loss as a share of the total stake, ante and play (positive for a loss)."""
        return -self.expected_value / self.average_bet


def house_edge(line: PlayingLine = BEST, rules: TableRules | None = None) -> HouseEdge:
    """Count the outcomes of all 407,170,400 deals for one playing line.

    The deals are counted by inclusion and exclusion over the player's cards (docs/three-card.md).
    """
    rules = rules or TableRules()
    played = showdowns(rules.qualifies)
    classes = played.classes
    bonus = rules.bonus.units(classes)
    plays = plays_by(line, played, bonus)
    hands = np.where(plays, classes.hands, 0)
    folded = int(classes.hands[~plays].sum()) * classes.dealers
    won = int(hands @ (played.net + bonus * classes.dealers))
    return HouseEdge(
        rules=rules,
        line=line,
        deals=classes.deals,
        outcomes={
            category: _outcomes(played, np.where(classes.category == category, hands, 0))
            for category in reversed(Category)
        },
        folded=folded,
        net=won - folded,
        pair_plus=rules.pair_plus.expected_value(classes),
        six_card=rules.six_card.expected_value(six_card_counts(), SIX_CARD_SETS),
    )


def _outcomes(played: Showdowns, hands: IntArray) -> Outcomes:
    counts = (played.win, played.tie, played.lose, played.not_qualified)
    return Outcomes(*(int(hands @ count) for count in counts))


def plays_by(line: PlayingLine, played: Showdowns, bonus: IntArray) -> NDArray[np.bool_]:
    """Return whether the line plays, for each class; "best" plays if folding pays less."""
    if line.lowest is not None:
        return played.classes.strength >= line.lowest
    return played.net + bonus * played.classes.dealers > -played.classes.dealers


def seventeen_outcomes(edge: HouseEdge) -> dict[tuple[str, str], int]:
    """Return the number of deals for each of 17 outcomes, by (result, bonus).

    Results are `lose`, `tie`, `win` and `dealer_not_qualified`. Bonuses are `none`, `straight`,
    `three` and `straight_flush`, whatever they pay. The last outcome, `("fold", "none")`, has
    all deals in which the player folds.
    """
    counted: dict[tuple[str, str], int] = {}
    for category, outcomes in edge.outcomes.items():
        bonus = category.key if category >= Category.STRAIGHT else "none"
        for result in ("lose", "tie", "win", "dealer_not_qualified"):
            earlier = counted.get((result, bonus), 0)
            counted[result, bonus] = earlier + getattr(outcomes, result)
    counted["fold", "none"] = edge.folded
    return counted


@dataclass(frozen=True)
class FoldLine:
    """The best rule for folding: play every hand from the strength `lowest` up.

    `name` is the lowest hand to play. `net` is what the rule wins over all deals, in antes.
    `nets[t]` is what playing every hand from strength t up wins; for the last entry, no hand is
    played. `hand_by_hand` is whether the rule makes the best decision for each single hand.
    """

    name: str
    lowest: int
    net: int
    nets: tuple[int, ...]
    hand_by_hand: bool


def best_fold_line(rules: TableRules | None = None) -> FoldLine:
    """Return the best fold line; among equally good lines, the one that plays the fewest hands."""
    rules = rules or TableRules()
    played = showdowns(rules.qualifies)
    classes = played.classes
    bonus = rules.bonus.units(classes)
    strengths = len(classes.keys)
    over_folding = classes.hands * (played.net + (bonus + 1) * classes.dealers)
    by_strength = np.zeros(strengths + 1, dtype=np.int64)
    np.add.at(by_strength, classes.strength, over_folding)
    nets = by_strength[::-1].cumsum()[::-1] - classes.deals
    lowest = strengths - int(nets[::-1].argmax())
    plays = plays_by(BEST, played, bonus)
    weakest = classes.ranks[classes.strength == lowest][0]
    high, middle, low = (int(rank) for rank in weakest)
    return FoldLine(
        name=short_name(read_aloud(high, middle, low)),
        lowest=lowest,
        net=int(nets[lowest]),
        nets=tuple(nets.tolist()),
        hand_by_hand=bool((plays == (classes.strength >= lowest)).all()),
    )


def played_values(rules: TableRules | None = None) -> NDArray[np.float64]:
    """Return the expected value of playing each hand, in antes, including the ante bonus.

    The shape is (22100,), by the `combination_index` of the cards' numbers. The value of
    folding would be -1.
    """
    rules = rules or TableRules()
    played = showdowns(rules.qualifies)
    units = played.net / played.classes.dealers + rules.bonus.units(played.classes)
    return units[all_hands().suit_class]


@dataclass(frozen=True)
class BlindSeats:
    """A table of `seats` players who don't see each other's cards: every seat has the same net.

    `deals` is the number of deals of all the seats' and the dealer's hands; `net` is what one seat
    wins, in antes, summed over these deals.
    """

    seats: int
    deals: int
    net: int


def blind_seats(edge: HouseEdge, seats: int) -> BlindSeats:
    """Return the result for each of `seats` players (1 to 6) who see only their own cards.

    The other seats' cards can be dealt last, so the number of ways to deal them doesn't depend on
    this seat's and the dealer's cards. Raises ValueError for another number of seats.
    """
    if not 1 <= seats <= MOST_SEATS:
        raise ValueError(f"a table has 1 to {MOST_SEATS} seats, not {seats}")
    ways = 1
    for dealt in range(2, seats + 1):
        ways *= comb(52 - 3 * dealt, 3)
    return BlindSeats(seats, edge.deals * ways, edge.net * ways)


_Table = TypeVar("_Table", bound=PayTable)

# Pay tables as printed by casinos; the first of each is the usual one.
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
    """Return the odds of the common pay tables and of the tables in `rules`, each once.

    Ante bonuses come first, then Pair Plus, then six-card bonuses. Only the odds of ante
    bonuses depend on `line` and on the lowest hand with which the dealer qualifies.
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


def _with(tables: tuple[_Table, ...], table: _Table) -> tuple[_Table, ...]:
    return tables if table in tables else (table, *tables)
