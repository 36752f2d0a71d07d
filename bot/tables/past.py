"""Rounds that may be looked up later, read from a match's log."""

from __future__ import annotations

from dataclasses import dataclass

from bot.tables import refusals
from bot.tables.live import first_state
from bot.tables.records import MatchStatus, Snapshot
from bot.tables.story import Story, story
from engine.actions import from_json
from engine.cutting import VERSION
from engine.fairness import check_match
from engine.play import apply
from engine.state import Match


@dataclass(frozen=True, slots=True)
class PastDeal:
    """A round's deal: its seal, and its seed once that may be known.

    `kept`: whether everything is as it was sealed. `lobby_seal` is the first round's seal, which
    fixed this one too; None where the match began before cards could be cut.
    """

    number: int
    commitment: str
    seed: bytes | None
    kept: bool
    version: int
    lobby_seal: str | None = None
    cuts: tuple[tuple[int, str | None], ...] = ()  # players and what they cut with, in order
    practice: bool = False


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
    stored = snapshot.match
    states = _states(snapshot, match_id)
    if stored is None:
        raise refusals.MovedOn
    # a match that was ended by its host ends its round too
    over = {
        match.round.number
        for match in states
        if match.round is not None
        and (match.round.outcome is not None or stored.status is not MatchStatus.PLAYING)
    }
    seeds = {one: seed for one, seed in snapshot.seeds.items() if one in over}
    log = [from_json(action.body) for action in stored.actions]
    deals = check_match(first_state(stored), log, seeds)
    if not 1 <= number <= len(deals):
        raise refusals.MovedOn
    found, first = deals[number - 1], deals[0].deal
    return PastDeal(
        number,
        found.deal.commitment,
        found.seed,
        found.check is not None and found.check.fair,
        found.deal.shuffle_version,
        first.commitment if first.shuffle_version == VERSION else None,
        tuple((stored.players[one.seat], one.text) for one in found.deal.cuts),
        practice=snapshot.table.is_practice,
    )


def story_of(snapshot: Snapshot, match_id: int) -> tuple[Match, Story]:
    """A match that is over, and what is told of it. Raises `MovedOn` if it is not stored."""
    states = _states(snapshot, match_id)
    stored = snapshot.match
    by_house = [action.seq for action in stored.actions if action.by_house] if stored else []
    if not states or states[-1].winner is None:
        raise refusals.MovedOn
    return states[-1], story(states, by_house)


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
