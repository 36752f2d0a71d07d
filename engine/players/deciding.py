"""Choose an action for a seat; the same position always gives the same choice.

Three cases are decided here for all players: a bid that cannot hold is challenged, a bid that is
certain to hold is not challenged, and on the top rung a challenge is the only action. All random
numbers come from the position's seed.
"""

from __future__ import annotations

from dataclasses import replace

from engine.actions import Challenge, MakeBid
from engine.errors import RulesetError
from engine.odds import bid_chance
from engine.players.characters import Player, character
from engine.players.memory import Memory, remember
from engine.players.position import LETS_IT_STAND, BadChoice, Choice, Position, observe
from engine.ruleset import Ruleset
from engine.view import View


def choose(position: Position, rules: Ruleset) -> Choice:
    """Return the choice of the position's character, playing by `rules`.

    Raises RulesetError for an unknown character or for rules that are not the position's, and
    `BadChoice` if the player chose something that the rules do not allow.
    """
    if (rules.key, rules.version, rules.options) != (
        position.game,
        position.version,
        position.options,
    ):
        raise RulesetError(f"{rules.title}: the position is one of {position.game}")
    return chosen_by(character(position.character).load(), position, rules)


def chosen_by(player: Player, position: Position, rules: Ruleset) -> Choice:
    """Return the choice of `player` in `position`, or a forced choice (see the module's docstring).

    Raises `BadChoice` if the player chose something that the rules do not allow.
    """
    if position.may_challenge:
        last = rules.ladder.at(position.bids[-1][1])
        stands = bid_chance(last, rules.deck, position.in_play, position.cards)
        nothing_above = rules.ladder.first_above(position.standing) == len(rules.ladder)
        if stands.favourable == 0 or (position.may_bid and nothing_above):
            return Choice.challenge(position)
        if stands.favourable == stands.total:
            if not position.may_bid:
                return LETS_IT_STAND
            position = replace(position, challengers=())
    return _check_choice(position, rules, player(position, rules))


def decide(view: View, memory: Memory) -> tuple[MakeBid | Challenge | None, Memory]:
    """Return the action of the seat of `view`, and its memory afterwards.

    The action is None if the seat has nothing to do or lets the standing bid stand. Raises the same
    errors as `choose`.
    """
    memory = remember(memory, view)
    position = observe(view, memory)
    return (choose(position, view.ruleset).action if position else None), memory


def _check_choice(position: Position, rules: Ruleset, choice: Choice) -> Choice:
    """Return the choice if the position allows it, else raise `BadChoice`."""
    match choice.action:
        case MakeBid(seat=seat, key=key) if seat == position.seat and position.may_bid:
            ladder = rules.ladder
            bid = ladder.get(key)
            if bid is not None and ladder.place(bid) >= ladder.first_above(position.standing):
                return choice
        case Challenge(seat=seat) if seat == position.seat and position.may_challenge:
            return choice
        case None if not position.may_bid:
            return choice
    raise BadChoice(f"{position.character} in seat {position.seat} chose {choice.action}")
