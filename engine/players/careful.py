"""The careful player: of all it may do, what is safest now, by the exact chances of its own cards.

It believes nobody and never bluffs if it can help it, so it is easy to follow and to learn from. It
is plain Python, no arrays: also the slow truth that the compiled one is tested against. `stand_in`
plays as safely for somebody who is away, and tells less of their cards; `opener` opens a round with
more life.
"""

from __future__ import annotations

from typing import Final

from engine.actions import MakeBid
from engine.odds import ladder_chances
from engine.players.position import LETS_IT_STAND, Choice, Position
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


NEARLY_AS_SAFE: Final = 0.05  # how much likelier the safest bid may be than the one that is made


def stand_in(position: Position, rules: Ruleset) -> Choice:
    """What the house plays for a seat whose player is away: safe, and telling little.

    A challenge if the careful player makes one. Else, of the bids that hold nearly as often as the
    safest one, that which its own cards make likelier by the least: what anybody might say. The
    lowest of several that tell alike. Chances are exact, by the seat's own cards alone.
    """
    choice = choose(position, rules)
    if not isinstance(choice.action, MakeBid):
        return choice
    ladder, deck, in_play = rules.ladder, rules.deck, position.in_play
    own = [chance.probability for chance in ladder_chances(ladder, deck, in_play, position.cards)]
    anybody = [chance.probability for chance in ladder_chances(ladder, deck, in_play)]
    above = range(ladder.first_above(position.standing), len(own))
    enough = max(own[place] for place in above) - NEARLY_AS_SAFE
    quietest = min(
        (place for place in above if own[place] >= enough),
        key=lambda place: own[place] - anybody[place],
    )
    return Choice.bid(position, ladder.at(quietest))


SAFE: Final = 0.5  # how likely a bid is, at least, that may open a round


def opener(position: Position, rules: Ruleset) -> Choice:
    """Opens a round with any safe bid; what it does about a standing one is the careful player's.

    Of the kinds of hand with a bid that holds at least as often as not, by the seat's own cards,
    each is as likely, and so is each such bid of a kind. There is always one: the seat's own card.
    """
    if position.standing is not None:
        return choose(position, rules)
    chances = ladder_chances(rules.ladder, rules.deck, position.in_play, position.cards)
    safe = [rules.ladder.at(place) for place, one in enumerate(chances) if one.probability >= SAFE]
    kinds = list(dict.fromkeys(bid.kind for bid in safe))
    chosen, drawn = position.chance % len(kinds), position.chance // len(kinds)
    bids = [bid for bid in safe if bid.kind is kinds[chosen]]
    return Choice.bid(position, bids[drawn % len(bids)])
