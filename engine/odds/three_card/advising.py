"""Advice on one hand: whether to play or fold, and the figures behind it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import comb

import numpy as np

from engine.cards import Card, Cards
from engine.errors import Reason, TextError
from engine.odds.three_card.hands import (
    Category,
    all_hands,
    natural_cards,
    ranks_of,
    showdowns,
    suit_classes,
    three_cards,
)
from engine.odds.three_card.house import BEST, MOST_SEATS, Outcomes, PlayingLine
from engine.odds.three_card.pay import TableRules, mini_royals, six_card_counts_with

MOST_SEEN = 3 * (MOST_SEATS - 1)
SEEN_EXAMPLE = '"Ah Kd 2c"'


@dataclass(frozen=True)
class ThreeCardAdvice:
    """The best decision for one hand, and its consequences.

    `seen_cards` are known to be in other hands. `outcomes` counts the dealer's possible hands if
    the hand is played. `bonus` and `pair_plus` are this hand's payouts (in units; Pair Plus is -1
    if the bet is lost). `six_card` is the six-card bonus's expected value given the known cards.
    `weaker` counts the hands of the whole deck that this hand beats, `equal` the other hands that
    tie with it. `number` is the hand's place among all 22,100; A♠ A♦ A♣ is number 0. `blind_value`
    is `expected_value` without the seen cards. `line_plays` is whether the playing line `line`
    plays this hand.
    """

    hand: Cards
    seen_cards: Cards
    category: Category
    ranks: tuple[int, int, int]
    mini_royal: bool
    outcomes: Outcomes
    bonus: int
    pair_plus: int
    six_card: float
    weaker: int
    equal: int
    number: int
    blind_value: float
    line: PlayingLine
    line_plays: bool

    @property
    def dealers(self) -> int:
        """The number of possible dealer hands: 18,424, or 15,180 with three cards seen."""
        return self.outcomes.deals

    @property
    def net(self) -> int:
        """The gain from playing, in antes, summed over the dealer's hands, with the ante bonus."""
        paid = self.outcomes.dealer_not_qualified + 2 * (self.outcomes.win - self.outcomes.lose)
        return paid + self.bonus * self.dealers

    @property
    def expected_value(self) -> float:
        """The value of playing, per unit of the ante, bonus included; folding is worth -1."""
        return self.net / self.dealers

    @property
    def play(self) -> bool:
        """Whether playing is worth more than folding.

        If both are worth the same, this is the decision made without seeing other cards.
        """
        over_folding = self.net + self.dealers
        return over_folding > 0 or (over_folding == 0 and self.blind_value > -1)

    @property
    def sight_matters(self) -> bool:
        """Whether the seen cards change the decision."""
        return self.play != (self.blind_value > -1)


def advice(
    hand: Cards | str,
    *,
    seen: Cards | str | None = None,
    rules: TableRules | None = None,
    line: PlayingLine = BEST,
) -> ThreeCardAdvice:
    """Return whether to play `hand`, with the chances to win, tie and lose and expected values.

    `hand` and `seen` are sets of cards or texts as `engine.cards` reads them; `seen` are cards
    known to be in other players' hands. The answer's `line_plays` is whether the playing line
    `line` plays the hand. Raises `TextError` unless `hand` is three natural cards, and `seen` is
    None or one to fifteen other natural cards.
    """
    rules = rules or TableRules()
    cards = three_cards(hand if isinstance(hand, str) else str(hand))
    known = seen_cards(seen, cards)
    played = showdowns(rules.qualifies)
    hands, classes = all_hands(), suit_classes()
    index = combination_index(card.number for card in cards)
    suit_class = int(hands.suit_class[index])
    strength = int(classes.strength[suit_class])
    blind = Outcomes(
        *(int(c[suit_class]) for c in (played.win, played.tie, played.lose, played.not_qualified))
    )
    bonus = int(rules.bonus.units(classes)[suit_class])
    outcomes = _outcomes_seeing(cards, known, strength, played.qualifies) if known else blind
    blind_net = int(played.net[suit_class]) + bonus * classes.dealers
    return ThreeCardAdvice(
        hand=cards,
        seen_cards=known,
        category=Category(int(classes.category[suit_class])),
        ranks=ranks_of(cards),
        mini_royal=bool(mini_royals(classes)[suit_class]),
        outcomes=outcomes,
        bonus=bonus,
        pair_plus=int(rules.pair_plus.units(classes)[suit_class]),
        six_card=rules.six_card.expected_value(*six_card_counts_with(cards, known)),
        weaker=int(np.count_nonzero(hands.strength < strength)),
        equal=int(np.count_nonzero(hands.strength == strength)) - 1,
        number=combination_index(map(_aces_first, cards)),
        blind_value=blind_net / classes.dealers,
        line=line,
        line_plays=blind_net > -classes.dealers if line.lowest is None else strength >= line.lowest,
    )


def seen_cards(seen: Cards | str | None, hand: Cards) -> Cards:
    """Return the cards known to be in other hands.

    Raises `TextError` unless `seen` is None or one to fifteen natural cards that aren't in `hand`.
    """
    if seen is None:
        return Cards()
    text = seen if isinstance(seen, str) else str(seen)
    cards = natural_cards(text, SEEN_EXAMPLE)
    if not 0 < len(cards) <= MOST_SEEN:
        reason = Reason(
            "expected one to {most} cards seen, got {given}",
            most=MOST_SEEN,
            given=len(cards),
        )
        raise TextError(text, reason, SEEN_EXAMPLE)
    if twice := cards & hand:
        raise TextError(
            text, Reason("{cards} can't be both in your hand and seen", cards=twice), SEEN_EXAMPLE
        )
    return cards


def _outcomes_seeing(hand: Cards, seen: Cards, strength: int, qualifies: int) -> Outcomes:
    """Return the outcomes for a hand of `strength`, without dealer hands that have `seen` cards."""
    hands = all_hands()
    dealers = hands.strength[hands.bits & (hand.bits | seen.bits) == 0]
    qualified = dealers[dealers >= qualifies]
    win = int(np.count_nonzero(qualified < strength))
    tie = int(np.count_nonzero(qualified == strength))
    lose = len(qualified) - win - tie
    return Outcomes(win, tie, lose, len(dealers) - len(qualified))


def combination_index(cards: Iterable[int]) -> int:
    """Return the number of the hand with these three card numbers, 0 to 51 in any order.

    Hands are numbered 0 to 22,099 in the lexicographic order of their sorted card numbers.
    """
    # The hands after this one: for each place, the hands that agree before it and are higher there
    # draw their remaining cards from the 51 - card numbers above.
    after = sum(comb(51 - card, 3 - place) for place, card in enumerate(sorted(cards)))
    return comb(52, 3) - 1 - after


def _aces_first(card: Card) -> int:
    """Return a card's number, with ranks from the ace down and suits in the order ♠♦♣♥.

    The aces are 0 to 3, the deuces 48 to 51.
    """
    return 4 * (12 - card.rank) + (2, 1, 3, 0)[card.suit]
