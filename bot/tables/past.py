"""Rounds that may be looked up later, read from a match's log."""

from __future__ import annotations

from dataclasses import dataclass

from bot.tables import refusals
from bot.tables.live import first_state
from bot.tables.records import Snapshot
from bot.tables.story import Story, story
from engine.actions import Deal, from_json
from engine.play import apply
from engine.shuffle import commitment, shuffle
from engine.state import Match


@dataclass(frozen=True, slots=True)
class PastDeal:
    """A round's deal: its seal, and its seed once that may be known.

    `kept`: whether the seed has this seal and gives the order in which the cards were dealt.
    """

    number: int
    commitment: str
    seed: bytes | None
    kept: bool


def round_of(snapshot: Snapshot, match_id: int, number: int) -> Match:
    """The match as it stood at the last moment of a round. Raises `MovedOn` if it is not stored."""
    last: Match | None = None
    for match in _states(snapshot, match_id):
        if match.round is not None and match.round.number == number:
            last = match
    if last is None:
        raise refusals.MovedOn
    return last


def deal_of(snapshot: Snapshot, match_id: int, number: int) -> PastDeal:
    """How a round was dealt. Raises `MovedOn` if it is not stored."""
    last = round_of(snapshot, match_id, number)
    current = last.round
    stored = snapshot.match
    if current is None or stored is None:
        raise refusals.MovedOn
    # a match that was ended by its host ends its round too
    over = current.outcome is not None or not snapshot.table.status.live
    over = over or any(
        match.round is not None and match.round.number > number
        for match in _states(snapshot, match_id)
    )
    seed = snapshot.seeds.get(number) if over else None
    deals = [
        found for action in stored.actions if isinstance(found := from_json(action.body), Deal)
    ]
    dealt = deals[number - 1]
    kept = False
    if seed is not None:
        again = shuffle(seed, last.ruleset.deck.order, sum(1 for hand in current.hands if hand))
        kept = commitment(seed) == dealt.commitment and again.order == dealt.order
    return PastDeal(number, dealt.commitment, seed, kept)


def story_of(snapshot: Snapshot, match_id: int) -> Story:
    """What is told of a match that is over. Raises `MovedOn` if it is not stored."""
    states = _states(snapshot, match_id)
    stored = snapshot.match
    by_house = [action.seq for action in stored.actions if action.by_house] if stored else []
    return story(states, by_house)


def _states(snapshot: Snapshot, match_id: int) -> list[Match]:
    stored = snapshot.match
    if stored is None or stored.id != match_id:
        raise refusals.MovedOn
    match = first_state(stored)
    states = []
    for action in stored.actions:
        match, _ = apply(match, from_json(action.body))
        states.append(match)
    return states
