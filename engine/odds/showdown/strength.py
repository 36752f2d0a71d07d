"""The strength of a question's only hand: its place in the order of all hands."""

from __future__ import annotations

from fractions import Fraction

from engine.cards import Cards
from engine.odds.showdown.ranges import Range, hands_of
from engine.odds.showdown.scenario import Scenario


def top_share(scenario: Scenario) -> Fraction | None:
    """Return the share of hands that are at least as strong as the only hand of a question.

    Hands are ordered as for percentages of a range: by exact equity against one random hand. None
    if the question has anything else (board, dead or wild cards, a condition, another hand), if the
    hand is partly unknown or more than one kind, and in a game whose hands have no order.
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
