"""A match from two sides: by the referee of `tests.naive` from its log, and by the engine."""

from __future__ import annotations

from typing import Any

from engine.actions import Action, Challenge, Deal, Forfeit, MakeBid
from engine.state import Phase
from tests import naive


def refereed(stored: Any, actions: list[Action]) -> dict[str, object]:
    referee = naive.Referee(
        stored.variant, dict(stored.options), len(stored.players), stored.opener
    )
    for action in actions:
        match action:
            case Deal():
                referee.deal([str(card) for card in action.order], action.drawn)
            case MakeBid():
                referee.bid(action.seat, action.key)
            case Challenge():
                referee.challenge(action.seat)
            case Forfeit():
                referee.forfeit(action.seat)
    return {
        "live": referee.live,
        "cards": {seat: referee.cards[seat] for seat in referee.live},
        "winner": referee.winner,
        "turn": referee.turn,
        "bids": referee.bids,
        "hands": {seat: sorted(cards) for seat, cards in referee.hands.items()},
    }


def facts(match: Any) -> dict[str, object]:
    """What the referee can say of a match too."""
    current = match.round
    hands = current.hands if current is not None else ()
    return {
        "live": list(match.live),
        "cards": {seat: match.seats[seat].cards for seat in match.live},
        "winner": match.winner,
        "turn": current.turn if match.phase is Phase.BIDDING else None,
        "bids": [(made.seat, made.bid.key) for made in current.bids] if current else [],
        "hands": {seat: sorted(str(hand).split()) for seat, hand in enumerate(hands) if hand},
    }
