"""What each joker of a showdown stands for, told from the bid's needs and its proof."""

from __future__ import annotations

from bot.pictures.faces import StandIn
from engine.bids import Bid, Need, Proof
from engine.cards import Card


def stand_ins(bid: Bid, proof: Proof) -> dict[Card, StandIn]:
    """Each joker used by `proof` and what it stands for: no more than `bid` needs of it.

    That is a rank where any suit would serve, a suit where any rank would, else one card. Jokers
    serve the needs in their order, as `engine.bids.proof` hands them out.
    """
    jokers = sorted(proof.jokers)
    served: dict[Card, StandIn] = {}
    for need in bid.needs:
        short = need.count - len(proof.found & need.cards)
        taken, jokers = jokers[:short], jokers[short:]
        served |= {joker: _wanted(need, proof) for joker in taken}
    return served


def _wanted(need: Need, proof: Proof) -> StandIn:
    ranks = {card.rank for card in need.cards}
    suits = {card.suit for card in need.cards}
    if len(ranks) > 1 and len(suits) > 1:  # nothing in common: the best card that is not there yet
        best = next(iter(need.cards - proof.found))
        return StandIn(best.rank, best.suit)
    return StandIn(
        ranks.pop() if len(ranks) == 1 else None,
        suits.pop() if len(suits) == 1 else None,
    )
