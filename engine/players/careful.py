"""The careful player: of all it may do, what is safest now, by the exact chances of its own cards.

It believes nobody and never bluffs if it can help it, so it is easy to follow and to learn from. It
is plain Python, no arrays: also the slow truth that the compiled one is tested against.
"""

from __future__ import annotations

from engine.odds import ladder_chances
from engine.players.choice import LETS_IT_STAND, Choice
from engine.players.position import Position
from engine.ruleset import Ruleset


def choose(position: Position, rules: Ruleset) -> Choice:
    """The likeliest bid above the standing one, or a challenge if that wins at least as often.

    Out of turn it lets every bid stand, since that costs nothing.
    """
    if not position.may_bid:
        return LETS_IT_STAND
    chances = ladder_chances(rules.ladder, rules.deck, position.in_play, position.cards)
    first = rules.ladder.first_above(position.standing)
    best = max(range(first, len(chances)), key=lambda place: chances[place].favourable)
    if position.standing is not None and position.may_challenge:
        stands = chances[position.standing]
        if stands.total - stands.favourable >= chances[best].favourable:
            return Choice.challenge(position)
    return Choice.bid(position, rules.ladder.at(best))
