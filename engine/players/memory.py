"""A computer player's memory of a match: its character, its seed, and the rounds shown so far.

A memory is made only from views, so replaying a log gives the same memory and the same choices. It
has only plain values, since it is made in the bot's own process, which doesn't load numpy.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.view import EndedRound, View


@dataclass(frozen=True, slots=True)
class ShownRound:
    """A round that has ended, with all cards, as bits.

    `bids` are (seat, place in the ladder's order from 0). `challenger` is None if the round ended
    without a showdown; `loser` is None if nobody lost it.
    """

    number: int
    opener: int
    hands: tuple[int, ...]
    middle: int
    bids: tuple[tuple[int, int], ...]
    challenger: int | None
    loser: int | None


@dataclass(frozen=True, slots=True)
class Memory:
    """A player's memory through a match.

    `character` is a key of `CHARACTERS`, `seed` (64 bits) the only source of its random numbers,
    `rounds` the rounds of this match that have ended.
    """

    character: str
    seed: int
    rounds: tuple[ShownRound, ...] = ()


def remember(memory: Memory, view: View) -> Memory:
    """Return the memory with the round of `view` added, if the round has ended and is new.

    Call it with a view of every ended round, in order; a round that was left out stays missing.
    """
    ended = view.round
    if not isinstance(ended, EndedRound):
        return memory
    if memory.rounds and memory.rounds[-1].number >= ended.number:
        return memory
    place = view.ruleset.ladder.place
    shown_round = ShownRound(
        number=ended.number,
        opener=ended.opener,
        hands=tuple(cards.bits for cards in ended.hands),
        middle=ended.middle.bits,
        bids=tuple((step.seat, place(step.bid)) for step in ended.bids),
        challenger=ended.outcome.challenger,
        loser=ended.outcome.loser,
    )
    return replace(memory, rounds=(*memory.rounds, shown_round))
