"""Play a match with the engine itself, each seat deciding from its view.

This is slow, but works for players without a compiled form too. Tests compare compiled matches with
its matches.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

from numpy.typing import NDArray

from engine.actions import Challenge, Deal, MakeBid
from engine.bids import holds
from engine.odds import bid_chance
from engine.play import apply, start
from engine.players.characters import Player
from engine.players.deciding import chosen_by
from engine.players.kernels.match import (
    BIDS,
    BLUFF,
    BLUFFS,
    CHALLENGES,
    DECISIONS,
    FALSE,
    LOST,
    RIGHT,
    ROUNDS,
)
from engine.players.memory import Memory, remember
from engine.players.position import observe
from engine.ruleset import Ruleset
from engine.shuffle import SEED_BYTES, VERSION, commitment, shuffle
from engine.state import Match, Phase
from engine.view import view_of


def play_by_views(
    rules: Ruleset,
    field: Sequence[tuple[str, Player]],
    deals: str,
    choices: str,
    counted: NDArray[Any],
) -> int:
    """Play a match and return the winning seat. `field` has each seat's player: (name, function).

    `deals` and `choices` are seeds: the first opener and the cards depend only on `deals`, the
    players' random numbers only on `choices`. Adds the counts that `kernels.match` lists to
    `counted`, which has a row for each seat.
    """
    match = start(rules, range(len(field)))
    memories = [
        Memory(name, int.from_bytes(blake2b(f"{choices} {seat}".encode(), digest_size=8).digest()))
        for seat, (name, _) in enumerate(field)
    ]
    while match.winner is None:
        if match.phase is Phase.DEAL:
            number = match.round.number if match.round is not None else 0
            match = apply(match, _deal(match, f"{deals} {number}"))
            counted[list(match.live), ROUNDS] += 1
            continue
        action = _next(match, field, memories, counted)
        _count(match, action, counted)
        match = apply(match, action)
        if match.phase is not Phase.BIDDING:
            assert match.round is not None
            assert match.round.outcome is not None
            assert match.round.outcome.loser is not None  # no player forfeits here
            counted[match.round.outcome.loser, LOST] += 1
            memories = [
                remember(memory, view_of(match, seat)) for seat, memory in enumerate(memories)
            ]
    return match.winner


def _deal(match: Match, seed: str) -> Deal:
    secret = blake2b(seed.encode(), digest_size=SEED_BYTES).digest()
    shuffled = shuffle(secret, match.ruleset.deck.order, len(match.live))
    return Deal(shuffled.order, commitment(secret), VERSION, shuffled.drawn)


def _next(
    match: Match,
    field: Sequence[tuple[str, Player]],
    memories: Sequence[Memory],
    counted: NDArray[Any],
) -> MakeBid | Challenge:
    """Return the bid of the seat in turn, or the first challenge by it or a seat to its left.

    Adds the decision of the seat in turn to `counted`.
    """
    current = match.round
    assert current is not None
    turn, seats = current.turn, len(match.seats)
    counted[turn, DECISIONS] += 1
    chosen = None
    for step in range(seats):
        seat = (turn + step) % seats
        position = observe(view_of(match, seat), memories[seat])
        if position is not None:
            action = chosen_by(field[seat][1], position, match.ruleset).action
            if isinstance(action, Challenge):
                return action
            chosen = action or chosen
    assert chosen is not None
    return chosen


def _count(match: Match, action: MakeBid | Challenge, counted: NDArray[Any]) -> None:
    current, rules = match.round, match.ruleset
    assert current is not None
    if isinstance(action, Challenge):
        standing = current.standing
        assert standing is not None
        counted[action.seat, CHALLENGES] += 1
        counted[action.seat, RIGHT] += not holds(standing.bid, current.pool)
        return
    bid = rules.ladder.bid(action.key)
    pool = current.pool
    chance = bid_chance(bid, rules.deck, len(pool), current.hands[action.seat])
    counted[action.seat, BIDS] += 1
    counted[action.seat, BLUFFS] += chance.probability < BLUFF
    counted[action.seat, FALSE] += not holds(bid, pool)
