"""Play by the solved strategies that are shipped with the package."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import accumulate

import numpy as np

from engine.players.blueprint.abstraction import Abstraction, abstraction_of
from engine.players.blueprint.shipped import index
from engine.players.blueprint.strategy import Chances, Strategy
from engine.players.networks import shipped_file
from engine.players.position import Choice, Position
from engine.ruleset import Ruleset

Blueprint = tuple[Abstraction, Strategy]

_UNIT = 2.0**-53  # step between random numbers in [0, 1)


def blueprint_choice(position: Position, rules: Ruleset) -> Choice | None:
    """Return the shipped strategy's choice in `position`; None if it has none.

    The strategy has a choice on the seat's turn in a solved round, if two seats hold all cards in
    play and the rules allow the choice. It challenges a bid that it does not know.
    """
    chances = chances_at(position, rules)
    if not chances or (not position.may_challenge and chances[-1][0] is None):
        return None
    drawn = (position.chance >> 11) * _UNIT
    sums = accumulate(chance for _, chance in chances[:-1])
    place = chances[sum(passed <= drawn for passed in sums)][0]
    if place is None:
        return Choice.challenge(position)
    return Choice.bid(position, rules.ladder.at(place))


def chances_at(position: Position, rules: Ruleset) -> Chances:
    """Return (action, chance) for each action of the shipped strategy in `position`.

    The actions are those of `chances_of`. The result is also empty out of turn, with a middle hand,
    or if a seat that was dealt cards has left.
    """
    if position.middle_size or not position.may_bid:
        return ()
    dealt_in = tuple(seat for seat, cards in enumerate(position.dealt) if cards)
    if dealt_in != position.live:
        return ()
    history = [place for _, place in position.bids]
    return chances_of(rules, position.dealt, position.opener, position.seat, position.hole, history)


def chances_of(
    rules: Ruleset, dealt: Sequence[int], opener: int, seat: int, hole: int, history: Sequence[int]
) -> Chances:
    """Return (action, chance) for each action of the shipped strategy in `seat` after `history`.

    `dealt` are the numbers of cards by seat, `hole` is the seat's own cards, as bits. `history` has
    the bids made, by their places in the ladder's order. An action is a bid's place, or None for a
    challenge, which comes last. After a bid that the strategy does not know, it always challenges.
    The result is empty unless two seats have cards and their round was solved.
    """
    live = [player for player, cards in enumerate(dealt) if cards]
    if len(live) != 2:
        return ()
    blueprint = blueprint_of(rules, (dealt[opener], dealt[live[live[0] == opener]]))
    if blueprint is None:
        return ()
    abstraction, strategy = blueprint
    if history and history[-1] not in abstraction.places:
        return ((None, 1.0),)
    bids = [abstraction.places.get(place) for place in history]
    chances = strategy.at(bids, abstraction.hand_of(int(seat != opener), hole))
    above = rules.ladder.first_above(history[-1] if history else None)
    return tuple(
        # a strategy that knows no higher bid returns the standing one
        (None if bid is None else max(abstraction.bids[bid], above), chance)
        for bid, chance in chances
    )


@cache
def blueprint_of(rules: Ruleset, cards: tuple[int, int]) -> Blueprint | None:
    """Return the shipped strategy for a round with `cards` dealt; None if none fits these rules.

    `cards` are the numbers of cards of the opener and the other seat. The result is cached. Raises
    WeightsError for a damaged file.
    """
    entry = index().get(rules.key)
    name = "{}-{}".format(*cards)
    if entry is None or name not in entry["exploitability"]:
        return None
    abstraction = abstraction_of(rules, cards)
    with shipped_file(entry) as opened, np.load(opened) as file:
        columns = {
            key.removeprefix(f"{name}/"): file[key]
            for key in file.files
            if key.startswith(f"{name}/")
        }
    if abstraction is None or not np.array_equal(columns["round"], abstraction.facts()):
        return None
    return abstraction, Strategy.of(columns)
