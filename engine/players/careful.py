"""The careful player: it takes the safest action, by the exact chances given its own cards.

It trusts no bid and bluffs only if it must, so it is easy to follow and to learn from. It is plain
Python without arrays, and tests compare the compiled form with it. `stand_in` plays for a player
who is away, and reveals less of their cards; `opener` opens a round more freely.
"""

from __future__ import annotations

from typing import Final

from engine.actions import MakeBid
from engine.odds import ladder_chances
from engine.players.position import LETS_IT_STAND, Choice, Position
from engine.ruleset import Ruleset


def choose(position: Position, rules: Ruleset) -> Choice:
    """Return the likeliest higher bid, or a challenge if the bid's chance isn't better.

    Out of turn, let every bid stand, since that costs nothing.
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


# the chosen bid's chance may be lower than the safest bid's by this much
NEARLY_AS_SAFE: Final = 0.05


def stand_in(position: Position, rules: Ruleset) -> Choice:
    """Return the move for a seat whose player is away: safe, and revealing little.

    Challenge, or let the bid stand, if the careful player would. Otherwise choose among the bids
    whose chance is at most `NEARLY_AS_SAFE` below the highest chance. Take the bid whose chance the
    seat's own cards raise least, as it reveals least about them; if several are equal, the lowest.
    Chances are exact, given only the seat's own cards.
    """
    choice = choose(position, rules)
    if not isinstance(choice.action, MakeBid):
        return choice
    ladder, deck, in_play = rules.ladder, rules.deck, position.in_play
    chances = [
        chance.probability for chance in ladder_chances(ladder, deck, in_play, position.cards)
    ]
    anybody = [chance.probability for chance in ladder_chances(ladder, deck, in_play)]
    above = range(ladder.first_above(position.standing), len(chances))
    enough = max(chances[place] for place in above) - NEARLY_AS_SAFE
    quietest = min(
        (place for place in above if chances[place] >= enough),
        key=lambda place: chances[place] - anybody[place],
    )
    return Choice.bid(position, ladder.at(quietest))


SAFE: Final = 0.5  # the least chance of an opening bid


def opener(position: Position, rules: Ruleset) -> Choice:
    """Open a round with any safe bid, and answer a standing bid like the careful player.

    First draw a kind of hand that has a safe bid, then one of its safe bids, each with equal
    chances. A bid is safe if its chance, given the seat's own cards, is at least `SAFE`. A bid of a
    high card that the seat holds is always safe.
    """
    if position.standing is not None:
        return choose(position, rules)
    chances = ladder_chances(rules.ladder, rules.deck, position.in_play, position.cards)
    safe = [
        rules.ladder.at(place) for place, chance in enumerate(chances) if chance.probability >= SAFE
    ]
    kinds = list(dict.fromkeys(bid.kind for bid in safe))
    chosen, drawn = position.chance % len(kinds), position.chance // len(kinds)
    bids = [bid for bid in safe if bid.kind is kinds[chosen]]
    return Choice.bid(position, bids[drawn % len(bids)])
