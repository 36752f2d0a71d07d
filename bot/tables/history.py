"""Past matches and rounds; for a match under way, only what is already public."""

from __future__ import annotations

from dataclasses import dataclass

from bot.tables import errors
from bot.tables.highlights import MatchHighlights, match_highlights
from bot.tables.live import first_state, states_of
from bot.tables.model import MatchStatus, Snapshot
from engine.actions import from_json
from engine.cutting import VERSION
from engine.fairness import check_match
from engine.state import Match


@dataclass(frozen=True, slots=True)
class PastDeal:
    """A round's deal: its seal, and its seed once it is no longer secret.

    `is_fair`: whether the deal matches its seals; False while the seed is secret. `lobby_seal`: the
    first round's seal, which fixed this round's seal too; None if the match began before cards
    could be cut.
    """

    number: int
    commitment: str
    seed: bytes | None
    is_fair: bool
    version: int
    lobby_seal: str | None = None
    cuts: tuple[tuple[int, str | None], ...] = ()  # players and their cuts, in order
    practice: bool = False


def round_of(snapshot: Snapshot, match_id: int, number: int) -> Match:
    """Return the match at the last stored moment of a round.

    Raises `MovedOn` if the round isn't stored.
    """
    last: Match | None = None
    for match in _states(snapshot, match_id):
        if match.round is not None and match.round.number == number:
            last = match
    if last is None:
        raise errors.MovedOn
    return last


def deal_of(snapshot: Snapshot, match_id: int, number: int) -> PastDeal:
    """Return the deal of a round. Raises `MovedOn` if the round isn't stored."""
    stored = snapshot.match
    states = _states(snapshot, match_id)
    if stored is None:
        raise errors.MovedOn
    # a match that its host ended also ends its round
    over = {
        match.round.number
        for match in states
        if match.round is not None
        and (match.round.outcome is not None or stored.status is not MatchStatus.PLAYING)
    }
    seeds = {past: seed for past, seed in snapshot.seeds.items() if past in over}
    log = [from_json(action.body) for action in stored.actions]
    deals = check_match(first_state(stored), log, seeds)
    if not 1 <= number <= len(deals):
        raise errors.MovedOn
    checked, first = deals[number - 1], deals[0].deal
    return PastDeal(
        number,
        checked.deal.commitment,
        checked.seed,
        checked.check is not None and checked.check.fair,
        checked.deal.shuffle_version,
        first.commitment if first.shuffle_version == VERSION else None,
        tuple(
            (stored.players[player_cut.seat], player_cut.text) for player_cut in checked.deal.cuts
        ),
        practice=snapshot.table.is_practice,
    )


def highlights_of(snapshot: Snapshot, match_id: int) -> tuple[Match, MatchHighlights]:
    """Return a match that is over, and its highlights.

    Raises `MovedOn` if the match isn't stored or has no winner.
    """
    states = _states(snapshot, match_id)
    stored = snapshot.match
    by_house = [action.seq for action in stored.actions if action.by_house] if stored else []
    if not states or states[-1].winner is None:
        raise errors.MovedOn
    return states[-1], match_highlights(states, by_house)


def _states(snapshot: Snapshot, match_id: int) -> list[Match]:
    stored = snapshot.match
    if stored is None or stored.id != match_id:
        raise errors.MovedOn
    return states_of(stored)[1:]
