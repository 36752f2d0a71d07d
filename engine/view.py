"""A match as one seat may see it. A view doesn't contain hidden cards.

People are shown only views, and computer players decide from views only.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from engine.cards import Cards
from engine.play import Legal, legal
from engine.ruleset import Ruleset
from engine.state import Judgement, MadeBid, Match, Outcome, Phase, Seat


@dataclass(frozen=True, slots=True)
class RoundView:
    """A round as seen from a seat or by an onlooker; an `EndedRound` if it has ended.

    `hole`: the viewer's own cards; None for an onlooker or a seat that was not dealt in.
    """

    number: int
    commitment: str
    shuffle_version: int
    opener: int
    turn: int | None  # None once the round has ended
    in_play: int  # the number of cards in the pool
    dealt: tuple[int, ...]  # the number of cards dealt to each seat
    middle_size: int
    bids: tuple[MadeBid, ...]
    hole: Cards | None

    @property
    def standing(self) -> MadeBid | None:
        """The latest bid; None until the opener bids."""
        return self.bids[-1] if self.bids else None


@dataclass(frozen=True, slots=True)
class EndedRound(RoundView):
    """A round that has ended, with all cards: `hands` has one entry for each seat.

    `judgement` is None if the round ended without a showdown: all players but one had left.
    """

    outcome: Outcome
    judgement: Judgement | None
    hands: tuple[Cards, ...]
    middle: Cards


@dataclass(frozen=True, slots=True)
class View:
    """A match as seen from `seat`, or by an onlooker (None)."""

    ruleset: Ruleset
    seat: int | None
    seats: tuple[Seat, ...]
    seq: int
    phase: Phase
    opener: int | None
    winner: int | None
    round: RoundView | None
    legal: Legal


def view_of(match: Match, seat: int | None = None) -> View:
    """Return what `seat` may see; for None, what an onlooker may see.

    Raises IndexError if there is no such seat.
    """
    if seat is not None and not 0 <= seat < len(match.seats):
        raise IndexError(f"there is no seat {seat}")  # -1 would show the last seat's cards
    return View(
        ruleset=match.ruleset,
        seat=seat,
        seats=match.seats,
        seq=match.seq,
        phase=match.phase,
        opener=match.opener,
        winner=match.winner,
        round=_round_view(match, seat),
        legal=legal(match),
    )


def _round_view(match: Match, seat: int | None) -> RoundView | None:
    current = match.round
    if current is None:
        return None
    common = RoundView(
        number=current.number,
        commitment=current.commitment,
        shuffle_version=current.shuffle_version,
        opener=current.opener,
        turn=current.turn if current.outcome is None else None,
        in_play=len(current.pool),
        dealt=tuple(map(len, current.hands)),
        middle_size=len(current.middle),
        bids=current.bids,
        hole=(current.hands[seat] or None) if seat is not None else None,
    )
    if current.outcome is None:
        return common
    # a round that ends without a showdown shows its cards too: its revealed seed gives them away
    return EndedRound(
        **{field.name: getattr(common, field.name) for field in fields(RoundView)},
        outcome=current.outcome,
        judgement=current.judgement,
        hands=current.hands,
        middle=current.middle,
    )
