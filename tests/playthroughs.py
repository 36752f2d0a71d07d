"""Whole matches written out for people to read: who holds what, each action, what is told.

The texts are kept under tests/golden, and `python -m pytest tests/engine --update-golden` writes
them anew. Read the difference before you keep it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import assert_never

from engine.actions import Action, Challenge, Deal, Forfeit, MakeBid
from engine.events import (
    BidMade,
    CardGained,
    Eliminated,
    Event,
    Forfeited,
    MatchWon,
    Outdone,
    RoundDealt,
    Shown,
    TurnPassed,
)
from engine.ladder import Ladder
from engine.play import apply
from engine.replay import digest
from engine.ruleset import Ruleset
from engine.state import Match
from engine.wording import Wording

NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana", "Ian", "Joy")


def ladder_text(ladder: Ladder, wording: Wording) -> str:
    """Every bid on a line: rung, key, words."""
    lines = (f"{ladder.number(bid):>3}  {bid.key:<18} {wording.say(bid)}" for bid in ladder)
    return "\n".join(lines) + "\n"


def playthrough(match: Match, actions: Iterable[Action], notes: Sequence[str] = ()) -> str:
    """The match played through. The twelve digits beside an action begin the new state's digest."""
    rules = match.ruleset
    chosen = ", ".join(f"{key} = {value}" for key, value in rules.options)
    lines = [f"{rules.title}, {len(match.seats)} players", f"options: {chosen}", *notes]
    lines.append(f"{'start':<60} {digest(match)[:12]}")
    for action in actions:
        match, events = apply(match, action)
        if isinstance(action, Deal):
            lines.append("")
        lines.append(f"{_action(rules, action):<60} {digest(match)[:12]}")
        if isinstance(action, Deal):
            lines += _holdings(match)
        told = (_event(rules, event) for event in events)
        lines += [f"    {line}" for line in told if line]
    return "\n".join(lines) + "\n"


def _holdings(match: Match) -> list[str]:
    assert match.round is not None
    lines = [
        f"    {NAMES[seat]} holds {cards}" for seat, cards in enumerate(match.round.hands) if cards
    ]
    return lines + [f"    the middle hand is {match.round.middle}"] * bool(match.round.middle)


def _action(rules: Ruleset, action: Action) -> str:
    match action:
        case Deal():
            return "deal"
        case MakeBid():
            said = rules.wording.say(rules.ladder.bid(action.key))
            return f"  {NAMES[action.seat]}: {said}"
        case Challenge():
            return f"  {NAMES[action.seat]}: {rules.terms.challenge}!"
        case Forfeit():
            return f"  {NAMES[action.seat]} leaves ({action.cause})"
        case _:
            assert_never(action)


def _event(rules: Ruleset, event: Event) -> str:
    match event:
        case RoundDealt():
            return f"round {event.number}, {NAMES[event.opener]} opens"
        case Shown():
            what = rules.wording.say(event.bid)
            if event.proof.holds:
                return f"{what}: there with {event.proof.cards}"
            lacking = " and ".join(f"{need.count} of {need.cards}" for need in event.proof.lacking)
            return f"{what}: not there, lacks {lacking}"
        case CardGained():
            return f"{NAMES[event.seat]} has {event.cards} cards from now on"
        case Eliminated():
            return f"{NAMES[event.seat]} is out: {event.limit} cards are the limit"
        case Outdone():
            return f"{NAMES[event.seat]} is out too: {event.cards} cards are not the fewest"
        case TurnPassed():
            return f"the turn passes to {NAMES[event.seat]}"
        case MatchWon():
            return f"{NAMES[event.seat]} wins the match"
        case BidMade() | Forfeited():
            return ""  # the line of the action says it
        case _:
            assert_never(event)
