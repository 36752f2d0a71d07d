"""What follows from a log, round by round, as JSON values: for programs that know no rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.cards import Cards
from engine.ruleset import Ruleset
from engine.state import Match, Round


def rounds_of(rules: Ruleset, states: Sequence[Match]) -> list[dict[str, Any]]:
    """Each round as its last state has it: who held what, who bid what, what came of it."""
    last: dict[int, Match] = {}
    for match in states:
        if match.round is not None:
            last[match.round.number] = match
    return [_round(rules, match.round) for match in last.values() if match.round is not None]


def _round(rules: Ruleset, current: Round) -> dict[str, Any]:
    judged, outcome = current.judgement, current.outcome
    return {
        "round": current.number,
        "seal": current.commitment,
        "shuffle": current.shuffle_version,
        "opener": current.opener,
        "hands": [_cards(hand) for hand in current.hands],
        "middle": _cards(current.middle),
        "bids": [
            {"seat": made.seat, "bid": made.bid.key, "words": rules.wording.say(made.bid)}
            for made in current.bids
        ],
        "judgement": None
        if judged is None
        else {
            "challenger": judged.challenger,
            "bidder": judged.made.seat,
            "bid": judged.made.bid.key,
            "holds": judged.proof.holds,
            "cards": _cards(judged.proof.cards),
        },
        "loser": outcome.loser if outcome is not None else None,
        "out": outcome is not None and outcome.eliminated,
    }


def _cards(cards: Cards) -> list[str]:
    return [str(card) for card in cards]
