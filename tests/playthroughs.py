"""Whole matches written out for people to read: hands, actions and their consequences.

The texts are kept under tests/golden, and `python -m pytest tests/engine --update-golden` rewrites
them. Read the difference before you keep it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, assert_never

from engine.actions import Action, Challenge, Deal, Forfeit, MakeBid
from engine.bids import Bid
from engine.cards import Cards
from engine.ladder import Ladder
from engine.play import apply
from engine.rotation import card_limit
from engine.ruleset import OptionValue, Ruleset
from engine.state import Match, Round
from engine.variants import VARIANTS, ruleset
from engine.wording import Wording

NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana", "Ian", "Joy")


def digest(match: Match) -> str:
    """Return SHA-256 of a canonical text of the whole state, as 64 hexadecimal digits."""
    text = json.dumps(_plain(match), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _plain(value: Any) -> Any:
    """Return a value of the state as JSON values; rules and bids by their names."""
    match value:
        case Ruleset():
            return [value.key, value.version, chosen_options(value)]
        case Bid():
            return value.key
        case Cards():
            return value.bits
        case tuple():
            return [_plain(item) for item in value]
        case _ if is_dataclass(value):
            return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
        case _:
            return value


def chosen_options(rules: Ruleset) -> dict[str, OptionValue]:
    """Return the options that differ from their defaults, so new options change no digest."""
    defaults = dict(ruleset(rules.key).options) if rules.key in VARIANTS else {}
    return {key: value for key, value in rules.options if value != defaults.get(key)}


def ladder_text(ladder: Ladder, wording: Wording) -> str:
    """Return a line for every bid: rung, key, words."""
    lines = (f"{ladder.number(bid):>3}  {bid.key:<18} {wording.say(bid)}" for bid in ladder)
    return "\n".join(lines) + "\n"


def playthrough(match: Match, actions: Iterable[Action], notes: Sequence[str] = ()) -> str:
    """Return the match as text; each action has twelve digits of the resulting state's digest.

    `notes` are more lines for the head of the text.
    """
    rules = match.ruleset
    chosen = ", ".join(f"{key} = {value}" for key, value in chosen_options(rules).items())
    lines = [f"{rules.title}, {len(match.seats)} players", f"options: {chosen or 'none'}", *notes]
    lines.append(f"{'start':<60} {digest(match)[:12]}")
    for action in actions:
        before, match = match, apply(match, action)
        if isinstance(action, Deal):
            lines.append("")
        lines.append(f"{_action(rules, action):<60} {digest(match)[:12]}")
        if isinstance(action, Deal):
            lines += _holdings(match)
        lines += [f"    {line}" for line in _consequences(before, action, match)]
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
            words = rules.wording.say(rules.ladder.bid(action.key))
            return f"  {NAMES[action.seat]}: {words}"
        case Challenge():
            return f"  {NAMES[action.seat]}: {rules.terms.challenge}!"
        case Forfeit():
            return f"  {NAMES[action.seat]} leaves ({action.cause})"
        case _:
            assert_never(action)


def _consequences(before: Match, action: Action, after: Match) -> Iterator[str]:
    """Describe what an action led to, a sentence each, beyond the action's own line."""
    match before.round, action, after.round:
        case _, Deal(), Round() as now:
            yield f"round {now.number}, {NAMES[now.opener]} opens"
        case _, Challenge(), Round() as now:
            yield from _showdown(before, after, now)
        case Round() as then, Forfeit(), Round() as now if now.turn != then.turn:
            yield f"the turn passes to {NAMES[now.turn]}"
    if after.winner is not None:
        yield f"{NAMES[after.winner]} wins the match"


def _showdown(before: Match, after: Match, round_over: Round) -> Iterator[str]:
    judged, outcome = round_over.judgement, round_over.outcome
    assert judged is not None
    assert outcome is not None
    bid = after.ruleset.wording.say(judged.standing.bid)
    if judged.proof.holds:
        yield f"{bid}: there with {judged.proof.cards}"
    else:
        lacking = " and ".join(f"{need.count} of {need.cards}" for need in judged.proof.lacking)
        yield f"{bid}: not there, lacks {lacking}"
    for seat in sorted(range(len(after.seats)), key=lambda seat: seat != outcome.loser):
        cards = after.seats[seat].cards
        if seat != outcome.loser:
            if before.seats[seat].live and not after.seats[seat].live:
                yield f"{NAMES[seat]} is out too: {cards} cards are not the fewest"
        elif outcome.eliminated:
            limit = card_limit(before.ruleset, before.seats)
            yield f"{NAMES[seat]} is out: {limit} cards are the limit"
        else:
            yield f"{NAMES[seat]} has {cards} cards from now on"
