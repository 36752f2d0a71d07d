"""The strength of a question's only hand: its place in the order of all hands."""

from __future__ import annotations

from fractions import Fraction

from engine.cards import Cards
from engine.odds.showdown.ranges import Range, hands_of
from engine.odds.showdown.scenario import Scenario


def top_share(scenario: Scenario) -> Fraction | None:
    """Return the share of all hands that are at least as strong as the question's only hand.

    Hands are ordered by exact equity against one random hand, as for percentages of a range.
    None if the question has another hand, a board, dead or wild cards, or a condition. None too
    if the hand is partly unknown or is a range of several kinds, or if the game has no order of
    hands.
    """
    rules = scenario.rules
    alone = [held for held in scenario.players if held]
    changes = (scenario.board, scenario.dead, scenario.condition, rules.five_possible)
    hands = hands_of(rules)
    if len(alone) != 1 or any(changes) or scenario.second is not None or hands is None:
        return None
    (held,) = alone
    combos = held.bits if isinstance(held, Range) else [held.bits]
    if isinstance(held, Cards) and len(held) != rules.private:
        return None
    if len(combos) > 12:  # more than any kind has
        return None
    shares = {hands.top_share(hand) for hand in combos}
    return shares.pop() if len(shares) == 1 else None
