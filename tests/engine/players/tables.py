"""Whole matches of computer players, in which each seat decides from its own view."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.actions import Action, Challenge, Deal
from engine.play import apply, start
from engine.players import Memory, choose, decide, observe, remember
from engine.ruleset import Ruleset
from engine.state import Match, Phase
from engine.variants import VARIANTS, ruleset
from engine.view import view_of
from tests.dealing import fair_deal, seed_from
from tests.third_game import VARIANT


def all_rules() -> list[Ruleset]:
    """Return every game with every choice of each option, all other options at their defaults."""
    rulesets = [VARIANT.ruleset(), VARIANT.ruleset({"jokers": 1})]
    for key, variant in VARIANTS.items():
        rulesets.append(ruleset(key))
        for option in variant.all_options:
            rulesets += [ruleset(key, {option.key: choice.value}) for choice in option.choices[1:]]
    return rulesets


def rules_text(rules: Ruleset) -> str:
    return " ".join([rules.key, *(f"{key}={value}" for key, value in rules.options)])


def memories_of(characters, seed: int = 7) -> list[Memory]:
    return [Memory(character, seed * 1000 + seat) for seat, character in enumerate(characters)]


def next_action(match: Match, memories: list[Memory], name: str) -> Action:
    """Return the next action, a deal, a bid or a challenge, and update `memories`.

    `name` and the match's number of actions seed the deal.
    """
    if match.phase is Phase.DEAL:
        for seat, memory in enumerate(memories):
            memories[seat] = remember(memory, view_of(match, seat))
        return fair_deal(match, seed_from(f"{name} {match.seq}"))
    turn = match.round.turn
    in_order = [(turn + step) % len(match.seats) for step in range(1, len(match.seats))]
    for seat in in_order:  # whoever may challenge out of turn is asked before the next bid
        position = observe(view_of(match, seat), memories[seat])
        if position is not None:
            choice = choose(position, match.ruleset)
            if choice.action is not None:
                return choice.action
    action, memories[turn] = decide(view_of(match, turn), memories[turn])
    assert action is not None
    return action


def whole_match(
    rules: Ruleset, characters, name: str = "match", seed: int = 7
) -> Iterator[tuple[Match, Action]]:
    """Play a match; yield each of its states with the action played in it."""
    match = start(rules, range(len(characters)))
    memories = memories_of(characters, seed)
    while match.phase is not Phase.OVER:
        action = next_action(match, memories, name)
        yield match, action
        match = apply(match, action)


def with_other_hidden_cards(match: Match, seat: int, name: str) -> Match:
    """Return the match with all cards redealt, except those of `seat`; `name` seeds the deal."""
    current = match.round
    assert current is not None
    others = [number for number in range(len(match.seats)) if number != seat]
    own_cards = current.hands[seat]
    order = [c for c in fair_deal(match_before(match), seed_from(name)).order if c not in own_cards]
    cards = iter(order)
    hands = list(current.hands)
    for number in others:
        hands[number] = type(own_cards).of(next(cards) for _ in range(len(hands[number])))
    middle = type(own_cards).of(next(cards) for _ in range(len(current.middle)))
    return replace(match, round=replace(current, hands=tuple(hands), middle=middle))


def match_before(match: Match) -> Match:
    return replace(match, round=None)


def rounds_of(actions) -> int:
    """Return the number of deals among the actions."""
    return sum(isinstance(action, Deal) for action in actions)


def challenges_of(actions) -> int:
    """Return the number of challenges among the actions."""
    return sum(isinstance(action, Challenge) for action in actions)
