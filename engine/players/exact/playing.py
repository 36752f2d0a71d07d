"""Playing by a solved strategy, where a position is one of a small round."""

from __future__ import annotations

from itertools import accumulate
from math import log

from engine.players.choice import Choice
from engine.players.exact.strategy import Chances, shipped
from engine.players.position import Position
from engine.ruleset import Ruleset

_UNIT = 2.0**-53  # a step between random numbers of [0, 1)


def exact_choice(position: Position, rules: Ruleset) -> Choice | None:
    """What the shipped strategy does in `position`; None where it does not say.

    It says for two seats that hold all cards in play, in turn, if no bid was made that cannot be
    true, and the rules leave open what it would do.
    """
    chances = _chances(position, rules)
    if not position.may_challenge:
        chances = tuple(one for one in chances if one[0] is not None)
    total = sum(chance for _, chance in chances)
    if total <= 0:
        return None
    entropy = -sum(chance / total * log(chance / total) for _, chance in chances)
    drawn = (position.chance >> 11) * _UNIT * total
    sums = accumulate(chance for _, chance in chances[:-1])
    place = chances[sum(passed <= drawn for passed in sums)][0]
    if place is None:
        return Choice.challenge(position, entropy)
    return Choice.bid(position, rules.ladder.at(place), entropy)


def _chances(position: Position, rules: Ruleset) -> Chances:
    """Bids, as places in the ladder's order, and the challenge with their chances."""
    dealt_in = [seat for seat, cards in enumerate(position.dealt) if cards]
    if tuple(dealt_in) != position.live or len(dealt_in) != 2 or position.middle_size:
        return ()
    if not position.may_bid:
        return ()
    other = dealt_in[dealt_in[0] == position.opener]
    cards = position.dealt[position.opener], position.dealt[other]
    strategy = shipped(rules, cards)
    if strategy is None:
        return ()
    places = {place: bid for bid, place in enumerate(strategy.small.bids)}
    if any(place not in places for _, place in position.bids):
        return ()
    made = [places[place] for _, place in position.bids]
    hand = strategy.small.hand_of(int(position.seat != position.opener), position.hole)
    return tuple(
        (None if bid is None else strategy.small.bids[bid], chance)
        for bid, chance in strategy.at(made, hand)
    )
